"""Random play by chains of small choices, in kernels: resets and discards included, which random play leaves out."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.core.chain import MOST_IDS, is_finished
from quadriga.core.kernel import kernel
from quadriga.core.streams import WORD, Stream, draw, open_stream
from quadriga.games.charioteer.actions import discard_token_of
from quadriga.games.charioteer.chain import link, links
from quadriga.games.charioteer.choices import owing
from quadriga.games.charioteer.components import Tables
from quadriga.games.charioteer.invariants import check
from quadriga.games.charioteer.refusals import refusal
from quadriga.games.charioteer.setup import setup
from quadriga.games.charioteer.state import FINISHED, Ints, Log, Race
from quadriga.games.charioteer.turn import apply

BROKEN, REFUSED, UNFINISHED, DECISIONS, LINKS, DISCARDS = 0, 1, 2, 3, 4, 5
MOST_LINKS, MOST_TURNS = 16, 600


@kernel
def any_of(offered: int, chooser: Stream) -> int:
    """One of the ids offered, each as likely."""
    count = 0
    for i in range(MOST_IDS):
        count += offered >> i & 1
    skip = draw(chooser, count)
    for i in range(MOST_IDS):
        skip -= offered >> i & 1
        if skip < 0:
            return i
    return -1


@kernel
def chain_up(race: Race, tables: Tables, seat: int, chooser: Stream, out: Ints, scratch: Ints, figures: Ints) -> int:
    """A whole choice, link by link."""
    chain = 0
    for _ in range(MOST_LINKS):
        if is_finished(chain):
            break
        choice = any_of(links(race, tables, seat, chain, out, scratch), chooser)
        chain = link(race, tables, seat, chain, choice, out, scratch)
        figures[LINKS] += 1
    figures[DECISIONS] += 1
    figures[DISCARDS] += discard_token_of(chain) >= 0
    figures[REFUSED] += not is_finished(chain) or refusal(race, tables, seat, chain, out, scratch) != 0
    return chain


@kernel
def chain_races(
    races: Any,
    tables: Tables,
    keys: NDArray[np.uint32],
    chooser: Stream,
    stream: Stream,
    log: Log,
    codes: Ints,
    out: Ints,
    scratch: Ints,
    figures: Ints,
) -> None:
    """Play races to the end, checking after every step."""
    for i in range(races.shape[0]):
        race = races[i]
        open_stream(chooser, keys[i], WORD)
        open_stream(stream, keys[i], 0)
        setup(race, tables, stream, log, scratch)
        for step in range(1, MOST_TURNS):
            figures[BROKEN] += check(race, tables, scratch) != 0
            if owing(race) == 0:
                break
            for seat in range(race.seats):
                codes[seat] = chain_up(race, tables, seat, chooser, out, scratch, figures)
            open_stream(stream, keys[i], step)
            apply(race, tables, codes, stream, log, scratch)
        figures[UNFINISHED] += race.over != FINISHED
