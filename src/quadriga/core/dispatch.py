"""How kernels that know no game reach a game's kernels: by the type of its record.

A layer keeps one `Registry` of what games bring for it, and declares a function for each kernel in it. Interpreted,
such a function looks the game up by the record's dtype; compiled, Numba does so once, while compiling. (A kernel made
in a factory around the game's functions would never be found in the disk cache.)
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Generic, TypeVar

import numpy as np
from numba.extending import overload
from numba.np import numpy_support

from quadriga.core.kernel import kernel

F = TypeVar("F", bound=Callable[..., Any])
PlugIn = TypeVar("PlugIn")


class Registry(Generic[PlugIn]):
    """What games bring for a layer, by the dtypes of their records."""

    def __init__(self) -> None:
        self._by_dtype: dict[np.dtype[Any], PlugIn] = {}

    def add(self, plug_in: PlugIn, *dtypes: np.dtype[Any]) -> None:
        """Register what a game brings under the dtypes of its records."""
        for dtype in dtypes:
            self._by_dtype[dtype] = plug_in

    def find(self, record: Any) -> PlugIn:
        """What the game of a record brings: given a record, an array of records, or the Numba type of either."""
        kind = getattr(record, "dtype", record)
        return self._by_dtype[kind if isinstance(kind, np.dtype) else numpy_support.as_dtype(kind)]

    def kernel(self, declared: F) -> F:
        """A function that calls the game's kernel of the same name; its first argument says which game's."""
        name = declared.__name__

        @wraps(declared)
        def call(*arguments: Any) -> Any:
            return getattr(self.find(arguments[0]), name)(*arguments)

        overload(call)(lambda *arguments: _caller(getattr(self.find(arguments[0]), name)))
        return call  # type: ignore[return-value]


def _caller(game: Callable[..., Any]) -> Callable[..., Any]:
    """What Numba compiles for a call: a function with the parameters of the one that chose it, and no types."""
    return lambda *arguments: game(*arguments)  # noqa: PLW0108


RULES: "Registry[Kernels]" = Registry()


@RULES.kernel
def setup(race: Any, tables: Any, stream: Any, log: Any, scratch: Any) -> Any:
    """Set up a race that is blank but for its seats and options."""


@RULES.kernel
def owing(race: Any) -> Any:
    """The seats that owe a choice, a bit for each."""


@RULES.kernel
def legal(race: Any, tables: Any, seat: int, out: Any, scratch: Any) -> Any:
    """List the codes of a seat's choices in `out`; how many."""


@RULES.kernel
def refusal(race: Any, tables: Any, seat: int, code: int, why: Any, scratch: Any) -> Any:
    """The number of the reason why a seat may not choose this, 0 if it may."""


@RULES.kernel
def apply(race: Any, tables: Any, codes: Any, stream: Any, log: Any, scratch: Any) -> Any:
    """Play the choices of all seats that owe one."""


@RULES.kernel
def observe(race: Any, tables: Any, seat: int, view: Any) -> Any:
    """Write what a seat sees."""


@RULES.kernel
def imagine(view: Any, tables: Any, stream: Any, race: Any, scratch: Any) -> Any:
    """Write a race that could lie behind a view."""


@RULES.kernel
def standings(race: Any, tables: Any, places: Any) -> Any:
    """Write the place of each seat; the number of the reason why the race ended, 0 while it goes on."""


@RULES.kernel
def check(race: Any, tables: Any, scratch: Any) -> Any:
    """The number of the invariant that does not hold, 0 if all do."""


@RULES.kernel
def pick_random(race: Any, tables: Any, seat: int, codes: Any, n: int, stream: Any) -> Any:
    """The index of the choice that random play makes of n codes."""


@RULES.kernel
def sample(race: Any, tables: Any, seat: int, out: Any, stream: Any, scratch: Any) -> Any:
    """The code that random play chooses."""


@kernel
def sample_listed(race: Any, tables: Any, seat: int, out: Any, stream: Any, scratch: Any) -> int:
    """The code that random play chooses from the whole list, for games that have no quicker way."""
    return int(out[pick_random(race, tables, seat, out, legal(race, tables, seat, out, scratch), stream)])


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
    pick_random: Callable[..., int]
    settle: Callable[..., Any] | None = None
    sample: Callable[..., int] = sample_listed
    """Random play; a game that can choose without its whole list brings a kernel of its own."""
