"""HTTP: puzzles, today's among them; answers, ratings and streaks."""

import asyncio
from datetime import date
from functools import partial
from random import SystemRandom
from typing import Annotated, Any

from litestar import get, post
from litestar.params import QueryParameter
from msgspec import Meta, Struct
from sqlalchemy import Connection

from quadriga import games
from quadriga.puzzles.rating import Rating
from quadriga.server.database import puzzle_rows
from quadriga.server.database.guests import Guest
from quadriga.server.database.puzzle_rows import Given, Rated, Status
from quadriga.server.errors import Refused
from quadriga.server.http.guest_routes import required
from quadriga.server.output.exercises import try_action
from quadriga.server.puzzles import answers, play_on
from quadriga.server.puzzles.catalogue import Card, cards_of, choose_next, daily_number, find_card, open_puzzle, today
from quadriga.server.services import Services
from quadriga.server.tables import creation
from quadriga.server.tables import play_on as play_on_tables
from quadriga.server.tables.commands import AnyAction
from quadriga.server.tables.table import require_level

Json = dict[str, Any]


class PuzzleChoice(Struct, forbid_unknown_fields=True):
    """A choice in a puzzle. A puzzle is one choice: none can come before it."""

    action: AnyAction
    choices: Annotated[list[AnyAction], Meta(max_length=0)] = []


class PlayOnOrder(Struct, forbid_unknown_fields=True):
    """Against which bots."""

    level: Annotated[str, Meta(max_length=40)] = answers.RIVAL


async def _open(services: Services, game: str, number: int, guest: Guest | None, address: str) -> Card:
    """A puzzle of a game whose rules are ready, within the rate that is allowed; or a refusal."""
    services.puzzles.require(guest.id if guest else address)
    card = await asyncio.to_thread(find_card, game, number)
    await services.preparation.require(game)
    return card


@get("/api/puzzles", tags=["puzzles"])
async def overview(services: Services, guest: Guest | None, address: str) -> Json:
    """The games with puzzles, today's of each, and how I do."""
    services.puzzles.require(guest.id if guest else address)
    day = today(services.registry.now())
    found = await asyncio.to_thread(_counts)
    listed = {name: {"puzzles": count, "today": daily_number(name, day)} for name, count in found.items()}
    mine = await services.store.read(partial(_progress, guest=guest, names=tuple(listed), day=day)) if guest else {}
    return {"day": day.isoformat(), "games": {name: entry | mine.get(name, {}) for name, entry in listed.items()}} | {
        "streak": mine.get("streak", 0)
    }


def _counts() -> dict[str, int]:
    return {name: len(cards_of(name)) for name in games.NAMES if cards_of(name)}


def _progress(connection: Connection, guest: Guest, names: tuple[str, ...], day: date) -> Json:
    found: Json = {"streak": puzzle_rows.streak_of(connection, guest.id, day)}
    for name in names:
        status = puzzle_rows.status_of(connection, guest.id, find_card(name, daily_number(name, day)).key)
        found[name] = {
            "rating": puzzle_rows.rating_of(connection, guest.id, name).shown,
            "answered": len(puzzle_rows.answered(connection, guest.id, name)),
            "today_solved": status.is_solved,
        }
    return found


@get("/api/puzzles/{game:str}/next", tags=["puzzles"])
async def following(
    game: str,
    services: Services,
    guest: Guest | None,
    address: str,
    besides: Annotated[int, QueryParameter(ge=0, le=9999)] = 0,
) -> Json:
    """The number of a puzzle near my rating that I have not answered."""
    services.puzzles.require(guest.id if guest else address)
    cards = await asyncio.to_thread(cards_of, game)

    def choose(connection: Connection) -> Card | None:
        rated = puzzle_rows.puzzle_ratings(connection, game)
        seen = puzzle_rows.answered(connection, guest.id, game) if guest else set()
        own = puzzle_rows.rating_of(connection, guest.id, game) if guest else Rating()
        return choose_next(cards, rated, seen, own, besides, SystemRandom())

    card = await services.store.read(choose)
    if card is None:
        raise Refused("not_found")
    return {"number": card.number}


@get("/api/puzzles/{game:str}/{number:int}", tags=["puzzles"])
async def puzzle(game: str, number: int, services: Services, guest: Guest | None, address: str) -> Json:
    """A puzzle before it is answered."""
    card = await _open(services, game, number, guest, address)
    attempt = await asyncio.to_thread(open_puzzle, game, number)
    begun = await asyncio.to_thread(answers.begin, attempt, _table(game, number))
    status = await _status(services, guest, card)
    rating = await services.store.read(partial(puzzle_rows.puzzle_rating, key=card.key, first=card.first))
    return begun | {
        "number": number,
        "stars": card.stars,
        "rating": rating.shown,
        "is_today": number == daily_number(game, today(services.registry.now())),
        "answered": status.is_answered,
        "solved": status.is_solved,
    }


@post("/api/puzzles/{game:str}/{number:int}", tags=["puzzles"], status_code=200)
async def answer(
    game: str, number: int, data: PuzzleChoice, services: Services, guest: Guest | None, address: str
) -> Json:
    """Whether a choice is right; the first one of a guest is rated."""
    card = await _open(services, game, number, guest, address)
    attempt = await asyncio.to_thread(open_puzzle, game, number)
    found = await asyncio.to_thread(answers.judge, attempt, _table(game, number), data.action)
    return found | await _keep(services, guest, card, game, found["right"], puzzle_rows.keep_answer)


@post("/api/puzzles/{game:str}/{number:int}/try", tags=["puzzles"], status_code=200)
async def try_choice(
    game: str, number: int, data: PuzzleChoice, services: Services, guest: Guest | None, address: str
) -> Json:
    """Whether the rules would allow a choice in a puzzle."""
    await _open(services, game, number, guest, address)
    attempt = await asyncio.to_thread(open_puzzle, game, number)
    return await asyncio.to_thread(try_action, attempt, data.action)


@post("/api/puzzles/{game:str}/{number:int}/answer", tags=["puzzles"], status_code=200)
async def show_answer(game: str, number: int, services: Services, guest: Guest | None, address: str) -> Json:
    """The answer, for those who give up: without an answer before it counts as a wrong one."""
    who = required(guest)
    card = await _open(services, game, number, guest, address)
    attempt = await asyncio.to_thread(open_puzzle, game, number)
    kept = await _keep(services, who, card, game, False, puzzle_rows.keep_shown)
    return await asyncio.to_thread(answers.explain, attempt) | kept


@post("/api/puzzles/{game:str}/{number:int}/play-on", tags=["puzzles"], status_code=201)
async def play_on_from(
    game: str, number: int, data: PlayOnOrder, services: Services, guest: Guest | None, address: str
) -> Json:
    """A new table that goes on from a puzzle I have answered, against bots."""
    player, level = required(guest), require_level(data.level)
    services.tables.require(player.id)
    card = await _open(services, game, number, guest, address)
    if not (await _status(services, player, card)).is_answered:
        raise Refused("not_answered")
    attempt = await asyncio.to_thread(open_puzzle, game, number)
    match = await asyncio.to_thread(play_on.branch, attempt, player, level)
    doc, token = play_on.new_document(match, attempt.seat, player, level, services.registry.now())
    rows = await asyncio.to_thread(play_on_tables.rows_of, doc, match)
    await creation.write_table(services.store, services.settings, doc, None, rows, play_on_tables.size_of(rows))
    await services.executor.attend(doc.id)
    return {"table": doc.id, "seats": [token]}


async def _status(services: Services, guest: Guest | None, card: Card) -> Status:
    if guest is None:
        return Status()
    found: Status = await services.store.read(partial(puzzle_rows.status_of, guest=guest.id, key=card.key))
    return found


async def _keep(services: Services, guest: Guest | None, card: Card, game: str, is_right: bool, keep: Any) -> Json:
    """Keep an answer of a guest; what it changed."""
    if guest is None:
        return {}
    now = services.registry.now()
    day = today(now)
    is_today = card.number == daily_number(game, day)
    given = Given(guest.id, game, card.key, card.first, is_right, day.isoformat() if is_today else None, now)
    rated: Rated = await services.store.write(lambda connection: keep(connection, given))
    streak = await services.store.read(partial(puzzle_rows.streak_of, guest=guest.id, today=day))
    return {
        "rating": rated.after.shown,
        "gained": rated.after.shown - rated.before.shown,
        "puzzle_rating": rated.puzzle.shown,
        "streak": streak,
    }


def _table(game: str, number: int) -> str:
    return f"puzzle-{game}-{number}"


HANDLERS = [overview, following, puzzle, answer, try_choice, show_answer, play_on_from]
