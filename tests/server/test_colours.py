"""The colours of the seats: chosen with the table, changed before the start, each worn once."""

from pathlib import Path

import msgspec
import pytest

from quadriga import games
from quadriga.server.errors import Refused
from quadriga.server.output import views
from quadriga.server.tables import commands as c
from quadriga.server.tables import lobby
from quadriga.server.tables.colours import COLOURS, set_colour, settle_colours
from quadriga.server.tables.document import NewTable, TableDocument, WantedSeat
from quadriga.server.tables.table import LiveTable
from tests.server.house import House, run
from tests.server.test_table_rules import ANA, BEN, EVE


def new_table(*seats: WantedSeat) -> LiveTable:
    game = games.load("chariots")
    doc, _ = lobby.new_table(NewTable(game="chariots", seats=list(seats)), game, ANA, 0)
    return LiveTable(doc, None, game)


def shown(live: LiveTable) -> list[str]:
    return [seat["colour"] for seat in views.seats(live, None)]


def wear(live: LiveTable, seat: int, colour: str, guest: object = ANA) -> str | None:
    try:
        command = msgspec.convert({"type": "colour", "table": "t", "seat": seat, "colour": colour}, c.SetColour)
        set_colour(live, guest, command, 0)  # type: ignore[arg-type]
    except Refused as error:
        return error.code
    return None


def test_a_wanted_colour_is_worn_and_others_get_the_free_ones() -> None:
    live = new_table(WantedSeat("me", colour="albata"), WantedSeat("wanderer"), WantedSeat("open"))
    assert shown(live) == ["albata", "russata", "veneta"]


def test_more_seats_than_colours_have_none() -> None:
    assert settle_colours([None] * 8) == [*COLOURS, "", ""]


def test_two_seats_cannot_want_the_same_colour() -> None:
    with pytest.raises(Refused, match="same colour"):
        new_table(WantedSeat("me", colour="albata"), WantedSeat("open", colour="albata"))


def test_a_taken_colour_is_swapped() -> None:
    live = new_table(WantedSeat("me"), WantedSeat("wanderer"))
    assert wear(live, 0, "albata") is None
    assert shown(live) == ["albata", "russata"]
    assert wear(live, 1, "aurata") is None
    assert shown(live) == ["albata", "aurata"]


def test_everybody_changes_their_own_and_the_host_those_of_bots_before_the_start() -> None:
    live = new_table(WantedSeat("me"), WantedSeat("open"), WantedSeat("wanderer"))
    assert wear(live, 1, "aurata", BEN) == "not_host"
    assert wear(live, 1, "aurata") is None
    lobby.claim(live, BEN, c.Claim(table="t", seat=1), 0)
    assert wear(live, 1, "purpurea", BEN) is None
    assert wear(live, 1, "veneta") == "not_yours"
    assert wear(live, 2, "prasina", EVE) == "not_host"
    lobby.start(live, ANA, c.Start(table="t"), 0)
    assert wear(live, 0, "veneta") == "not_open"
    assert shown(live) == ["russata", "purpurea", "veneta"]


def test_a_rematch_keeps_the_colours_and_old_tables_have_none() -> None:
    live = new_table(WantedSeat("me", colour="aurata"), WantedSeat("wanderer"))
    lobby.start(live, ANA, c.Start(table="t"), 0)
    live.doc.state = "over"
    lobby.rematch(live, ANA, c.Rematch(table="t"), 0)
    (again,) = live.created
    assert again.colours == ["aurata", "russata"]
    before = {key: value for key, value in msgspec.to_builtins(live.doc).items() if key != "colours"}
    live.doc = msgspec.convert(before, TableDocument)
    assert shown(live) == ["", ""]


def test_a_colour_is_one_of_six() -> None:
    with pytest.raises(msgspec.ValidationError):
        c.decoder.decode(b'{"type": "colour", "table": "t", "seat": 0, "colour": "pink"}')


def test_everybody_at_the_table_is_told_of_a_new_colour(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.create("Ana", ["me", "Ben"])
        screen = await house.watch("Ana", table)
        await house.act("Ben", c.SetColour(table=table, seat=1, colour="aurata"))
        told = [message for message in screen.got if message["type"] == "table"][-1]
        assert [seat["colour"] for seat in told["seats"]] == ["russata", "aurata"]

    run(tmp_path, story)
