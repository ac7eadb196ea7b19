"""What happens, and why a choice is refused."""

from typing import Annotated

from quadriga.core.fields import In
from quadriga.core.messages import Event, Refusal


class Moved(Event, code=1):
    """A runner ran."""

    runner: Annotated[int, In("runner")]
    start: Annotated[int, In("square")]
    to: Annotated[int, In("square")]
    face: Annotated[int, In("face")]
    steps: int


class Slipped(Event, code=2):
    """A runner fell."""

    runner: Annotated[int, In("runner")]
    badly: bool


class Rose(Event, code=3):
    """A runner got up."""

    seat: Annotated[int, In("seat")]


class Drew(Event, code=4):
    """A card, for its holder alone."""

    card: Annotated[int, In("card")]


class Finished(Event, code=5):
    """A runner is home."""

    runner: Annotated[int, In("runner")]
    seat: Annotated[int, In("seat")]


class TooFast(Refusal, code=1):
    """A pace without the card for it."""

    pace: int
    most: int


class NotDown(Refusal, code=2):
    """Rising while standing."""


class Lying(Refusal, code=3):
    """Running while down."""

    runner: Annotated[int, In("runner")]


EVENTS = (Moved, Slipped, Rose, Drew, Finished)
REFUSALS = (TooFast, NotDown, Lying)
MOVED, SLIPPED, ROSE, DREW, FINISHED = Moved.code, Slipped.code, Rose.code, Drew.code, Finished.code
TOO_FAST, NOT_DOWN, LYING = TooFast.code, NotDown.code, Lying.code
