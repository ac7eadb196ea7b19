"""Puzzles on the server: the day's, streaks, ratings, and an answer that stays secret until one is made."""

import json
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from quadriga.core.edition import TomlFile
from quadriga.puzzles.pack import open_shipped
from quadriga.puzzles.rating import Rating
from quadriga.server.database import puzzle_rows
from quadriga.server.database.guests import data_of
from quadriga.server.database.puzzle_rows import Given, count_streak
from quadriga.server.errors import Refused
from quadriga.server.http import puzzle_routes as routes
from quadriga.server.http.puzzle_routes import PlayOnOrder, PuzzleChoice
from quadriga.server.output import views
from quadriga.server.puzzles.catalogue import (
    Card,
    cards_of,
    choose_next,
    daily_number,
    find_card,
    key_of,
    open_puzzle,
    today,
)
from quadriga.server.tables.erasure import forget_guest
from tests.server.house import START, House, run

Json = dict[str, Any]
GAME = "chariots"
DAY_MS = 86_400_000
HIDDEN = ("solution", "answers", "following", "explanation", "best", "chance", "found", "margin", "reasons")
"""Names under which something about the answer travels, once it may."""


def right_choice(number: int) -> str:
    return str(open_puzzle(GAME, number).exercise.facts["answers"][0])


def wrong_choice(number: int) -> str:
    attempt = open_puzzle(GAME, number)
    told = [attempt.game.describe(action) for action in attempt.game.legal_actions(attempt.state, attempt.seat)]
    return next(text for text in told if text not in attempt.exercise.facts["answers"])


async def ask(house: House, handler: Any, name: str | None, **given: Any) -> Json:
    """What a route answers, as JSON."""
    guest = house.guest(name) if name else None
    answer = await handler.fn(services=house.services, guest=guest, address="here", **given)
    found: Json = json.loads(views.encode(answer))
    return found


async def solve(house: House, name: str | None, number: int, text: str) -> Json:
    return await ask(house, routes.answer, name, game=GAME, number=number, data=PuzzleChoice(action=text))


# ---------------------------------------------------------------- the day


def test_the_puzzle_of_the_day_is_the_same_for_everybody_and_none_comes_twice_in_a_round() -> None:
    count = len(cards_of(GAME))
    first = date(2026, 1, 1)
    first += timedelta(days=-first.toordinal() % count)
    numbers = [daily_number(GAME, first + timedelta(days=n)) for n in range(count)]
    assert sorted(numbers) == list(range(1, count + 1))
    assert numbers == [daily_number(GAME, first + timedelta(days=n)) for n in range(count)]


def test_days_begin_at_midnight_utc() -> None:
    midnight = START - START % DAY_MS
    assert today(midnight - 1) + timedelta(days=1) == today(midnight) == today(midnight + DAY_MS - 1)


@pytest.mark.parametrize(
    ("back", "streak"),
    [([], 0), ([0], 1), ([1], 1), ([0, 1, 2], 3), ([1, 2, 3], 3), ([0, 2], 1), ([2, 3], 0), ([0, 1, 3, 4], 2)],
)
def test_a_streak_is_days_in_a_row_up_to_today_or_yesterday(back: list[int], streak: int) -> None:
    now = date(2026, 3, 1)
    assert count_streak([now - timedelta(days=n) for n in back], now) == streak


def test_a_streak_grows_day_by_day_and_ends_with_a_day_left_out(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        streaks = []
        for days in (0, 1, 2, 4):
            house.time = START + days * DAY_MS
            number = daily_number(GAME, today(house.time))
            streaks.append((await solve(house, "Ana", number, right_choice(number)))["streak"])
        assert streaks == [1, 2, 3, 1]
        assert (await ask(house, routes.overview, "Ana"))["streak"] == 1
        assert (await ask(house, routes.overview, "Ben"))["streak"] == 0

    run(tmp_path, story)


def test_another_puzzle_or_a_shown_answer_makes_no_streak(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        number = daily_number(GAME, today(house.time))
        other = next(card.number for card in cards_of(GAME) if card.number != number)
        assert (await solve(house, "Ana", other, right_choice(other)))["streak"] == 0
        await ask(house, routes.show_answer, "Ana", game=GAME, number=number)
        assert (await solve(house, "Ana", number, right_choice(number)))["streak"] == 0
        await solve(house, "Ben", number, wrong_choice(number))
        assert (await solve(house, "Ben", number, right_choice(number)))["streak"] == 1, "one may try again"

    run(tmp_path, story)


# ---------------------------------------------------------------- answers


@pytest.mark.parametrize("game", ["charioteer", "chariot_race", "chariots"])
def test_nothing_about_the_answer_is_sent_before_an_answer(tmp_path: Path, game: str) -> None:
    async def story(house: House) -> None:
        sent = await ask(house, routes.puzzle, "Ana", game=game, number=1)
        race = sent["view"].pop("view")
        assert set(race) <= set(open_puzzle(game, 1).game.definition.view.dtype.names or ())
        assert not set(_keys(sent)) & set(HIDDEN)
        attempt = open_puzzle(game, 1)
        texts = json.dumps(sent, ensure_ascii=False)
        for language in ("en", "es"):
            assert attempt.ask is not None
            assert attempt.ask.right[language] not in texts
            assert attempt.ask.say[language] in texts
        assert len(sent["view"]["legal"]) == len(attempt.exercise.facts["chances"])
        assert sent["view"]["steps"] == [], "the choices that led there are not sent"
        assert attempt.scenario.seed.hex() not in texts

    run(tmp_path, story)


def _keys(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [*value, *(key for item in value.values() for key in _keys(item))]
    return [key for item in value for key in _keys(item)] if isinstance(value, list) else []


def test_a_wrong_answer_tells_its_chance_and_not_what_is_right(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        told = await solve(house, "Ana", 1, wrong_choice(1))
        assert not told["right"]
        assert 0 <= told["chance"] < told["best"] <= 100
        assert not set(_keys(told)) & {"solution", "answers", "following", "explanation", "view"}
        told = await solve(house, "Ana", 1, right_choice(1))
        assert told["right"]
        assert told["chance"] == told["best"] > told["following_chance"]
        assert told["explanation"] == told["say"]
        assert set(told["explanation"]) == {"en", "es"}
        assert told["view"]["steps"], "what the choice leads to"

    run(tmp_path, story)


def test_every_answer_of_the_set_is_right_and_choices_against_the_rules_are_refused(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        for card in cards_of(GAME):
            attempt = open_puzzle(GAME, card.number)
            for text in attempt.exercise.facts["answers"]:
                assert (await solve(house, None, card.number, text))["right"]
        with pytest.raises(Refused) as error:
            await solve(house, "Ana", 1, "recover ace")
        assert error.value.code in ("refused", "invalid_action")
        tried = PuzzleChoice(action=right_choice(1))
        assert (await ask(house, routes.try_choice, "Ana", game=GAME, number=1, data=tried))["allowed"]

    run(tmp_path, story)


@pytest.mark.parametrize(("game", "number"), [("chess", 1), (GAME, 0), (GAME, 9999)])
def test_what_is_not_there_is_refused(tmp_path: Path, game: str, number: int) -> None:
    async def story(house: House) -> None:
        with pytest.raises(Refused) as error:
            await ask(house, routes.puzzle, "Ana", game=game, number=number)
        assert error.value.status == 404

    run(tmp_path, story)


# ---------------------------------------------------------------- ratings


def test_only_the_first_answer_is_rated(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        wrong = await solve(house, "Ana", 1, wrong_choice(1))
        assert wrong["gained"] < 0
        again = await solve(house, "Ana", 1, right_choice(1))
        assert (again["gained"], again["rating"], again["puzzle_rating"]) == (
            0, wrong["rating"], wrong["puzzle_rating"],
        )  # fmt: skip
        other = await solve(house, "Ben", 1, right_choice(1))
        assert other["gained"] > 0
        assert other["puzzle_rating"] < wrong["puzzle_rating"]
        assert (await ask(house, routes.puzzle, "Ana", game=GAME, number=1))["rating"] == other["puzzle_rating"]
        assert (await ask(house, routes.overview, "Ana"))["games"][GAME]["rating"] == wrong["rating"]

    run(tmp_path, story)


def test_to_look_at_the_answer_counts_as_a_wrong_one(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        shown = await ask(house, routes.show_answer, "Ana", game=GAME, number=1)
        assert shown["gained"] < 0
        facts = open_puzzle(GAME, 1).exercise.facts
        assert len(shown["answers"]) == len(facts["answers"])
        assert (await solve(house, "Ana", 1, right_choice(1)))["gained"] == 0
        with pytest.raises(Refused, match="name"):
            await ask(house, routes.show_answer, None, game=GAME, number=1)

    run(tmp_path, story)


def test_strangers_are_answered_and_nothing_is_kept(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        assert "rating" not in await solve(house, None, 1, right_choice(1))
        assert await house.services.store.read(partial(puzzle_rows.puzzle_ratings, game=GAME)) == {}

    run(tmp_path, story)


def test_the_next_puzzle_is_near_the_rating_and_new() -> None:
    cards = [Card(n, f"k{n}", 0.5, Rating(float(n), 5.0)) for n in range(1, 41)]
    chosen = {choose_next(cards, {}, set(), Rating(20.0, 5.0), 0, Random(n)) for n in range(100)}
    assert {card.number for card in chosen if card} == {18, 19, 20, 21, 22}
    seen = {f"k{n}" for n in range(1, 41) if n != 40}
    assert choose_next(cards, {}, seen, Rating(20.0, 5.0), 0, Random(0)) == cards[39]
    assert choose_next(cards, {"k1": Rating(20.0, 1.0)}, seen - {"k1"}, Rating(20.0, 5.0), 40, Random(0)) == cards[0]
    assert choose_next(cards[:1], {}, {"k1"}, Rating(), 1, Random(0)) is None


def test_a_puzzle_keeps_its_rating_under_another_number_and_with_other_words() -> None:
    pack = open_shipped(GAME)
    assert pack is not None
    source = pack.read("0001")
    renamed = TomlFile("other", source.text.replace('"Puzzle 1"', '"Puzzle 9"').replace("wins most", "is best"))
    assert renamed.text != source.text
    assert key_of(GAME, renamed) == key_of(GAME, source) == find_card(GAME, 1).key
    assert len({card.key for card in cards_of(GAME)}) == len(cards_of(GAME))
    moved = TomlFile("moved", source.text.replace("seats = ", "seats = 1"))
    assert key_of(GAME, moved) != key_of(GAME, source)


# ---------------------------------------------------------------- guests


def test_what_is_kept_is_shown_to_the_guest_and_forgotten_with_it(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        await solve(house, "Ana", 1, right_choice(1))
        ana = house.guest("Ana").id
        kept = await house.services.store.read(lambda connection: data_of(connection, ana))
        assert [len(kept["puzzles"]), len(kept["puzzle_ratings"])] == [1, 1]
        await forget_guest(house.services.executor, ana)
        kept = await house.services.store.read(lambda connection: data_of(connection, ana))
        assert kept["puzzles"] == kept["puzzle_ratings"] == []
        card = find_card(GAME, 1)
        given = Given(ana, GAME, card.key, card.first, True, None, START)
        await house.services.store.write(lambda connection: puzzle_rows.keep_answer(connection, given))
        assert (await house.services.store.read(partial(puzzle_rows.status_of, guest=ana, key=card.key))) == (
            puzzle_rows.Status()
        )

    run(tmp_path, story)


def test_playing_on_begins_at_the_puzzle_after_an_answer(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        order = {"game": GAME, "number": 1, "data": PlayOnOrder(level="wanderer")}
        with pytest.raises(Refused) as error:
            await ask(house, routes.play_on_from, "Ana", **order)
        assert error.value.code == "not_answered"
        await solve(house, "Ana", 1, wrong_choice(1))
        opened = await ask(house, routes.play_on_from, "Ana", **order)
        live, start = await house.live(opened["table"]), open_puzzle(GAME, 1)
        assert live.match is not None
        assert live.match.view(start.seat).tobytes() == start.game.view(start.state, start.seat).tobytes()
        assert live.doc.seats[start.seat].guest == house.guest("Ana").id
        assert {seat.kind for seat in live.doc.seats} == {"person", "wanderer"}

    run(tmp_path, story)


def test_too_many_requests_are_refused(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        house.services.puzzles.clock = lambda: 0.0
        while house.services.puzzles.wait("Ben") == 0:
            await ask(house, routes.overview, "Ana")
        with pytest.raises(Refused, match="Too fast"):
            await ask(house, routes.overview, "Ana")

    run(tmp_path, story, puzzles_per_minute=1.0)
