"""What each game's evaluation says of positions made by hand: better is worth more."""

from typing import Any

import numpy as np
import pytest

from quadriga import games
from quadriga.bots.evaluation import GREEDY, VETERAN, elapsed, evaluate, score
from quadriga.bots.evaluator import Evaluator
from quadriga.core.game import Game
from quadriga.core.messages import Action
from quadriga.core.streams import new_stream, stream_key
from quadriga.games.chariot_race.actions import Pass, Repair, Roll, Throw
from quadriga.games.chariot_race.state import ATTACK, REPAIR
from quadriga.games.charioteer.actions import Reset
from quadriga.games.charioteer.worth import turns_left
from quadriga.games.chariots.actions import Crash, Plot, Step

every_game = pytest.mark.parametrize("name", games.NAMES)


class Position:
    """The start of a race of two, to be changed by hand."""

    def __init__(self, name: str) -> None:
        self.game: Game = games.load(name)
        self.evaluator = Evaluator(self.game, 0)
        self.race: Any = self.game.setup(2, {}, new_stream(stream_key(bytes(32)), 0)).state

    def worth(self, seat: int = 0) -> int:
        return int(evaluate(self.race, self.game.tables, self.evaluator.work, seat))

    def scores(self, level: int, *actions: Action, seat: int = 0) -> list[int]:
        codes = np.array([action.pack() for action in actions], np.int64)
        evaluator = self.evaluator
        score(
            self.race, self.game.tables, evaluator.work, seat, level, codes, len(codes), evaluator.scores,
            evaluator.scratch,
        )  # fmt: skip
        return [int(worth) for worth in evaluator.scores[: len(codes)]]


@every_game
def test_scoring_changes_nothing_in_the_race(name: str) -> None:
    at = Position(name)
    before = at.race.tobytes()
    seat = at.game.to_act(at.race)[0]
    at.scores(VETERAN, *at.game.legal_actions(at.race, seat), seat=seat)
    at.worth()
    assert at.race.tobytes() == before


@every_game
def test_time_goes_on_with_the_race(name: str) -> None:
    at, key = Position(name), stream_key(bytes(32))
    state, times = at.race, [int(elapsed(at.race))]
    for step in range(1, 200):
        if not (owing := at.game.to_act(state)):
            break
        choices = {seat: at.game.legal_actions(state, seat)[0] for seat in owing}
        state = at.game.apply(state, choices, new_stream(key, step)).state
        times.append(int(elapsed(state)))
    assert times == sorted(times)
    assert times[-1] > times[0]


# ---------------------------------------------------------------- Charioteer


def test_charioteer_counts_the_way_the_cubes_and_the_tokens() -> None:
    at = Position("charioteer")
    start = at.worth()
    at.race.progress[0] += 5
    ahead = at.worth()
    assert ahead == start + 500
    at.race.damage[0] = 3
    assert at.worth() < ahead
    at.race.damage[0] = 0
    at.race.tokens[0] = 0
    assert at.worth() < ahead


def test_charioteer_knows_that_a_race_is_stopped_soon() -> None:
    """CH-18: turns that the limit cuts off bring nothing, so skills and tokens are worth less."""
    at, told = Position("charioteer"), []
    tables: Any = at.game.tables
    for limit, turn in ((100, 1), (1, 1), (1, 2), (1, 3)):
        at.race.limit, at.race.turn = limit, turn
        told.append((int(turns_left(at.race, tables)), at.worth()))
    assert [turns for turns, _ in told] == [25, 3, 2, 1]
    assert [worth for _, worth in told] == sorted({worth for _, worth in told}, reverse=True)


def test_charioteer_resets_when_the_damage_is_worth_it() -> None:
    at = Position("charioteer")
    move = next(action for action in at.game.legal_actions(at.race, 0) if action.name == "move")
    whole, reset = at.scores(VETERAN, move, Reset())
    at.race.damage[0] = 12
    hurt, shed = at.scores(VETERAN, move, Reset())
    assert whole > reset
    assert shed > hurt
    assert shed > reset


def test_charioteers_greedy_sees_spaces_and_no_damage() -> None:
    at = Position("charioteer")
    at.race.damage[0] = 12
    assert at.scores(GREEDY, Reset()) == [-100]


# ---------------------------------------------------------------- Chariot Race


def test_chariot_race_counts_the_way_and_the_damage_left() -> None:
    at = Position("chariot_race")
    own = [chariot for chariot in range(6) if at.race.owner[chariot] == 0]
    start = at.worth()
    for chariot in own:
        at.race.lines[chariot] += 1
    assert at.worth() > start
    ahead = at.worth()
    for chariot in own:
        at.race.damage[chariot] = 1
    assert at.worth() < ahead


def test_chariot_race_repairs_what_is_nearly_wrecked_only() -> None:
    at = Position("chariot_race")
    at.race.phase, at.race.mover = REPAIR, 0
    at.race.damage[0], at.race.fate[0] = 1, 6
    repair, roll = at.scores(VETERAN, Repair(points=3), Roll())
    assert repair > roll
    at.race.damage[0] = 9
    repair, roll = at.scores(VETERAN, Repair(points=1), Roll())
    assert repair < roll


def test_chariot_race_throws_at_rivals_and_at_those_who_would_wreck() -> None:
    at = Position("chariot_race")
    at.race.phase, at.race.mover = ATTACK, 0
    mine = next(chariot for chariot in range(1, 6) if at.race.owner[chariot] == at.race.owner[0])
    rivals = [chariot for chariot in range(6) if at.race.owner[chariot] not in (-1, at.race.owner[0])]
    at.race.damage[rivals[0]] = 1
    weak, strong, own, nobody = at.scores(
        VETERAN, Throw(target=rivals[0]), Throw(target=rivals[1]), Throw(target=mine), Pass()
    )
    assert weak > strong > nobody > own


# ---------------------------------------------------------------- Chariots


def test_chariots_counts_the_way_left_the_coins_and_the_finish() -> None:
    at = Position("chariots")
    start = at.worth()
    at.race.lines[0] += 1
    ahead = at.worth()
    assert ahead > start
    at.race.stunned[0] = 1
    assert at.worth() < ahead
    at.race.stunned[0] = 0
    at.race.null_coin[0] = at.race.ace_coin[0] = 0
    assert at.worth() < ahead
    at.race.place[0] = 1
    assert at.worth() > 10 * ahead


def test_chariots_greedy_lays_the_fastest_coins_first() -> None:
    at = Position("chariots")
    plots = [action for action in at.game.legal_actions(at.race, 0) if isinstance(action, Plot)]
    worths = at.scores(GREEDY, *plots)
    assert at.game.describe(plots[int(np.argmax(worths))]) == "plot 5+4+3"


def test_chariots_crashes_only_as_the_last_resort() -> None:
    at = Position("chariots")
    key, state = stream_key(bytes(32)), at.race
    for step in range(1, 100):
        seat = at.game.to_act(state)[0]
        listed = at.game.legal_actions(state, seat)
        if any(isinstance(action, Step) for action in listed):
            break
        choices = {owing: at.game.legal_actions(state, owing)[0] for owing in at.game.to_act(state)}
        state = at.game.apply(state, choices, new_stream(key, step)).state
    at.race = state
    steps = [action for action in listed if isinstance(action, Step)]
    *worths, crash = at.scores(VETERAN, *steps, Crash(), seat=seat)
    assert max(worths) > crash
