"""Observations are made of the view alone, and say what their layout says."""

from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest

from quadriga import games
from quadriga.core.game import Game
from quadriga.core.observation import Block, starts
from quadriga.envs.learnable import learnable
from quadriga.envs.table import Table
from quadriga.envs.vector import VectorEnv
from tests.contract.twins import twins_of
from tests.envs.positions import every_game, positions


def encoded(game: Game, state: Any, seat: int) -> Any:
    found = learnable(game)
    out = np.full(found.observation.count + 1, np.nan, np.float32)
    assert found.observation.encode(game.view(state, seat), game.tables, out) == found.observation.count
    assert np.isnan(out[-1])
    return out[:-1]


def part(name: str, numbers: Any, *path: str | int) -> Any:
    """The numbers of a part, or of a part of one of the repeated blocks."""
    for found, at in starts(learnable(games.load(name)).observation.layout):
        if found.name != path[0]:
            continue
        if not isinstance(found, Block):
            return numbers[at : at + found.count]
        begin = at + int(path[1]) * found.count // found.times
        for inner, offset in starts(found.parts):
            if inner.name == path[2]:
                return numbers[begin + offset : begin + offset + inner.count]
    raise AssertionError(f"{name} has no part {path}")


@every_game
def test_every_number_is_written_and_none_is_out_of_range(name: str) -> None:
    for at in positions(name, every=9):
        for seat in range(int(at.state.seats)):
            numbers = encoded(at.game, at.state, seat)
            assert np.abs(numbers).max() <= 1.0


@every_game
def test_what_a_seat_cannot_see_does_not_alter_its_observation(name: str) -> None:
    twins, random, unlike = twins_of(name), Random(name), 0
    for at in positions(name, every=9):
        for seat in range(int(at.state.seats)):
            twin = twins.deal_anew(at.game, at.state, seat, random)
            assert encoded(at.game, twin, seat).tobytes() == encoded(at.game, at.state, seat).tobytes()
            unlike += twin.tobytes() != at.state.tobytes()
    assert bool(unlike) == twins.HIDES


@every_game
def test_a_choice_that_others_have_not_seen_is_in_no_other_observation(name: str) -> None:
    """Two tables with the same race, at which the first seats asked choose different ids."""
    here, there, differed = Table(name, 2), Table(name, 2), 0
    for table in (here, there):
        table.reset(3)
    random = Random(name)
    for _ in range(300):
        seat, mask = here.asked, np.flatnonzero(here.observe(here.asked)["action_mask"])
        owing = [other for other in range(2) if here.owes(other)]
        if len(owing) == 2 and seat == 0:
            finish(here, 0, random, first=True)
            finish(there, 0, random, first=False)
            differed += here.env.chains[0, 0] != there.env.chains[0, 0]
            assert here.asked == there.asked == 1
            assert here.observe(1)["observation"].tobytes() == there.observe(1)["observation"].tobytes()
            assert here.observe(1)["action_mask"].tobytes() == there.observe(1)["action_mask"].tobytes()
            there.give(0, int(here.env.chains[0, 0]))
            continue
        choice = int(random.choice(mask.tolist()))
        here.step(choice)
        there.step(choice)
        if here.is_over:
            break
    assert (differed > 5) == twins_of(name).HIDES


def finish(table: Table, seat: int, random: Random, first: bool) -> None:
    """Let a seat choose to the end, by the first ids offered or by any."""
    while table.asked == seat and table.owes(seat):
        ids = np.flatnonzero(table.observe(seat)["action_mask"]).tolist()
        table.step(ids[0] if first else random.choice(ids))


@every_game
def test_the_observation_of_a_step_is_that_of_the_view_and_the_ids_chosen(name: str) -> None:
    env = VectorEnv(name, 16, 3)
    chosen: list[set[int]] = [set() for _ in range(16)]
    for _ in range(120):
        found = env.learnable
        for race in range(16):
            seat, numbers = int(env.asked[race]), env.arrays.observations[race]
            view = encoded(env.game, env.races[race], seat)
            assert numbers[: found.observation.count].tobytes() == view.tobytes()
            assert set(np.flatnonzero(numbers[found.observation.count : -1]).tolist()) == chosen[race]
            assert (numbers[-1] > 0) == bool(chosen[race])
        asked = env.asked.copy()
        ids = env.random_ids()
        env.step(ids)
        for race in range(16):
            goes_on = env.asked[race] == asked[race] and env.chains[race, asked[race]] != 0
            chosen[race] = chosen[race] | {int(ids[race])} if goes_on else set()


# ---------------------------------------------------------------- what some parts say


def test_parts_of_chariots() -> None:
    for at in positions("chariots", every=9):
        seats, chariots = int(at.state.seats), int(at.state.chariots)
        for seat in range(seats):
            numbers = encoded(at.game, at.state, seat)
            for i in range(chariots):
                c = (i + seat) % chariots
                if at.state.square[c] < 0:
                    continue
                speed = part("chariots", numbers, "chariots", i, "speed")
                assert speed.tolist() == [float(at.state.speed[c] == coin) for coin in range(2, 6)]
                assert part("chariots", numbers, "chariots", i, "own")[0] == (c % seats == seat)
                open_coins = at.state.plot[c] * (np.arange(3) < at.state.exposed)
                plot = part("chariots", numbers, "chariots", i, "plot").reshape(3, 4)
                shown = at.state.plot[c] if c % seats == seat else open_coins
                assert (plot @ np.arange(2, 6) == shown).all()


def test_parts_of_chariot_race() -> None:
    for at in positions("chariot_race", every=11):
        numbers = encoded(at.game, at.state, 0)
        for die in range(5):
            face = part("chariot_race", numbers, "dice", die, "face")
            assert face.sum() == (at.state.dice[die] >= 0)
            assert not face.any() or face.argmax() == at.state.dice[die]
        owners = [part("chariot_race", numbers, "chariots", i, "owner") for i in range(6)]
        ranks = [int(owner.argmax()) if owner.any() else 6 for owner in owners]
        assert ranks == sorted(ranks)
        assert sorted(ranks) == sorted(6 if owner < 0 else int(owner) for owner in at.state.owner)


def test_parts_of_charioteer() -> None:
    game = games.load("charioteer")
    tables: Any = game.tables
    for at in positions("charioteer", every=5):
        for seat in range(int(at.state.seats)):
            numbers = encoded(game, at.state, seat)
            for place, card in enumerate(at.state.hand[seat]):
                symbols = part("charioteer", numbers, "hand", place, "symbols")
                assert (symbols * 2 == tables.card_matches[card]).all()
            damage = part("charioteer", numbers, "rivals", 1, "damage")[0]
            assert damage == pytest.approx(min(1, at.state.damage[(seat + 1) % int(at.state.seats)] / 20))


def test_what_charioteer_works_out_of_the_order_of_the_race() -> None:
    tables: Any = games.load("charioteer").tables
    for at in positions("charioteer", every=11):
        race, seats = at.state, int(at.state.seats)
        final = int(tables.lap) * int(race.laps)
        for seat in range(seats):
            numbers = encoded(at.game, race, seat)
            leader, own = (final - int(race.progress[first]) for first in (race.order[0], seat))
            shares = [min(1, togo / most) for togo in (leader, own) for most in (16, 48)]
            assert part("charioteer", numbers, "to_go") == pytest.approx(shares)
            assert part("charioteer", numbers, "turns_left").sum() == min(8, -(-leader // 9) - 1)
            rivals = [int(rival) for rival in race.order[:seats] if rival != seat]
            for i in range(5):
                assert part("charioteer", numbers, "field", i, "there")[0] == (i < len(rivals))
            for i, rival in enumerate(rivals):
                lead = int(race.progress[rival]) - int(race.progress[seat])
                shares = [max(-1, min(1, lead / most)) for most in (16, 64)]
                assert part("charioteer", numbers, "field", i, "lead") == pytest.approx(shares)
                damage = part("charioteer", numbers, "field", i, "damage")[0]
                assert damage == pytest.approx(min(1, race.damage[rival] / 8))


def test_what_charioteer_works_out_of_a_hand() -> None:
    for at in positions("charioteer", every=5):
        tables: Any = at.game.tables
        for seat in range(int(at.state.seats)):
            numbers = encoded(at.game, at.state, seat)
            cards = [int(card) for card in at.state.hand[seat] if card >= 0]
            found = tables.card_matches[cards].sum(axis=0)
            assert part("charioteer", numbers, "symbols") == pytest.approx(np.minimum(1, found / 8))
            whips = int(tables.card_whip[cards].sum())
            assert part("charioteer", numbers, "icons")[0] == pytest.approx(min(1, whips / 3))
            moves = [min(1, spaces(at.state, tables, seat, symbol) / 24) for symbol in range(12)]
            assert part("charioteer", numbers, "moves") == pytest.approx(moves)


def spaces(race: Any, tables: Any, seat: int, symbol: int) -> int:
    """How far the best cards for a symbol lead on an empty track: every set of them is tried (CH-3, CH-4)."""
    colour, best = int(tables.symbol_colour[symbol]), 0
    hand = [int(tables.card_matches[card, symbol]) for card in race.hand[seat] if card >= 0]
    crowd = int(tables.card_matches[race.crowd[0], symbol])
    damage = int(race.damage[seat]) // (2 if colour == 2 else 1)
    fixed = int(tables.symbol_number[symbol]) + int(tables.marker_bonus[race.marker[seat, colour]]) - damage
    for count in range(1, 4):
        for matches in combinations([found for found in hand if found], count):
            if count + (crowd > 0) >= 2:
                best = max(best, sum(matches) + crowd + fixed)
    progress = int(race.progress[seat])
    for _ in range(best):
        progress += int(tables.stride[progress % int(tables.lap)]) if colour == 3 else 1
    return progress - int(race.progress[seat])
