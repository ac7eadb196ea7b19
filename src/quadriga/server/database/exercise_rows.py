"""Exercises that guests have done."""

from sqlalchemy import Connection, insert, select

from quadriga.server.database import schema
from quadriga.server.database.guests import find_guest

done = schema.exercises_done.c


def names_done(connection: Connection, guest: str, collection: str, game: str) -> set[str]:
    """The exercises of a collection that a guest has done."""
    mine = (done.guest == guest, done.collection == collection, done.game == game)
    return set(connection.execute(select(done.name).where(*mine)).scalars())


def mark_done(connection: Connection, guest: str, collection: str, game: str, name: str, now: int) -> None:
    """Keep that a guest has done an exercise; the first time counts. Of a guest that is gone nothing is kept."""
    if find_guest(connection, guest) is None or name in names_done(connection, guest, collection, game):
        return
    row = {"guest": guest, "collection": collection, "game": game, "name": name, "at": now}
    connection.execute(insert(schema.exercises_done).values(row))
