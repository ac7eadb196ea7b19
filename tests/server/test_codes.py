"""Choices as codes: what a view lists, and what a client may send back."""

import json
import random
from pathlib import Path

import pytest
from websockets.sync.client import connect

from quadriga import games
from quadriga.core.codec import action_from_json
from quadriga.core.game import Game
from quadriga.core.match import Match, Sitter
from quadriga.server.output import views
from quadriga.server.output.watchers import Watcher
from quadriga.server.tables import commands as c
from quadriga.server.tables.table import LiveTable
from tests.server.house import House, Json, Screen, refusal, run
from tests.server.serving import Server


async def watch_codes(house: House, name: str, table: str) -> Screen:
    screen = Screen(house.guest(name))
    screen.watching[table] = Watcher(screen, table, as_codes=True)
    await house.services.broadcaster.watch(screen.watching[table], None)
    return screen


def test_a_view_with_codes_says_the_same_as_one_in_full(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["me", "Ben"])
        short, full = await watch_codes(house, "Ana", table), await house.watch("Ana", table)
        for _ in range(4):
            live = await house.live(table)
            assert live.match is not None
            for seat in live.match.waiting_for():
                await house.choose(("Ana", "Ben")[seat], table, seat)
        game = (await house.live(table)).game
        pairs = list(zip(_views(short), _views(full), strict=True))
        assert len(pairs) >= 4
        for one, other in pairs:
            codes = [int(code, 16) for code in one.pop("codes").split()]
            legal = other.pop("legal")
            assert one == other
            assert [game.describe(game.unpack(code)) for code in codes] == [_notation(game, action) for action in legal]

    run(tmp_path, story)


def _views(screen: Screen) -> list[Json]:
    return [message for message in screen.got if message["type"] == "view"]


def _notation(game: Game, action: Json) -> str:
    return game.describe(action_from_json(action, game.kinds, game.names))


def test_a_message_is_the_view_with_its_type(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        live = await house.live(await house.race("Ana", ["me", "Ben"]))
        at = views.position(live, house.time)
        for seat in (0, 1, None):
            sent = json.loads(views.view_message(live, at, seat, [], at.seq, as_codes=False))
            assert sent == {"type": "view"} | json.loads(views.encode(views.view(live, at, seat, [], at.seq)))

    run(tmp_path, story)


def test_a_choice_by_its_code_is_the_choice(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["me", "Ben"])
        screen = await watch_codes(house, "Ana", table)
        code = _views(screen)[-1]["codes"].split()[-1]
        await house.act("Ana", c.Choose(table=table, seat=0, seq=0, action=f"#{code}"))
        live = await house.live(table)
        assert live.match is not None
        assert live.match.pending[0] == live.game.unpack(int(code, 16))

    run(tmp_path, story)


@pytest.mark.parametrize("code", ["", "x", "-1", "0x1", "²", "1 2", "f" * 16, "f" * 17, "7fffffffffffffff", "00f"])
def test_what_is_no_code_is_refused_in_words(tmp_path: Path, code: str) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["me", "Ben"])
        choice = c.Choose(table=table, seat=0, seq=0, action=f"#{code}")
        assert await house.refusal("Ana", choice) == "invalid_action"

    run(tmp_path, story)


@pytest.mark.parametrize("name", games.NAMES)
def test_any_number_is_an_action_of_the_game_or_refused(tmp_path: Path, name: str) -> None:
    """Kernels index by what codes hold: no number beyond a domain may reach them."""

    async def story(house: House) -> None:
        live = await house.live(await house.race("Ana", ["me", "Ben"]))
        live.game, dice = games.load(name), random.Random(1)
        listed = Match(live.game, [Sitter("a"), Sitter("b")], seed=bytes(32)).legal_actions(0)
        for action in listed:
            assert live.action(f"#{action.pack():x}") == action
        for _ in range(3000):
            digits = f"{dice.getrandbits(dice.randint(1, 62)):x}"
            if await refusal(_accept(live, digits)) is None:
                assert live.game.parse(live.game.describe(live.action(f"#{digits}"))) == live.action(f"#{digits}")

    run(tmp_path, story)


async def _accept(live: LiveTable, digits: str) -> None:
    live.action(f"#{digits}")


def test_a_socket_asks_for_codes_in_its_hello(server: Server) -> None:
    with connect(server.url.replace("http", "ws") + "/api/play") as socket:
        socket.send(json.dumps({"type": "hello", "protocol": 1, "build": None, "codes": True}))
        assert json.loads(socket.recv())["type"] == "welcome"
