"""Writes the recorded games and the golden playthroughs anew: `make goldens`. Review the difference before a commit.

Everything follows from the games' cards, so a new game gets its files by running the command.
"""

import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from quadriga import games
from quadriga.core.fuzz import Setting, settings
from quadriga.core.game import Game
from quadriga.core.match import Choices, Match, Sitter
from quadriga.core.messages import Action
from quadriga.core.meta import OptionValue
from quadriga.core.play import Player
from quadriga.core.record import record_of, to_json
from quadriga.core.streams import WORD, new_stream, stream_key

RECORDS = Path(__file__).parent / "records"
GOLDENS = Path(__file__).parent / "goldens"
TRIES = 60
"""Races looked at to find a short one that ends as wanted."""
BOARD_EVERY = 25
"""Steps between two boards of a playthrough."""


@dataclass(frozen=True)
class Plan:
    """A race to be recorded: under what name, how it is played and how it ends."""

    name: str
    setting: Setting
    seed: bytes
    play: Callable[[Match], None]


# ---------------------------------------------------------------- which races


def plans(game: Game) -> Iterator[Plan]:
    """A race for every number of seats, every option at its ends, and every way to end."""
    singles = [setting for setting in settings(game.meta) if len(setting.options) <= 1]
    for setting in singles:
        if not setting.options:
            yield _plan(game, f"seats-{setting.seats}", _short(game, setting))
    for i, (name, value) in enumerate(_switches(singles)):
        fitting = [s for s in singles if s.options.get(name) == value]
        setting = _short(game, fitting[i % len(fitting)])
        yield _plan(game, f"{name}-{str(value).lower()}", setting)
    for reason in game.definition.reasons[1:]:
        yield _ending(game, reason)
    for i, (name, play) in enumerate(LEFT.items()):
        setting = _short(game, Setting(game.meta.seats[i % len(game.meta.seats)], {}))
        yield _plan(game, name, setting, play)


def _switches(singles: list[Setting]) -> list[tuple[str, object]]:
    return list(dict.fromkeys(pair for setting in singles for pair in setting.options.items()))


def _short(game: Game, setting: Setting) -> Setting:
    """The setting with as few laps as there can be, unless it is about them."""
    laps: dict[str, OptionValue] = {o.name: o.low for o in game.meta.options if o.name == "laps"}
    return Setting(setting.seats, laps | setting.options)


def _seeds(name: str) -> list[bytes]:
    return [f"{name} {number}".encode().ljust(32, b".") for number in range(TRIES)]


def _plan(game: Game, name: str, setting: Setting, play: Callable[[Match], None] | None = None) -> Plan:
    _, seed = min(_tried(game, name, setting), key=lambda found: found[0])
    return Plan(name, setting, seed, play or play_on)


def _tried(game: Game, name: str, setting: Setting, reason: str | None = None) -> Iterator[tuple[int, bytes]]:
    """Races that end (for a reason), by how many decisions they take."""
    player = Player(game, setting.seats, setting.options)
    for seed in _seeds(name):
        (end,), tally = player.play_keys(np.array([stream_key(seed)]))
        result = game.result(end)
        if result and reason in (None, result.reason):
            yield int(tally[0]), seed


def _ending(game: Game, reason: str) -> Plan:
    """The shortest race found that ends for a reason, whatever the setting."""
    name = f"ends-{reason}"
    found = [
        (decisions, setting.seats, seed, setting)
        for setting in settings(game.meta)
        for decisions, seed in _tried(game, name, setting, reason)
    ]
    if not found:
        sys.exit(f"{game.meta.title}: no random race ends with {reason!r}; raise TRIES or drop the reason")
    _, _, seed, setting = min(found, key=lambda each: each[:3])
    return Plan(name, setting, seed, play_on)


# ---------------------------------------------------------------- how they are played


def play_on(match: Match, steps: int | None = None) -> None:
    """Let the random player go on, to the end or for some steps."""
    chooser = new_stream(stream_key(match.secret_seed(), match.nonces), WORD)
    while not match.over and steps != 0:
        match.step({seat: _choice(match, seat, chooser) for seat in match.to_act()})
        steps = None if steps is None else steps - 1


def _choice(match: Match, seat: int, chooser: object) -> Action:
    game, codes = match.game, match.game.legal_codes(match.state, seat)
    place = game.kernels.pick_random(match.state, game.tables, seat, codes, len(codes), chooser)
    return game.unpack(int(codes[place]))


def resign(match: Match) -> None:
    """All but one resign, one after the other."""
    for seat in range(len(match.sitters) - 1):
        play_on(match, 2)
        match.resign(seat)


def forfeit(match: Match) -> None:
    """All but one forfeit; a clock is kept, somebody else sits down, and play rests for a while."""
    for seat in reversed(range(1, len(match.sitters))):
        play_on(match, 2)
        match.set_clock({seat: 0})
        match.change_seat(seat, Sitter("somebody else", "random"))
        match.pause()
        match.resume()
        match.forfeit(seat, "time ran out")


def take_back(match: Match) -> None:
    """Some steps are taken back and played anew, a resignation too, once all down to the set-up."""
    play_on(match, 3)
    match.take_back(match.seq - 1)
    play_on(match, 2)
    match.resign(0)
    match.take_back(match.seq - 1)
    play_on(match, 1)
    match.take_back(0)
    play_on(match)


LEFT = {"resigned": resign, "forfeited": forfeit, "taken-back": take_back}


def played(game: Game, plan: Plan) -> Match:
    """The race of a plan."""
    sitters = [Sitter(f"Player {seat + 1}", "random") for seat in range(plan.setting.seats)]
    match = Match(game, sitters, plan.setting.options, plan.seed)
    plan.play(match)
    return match


# ---------------------------------------------------------------- playthroughs


def golden(game: Game, seats: int) -> str:
    """A playthrough: what is chosen, what happens in words, and the board every so often."""
    match = played(game, _plan(game, f"golden-{seats}", _short(game, Setting(seats, {}))))
    return "\n".join(_golden_lines(match)) + "\n"


def _golden_lines(match: Match) -> Iterator[str]:
    game = match.game
    yield f"{game.meta.title}, {len(match.sitters)} players, {match.options}"
    for happened in match.events(None):
        entry = match.log[happened.seq]
        yield ""
        if isinstance(entry, Choices):
            said = (f"player {seat + 1}: {choice}" for seat, choice in entry.choices.items())
            yield f"{happened.seq}. {'; '.join(said)}"
        for event in happened.events:
            yield f"   {game.words('en').message('events', event, game.names)}"
        if happened.seq % BOARD_EVERY == 0 or happened.seq == match.seq:
            yield from ("", *game.draw(match.view(None, happened.seq)).splitlines())
    if result := match.result():
        yield f"\nPlaces: {', '.join(map(str, result.places))} ({result.reason})"


# ---------------------------------------------------------------- files


def main() -> None:
    """Write everything."""
    for folder in (RECORDS, GOLDENS):
        shutil.rmtree(folder, ignore_errors=True)
    GOLDENS.mkdir()
    for name in games.NAMES:
        game = games.load(name)
        (RECORDS / name).mkdir(parents=True)
        for plan in plans(game):
            text = to_json(record_of(played(game, plan)))
            (RECORDS / name / f"{plan.name}.json").write_text(text, encoding="utf-8")
        for seats in game.meta.seats:
            (GOLDENS / f"{name}-{seats}.txt").write_text(golden(game, seats), encoding="utf-8")
        print(f"{name}: {len(list((RECORDS / name).iterdir()))} records, {len(game.meta.seats)} playthroughs")


if __name__ == "__main__":
    main()
