"""What a lobby needs to know of Dash."""

from quadriga.core.meta import Meta, Option

META = Meta(
    name="dash",
    title="Dash",
    designer="nobody",
    seats=(2, 3),
    minutes=(1, 2),
    rules_version=1,
    options=(
        Option("laps", 2, low=1, high=5),
        Option("muddy", False, only_seats=(3,)),
        Option("wind", "calm", words=("calm", "storm")),
    ),
    simultaneous=True,
)
