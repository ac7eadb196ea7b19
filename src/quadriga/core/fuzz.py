"""Random races over all numbers of seats and all options, checked after every step.

Races are played in kernels. Whatever breaks is played again as a match, step by step, and saved as a record:
its last entry is the step that broke, or the last one before a step that cannot be made at all.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.core.game import Game, Result
from quadriga.core.match import Match, Sitter
from quadriga.core.meta import Meta, Option, OptionValue
from quadriga.core.play import FAULTS, REFUSED, Player
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
    file: Path | None
    """None if not even the set-up could be made."""

    def __str__(self) -> str:
        where = self.file or f"{self.setting}, seed {self.seed.hex()}"
        return f"{where}: step {self.step}: {self.what}"


@dataclass(frozen=True)
class Batch:
    """Some races of one setting, played up to the first that broke."""

    setting: Setting
    races: int
    decisions: int
    finding: Finding | None


def settings(meta: Meta) -> list[Setting]:
    """Every number of seats, with the defaults, with each option alone at its extremes, and with all of them there."""
    return _unique(Setting(seats, options) for seats in meta.seats for options in _variants(meta, seats))


def _unique(given: Iterable[Setting]) -> list[Setting]:
    return list({str(setting): setting for setting in given}.values())


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
    chosen = _chosen(game.meta, seats, options or {})
    for setting in chosen:
        yield from _races(game, setting, -(-games // len(chosen)), seed, Path(folder), most_steps)


def _chosen(meta: Meta, seats: int | None, options: Mapping[str, OptionValue]) -> list[Setting]:
    """The settings that fit what is held fast; raises InvalidOption if none can."""
    fitting = [o.only_seats or meta.seats for o in meta.options if o.name in options]
    held = [s for s in meta.seats if all(s in each for each in fitting)] if seats is None else [seats]
    for each in held:
        meta.settle(each, options)
    found = (s for s in settings(meta) if s.seats in held)
    return _unique(Setting(s.seats, s.options | dict(options)) for s in found)


def _races(game: Game, setting: Setting, count: int, seed: int, folder: Path, most_steps: int) -> Iterator[Batch]:
    """The races of one setting, up to the first that breaks."""
    player = Player(game, setting.seats, setting.options, most_steps)
    for first in range(0, count, BATCH):
        seeds = [race_seed(seed, setting, first + i) for i in range(min(BATCH, count - first))]
        batch = _batch(player, setting, seeds, folder)
        yield batch
        if batch.finding:
            return


def _batch(player: Player, setting: Setting, seeds: list[bytes], folder: Path) -> Batch:
    try:
        ends, tally = player.play_keys(np.array([stream_key(seed) for seed in seeds]), checking=True)
    except Exception:  # whatever it is, some race of the batch shows it again
        suspects = seeds
        decisions = 0
    else:
        suspects = [seeds[tally[3]]] if tally[3] >= 0 else _unended(player.game, seeds, ends)
        decisions = int(tally[0])
    found = next(filter(None, (_examine(player, setting, seed, folder) for seed in suspects)), None)
    return Batch(setting, len(seeds), decisions, found)


def _unended(game: Game, seeds: list[bytes], ends: NDArray[Any]) -> list[bytes]:
    """The races that are not over, or over with places that do not fit."""
    return [s for s, end in zip(seeds, ends, strict=True) if game.kernels.owing(end) or misplaced(game.result(end))]


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
    fault = _fault(player, seed)
    history, player.history = player.history, np.zeros((0, setting.seats), np.int64)
    if not fault:
        return None
    sitters = [Sitter(f"random {seat + 1}", "random") for seat in range(setting.seats)]
    try:
        match = Match(player.game, sitters, setting.options, seed)
    except Exception as error:
        return Finding(setting, seed, 0, _said(error), None)
    cause = _retrace(match, history, fault)
    file = folder / f"fuzz-{player.game.meta.name}-{seed.hex()[:12]}.json"
    file.write_text(to_json(record_of(match, secrets=True)), encoding="utf-8")
    return Finding(setting, seed, match.seq, cause, file)


def _fault(player: Player, seed: bytes) -> str:
    """What is wrong with a race as kernels play it, empty if nothing is."""
    game = player.game
    try:
        (end,), tally = player.play_keys(np.array([stream_key(seed)]), checking=True)
    except Exception as error:
        return _said(error)
    if number := int(tally[4]):
        return FAULTS[number] if number in FAULTS else f"broken: {game.definition.invariants[number]}"
    if game.kernels.owing(end):
        return f"the race does not end within {player.most_steps} steps"
    return misplaced(game.result(end)) or ""


def _retrace(match: Match, history: NDArray[np.int64], fault: str) -> str:
    """Take the steps that were chosen until one breaks; what breaks, which is the fault if that shows nowhere else."""
    for codes in history[1:]:
        if broken := match.game.check(match.state):
            return f"broken: {broken}"
        owing = match.game.to_act(match.state)
        if not owing or any(codes[seat] == 0 for seat in owing):
            return _refused(match) if fault == FAULTS[REFUSED] else fault
        try:
            match.step({seat: match.game.unpack(int(codes[seat])) for seat in owing})
        except Exception as error:
            chosen = (f"seat {seat} chooses {_choice(match.game, int(codes[seat]))}" for seat in owing)
            return f"{', '.join(chosen)}: {_said(error)}"
    return fault


def _choice(game: Game, code: int) -> str:
    """A choice in notation, or its bare code if it has none."""
    try:
        return game.describe(game.unpack(code))
    except Exception:
        return str(code)


def _refused(match: Match) -> str:
    """The first listed choice that is refused."""
    game = match.game
    for seat in match.to_act():
        for action in match.legal_actions(seat):
            if refusal := game.refusal(match.state, seat, action):
                return f"seat {seat}: {game.describe(action)} is listed, and refused by {refusal.name}"
    return FAULTS[REFUSED]


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
