"""Guided playouts: every choice in them is made by the policy network, and a critic judges their ends.

A choice is a sample from the softmax of the policy's scores at a temperature: Gumbel noise is added to each, and the
highest is taken. The noise belongs to the choice, to the seat and to how often that has chosen, as in steady
playouts (bots/steady.py). A playout ends where the seat that searches decides: that is what the critic has learnt to
judge. One whose seat is out of the race goes on to the end.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.evaluation import MOST_PARTS, Evaluation, complete, elapsed
from quadriga.bots.network import UNIT, Network, Networks, no_network
from quadriga.bots.playouts import FUTURE, LOWEST, MOST_STEPS, Codes, value_of_end
from quadriga.bots.policy import score_choices
from quadriga.bots.steady import PLAYOUT_STREAMS, SEAT_STREAMS, noise_of, salt_of
from quadriga.core.dispatch import apply, imagine, legal, observe, owing
from quadriga.core.kernel import kernel
from quadriga.core.streams import Stream, next_word, open_stream

QUANTILES = 1024
"""Of the Gumbel distribution, that noise is drawn from."""


class Guide(NamedTuple):
    """What guided playouts need besides what all playouts do."""

    policy: Network
    gumbel: NDArray[np.int64]
    """Quantiles of the Gumbel distribution in UNIT, all equally likely."""
    found: Codes
    """Room for the parts of a choice."""
    steady: bool
    """Whether each step's dice belong to the seat that steps."""


class Playouts(NamedTuple):
    """How choices are played out."""

    guide: Guide
    network: Network
    """Judges their ends."""
    horizon: int
    """Stretches in one."""
    noise: int
    """How much is added to scores at random; in guided playouts the temperature."""


def gumbel_quantiles() -> NDArray[np.int64]:
    """Quantiles of the Gumbel distribution in UNIT, at the middles of equal shares."""
    shares = (np.arange(QUANTILES) + 0.5) / QUANTILES
    return np.round(-np.log(-np.log(shares)) * UNIT).astype(np.int64)


def make_guide(policy: Network, steady: bool) -> Guide:
    """A guide by a policy network, with memory of its own."""
    return Guide(policy, gumbel_quantiles(), np.zeros(MOST_PARTS, np.int64), steady)


def no_guide() -> Guide:
    """What stands for a guide where playouts are quick ones."""
    return make_guide(no_network(), steady=False)


def guided_playouts(evaluation: Evaluation, networks: Networks) -> Playouts | None:
    """The guided playouts of a game; None where its evaluation does without them, or networks for them are missing."""
    if not (evaluation.guided and networks.policy.is_there and networks.critic.is_there):
        return None
    guide = make_guide(networks.policy, evaluation.steady)
    return Playouts(guide, networks.critic, evaluation.guided_horizon, evaluation.guided_temperature)


@kernel
def pick_sample(codes: Codes, n: int, scores: Codes, salt: int, temperature: int, gumbel: Codes) -> int:
    """The index of a choice, drawn from the softmax of the scores; at temperature 0 the first of the best."""
    best, most = 0, LOWEST
    for i in range(n):
        luck = int(gumbel[noise_of(int(codes[i]), salt, gumbel.shape[0])])
        worth = int(scores[i]) * UNIT + luck * temperature
        if worth > most:
            best, most = i, worth
    return best


@kernel
def choose_guided(
    race: Any,
    tables: Any,
    work: Any,
    seat: int,
    temperature: int,
    salt: int,
    out: Codes,
    scores: Codes,
    scratch: Codes,
    views: Any,
    guide: Guide,
) -> int:
    """The policy's choice for a seat, made from what that seat sees. views: one blank, one to use."""
    n, best = legal(race, tables, seat, out, scratch), 0
    if n > 1:
        views[1] = views[0]
        observe(race, tables, seat, views[1])
        score_choices(views[1], race, tables, seat, out[:n], guide.policy, guide.found, scores)
        best = pick_sample(out, n, scores, salt, temperature, guide.gumbel)
    return int(complete(race, tables, work, seat, int(out[best]), scratch))


@kernel
def choose_all_guided(
    race: Any,
    tables: Any,
    work: Any,
    besides: int,
    temperature: int,
    salt: int,
    counts: Codes,
    codes: Codes,
    out: Codes,
    scores: Codes,
    scratch: Codes,
    views: Any,
    guide: Guide,
) -> int:
    """A choice for every seat that owes one, besides one of them; the first of these seats. counts: choices so far."""
    mask, seats, first = owing(race), int(race.seats), 0
    for back in range(seats):
        seat = seats - 1 - back
        if mask >> seat & 1 and seat != besides:
            own = salt_of(salt, seat, int(counts[seat]))
            codes[seat] = choose_guided(
                race, tables, work, seat, temperature, own, out, scores, scratch, views, guide
            )  # fmt: skip
            counts[seat] += 1
            first = seat
    return first


@kernel
def decides(race: Any, tables: Any, seat: int, out: Codes, scratch: Codes) -> bool:
    """Whether a seat is asked and has more than one choice: the positions that its network has learnt to judge."""
    return owing(race) >> seat & 1 == 1 and legal(race, tables, seat, out, scratch) > 1


@kernel
def play_on_guided(
    race: Any,
    tables: Any,
    work: Any,
    seat: int,
    until: int,
    temperature: int,
    salt: int,
    key: NDArray[np.uint32],
    future: int,
    stream: Stream,
    log: NDArray[np.int32],
    counts: Codes,
    codes: Codes,
    out: Codes,
    scores: Codes,
    scratch: Codes,
    views: Any,
    guide: Guide,
) -> None:
    """Let all seats play until the clock shows a number and the seat decides, or the race is over.

    `future` is the first of the streams.
    """
    for _ in range(MOST_STEPS):
        if owing(race) == 0 or (elapsed(race) >= until and decides(race, tables, seat, out, scratch)):
            break
        first = choose_all_guided(
            race, tables, work, -1, temperature, salt, counts, codes, out, scores, scratch, views, guide
        )  # fmt: skip
        if guide.steady:
            open_stream(stream, key, future + first * SEAT_STREAMS + int(counts[first]))
        apply(race, tables, codes, stream, log, scratch)


@kernel
def play_out_guided(  # long: its memory is handed in
    view: Any,
    tables: Any,
    work: Any,
    races: Any,
    seat: int,
    arms: Codes,
    sums: Codes,
    key: NDArray[np.uint32],
    first: int,
    count: int,
    horizon: int,
    temperature: int,
    winning_lead: int,
    stream: Stream,
    log: NDArray[np.int32],
    codes: Codes,
    out: Codes,
    scores: Codes,
    scratch: Codes,
    views: Any,
    network: Network,
    most_seats: int,
    guide: Guide,
) -> None:
    """As `play_out`, with the policy's choices. codes: three rows as for `play_out_steadily`. temperature: in UNIT."""
    for number in range(first, first + count):
        open_stream(stream, key, number)
        races[1] = races[0]
        imagine(view, tables, stream, races[1], scratch)
        salt, future = next_word(stream), FUTURE + number * PLAYOUT_STREAMS
        for other in range(codes.shape[1]):
            codes[2, other] = 0
        choose_all_guided(
            races[1], tables, work, seat, temperature, salt, codes[2], codes[0], out, scores, scratch, views, guide
        )  # fmt: skip
        until = elapsed(races[1]) + horizon
        for arm in range(arms.shape[0]):
            races[2] = races[1]
            open_stream(stream, key, future)
            for other in range(codes.shape[1]):
                codes[1, other] = codes[0, other]
                codes[2, other] = 1
            codes[1, seat] = complete(races[2], tables, work, seat, int(arms[arm]), scratch)
            apply(races[2], tables, codes[1], stream, log, scratch)
            play_on_guided(
                races[2], tables, work, seat, until, temperature, salt, key, future, stream, log, codes[2], codes[1],
                out, scores, scratch, views, guide,
            )  # fmt: skip
            sums[arm] += value_of_end(races[2], tables, work, seat, winning_lead, out, views, network, most_seats)
