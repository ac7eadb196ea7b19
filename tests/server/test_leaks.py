"""Nobody is sent what they may not know: twin races that differ in hidden things alone look the same, byte for byte.

The bytes are those handed to the sockets. Clock, ids and seeds are the same in both worlds.
"""

import asyncio
import itertools
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from quadriga import games
from quadriga.core import codec
from quadriga.core.match import Moment
from quadriga.core.messages import Action
from quadriga.core.streams import new_stream
from quadriga.server.analysis import hints
from quadriga.server.analysis.hints import advice_question, evaluation_question
from quadriga.server.analysis.worker import answer_bytes
from quadriga.server.bots.requests import question_of
from quadriga.server.database.guests import Guest
from quadriga.server.output import presence, views
from quadriga.server.output.watchers import Watcher
from quadriga.server.process.run import prepare
from quadriga.server.services import Services
from quadriga.server.settings import Settings
from quadriga.server.tables import commands as c
from quadriga.server.tables import lobby, registry
from quadriga.server.tables.document import NewTable, WantedSeat
from quadriga.server.tables.table import LiveTable
from tests.contract.twins import twins_of

SEATS = 3
GUESTS = [Guest(f"guest-secret-{seat}", f"P{seat}") for seat in range(SEATS)]
WATCHER = Guest("guest-secret-w", "W")


class Recorder:
    """Keeps every byte it is sent."""

    def __init__(self, guest: Guest) -> None:
        self.guest, self.is_looking, self.blocked, self.heard = guest, True, set[str](), list[bytes]()
        self.watching: dict[str, Watcher] = {}

    def send(self, message: bytes) -> None:
        self.heard.append(message)


class World:
    """A server without sockets, a table, and everybody at it."""

    def __init__(self, house: Services, live: LiveTable, screens: dict[int | None, Recorder]) -> None:
        self.house, self.live, self.screens = house, live, screens

    @property
    def match(self) -> Any:
        assert self.live.match is not None
        return self.live.match

    async def choose(self, choices: dict[int, Action]) -> None:
        names, seq = self.live.game.names, self.match.seq
        for seat, action in choices.items():
            order = c.Choose(table=self.live.doc.id, seat=seat, seq=seq, action=codec.message_to_json(action, names))
            await self.house.execute(GUESTS[seat], order)

    def take(self, seat: int | None) -> list[bytes]:
        """What somebody heard since the last time."""
        heard, self.screens[seat].heard = self.screens[seat].heard, []
        return heard

    async def come_back(self, seat: int | None) -> list[bytes]:
        """What somebody gets who opens the table anew."""
        recorder = Recorder(WATCHER if seat is None else GUESTS[seat])
        await self.house.broadcaster.watch(Watcher(recorder, self.live.doc.id), -1)
        return recorder.heard

    def inject(self, state: Any) -> None:
        """Another state in place of the one the race is in."""
        moment = self.match.moment(self.match.seq)
        self.match.remember(self.match.seq, Moment(state, moment.left, moment.events))


def fix_everything(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """One clock, one series of ids and seeds, begun anew by the result. The test says when presence is told."""
    numbers = itertools.count()

    def again() -> None:
        nonlocal numbers
        numbers = itertools.count()

    monkeypatch.setattr(presence, "PAUSE_SECONDS", 3600.0)
    monkeypatch.setattr(registry, "now_ms", lambda: 1_700_000_000_000)
    monkeypatch.setattr(secrets, "token_urlsafe", lambda size: f"table-{next(numbers)}")
    monkeypatch.setattr(lobby, "new_token", lambda: f"token-secret-{next(numbers)}")
    monkeypatch.setattr(secrets, "token_hex", lambda size: f"{next(numbers):02x}" * size)
    return again


@asynccontextmanager
async def world(game: str, folder: Path, whole: bool = False) -> AsyncIterator[World]:
    services = await asyncio.to_thread(prepare, Settings(database=str(folder), secret="s"))
    house = services
    await house.preparation.require(game)  # loading it takes a while, in which presence would be told
    options: dict[str, Any] = {"laps": 1, "special_actions": True} if game == "chariots" else {"limit": 4}
    if whole:
        options.pop("limit", None)
    order = NewTable(game=game, seats=[WantedSeat("me"), *[WantedSeat("open")] * (SEATS - 1)], options=options)
    table = (await house.registry.create(order, GUESTS[0]))[0].doc.id
    screens: dict[int | None, Recorder] = {seat: Recorder(guest) for seat, guest in enumerate(GUESTS)}
    screens[None] = Recorder(WATCHER)
    for seat, screen in screens.items():
        await house.broadcaster.watch(Watcher(screen, table), -1)
        if seat:
            await house.execute(GUESTS[seat], c.Claim(table=table))
    await house.execute(GUESTS[0], c.Start(table=table))
    house.broadcaster.presence.send_due()
    try:
        yield World(house, await house.registry.open(table), screens)
    finally:
        await asyncio.to_thread(services.store.close)


def some_choices(one: World, random: Random) -> dict[int, Action]:
    return {seat: random.choice(one.match.legal_actions(seat)) for seat in one.match.to_act()}


async def compare(
    here: World, there: World, seat: int | None, random: Random, steps: int, first: dict[int, Action]
) -> int:
    """Play the same in both worlds until the difference shows to a seat; how many steps looked the same."""
    game = here.live.game
    for same in range(steps):
        if here.match.over:
            return same
        choices = some_choices(here, random) if same else first
        if any(game.refusal(there.match.state, at, action) for at, action in choices.items()):
            return same
        seq = here.match.seq
        expected = [game.apply(w.match.state, choices, _stream(w, seq + 1)) for w in (here, there)]
        await here.choose(choices)
        await there.choose(choices)
        views = [game.view(step.state, seat).tobytes() for step in expected]
        if views[0] != views[1] or expected[0].seen_by(seat) != expected[1].seen_by(seat):
            return same
        assert here.take(seat) == there.take(seat)
    return steps


def _stream(one: World, seq: int) -> Any:
    return new_stream(one.match._key, seq)


async def twin_race(
    game: str, seat: int | None, folder: Path, again: Callable[[], None], random: Random, begin: int, whole: bool
) -> int:
    """Twin races that differ from some step on; how many steps then looked the same."""
    twins = twins_of(game)
    again()
    async with world(game, folder / f"{begin}a.sqlite", whole) as here:
        again()
        async with world(game, folder / f"{begin}b.sqlite", whole) as there:
            for _ in range(begin):
                choices = some_choices(here, random)
                await here.choose(choices)
                await there.choose(choices)
            if here.match.over:
                return 0
            assert here.take(seat) == there.take(seat)
            choices = some_choices(here, random)
            rules, state = here.live.game, here.match.state
            for dealt in (
                twins.deal_anew(rules, state, seat, random),
                twins.deal_later(rules, state, seat, random, choices),
            ):
                there.inject(dealt)
                assert await here.come_back(seat) == await there.come_back(seat)
            return await compare(here, there, seat, random, 100_000 if whole else 12, choices)


def twin_races(game: str, seat: int | None, folder: Path, patch: pytest.MonkeyPatch, whole: bool) -> int:
    again = fix_everything(patch)

    async def story() -> int:
        begins = range(0, 180, 60) if whole else range(0, 18, 3)
        return sum([await twin_race(game, seat, folder, again, Random(at), at, whole) for at in begins])

    return asyncio.run(story())


@pytest.mark.parametrize("seat", [None, 0, SEATS - 1])
@pytest.mark.parametrize("game", games.NAMES)
def test_twin_races_give_the_same_bytes(
    game: str, seat: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert twin_races(game, seat, tmp_path, monkeypatch, whole=False) >= 1


@pytest.mark.long
@pytest.mark.parametrize("seat", [None, *range(SEATS)])
@pytest.mark.parametrize("game", games.NAMES)
def test_whole_twin_races_give_the_same_bytes(
    game: str, seat: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the start, the middle and near the end, to the step where the difference shows or the race ends."""
    assert twin_races(game, seat, tmp_path, monkeypatch, whole=True) >= 1


@pytest.mark.parametrize("steps", [40, pytest.param(100_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("game", games.NAMES)
def test_no_secret_is_ever_sent(game: str, steps: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fix_everything(monkeypatch)

    async def story() -> None:
        async with world(game, tmp_path / "race.sqlite", whole=steps > 40) as here:
            random = Random(5)
            for _ in range(steps):
                if here.match.over:
                    break
                choices = some_choices(here, random)
                await here.choose(choices)
                if len(choices) > 1:
                    for seat in (None, *range(SEATS)):
                        _check_entry(here, seat, choices)
            heard = b"".join(message for screen in here.screens.values() for message in screen.heard)
            seed = here.match.secret_seed().hex().encode()
            for secret in (b"guest-secret", b"token-secret", seed, b'"hash"', b'"state":{', b'"pending"'):
                assert secret not in heard

    asyncio.run(story())


def _check_entry(here: World, seat: int | None, choices: dict[int, Action]) -> None:
    """The last view shows somebody's own choice and a question mark for the others'."""
    views = [m for m in map(msgspec.json.decode, here.screens[seat].heard) if m["type"] == "view"]
    shown = views[-1]["steps"][-1]["entry"]["choices"]
    described = {str(at): here.live.game.describe(action) for at, action in choices.items()}
    assert shown == {at: text if at == str(seat) else "?" for at, text in described.items()}


def questions(one: World, seat: int | None) -> list[bytes]:
    """All that the processes are told which advise and evaluate."""
    moment = one.match.moment(one.match.seq)
    asked: list[Any] = [evaluation_question(one.live, moment, seat)]
    if seat is not None and seat in one.match.to_act():
        choice = one.live.game.describe(one.match.legal_actions(seat)[0])
        asked += [advice_question(one.live, seat, None), advice_question(one.live, seat, choice)]
    return [msgspec.msgpack.encode(question) for question in asked]


def bot_question(one: World, seat: int | None) -> bytes:
    """What a bot is told that completes a hint or what the coach advises."""
    if seat is None or seat not in one.match.to_act():
        return b""
    return msgspec.msgpack.encode(question_of(one.live, seat, hints.BEST, one.match.seq, 0.25))


@pytest.mark.parametrize("seat", [None, 0, SEATS - 1])
@pytest.mark.parametrize("game", games.NAMES)
def test_hints_coach_and_evaluation_know_what_the_seat_knows(
    game: str, seat: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The processes that advise are told the same in twin races: they cannot give away what they do not know."""
    again, twins, random = fix_everything(monkeypatch), twins_of(game), Random(3)

    async def story() -> None:
        again()
        async with world(game, tmp_path / "race.sqlite") as here:
            for _ in range(6):
                state, told, for_bot = here.match.state, questions(here, seat), bot_question(here, seat)
                for twin in (twins.deal_anew(here.live.game, state, seat, random) for _ in range(3)):
                    here.inject(twin)
                    assert questions(here, seat) == told
                    assert bot_question(here, seat) == for_bot
                here.inject(state)
                for body in (*told, for_bot):
                    assert here.match.secret_seed() not in body
                if not here.match.over:
                    await here.choose(some_choices(here, random))

    asyncio.run(story())


@pytest.mark.parametrize("seat", [None, 0, SEATS - 1])
@pytest.mark.parametrize("game", games.NAMES)
def test_the_answers_in_twin_races_are_the_same_bytes(
    game: str, seat: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever plays or watches reads nothing hidden out of chances, costs, reasons and the bar."""
    again, twins, random = fix_everything(monkeypatch), twins_of(game), Random(4)

    def answers(one: World) -> list[bytes]:
        return [answer_bytes(body, lambda progress: None) for body in questions(one, seat)]

    async def story() -> None:
        again()
        async with world(game, tmp_path / "race.sqlite") as here:
            for _ in range(2):
                await here.choose(some_choices(here, random))
            said = answers(here)
            assert said
            here.inject(twins.deal_anew(here.live.game, here.match.state, seat, random))
            assert answers(here) == said

    asyncio.run(story())


def test_a_planted_leak_of_advice_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison notices an evaluation that looks through the eyes of another seat."""
    honest = evaluation_question

    def leaky(live: LiveTable, moment: Moment, seat: int | None) -> Any:
        return honest(live, moment, 1)

    monkeypatch.setitem(globals(), "evaluation_question", leaky)
    with pytest.raises(AssertionError):
        test_hints_coach_and_evaluation_know_what_the_seat_knows("charioteer", 0, tmp_path, monkeypatch)


def test_a_planted_leak_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison notices if a view shows one hidden thing."""
    honest = views._own

    def leaky(live: Any, at: Any, *arguments: Any) -> dict[str, Any]:
        return honest(live, at, *arguments) | {"state": at.state.tobytes().hex()}

    monkeypatch.setattr(views, "_own", leaky)
    with pytest.raises(AssertionError):
        test_twin_races_give_the_same_bytes("charioteer", None, tmp_path, monkeypatch)
