"""What a runner can choose."""

from typing import Annotated

from quadriga.core.fields import In
from quadriga.core.messages import Action, Bits, UpTo


class Go(Action, code=1):
    """Run at a pace."""

    pace: Annotated[int, Bits(2)]
    shout: bool = False


class Rise(Action, code=2):
    """Get up, perhaps past some squares looked at on the way."""

    seen: Annotated[tuple[int, ...], UpTo(2), Bits(3), In("square")] = ()
    rival: Annotated[int, Bits(2), In("runner")] = -1


ACTIONS = (Go, Rise)

DO_GO, GO_PACE = Go.code, Go.at("pace")
DO_RISE = Rise.code
