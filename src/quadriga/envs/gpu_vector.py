"""Many races at once on a GPU: the environment of `vector.py`, with arrays that stay in the GPU's memory."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.core.dlpack import CUDA, capsule
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game
from quadriga.core.gpu import (
    Launch,
    cuda,
    empty,
    gpu_kernel,
    require_gpu,
    tables_on_device,
    to_device,
    workspace,
    zeros,
)
from quadriga.core.kernel import SIMULATED
from quadriga.core.messages import new_log
from quadriga.core.streams import open_stream, stream_key
from quadriga.envs.stepping import any_ids, step_races
from quadriga.envs.vector import VectorEnv, fresh_askings, require_races


class GpuArray:
    """An array in the GPU's memory, for PyTorch, JAX and CuPy: by `__cuda_array_interface__` and by DLPack."""

    def __init__(self, memory: Any) -> None:
        self.memory = memory
        """Numba's array."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Its sizes."""
        return tuple(self.memory.shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of its numbers."""
        return np.dtype(self.memory.dtype)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return dict(self.memory.__cuda_array_interface__)

    def __dlpack_device__(self) -> tuple[int, int]:
        return CUDA, 0 if SIMULATED else int(cuda.get_current_device().id)

    def __dlpack__(self, **_: Any) -> Any:
        """Every step ends before it returns, so that no stream need wait."""
        address = int(self.__cuda_array_interface__["data"][0])
        return capsule(self.memory, address, self.shape, self.dtype, self.__dlpack_device__())

    def copy_to_host(self) -> NDArray[Any]:
        """A copy for NumPy."""
        copied: NDArray[Any] = self.memory.copy_to_host()
        return copied


@dataclass(frozen=True)
class GpuArrays:
    """What is written at every step, a row for each race, as `Arrays` has it."""

    observations: GpuArray
    masks: GpuArray
    rewards: GpuArray
    over: GpuArray


@gpu_kernel
def step_on_gpu(  # type: ignore[no-untyped-def]
    races, start, tables, askings, chains, trails, places, ids, fresh, again, rewarding, memory, views, log, outs,
    observations, masks, rewards, over, asked,
):  # fmt: skip
    """One id for every race, as `step_races` does it for one after the other."""
    thread, work = cuda.grid(1), cuda.local.array(1, memory.dtype)
    for i in range(thread, races.shape[0], cuda.gridsize(1)):
        j = i + 1
        step_races(
            races[i:j], start, tables[0], askings[i:j], chains[i:j], trails[i:j], places[i:j], ids[i:j], fresh, again,
            rewarding, work[0].streams[0], views[thread], log, outs[thread], work[0].scratch,
            observations[i:j], masks[i:j], rewards[i:j], over[i:j],
        )  # fmt: skip
        asked[i] = askings[i].asked


@gpu_kernel
def choose_any(askings, keys, number, memory, ids):  # type: ignore[no-untyped-def]
    """A random id of those offered, each race by a stream of its own."""
    work = cuda.local.array(1, memory.dtype)
    for i in range(cuda.grid(1), ids.shape[0], cuda.gridsize(1)):
        open_stream(work[0].streams[0], keys[i], number)
        any_ids(askings[i : i + 1], work[0].streams[0], ids[i : i + 1])


class GpuVectorEnv:
    """Races on the GPU; the same seed and ids give the same races and arrays as `VectorEnv` does.

    `asked` and `arrays` are written at every step. Ids come from any library that shares GPU memory, or from NumPy.
    """

    def __init__(
        self,
        game: str | Game,
        races: int,
        seats: int,
        options: Mapping[str, object] | None = None,
        seed: int = 0,
        again: bool = True,
        reward: str = "places",
    ) -> None:
        require_races(races)
        require_gpu()
        host = VectorEnv(game, 1, seats, options, seed, again, reward=reward)
        self.rewarding = host.rewarding
        self.game, self.learnable, self.seats, self.again = host.game, host.learnable, seats, again
        definition = self.game.definition
        self.seed, self._resets, self._draws, self._count = seed, 0, 0, races
        self._launch = Launch.of(definition, races)
        self._askings: Any = None
        self._chooser_keys: Any = None
        self.races = empty(races, definition.race.dtype)
        self._start, self._tables = to_device(host.start), tables_on_device(self.game)
        self._memory, self._log = workspace(definition), to_device(new_log(0))
        self._chains, self._trails, self._places = (zeros((races, seats), np.int64) for _ in range(3))
        self._views = zeros((self._launch.total, 1), definition.view.dtype)
        self._outs = empty((self._launch.total, definition.most_choices), np.int64)
        self._ids = zeros(races, np.int64)
        self.asked = GpuArray(zeros(races, np.int64))
        self.arrays = GpuArrays(
            GpuArray(zeros((races, self.learnable.observation_count), np.float32)),
            GpuArray(zeros((races, self.learnable.id_count), np.int8)),
            GpuArray(zeros((races, seats), np.float32)),
            GpuArray(zeros(races, np.bool_)),
        )
        self.reset(seed)

    @property
    def places(self) -> GpuArray:
        """The places of the race that ended last in each row."""
        return GpuArray(self._places)

    def reset(self, seed: int | None = None) -> GpuArrays:
        """Begin every race anew: the same races for the same seed, without one others at every call."""
        self._resets = self._resets + 1 if seed is None else 0
        self.seed, self._draws = self.seed if seed is None else seed, 0
        askings = fresh_askings(self._count, stream_key(f"{self.seed} {self._resets}".encode()))
        self._askings = to_device(askings)
        keys = np.ascontiguousarray(askings["key"])
        keys[:, 7] = stream_key(b"ids")[0]
        self._chooser_keys = to_device(keys)
        self._places = zeros((self._count, self.seats), np.int64)
        return self._step(self._ids, fresh=True)

    def step(self, ids: Any) -> GpuArrays:
        """Give every race the id that its seat chooses; one that is not offered forfeits the race."""
        return self._step(self._on_device(ids), fresh=False)

    def _on_device(self, ids: Any) -> Any:
        ids = getattr(ids, "memory", ids)
        if not hasattr(ids, "__cuda_array_interface__") and not SIMULATED:
            ids = to_device(np.ascontiguousarray(ids, np.int64))
        found = cuda.as_cuda_array(ids) if not SIMULATED else to_device(np.asarray(getattr(ids, "_ary", ids), np.int64))
        if tuple(found.shape) != (self._count,) or found.dtype != np.int64:
            raise InvalidOption(f"ids must be {self._count} numbers of int64, not {found.dtype}, {tuple(found.shape)}")
        return found

    def _step(self, ids: Any, fresh: bool) -> GpuArrays:
        a = self.arrays
        self._launch.run(
            step_on_gpu, self.races, self._start, self._tables, self._askings, self._chains, self._trails,
            self._places, ids, fresh, self.again, self.rewarding, self._memory, self._views, self._log, self._outs,
            a.observations.memory, a.masks.memory, a.rewards.memory, a.over.memory, self.asked.memory,
        )  # fmt: skip
        return a

    def random_ids(self) -> GpuArray:
        """An id for every race, each that is offered as likely as any other."""
        self._draws += 1
        self._launch.run(choose_any, self._askings, self._chooser_keys, self._draws, self._memory, self._ids)
        return GpuArray(self._ids)
