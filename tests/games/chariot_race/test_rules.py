"""What must hold in any race, whatever is played; single rules are in the scenarios."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quadriga.core.fields import NONE
from quadriga.core.messages import Action
from quadriga.core.play import Player
from quadriga.core.streams import new_stream, stream_key
from quadriga.games import load
from quadriga.games.chariot_race.actions import (
    Draft,
    Drop,
    Grid,
    Keep,
    Pace,
    Pass,
    Repair,
    Reroll,
    Roll,
    Step,
    Throw,
    Turn,
)
from quadriga.games.chariot_race.events import Rolled, RoundBegan
from quadriga.games.chariot_race.state import CHARIOTS, DICE, FACES
from tests.games.chariot_race.table import KEY, game, options_for, position, random_states

SEATS = (2, 3, 4, 5, 6)


def every_action() -> Iterator[Action]:
    spaces: int = len(game().names.domains["space"])
    for chariot in range(NONE, CHARIOTS):
        yield from (Draft(chariot), Grid(chariot), Throw(chariot))
    for points in range(4):
        yield Repair(points)
    for dice in range(NONE, 1 << DICE):
        yield Reroll(dice)
    for die in range(NONE, DICE):
        for face in range(NONE, len(FACES)):
            yield Turn(die, face)
    for plus in range(8):
        yield Pace(plus)
    for space in range(NONE, spaces):
        yield from (Step(space), Drop(space))
    yield from (Roll(), Keep(), Pass())


@pytest.mark.parametrize("seats", SEATS)
def test_what_is_listed_is_what_is_not_refused(seats: int) -> None:
    """Every action there is, in states of random races with every option."""
    actions = [(action, action.pack()) for action in every_action()]
    for options in options_for(seats):
        for race in random_states(seats, options, races=3, every=11):
            seat = game().to_act(race)[0]
            listed = [int(code) for code in game().legal_codes(race, seat)]
            allowed = [code for action, code in actions if game().refusal(race, seat, action) is None]
            assert len(set(listed)) == len(listed)
            assert sorted(listed) == sorted(allowed)


def test_nobody_else_may_choose() -> None:
    race = position()
    seat = game().to_act(race)[0]
    for other in set(range(4)) - {seat}:
        assert game().legal_actions(race, other) == []
        refusal = game().refusal(race, other, Keep())
        assert refusal is not None
        assert refusal.name == "not_now"


def test_cr_1_every_chariot_gets_every_place() -> None:
    places = Counter[tuple[int, int]]()
    for number in range(1200):
        race = game().setup(4, {}, new_stream(KEY, number)).state
        places.update((chariot, int(race.place[chariot])) for chariot in range(4))
    assert len(places) == 16
    assert all(230 < count < 370 for count in places.values())


def test_cr_1_any_player_may_draft_first() -> None:
    openers = Counter(int(game().setup(5, {"alternate": True}, new_stream(KEY, n)).state.opener) for n in range(500))
    assert len(openers) == 5
    assert all(60 < count < 140 for count in openers.values())


@pytest.mark.parametrize(("seats", "chariots"), [(2, 4), (3, 6), (4, 4), (5, 5), (6, 6)])
def test_cr_1_two_chariots_for_two_or_three_players(seats: int, chariots: int) -> None:
    race = game().setup(seats, {}, new_stream(KEY, 0)).state
    owners = Counter(int(owner) for owner in race.owner if owner != NONE)
    assert owners == Counter(dict.fromkeys(range(seats), chariots // seats))
    assert sum(space != NONE for space in race.space) == chariots


def test_cr_5_the_die_has_two_steer_sides() -> None:
    faces = Counter[int]()
    for number in range(1500):
        for told in game().setup(4, {}, new_stream(KEY, number)).events:
            if isinstance(told.event, Rolled):
                faces.update(told.event.values()[2:])
    share = {FACES[face]: count / 7500 for face, count in faces.items()}
    assert share.pop("steer") == pytest.approx(1 / 3, abs=0.03)
    assert all(value == pytest.approx(1 / 6, abs=0.025) for value in share.values())
    assert len(share) == 4


def test_cr_2_the_first_round_goes_by_grid_place(tmp_path: Path) -> None:
    """On a board whose places do not lie in the order of their borders."""
    text = game().edition.source.text.replace('"outer31", "middle27", "inner23"', '"inner23", "middle27", "outer31"')
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    race = load("chariot_race", file).setup(6, {}, new_stream(KEY, 0)).state
    assert [int(race.place[chariot]) for chariot in race.order] == [0, 1, 2, 3, 4, 5]
    assert race.space[race.order[0]] == load("chariot_race").names.number("space", "inner23")


def progress(race: Any, chariot: int) -> tuple[int, int]:
    tables: Any = game().tables
    return int(race.lines[chariot]), int(tables.rank[race.space[chariot]])


@pytest.mark.parametrize("seats", [3, 6])
def test_cr_2_each_round_goes_by_progress(seats: int) -> None:
    """Followed through whole races in Python."""
    rounds = 0
    for number in range(6):
        race = game().setup(seats, {}, new_stream(KEY, number)).state
        for step in range(1, 3000):
            seat = next(iter(game().to_act(race)), None)
            if seat is None:
                break
            choices = game().legal_actions(race, seat)
            stream = new_stream(stream_key(bytes([number] * 32)), step)
            done = game().apply(race, {seat: choices[step % len(choices)]}, stream)
            race = done.state
            for told in done.events:
                if isinstance(told.event, RoundBegan):
                    rounds += 1
                    order = [chariot for chariot in told.event.values()[1:] if chariot != NONE]
                    assert order == sorted(order, key=lambda chariot: progress(race, chariot), reverse=True)
                    assert set(order) == {c for c in range(CHARIOTS) if race.space[c] != NONE}
    assert rounds > 20


def test_nothing_changes_the_state_handed_in() -> None:
    race = position()
    before = race.tobytes()
    seat = game().to_act(race)[0]
    for action in game().legal_actions(race, seat):
        game().apply(race, {seat: action}, new_stream(KEY, 1))
    assert race.tobytes() == before


@pytest.mark.parametrize("seats", SEATS)
def test_random_races_end_and_hold(seats: int) -> None:
    """Checked after every step, with every option."""
    for options in options_for(seats):
        player = Player(game(), seats, options)
        races, tally = player.play(200, stream_key(bytes([seats] * 32)), checking=True)
        assert tally[3] == NONE, game().definition.invariants[tally[4]]
        assert (tally[1], tally[2]) == (200, 0)
        assert set(np.unique(races["reason"])) <= {1, 2, 3}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("seats", 0), ("seats", 7), ("turn", -1), ("turn", 6), ("driven", 17), ("driven", -1), ("behind", 1),
        ("behind", -1), ("picks", 7), ("left", -1), ("left", 16), ("steers", 6), ("attacks", -1), ("reason", 4),
        ("rounds", -1), ("phase", 9), ("track", 4), ("mover", NONE), ("supply", 19), ("wrecks", 1),
        ("owner", 4), ("owner", NONE), ("board", NONE), ("space", NONE), ("damage", 13), ("damage", 0), ("speed", 13),
        ("fate", 7), ("fate", -1), ("wreck", 1), ("place", NONE), ("caltrop", 2), ("order", NONE), ("dice", NONE),
    ],
)  # fmt: skip
def test_a_state_that_cannot_be_is_found_out(field: str, value: int) -> None:
    """One number changed in a sound state; of arrays that of the chariot on turn, or the first."""
    race = position()
    assert game().check(race) is None
    if np.ndim(getattr(race, field)):
        at = int(race.mover) if len(getattr(race, field)) == CHARIOTS and field != "order" else 0
        getattr(race, field)[at] = value
    else:
        setattr(race, field, value)
    assert game().check(race) is not None


def test_two_chariots_on_a_space_or_one_on_a_heap_are_found_out() -> None:
    race = position()
    race.space[0] = race.space[1]
    assert "one space" in str(game().check(race))
    race = position(options={"track": "B-B"})
    race.space[0] = game().names.number("space", "outer13")
    assert "heap" in str(game().check(race))
