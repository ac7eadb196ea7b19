"""What the parts of one server share."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from quadriga.server.bot_driver import BotDriver
from quadriga.server.bot_pool import BotPool
from quadriga.server.commands import Command, Hint, Say
from quadriga.server.guests import Guest, Signer
from quadriga.server.hippodrome import Hippodrome
from quadriga.server.limits import Limit
from quadriga.server.metrics import Metrics
from quadriga.server.notices import Notices
from quadriga.server.push import Sender
from quadriga.server.readiness import Readiness
from quadriga.server.settings import Settings
from quadriga.server.storage import Store
from quadriga.server.uploads import Uploads
from quadriga.server.wakeups import Wakeups


@dataclass
class Services:
    """The parts of a running server."""

    settings: Settings
    store: Store
    signer: Signer
    pool: BotPool
    uploads: Uploads
    metrics: Metrics
    hippodrome: Hippodrome
    driver: BotDriver
    wakeups: Wakeups
    notices: Notices
    readiness: Readiness
    chats: Limit
    hints: Limit
    tables: Limit
    new_guests: Limit
    requests: Limit
    connections: set[Any] = field(default_factory=set)
    addresses: Counter[str] = field(default_factory=Counter)
    """Sockets by the address they come from."""
    ready: bool = False

    def require_rate(self, guest: Guest | None, command: Command) -> None:
        """Refuse what somebody asks for too often: chat, and hints, which cost thought."""
        limit = {Say: self.chats, Hint: self.hints}.get(type(command))
        if limit is not None and guest is not None:
            limit.require(guest.id)


def open_services(settings: Settings, store: Store, signing_key: str, push_key: str) -> Services:
    """All parts, not yet started."""
    metrics = Metrics()
    pool = BotPool(settings.bot_workers, settings.bot_seconds, settings.bot_limit_seconds)
    hippodrome = Hippodrome(store, settings, pool, metrics)
    contact = settings.contact or settings.public_url or "https://localhost"
    notices = Notices(hippodrome, Sender.of(push_key, contact))
    return Services(
        settings=settings,
        store=store,
        signer=Signer(settings.secret or signing_key),
        pool=pool,
        uploads=Uploads(settings),
        metrics=metrics,
        hippodrome=hippodrome,
        driver=BotDriver(hippodrome, pool),
        wakeups=Wakeups(hippodrome, notices),
        notices=notices,
        readiness=Readiness(store),
        chats=Limit(settings.chats_per_minute / 60, max(3.0, settings.chats_per_minute / 4)),
        hints=Limit(settings.hints_per_minute / 60, max(3.0, settings.hints_per_minute / 4)),
        tables=Limit(settings.tables_per_hour / 3600, settings.tables_per_hour / 2),
        new_guests=Limit(settings.guests_per_hour / 3600, settings.guests_per_hour / 2),
        requests=Limit(settings.requests_per_second, settings.requests_per_second * 5),
    )
