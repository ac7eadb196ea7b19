"""Quadriga works without what environments need, and says how to get it."""

import subprocess
import sys

BLOCK = "import sys; sys.modules.update(dict.fromkeys(['gymnasium', 'pettingzoo', 'pyspiel', 'open_spiel']));"


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", BLOCK + code], capture_output=True, text=True, check=False)


def test_everything_else_can_be_imported_without_them() -> None:
    found = run("import quadriga.cli, quadriga.envs, quadriga.envs.vector; print('fine')")
    assert (found.stdout, found.stderr) == ("fine\n", "")


def test_what_is_missing_is_said_in_a_sentence() -> None:
    found = run(
        """
from quadriga import envs
for make, arguments in (
    ("aec_env", [2]), ("parallel_env", [2]), ("seat_env", []), ("seat_vector_env", [2]), ("openspiel_game", [2])
):
    try:
        getattr(envs, make)("chariots", *arguments)
    except envs.MissingExtra as error:
        print(error)
"""
    )
    assert found.stdout.splitlines() == [
        'pettingzoo is not installed: pip install "quadriga[rl]"',
        'pettingzoo is not installed: pip install "quadriga[rl]"',
        'gymnasium is not installed: pip install "quadriga[rl]"',
        'gymnasium is not installed: pip install "quadriga[rl]"',
        'pyspiel is not installed: pip install "quadriga[openspiel]"',
    ]
