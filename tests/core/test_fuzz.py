"""The fuzzer finds what is broken, says so in one line and leaves a record that shows it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from quadriga import games
from quadriga.core.errors import InvalidOption
from quadriga.core.fuzz import extremes, fuzz, settings
from quadriga.core.meta import Meta, Option

ROOT = Path(__file__).parents[2]
every_game = pytest.mark.parametrize("name", games.NAMES)


def said_of(bug: str, folder: Path) -> list[str]:
    """What the fuzzer prints of a bug planted in the toy."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.core.broken", bug, str(folder)],
        cwd=ROOT, env=os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT / "tests" / "toy")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("bug", "finding", "replay"),
    [
        ("check", "step 3: broken: a_card_each", "replays to step 3, round 3, broken: a_card_each"),
        ("no_list", "step 3: a seat owes a choice and has none", "replays to step 3, round 3, broken: None"),
        ("long_list", "step 3: a list of choices is longer than most_choices", "replays to step 3, round 3"),
        ("wrong_list", r"step \d: seat \d: rise is listed, and refused by not_down", r"replays to step \d, round 3"),
        ("crash", r"step 3: seat \d chooses .*: ZeroDivisionError: planted", "replays to step 3, round 3"),
        ("endless", "step 70: the race does not end within 70 steps", "replays to step 70, round 0"),
        ("long_log", "step 2: .*AssertionError: a step of dash told 17 events", "replays to step 2, round 2"),
        ("scratch", "step 1: more scratch is used than declared", "replays to step 1"),
        ("places", r"step \d+: places \(3, 3\) do not fit winner None", r"replays to step \d+"),
    ],
)
def test_a_planted_bug_is_found_and_recorded(tmp_path: Path, bug: str, finding: str, replay: str) -> None:
    first, second, *_ = said_of(bug, tmp_path)
    file, _, told = first.partition(": ")
    assert Path(file).parent == tmp_path
    assert re.match(finding, told), told
    assert re.match(replay, second), second


def test_a_set_up_that_fails_has_no_record_but_a_seed(tmp_path: Path) -> None:
    first, second, *_ = said_of("setup", tmp_path)
    assert re.match(r"2 seats, seed [0-9a-f]{64}: step 0: OverflowError: planted", first)
    assert second == "no record"
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_found_in_the_toy_as_it_is(tmp_path: Path) -> None:
    assert said_of("none", tmp_path) == []
    assert list(tmp_path.iterdir()) == []


@every_game
def test_a_game_is_fuzzed_over_all_its_settings(name: str, tmp_path: Path) -> None:
    batches = list(fuzz(games.load(name), games=200, seed=7, folder=tmp_path))
    assert [batch.finding for batch in batches] == [None] * len(batches)
    assert {str(batch.setting) for batch in batches} == {str(setting) for setting in settings(games.meta(name))}
    assert sum(batch.races for batch in batches) >= 200
    assert all(batch.decisions > 0 for batch in batches)


def test_seats_and_options_can_be_held_fast(tmp_path: Path) -> None:
    game = games.load("chariots")
    batches = list(fuzz(game, games=5, seed=1, options={"two_chariots": False, "laps": 1}, folder=tmp_path))
    assert {batch.setting.seats for batch in batches} == {2}
    assert all(batch.setting.options["laps"] == 1 for batch in batches)
    assert {b.setting.seats for b in fuzz(game, games=5, seed=1, seats=3, folder=tmp_path)} == {3}


@pytest.mark.parametrize("held", [{"seats": 9}, {"options": {"laps": 0}}, {"options": {"wings": 1}}])
def test_what_cannot_be_held_fast_is_refused(held: dict[str, int], tmp_path: Path) -> None:
    with pytest.raises(InvalidOption):
        next(fuzz(games.load("chariots"), games=5, seed=1, folder=tmp_path, **held))  # type: ignore[arg-type]


def test_another_seed_plays_other_races(tmp_path: Path) -> None:
    game = games.load("chariots")
    one, two, again = ([b.decisions for b in fuzz(game, 40, seed, folder=tmp_path)] for seed in (1, 2, 1))
    assert one == again != two


def test_settings_switch_every_option() -> None:
    meta = Meta("a", "A", "x", (2, 3), (1, 2), 1, (
        Option("laps", 2, low=1, high=5),
        Option("mud", True, only_seats=(3,)),
        Option("wind", "no", words=("no", "yes")),
    ))  # fmt: skip
    assert [extremes(option) for option in meta.options] == [[1, 5], [False], ["yes"]]
    assert [str(setting) for setting in settings(meta)] == [
        "2 seats", "2 seats,laps=1", "2 seats,laps=5", "2 seats,wind=yes",
        "2 seats,laps=1,wind=yes", "2 seats,laps=5,wind=yes",
        "3 seats", "3 seats,laps=1", "3 seats,laps=5", "3 seats,mud=false", "3 seats,wind=yes",
        "3 seats,laps=1,mud=false,wind=yes", "3 seats,laps=5,mud=false,wind=yes",
    ]  # fmt: skip


@pytest.mark.long
@every_game
def test_fuzzing_at_length_finds_nothing(name: str, tmp_path: Path) -> None:
    found = [
        str(batch.finding) for batch in fuzz(games.load(name), games=20_000, seed=11, folder=tmp_path) if batch.finding
    ]
    assert found == []
