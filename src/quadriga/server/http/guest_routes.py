"""HTTP: who I am, my tables, my data."""

from typing import Annotated, Any

from litestar import Response, delete, get, patch, post
from litestar.datastructures import Cookie
from litestar.params import QueryParameter
from msgspec import Meta, Struct

from quadriga.server.database import chat_rows, guests
from quadriga.server.database.guests import Guest
from quadriga.server.errors import Refused
from quadriga.server.guest_tokens import COOKIE, COOKIE_SECONDS
from quadriga.server.output import views
from quadriga.server.services import Services
from quadriga.server.tables import chat
from quadriga.server.tables.document import Name
from quadriga.server.tables.erasure import forget_guest
from quadriga.server.tables.lobby import clean_name
from quadriga.server.tables.persistence import list_tables

Json = dict[str, Any]


class NewGuest(Struct, forbid_unknown_fields=True):
    """A name."""

    name: Name


class CarryCode(Struct, forbid_unknown_fields=True):
    """The code of a link."""

    code: Annotated[str, Meta(min_length=1, max_length=200)]


class BlockOrder(Struct, forbid_unknown_fields=True):
    """Somebody at a table."""

    table: Annotated[str, Meta(min_length=1, max_length=32)]
    seat: Annotated[int, Meta(ge=0, le=15)]


class Report(Struct, forbid_unknown_fields=True):
    """What somebody did."""

    table: Annotated[str, Meta(min_length=1, max_length=32)]
    text: Annotated[str, Meta(min_length=1, max_length=2000)]
    seat: Annotated[int, Meta(ge=0, le=15)] | None = None
    message: Annotated[int, Meta(ge=0, le=2**53)] | None = None


def required(guest: Guest | None) -> Guest:
    """Refuse those without a name."""
    if guest is None:
        raise Refused("no_guest")
    return guest


def _cookie(services: Services, value: str, seconds: int = COOKIE_SECONDS) -> Cookie:
    secure = services.settings.secure
    return Cookie(COOKIE, value=value, max_age=seconds, httponly=True, secure=secure, samesite="lax", path="/")


def _welcome(services: Services, guest: Guest) -> Response[Json]:
    token = services.signer.sign(guest.id)
    return Response({"guest": guest, "token": token}, cookies=[_cookie(services, token)])


@post("/api/guests", tags=["me"], status_code=201)
async def new_guest(data: NewGuest, services: Services, address: str) -> Response[Json]:
    """A new guest, with a name and no account."""
    services.new_guests.require(address)
    name = clean_name(data.name)
    now = services.registry.now()
    guest = await services.store.write(lambda connection: guests.add_guest(connection, name, now))
    answer = _welcome(services, guest)
    answer.status_code = 201
    return answer


@get("/api/me", tags=["me"])
async def me(guest: Guest | None) -> Json:
    """Who I am."""
    return {"guest": guest}


@patch("/api/me", tags=["me"])
async def rename(data: NewGuest, services: Services, guest: Guest | None) -> Json:
    """Another name."""
    who, name = required(guest), clean_name(data.name)
    await services.store.write(lambda connection: guests.rename_guest(connection, who.id, name))
    return {"guest": Guest(who.id, name)}


@delete("/api/me", tags=["me"], status_code=200)
async def forget_me(services: Services, guest: Guest | None) -> Response[Json]:
    """Delete everything about me."""
    who = required(guest)
    await forget_guest(services.executor, who.id)
    for connection in list(services.connections):
        if connection.guest_id == who.id:
            connection.close(4010)
    return Response({"forgotten": True, "remains": "backups"}, cookies=[_cookie(services, "", 0)])


@get("/api/me/data", tags=["me"])
async def my_data(services: Services, guest: Guest | None) -> Json:
    """Everything kept about me."""
    who = required(guest)
    return dict(await services.store.read(lambda connection: guests.data_of(connection, who.id)))


@post("/api/me/link", tags=["me"], status_code=201)
async def link(services: Services, guest: Guest | None) -> Json:
    """A code that carries me to another device, once."""
    who = required(guest)
    now = services.registry.now()
    code, until = await services.store.write(lambda connection: guests.add_carry(connection, who.id, now))
    return {"code": code, "until": until}


@get("/api/me/carry", tags=["me"])
async def whose_link(
    services: Services, guest: Guest | None, code: Annotated[str, QueryParameter(min_length=1, max_length=200)]
) -> Json:
    """Whose a link is, so that a page can ask before it becomes that guest; changes nothing."""
    now = services.registry.now()
    found = await services.store.read(lambda connection: guests.whose_carry(connection, code, now))
    if found is None:
        raise Refused("no_code")
    return {"name": found.name, "is_me": guest is not None and guest.id == found.id}


@post("/api/me/carry", tags=["me"], status_code=200)
async def carry(data: CarryCode, services: Services, address: str) -> Response[Json]:
    """Become the guest that a link belongs to."""
    services.new_guests.require(address)
    now = services.registry.now()
    found = await services.store.write(lambda connection: guests.use_carry(connection, data.code, now))
    if found is None:
        raise Refused("no_code")
    return _welcome(services, found)


@get("/api/me/tables", tags=["me"])
async def my_tables(services: Services, guest: Guest | None) -> list[Json]:
    """My tables, newest first."""
    who = required(guest)
    docs = await services.store.read(lambda connection: list_tables(connection, who.id))
    return [views.card(doc, who.id) for doc in docs]


@get("/api/blocks", tags=["me"])
async def list_blocks(services: Services, guest: Guest | None) -> list[Json]:
    """Guests I have blocked."""
    who = required(guest)
    return list(await services.store.read(lambda connection: chat_rows.list_blocks(connection, who.id)))


@post("/api/blocks", tags=["me"], status_code=201)
async def block(data: BlockOrder, services: Services, guest: Guest | None) -> list[Json]:
    """Block whoever holds a seat."""
    who = required(guest)
    seat = (await services.registry.open(data.table)).seat(data.seat)
    other = seat.guest
    if other is None or other == who.id:
        raise Refused("no_seat", seat=data.seat)
    await services.store.write(lambda connection: chat_rows.block(connection, who.id, other, seat.name))
    return await _blocks_now(services, who)


@delete("/api/blocks/{blocked:str}", tags=["me"], status_code=200)
async def unblock(blocked: str, services: Services, guest: Guest | None) -> list[Json]:
    """Take a block back."""
    who = required(guest)
    await services.store.write(lambda connection: chat_rows.unblock(connection, who.id, blocked[:32]))
    return await _blocks_now(services, who)


async def _blocks_now(services: Services, who: Guest) -> list[Json]:
    found = await services.store.read(lambda connection: chat_rows.list_blocks(connection, who.id))
    for connection in services.connections:
        if connection.guest_id == who.id:
            connection.blocked = {one["guest"] for one in found}
    return list(found)


@post("/api/reports", tags=["me"], status_code=201)
async def report(data: Report, services: Services, guest: Guest | None) -> Json:
    """Tell whoever runs the server."""
    who, text = required(guest), chat.clean(data.text)
    services.chats.require(who.id)
    await services.registry.open(data.table)
    now = services.registry.now()
    await services.store.write(
        lambda connection: chat_rows.report(connection, who.id, now, data.table, data.seat, data.message, text)
    )
    return {"reported": True}


@get("/api/tables", tags=["tables"])
async def listed_tables(services: Services, guest: Guest | None) -> list[Json]:
    """Tables that are listed and open or racing."""
    docs = await services.store.read(lambda connection: list_tables(connection, None))
    return [views.card(doc, guest.id if guest else None) for doc in docs]


HANDLERS = [
    new_guest, me, rename, forget_me, my_data, link, whose_link, carry, my_tables, list_blocks, block, unblock, report,
    listed_tables,
]  # fmt: skip
