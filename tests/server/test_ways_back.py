"""After a kick, leaving or forgetting every way back is tried; and what turning watchers off ends."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Table, select

from quadriga.server.database import chat_rows, guests, schema
from quadriga.server.database.guests import Guest
from quadriga.server.database.subscriptions import PushKeys, Subscription, add
from quadriga.server.errors import Refused
from quadriga.server.tables import agreement
from quadriga.server.tables import commands as c
from quadriga.server.tables.erasure import forget_guest
from tests.server.house import House, refusal, run


async def two_seats_of_ben(house: House) -> tuple[str, list[str]]:
    """A table where Ben holds two seats, and their tokens."""
    table = await house.create("Ana", ["me", "open", "open", "open"])
    tokens = [(await house.act("Ben", c.Claim(table=table, seat=seat)))["token"] for seat in (1, 2)]
    tokens.append((await house.act("Cyn", c.Claim(table=table, seat=3)))["token"])
    return table, tokens


@pytest.mark.parametrize("racing", [False, True])
def test_a_kick_frees_all_seats_and_nothing_brings_them_back(tmp_path: Path, racing: bool) -> None:
    async def story(house: House) -> None:
        table, tokens = await two_seats_of_ben(house)
        if racing:
            await house.act("Ana", c.Start(table=table))
            house.time += agreement.AWAY_MS
        await house.act("Ana", c.Kick(table=table, seat=2))
        live = await house.live(table)
        assert [seat.guest for seat in live.doc.seats[1:3]] == [None, None]
        for token in tokens:  # those of the seats that were Ben's, and one that Cyn gave away
            assert await house.refusal("Ben", c.Sit(table=table, token=token)) == "kicked"
        for token in tokens[:2]:
            assert await house.refusal("Dora", c.Sit(table=table, token=token)) == "not_yours"
        for seat in (1, 2):
            assert await house.refusal("Ben", c.Back(table=table, seat=seat)) in ("not_racing", "not_yours")
            assert await house.refusal("Ben", c.Claim(table=table, seat=seat)) in ("kicked", "not_open")
        store = house.services.store
        code, _ = await store.write(lambda db: guests.add_carry(db, house.guest("Ben").id, house.time))
        carried = await store.write(lambda db: guests.use_carry(db, code, house.time))
        for order in (c.Claim(table=table), c.Sit(table=table, token=tokens[2])):
            assert await refusal(house.services.execute(carried, order)) in ("kicked", "not_open")

    run(tmp_path, story)


def test_who_was_kicked_is_kicked_from_the_rematch_too(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["me", "Ben"])
        house.time += agreement.AWAY_MS
        await house.act("Ana", c.Kick(table=table, seat=1))
        await house.act("Ana", c.Resign(table=table, seat=0))
        assert await house.refusal("Ben", c.Rematch(table=table)) == "not_seated"
        again = (await house.act("Ana", c.Rematch(table=table)))["table"]
        assert await house.refusal("Ben", c.Claim(table=again)) == "kicked"

    run(tmp_path, story)


def test_who_left_comes_back_to_their_own_seat_alone(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table, tokens = await two_seats_of_ben(house)
        await house.act("Ben", c.Leave(table=table, seat=1))
        assert await house.refusal("Ben", c.Sit(table=table, token=tokens[0])) == "not_yours", "the seat is open again"
        await house.act("Ben", c.Claim(table=table, seat=1))
        await house.act("Ana", c.Start(table=table))
        await house.act("Ben", c.Leave(table=table, seat=2))
        assert await house.refusal("Cyn", c.Back(table=table, seat=2)) == "not_yours"
        assert await house.refusal("Ben", c.Choose(table=table, seat=2, seq=1, action="x")) == "not_yours"
        await house.act("Ben", c.Back(table=table, seat=2))
        live = await house.live(table)
        assert live.doc.seats_of(house.guest("Ben").id) == [1, 2]

    run(tmp_path, story)


def test_muted_is_muted_wherever_one_sits(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.create("Ana", ["me", "Ben", "open"])
        await house.act("Ana", c.Mute(table=table, seat=1, yes=True))
        say = c.Say(table=table, text="hm")
        await house.act("Ben", c.Claim(table=table, seat=2))
        await house.act("Ben", c.Leave(table=table, seat=1))
        assert await house.refusal("Ben", say) == "muted", "at another seat"
        await house.act("Ben", c.Leave(table=table, seat=2))
        assert await house.refusal("Ben", say) == "muted", "as a watcher"
        token = (await house.act("Cyn", c.Claim(table=table, seat=1)))["token"]
        assert await house.refusal("Cyn", say) is None, "the seat itself is not muted"
        await house.act("Ben", c.Sit(table=table, token=token))
        assert await house.refusal("Ben", say) == "muted", "at a seat taken over"
        await house.act("Ana", c.Mute(table=table, seat=1, yes=False))
        assert await house.refusal("Ben", say) is None

    run(tmp_path, story)


def test_turning_watchers_off_ends_what_they_get(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["me", "Ben"])
        stranger, guest, ben = [await house.watch(name, table) for name in (None, "Eve", "Ben")]
        await house.act("Ana", c.ChangeSettings(table=table, watchers=False))
        for screen in (stranger, guest):
            last = screen.got[-1]
            assert (last["type"], last["table"], last["error"]["code"]) == ("unwatched", table, "no_watchers")
            assert screen.watching == {}
        before = len(stranger.got), len(guest.got), len(ben.got)
        await house.choose("Ana", table, 0)
        await house.choose("Ben", table, 1)
        await house.act("Ana", c.Say(table=table, text="alone at last"))
        assert (len(stranger.got), len(guest.got)) == before[:2]
        assert len(ben.got) > before[2]
        with pytest.raises(Refused, match="no watchers"):
            await house.watch("Eve", table)

    run(tmp_path, story)


def test_who_loses_a_seat_at_a_table_without_watchers_sees_no_more(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["me", "Ben", "Cyn"], watchers=False)
        ben = await house.watch("Ben", table)
        proposal = (await house.act("Ana", c.Kick(table=table, seat=1)))["proposal"]
        await house.act("Cyn", c.Agree(table=table, proposal=proposal, yes=True))
        assert ben.kinds()[-1] == "unwatched"

    run(tmp_path, story)


def rows_of(table: Table, connection: Connection) -> list[Any]:
    return list(connection.execute(select(table)).mappings())


async def fill_rows(house: House, ben: Guest, table: str) -> None:
    store, keys = house.services.store, PushKeys("k", "a")
    await store.write(lambda db: add(db, ben.id, Subscription("https://push.example/1", keys), 1))
    await store.write(lambda db: guests.add_carry(db, ben.id, house.time))
    cyn = house.guest("Cyn")
    await store.write(lambda db: chat_rows.block(db, cyn.id, ben.id, "Benedicta"))


async def leave_traces(house: House, table: str, token: str, how: str) -> None:
    if how != "seated":
        await house.act("Benedicta", c.Leave(table=table, seat=1))
        await house.act("Benedicta", c.Back(table=table, seat=1))
    if how == "left":
        await house.act("Benedicta", c.Leave(table=table, seat=1))
    elif how == "kicked":
        house.time += agreement.AWAY_MS
        await house.act("Ana", c.Kick(table=table, seat=1))
    elif how == "handed_over":
        await house.act("Dora", c.Sit(table=table, token=token))
    elif how in ("resigned", "over"):
        await house.act("Benedicta", c.Resign(table=table, seat=1))
        if how == "over":
            await house.act("Ana", c.Resign(table=table, seat=0))


@pytest.mark.parametrize("how", ["seated", "left", "kicked", "handed_over", "resigned", "over"])
def test_forgetting_leaves_no_name_in_any_column(tmp_path: Path, how: str) -> None:
    async def story(house: House) -> None:
        store, ben = house.services.store, house.guest("Benedicta")
        table = await house.create("Ana", ["me", "open", "Cyn"])
        token = (await house.act("Benedicta", c.Claim(table=table, seat=1)))["token"]
        await house.act("Ana", c.Start(table=table))
        await house.act("Benedicta", c.Say(table=table, text="hello"))
        await fill_rows(house, ben, table)
        await leave_traces(house, table, token, how)
        await forget_guest(house.services.executor, ben.id)
        found = []
        for one in schema.metadata.sorted_tables:
            for row in await store.read(partial(rows_of, one)):
                text = str({key: bytes(v).decode("latin-1") if isinstance(v, bytes) else v for key, v in row.items()})
                found += [one.name] * ("Benedicta" in text or ben.id in text)
        assert found == []
        live = await house.live(table)
        assert not agreement.is_alone(live.doc, house.guest("Ana").id), "they took part all the same"
        for order in (c.Back(table=table, seat=1), c.Sit(table=table, token=token)):
            assert await house.refusal("Benedicta", order) in ("not_yours", "race_over", "not_racing") or (
                how == "handed_over"
            )

    run(tmp_path, story)
