"""What a seat sees as numbers: itself first, then the others."""

from dash.components import Tables
from dash.state import RUNNERS, SQUARES
from dash.view import View
from quadriga.core.kernel import kernel
from quadriga.core.observation import Block, Floats, Observation, Part, nothing, one_of, scaled

MOST_LAPS = 5
CARDS = 2

RUNNER = (
    Part("racing", 1, "1 in the race; all else is 0 for a runner that is not"),
    Part("square", SQUARES, "the square it stands on"),
    Part("lap", 1, "laps run, of 5"),
    Part("down", 1, "1 if it lies on the ground"),
)
LAYOUT = (
    Part("laps", 1, "laps agreed on, of 5"),
    Part("card", CARDS, "one's own card: oats, net"),
    Block("runners", RUNNERS, RUNNER, "for each runner, one's own first"),
)


@kernel
def encode(view: View, tables: Tables, out: Floats) -> int:
    """Write the view of a seat; how many numbers."""
    at = scaled(out, 0, view.laps, MOST_LAPS)
    at = one_of(out, at, view.card, CARDS)
    for i in range(RUNNERS):
        if i < view.seats:
            runner = (max(int(view.me), 0) + i) % int(view.seats)
            at = scaled(out, at, 1, 1)
            at = one_of(out, at, view.square[runner], SQUARES)
            at = scaled(out, at, view.lap[runner], MOST_LAPS)
            at = scaled(out, at, view.down[runner], 1)
        else:
            at = nothing(out, at, SQUARES + 3)
    return at


OBSERVATION = Observation(view=View, layout=LAYOUT, encode=encode)
