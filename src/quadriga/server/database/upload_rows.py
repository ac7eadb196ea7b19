"""Whether there is room for what somebody uploads."""

from sqlalchemy import Connection, func, select

from quadriga.server.database import schema
from quadriga.server.errors import Refused
from quadriga.server.settings import Settings


def refusal(connection: Connection, guest: str, size: int, settings: Settings) -> Refused | None:
    """Why a guest cannot store so many bytes more; None if there is room.

    Returned, not raised: a job of the writer that raises makes others run again.
    """
    u = schema.uploads.c
    total = select(func.coalesce(func.sum(u.bytes), 0))
    if connection.execute(total.where(u.guest == guest)).scalar_one() + size > settings.guest_upload_bytes:
        return Refused("guest_full", most=settings.guest_upload_bytes)
    if connection.execute(total).scalar_one() + size > settings.server_upload_bytes:
        return Refused("server_full")
    return None
