"""HTTP: my races in pages, figures of mine, and taking a race off the list."""

from functools import partial
from typing import Annotated, Any

from litestar import delete, get
from litestar.params import PathParameter, QueryParameter

from quadriga.server.database.guests import Guest
from quadriga.server.http.guest_routes import required
from quadriga.server.output import views
from quadriga.server.services import Services
from quadriga.server.tables import my_races
from quadriga.server.tables.document import OPEN, RACING
from quadriga.server.tables.my_races import Cursor, Page, Show

Json = dict[str, Any]
MOST_RACES = 100
ORDER = {RACING: 0, OPEN: 1}
"""Races that go on come before tables that wait."""


def _cursor(text: str | None) -> Cursor | None:
    if text is None:
        return None
    changed, _, table = text.partition("-")
    return int(changed), table


@get("/api/me/races", tags=["me"])
async def list_races(
    services: Services,
    guest: Guest | None,
    show: Show = "finished",
    game: Annotated[str | None, QueryParameter(max_length=40)] = None,
    before: Annotated[str | None, QueryParameter(max_length=60, pattern=r"^\d{1,16}-[\w-]{1,32}$")] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=MOST_RACES)] = 20,
) -> Json:
    """My races: those that go on, those that have ended, or races of bots that I watched."""
    who = required(guest)
    read = partial(
        my_races.read_page, guest=who.id, show=show, game=game, before=_cursor(before), limit=limit
    )  # fmt: skip
    page: Page = await services.store.read(read)
    races = [views.race_card(doc, who.id) for doc in page.docs]
    if show == "current":
        races.sort(key=lambda card: (not card["my_turn"], ORDER.get(card["state"], 2)))
    return {"races": races, "next": f"{page.last[0]}-{page.last[1]}" if page.last else None}


@get("/api/me/figures", tags=["me"])
async def figures(services: Services, guest: Guest | None) -> Json:
    """Races, places and rivals of mine."""
    who = required(guest)
    return dict(await services.store.read(partial(my_races.read_figures, guest=who.id)))


@delete("/api/me/races/{table:str}", tags=["me"], status_code=200)
async def remove_race(
    table: Annotated[str, PathParameter(max_length=32)], services: Services, guest: Guest | None
) -> Json:
    """Take a race off my list; if nobody else took part it is deleted."""
    return {"deleted": await my_races.remove_race(services.executor, required(guest).id, table)}


HANDLERS = [list_races, figures, remove_race]
