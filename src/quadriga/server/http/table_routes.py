"""HTTP: tables, their races, records and the check of the dice."""

import asyncio
from typing import Annotated, Any

import msgspec
from litestar import MediaType, Request, Response, get, post
from litestar.params import QueryParameter

from quadriga.core.match import hidden
from quadriga.core.record import FORMAT, Record, record_of, to_json
from quadriga.core.streams import commitment
from quadriga.core.typed import complaint
from quadriga.server.database import chat_rows, table_rows
from quadriga.server.database.guests import Guest
from quadriga.server.errors import Refused
from quadriga.server.http.guest_routes import required
from quadriga.server.output import views
from quadriga.server.output.broadcast import delay_of, last_shown, require_sight, views_of
from quadriga.server.output.chat_broadcast import message as chat_message
from quadriga.server.output.game_description import describe_game
from quadriga.server.services import Services
from quadriga.server.tables import commands as c
from quadriga.server.tables import creation, persistence
from quadriga.server.tables.document import OVER, NewTable, Seat, TableDocument, TableSettings
from quadriga.server.tables.table import LiveTable, LoggedStep
from quadriga.server.uploads.worker import AcceptEdition, Replayed, ReplayRecord, VerifyRecord, check_of, verify

Json = dict[str, Any]
MOST_STEPS = 500
_replayed = msgspec.msgpack.Decoder(Replayed)
SeatQuery = Annotated[int | None, QueryParameter(ge=0, le=15)]


@post("/api/tables", tags=["tables"], status_code=201)
async def new_table(data: NewTable, services: Services, guest: Guest | None, address: str) -> Json:
    """A new table."""
    host = required(guest)
    services.tables.require(host.id)
    if data.edition is not None:
        await services.uploads.do(address, AcceptEdition(data.game, data.edition))
    live, tokens = await services.registry.create(data, host)
    return {"table": views.table(live, host.id), "seats": tokens}


@get("/api/tables/{table:str}", tags=["tables"])
async def one_table(table: str, services: Services, guest: Guest | None) -> Json:
    """A table as the caller may see it."""
    live = await services.registry.open(table)
    async with live.lock:
        return views.table(live, guest.id if guest else None)


@get("/api/tables/{table:str}/game", tags=["tables"])
async def table_game(table: str, services: Services) -> Json:
    """The table's game with its own components."""
    live = await services.registry.open(table)
    return await asyncio.to_thread(describe_game, live.game)


@post("/api/tables/{table:str}/commands", tags=["tables"], status_code=200)
async def command(table: str, data: Json, services: Services, guest: Guest | None) -> Json:
    """One command of the websocket protocol."""
    try:
        order = msgspec.convert(data | {"table": table}, c.AnyCommand)
    except msgspec.ValidationError as error:
        place, cause = complaint(error)
        raise Refused("malformed", cause=".".join(map(str, place)) + ": " + cause if place else cause) from None
    return {"done": await services.execute(guest, order)}


# ---------------------------------------------------------------- the race


def _seat_of(live: LiveTable, guest: Guest | None, wanted: int | None) -> int | None:
    """The seat to see from: one's own, or any once the race is over."""
    mine = views_of(live, guest.id if guest else None)
    if wanted is None:
        return mine[0]
    live.seat(wanted)
    if wanted not in mine and live.doc.state != OVER:
        raise Refused("not_yours", seat=wanted)
    return wanted


def _race(live: LiveTable, guest: Guest | None, seat: int | None, now: int) -> tuple[int | None, int]:
    """The seat to see from, and the last entry that may be seen."""
    require_sight(live, guest.id if guest else None)
    live.note_seen(guest, now)
    if live.match is None:
        live.require_race()
        raise Refused("stopped", made=live.doc.rules_version, now=live.game.meta.rules_version)
    number = _seat_of(live, guest, seat)
    return number, last_shown(live, delay_of(live, [number]), now)


@get("/api/tables/{table:str}/view", tags=["race"])
async def view(table: str, services: Services, guest: Guest | None, seat: SeatQuery = None) -> Json:
    """The race as a seat sees it now, with its choices."""
    live = await services.registry.open(table)
    async with live.lock:
        now = services.registry.now()
        number, last = _race(live, guest, seat, now)
        if live.match and last == live.match.seq:
            return views.view(live, views.position(live, now), number, [], last)
        return await _view_after(services, live, number, last)


async def _view_after(services: Services, live: LiveTable, seat: int | None, seq: int) -> Json:
    found = await services.registry.loader.steps(live, seq, seq)
    if not found:
        raise Refused("no_step", seq=seq)
    step, moment = found[0]
    return views.view(live, views.past(live, seq, moment.state), seat, [step], seq - 1) | {"legal": []}


@get("/api/tables/{table:str}/steps", tags=["race"])
async def steps(
    table: str,
    services: Services,
    guest: Guest | None,
    since: Annotated[int, QueryParameter(ge=-1, le=2**31 - 1)] = -1,
    limit: Annotated[int, QueryParameter(ge=1, le=MOST_STEPS)] = MOST_STEPS,
    seat: SeatQuery = None,
) -> Json:
    """What happened after an entry, as a seat may know it."""
    live = await services.registry.open(table)
    async with live.lock:
        number, last = _race(live, guest, seat, services.registry.now())
        found = await services.registry.loader.steps(live, since + 1, min(last, since + limit))
        is_over = live.doc.state == OVER
        some = [step for step, _ in found]
        return await asyncio.to_thread(_write_steps, live, some, number, is_over) | {"last": last}


def _write_steps(live: LiveTable, found: list[LoggedStep], seat: int | None, is_over: bool) -> Json:
    """Steps and who chose what, as JSON; many take too long for the event loop."""
    chosen = {str(step.seq): views.choices_known(live.game, step, seat, is_over) for step in found}
    return {
        "steps": [views.step(live.game, step, seat) for step in found],
        "choices": {seq: known for seq, known in chosen.items() if known},
    }


@get("/api/tables/{table:str}/steps/{seq:int}", tags=["race"])
async def one_step(table: str, seq: int, services: Services, guest: Guest | None, seat: SeatQuery = None) -> Json:
    """The race after an entry."""
    live = await services.registry.open(table)
    async with live.lock:
        number, last = _race(live, guest, seat, services.registry.now())
        if not 0 <= seq <= last:
            raise Refused("no_step", seq=seq)
        return await _view_after(services, live, number, seq)


@get("/api/tables/{table:str}/chat", tags=["tables"])
async def chat_of(
    table: str,
    services: Services,
    guest: Guest | None,
    before: Annotated[int, QueryParameter(ge=0, le=chat_rows.NO_MESSAGE)] = chat_rows.NO_MESSAGE,
    limit: Annotated[int, QueryParameter(ge=1, le=200)] = 50,
) -> list[Json]:
    """Chat messages, oldest first."""
    live = await services.registry.open(table)
    require_sight(live, guest.id if guest else None)
    rows = await services.store.read(lambda connection: chat_rows.read(connection, table, 0, before, limit))
    numbers = [row.id for row in rows]
    reactions = await services.store.read(lambda connection: chat_rows.reactions_to(connection, numbers))
    unwanted = set(live.doc.muted)
    if guest:
        unwanted |= await services.store.read(lambda connection: chat_rows.blocked_by(connection, guest.id))
    mine = guest.id if guest else None
    shown = [row for row in rows if row.guest not in unwanted]
    return [chat_message(row, reactions.get(row.id, {}), mine, unwanted) for row in shown]


# ---------------------------------------------------------------- records


async def _record(services: Services, live: LiveTable, guest: Guest | None) -> Record:
    async with live.lock:
        if live.match is None and live.stored >= 0:
            require_sight(live, guest.id if guest else None)
            stored = await services.store.read(lambda connection: persistence.read_loaded(connection, live.doc.id))
            return _record_as_stored(live, stored)
        _, last = _race(live, guest, None, services.registry.now())
        assert live.match is not None
        if last < live.match.seq:
            raise Refused("not_over")
        return record_of(live.match)


def _record_as_stored(live: LiveTable, stored: persistence.Loaded) -> Record:
    """The record of a race whose rules are no longer played here: it can be kept, not replayed."""
    doc, over = live.doc, live.doc.state == OVER
    return Record(
        format=FORMAT,
        game=doc.game,
        rules_version=doc.rules_version,
        edition=live.edition,
        fingerprint=doc.fingerprint,
        seats=tuple(doc.sitters),
        options=doc.options,
        commitment=commitment(bytes.fromhex(doc.seed)),
        nonces=tuple(doc.nonces),
        seed=doc.seed if over else None,
        log=tuple(stored.log if over else map(hidden, stored.log)),
        result=doc.ending,
    )


@get("/api/tables/{table:str}/record", tags=["records"])
async def record(table: str, services: Services, guest: Guest | None) -> Response[str]:
    """The record as a file; it tells no secret while the race runs."""
    live = await services.registry.open(table)
    text = await asyncio.to_thread(to_json, await _record(services, live, guest))
    name = f"quadriga-{live.doc.game}-{table}.json"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=MediaType.JSON, headers=headers)


@get("/api/tables/{table:str}/verify", tags=["records"])
async def verify_table(table: str, services: Services, guest: Guest | None, address: str) -> Response[bytes]:
    """The check of the dice of a table's race."""
    live = await services.registry.open(table)
    if live.match is None and live.stored < 0:
        seed = bytes.fromhex(live.doc.seed)
        return _json(views.encode(check_of(commitment(seed), None, (), None, 0, None)))
    found = await _record(services, live, guest)
    if found.seed is None:  # nothing to replay yet
        return _json(views.encode(verify(found)))
    text = await asyncio.to_thread(to_json, found)
    return _json(await services.uploads.do(address, VerifyRecord(text.encode())))


@post("/api/verify", tags=["records"], status_code=200)
async def verify_record(request: Request[Any, Any, Any], services: Services, address: str) -> Response[bytes]:
    """The check of the dice of an uploaded record."""
    return _json(await services.uploads.do(address, VerifyRecord(await request.body())))


def _json(body: bytes) -> Response[bytes]:
    return Response(body, media_type=MediaType.JSON)


@post("/api/records", tags=["records"], status_code=201)
async def open_record(request: Request[Any, Any, Any], services: Services, guest: Guest | None, address: str) -> Json:
    """Open an uploaded record: it is replayed and kept as a finished table of mine."""
    host = required(guest)
    services.tables.require(host.id)
    job = ReplayRecord(await request.body(), services.settings.upload_bytes)
    found = await asyncio.to_thread(_replayed.decode, await services.uploads.do(address, job))
    doc = _finished(found, host, services.registry.now())
    rows = await asyncio.to_thread(_rows, doc, found)
    await creation.write_table(services.store, services.settings, doc, found.edition, rows, found.size)
    return {"table": doc.id}


def _finished(found: Replayed, host: Guest, now: int) -> TableDocument:
    return TableDocument(
        game=found.game,
        rules_version=found.rules_version,
        fingerprint=found.fingerprint,
        standard=found.edition is None,
        host=host.id,
        host_name=host.name,
        seed=found.seed,
        options=found.options,
        settings=TableSettings(on_timeout="forfeit"),
        seats=[Seat(sitter.kind, sitter.name) for sitter in found.sitters],
        created=now,
        state=OVER,
        sitters=found.first_sitters,
        nonces=found.nonces,
        last_at=now,
        from_record=True,
        ending=found.ending,
    )


def _rows(doc: TableDocument, found: Replayed) -> table_rows.Rows:
    keys = [{"table_id": doc.id, "seq": seq} for seq in range(len(found.entries))]
    entries = [key | {"at": doc.created, "body": body} for key, body in zip(keys, found.entries, strict=True)]
    moments = [key | {"key": found.key, "body": body} for key, body in zip(keys, found.moments, strict=True)]
    return table_rows.Rows(entries, moments)


HANDLERS = [
    new_table, one_table, table_game, command, view, steps, one_step, chat_of, record, verify_table, verify_record,
    open_record,
]  # fmt: skip
