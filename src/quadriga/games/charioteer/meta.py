"""What a lobby needs to know of Charioteer."""

from quadriga.core.meta import Meta, Option

META = Meta(
    name="charioteer",
    title="Charioteer",
    designer="Matt Calkins",
    seats=(2, 3, 4, 5, 6),
    minutes=(30, 60),
    rules_version=2,
    options=(
        Option("laps", 3, low=1, high=5),
        Option("crowd_wild", False),
        Option("limit", 100, low=1, high=1000),
    ),
    drawn=True,
    simultaneous=True,
)
