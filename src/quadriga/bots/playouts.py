"""What all bots share: the memory a game needs, the choice by worth, and playouts to look further."""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.evaluation import QUICK, Lessons, clock, evaluate, finish, weigh
from quadriga.core.dispatch import apply, imagine, legal, owing, standings
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game
from quadriga.core.kernel import kernel
from quadriga.core.messages import Action, new_log
from quadriga.core.streams import Stream, draw, new_stream, open_stream, stream_key

Codes = NDArray[np.int64]

TAUGHT = ("charioteer", "chariot_race", "chariots")
"""Games that bots have learnt: what each teaches lies in the module of its name."""
MOST_STEPS = 2000
FUTURE = 1 << 31
"""Streams from this number on belong to what follows a choice, those below to what is imagined before it."""
ROOM = 256
LOWEST = -(1 << 60)


@kernel
def pick(
    race: Any,
    tables: Any,
    lore: Any,
    seat: int,
    level: int,
    codes: Codes,
    n: int,
    noise: int,
    stream: Stream,
    scores: Codes,
    scratch: Codes,
) -> int:
    """The index of the choice worth most, give or take the noise."""
    weigh(race, tables, lore, seat, level, codes, n, scores, scratch)
    best, most = 0, LOWEST
    for i in range(n):
        worth = scores[i] + draw(stream, noise)
        if worth > most:
            best, most = i, worth
    return best


@kernel
def choose_all(
    race: Any,
    tables: Any,
    lore: Any,
    besides: int,
    noise: int,
    stream: Stream,
    codes: Codes,
    out: Codes,
    scores: Codes,
    scratch: Codes,
) -> None:
    """A choice for every seat that owes one, besides one of them; nobody knows of the others' choices."""
    mask = owing(race)
    for seat in range(race.seats):
        if mask >> seat & 1 and seat != besides:
            n = legal(race, tables, seat, out, scratch)
            codes[seat] = out[pick(race, tables, lore, seat, QUICK, out, n, noise, stream, scores, scratch)]


@kernel
def play_on(
    race: Any,
    tables: Any,
    lore: Any,
    until: int,
    noise: int,
    stream: Stream,
    log: NDArray[np.int32],
    codes: Codes,
    out: Codes,
    scores: Codes,
    scratch: Codes,
) -> None:
    """Let all seats play until the clock shows a number or the race is over."""
    for _ in range(MOST_STEPS):
        if owing(race) == 0 or clock(race) >= until:
            break
        choose_all(race, tables, lore, -1, noise, stream, codes, out, scores, scratch)
        apply(race, tables, codes, stream, log, scratch)


@kernel
def prospect(race: Any, tables: Any, lore: Any, seat: int, spread: int, places: Codes) -> int:
    """How a position looks for a seat: won, lost, or the lead over the best rival."""
    if standings(race, tables, places):
        if places[seat] == 1:
            return spread
        return -spread - spread * (places[seat] - 2) // (4 * int(race.seats))
    rival = LOWEST
    for other in range(race.seats):
        if other != seat:
            rival = max(rival, evaluate(race, tables, lore, other))
    lead = evaluate(race, tables, lore, seat) - rival
    return min(max(lead, -spread * 9 // 10), spread * 9 // 10)


@kernel
def try_out(
    view: Any,
    tables: Any,
    lore: Any,
    races: Any,
    seat: int,
    arms: Codes,
    sums: Codes,
    key: NDArray[np.uint32],
    first: int,
    count: int,
    horizon: int,
    noise: int,
    spread: int,
    stream: Stream,
    log: NDArray[np.int32],
    codes: Codes,
    out: Codes,
    scores: Codes,
    scratch: Codes,
) -> None:
    """Play every choice out `count` times, all from the same imagined races and against the same rivals' choices.

    races: one blank, one as imagined, one to play in.
    """
    for number in range(first, first + count):
        open_stream(stream, key, number)
        races[1] = races[0]
        imagine(view, tables, stream, races[1], scratch)
        choose_all(races[1], tables, lore, seat, noise, stream, codes[0], out, scores, scratch)
        until = clock(races[1]) + horizon
        for arm in range(arms.shape[0]):
            races[2] = races[1]
            open_stream(stream, key, FUTURE + number)
            for other in range(codes.shape[1]):
                codes[1, other] = codes[0, other]
            codes[1, seat] = arms[arm]
            apply(races[2], tables, codes[1], stream, log, scratch)
            play_on(races[2], tables, lore, until, noise, stream, log, codes[1], out, scores, scratch)
            sums[arm] += prospect(races[2], tables, lore, seat, spread, out)


@kernel
def whole(race: Any, tables: Any, lore: Any, seat: int, code: int, scratch: Codes) -> int:
    """A choice with the part that its list leaves out."""
    return int(finish(race, tables, lore, seat, code, scratch))


def lessons_of(game: Game) -> Lessons:
    """What a game teaches, or InvalidOption."""
    if game.meta.name not in TAUGHT:
        raise InvalidOption(f"no bot has learnt {game.meta.title} yet; wanderer plays every game")
    lessons: Lessons = import_module(f"quadriga.bots.{game.meta.name}").LESSONS
    return lessons


@cache
def learnt(game: Game) -> Any:
    """The lore of a game's edition."""
    lessons = lessons_of(game)
    lore = lessons.lore.blank()
    lessons.learn(game.tables, lore)
    return lore


class Desk:
    """The memory in which a bot thinks about one game."""

    def __init__(self, game: Game, seed: int) -> None:
        definition = game.definition
        self.game, self.tables, self.lessons = game, game.tables, lessons_of(game)
        self.lore: Any = learnt(game).copy()
        self.key = stream_key((seed % (1 << 128)).to_bytes(32, "little"))
        self.stream = new_stream(self.key, 0)
        self.races = definition.race.blanks(3)
        self.out = np.zeros(definition.most_choices, np.int64)
        self.scores = np.zeros(definition.most_choices, np.int64)
        self.scratch = np.zeros(definition.scratch + ROOM, np.int64)
        self.log = new_log(0)

    def weigh(self, view: Any, seat: int, codes: Codes, level: int) -> Codes:
        """What each choice is worth at a level; what the view hides plays no part."""
        race = self.game.imagine(view, self.stream)
        weigh(race, self.tables, self.lore, seat, level, codes, len(codes), self.scores, self.scratch)
        return self.scores[: len(codes)]

    def pick(self, view: Any, seat: int, codes: Codes, level: int, noise: int) -> int:
        """The index of the choice worth most at a level."""
        race = self.game.imagine(view, self.stream)
        return pick(
            race, self.tables, self.lore, seat, level, codes, len(codes), noise, self.stream, self.scores, self.scratch
        )

    def whole(self, view: Any, seat: int, action: Action) -> Action:
        """A choice with the part that its list leaves out, such as Charioteer's discards."""
        race = self.game.imagine(view, self.stream)
        code = whole(race, self.tables, self.lore, seat, action.pack(), self.scratch)
        return action if code == action.pack() else self.game.unpack(code)

    def glances(self, view: Any, seat: int, codes: Codes) -> list[int]:
        """A few choices as random play comes upon them."""
        race = self.game.imagine(view, self.stream)
        wander = self.game.kernels.wander
        return [
            int(wander(race, self.tables, seat, codes, len(codes), self.stream)) for _ in range(self.lessons.glances)
        ]


class Choices(Sequence[Action]):
    """A list of choices by their codes: each becomes an action when somebody looks at it."""

    def __init__(self, game: Game, codes: Codes) -> None:
        self.game, self.codes = game, codes

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, index: int) -> Action: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Action]: ...

    def __getitem__(self, index: int | slice) -> Action | Sequence[Action]:
        if isinstance(index, slice):
            return Choices(self.game, self.codes[index])
        return self.game.unpack(int(self.codes[index]))

    def __iter__(self) -> Iterator[Action]:
        return (self.game.unpack(int(code)) for code in self.codes)


def packed(choices: Sequence[Action]) -> Codes:
    """The codes of choices."""
    if isinstance(choices, Choices):
        return choices.codes
    return np.array([action.pack() for action in choices], np.int64)
