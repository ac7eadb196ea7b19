"""Tournaments: many races of bots, and how they did."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.progress import track

from quadriga.api.bots import AnyBot, Asked, BotFunction
from quadriga.api.games import Game, as_game, core_game
from quadriga.arena.executors import SerialExecutor
from quadriga.arena.results import Tally
from quadriga.arena.tournament import Plan, play, play_with
from quadriga.bots import LEVELS, OWN_BOTS, find_maker, warn_of_stand_in
from quadriga.core.errors import InvalidOption


@dataclass(frozen=True)
class BotScore:
    """How a bot did: races won, their share with its 95 % interval, a rating, and thinking time."""

    name: str
    """The level, or the name of the function."""
    wins: int
    """Races won."""
    share: float
    """The share of races won, of those the bot sat in."""
    low: float
    """The lower end of the 95 % interval of the share (Wilson's)."""
    high: float
    """The upper end of the interval."""
    rating: float
    """The OpenSkill rating, three deviations below the mean."""
    ms_per_choice: float
    """Milliseconds of thinking for a choice; 0 where nobody was timed."""


@dataclass(frozen=True)
class Tournament:
    """The results of a tournament, the best bot first; `print` shows them as a table."""

    game: str
    """The name of the game."""
    players: int
    """Players in each race."""
    races: int
    """Races played."""
    scores: tuple[BotScore, ...]
    """How each bot did, the best first; `result["greedy"]` is the one of that name."""
    faults: tuple[str, ...]
    """What bots did wrong, a sentence each; such a bot forfeits the race."""

    def __getitem__(self, name: str) -> BotScore:
        for score in self.scores:
            if score.name == name:
                return score
        raise KeyError(f"no bot {name!r} took part; there were {', '.join(score.name for score in self.scores)}")

    def __str__(self) -> str:
        lines = [f"{self.races} races of {self.game}, {self.players} players"]
        width = max(len(score.name) for score in self.scores)
        for score in self.scores:
            lines.append(
                f"{score.name:<{width}}  won {score.wins:>5}  {score.share:6.1%} "
                f"({score.low:.1%} to {score.high:.1%})  rating {score.rating:.1f}"
            )
        return "\n".join([*lines, *self.faults[:10]])


def tournament(
    game: str | Game,
    bots: Sequence[AnyBot],
    races: int = 100,
    players: int | None = None,
    options: Mapping[str, object] | None = None,
    seed: int = 0,
    jobs: int = 1,
    iterations: int | None = None,
    progress: bool = False,
) -> Tournament:
    """Let bots race each other, everybody at every seat in turn: levels, functions, or `module:factory` names.

    Functions play in this process; with levels alone, `jobs` processes share the work.
    """
    game = as_game(game)
    if not bots:
        raise InvalidOption("a tournament needs bots")
    with edition_file(game) as components, _named(bots) as names:
        count = players or max(len(names), min(game.players))
        for name in names:
            find_maker(name)
        warn_of_stand_in(names, core_game(game))
        settled = game._meta.settle(count, options or {})
        plan = Plan(game.name, names, races, count, iterations, None, seed, options=settled, components=components)
        tally = Tally(plan)
        functions = any(name in OWN_BOTS for name in names)
        outcomes = play_with(SerialExecutor(), plan, range(races)) if functions else play(plan, range(races), jobs)
        for outcome in track(outcomes, "racing", races, transient=True) if progress else outcomes:
            tally.add(outcome)
    return _result(tally.figures())


@contextmanager
def edition_file(game: Game) -> Iterator[str | None]:
    """The file of an edition that is not the standard one, for plans, which name files."""
    if game.is_standard:
        yield None
        return
    with TemporaryDirectory() as folder:
        file = Path(folder, f"{game.fingerprint}.toml")
        file.write_text(game.edition, encoding="utf-8")
        yield str(file)


@contextmanager
def _named(bots: Sequence[AnyBot]) -> Iterator[tuple[str, ...]]:
    """The names of the bots; functions are known by theirs while the tournament lasts."""
    own: dict[str, BotFunction] = {}
    for bot in bots:
        if not isinstance(bot, str) and own.setdefault(_name(bot), bot) is not bot:
            raise InvalidOption(f"two bots are called {_name(bot)!r}: give one another __name__")
    OWN_BOTS.update({name: _maker(function) for name, function in own.items()})
    try:
        yield tuple(bot if isinstance(bot, str) else _name(bot) for bot in bots)
    finally:
        for name in own:
            del OWN_BOTS[name]


def _name(function: BotFunction) -> str:
    name = getattr(function, "__name__", None) or str(getattr(function, "level", type(function).__name__))
    return f"own {name}" if name in LEVELS else name


def _maker(function: BotFunction) -> Any:
    return lambda game, seed: Asked(function, game)


def _result(figures: Mapping[str, Any]) -> Tournament:
    scores = [BotScore(name, **values) for name, values in figures["bots"].items()]
    scores.sort(key=lambda score: -score.share)
    faults = tuple(f"race {f['game']}, seat {f['seat']}, {f['bot']}: {f['why']}" for f in figures["faults"])
    return Tournament(figures["game"], figures["seats"], figures["games"], tuple(scores), faults)
