"""Who may speak at a table, and how a message is kept."""

from quadriga.server.database.guests import Guest
from quadriga.server.errors import Refused
from quadriga.server.tables.table import LiveTable


def clean(text: str) -> str:
    """A text as it is kept: printable, on one line."""
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    if not text:
        raise Refused("malformed", cause="the text is empty")
    return text


def require_voice(live: LiveTable, guest: Guest | None) -> int | None:
    """The seat somebody speaks from; None for a watcher; refused if it may not speak."""
    if guest is None:
        raise Refused("no_guest")
    settings, doc = live.doc.settings, live.doc
    if not settings.chat:
        raise Refused("chat_off")
    seats = [i for i, seat in enumerate(doc.seats) if seat.guest == guest.id]
    if guest.id in doc.muted:
        raise Refused("muted")
    if guest.id in doc.banned:
        raise Refused("kicked")
    if not seats and guest.id != doc.host and not settings.watchers:
        raise Refused("not_seated")
    return seats[0] if seats else None
