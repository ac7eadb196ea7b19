"""Reading tables from the database into memory, whole or what is new."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from quadriga.core.match import Moment
from quadriga.server.database import table_rows
from quadriga.server.database.store import Store
from quadriga.server.errors import Refused
from quadriga.server.preparation.games import Preparation
from quadriga.server.tables import persistence
from quadriga.server.tables.editions import Editions
from quadriga.server.tables.moments import layout_key
from quadriga.server.tables.persistence import Loaded
from quadriga.server.tables.table import LiveTable, LoggedStep

OUTDATED = -1
"""The revision of a table in memory that must be read again."""


class TableLoader:
    """Reads tables; a table in memory is read again when its revision is behind."""

    def __init__(self, store: Store, preparation: Preparation) -> None:
        self.store, self.preparation, self.editions = store, preparation, Editions()
        self.first_needed: Callable[[LiveTable], int] = lambda live: live.stored + 1
        """The first entry whose moment must be in memory; the broadcaster sets what its watchers have not seen."""

    async def load(self, table: str) -> LiveTable:
        """A table read into memory; refused if there is none."""
        return await self._revive(await self._read(table), None)

    async def reload(self, live: LiveTable) -> None:
        """Forget what was done in memory and read the table again."""
        live.revision = OUTDATED
        await self._revive(await self._read(live.doc.id), live)
        await self._remember_needed(live)

    async def catch_up(self, live: LiveTable) -> None:
        """Read what another node has added."""
        if live.match is None or live.revision == OUTDATED:
            await self.reload(live)
            return
        known, live.revision = (live.doc.id, live.stored), OUTDATED
        loaded = persistence.require_loaded(await self.store.find(table_rows.read_new_entries, known))
        loaded.follow(live)
        await self._revive(loaded, live)
        await self._remember_needed(live)

    async def require_current(self, live: LiveTable) -> None:
        """Read a table again whose last change may or may not have been written."""
        if live.revision != OUTDATED:
            return
        try:
            await self.reload(live)
        except Refused:
            raise
        except Exception:
            raise Refused("unavailable") from None

    async def reload_if_behind(self, live: LiveTable, revision: int) -> bool:
        """Read a table again that another node has changed since a revision; whether it had."""
        if not self.store.is_postgres:  # one process alone writes to a SQLite file
            return False
        found = await self.store.find(table_rows.read_revisions, live.doc.id)
        if found is None or found == revision:
            return False
        await self.reload(live)
        return True

    async def remember(self, live: LiveTable, since: int) -> None:
        """Read the moments from an entry on, unless they are in memory."""
        if live.match is None or not 0 <= since <= live.match.seq or live.match.remembers(since):
            return
        for step, moment in await self.steps(live, since, live.match.seq):
            live.match.remember(step.seq, moment)

    async def steps(self, live: LiveTable, first: int, last: int) -> list[tuple[LoggedStep, Moment]]:
        """Entries with their moments, from the database."""
        if live.match is None:
            return []
        read = partial(persistence.read_steps, game=live.game, table=live.doc.id, first=first, last=last)
        return list(await self.store.read(read))

    def close(self) -> None:
        """End the thread that loads editions."""
        self.editions.close()

    async def _read(self, table: str) -> Loaded:
        return persistence.require_loaded(await self.store.find(table_rows.read_tables, table))

    async def _revive(self, loaded: Loaded, live: LiveTable | None) -> LiveTable:
        stored = loaded.stored
        if stored.seq >= 0:
            await self.preparation.require(loaded.doc.game)
        is_same = live is not None and live.doc.fingerprint == loaded.doc.fingerprint
        game = live.game if live and is_same else await self.editions.load(loaded.doc.game, stored.edition)
        must_replay = stored.seq >= 0 and stored.key != layout_key(game)
        if live is None and must_replay:
            live = await asyncio.to_thread(persistence.revive, loaded, game)
        else:
            live = persistence.revive(loaded, game, live)
        if live.match is not None and must_replay:
            await self._rewrite_moments(live)
        return live

    async def _rewrite_moments(self, live: LiveTable) -> None:
        moments: list[dict[str, Any]] = persistence.rewritten_moments(live)
        await self.store.write(partial(table_rows.replace_moments, table=live.doc.id, moments=moments))

    async def _remember_needed(self, live: LiveTable) -> None:
        if live.match is not None:
            await self.remember(live, self.first_needed(live))
