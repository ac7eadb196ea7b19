"""The command: a puzzle is shown, runs are merged, and what is not there is refused in a sentence."""

import subprocess
import sys
from pathlib import Path

from quadriga import games
from quadriga.core.edition import TomlFile
from quadriga.core.scenario import parse_scenario, run
from quadriga.puzzles.folder import encode
from quadriga.puzzles.pack import Pack
from tests.puzzles.test_packs import made


def quadriga(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "quadriga", "puzzles", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_puzzle_is_shown_as_a_scenario_that_runs() -> None:
    shown = quadriga("show", "chariots", "1")
    assert shown.returncode == 0, shown.stderr
    assert run(parse_scenario(TomlFile("shown", shown.stdout), games.load)) == []


def test_runs_are_merged_without_duplicates(tmp_path: Path) -> None:
    puzzles = [made(answers=("plot 2+3+4",), kind="plot"), made(answers=("plot 3+2+4",), kind="plot")]
    for name, found in (("one", puzzles[:1]), ("two", puzzles)):
        (tmp_path / f"{name}.jsonl").write_bytes(encode(found))
    files = [str(tmp_path / "one.jsonl"), str(tmp_path / "two.jsonl")]
    merged = quadriga("merge", "chariots", *files, "--folder", str(tmp_path / "out"))
    assert merged.returncode == 0, merged.stderr
    assert len(Pack(tmp_path / "out" / "chariots.zip", "merged")) == 2


def test_what_is_not_there_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "other.jsonl").write_bytes(encode([made(game="charioteer")]))
    (tmp_path / "records").mkdir()
    for arguments in (
        ("show", "chess", "1"),
        ("show", "chariots", "9999"),
        ("merge", "chariots", str(tmp_path / "other.jsonl"), "--folder", str(tmp_path)),
        ("mine", "chariots", "--folder", str(tmp_path), "--records", str(tmp_path / "records")),
    ):
        refused = quadriga(*arguments)
        assert refused.returncode == 2, arguments
        assert refused.stderr.startswith("quadriga: ")
        assert "Traceback" not in refused.stderr
