"""Errors planted on purpose, one at a time: each must make a test fail that states the rule.

A list of mutations (`mutations.py` of a game, of core and of the server) runs in a process of its own, interpreted:
with the JIT off a kernel is a plain function whose code can be exchanged in place. Importing this turns the JIT off.
"""

import ast
import contextlib
import inspect
import io
import os
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

os.environ["NUMBA_DISABLE_JIT"] = "1"

import pytest

from quadriga import games
from quadriga.core.errors import QuadrigaError
from quadriga.core.scenario import Scenario, read_scenario, run

ROOT = Path(__file__).parents[1]

Mutation = tuple[str, Callable[..., Any], str, str]
"""A rule, a function of it, what its source says and what it shall say; scenarios that name the rule must fail."""
Planted = tuple[str, str, str, str, str]
"""The same with a rule in words, the function by name, and the test that must fail, as pytest names it."""


# ---------------------------------------------------------------- a function with other code


def find(name: str, modules: Sequence[ModuleType]) -> FunctionType:
    """The function, method or property called `clear`, `Match.line`, `setup.setup` or `chariots.setup.setup`."""
    owner, _, rest = name.partition(".")
    for module in modules:
        folder, _, own = module.__name__.rpartition(".")
        if folder.endswith(f".{owner}") and rest.startswith(f"{own}."):
            return find(rest, [module])
        if own == owner and rest:
            return find(rest, [module])
        if hasattr(module, owner):
            found: Any = getattr(module, owner)
            for part in rest.split(".") if rest else ():
                found = inspect.getattr_static(found, part)
            return _function(found)
    raise LookupError(f"no module has {name!r}")


def _function(found: Any) -> FunctionType:
    for inner in ("fget", "func", "__func__", "__wrapped__"):
        found = getattr(found, inner, None) or found
    assert isinstance(found, FunctionType), f"{found!r} has no code to exchange: is the JIT on?"
    return found


def changed(function: FunctionType, old: str, new: str) -> CodeType:
    """The code of a function with its source changed; decorators stay as they are."""
    source = textwrap.dedent(inspect.getsource(function))
    if source.count(old) == 0:
        raise LookupError(f"{function.__qualname__} no longer says {old!r}")
    tree = ast.parse(source.replace(old, new))
    (definition,) = tree.body
    assert isinstance(definition, ast.FunctionDef | ast.AsyncFunctionDef)
    definition.decorator_list = []
    constants = compile(tree, f"<{function.__qualname__}, mutated>", "exec").co_consts
    return next(c for c in constants if isinstance(c, CodeType) and c.co_name == function.__name__)


@contextmanager
def broken(function: Callable[..., Any], old: str, new: str) -> Iterator[None]:
    function = _function(function)
    code = function.__code__
    function.__code__ = changed(function, old, new)
    try:
        yield
    finally:
        function.__code__ = code


# ---------------------------------------------------------------- caught by a scenario of the rule


def fails(scenario: Scenario) -> bool:
    """Whether a scenario notices: by a difference, a position that cannot be, or by falling over."""
    try:
        return bool(run(scenario))
    except (QuadrigaError, ArithmeticError, LookupError, ValueError, StopIteration):
        return True


def caught_by(mutation: Mutation, scenarios: dict[str, Scenario]) -> str | None:
    """The first scenario of the rule that fails."""
    rule, function, old, new = mutation
    stating = [name for name in sorted(scenarios) if rule.split()[0] in scenarios[name].rules]
    with broken(function, old, new):
        return next((name for name in stating if fails(scenarios[name])), None)


def read_scenarios(game: str) -> dict[str, Scenario]:
    """The scenarios of a game by the names of their files; all of them pass."""
    folder = ROOT / "tests" / "scenarios" / game
    scenarios = {path.stem: read_scenario(path, games.load) for path in sorted(folder.glob("*.toml"))}
    assert not any(map(fails, scenarios.values())), "a scenario fails before anything is broken"
    return scenarios


# ---------------------------------------------------------------- caught by a test that is named


@dataclass(frozen=True)
class Outcome:
    """What pytest said."""

    code: int
    output: str


def run_test(test: str) -> Outcome:
    """Run a test of pytest in this process; tests/ stands before its name."""
    with contextlib.redirect_stdout(io.StringIO()) as output, contextlib.redirect_stderr(io.StringIO()):
        code = pytest.main(["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "addopts=", f"tests/{test}"])
    return Outcome(int(code), output.getvalue())


def catches(planted: Planted, modules: Sequence[ModuleType]) -> bool:
    """Whether the named test fails with the error, and passes without it."""
    rule, name, old, new, test = planted
    with broken(find(name, modules), old, new):
        with_error = run_test(test)
    assert with_error.code in (0, 1), f"{rule}: {test} did not run:\n{with_error.output}"
    return with_error.code == 1


def require_current(planted: list[Planted], modules: Sequence[ModuleType]) -> None:
    """Fail with all mutations whose source has changed since they were written."""
    stale = []
    for _, name, old, new, _ in planted:
        try:
            changed(find(name, modules), old, new)
        except LookupError as error:
            stale.append(str(error))
    assert not stale, "adapt these mutations to the source: " + "; ".join(stale)


# ---------------------------------------------------------------- reports


def report(lines: list[tuple[str, str | None]]) -> int:
    """Print a line for each mutation with the test that caught it; 1 if one was not caught."""
    for what, catcher in lines:
        print(f"{what}: {catcher or 'NOT CAUGHT'}")
    survivors = sum(catcher is None for _, catcher in lines)
    print(f"{len(lines)} mutations, {survivors} not caught")
    return min(survivors, 1)


def main(game: str, mutations: list[Mutation]) -> int:
    """Try all mutations of a game's rules against its scenarios."""
    scenarios = read_scenarios(game)
    lines = [
        (f"{m[0]:8}{_function(m[1]).__qualname__}: {m[2]!r} -> {m[3]!r}", caught_by(m, scenarios)) for m in mutations
    ]
    return report(lines)


def main_planted(planted: list[Planted], modules: Sequence[ModuleType], every: int = 1) -> int:
    """Try errors whose tests are named; one in `every` of them."""
    require_current(planted, modules)
    for test in sorted({one[4] for one in planted[::every]}):
        assert run_test(test).code == 0, f"{test} fails before anything is broken"
    lines = []
    for one in planted[::every]:
        rule, name, old, new, test = one
        lines.append((f"{rule}: {name}: {old!r} -> {new!r}", test if catches(one, modules) else None))
    return report(lines)


def step_of(arguments: list[str] | None = None) -> int:
    """One mutation in so many is tried: the number on the command line, 1 without one."""
    given = sys.argv[1:] if arguments is None else arguments
    return int(given[0]) if given else 1
