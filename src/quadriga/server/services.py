"""What the parts of one server share."""

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from quadriga.server.analysis import hints
from quadriga.server.analysis.advisers import Advisers
from quadriga.server.analysis.jobs import Analyses
from quadriga.server.background import BackgroundTasks
from quadriga.server.bots.driver import BotDriver
from quadriga.server.bots.pool import BotPool
from quadriga.server.database.guests import Guest
from quadriga.server.database.health import Readiness
from quadriga.server.database.store import Store
from quadriga.server.errors import Refused
from quadriga.server.guest_tokens import GuestSigner
from quadriga.server.metrics import Metrics
from quadriga.server.notifications.notifier import Notifier
from quadriga.server.notifications.push import Sender
from quadriga.server.output.broadcast import Broadcaster
from quadriga.server.preparation.games import Preparation
from quadriga.server.rate_limits import Limit
from quadriga.server.settings import Settings
from quadriga.server.tables import previews
from quadriga.server.tables.commands import Coach, Command, Hint, Preview, React, Say, Start
from quadriga.server.tables.execution import CommandExecutor
from quadriga.server.tables.loader import TableLoader
from quadriga.server.tables.registry import TableRegistry
from quadriga.server.uploads.queue import Uploads


@dataclass
class Services:
    """The parts of a running server."""

    settings: Settings
    store: Store
    signer: GuestSigner
    preparation: Preparation
    pool: BotPool
    uploads: Uploads
    advisers: Advisers
    analyses: Analyses
    metrics: Metrics
    registry: TableRegistry
    executor: CommandExecutor
    broadcaster: Broadcaster
    driver: BotDriver
    background: BackgroundTasks
    notifier: Notifier
    readiness: Readiness
    chats: Limit
    hints: Limit
    evaluations: Limit
    puzzles: Limit
    analysis_limit: Limit
    tables: Limit
    new_guests: Limit
    requests: Limit
    connections: set[Any] = field(default_factory=set)
    addresses: Counter[str] = field(default_factory=Counter)
    """Sockets by the address they come from."""
    ready: bool = False

    async def execute(self, guest: Guest | None, command: Command) -> dict[str, Any]:
        """Execute a command of a client, whichever way it came; what it answers, or a refusal."""
        began, kind = time.perf_counter(), type(command).__struct_config__.tag
        self.require_rate(guest, command)
        self.background.gc_schedule.note_activity()
        try:
            answer = await self._execute(guest, command)
        except Refused as error:
            self.metrics.commands.labels(kind, error.code).inc()
            raise
        finally:
            self.executor.tell_acted(command.table, guest)
        self.metrics.commands.labels(kind, "done").inc()
        self.metrics.command_seconds.observe(time.perf_counter() - began)
        return answer

    async def _execute(self, guest: Guest | None, command: Command) -> dict[str, Any]:
        if isinstance(command, Say):
            return await self.executor.finish(self.broadcaster.chat.say(guest, command))
        if isinstance(command, React):
            return await self.executor.finish(self.broadcaster.chat.react(guest, command))
        if isinstance(command, Preview):
            return await previews.preview(await self.registry.open(command.table), guest, command)
        if isinstance(command, Hint):
            live = await self.registry.open(command.table)
            live.note_seen(guest, self.registry.now())
            return await hints.hint(live, self.advisers, self.pool, guest, command)
        if isinstance(command, Coach):
            live = await self.registry.open(command.table)
            live.note_seen(guest, self.registry.now())
            return await hints.coach(live, self.advisers, self.pool, guest, command)
        return await self.executor.execute(guest, command)

    def takes_long(self, command: Command) -> bool:
        """Whether a command is answered after a while only: one that needs thought, or rules still being compiled."""
        if isinstance(command, Start):
            live = self.registry.in_memory(command.table)
            return live is not None and not self.preparation.has(live.doc.game)
        return isinstance(command, Hint | Coach)

    def require_rate(self, guest: Guest | None, command: Command) -> None:
        """Refuse chat, reactions, hints and questions to the coach that come too often."""
        limit = {Say: self.chats, React: self.chats, Hint: self.hints, Coach: self.evaluations}.get(type(command))
        if limit is not None and guest is not None:
            limit.require(guest.id)


def open_services(settings: Settings, store: Store, signing_key: str, push_key: str) -> Services:
    """All parts, not yet started."""
    metrics = Metrics()
    preparation = Preparation()
    pool = BotPool(settings.bot_workers, settings.bot_seconds, settings.bot_limit_seconds, preparation.require)
    registry = TableRegistry(TableLoader(store, preparation), settings, metrics)
    executor = CommandExecutor(registry)
    broadcaster = Broadcaster(executor)
    contact = settings.contact or settings.public_url or "https://localhost"
    sender = Sender.of(push_key, contact, settings.push_services)
    notifier = Notifier(executor, broadcaster, settings, sender)
    return Services(
        settings=settings,
        store=store,
        signer=GuestSigner(settings.secret or signing_key),
        preparation=preparation,
        pool=pool,
        uploads=Uploads(settings, preparation.require),
        advisers=Advisers(settings.advice_workers),
        analyses=Analyses(settings, store, registry.now),
        metrics=metrics,
        registry=registry,
        executor=executor,
        broadcaster=broadcaster,
        driver=BotDriver(executor, pool),
        background=BackgroundTasks(executor, broadcaster, notifier),
        notifier=notifier,
        readiness=Readiness(store),
        chats=Limit(settings.chats_per_minute / 60, max(3.0, settings.chats_per_minute / 4)),
        hints=Limit(settings.hints_per_minute / 60, max(3.0, settings.hints_per_minute / 4)),
        evaluations=Limit(settings.evaluations_per_minute / 60, max(5.0, settings.evaluations_per_minute / 4)),
        puzzles=Limit(settings.puzzles_per_minute / 60, max(10.0, settings.puzzles_per_minute / 4)),
        analysis_limit=Limit(settings.analyses_per_hour / 3600, max(3.0, settings.analyses_per_hour / 4)),
        tables=Limit(settings.tables_per_hour / 3600, settings.tables_per_hour / 2),
        new_guests=Limit(settings.guests_per_hour / 3600, settings.guests_per_hour / 2),
        requests=Limit(settings.requests_per_second, settings.requests_per_second * 5),
    )
