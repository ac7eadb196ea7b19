"""How kernels that know no game reach a game's rules: by the type of its record.

The functions below are stubs. Interpreted, they look the game up by the record's dtype; compiled, Numba does so once,
while compiling. (A kernel made in a factory around the game's functions would never be found in the disk cache.)
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba.extending import overload
from numba.np import numpy_support


@dataclass(frozen=True)
class Kernels:
    """The rules of one game; docs/decisions/0001-contract.md says what each one does."""

    setup: Callable[..., Any]
    owing: Callable[..., int]
    legal: Callable[..., int]
    refusal: Callable[..., int]
    apply: Callable[..., Any]
    observe: Callable[..., Any]
    imagine: Callable[..., Any]
    standings: Callable[..., int]
    check: Callable[..., int]
    wander: Callable[..., int]
    settle: Callable[..., Any] | None = None
    sample: Callable[..., int] | None = None


_BY_DTYPE: dict[np.dtype[Any], Kernels] = {}


def register(race: np.dtype[Any], view: np.dtype[Any], kernels: Kernels) -> None:
    """Make a game's rules known under the dtypes of its state and view."""
    _BY_DTYPE[race] = _BY_DTYPE[view] = kernels


def _rules(record: Any) -> Kernels:
    """The rules of a record's game: given the record itself, or the Numba type of it."""
    dtype = record.dtype if hasattr(record, "dtype") else numpy_support.as_dtype(record)
    if dtype in _BY_DTYPE:
        return _BY_DTYPE[dtype]
    return next(kernels for known, kernels in _BY_DTYPE.items() if known.names == dtype.names)


def setup(race: Any, tables: Any, stream: Any, log: Any, scratch: Any) -> Any:
    return _rules(race).setup(race, tables, stream, log, scratch)


def owing(race: Any) -> Any:
    return _rules(race).owing(race)


def legal(race: Any, tables: Any, seat: int, out: Any, scratch: Any) -> Any:
    return _rules(race).legal(race, tables, seat, out, scratch)


def refusal(race: Any, tables: Any, seat: int, code: int, why: Any, scratch: Any) -> Any:
    return _rules(race).refusal(race, tables, seat, code, why, scratch)


def apply(race: Any, tables: Any, codes: Any, stream: Any, log: Any, scratch: Any) -> Any:
    return _rules(race).apply(race, tables, codes, stream, log, scratch)


def observe(race: Any, tables: Any, seat: int, view: Any) -> Any:
    return _rules(race).observe(race, tables, seat, view)


def imagine(view: Any, tables: Any, stream: Any, race: Any, scratch: Any) -> Any:
    return _rules(view).imagine(view, tables, stream, race, scratch)


def standings(race: Any, tables: Any, places: Any) -> Any:
    return _rules(race).standings(race, tables, places)


def check(race: Any, tables: Any, scratch: Any) -> Any:
    return _rules(race).check(race, tables, scratch)


def wander(race: Any, tables: Any, seat: int, codes: Any, n: int, stream: Any) -> Any:
    return _rules(race).wander(race, tables, seat, codes, n, stream)


def sample(race: Any, tables: Any, seat: int, out: Any, stream: Any, scratch: Any) -> Any:
    game = _rules(race).sample
    assert game is not None
    return game(race, tables, seat, out, stream, scratch)


# Numba compares these signatures with those of the functions they return, so they bear no types.


@overload(setup)
def _setup(race, tables, stream, log, scratch):
    game = _rules(race).setup
    return lambda race, tables, stream, log, scratch: game(race, tables, stream, log, scratch)


@overload(owing)
def _owing(race):
    game = _rules(race).owing
    return lambda race: game(race)


@overload(legal)
def _legal(race, tables, seat, out, scratch):
    game = _rules(race).legal
    return lambda race, tables, seat, out, scratch: game(race, tables, seat, out, scratch)


@overload(refusal)
def _refusal(race, tables, seat, code, why, scratch):
    game = _rules(race).refusal
    return lambda race, tables, seat, code, why, scratch: game(race, tables, seat, code, why, scratch)


@overload(apply)
def _apply(race, tables, codes, stream, log, scratch):
    game = _rules(race).apply
    return lambda race, tables, codes, stream, log, scratch: game(race, tables, codes, stream, log, scratch)


@overload(observe)
def _observe(race, tables, seat, view):
    game = _rules(race).observe
    return lambda race, tables, seat, view: game(race, tables, seat, view)


@overload(imagine)
def _imagine(view, tables, stream, race, scratch):
    game = _rules(view).imagine
    return lambda view, tables, stream, race, scratch: game(view, tables, stream, race, scratch)


@overload(standings)
def _standings(race, tables, places):
    game = _rules(race).standings
    return lambda race, tables, places: game(race, tables, places)


@overload(check)
def _check(race, tables, scratch):
    game = _rules(race).check
    return lambda race, tables, scratch: game(race, tables, scratch)


@overload(wander)
def _wander(race, tables, seat, codes, n, stream):
    game = _rules(race).wander
    return lambda race, tables, seat, codes, n, stream: game(race, tables, seat, codes, n, stream)


@overload(sample)
def _sample(race, tables, seat, out, stream, scratch):
    game: Any = _rules(race).sample
    return lambda race, tables, seat, out, stream, scratch: game(race, tables, seat, out, stream, scratch)
