"""One source, several ways to run it: compiled, interpreted, with bounds checked, and as CUDA device functions."""

import hashlib
import time
from pathlib import Path

import numpy as np
import pytest

from quadriga import games
from quadriga.core.kernel import KEPT, _cache_home, _source_hash, cache_folder, part_of
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
            ends.append(f"{name}: {setting}: {tally[0]} {hashlib.sha256(race.tobytes()).hexdigest()}")
    assert run("tests.core.simulator", NUMBA_ENABLE_CUDASIM="1").splitlines() == ends


def test_quick_levels_and_environments_do_the_same_under_the_cuda_simulator() -> None:
    simulated = run("tests.core.simulated_layers", NUMBA_ENABLE_CUDASIM="1")
    assert simulated == run("tests.core.simulated_layers", "--cpu")
    assert len(simulated.splitlines()) == len(games.NAMES) + 2


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
        ("quadriga.games.chariots.turn", "games/chariots"),
        ("quadriga.games.chariots.evaluation", "bots"),
        ("quadriga.games.chariots.notes", "arena"),
        ("quadriga.games.chariots.chain", "games/chariots"),
        ("quadriga.bots.search", "bots"),
        ("tests.core.simulator", "tests"),
        ("quadriga", "core"),
    ],
)
def test_a_kernel_belongs_to_a_part(module: str, part: str) -> None:
    assert part_of(module) == part


@pytest.mark.parametrize(
    ("changed", "stale"),
    [
        ("core/play.py", {"core", "games/a", "games/b", "games/c", "bots", "arena"}),
        ("games/a/rules.py", {"core", "games/a", "bots", "arena"}),
        ("games/a/evaluation.py", {"bots", "arena"}),
        ("games/a/evaluation/dice.py", {"bots", "arena"}),
        ("games/a/notes.py", {"arena"}),
        ("elsewhere/c_game/rules.py", {"core", "games/c", "bots", "arena"}),
        ("elsewhere/c_game/evaluation.py", {"bots", "arena"}),
        ("bots/search.py", {"bots", "arena"}),
        ("arena/speed.py", {"arena"}),
    ],
)
def test_compiled_code_is_made_anew_when_what_it_holds_changes(tmp_path: Path, changed: str, stale: set[str]) -> None:
    """A kernel of core that plays any game holds the rules of all, those of other packages included."""
    for file in ("core/play.py", "games/a/__init__.py", "games/b/__init__.py", "bots/search.py", "arena/speed.py"):
        write(tmp_path / file, "old")
    write(tmp_path / changed, "old")
    parts = ("core", "games/a", "games/b", "games/c", "bots", "arena")
    installed = {"c": tmp_path / "elsewhere" / "c_game"}
    before = {part: _source_hash(tmp_path, part, installed) for part in parts}
    write(tmp_path / changed, "new")
    assert {part for part in parts if _source_hash(tmp_path, part, installed) != before[part]} == stale


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def test_compiled_code_lies_in_the_users_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUADRIGA_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert _cache_home() == tmp_path / "quadriga"
    monkeypatch.setenv("QUADRIGA_CACHE", str(tmp_path / "chosen"))
    assert _cache_home() == tmp_path / "chosen"


def test_folders_that_another_process_removes_meanwhile_are_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUADRIGA_CACHE", str(tmp_path))
    for number in range(KEPT):
        (tmp_path / "core" / f"old-{number}").mkdir(parents=True)
    (tmp_path / "core" / "gone").symlink_to(tmp_path / "removed")
    folder = cache_folder.__wrapped__("core")
    assert folder.is_dir()
    assert len([path for path in (tmp_path / "core").iterdir() if path.is_dir()]) == KEPT
