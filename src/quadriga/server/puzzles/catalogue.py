"""Which puzzles there are: those that come with each game, by number."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache
from random import Random

from quadriga import games
from quadriga.core.edition import TomlFile
from quadriga.core.exercise import Attempt
from quadriga.core.scenario import parse_scenario
from quadriga.puzzles.pack import name_of, open_shipped
from quadriga.puzzles.rating import Rating, first_rating
from quadriga.server.errors import Refused

MOST_KEPT = 512
"""Puzzles that are kept read."""
NEAREST = 5
"""The next puzzle is one of so many that are nearest to the solver's rating."""


@dataclass(frozen=True)
class Card:
    """What is known of a puzzle before it is opened."""

    number: int
    key: str
    """The same for the same puzzle, whatever its number."""
    difficulty: float
    first: Rating
    """The rating that it begins with."""

    @property
    def stars(self) -> int:
        """The difficulty as one to five stars."""
        return min(5, 1 + int(5 * self.difficulty))


@lru_cache(maxsize=16)
def cards_of(game: str) -> tuple[Card, ...]:
    """The puzzles of a game, the first number first; refused if there is no such game. Reads them all once."""
    if game not in games.NAMES:
        raise Refused("no_game", game=game[:40])
    pack = open_shipped(game)
    return () if pack is None else tuple(_card(game, number) for number in range(1, len(pack) + 1))


def _card(game: str, number: int) -> Card:
    pack = open_shipped(game)
    assert pack is not None
    source = pack.read(name_of(number))
    difficulty = float(source.data["exercise"]["facts"]["difficulty"])
    return Card(number, key_of(game, source), difficulty, first_rating(difficulty))


def key_of(game: str, source: TomlFile) -> str:
    """What a puzzle is known by: the position and how it came about, not its number nor what is said about it."""
    position = {key: value for key, value in source.data.items() if key not in ("about", "exercise", "then")}
    steps = [{key: value for key, value in step.items() if key != "ask"} for step in source.data["then"]]
    digest = hashlib.sha256(json.dumps([position, steps], sort_keys=True).encode()).hexdigest()
    return f"{game}-{digest[:24]}"


def find_card(game: str, number: int) -> Card:
    """A puzzle by its number, or a refusal."""
    cards = cards_of(game)
    if not 1 <= number <= len(cards):
        raise Refused("not_found")
    return cards[number - 1]


@lru_cache(maxsize=MOST_KEPT)
def open_puzzle(game: str, number: int) -> Attempt:
    """A puzzle with its position; never changed: `Attempt.fork` is."""
    pack = open_shipped(game)
    assert pack is not None
    return Attempt(parse_scenario(pack.read(name_of(number)), games.load))


def today(now: int) -> date:
    """The day of a time in milliseconds since 1970; days begin at midnight UTC."""
    return datetime.fromtimestamp(now / 1000, UTC).date()


def daily_number(game: str, day: date) -> int:
    """The number of the puzzle of a day: all come once before any comes again."""
    count = len(cards_of(game))
    if not count:
        raise Refused("not_found")
    rounds, at = divmod(day.toordinal(), count)
    numbers = list(range(1, count + 1))
    Random(f"{game} {rounds}").shuffle(numbers)
    return numbers[at]


def choose_next(
    cards: Sequence[Card], rated: Mapping[str, Rating], seen: set[str], own: Rating, besides: int, random: Random
) -> Card | None:
    """A puzzle near a rating that was not seen yet, else any other; None if there is no other."""
    others = [card for card in cards if card.number != besides]
    left = [card for card in others if card.key not in seen] or others
    nearest = sorted(left, key=lambda card: abs(rated.get(card.key, card.first).mu - own.mu))[:NEAREST]
    return random.choice(nearest) if nearest else None
