"""Chariots for the lobby."""

from quadriga.core.meta import Meta, Option

META = Meta(
    name="chariots",
    title="Chariots",
    designer="Mark A. Biggar",
    seats=(2, 3, 4),
    minutes=(20, 60),
    rules_version=2,
    options=(
        Option("laps", 3, low=1, high=10),
        Option("two_chariots", True, only_seats=(2,)),
        Option("special_actions", False),
        Option("faster_recovery", False),
        Option("race_on", False),
        Option("limit", 40, low=5, high=200),
    ),
    drawn=True,
    simultaneous=True,
    quick_options={"laps": 2},
)
