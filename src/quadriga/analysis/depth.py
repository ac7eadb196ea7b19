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
    "quick": Depth(first=8, second=32, batch=48, batches=4, outcomes=96, stretch=48),
    "standard": Depth(first=32, second=160, batch=256, batches=5, outcomes=384, stretch=192),
    "deep": Depth(first=128, second=640, batch=1024, batches=5, outcomes=1536, stretch=768),
}
"""Depths by name."""


def find_depth(depth: "str | Depth") -> Depth:
    """A depth by its name, or as it is; InvalidOption if there is none of the name."""
    if isinstance(depth, Depth):
        return depth
    if depth not in DEPTHS:
        raise InvalidOption(f"there is no depth {depth!r}; there are {', '.join(DEPTHS)}")
    return DEPTHS[depth]
