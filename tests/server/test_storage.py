"""The database: batches, migrations, moments as a cache, rules that change."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from operator import methodcaller
from pathlib import Path
from random import Random

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, delete, inspect, literal, select, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError

from quadriga import games
from quadriga.core.errors import InvalidOption
from quadriga.core.match import Match, Sitter
from quadriga.server.database import schema, table_rows
from quadriga.server.database.guests import Guest, add_guest
from quadriga.server.database.migrations import is_current, migrate
from quadriga.server.database.store import Job, Store, Unchanged, open_engine
from quadriga.server.errors import Refused
from quadriga.server.http import table_routes
from quadriga.server.output.watchers import Watcher
from quadriga.server.process.run import prepare
from quadriga.server.services import Services
from quadriga.server.settings import Settings
from quadriga.server.tables import commands, moments, persistence
from quadriga.server.tables.clocks import now_ms
from quadriga.server.tables.document import DAY_MS, NewTable, WantedSeat
from tests.server.postgres import Postgres
from tests.server.test_push import Page

ANA = Guest("ana", "Ana")


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tables.sqlite'}"
    cluster: Postgres = request.getfixturevalue("cluster")
    return cluster.new_database().replace("postgresql://", "postgresql+psycopg://")


@pytest.fixture
def services(database: str) -> Iterator[Services]:
    one = prepare(Settings(database=database))
    yield one
    one.store.close()


async def some_race(services: Services, steps: int, game: str = "chariots") -> str:
    """A race of one person at both seats, some steps on."""
    order, house, random = NewTable(game=game, seats=[WantedSeat("me")] * 2), services, Random(1)
    table = (await house.registry.create(order, ANA))[0].doc.id
    await house.execute(ANA, commands.Start(table=table))
    for _ in range(steps):
        match = (await house.registry.open(table)).match
        assert match is not None
        seq = match.seq
        for seat in match.to_act():
            text = match.game.describe(random.choice(match.legal_actions(seat)))
            await house.execute(ANA, commands.Choose(table=table, seat=seat, seq=seq, action=text))
    return table


def test_migrations_lead_to_the_schema_and_keep_what_is_there(database: str) -> None:
    engine = open_engine(database, writing=True)
    migrate(engine)
    assert is_current(engine)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), schema.metadata) == []
        assert set(inspect(connection).get_table_names()) >= set(schema.metadata.tables)
    engine.dispose()
    services = prepare(Settings(database=database))
    table = asyncio.run(some_race(services, 3))
    services.store.close()
    migrate(engine)
    engine.dispose()
    again = prepare(Settings(database=database))
    match = asyncio.run(again.registry.open(table)).match
    assert match is not None
    assert match.seq == 3
    again.store.close()


START = """
from quadriga.server.process.run import prepare
from quadriga.server.settings import load_settings
node = prepare(load_settings())
print(node.signer.sign("ana"), node.notifier.sender.public)
node.store.close()
"""


def test_nodes_that_start_at_once_agree_on_keys_and_schema(cluster: Postgres) -> None:
    environment = os.environ | {"QUADRIGA_DATABASE": cluster.new_database()}
    command = [sys.executable, "-c", START]
    nodes = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    keys = [node.communicate()[0] for node in nodes]
    assert [node.returncode for node in nodes] == [0, 0, 0]
    assert len(set(keys)) == 1


def test_a_database_of_the_first_release_is_brought_up_to_date(database: str) -> None:
    engine = open_engine(database, writing=True)
    migrate(engine, "0001")
    assert not is_current(engine)
    with engine.connect() as connection:
        for line in (
            "INSERT INTO tables (id, revision, seq, game, state, listed, changed, document)"
            " VALUES ('t', 1, -1, 'chariots', 'open', false, 1, '{}')",
            "INSERT INTO members (guest, table_id) VALUES ('ana', 't')",
            "INSERT INTO guests (id, name, created) VALUES ('ana', 'Ana', 1)",
        ):
            connection.execute(text(line))
        connection.commit()
    migrate(engine)
    assert is_current(engine)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), schema.metadata) == []
        members = connection.execute(select(schema.members)).all()
        assert [tuple(row) for row in members] == [("ana", "t", 0, 0, False)]
        assert connection.execute(select(schema.guests.c.name)).scalars().all() == ["Ana"]
    engine.dispose()


def test_a_database_of_a_newer_release_is_refused_with_a_sentence(database: str) -> None:
    engine = open_engine(database, writing=True)
    migrate(engine)
    with engine.connect() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        connection.commit()
    engine.dispose()
    with pytest.raises(InvalidOption, match="newer Quadriga"):
        prepare(Settings(database=database))


def test_a_failed_job_harms_no_other_of_its_batch(database: str) -> None:
    engine = open_engine(database, writing=True)
    migrate(engine)
    engine.dispose()
    store = Store(database)

    def add(name: str, late: bool = False) -> object:
        async def job() -> object:
            def work(connection: object) -> str:
                if late:
                    raise Unchanged
                connection.execute(schema.secrets.insert().values(name=name, value="v"))  # type: ignore[attr-defined]
                return name

            return await store.write(work)

        return job()

    async def story() -> list[object]:
        jobs = [add("a"), add("b"), add("a"), add("c", late=True), add("d")]
        return list(await asyncio.gather(*jobs, return_exceptions=True))  # type: ignore[call-overload]

    a, b, twice, late, d = asyncio.run(story())
    assert (a, b, d) == ("a", "b", "d")
    assert isinstance(twice, IntegrityError)
    assert isinstance(late, Unchanged)

    async def names() -> set[str]:
        return set(await store.read(lambda c: c.execute(select(schema.secrets.c.name)).scalars().all()))

    assert asyncio.run(names()) == {"a", "b", "d"}
    store.close()


def test_writes_that_wait_are_committed_together(tmp_path: Path) -> None:
    services = prepare(Settings(database=str(tmp_path / "tables.sqlite")))
    before = services.store.batches

    async def story() -> None:
        rows = [schema.secrets.insert().values(name=str(n), value="") for n in range(200)]
        await asyncio.gather(*(services.store.write(methodcaller("execute", row)) for row in rows))

    asyncio.run(story())
    assert services.store.batches - before < 100
    services.store.close()


def test_a_question_that_fails_harms_no_other(services: Services) -> None:
    def fail(connection: Connection) -> None:
        raise Unchanged

    async def story() -> list[object]:
        asked: list[Job] = [methodcaller("scalar", select(literal(n))) for n in range(40)]
        asked[10], asked[20] = methodcaller("execute", text("SELECT nonsense")), fail
        return list(await asyncio.gather(*(services.store.read(job) for job in asked), return_exceptions=True))

    found = asyncio.run(story())
    assert [n for n, answer in enumerate(found) if answer != n] == [10, 20]
    assert isinstance(found[10], DBAPIError)
    assert isinstance(found[20], Unchanged)


def test_keys_asked_for_together_are_found_together(services: Services) -> None:
    asked: list[list[str]] = []

    def doubled(connection: Connection, keys: list[str]) -> dict[str, str]:
        asked.append(keys)
        time.sleep(0.02)
        return {key: key * 2 for key in keys if key != "9"}

    async def story() -> list[object]:
        given_up = asyncio.create_task(services.store.find(doubled, "x"))
        found = asyncio.gather(*(services.store.find(doubled, str(n)) for n in range(50)))
        await asyncio.sleep(0)
        given_up.cancel()
        return list(await found)

    assert asyncio.run(story()) == [None if n == 9 else str(n) * 2 for n in range(50)]
    assert sorted(key for keys in asked for key in keys) == sorted(["x", *map(str, range(50))])
    assert len(asked) < 10


def test_everybody_who_asked_hears_that_nothing_could_be_found(services: Services) -> None:
    def broken(connection: Connection, keys: list[str]) -> dict[str, str]:
        raise KeyError(keys[0])

    async def story() -> list[object]:
        asked = [services.store.find(broken, str(n)) for n in range(5)]
        return list(await asyncio.gather(*asked, return_exceptions=True))

    assert [type(answer) for answer in asyncio.run(story())] == [KeyError] * 5


def test_of_changes_written_together_only_the_late_one_is_left_out(services: Services) -> None:
    async def story() -> None:
        lives = [await services.registry.open(await some_race(services, 1)) for _ in range(3)]
        for live in lives:
            assert live.match is not None
            live.match.pause()
            live.times.append(5)
        changes = [persistence.change_of(live, None, members=False) for live in lives]
        changes[1] = replace(changes[1], read=changes[1].read - 1)

        def twice(connection: Connection) -> list[object]:
            late = [type(outcome) for outcome in table_rows.write_changes(connection, changes)]
            return [*late, *(type(outcome) for outcome in table_rows.write_changes(connection, changes[1:]))]

        nothing = type(None)
        assert await services.store.write(twice) == [nothing, Unchanged, nothing, Unchanged, Unchanged]
        ids = [live.doc.id for live in lives]
        kept = await services.store.read(lambda connection: table_rows.read_tables(connection, [*ids, "nowhere"]))
        assert {table: (one.revision, len(one.entries)) for table, one in kept.items()} == {
            live.doc.id: (live.revision + 1, 3) if i != 1 else (live.revision, 2) for i, live in enumerate(lives)
        }

    asyncio.run(story())


def test_two_changes_of_one_table_are_not_both_written(services: Services) -> None:
    async def story() -> list[object]:
        live = await services.registry.open(await some_race(services, 1))
        change = persistence.change_of(live, None, members=False)
        orders = [services.store.write_by(table_rows.write_changes, change) for _ in range(2)]
        return list(await asyncio.gather(*orders, return_exceptions=True))

    assert [type(outcome) for outcome in asyncio.run(story())] == [type(None), Unchanged]


def test_tables_opened_together_are_read_together(services: Services) -> None:
    async def story() -> None:
        house = services
        tables = [await some_race(services, steps) for steps in (1, 3, 2)]
        logs = [list((await house.registry.open(table)).match.log) for table in tables]  # type: ignore[union-attr]
        house.registry.live.clear()
        opened = await asyncio.gather(*map(house.registry.open, [*tables, "nowhere"]), return_exceptions=True)
        assert [list(live.match.log) for live in opened[:3]] == logs  # type: ignore[union-attr]
        assert opened[3].code == "no_table"  # type: ignore[union-attr]

    asyncio.run(story())


def test_two_nodes_cannot_both_append(services: Services, database: str) -> None:
    async def story() -> None:
        table = await some_race(services, 2)
        other = prepare(Settings(database=database))
        here, there = await services.registry.open(table), await other.registry.open(table)
        for node, live in ((services, here), (other, there)):
            assert live.match is not None
            seq = live.match.seq
            for seat in live.match.to_act():
                text = live.game.describe(live.match.legal_actions(seat)[0])
                order = commands.Choose(table=table, seat=seat, seq=seq, action=text)
                if node is services:
                    await node.execute(ANA, order)
                    continue
                with pytest.raises(Refused) as refused:
                    await node.execute(ANA, order)
                assert refused.value.code in ("duplicate", "late")
        rows = await services.store.read(
            lambda c: c.execute(select(schema.entries.c.seq).where(schema.entries.c.table_id == table)).scalars().all()
        )
        assert sorted(rows) == [0, 1, 2, 3]
        other.store.close()

    asyncio.run(story())


@pytest.mark.parametrize("game", games.NAMES)
def test_any_step_opens_at_once_and_without_moments_by_replay(services: Services, game: str) -> None:
    async def story() -> None:
        table = await some_race(services, 40, game)
        house = services
        live = await house.registry.open(table)
        await house.registry.loader.steps(live, 0, 0)
        spent = []
        for seq in range(40):
            began = time.perf_counter()
            ((step, moment),) = await house.registry.loader.steps(live, seq, seq)
            live.game.view(moment.state, 0)
            spent.append(time.perf_counter() - began)
            assert step.seq == seq
        assert sorted(spent)[20] < 0.05
        assert live.match is not None
        state, log = live.match.state.tobytes(), list(live.match.log)
        await services.store.write(lambda c: c.execute(delete(schema.moments)))
        house.registry.live.clear()
        again = await house.registry.open(table)
        assert again is not live
        assert again.match is not None
        assert again.match.state.tobytes() == state
        assert again.match.log == log
        assert len(await house.registry.loader.steps(again, 0, 40)) == 41

    asyncio.run(story())


def test_moments_survive_bytes() -> None:
    for name in games.NAMES:
        game = games.load(name)
        match = Match(game, [Sitter("a"), Sitter("b")], seed=bytes(32))
        random = Random(2)
        for _ in range(10):
            match.step({seat: random.choice(match.legal_actions(seat)) for seat in match.to_act()})
            moment = match.moment(match.seq)
            back = moments.unpack_moment(game, moments.pack_moment(game, moment))
            assert back.state.tobytes() == moment.state.tobytes()
            assert (back.left, back.events) == (moment.left, moment.events)


def test_a_race_of_other_rules_stops_with_a_message(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        table = await some_race(services, 2)
        house = services
        house.registry.live.clear()
        game = games.load("chariots")
        monkeypatch.setattr(game, "meta", replace(game.meta, rules_version=game.meta.rules_version + 1))
        live = await house.registry.open(table)
        assert live.doc.state == "stopped"
        with pytest.raises(Refused) as refused:
            await house.execute(ANA, commands.Choose(table=table, seat=0, seq=2, action="keep"))
        assert refused.value.code == "stopped"
        assert refused.value.params == {"made": 2, "now": 3}
        record = await table_routes._record(services, live, ANA)
        assert (record.seed, len(record.log), record.rules_version) == (None, 3, 2)
        monkeypatch.undo()
        house.registry.live.clear()
        assert (await house.registry.open(table)).doc.state == "racing"

    asyncio.run(story())


def test_a_finished_race_of_other_rules_can_be_kept(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        table = await some_race(services, 2)
        house = services
        await house.execute(ANA, commands.Resign(table=table, seat=1))
        kept = await table_routes._record(services, await house.registry.open(table), ANA)
        assert kept.result is not None
        house.registry.live.clear()
        game = games.load("chariots")
        monkeypatch.setattr(game, "meta", replace(game.meta, rules_version=game.meta.rules_version + 1))
        assert await table_routes._record(services, await house.registry.open(table), ANA) == kept

    asyncio.run(story())


def test_a_table_opens_where_no_notice_came(cluster: Postgres) -> None:
    """Open tables are polled: a lost notice of another node costs a moment."""

    async def story() -> None:
        settings = Settings(database=cluster.new_database())
        one, two = prepare(settings), prepare(settings)
        table = await some_race(one, 1)
        page = Page(ANA)
        await two.broadcaster.watch(Watcher(page, table), None)
        refreshing = asyncio.create_task(two.background._refresh_woken())
        before = len(page.heard)
        await one.execute(ANA, commands.Resign(table=table, seat=1))
        await one.execute(ANA, commands.Say(table=table, text="well raced"))
        await two.background._poll()
        for sign in (b'"type":"chat"', b'"reason":"resigned"'):
            while not any(sign in message for message in page.heard[before:]):
                await asyncio.sleep(0.01)
        await two.background._poll()
        assert not two.background._changed | two.background._talked
        refreshing.cancel()
        for node in (one, two):
            await asyncio.to_thread(node.store.close)

    asyncio.run(asyncio.wait_for(story(), 60))


def test_a_record_that_no_longer_replays_is_refused_and_kept(services: Services) -> None:
    async def story() -> None:
        table = await some_race(services, 2)
        house = services
        house.registry.live.clear()
        bad = b'{"kind":"choices","hash":"0000000000000000","choices":{"0":"plot 2+3+4","1":"plot 2+3+4"}}'
        entries = schema.entries.c
        await services.store.write(lambda c: c.execute(delete(schema.moments)))
        await services.store.write(
            lambda c: c.execute(
                update(schema.entries).where(entries.table_id == table, entries.seq == 1).values(body=bad)
            )
        )
        with pytest.raises(Exception, match="step 1"):
            await house.registry.open(table)

    asyncio.run(story())


def test_a_command_is_finished_though_who_sent_it_has_gone(services: Services) -> None:
    async def story() -> None:
        table = await some_race(services, 2)
        house = services
        live = await house.registry.open(table)
        assert live.match is not None
        for turn in range(20):
            seq = live.match.seq
            for seat in live.match.to_act():
                text = live.game.describe(live.match.legal_actions(seat)[0])
                order = commands.Choose(table=table, seat=seat, seq=seq, action=text)
                sent = asyncio.create_task(house.execute(ANA, order))
                for _ in range(turn % 5 + 1):
                    await asyncio.sleep(0)
                sent.cancel()
                await asyncio.gather(sent, return_exceptions=True)
                await house.executor.close()
        kept = await services.store.read(lambda c: persistence.read_loaded(c, table))
        assert kept.log == live.match.log
        assert kept.stored.revision == live.revision
        assert live.match.seq > 15

    asyncio.run(story())


def test_old_tables_are_deleted_if_the_host_says_so(database: str) -> None:
    services = prepare(Settings(database=database, retention_days=1))

    async def story() -> None:
        old, new = await some_race(services, 2), await some_race(services, 1)
        tables = schema.tables
        await services.store.write(lambda c: add_guest(c, "Old", 1))
        await services.store.write(lambda c: add_guest(c, "New", now_ms()))
        await services.store.write(
            lambda c: c.execute(update(tables).where(tables.c.id == old).values(changed=tables.c.changed - 2 * DAY_MS))
        )
        services.registry.live.clear()
        await services.background._keep_house()
        with pytest.raises(Refused, match="no such table"):
            await services.registry.open(old)
        await services.registry.open(new)
        left = await services.store.read(lambda c: c.execute(select(schema.moments.c.table_id)).scalars().all())
        assert set(left) == {new}
        names = await services.store.read(lambda c: c.execute(select(schema.guests.c.name)).scalars().all())
        assert names == ["New"]

    asyncio.run(story())
    services.store.close()


def test_tables_nobody_looks_at_leave_the_memory_and_come_back(services: Services) -> None:
    async def story() -> None:
        table = await some_race(services, 2)
        house = services
        house.registry.evict()
        assert table in house.registry.live
        house.registry.used[table] -= 1000
        house.registry.evict()
        assert table not in house.registry.live
        match = (await house.registry.open(table)).match
        assert match is not None
        assert match.seq == 2

    asyncio.run(story())
