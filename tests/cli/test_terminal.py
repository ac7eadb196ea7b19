"""The full screen, driven by Textual's pilot: the keys, the mouse, the filter, both languages, two players."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Label, OptionList, RichLog, Static

from quadriga import games
from quadriga.cli.terminal.app import RaceApp, coloured
from quadriga.cli.terminal.local import LocalTable
from quadriga.cli.terminal.remote import RemoteTable, read_link
from quadriga.client import Client
from quadriga.core.errors import InvalidOption
from quadriga.core.match import Match, Sitter
from quadriga.core.text_board import pieces, plain, sign
from quadriga.pictures.factions import factions_of
from tests.server.serving import serving

SEED = bytes(32)
Story = Callable[[RaceApp, Pilot[None]], Awaitable[None]]


def new_table(game: str, people: int = 1, seats: int = 2, language: str = "en") -> LocalTable:
    sitters = [Sitter(f"P{i}") for i in range(people)] + [Sitter(f"B{i}", "wanderer") for i in range(people, seats)]
    return LocalTable(Match(games.load(game), sitters, {}, SEED), language)


def tell(table: LocalTable, story: Story, size: tuple[int, int] = (140, 45)) -> None:
    async def run() -> None:
        app = RaceApp(table)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await story(app, pilot)

    asyncio.run(run())


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    limit = time.monotonic() + 90  # the first bot may have to compile its rules
    while time.monotonic() < limit:
        if holds():
            return
        await pilot.pause(0.02)
    raise AssertionError("it did not come to pass")


def text_of(app: RaceApp, name: str) -> str:
    return str(app.query_one(name, Label).render())


@pytest.mark.parametrize("game", games.NAMES)
def test_enter_makes_the_highlighted_choice(game: str) -> None:
    table = new_table(game)

    async def story(app: RaceApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: app.turn is not None)
        first = app.turn
        assert first is not None
        assert app.query_one("#choices", OptionList).option_count == len(first.choices)
        await pilot.press("enter")
        await until(pilot, lambda: table.match.pending != {} or table.match.seq > 0)

    tell(table, story)


def test_the_filter_keeps_choices_that_hold_every_word() -> None:
    table = new_table("charioteer")

    async def story(app: RaceApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: app.turn is not None)
        assert app.turn is not None
        word = app.turn.choices[-1].split()[-1]
        await pilot.press("/")
        app.query_one("#filter", Input).value = word
        await pilot.pause()
        left = app.query_one("#choices", OptionList)
        assert left.option_count == sum(word.lower() in choice.lower() for choice in app.turn.choices)
        await pilot.press("escape")
        await pilot.pause()
        assert left.option_count == len(app.turn.choices)

    tell(table, story)


def test_a_refused_choice_is_told_and_changes_nothing() -> None:
    table = new_table("chariots")

    async def story(app: RaceApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: app.turn is not None)
        before = table.match.seq
        await pilot.press("/")
        app.query_one("#filter", Input).value = "no such choice"
        await pilot.press("enter")
        await pilot.pause()
        await until(pilot, lambda: "'no" in text_of(app, "#status"))
        assert table.match.seq == before

    tell(table, story)


def test_a_click_chooses() -> None:
    table = new_table("chariots")

    async def story(app: RaceApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: app.turn is not None)
        await pilot.click("#choices", offset=(4, 2))
        await until(pilot, lambda: table.match.pending != {} or table.match.seq > 0)

    tell(table, story)


def test_two_people_see_nothing_of_each_other() -> None:
    table = new_table("charioteer", people=2)

    async def story(app: RaceApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: "P0" in text_of(app, "#status"))
        assert app.query_one("#choices", OptionList).option_count == 0
        assert str(app.query_one("#board", Static).render()) == ""
        await pilot.press("enter")
        await until(pilot, lambda: app.turn is not None)
        await pilot.press("enter")
        await until(pilot, lambda: "P1" in text_of(app, "#status"))
        assert app.turn is None
        assert str(app.query_one("#board", Static).render()) == ""

    tell(table, story)


def test_bots_alone_race_to_the_end_and_the_log_tells_it() -> None:
    table = new_table("chariots", people=0)

    async def story(app: RaceApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: table.match.over)
        await until(pilot, lambda: "over" in text_of(app, "#status"))
        assert len(app.query_one("#log", RichLog).lines) > 10

    tell(table, story)


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_narrow_terminal_shows_board_and_choices(language: str) -> None:
    table = new_table("chariots", language=language)

    async def story(app: RaceApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: app.turn is not None)
        assert app.has_class("-narrow") or app.screen.has_class("-narrow")
        for name in ("#stage", "#choices", "#filter"):
            assert app.query_one(name).size.height > 0, name
            assert app.query_one(name).size.width > 40, name
        assert text_of(app, "#status") == table.words.say("terminal.your_turn", player="P0")

    tell(table, story, size=(70, 30))


def test_a_board_has_its_chariots_in_colour() -> None:
    board = f"a {sign(0)} b{sign(1)}"
    assert list(pieces(board)) == [("a ", None), (sign(0), 0), (" b", None), (sign(1), 1)]
    assert plain(board, "XY") == "a X bY"
    text = coloured(board, "XY", ("prasina", "russata"))
    assert text.plain == "a X bY"
    assert [str(span.style) for span in text.spans] == ["bold #f2fbe9 on #2e7d43", "bold #fff3df on #c22f2b"]


@pytest.mark.parametrize("game", games.NAMES)
def test_every_chariot_has_a_faction_of_its_own(game: str) -> None:
    factions = factions_of(games.load(game))
    chariots = games.load(game).names.domains.get("chariot", range(6))
    assert len(factions) == len(set(factions)) == len(chariots)


def test_chariots_that_are_named_for_colours_have_them() -> None:
    game = games.load("chariot_race")
    own = dict(zip(game.names.domains["chariot"], factions_of(game), strict=True))
    assert (own["green"], own["red"], own["blue"]) == ("prasina", "russata", "veneta")


@pytest.mark.parametrize("link", ["", "chariots", "http://host", "http://host/t/", "ftp://host/t/x"])
def test_a_wrong_link_is_refused(link: str) -> None:
    with pytest.raises(InvalidOption, match="no link to a table"):
        read_link(link)


def test_a_link_is_read() -> None:
    assert read_link("https://races.example/t/abc#step=3") == ("https://races.example", "abc")


def test_a_seat_at_a_server_plays_on_the_same_screen(tmp_path: Path) -> None:
    async def run(url: str) -> None:
        async with Client(url, "Host") as host, Client(url, "Guest") as guest:
            table = await host.create("chariots", ["open", "wanderer"], pace_ms=0)
            found = await RemoteTable.join(guest, table, "en")
            await host.start(table)
            app = RaceApp(found)
            async with app.run_test(size=(140, 45)) as pilot:
                await until(pilot, lambda: app.turn is not None)
                seq = guest.view(table)["seq"]
                await pilot.press("enter")
                await until(pilot, lambda: guest.view(table)["seq"] > seq or bool(guest.view(table)["chosen"]))
                assert "Guest" in str(app.query_one("#standings", Static).render())

    with serving(str(tmp_path / "tables.sqlite"), tmp_path) as server:
        asyncio.run(run(server.url))
