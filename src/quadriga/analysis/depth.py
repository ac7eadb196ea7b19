"""How deep an analysis goes, in numbers of playouts."""

from dataclasses import dataclass

from quadriga.core.errors import InvalidOption


@dataclass(frozen=True)
class Depth:
    """Numbers of playouts; all grow with the depth."""

    first: int
    """Playouts of every candidate of a decision."""
    second: int
    """Playouts of those that stay."""
    batch: int
    """New playouts for the cost, made again until it is clear, …"""
    batches: int
    """… at most so often."""
    outcomes: int
    """Outcomes of a random event."""
    stretch: int
    """Playouts of a position to the end of its stretch."""

    def scaled(self, scale: float) -> "Depth":
        """The same with so many times the playouts."""
        if not 0 < scale <= MOST_SCALE:
            raise InvalidOption(f"a depth is scaled by more than 0 and at most {MOST_SCALE}, not {scale}")
        first, second, batch, outcomes, stretch = (
            max(1, round(number * scale))
            for number in (self.first, self.second, self.batch, self.outcomes, self.stretch)
        )
        return Depth(first, second, max(2, batch), self.batches, max(4, outcomes), max(4, stretch))

    def __str__(self) -> str:
        numbers = (self.first, self.second, self.batch, self.batches, self.outcomes, self.stretch)
        return "-".join(map(str, numbers))


MOST_SCALE = 1000

DEPTHS = {
    "quick": Depth(first=4, second=16, batch=32, batches=4, outcomes=64, stretch=16),
    "standard": Depth(first=16, second=64, batch=128, batches=5, outcomes=256, stretch=64),
    "deep": Depth(first=64, second=256, batch=512, batches=5, outcomes=1024, stretch=256),
}
"""Depths by name."""


def find_depth(depth: "str | Depth") -> Depth:
    """A depth by its name, or as it is; InvalidOption if there is none of the name."""
    if isinstance(depth, Depth):
        return depth
    if depth not in DEPTHS:
        raise InvalidOption(f"there is no depth {depth!r}; there are {', '.join(DEPTHS)}")
    return DEPTHS[depth]
