"""One source, several ways to run it: compiled, interpreted, with bounds checked, and as CUDA device functions."""

import hashlib
import time
from pathlib import Path

import numpy as np
import pytest

from quadriga import games
from quadriga.core.kernel import _part, _source_hash
from quadriga.core.play import Player
from quadriga.core.streams import stream_key
from tests.core.processes import ROOT, run
from tests.core.short_races import STEPS, short_settings

COLD, WARM = 60, 3
"""Seconds one game may take to compile, and a warm start to its first step."""
every_game = pytest.mark.parametrize("name", games.NAMES)


def files(name: str) -> list[Path]:
    return sorted((ROOT / "tests" / "records" / name).glob("*.json"))


def test_races_under_the_cuda_simulator_end_in_the_same_bytes() -> None:
    ends = []
    for name in games.NAMES:
        for setting in short_settings(games.load(name)):
            player = Player(games.load(name), setting.seats, setting.options, STEPS)
            (race,), tally = player.play_keys(np.array([stream_key(str(setting).encode())]))
            assert tally[0] > 15
            ends.append(f"{name}: {setting}: {hashlib.sha256(race.tobytes()).hexdigest()}")
    assert run("tests.core.simulator", NUMBA_ENABLE_CUDASIM="1", QUADRIGA_TARGET="cuda").splitlines() == ends


@every_game
def test_records_replay_interpreted(name: str) -> None:
    """RuntimeWarnings are errors there, so an integer that overflows is found."""
    lines = run("tests.core.replays", "--no-jit", *files(name), NUMBA_DISABLE_JIT="1").splitlines()
    assert len(lines) == len(files(name)) > 0


@every_game
def test_records_replay_with_bounds_checked(name: str) -> None:
    """In a cache folder of its own, kept between runs: compiling takes a minute."""
    cache = ROOT / ".cache" / "bounds"
    lines = run(
        "tests.core.replays", "--bounds", *files(name), NUMBA_BOUNDSCHECK="1", QUADRIGA_CACHE=str(cache)
    ).splitlines()
    assert len(lines) == len(files(name)) > 0


@pytest.mark.long
@every_game
def test_a_game_compiles_in_time_and_starts_quickly_afterwards(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    took = []
    for _ in range(2):
        began = time.perf_counter()
        run("tests.core.first_step", name, QUADRIGA_CACHE=str(tmp_path))
        took.append(time.perf_counter() - began)
    with capsys.disabled():
        print(f"\n{name}: cold compile {took[0]:.1f} s, warm import and first step {took[1]:.2f} s")
    assert took[0] < COLD
    assert took[1] < WARM


# ---------------------------------------------------------------- the cache


@pytest.mark.parametrize(
    ("module", "part"),
    [
        ("quadriga.core.play", "core"),
        ("quadriga.games.chariots.flow", "games/chariots"),
        ("quadriga.bots.search", "bots"),
        ("tests.toy.game", "core"),
        ("quadriga", "core"),
    ],
)
def test_a_kernel_belongs_to_a_part(module: str, part: str) -> None:
    assert _part(module) == part


@pytest.mark.parametrize(
    ("changed", "stale"),
    [
        ("core/play.py", {"core", "games/a", "games/b", "bots", "arena"}),
        ("games/a/rules.py", {"core", "games/a", "bots", "arena"}),
        ("bots/search.py", {"bots", "arena"}),
        ("arena/speed.py", {"arena"}),
    ],
)
def test_compiled_code_is_made_anew_when_what_it_holds_changes(tmp_path: Path, changed: str, stale: set[str]) -> None:
    """A kernel of core that plays any game holds the rules of all."""
    for file in ("core/play.py", "games/a/rules.py", "games/b/rules.py", "bots/search.py", "arena/speed.py"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("old", encoding="utf-8")
    parts = ("core", "games/a", "games/b", "bots", "arena")
    before = {part: _source_hash(tmp_path, part) for part in parts}
    (tmp_path / changed).write_text("new", encoding="utf-8")
    assert {part for part in parts if _source_hash(tmp_path, part) != before[part]} == stale
