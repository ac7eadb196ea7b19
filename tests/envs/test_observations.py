"""Observations are made of the view alone, and say what their layout says."""

from functools import partial
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest

from quadriga import games
from quadriga.core.fields import NONE
from quadriga.core.game import Game
from quadriga.core.observation import Block, starts
from quadriga.envs.learnable import learnable
from quadriga.envs.table import Table
from quadriga.envs.vector import VectorEnv
from quadriga.games.chariots.actions import Step
from quadriga.games.chariots.chain import way
from quadriga.games.chariots.choices import chariot_asked
from tests.contract.twins import twins_of
from tests.envs.positions import Position, every_game, positions


def encoded(game: Game, state: Any, seat: int) -> Any:
    found = learnable(game)
    view, count = game.view(state, seat), found.observation.count
    out = np.full(found.observation.inputs + 1, np.nan, np.float32)
    assert found.observation.encode(view, game.tables, out) == count
    assert np.isnan(out[count:]).all()
    assert found.observation.encode_outlook(view, game.tables, out, count) == found.observation.inputs
    assert np.isnan(out[-1])
    return out[:-1]


def part(name: str, numbers: Any, *path: str | int) -> Any:
    """The numbers of a part, or of a part of one of the repeated blocks."""
    observation = learnable(games.load(name)).observation
    for found, at in starts((*observation.layout, *observation.outlook)):
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
            count = found.observation.count
            assert numbers[:count].tobytes() == view[:count].tobytes()
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


def test_outlook_of_chariots() -> None:
    for at in positions("chariots", every=9):
        state, chariots, tables = at.state, int(at.state.chariots), tables_of(at)
        racing = [c for c in range(chariots) if state.square[c] >= 0]
        left = {c: steps_to_end(state, tables, c) for c in racing}
        for seat in range(int(state.seats)):
            numbers = encoded(at.game, state, seat)
            own = min((left[c] for c in racing if c % state.seats == seat), default=min(left.values()))
            for i in range(chariots):
                c = (i + seat) % chariots
                said = partial(part, "chariots", numbers, "outlook", i)
                if c not in racing:
                    assert not said("line").any()
                    continue
                assert said("line").argmax() == min(27, tables.to_line[state.square[c]])
                ahead = sum(further(state, other, c) for other in racing if other != c)
                assert said("ahead").argmax() == ahead
                assert said("apart") == pytest.approx([clipped((left[c] - own) / most) for most in (8, 32)])
                assert said("end") == pytest.approx([clipped(left[c] / most) for most in (12, 48)])
                to_go = sum(tables.moves[state.speed[c], state.impulse + 1 :])
                assert said("steps")[0] == pytest.approx(to_go / 5)
                known = [coin for n, coin in enumerate(state.plot[c]) if n >= max(state.phase - 1, 0)]
                shown = known if c % state.seats == seat else known[: max(0, state.exposed - max(state.phase - 1, 0))]
                assert said("coins") == pytest.approx([sum(shown) / 12, sum(coin > 0 for coin in shown) / 3])


def test_steps_of_chariots_are_those_that_may_be_taken() -> None:
    """Ways that cost no coin are open and free, and lead as much nearer as the race then is."""
    checked = 0
    for at in positions("chariots", every=5):
        game, state = at.game, at.state
        for seat in range(int(state.seats)):
            numbers, chariot = encoded(game, state, seat), chariot_asked(state, seat)
            for action in game.legal_actions(state, seat):
                if not isinstance(action, Step) or (action.null, action.pushed_to) != (NONE, NONE):
                    continue
                square, to, tables = int(state.square[chariot]), action.to, tables_of(at)
                said = partial(part, "chariots", numbers, "steps", way(tables, square, to))
                crossed = {(1, 2): 24, (2, 1): -24}.get((int(tables.gate[square]), int(tables.gate[to])), 0)
                nearer = int(tables.to_line[square]) - int(tables.to_line[to]) + crossed
                assert said("nearer")[0] == pytest.approx(clipped(nearer / 4))
                assert said("open")[0] == 1
                assert not said("taken").any()
                checked += 1
    assert checked > 100


def tables_of(at: Position) -> Any:
    return at.game.tables


def steps_to_end(state: Any, tables: Any, chariot: int) -> int:
    return int((state.laps - 1 - state.lines[chariot]) * 24 + tables.to_line[state.square[chariot]])


def further(state: Any, one: int, other: int) -> bool:
    """CT-5: line count, then the square in running order."""
    return bool((state.lines[one], state.square[one]) > (state.lines[other], state.square[other]))


def clipped(value: float) -> float:
    return min(1.0, max(-1.0, value))


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


def test_outlook_of_chariot_race() -> None:
    met = 0
    for at in positions("chariot_race", every=11):
        tables: Any = at.game.tables
        state, way = at.state, ways_of(at.state, tables)
        order = sorted(way, key=lambda chariot: (-way[chariot], chariot))
        for seat in range(int(state.seats)):
            numbers = encoded(at.game, state, seat)
            own = [way[c] for c in order if state.owner[c] == seat]
            rivals = [way[c] for c in order if state.owner[c] != seat]
            assert part("chariot_race", numbers, "racing")[0] == pytest.approx(len(order) / 6)
            if own and rivals:
                assert part("chariot_race", numbers, "lead")[0] == share(own[0] - rivals[0], 72)
            there = [part("chariot_race", numbers, "outlook", place, "there")[0] for place in range(6)]
            assert there == [1] * len(order) + [0] * (6 - len(order))
            for place, chariot in enumerate(order):
                expected = outlook_of(state, tables, seat, chariot, way, (own or rivals)[0])
                found = {name: list(part("chariot_race", numbers, "outlook", place, name)) for name in expected}
                assert found == expected
                met += 1
    assert met > 1000


def outlook_of(
    state: Any, tables: Any, seat: int, chariot: int, way: dict[int, int], first: int
) -> dict[str, list[Any]]:
    """What the outlook should say of a chariot; `first` is how far one's own first has come."""
    space, owner, useful = state.space[chariot], state.owner[chariot], useful_speed(state, tables, chariot)
    to_go = 3 * int(tables.spaces) - way[chariot]
    in_reach = [other for other in way if other != chariot and tables.near[space, state.space[other]]]
    behind = found_at(lane_from(tables.back, tables.back[space]), others(state, chariot))
    return {
        "own": [owner == seat],
        "owner": [(owner - seat) % state.seats == relative for relative in range(6)],
        "lead": [share(way[chariot] - first, most) for most in (36, 126)],
        "finish": [share(to_go, most) for most in (36, 126)],
        "damage": [state.damage[chariot] > value for value in (1, 2, 3, 5, 7, 9)],
        "useful": [share(useful, 12)],
        "near": [share(len(in_reach), 4)],
        "followed": [share(13 - behind if behind else 0, 12)],
        "turns": [share(-(-max(0, to_go) // (3 * max(1, useful))), 12)],
        **{lane: lane_says(state, tables, chariot, lane) for lane in ("ahead", "inward", "outward")},
    }


def ways_of(state: Any, tables: Any) -> dict[int, int]:
    """How far each chariot on the track has come."""
    on_track = [chariot for chariot in range(6) if state.space[chariot] >= 0]
    return {c: int(tables.spaces) * int(state.lines[c]) + int(tables.rank[state.space[c]]) for c in on_track}


def share(value: float, most: int) -> Any:
    return pytest.approx(max(-1, min(1, value / most)), abs=1e-6)


def useful_speed(state: Any, tables: Any, chariot: int) -> int:
    return min(int(state.speed[chariot]), int(tables.cap[state.board[chariot], state.damage[chariot]]))


def lane_from(onward: Any, space: int) -> list[int]:
    """Twelve spaces of a lane."""
    spaces = [int(space)]
    while len(spaces) < 12:
        spaces.append(int(onward[spaces[-1]]))
    return spaces


def found_at(spaces: list[int], wanted: set[int]) -> int:
    """The distance of the first space wanted, 0 if there is none."""
    return next((distance for distance, space in enumerate(spaces, 1) if space in wanted), 0)


def others(state: Any, chariot: int) -> set[int]:
    return {int(state.space[other]) for other in range(6) if other != chariot}


def lane_says(state: Any, tables: Any, chariot: int, lane: str) -> list[Any]:
    """What the outlook tells of a lane: next numbered space, free spaces, next heap and chariot."""
    start = getattr(tables, lane)[state.space[chariot]]
    if start < 0:
        return [0] * 6
    spaces, speed = lane_from(tables.ahead, start), useful_speed(state, tables, chariot)
    heaps = {space for space in spaces if tables.heap[state.track, space]}
    caltrops = {space for space in spaces if state.caltrop[space]}
    corner = found_at(spaces, {space for space in spaces if tables.corner[space] >= 0})
    heap, other = found_at(spaces, heaps), found_at(spaces, others(state, chariot))
    obstacle = found_at(spaces, heaps | caltrops | others(state, chariot))
    limit = int(tables.corner[spaces[corner - 1]]) if corner else 15
    excess = max(0, speed - limit) if corner and corner <= speed + 3 else 0
    return [
        share(corner, 12),
        share(limit, 15),
        share(excess, 8),
        share(obstacle - 1 if obstacle else 12, 12),
        share(13 - heap if heap else 0, 12),
        share(13 - other if other else 0, 12),
    ]


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
            last = int(race.limit) * int(race.laps) - int(race.turn)
            assert part("charioteer", numbers, "turns_left").sum() == min(8, -(-leader // 9) - 1, last)
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
