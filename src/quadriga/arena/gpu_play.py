"""Random races on a GPU, with the same keys and the same ends as on the CPU (core/play.py).

Every thread plays one race after another, a step at a time, so that the threads of a warp seldom wait for each other:
those whose race is over take the next one while the others go on.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.core.dispatch import apply, legal, owing, pick_random, sample, sample_listed, setup
from quadriga.core.errors import InvalidOption
from quadriga.core.fields import Row
from quadriga.core.game import Definition, Game
from quadriga.core.gpu import (
    Launch,
    cuda,
    empty,
    gpu_function,
    gpu_kernel,
    is_large,
    tables_on_device,
    to_device,
    workspace,
    zeros,
)
from quadriga.core.kernel import kernel
from quadriga.core.messages import new_log
from quadriga.core.meta import OptionValue
from quadriga.core.play import Codes, Player, lowest_seat
from quadriga.core.streams import WORD, Stream, open_stream, renumber_stream

Keys = NDArray[np.uint32]

WORD_BYTES = 4
FEW_REGISTERS, SHARED_REGISTERS = 32, 40
"""For each thread, so that as many run as a multiprocessor holds: quicker where races are small."""
SHARED_RACE, SHARED_BLOCKS, SHARED_THREADS = 128, 17, 96
"""Bytes of a race up to which the races of all threads fit into the memory on the chip, the blocks that find room in it
beside each other, and threads in such a block."""
LAST = 1 << 40
"""Rounds of a thread's loop: more than there can be."""


@kernel
def begin(race: Any, tables: Any, key: Keys, chooser: Stream, stream: Stream, log: Any, scratch: Codes) -> None:
    """Set a race up that is blank but for its seats and options."""
    open_stream(chooser, key, WORD)
    open_stream(stream, key, 0)
    setup(race, tables, stream, log, scratch)


@kernel
def choose_listed(race: Any, tables: Any, mask: int, chooser: Stream, codes: Codes, out: Codes, scratch: Codes) -> int:
    """A choice of their lists for all seats marked; how many.

    The loop is over those seats alone: threads whose races ask different seats stay together.
    """
    made = 0
    for _ in range(race.seats):
        if mask == 0:
            break
        seat = lowest_seat(mask)
        mask &= mask - 1
        count = legal(race, tables, seat, out, scratch)
        codes[seat] = out[pick_random(race, tables, seat, out, count, chooser)]
        made += 1
    return made


@kernel
def choose_sampled(race: Any, tables: Any, mask: int, chooser: Stream, codes: Codes, out: Codes, scratch: Codes) -> int:
    """A choice sampled without the list for all seats marked; how many."""
    made = 0
    for _ in range(race.seats):
        if mask == 0:
            break
        seat = lowest_seat(mask)
        mask &= mask - 1
        codes[seat] = sample(race, tables, seat, out, chooser, scratch)
        made += 1
    return made


@kernel
def clear_codes(race: Any, codes: Codes) -> None:
    for seat in range(race.seats):
        codes[seat] = 0


@gpu_function
def play_races(slot, races, start, tables, keys, work, outs, log, most_steps, counter, decisions):  # type: ignore[no-untyped-def]
    """Play one race after another, all choices listed at every decision. slot: where a thread keeps its race."""
    number, step, made = 0, 0, 0
    for _ in range(LAST):
        if step == 0:
            number = cuda.atomic.add(counter, 0, 1)
            if number >= races.shape[0]:
                break
            slot[0] = start[0]
            begin(slot[0], tables[0], keys[number], work.streams[0], work.streams[1], log, work.scratch)
        mask = owing(slot[0])
        if mask == 0 or step == most_steps:
            races[number] = slot[0]
            step = 0
        else:
            step += 1
            clear_codes(slot[0], work.codes)
            made += choose_listed(slot[0], tables[0], mask, work.streams[0], work.codes, outs, work.scratch)
            renumber_stream(work.streams[1], step)
            apply(slot[0], tables[0], work.codes, work.streams[1], log, work.scratch)
    cuda.atomic.add(decisions, 0, made)


@gpu_kernel
def play_large(races, slots, rows, start, tables, keys, memory, outs, log, most_steps, counter, decisions):  # type: ignore[no-untyped-def]
    """Play a race for each key; each thread's lies in the GPU's memory."""
    thread, work = cuda.grid(1), cuda.local.array(1, memory.dtype)
    slot = slots[thread : thread + 1]
    play_races(slot, races, start, tables, keys, work[0], outs[thread], log, most_steps, counter, decisions)


def play_in_local(races, slots, rows, start, tables, keys, memory, outs, log, most_steps, counter, decisions):  # type: ignore[no-untyped-def]
    """The same, each thread's race and list beside those of its neighbours: they read the same field of theirs
    together."""
    work, slot = cuda.local.array(1, memory.dtype), cuda.local.array(1, races.dtype)
    play_races(slot, races, start, tables, keys, work[0], work[0].out, log, most_steps, counter, decisions)


def play_in_shared(races, slots, rows, start, tables, keys, memory, outs, log, most_steps, counter, decisions):  # type: ignore[no-untyped-def]
    """The same, each thread's race in the memory on the chip that its block shares."""
    work, shared = cuda.local.array(1, memory.dtype), cuda.shared.array(SHARED_THREADS, rows.dtype)
    slot = shared[cuda.threadIdx.x].race
    play_races(slot, races, start, tables, keys, work[0], work[0].out, log, most_steps, counter, decisions)


play_small, play_smallest = gpu_kernel(play_in_local, FEW_REGISTERS), gpu_kernel(play_in_shared, SHARED_REGISTERS)


@gpu_kernel
def play_sampled(races, slots, rows, start, tables, keys, memory, outs, log, most_steps, counter, decisions):  # type: ignore[no-untyped-def]
    """Play a race for each key, choices sampled without their list."""
    thread, work = cuda.grid(1), cuda.local.array(1, memory.dtype)
    number, step, made = 0, 0, 0
    for _ in range(LAST):
        if step == 0:
            number = cuda.atomic.add(counter, 0, 1)
            if number >= races.shape[0]:
                break
            slots[thread] = start[0]
            begin(slots[thread], tables[0], keys[number], work[0].streams[0], work[0].streams[1], log, work[0].scratch)
        mask = owing(slots[thread])
        if mask == 0 or step == most_steps:
            races[number] = slots[thread]
            step = 0
        else:
            step += 1
            clear_codes(slots[thread], work[0].codes)
            made += choose_sampled(
                slots[thread], tables[0], mask, work[0].streams[0], work[0].codes, outs[thread], work[0].scratch
            )
            renumber_stream(work[0].streams[1], step)
            apply(slots[thread], tables[0], work[0].codes, work[0].streams[1], log, work[0].scratch)
    cuda.atomic.add(decisions, 0, made)


def shared_rows(definition: Definition) -> Any:
    """An array without entries whose dtype is a race with some room behind it: rows of an odd number of words begin in
    different banks of shared memory, so that threads do not wait for each other."""
    words = -(-definition.race.dtype.itemsize // WORD_BYTES)
    room = words * WORD_BYTES - definition.race.dtype.itemsize + WORD_BYTES * (1 if words % 2 == 0 else 2)
    layout = [("race", definition.race.dtype, (1,)), ("room", np.int8, (room,))]
    return to_device(np.zeros(0, np.dtype((Row, np.dtype(layout)))))


class GpuPlayer:
    """Plays random races of one game, number of seats and set of options on the GPU."""

    def __init__(
        self,
        game: Game,
        seats: int,
        options: dict[str, OptionValue],
        most_steps: int = 100_000,
        sampling: bool = False,
    ) -> None:
        if sampling and game.kernels.sample is sample_listed:
            raise InvalidOption(f"{game.meta.title} samples no choices without their list")
        self.game, self.most_steps, self._kernel = game, most_steps, _kernel_for(game, sampling)
        self._shape = (SHARED_BLOCKS, SHARED_THREADS) if self._kernel is play_smallest else None
        self._uses_rows = self._kernel in (play_large, play_sampled)
        """Whether races and lists lie in rows of global memory, one for each thread; else in local or shared memory."""
        self._start = to_device(Player(game, seats, options).start)
        self._tables, self._memory = tables_on_device(game), workspace(game.definition, not self._uses_rows)
        self._log = to_device(new_log(0))
        self._outs = zeros((0, game.definition.most_choices), np.int64)
        self._slots = zeros(0, game.definition.race.dtype)
        self._rows = shared_rows(game.definition)

    def play_keys(self, keys: Keys) -> tuple[NDArray[Any], int]:
        """Play a race for each key; the end of each, and all decisions made."""
        races, decisions = self.play_on_device(to_device(keys))
        ends = self.game.definition.race.blanks(len(keys))
        races.copy_to_host(ends)
        return ends, decisions

    def play_on_device(self, keys: Any) -> tuple[Any, int]:
        """The same with keys and races that stay in the GPU's memory."""
        definition, count = self.game.definition, keys.shape[0]
        launch = Launch.of(definition, count, self._shape)
        if self._uses_rows and self._outs.shape[0] < launch.total:
            self._outs = zeros((launch.total, definition.most_choices), np.int64)
            self._slots = zeros(launch.total, definition.race.dtype)
        races = empty(count, definition.race.dtype)
        counter, decisions = zeros(1, np.int64), zeros(1, np.int64)
        launch.run(
            self._kernel, races, self._slots, self._rows, self._start, self._tables, keys, self._memory, self._outs,
            self._log, self.most_steps, counter, decisions,
        )  # fmt: skip
        return races, int(decisions.copy_to_host()[0])


def _kernel_for(game: Game, sampling: bool) -> Any:
    if sampling:
        return play_sampled
    if is_large(game.definition):
        return play_large
    return play_small if game.definition.race.dtype.itemsize > SHARED_RACE else play_smallest
