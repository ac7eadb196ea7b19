"""Quadriga works without what environments need, and says how to get it."""

import subprocess
import sys

import pytest

BLOCK = "import sys; sys.modules.update(dict.fromkeys(['gymnasium', 'pettingzoo', 'pyspiel', 'open_spiel']));"


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", BLOCK + code], capture_output=True, text=True, check=False)


def test_everything_else_can_be_imported_without_them() -> None:
    found = run("import quadriga.cli, quadriga.envs, quadriga.envs.vector; print('fine')")
    assert (found.stdout, found.stderr) == ("fine\n", "")


@pytest.mark.parametrize(
    ("call", "missing"),
    [
        ("aec_env('chariots', 2)", "pettingzoo is not installed: install quadriga[rl]"),
        ("parallel_env('chariots', 2)", "pettingzoo is not installed: install quadriga[rl]"),
        ("seat_env('chariots')", "gymnasium is not installed: install quadriga[rl]"),
        ("openspiel_game('chariots', 2)", "pyspiel is not installed: install quadriga[openspiel]"),
    ],
)
def test_what_is_missing_is_said_in_a_sentence(call: str, missing: str) -> None:
    code = f"\nfrom quadriga import envs\ntry:\n    envs.{call}\nexcept envs.MissingExtra as error:\n    print(error)"
    assert run(code).stdout == missing + "\n"
