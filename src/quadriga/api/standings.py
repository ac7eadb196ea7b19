"""Who is where in a race."""

from typing import NamedTuple


class Standing(NamedTuple):
    """One line of the standings: the place, the seat and the name of who sits there."""

    place: int
    """The place, from 1; from 2 where nobody wins. Equal places are possible."""
    seat: int
    """The number of the seat, from 0."""
    name: str
    """The name of the player."""
