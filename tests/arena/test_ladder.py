"""The ladder: who meets whom, the bars, and a short one that is climbed in the end."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from quadriga.arena.ladder import Length, figures, of_levels, playouts, rungs
from quadriga.arena.results import summary
from quadriga.arena.tournament import Outcome
from quadriga.cli import app
from quadriga.core.errors import InvalidOption

pytestmark = pytest.mark.xdist_group("arena")  # its kernels are compiled once
SHORT = ["--games", "24", "--champion-games", "4", "--iterations", "8", "-o", "laps=1", "--jobs", "1", "--json"]


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


@pytest.mark.parametrize(("wins", "met"), [(4, True), (3, True), (2, False)])
def test_a_bar_is_met_by_the_share(wins: int, met: bool) -> None:
    rung = rungs("chariots", Length(games=8))[1]
    places = [[1 if seat == (0 if n < wins else 1) else 2 for seat in range(4)] for n in range(8)]
    races = [Outcome(n, [0, 1, 2, 3], places[n], [0.0] * 4, [1] * 4) for n in range(8)]
    told = figures(rung, summary(rung.plan, races))
    assert (told["wins"], told["share"], told["met"]) == (wins, wins / 8, met)


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
