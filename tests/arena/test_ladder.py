"""The ladder: who meets whom, the bars, and a short one that is climbed in the end."""

import json
from importlib import resources
from importlib.resources import as_file
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

import numpy as np
import pytest
from typer.testing import CliRunner

from quadriga import games
from quadriga.arena.ladder import (
    Duel,
    Length,
    duel_rungs,
    exploiter_rung,
    figures,
    of_levels,
    playouts,
    rungs,
    verdict,
)
from quadriga.arena.results import summary
from quadriga.arena.tournament import Outcome, Plan, Seat, play_race
from quadriga.bots import level_of
from quadriga.bots.network import FILE
from quadriga.bots.search import Searcher
from quadriga.cli import app
from quadriga.core.errors import InvalidOption
from quadriga.games.chariots.evaluation import EVALUATION

SHORT = ["--games", "24", "--champion-games", "4", "--iterations", "40", "-o", "laps=1", "--jobs", "1", "--json"]


def test_every_level_meets_the_one_below_and_champion_meets_greedy() -> None:
    assert [(rung.name, rung.bar, rung.plan.games) for rung in rungs("chariot_race", Length())] == [
        ("greedy-novice-2", 0.6, 2000),
        ("greedy-novice-4", 0.375, 2000),
        ("veteran-greedy-2", 0.6, 2000),
        ("veteran-greedy-4", 0.375, 2000),
        ("champion-veteran-2", 0.6, 400),
        ("champion-veteran-4", 0.375, 400),
        ("saver-greedy-2", 0.5, 2000),
        ("brawler-greedy-2", 0.5, 2000),
        ("daredevil-greedy-2", 0.5, 2000),
        ("veteran-saver-2", 0.5, 2000),
        ("veteran-brawler-2", 0.5, 2000),
        ("veteran-daredevil-2", 0.5, 2000),
        ("champion-greedy-2", 0.75, 400),
    ]
    assert rungs("charioteer", Length())[-1].bar == rungs("chariots", Length())[-1].bar == 0.85


def test_some_rungs_may_be_asked_for() -> None:
    assert [rung.name for rung in of_levels(rungs("chariots", Length()), ["greedy"])] == [
        "greedy-novice-2",
        "greedy-novice-4",
    ]
    assert [rung.name for rung in of_levels(rungs("chariots", Length()), ["saver"])] == ["saver-greedy-2"]
    with pytest.raises(InvalidOption, match="'novice' stands above no other level"):
        of_levels([], ["novice"])


@pytest.mark.parametrize(("wins", "expected"), [(8, "met"), (3, "undecided"), (0, "missed")])
def test_a_bar_is_judged_by_the_interval(wins: int, expected: str) -> None:
    """Three races of eight are the bar itself, but say little."""
    rung = rungs("chariots", Length(games=8))[1]
    places = [[1 if seat == (0 if n < wins else 1) else 2 for seat in range(4)] for n in range(8)]
    races = [Outcome(n, [0, 1, 2, 3], places[n], [0.0] * 4, [1] * 4) for n in range(8)]
    told = figures(rung, summary(rung.plan, races))
    assert (told["wins"], told["share"], told["verdict"]) == (wins, wins / 8, expected)


def test_the_ends_of_the_interval_decide() -> None:
    assert verdict(0.601, 0.7, 0.6) == "met"
    assert verdict(0.6, 0.7, 0.6) == "undecided"
    assert verdict(0.5, 0.6, 0.6) == "undecided"
    assert verdict(0.5, 0.599, 0.6) == "missed"
    assert [verdict(*ends, 0.6, at_most=True) for ends in ((0.5, 0.599), (0.5, 0.6), (0.601, 0.7))] == [
        "met",
        "undecided",
        "missed",
    ]


def test_an_exploiter_meets_champion_with_as_many_playouts() -> None:
    rung = exploiter_rung("chariots", Path("runs/weights.npz"), Length(iterations=40))
    assert (rung.name, rung.bar, rung.at_most) == ("exploiter-champion-2", 0.6, True)
    assert (rung.plan.bots, rung.plan.games) == (("champion@runs/weights.npz", "champion"), 400)


def test_champion_races_with_networks_of_a_file() -> None:
    """With weights that take defeat for victory it loses every race, and it counts as one of our own levels."""
    game = games.load("chariots")
    with as_file(resources.files(game.definition.package) / FILE) as shipped, np.load(shipped) as file:
        arrays = {key: -file[key] if key.endswith("_3") and "scales" not in key else file[key] for key in file}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "wrong.npz"
        np.savez(path, **arrays)
        name = f"champion@{path}"
        assert level_of(name) == "champion"
        plan = Plan("chariots", (name, "champion"), 4, 2, 24, options={"laps": 2})
        outcomes = [play_race(plan, number) for number in range(4)]
    assert [outcome.places[outcome.seating.index(0)] for outcome in outcomes] == [2] * 4
    assert not any(outcome.faults for outcome in outcomes)
    assert level_of("mine:champion@x") is None


def test_champion_and_searcher_have_playouts_for_their_seconds() -> None:
    quick, slow = EVALUATION.rates
    rungs = duel_rungs("chariots", Duel(0.1, 1.0))
    assert [(rung.name, rung.bar, rung.plan.games) for rung in rungs] == [
        ("champion-searcher-2", 0.65, 400),
        ("champion-searcher-4", 0.4, 400),
    ]
    assert all(rung.plan.budgets == {"champion": round(quick / 10), "searcher": slow} for rung in rungs)
    assert [rung.bar for rung in duel_rungs("chariots", Duel(0.1, 0.1))] == [0.5, 0.25]
    assert [rung.bar for rung in duel_rungs("chariot_race", Duel(0.1, 1.0))] == [0.57, 0.32]


def test_a_bot_thinks_as_its_own_budget_says() -> None:
    plan = Plan("chariots", ("champion", "searcher"), 2, 2, iterations=7, budgets={"searcher": 3})
    found = []
    for number, bot in enumerate(plan.bots):
        seat = Seat(plan, games.load("chariots"), bot, number, 0, None)
        seat.sit_down(None)
        found.append(cast(Searcher, seat.bot).iterations)
    assert found == [7, 3]


def test_a_short_duel_is_run_by_the_command() -> None:
    command = ["ladder", "chariots", "--champion-seconds", "0.0005", "--champion-games", "2", "-o", "laps=1"]
    refused = CliRunner().invoke(app, [*command, "--jobs", "1", "--json"])
    assert refused.exit_code == 2
    command[3] = "0.001"
    told = json.loads(CliRunner().invoke(app, [*command, "--jobs", "1", "--json"]).stdout.splitlines()[-1])
    assert [(rung["against"], rung["seats"], rung["games"]) for rung in told["rungs"]] == [
        ("searcher", 2, 2),
        ("searcher", 4, 2),
    ]
    assert set(told["iterations"]) == {"champion", "searcher"}


def test_a_short_ladder_is_climbed_and_kept(tmp_path: Path) -> None:
    command = ["ladder", "chariots", *SHORT, "--resume", str(tmp_path)]
    told = json.loads(CliRunner().invoke(app, command).stdout.splitlines()[-1])
    assert [rung["games"] for rung in told["rungs"]] == [24] * 4 + [4] * 2 + [24] * 6 + [4]
    assert all(rung["share"] > 1 / rung["seats"] for rung in told["rungs"][:4])
    assert told["rungs"][-1]["wins"] >= 2
    kept = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    again = json.loads(CliRunner().invoke(app, command).stdout.splitlines()[-1])
    assert again == told
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == kept


def test_the_ladder_is_shown() -> None:
    command = ["ladder", "chariots", "--level", "greedy", "--games", "2", "-o", "laps=1", "--jobs", "1"]
    shown = CliRunner().invoke(app, command).stdout
    assert "3 x novice" in shown
    assert f"champion at {playouts('chariots')} playouts" in shown
    assert "37.5 %" in shown
