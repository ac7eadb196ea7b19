"""Tournaments: seats, faults, files, figures."""

import json
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from quadriga import games
from quadriga.arena.ratings import MODEL, rate, wilson
from quadriga.arena.results import Ledger, summary
from quadriga.arena.tournament import NOVICE, Outcome, Plan, Start, play, play_race, run_choice_by_choice, run_quickly
from quadriga.cli import app
from quadriga.core.errors import InvalidOption

QUICK = {"laps": 1}
STRANGERS = "tests.arena.strangers"


def plan(*bots: str, games: int = 2, **more: object) -> Plan:
    known = {"seats": max(2, len(bots)), "options": QUICK} | more
    return msgspec.structs.replace(Plan("chariots", bots, games, 2), **known)


def lasting(outcome: Outcome) -> Outcome:
    """An outcome without what the clock says."""
    return msgspec.structs.replace(outcome, seconds=[])


def test_everybody_sits_everywhere() -> None:
    tour = plan("novice", "greedy", "veteran")
    assert [tour.seating(number) for number in range(3)] == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]


def test_a_race_is_the_same_whoever_plays_it() -> None:
    tour = plan("veteran", "champion", games=4, iterations=4)
    alone = [lasting(outcome) for outcome in play(tour, range(4), 1)]
    others = [lasting(outcome) for outcome in play(tour, range(4), 2)]
    assert alone == others


@pytest.mark.parametrize(
    ("stranger", "why"),
    [
        ("Raises", "KeyError: 'reins'"),
        ("Leaves", "SystemExit: 1"),
        ("Stalls", "took more than 0.2 s"),
        ("Cheats", "stay: "),
        ("Babbles", "'faster' is no action of Chariots"),
        ("never_made", "could not be made: OSError: no such horse"),
    ],
)
def test_a_bot_that_fails_forfeits(stranger: str, why: str) -> None:
    name = f"{STRANGERS}:{stranger}"
    outcome = play_race(plan(name, "greedy", stall=0.2), 1)
    assert [(fault.bot, fault.seat) for fault in outcome.faults] == [(name, 1)]
    assert outcome.faults[0].why.startswith(why)
    assert outcome.places == [1, 2]


def test_bots_that_take_their_process_down_forfeit() -> None:
    dies, clings = f"{STRANGERS}:Dies", f"{STRANGERS}:Clings"
    (outcome,) = play(plan("greedy", dies, clings, stall=0.1), [0], 1)
    assert [(fault.bot, fault.seat) for fault in outcome.faults] == [(dies, 1), (clings, 2)]
    assert all(fault.why == "ended its process, or held it for more than 1.2 s" for fault in outcome.faults)
    assert outcome.places == [1, 2, 2]


def test_nobody_wins_where_all_forfeit() -> None:
    outcome = play_race(plan(f"{STRANGERS}:Raises", f"{STRANGERS}:Cheats"), 0)
    assert (outcome.places, len(outcome.faults)) == ([2, 2], 2)


def test_novice_drives_on_for_a_bot_that_failed() -> None:
    name = f"{STRANGERS}:Raises"
    outcomes = [play_race(plan(name, f"{STRANGERS}:Fair", on_fault=NOVICE), number) for number in range(6)]
    assert all(len(outcome.faults) == 1 for outcome in outcomes)
    assert any(outcome.places[outcome.seating.index(0)] == 1 for outcome in outcomes)


def test_a_tournament_goes_on_where_it_was_broken_off(tmp_path: Path) -> None:
    file, tour = tmp_path / "races.jsonl", plan("greedy", "novice", games=6)
    whole = [lasting(play_race(tour, number)) for number in range(6)]
    ledger = Ledger(tour, file)
    for outcome in play(tour, range(3), 1):
        ledger.add(outcome)
    file.write_bytes(file.read_bytes() + b'{"number": 4, "seat')
    again = Ledger(tour, file)
    assert again.missing() == range(3, 6)
    for outcome in play(tour, again.missing(), 1):
        again.add(outcome)
    kept = [msgspec.json.decode(line, type=Outcome) for line in file.read_bytes().splitlines()[1:]]
    assert [lasting(outcome) for outcome in kept] == whole
    assert Ledger(tour, file).tally.figures() == again.tally.figures()


def test_a_file_of_another_tournament_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "races.jsonl"
    Ledger(plan("greedy", "novice"), file)
    with pytest.raises(InvalidOption, match="another tournament"):
        Ledger(plan("greedy", "veteran"), file)
    file.write_text("horses\n", encoding="utf-8")
    with pytest.raises(InvalidOption, match="holds no tournament"):
        Ledger(plan("greedy", "novice"), file)


def test_figures_of_races_that_are_known() -> None:
    tour = plan("greedy", "novice", games=4)
    races = [Outcome(n, tour.seating(n), [1, 2], [0.5, 0.25], [100, 50]) for n in range(4)]
    figures = summary(tour, races)
    greedy = figures["bots"]["greedy"]
    assert (figures["games"], greedy["wins"], greedy["share"], greedy["ms_per_choice"]) == (4, 2, 0.5, 5.0)
    assert figures["ahead"]["greedy"]["novice"]["share"] == 0.5


def test_the_interval_is_wilsons() -> None:
    assert wilson(60, 100) == pytest.approx((0.5020, 0.6906), abs=1e-4)
    assert wilson(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)


def test_ratings_follow_the_places() -> None:
    first, second, third = rate([MODEL.rating() for _ in range(3)], [1, 2, 3])
    assert first.mu > second.mu > third.mu
    won, lost = rate([MODEL.rating(), MODEL.rating()], [1, 2])
    assert (won.mu, won.sigma) == pytest.approx((27.63523, 8.065506), abs=1e-2)
    assert (lost.mu, lost.sigma) == pytest.approx((22.36477, 8.065506), abs=1e-2)
    level = rate([MODEL.rating(), MODEL.rating()], [1, 1])
    assert level[0].mu == pytest.approx(level[1].mu)


def test_the_command_prints_figures_for_programs() -> None:
    arguments = [
        "arena",
        "chariots",
        "--bots",
        "greedy,novice",
        "--games",
        "2",
        "-o",
        "laps=1",
        "--jobs",
        "1",
        "--json",
    ]
    done = CliRunner().invoke(app, arguments)
    figures = json.loads(done.stdout.splitlines()[-1])
    assert figures["games"] == 2
    assert set(figures["bots"]["greedy"]) == {"wins", "share", "low", "high", "rating", "ms_per_choice"}


def test_the_command_shows_a_table_with_faults() -> None:
    bots = f"greedy,{STRANGERS}:Raises"
    done = CliRunner().invoke(app, ["arena", "chariots", "--bots", bots, "--games", "1", "-o", "laps=1", "--jobs", "1"])
    assert "greedy" in done.stdout
    assert "at seat 1 KeyError" in done.stdout.replace("\n", " ")


@pytest.mark.parametrize(
    ("bots", "why"),
    [
        ("novice,emperor", "no bot 'emperor'"),
        ("novice,no.such:Bot", "no bot 'no.such:Bot'"),
        ("novice,tests.arena.broken:Bot", "cannot be loaded: ZeroDivisionError"),
        (",", "no bot is named"),
    ],
)
def test_an_unknown_bot_is_refused_before_play(bots: str, why: str) -> None:
    done = CliRunner().invoke(app, ["arena", "chariots", "--bots", bots])
    assert why in str(done.exception)
    assert bots == "," or str(done.exception).startswith("seat 1: ")


@pytest.mark.parametrize("name", games.NAMES)
@pytest.mark.parametrize(
    "bots", [("veteran", "novice", "greedy", "wanderer"), ("saver", "brawler", "daredevil", "novice")]
)
def test_kernels_play_the_very_races_that_the_bots_play(name: str, bots: tuple[str, ...]) -> None:
    tour = Plan(name, bots, 4, 4, seed=3, options={"limit": 12})
    for number in range(4):
        quickly, slowly = run_quickly(tour, number), run_choice_by_choice(tour, Start(number), None)
        assert quickly.places == slowly.places
        assert min(slowly.choices) > 0
