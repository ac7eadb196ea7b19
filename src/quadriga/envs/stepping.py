"""The kernel that steps many races at once, one id each: what every environment is made of.

Seats that choose at the same time are asked one after the other, in their order; what each has chosen is kept beside
the race and enters nobody else's observation. When all have chosen, the choices are played together.
"""

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from quadriga.core.chain import MOST_IDS, MOST_STAGES, STAGE, is_finished, link, links
from quadriga.core.dispatch import apply, observe, owing, setup, standings
from quadriga.core.errors import InvalidOption
from quadriga.core.fields import NONE, U32, Fields, U32s
from quadriga.core.kernel import kernel
from quadriga.core.observation import Floats, encode, flags, scaled
from quadriga.core.streams import Stream, draw, open_stream

I64 = Annotated[int, np.int64]
PLACES, WIN = range(2)
REWARDS = {"places": PLACES, "win": WIN}
"""What seats earn at the end, by name."""
Ints = NDArray[np.int64]
Log = NDArray[np.int32]
Mask = NDArray[np.int8]


class Asking(Fields):
    """What an environment keeps beside a race, besides `chains` (what each seat has chosen of its choice), `trails`
    (the ids of that, a bit for each) and `places` (of the race that ended last)."""

    key: Annotated[U32s, 8, "key of the race's random streams; the last word counts races played here"]
    step: Annotated[U32, "steps of the race so far: the number of its last stream"]
    asked: Annotated[I64, "the seat that is asked for an id, none when the race is over"]
    offered: Annotated[I64, "ids it may choose, a bit for each"]


@kernel
def next_asked(race: Any, chain: Ints) -> int:
    """The first seat that owes a choice and has not finished it, or none."""
    mask = owing(race)
    for seat in range(chain.shape[0]):
        if mask >> seat & 1 and not is_finished(chain[seat]):
            return seat
    return NONE


@kernel
def is_offered(offered: int, choice: int) -> bool:
    return 0 <= choice < MOST_IDS and offered >> choice & 1 == 1


@kernel
def open_step(stream: Stream, asking: Asking) -> None:
    """The stream of the race's next step."""
    asking.step += 1
    open_stream(stream, asking.key, int(asking.step))


@kernel
def open_race(stream: Stream, asking: Asking) -> None:
    """The stream of the set-up of the next race played here."""
    asking.key[7] += 1
    asking.step = 0
    open_stream(stream, asking.key, 0)


@kernel
def encode_choice(out: Floats, at: int, chain: int, trail: int, ids: int) -> None:
    """Behind the view: what a seat has chosen of its own choice, and how far it is."""
    scaled(out, flags(out, at, trail, ids), chain >> STAGE, MOST_STAGES)


@kernel
def clear(chain: Ints, trail: Ints) -> None:
    for seat in range(chain.shape[0]):
        chain[seat] = 0
        trail[seat] = 0


@kernel
def forfeit(places: Ints, seat: int) -> None:
    """A seat that chose what was not offered is last, all others are level."""
    for other in range(places.shape[0]):
        places[other] = 2 if other == seat else 1


def reward_kind(name: str) -> int:
    """The number of a reward, or InvalidOption."""
    if name not in REWARDS:
        raise InvalidOption(f"there is no reward {name!r}; there are {', '.join(REWARDS)}")
    return REWARDS[name]


@kernel
def reward(over: bool, places: Ints, kind: int, out: Floats) -> None:
    """At the end, by places: rivals a seat has beaten, less those that have beaten it, as a share of its rivals; by
    win: 1 for the winner, shared by seats that are level. Before the end 0."""
    seats, winners = places.shape[0], 0
    for seat in range(seats):
        winners += places[seat] == 1
    for seat in range(seats):
        if kind == WIN:
            out[seat] = 1 / winners if over and places[seat] == 1 else 0.0
            continue
        beaten = 0
        for other in range(seats):
            beaten += int(places[other] > places[seat]) - int(places[other] < places[seat])
        out[seat] = beaten / (seats - 1) if over else 0.0


@kernel
def step_races(  # long: the order of a step, and its memory, a line for each piece; parts would be compiled twice
    races: Any,
    start: Any,
    tables: Any,
    askings: Any,
    chains: Ints,
    trails: Ints,
    places: Ints,
    choices: Ints,
    fresh: bool,
    again: bool,
    rewarding: int,
    stream: Stream,
    views: Any,
    log: Log,
    out: Ints,
    scratch: Ints,
    observations: Floats,
    masks: Mask,
    rewards: Floats,
    over: NDArray[np.bool_],
) -> None:
    """One id for every race; those that are over begin again if that is wanted, and all if they are to be fresh.

    The mask and the observation are those of the seat that is asked next; when none is, the mask is empty.
    """
    ids = masks.shape[1]
    for i in range(races.shape[0]):
        asking, chain, trail = askings[i], chains[i], trails[i]
        seat, choice, over[i] = int(asking.asked), choices[i], False
        if not fresh and seat != NONE:
            if not is_offered(asking.offered, choice):
                forfeit(places[i], seat)
                over[i] = True
            else:
                chain[seat] = link(races[i], tables, seat, chain[seat], choice, out, scratch)
                trail[seat] |= 1 << choice
                if next_asked(races[i], chain) == NONE:
                    open_step(stream, asking)
                    apply(races[i], tables, chain, stream, log, scratch)
                    clear(chain, trail)
                    if owing(races[i]) == 0:
                        standings(races[i], tables, places[i])
                        over[i] = True
        reward(over[i], places[i], rewarding, rewards[i])
        if fresh or (over[i] and again):
            races[i] = start[0]
            open_race(stream, asking)
            setup(races[i], tables, stream, log, scratch)
            clear(chain, trail)
        seat = NONE if over[i] and not again else next_asked(races[i], chain)
        asking.asked, asking.offered = seat, 0
        if seat != NONE:
            asking.offered = links(races[i], tables, seat, chain[seat], out, scratch)
            observe(races[i], tables, seat, views[0])
            encode_choice(observations[i], encode(views[0], tables, observations[i]), chain[seat], trail[seat], ids)
        for number in range(ids):
            masks[i, number] = asking.offered >> number & 1


@kernel
def count_ids(offered: int) -> int:
    count = 0
    for _ in range(MOST_IDS):
        if offered == 0:
            break
        offered &= offered - 1
        count += 1
    return count


@kernel
def nth_id(offered: int, n: int) -> int:
    """The id number n of those offered: drop the bits below it, then find the lowest by halves."""
    for _ in range(n):
        offered &= offered - 1
    lowest, number = offered & -offered, 0
    for half in range(5, -1, -1):
        if lowest >> (1 << half):
            lowest >>= 1 << half
            number += 1 << half
    return number


@kernel
def any_ids(askings: Any, stream: Stream, choices: Ints) -> None:
    """A random id of those offered, for every race; 0 where none is."""
    for i in range(choices.shape[0]):
        offered = int(askings[i].offered)
        choices[i] = nth_id(offered, draw(stream, max(count_ids(offered), 1)))
