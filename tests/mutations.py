"""Rules broken on purpose, one at a time: each must make a scenario fail.

A game lists its mutations (`tests/games/<game>/mutations.py`) and runs them in a process of its own, interpreted:
with the JIT off a kernel is a plain function whose code can be exchanged in place. Importing this turns it off.
"""

import inspect
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType
from typing import Any

os.environ["NUMBA_DISABLE_JIT"] = "1"

from quadriga import games
from quadriga.core.errors import QuadrigaError
from quadriga.core.scenario import Scenario, read_scenario, run

ROOT = Path(__file__).parents[1]

Mutation = tuple[str, Callable[..., Any], str, str]
"""A rule, a kernel of it, what its source says and what it shall say."""


def changed(function: Callable[..., Any], old: str, new: str) -> Any:
    """The code of a function with its source changed."""
    source = inspect.getsource(function)
    if old not in source:
        raise LookupError(f"{function.__name__} no longer says {old!r}")
    scope = dict(inspect.getmodule(function).__dict__)
    exec(source.replace("@kernel\n", "").replace(old, new), scope)
    return scope[function.__name__].__code__


@contextmanager
def broken(function: Callable[..., Any], old: str, new: str) -> Iterator[None]:
    assert isinstance(function, FunctionType), "the JIT is on"
    code = function.__code__
    function.__code__ = changed(function, old, new)
    try:
        yield
    finally:
        function.__code__ = code


def fails(scenario: Scenario) -> bool:
    """Whether a scenario notices: by a difference, a position that cannot be, or by falling over."""
    try:
        return bool(run(scenario))
    except (QuadrigaError, ArithmeticError, LookupError, ValueError, StopIteration):
        return True


def caught_by(mutation: Mutation, scenarios: dict[str, Scenario]) -> str | None:
    """The first scenario that fails, those of the rule itself first."""
    rule, function, old, new = mutation
    number = rule.split()[0]
    with broken(function, old, new):
        ordered = sorted(scenarios, key=lambda name: (number not in scenarios[name].rules, name))
        return next((name for name in ordered if fails(scenarios[name])), None)


def main(game: str, mutations: list[Mutation]) -> int:
    """Try all mutations of a game; 1 if one is not caught."""
    folder = ROOT / "tests" / "scenarios" / game
    scenarios = {path.stem: read_scenario(path, games.load) for path in sorted(folder.glob("*.toml"))}
    assert not any(map(fails, scenarios.values())), "a scenario fails before anything is broken"
    survivors = 0
    for mutation in mutations:
        rule, function, old, new = mutation
        catcher = caught_by(mutation, scenarios)
        survivors += catcher is None
        print(f"{rule:8}{function.__name__}: {old!r} -> {new!r}: {catcher or 'NOT CAUGHT'}")
    print(f"{len(mutations)} mutations, {survivors} not caught")
    return min(survivors, 1)
