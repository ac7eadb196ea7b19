"""The search for the highest rate: what it tries and when it ends."""

import asyncio

import pytest

from quadriga.loadtest.search import STEP, find_highest_rate


def search(limit: float, trials: int = 8) -> tuple[float, list[float]]:
    """What is found of a server that takes rates up to a limit, and the rates that were tried."""
    tried = []

    async def run(rate: float, seconds: float, seed: int) -> dict[str, float]:
        tried.append(rate)
        return {"p99_ms": 20.0 if rate <= limit else 80.0, "missed": 0, "unanswered": 0}

    return asyncio.run(find_highest_rate(run, 1.0, trials))["rate"], tried


@pytest.mark.parametrize("limit", [90.0, 430.0, 1000.0, 1370.0])
def test_the_highest_rate_is_found(limit: float) -> None:
    found, tried = search(limit)
    assert limit - STEP <= found <= limit
    assert tried[0] == 1000.0


def test_so_many_trials_are_made_and_no_more() -> None:
    assert search(430.0, trials=3)[1] == [1000.0, 500.0, 250.0]
    assert search(0.0)[0] == 0.0


@pytest.mark.parametrize("what", ["missed", "unanswered"])
def test_a_rate_at_which_something_is_missed_is_not_taken(what: str) -> None:
    async def run(rate: float, seconds: float, seed: int) -> dict[str, float]:
        return {"p99_ms": 1.0, "missed": 0, "unanswered": 0} | {what: 1}

    assert asyncio.run(find_highest_rate(run, 1.0))["rate"] == 0.0
