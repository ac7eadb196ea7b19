"""Quick levels inside kernels: choice by choice what the bots themselves would choose."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.evaluation import BRAWLER, DAREDEVIL, GREEDY, SAVER, VETERAN
from quadriga.bots.levels import TIES
from quadriga.bots.playouts import complete_choice, pick
from quadriga.core.dispatch import imagine, observe, pick_random
from quadriga.core.kernel import kernel
from quadriga.core.streams import Stream

Codes = NDArray[np.int64]

WANDERER, NOVICE = -2, -1
LEVELS = {
    "wanderer": WANDERER, "novice": NOVICE, "greedy": GREEDY,
    "saver": SAVER, "brawler": BRAWLER, "daredevil": DAREDEVIL, "veteran": VETERAN,
}  # fmt: skip
"""Bots that play inside kernels, by the number under which they do."""
BLANK, IMAGINED = range(2)


@kernel
def imagine_race(spare: Any, views: Any, tables: Any, stream: Stream, scratch: Codes) -> None:
    """A race that could lie behind the view."""
    spare[IMAGINED] = spare[BLANK]
    imagine(views[1], tables, stream, spare[IMAGINED], scratch)


@kernel
def look(race: Any, spare: Any, views: Any, tables: Any, seat: int, stream: Stream, scratch: Codes) -> None:
    """What a seat sees, and a race that could lie behind it."""
    views[1] = views[0]
    observe(race, tables, seat, views[1])
    imagine_race(spare, views, tables, stream, scratch)


@kernel
def choose_by_level(
    spare: Any,
    views: Any,
    tables: Any,
    work: Any,
    seat: int,
    level: int,
    noise: int,
    n: int,
    stream: Stream,
    out: Codes,
    scores: Codes,
    scratch: Codes,
) -> int:
    """The code whose score is the highest in the imagined race, give or take the noise; the veteran completes it."""
    code = int(out[pick(spare[IMAGINED], tables, work, seat, level, out, n, noise, stream, scores, scratch)])
    if level != VETERAN:
        return code
    imagine_race(spare, views, tables, stream, scratch)
    return complete_choice(spare[IMAGINED], tables, work, seat, code, scratch)


@kernel
def think(
    race: Any,
    spare: Any,
    views: Any,
    tables: Any,
    work: Any,
    seat: int,
    level: int,
    n: int,
    stream: Stream,
    out: Codes,
    seen: Codes,
    scores: Codes,
    scratch: Codes,
) -> int:
    """The code that a level chooses of the n in `out`; it sees a view and nothing else.

    spare: a blank race, and room for one that is imagined. views: a blank one, and room for one.
    """
    if n == 1:
        return int(out[0])
    look(race, spare, views, tables, seat, stream, scratch)
    if level == WANDERER:
        return int(out[pick_random(spare[IMAGINED], tables, seat, out, n, stream)])
    if level != NOVICE:
        return choose_by_level(spare, views, tables, work, seat, level, TIES, n, stream, out, scores, scratch)
    novice_choices = seen.shape[0]
    for i in range(novice_choices):
        seen[i] = out[pick_random(spare[IMAGINED], tables, seat, out, n, stream)]
    imagine_race(spare, views, tables, stream, scratch)
    return int(
        seen[pick(spare[IMAGINED], tables, work, seat, GREEDY, seen, novice_choices, TIES, stream, scores, scratch)]
    )
