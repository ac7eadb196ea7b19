"""The GPU: CUDA kernels that call the rules, the memory of their threads, and one clear line where there is no GPU.

`@kernel` functions need nothing of their own for it: Numba compiles them for the GPU when a CUDA kernel calls them.
"""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from quadriga.core.errors import InvalidOption
from quadriga.core.fields import Row
from quadriga.core.game import Definition, Game
from quadriga.core.kernel import SIMULATED, cache_folder, part_of
from quadriga.core.streams import Stream

if not hasattr(np, "row_stack"):  # NumPy 2.5 dropped the name, which numba-cuda looks up when it is imported
    np.row_stack = np.vstack

try:
    from numba import cuda as cuda  # noqa: PLC0414 (others import it from here)
except ImportError:
    raise InvalidOption("races on a GPU need numba-cuda: pip install 'quadriga[gpu]'") from None

LARGE_RACE = 1024
"""Bytes of a race from which on fewer threads run at a time, so that what they use stays in the caches."""
SPREAD, CROWDED = (4, 32), (16, 128)
"""Blocks for each multiprocessor and threads in a block, for large races and for others: measured on an H200."""
SIMULATED_THREADS = (2, 2)
CODE_BITS = 32
"""From so many bits on codes of choices do not fit into 32 bits with a sign."""


def require_gpu() -> None:
    """Raise InvalidOption with one line that says why there is no GPU to use."""
    if SIMULATED:
        return
    try:
        cuda.current_context()
    except Exception as error:  # the driver's errors have no base class of their own in all versions
        reason = " ".join(str(error).split()).partition(". ")[0] or type(error).__name__
        raise InvalidOption(f"there is no GPU to use: {reason[:200]}") from None


def device_name() -> str:
    """The name of the GPU."""
    require_gpu()
    if SIMULATED:
        return "CUDA simulator"
    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


def gpu_kernel(function: Callable[..., None], registers: int | None = None) -> Any:
    """Compile a function that is launched on the GPU, with at most so many registers for a thread.

    Compiled code is cached beside that of other kernels, by the number of registers, which Numba does not look at.
    """
    if SIMULATED:
        return cuda.jit(function)
    folder = cache_folder(part_of(function.__module__))
    _cache_config().CACHE_DIR = str(folder / f"registers-{registers}" if registers else folder)
    return cuda.jit(cache=True, max_registers=registers)(function)


def gpu_function(function: Callable[..., None]) -> Any:
    """Compile a function that kernels call on the GPU alone."""
    return cuda.jit(device=True)(function)


def is_large(definition: Definition) -> bool:
    """Whether races are so large that fewer threads, with more registers each, are quicker."""
    return definition.race.dtype.itemsize > LARGE_RACE


def _cache_config() -> Any:
    """The settings that hold the cache's folder: numba-cuda has its own."""
    try:
        from numba.cuda.core import config
    except ImportError:
        return numba.core.config
    return config


@dataclass(frozen=True)
class Launch:
    """How many threads run at a time."""

    blocks: int
    threads: int

    @property
    def total(self) -> int:
        """All threads."""
        return self.blocks * self.threads

    @classmethod
    def of(cls, definition: Definition, most: int, shape: tuple[int, int] | None = None) -> "Launch":
        """The threads that suit a game, at most so many. shape: other blocks for each multiprocessor and threads."""
        blocks, threads = shape or (SPREAD if is_large(definition) else CROWDED)
        if SIMULATED:
            return cls(*SIMULATED_THREADS)
        require_gpu()
        blocks *= cuda.get_current_device().MULTIPROCESSOR_COUNT
        return cls(max(1, min(blocks, -(-most // threads))), threads)

    def run(self, kernel: Any, *arguments: Any) -> None:
        """Launch a kernel and wait for it."""
        with warnings.catch_warnings(), enough_memory(""):
            warnings.simplefilter("ignore")  # a launch of few threads is slow, and meant
            kernel[self.blocks, self.threads](*arguments)
            cuda.synchronize()


def workspace(definition: Definition, with_list: bool = False) -> Any:
    """An array without entries whose dtype is the memory a thread needs besides its race; on request with its list of
    choices."""
    layout: list[tuple[str, Any, tuple[int, ...]]] = [
        ("streams", Stream.dtype, (2,)),
        ("codes", np.int64, (definition.meta.seats[-1],)),
        ("scratch", np.int64, (definition.scratch,)),
    ]
    if with_list:
        layout.append(("out", code_type(definition), (definition.most_choices,)))
    return to_device(np.zeros(0, np.dtype((Row, np.dtype(layout, align=True)))))


def code_type(definition: Definition) -> Any:
    """The smaller type of whole numbers that holds all codes of choices."""
    return np.int32 if max(action.bits() for action in definition.actions) < CODE_BITS else np.int64


def to_device(array: NDArray[Any]) -> Any:
    """The array in the GPU's memory."""
    require_gpu()
    room = _allocate(array.shape, array.dtype)
    if array.size:
        room.copy_to_device(array)
    return room


def _allocate(shape: int | tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """Room in the GPU's memory, or InvalidOption where that is too small."""
    with enough_memory(f" for {int(np.prod(shape)) * dtype.itemsize / 1e9:.1f} GB more"):
        return cuda.device_array(shape, dtype)


@contextmanager
def enough_memory(needed: str) -> Iterator[None]:
    """Raise InvalidOption with one line where the GPU's memory is too small. needed: for what, if that is known."""
    try:
        yield
    except Exception as error:  # Numba's and the driver's have no base class in common
        if isinstance(error, MemoryError) or "OUT_OF_MEMORY" in str(error).upper():
            raise InvalidOption(f"the GPU's memory is too small{needed}: run fewer") from None
        raise


def zeros(shape: int | tuple[int, ...], dtype: Any) -> Any:
    """Zeros in the GPU's memory."""
    return to_device(np.zeros(shape, dtype))


def empty(shape: int | tuple[int, ...], dtype: Any) -> Any:
    """Room in the GPU's memory. (Zeros in the simulator, whose copies leave the gaps between fields as they are.)"""
    return zeros(shape, dtype) if SIMULATED else _allocate(shape, np.dtype(dtype))


def tables_on_device(game: Game) -> Any:
    """A game's component tables in the GPU's memory."""
    tables = game.definition.tables.blanks(1)
    tables[0] = game.tables
    return to_device(tables)
