"""The games, with the standard edition of their components or one of your own."""

from functools import cached_property
from pathlib import Path

from quadriga import games
from quadriga.core.edition import TomlFile
from quadriga.core.game import Game as CoreGame
from quadriga.core.meta import OptionValue

Edition = str | Path
"""A file, or the TOML text of an edition itself."""


class Game:
    """A game with its components: the standard edition, or one given as a file or as TOML text.

    >>> Game("chariots").title
    'Chariots'
    """

    def __init__(self, name: str, edition: Edition | None = None) -> None:
        self._meta = games.meta(name)
        self._source = None if edition is None else _source(edition)
        if self._source is not None:
            self._core.edition  # noqa: B018  a wrong edition is refused here, not at the first race

    @cached_property
    def _core(self) -> CoreGame:
        return games.load(self.name, self._source)

    @property
    def name(self) -> str:
        """The name in code and commands: `chariots`."""
        return self._meta.name

    @property
    def title(self) -> str:
        """The name for people: `Chariot Race`."""
        return self._meta.title

    @property
    def designer(self) -> str:
        """Who designed the game."""
        return self._meta.designer

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players the game is for."""
        return self._meta.seats

    @property
    def minutes(self) -> tuple[int, int]:
        """About how long a race takes among people, from and to."""
        return self._meta.minutes

    @property
    def rules_version(self) -> int:
        """The version of the rules; records belong to one."""
        return self._meta.rules_version

    @property
    def options(self) -> dict[str, OptionValue]:
        """The options with their default values."""
        return {option.name: option.default for option in self._meta.options}

    @property
    def edition(self) -> str:
        """The components as TOML text, to be edited and given to `Game(name, edition=...)`."""
        return self._core.edition.source.text

    @property
    def is_standard(self) -> bool:
        """Whether the components are those of the standard edition."""
        return self._source is None

    @property
    def fingerprint(self) -> str:
        """A short hash of the edition, as in records."""
        return self._core.edition.fingerprint

    def __repr__(self) -> str:
        return f"Game({self.name!r})" if self.is_standard else f"Game({self.name!r}, edition {self.fingerprint})"


def _source(edition: Edition) -> TomlFile:
    """A text of several lines is the edition itself, anything else the name of its file."""
    if isinstance(edition, str) and "\n" in edition:
        return TomlFile("edition", edition)
    return TomlFile.read(edition)


def all_games() -> list[Game]:
    """All games that are installed."""
    return [Game(name) for name in games.NAMES]


def as_game(game: str | Game) -> Game:
    """A game by its name, or as it is."""
    return Game(game) if isinstance(game, str) else game


def core_game(game: Game) -> CoreGame:
    """The game of `core` behind a public one."""
    return game._core


def usual_players(game: Game) -> int:
    """Four players where the game is for four, else as few as it takes."""
    return 4 if 4 in game.players else game.players[0]
