"""Random races over all numbers of seats and all options, checked after every step.

Races are played in kernels. Whatever breaks is played again as a match, step by step, and saved as a record:
its last entry is the step that broke, or the last one before a step that cannot be made at all.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from quadriga.core.fields import Fields
from quadriga.core.game import Game, Result
from quadriga.core.match import Match, Sitter
from quadriga.core.meta import Meta, Option, OptionValue
from quadriga.core.play import FAULTS, Player
from quadriga.core.record import record_of, to_json
from quadriga.core.streams import stream_key

BATCH = 500
"""Races played in one call, so that progress can be shown."""
MOST_STEPS = 100_000


@dataclass(frozen=True)
class Setting:
    """A number of seats, and options that differ from their defaults."""

    seats: int
    options: dict[str, OptionValue]

    def __str__(self) -> str:
        said = (f"{name}={str(value).lower()}" for name, value in self.options.items())
        return ",".join((f"{self.seats} seats", *said))


@dataclass(frozen=True)
class Finding:
    """Something that broke: what, at which step of which race, and the record that shows it."""

    setting: Setting
    seed: bytes
    step: int
    what: str
    file: Path

    def __str__(self) -> str:
        return f"{self.file}: step {self.step}: {self.what}"


@dataclass(frozen=True)
class Batch:
    """Some races of one setting, played up to the first that broke."""

    setting: Setting
    races: int
    decisions: int
    finding: Finding | None


def settings(meta: Meta) -> list[Setting]:
    """Every number of seats, with the defaults, with each option alone at its extremes, and with all of them there."""
    return [Setting(seats, options) for seats in meta.seats for options in _variants(meta, seats)]


def extremes(option: Option) -> list[OptionValue]:
    """The values of an option that are furthest from its default; all words of an option of words."""
    values: tuple[OptionValue, ...] = option.words or (option.low, option.high)
    if isinstance(option.default, bool):
        values = (False, True)
    return [value for value in values if value != option.default]


def _variants(meta: Meta, seats: int) -> list[dict[str, OptionValue]]:
    switched = {o.name: extremes(o) for o in meta.options if o.applies(seats)}
    each: list[dict[str, OptionValue]] = [{name: value} for name, values in switched.items() for value in values]
    low = {name: values[0] for name, values in switched.items()}
    high = {name: values[-1] for name, values in switched.items()}
    return [{}, *each, low, high]


def fuzz(
    game: Game,
    games: int,
    seed: int,
    seats: int | None = None,
    options: Mapping[str, OptionValue] | None = None,
    folder: str | Path = ".",
    most_steps: int = MOST_STEPS,
) -> Iterator[Batch]:
    """Play about so many races, as many of each setting; `seats` and `options` hold some of it fast.

    for batch in fuzz(load("chariots"), games=1000, seed=1):
        print(batch.finding or f"{batch.setting}: {batch.races} races")
    """
    chosen = [_held(setting, options or {}) for setting in settings(game.meta) if seats in (None, setting.seats)]
    for setting in chosen:
        game.meta.settle(setting.seats, setting.options)
        yield from _races(game, setting, -(-games // len(chosen)), seed, Path(folder), most_steps)


def _held(setting: Setting, options: Mapping[str, OptionValue]) -> Setting:
    return Setting(setting.seats, setting.options | dict(options))


def _races(game: Game, setting: Setting, count: int, seed: int, folder: Path, most_steps: int) -> Iterator[Batch]:
    player = Player(game, setting.seats, setting.options, most_steps)
    for first in range(0, count, BATCH):
        seeds = [race_seed(seed, setting, first + i) for i in range(min(BATCH, count - first))]
        keys = np.array([stream_key(each) for each in seeds])
        try:
            ends, tally = player.play_keys(keys, checking=True)
        except Exception:  # whatever it is, the race that shows it is found below
            found = next(filter(None, (_examine(player, setting, each, folder) for each in seeds)), None)
            yield Batch(setting, len(seeds), 0, found)
            continue
        found = None
        if tally[3] >= 0:
            found = _examine(player, setting, seeds[tally[3]], folder)
        for each, end in zip(seeds, ends, strict=True):
            if found is None and (game.kernels.owing(end) or misplaced(game.result(end))):
                found = _examine(player, setting, each, folder)
        yield Batch(setting, int(tally[1] + tally[2]), int(tally[0]), found)


def race_seed(seed: int, setting: Setting, number: int) -> bytes:
    """The seed of one race of a run, from which its record is made too."""
    return hashlib.sha256(f"fuzz {seed} {setting} {number}".encode()).digest()


def misplaced(result: Result | None) -> str | None:
    """What is wrong with a result, if anything: places count from 1 (2 if nobody won), a tie takes up as many."""
    if result is None:
        return "the race is over without a result"
    first = 2 if result.winner is None else 1
    ranked = sorted(result.places)
    wanted = [first + ranked.index(place) for place in ranked]
    if ranked != wanted or (result.winner is not None and result.places[result.winner] != 1):
        return f"places {result.places} do not fit winner {result.winner}"
    return None


def _examine(player: Player, setting: Setting, seed: bytes, folder: Path) -> Finding | None:
    """Play one race again, first in kernels for its choices, then as a match, and save what broke."""
    player.history = np.zeros((player.most_steps + 1, setting.seats), np.int64)
    fault = ""
    try:
        ends, tally = player.play_keys(np.array([stream_key(seed)]), checking=True)
        fault = _fault(player, ends[0], int(tally[4]))
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
    history, player.history = player.history, np.zeros((0, setting.seats), np.int64)
    if not fault:
        return None
    match = Match(
        player.game, [Sitter(f"random {s + 1}", "random") for s in range(setting.seats)], setting.options, seed
    )
    cause = _retrace(match, history)
    name = f"fuzz-{player.game.meta.name}-{seed.hex()[:12]}.json"
    file = folder / name
    file.write_text(to_json(record_of(match, secrets=True)), encoding="utf-8")
    return Finding(setting, seed, match.seq, cause or fault, file)


def _fault(player: Player, end: Fields, number: int) -> str:
    invariants = player.game.definition.invariants
    if number:
        return FAULTS[number] if number in FAULTS else f"broken: {invariants[number]}"
    if player.game.kernels.owing(end):
        return f"the race does not end within {player.most_steps} steps"
    return misplaced(player.game.result(end)) or ""


def _retrace(match: Match, history: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> str | None:
    """Take the steps that were chosen until one breaks; what breaks, None if it is not seen this way."""
    for codes in history[1:]:
        if broken := match.game.check(match.state):
            return f"broken: {broken}"
        owing = match.game.to_act(match.state)
        if not owing or any(codes[seat] == 0 for seat in owing):
            return None
        try:
            match.step({seat: match.game.unpack(int(codes[seat])) for seat in owing})
        except Exception as error:
            choices = ", ".join(f"seat {seat} chooses {codes[seat]}" for seat in owing)
            return f"{choices}: {type(error).__name__}: {error}"
    return None
