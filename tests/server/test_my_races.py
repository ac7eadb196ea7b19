"""My races: pages without gaps, what waits first, figures, and taking races off the list."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from quadriga.client import Client, ServerRefused
from quadriga.core.record import Ending
from quadriga.server.database import schema, table_rows
from quadriga.server.output import views
from quadriga.server.tables import commands as c
from quadriga.server.tables import my_races
from quadriga.server.tables.document import Coached, Seat
from quadriga.server.tables.erasure import forget_guest
from quadriga.server.tables.my_races import Cursor, Figures, FinishedRace, Page, Show
from tests.server.house import House, refusal, run
from tests.server.serving import Server


async def read(house: House, name: str, show: Show, before: Cursor | None = None, limit: int = 100) -> Page:
    guest = house.guest(name).id
    job = partial(my_races.read_page, guest=guest, show=show, game=None, before=before, limit=limit)
    page: Page = await house.services.store.read(job)
    return page


async def ids(house: House, name: str, show: Show) -> list[str]:
    return [doc.id for doc in (await read(house, name, show)).docs]


async def finished(house: House, host: str, seats: list[str]) -> str:
    """A race that its host has given up."""
    table = await house.race(host, seats)
    await house.act(host, c.Resign(table=table, seat=0))
    assert (await house.live(table)).doc.state == "over"
    return table


def test_pages_show_every_race_once_however_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(my_races, "BATCH", 4)

    async def story(house: House) -> None:
        made = []
        for number in range(13):
            house.time += number % 3  # several in the same millisecond
            made.append(await finished(house, "Ana", ["me", "Ben"]))
            await house.race("Cyn", ["me", "Ben"])
        found: list[str] = []
        before: Cursor | None = None
        while True:
            page = await read(house, "Ana", "finished", before, limit=5)
            found += [doc.id for doc in page.docs]
            before = page.last
            if before is None:
                break
        assert sorted(found) == sorted(made)
        assert len(await ids(house, "Ben", "current")) == 13

    run(tmp_path, story)


def test_current_finished_and_watched_races_are_apart(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        waits = await house.create("Ana", ["open", "open"])
        races = await house.race("Ana", ["me", "Ben"])
        over = await finished(house, "Ana", ["me", "Ben"])
        bots = await house.race("Ana", ["wanderer", "wanderer"])
        assert sorted(await ids(house, "Ana", "current")) == sorted([waits, races])
        assert await ids(house, "Ana", "finished") == [over]
        assert await ids(house, "Ana", "watched") == [bots]
        assert await ids(house, "Ben", "watched") == []

    run(tmp_path, story)


def test_a_card_says_how_the_race_ended_for_me_and_no_secret(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await finished(house, "Ana", ["me", "Ben"])
        doc = (await house.live(table)).doc
        mine, his = (views.race_card(doc, house.guest(name).id) for name in ("Ana", "Ben"))
        assert (mine["my_places"], his["my_places"]) == ([2], [1])
        assert mine["result"].winner == 1
        text = views.encode([mine, his]).decode()
        secrets = [doc.seed, *(seat.token for seat in doc.seats), *(house.guest(n).id for n in ("Ana", "Ben"))]
        assert [secret for secret in secrets if secret in text] == []
        running = (await house.live(await house.race("Ana", ["me", "Ben"]))).doc
        assert views.race_card(running, house.guest("Ana").id)["result"] is None

    run(tmp_path, story)


def test_a_race_of_old_rules_waits_for_nobody(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        doc = (await house.live(await house.race("Ana", ["me", "Ben"]))).doc
        assert views.card(doc, house.guest("Ana").id)["my_turn"] is True
        doc.rules_version -= 1
        card = views.card(doc, house.guest("Ana").id)
        assert (card["state"], card["my_turn"]) == ("stopped", False)

    run(tmp_path, story)


def test_a_race_with_others_goes_off_one_list_only_and_stays_off(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        executor, ana, ben = house.services.executor, house.guest("Ana").id, house.guest("Ben").id
        table = await finished(house, "Ana", ["me", "Ben"])
        assert await my_races.remove_race(executor, ana, table) is False
        assert await ids(house, "Ana", "finished") == []
        assert await ids(house, "Ben", "finished") == [table]
        await house.act("Ben", c.Rematch(table=table))  # writes the members of the table anew
        assert await ids(house, "Ana", "finished") == []
        await forget_guest(executor, ana)
        assert "Ana" not in views.encode((await house.live(table)).doc).decode(), "a hidden race is erased too"
        assert ben in (await house.live(table)).doc.owners()

    run(tmp_path, story)


def test_a_race_alone_is_deleted_with_all_that_belongs_to_it(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        executor, ana = house.services.executor, house.guest("Ana").id
        table = await house.race("Ana", ["me", "wanderer"])
        screen = await house.watch("Ana", table)
        assert await my_races.remove_race(executor, ana, table) is True
        assert screen.kinds()[-1] == "gone"
        rows = await house.services.store.read(lambda db: list(db.execute(select(schema.entries))))
        assert rows == []
        assert await refusal(my_races.remove_race(executor, ana, table)) == "no_table"

    run(tmp_path, story)


def test_nobody_deletes_what_is_not_theirs_or_goes_on_with_others(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        executor = house.services.executor
        table = await house.race("Ana", ["me", "Ben"])
        for name, code in (("Ana", "not_over"), ("Ben", "not_over"), ("Eve", "no_table")):
            assert await refusal(my_races.remove_race(executor, house.guest(name).id, table)) == code
        assert await ids(house, "Ana", "current") == [table]

    run(tmp_path, story)


def race(places: tuple[int, ...], *seats: Seat, game: str = "chariots", **fields: Any) -> FinishedRace:
    return FinishedRace(game, "over", list(seats), Ending(places, places.index(1), "won"), **fields)


def test_figures_count_places_games_and_rivals() -> None:
    me, ben, bot = Seat("person", "Ana", "a"), Seat("person", "Ben", "b"), Seat("novice", "novice 3")
    figures = Figures()
    figures.add(race((1, 2, 3), me, ben, bot), "a")
    figures.add(race((3, 1, 2), me, bot, bot), "a")
    figures.add(race((1, 3, 2), me, bot, ben, game="charioteer"), "a")
    figures.add(race((2, 1, 3), me, bot, bot), "a")
    figures.add(race((1, 2), me, me), "a")
    figures.add(race((1, 2), me, ben, from_record=True), "a")
    figures.add(race((1, 2), ben, bot), "a")
    assert figures.as_json() == {
        "races": 4,
        "won": 2,
        "shared": 1,
        "games": [
            {"game": "charioteer", "races": 1, "won": 1, "places": [1]},
            {"game": "chariots", "races": 3, "won": 1, "places": [1, 1, 1]},
        ],
        "rivals": [
            {"name": "novice", "kind": "novice", "races": 4, "ahead": 2},
            {"name": "Ben", "kind": "person", "races": 2, "ahead": 2},
        ],
        "coach": None,
    }


def test_figures_say_what_came_of_the_coach() -> None:
    me, bot = Seat("person", "Ana", "a"), Seat("novice", "novice 3")
    figures = Figures()
    for coached in [Coached(10, 1, 1, 0.05)] * 10 + [Coached(10, 4, 2, 0.25)]:
        figures.add(race((1, 2), me, bot, coached=coached), "a")
    figures.add(race((1, 2), me, bot), "a")
    assert figures.as_json()["coach"] == {
        "races": 11,
        "looked": 110,
        "warned": 14,
        "heeded": 12,
        "saved": 0.75,
        "recent": {"races": 10, "looked": 100, "warned": 10},
    }


def test_figures_are_read_from_the_newest_races(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(my_races, "BATCH", 2)

    async def story(house: House) -> None:
        for _ in range(5):
            house.time += 1
            await finished(house, "Ana", ["me", "Ben"])
        job = partial(my_races.read_figures, guest=house.guest("Ben").id)
        figures = await house.services.store.read(job)
        assert (figures["races"], figures["won"]) == (5, 5)
        assert figures["rivals"] == [{"name": "Ana", "kind": "person", "races": 5, "ahead": 5}]
        monkeypatch.setattr(my_races, "MOST_READ", 4)
        assert (await house.services.store.read(job))["races"] == 4

    run(tmp_path, story)


def test_a_guest_asks_for_pages_and_gets_them_in_order(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana, Client(server.url, "Ben") as ben:
            tables = []
            for _ in range(3):
                table = await ana.create("chariots", ["me", "open"])
                await ben.claim(table)
                await ana.start(table)
                tables.append(table)
            await ana.command("resign", tables[0], seat=0)
            await ana.command("resign", tables[1], seat=0)
            first = await ben.request("GET", "/api/me/races?limit=1")
            assert [card["id"] for card in first["races"]] == [tables[1]]
            second = await ben.request("GET", f"/api/me/races?limit=1&before={first['next']}")
            assert [card["id"] for card in second["races"]] == [tables[0]]
            assert second["next"] is None
            current = (await ben.request("GET", "/api/me/races?show=current"))["races"]
            assert [(card["id"], card["my_turn"]) for card in current] == [(tables[2], True)]
            assert (await ben.request("GET", "/api/me/races?game=charioteer"))["races"] == []
            assert (await ben.request("GET", "/api/me/figures"))["won"] == 2
            assert await ben.request("DELETE", f"/api/me/races/{tables[0]}") == {"deleted": False}
            for path in ("?before=x", "?limit=0", "?limit=1000", "?show=all", f"?game={'x' * 41}"):
                with pytest.raises(ServerRefused) as refused:
                    await ben.request("GET", f"/api/me/races{path}")
                assert refused.value.code == "malformed"

    asyncio.run(asyncio.wait_for(story(), 60))


def test_what_is_kept_of_members_outlives_changes(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.create("Ana", ["me", "Ben", "open"])
        ben = house.guest("Ben").id
        await house.services.store.write(lambda db: table_rows.hide(db, ben, table))
        await house.act("Cyn", c.Claim(table=table, seat=2))
        rows = await house.services.store.read(lambda db: list(db.execute(select(schema.members))))
        assert {row.guest: row.hidden for row in rows} == {
            house.guest("Ana").id: False,
            ben: True,
            house.guest("Cyn").id: False,
        }

    run(tmp_path, story)
