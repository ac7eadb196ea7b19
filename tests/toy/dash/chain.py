"""Choices of Dash, id by id: a pace, or to get up."""

from dash.actions import DO_RISE, GO_PACE
from dash.components import Tables
from dash.state import Race
from quadriga.core.chain import Chain, Ids, spelt_link, spelt_links
from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.messages import kind_of, part

IDS = (
    Ids(("pace 1", "pace 2", "pace 3"), "run at that pace"),
    Ids(("rise",), "get up"),
)
RISE_ID = 3


@kernel
def spell(race: Race, tables: Tables, seat: int, code: int, place: int) -> int:
    """The id at a place of a choice, none behind its end."""
    if place > 0:
        return NONE
    return RISE_ID if kind_of(code) == DO_RISE else part(code, GO_PACE) - 1


CHAIN = Chain(race=Race, ids=IDS, links=spelt_links, link=spelt_link, spell=spell)
