"""What a lobby needs to know of a game: importable without the rules, and without Numba."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from quadriga.core.errors import InvalidOption

OptionValue = int | bool | str


@dataclass(frozen=True)
class Option:
    """A choice made before the race: a number in a range, a switch, or one of several words.

    The state has a field of the same name; words are stored by their place, switches as 0 and 1.
    """

    name: str
    default: OptionValue
    low: int = 0
    high: int = 1
    words: tuple[str, ...] = ()
    only_seats: tuple[int, ...] = ()
    """If given, the option exists at these numbers of seats alone; elsewhere it is off."""

    def number(self, value: object) -> int:
        """The number the state keeps for a value, or InvalidOption."""
        if self.words:
            if value not in self.words:
                raise InvalidOption(f"option {self.name} is one of {', '.join(self.words)}, not {value!r}")
            return self.words.index(str(value))
        if isinstance(self.default, bool):
            if not isinstance(value, bool):
                raise InvalidOption(f"option {self.name} is true or false, not {value!r}")
            return int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not self.low <= value <= self.high:
            raise InvalidOption(f"option {self.name} is a number from {self.low} to {self.high}, not {value!r}")
        return value

    @property
    def shown_default(self) -> str:
        """The default as people write it."""
        return {True: "yes", False: "no"}[self.default] if isinstance(self.default, bool) else str(self.default)

    def applies(self, seats: int) -> bool:
        """Whether the option exists at this number of seats."""
        return not self.only_seats or seats in self.only_seats


@dataclass(frozen=True)
class Meta:
    """A game's card: what it is called, who made it, how many play, what can be chosen."""

    name: str
    title: str
    designer: str
    seats: tuple[int, ...]
    minutes: tuple[int, int]
    rules_version: int
    options: tuple[Option, ...]
    simultaneous: bool = False
    """Whether seats choose at the same time, always or at times."""
    quick_options: Mapping[str, OptionValue] = field(default_factory=dict)
    """Options of a race that is started with one click, where they are not the defaults."""

    def check_seats(self, seats: int) -> None:
        """Raise InvalidOption for a number of seats the game does not have."""
        if seats not in self.seats:
            raise InvalidOption(f"{self.title} is for {self.seats[0]} to {self.seats[-1]} players, not {seats}")

    def settle(self, seats: int, options: Mapping[str, object]) -> dict[str, OptionValue]:
        """All options with their values, defaults filled in; raises InvalidOption for what does not exist."""
        self.check_seats(seats)
        known = {option.name: option for option in self.options}
        for name in options:
            if name not in known:
                raise InvalidOption(f"{self.title} has no option {name!r}; it has {', '.join(known)}")
        settled: dict[str, OptionValue] = {}
        for option in self.options:
            if option.applies(seats):
                value = options.get(option.name, option.default)
                option.number(value)
                settled[option.name] = value  # type: ignore[assignment]
            elif options.get(option.name, False) is not False:
                counts = " or ".join(map(str, option.only_seats))
                raise InvalidOption(f"option {option.name} is for {counts} players, not {seats}")
        return settled

    def numbers(self, options: Mapping[str, OptionValue]) -> dict[str, int]:
        """Settled options as the state keeps them; an option that does not exist here is 0."""
        return {o.name: o.number(options[o.name]) if o.name in options else 0 for o in self.options}
