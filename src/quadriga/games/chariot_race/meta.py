"""Chariot Race: what a lobby needs to know."""

from quadriga.core.meta import Meta, Option

TRACKS = ("A-A", "A-B", "B-A", "B-B")
"""Sides of the right and the left half-board."""

META = Meta(
    name="chariot_race",
    title="Chariot Race",
    designer="Matt Leacock",
    seats=(2, 3, 4, 5, 6),
    minutes=(30, 45),
    rules_version=2,
    options=(  # CR-14
        Option("track", default="A-A", words=TRACKS),
        Option("alternate", default=False),
        Option("sheltered", default=False),
        Option("pairs", default=True, only_seats=(2, 3)),
        Option("limit", default=100, low=1, high=1000),
    ),
    drawn=True,
)
