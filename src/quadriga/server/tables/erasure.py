"""Deleting what is kept about a guest: names, chat, seats, and tables where nobody else sat."""

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace
from sqlalchemy import Connection, delete, select, update

from quadriga.server.database import schema, table_rows
from quadriga.server.tables.document import NOBODY, OPEN, PERSON, RACING, Seat
from quadriga.server.tables.execution import CommandExecutor
from quadriga.server.tables.persistence import rename_in_log
from quadriga.server.tables.registry import TableRegistry
from quadriga.server.tables.table import LiveTable


async def forget_guest(executor: CommandExecutor, guest: str) -> None:
    """Everything about a guest goes; races of others stay, with a bot or nobody's name at the guest's seats."""
    for table in await executor.store.read(lambda connection: _tables_of(connection, guest)):
        live = await executor.registry.open(table)
        if live.doc.known() <= {guest}:
            await executor.store.write(partial(table_rows.delete_tables, tables=[table]))
            executor.registry.drop(table)
        else:
            await _leave_table(executor, live, guest)
    await executor.store.write(lambda connection: _delete_rows(connection, guest))


async def forget_old(registry: TableRegistry, before: int) -> None:
    """Tables that nobody has changed since a time, then guests and reports as old that belong to none."""
    old = await registry.store.read(lambda connection: table_rows.old_tables(connection, before))
    if old:
        await registry.store.write(lambda connection: table_rows.delete_tables(connection, old))
    for table in old:
        registry.drop(table)
    await registry.store.write(lambda connection: _delete_old_rows(connection, before))


def _delete_old_rows(connection: Connection, before: int) -> None:
    g, members = schema.guests.c, select(schema.members.c.guest)
    connection.execute(delete(schema.guests).where(g.created < before, g.id.not_in(members)))
    connection.execute(delete(schema.reports).where(schema.reports.c.at < before))


def _tables_of(connection: Connection, guest: str) -> list[str]:
    members = schema.members.c
    return list(connection.execute(select(members.table_id).where(members.guest == guest)).scalars())


async def _leave_table(executor: CommandExecutor, live: LiveTable, guest: str) -> None:
    """Out of the document, then out of the log, where names stand beside what happened."""
    seats = {number for number, seat in enumerate(live.doc.seats) if seat.guest == guest}
    names = {(one.seat, one.name) for one in live.doc.participants if one.guest == guest}

    def is_theirs(seat: int, name: str) -> bool:
        return seat in seats or (seat, name) in names

    await executor.change(live, partial(_leave, live, guest, is_theirs), changes_members=True)
    async with live.lock:
        rename = partial(rename_in_log, table=live.doc.id, is_theirs=is_theirs, name=NOBODY)
        await executor.store.write(rename)
        await executor.loader.reload(live)


def _leave(live: LiveTable, guest: str, is_theirs: Callable[[int, str], bool], now: int) -> dict[str, object]:
    doc = live.doc
    for number, sitter in enumerate(doc.sitters):
        if sitter.kind == PERSON and is_theirs(number, sitter.name):
            doc.sitters[number] = replace(sitter, name=NOBODY)
    for number, seat in enumerate(doc.seats):
        if seat.kind == PERSON and seat.guest != guest and is_theirs(number, seat.name):
            seat.name = NOBODY
        if seat.guest != guest:
            continue
        if doc.state == OPEN:
            doc.seats[number] = Seat(OPEN)
            continue
        if doc.state == RACING and seat.kind == PERSON and live.match is not None:
            live.let_bot_sit(number, live.stand_in())
        elif seat.kind == PERSON:
            seat.name = NOBODY
        seat.guest, seat.token, seat.nonce = None, "", ""
        doc.note_participant(NOBODY, number, NOBODY)
    doc.participants = [
        replace(one, guest=NOBODY, name=NOBODY) if one.guest == guest else one for one in doc.participants
    ]
    doc.banned = [one for one in doc.banned if one != guest]
    doc.muted = [one for one in doc.muted if one != guest]
    if doc.host == guest:
        doc.host = next((seat.guest for seat in doc.seats if seat.guest), NOBODY)
        doc.host_name = next((seat.name for seat in doc.seats if seat.guest == doc.host), NOBODY)
    return {}


def _delete_rows(connection: Connection, guest: str) -> None:
    connection.execute(delete(schema.reactions).where(schema.reactions.c.guest == guest))
    connection.execute(delete(schema.chat).where(schema.chat.c.guest == guest))
    connection.execute(delete(schema.blocks).where(schema.blocks.c.blocked == guest))
    connection.execute(update(schema.reports).where(schema.reports.c.guest == guest).values(guest=NOBODY))
    connection.execute(update(schema.uploads).where(schema.uploads.c.guest == guest).values(guest=NOBODY))
    connection.execute(delete(schema.members).where(schema.members.c.guest == guest))
    connection.execute(delete(schema.exercises_done).where(schema.exercises_done.c.guest == guest))
    connection.execute(delete(schema.puzzle_answers).where(schema.puzzle_answers.c.guest == guest))
    connection.execute(delete(schema.puzzle_days).where(schema.puzzle_days.c.guest == guest))
    connection.execute(delete(schema.puzzle_solvers).where(schema.puzzle_solvers.c.guest == guest))
    connection.execute(delete(schema.guests).where(schema.guests.c.id == guest))
