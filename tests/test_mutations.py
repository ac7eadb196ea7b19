"""Planted errors are caught by tests that state what is broken; those of the games' rules run in tests/games."""

import pytest

from quadriga import games
from tests.survivors import try_mutations

GAMES = [f"tests.games.{name}.mutations" for name in games.NAMES]
NAMED = ["tests.games.mutations", "tests.core.mutations", "tests.server.mutations"]
SAMPLE = 8
"""One in so many is tried in every run of the tests, all of them in the long one."""


@pytest.mark.parametrize("module", NAMED)
def test_a_sample_of_planted_errors_is_caught(module: str) -> None:
    assert try_mutations(module, SAMPLE).survivors == ()


@pytest.mark.long
def test_of_all_planted_errors_nearly_all_are_caught(capsys: pytest.CaptureFixture[str]) -> None:
    tried = {module: try_mutations(module) for module in (*GAMES, *NAMED)}
    count, left = sum(one.count for one in tried.values()), [line for one in tried.values() for line in one.survivors]
    with capsys.disabled():
        print(f"\n{count} errors planted, {count - len(left)} caught")
    assert count >= 200
    assert len(left) <= 0.05 * count, left
