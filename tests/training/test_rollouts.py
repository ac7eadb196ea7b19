"""Races in which networks choose: they go as the rules say, and choices are taken as often as their scores say."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quadriga import games
from quadriga.bots import LEVELS, make_bot
from quadriga.bots.evaluation import MOST_PARTS, PART_COUNT, VETERAN, parts
from quadriga.bots.evaluator import Choices, Evaluator
from quadriga.bots.levels import TIES
from quadriga.bots.network import observation_of
from quadriga.bots.playouts import complete_choice
from quadriga.bots.thinking import LEVELS as NUMBERS
from quadriga.core.game import Game
from quadriga.core.streams import Stream, draw, next_word
from quadriga.training.rivals import BOTS, KINDS, NEWEST, bots_of, rivals_of, split_races
from quadriga.training.rollouts import (
    ENDED,
    LEARNER,
    MOST_BOT_CHOICES,
    SEAT,
    SEATS,
    Floats,
    Rollouts,
    fresh_streams,
)
from quadriga.training.selfplay import blank_starts
from tests.core.processes import run
from tests.training.simulated_rollouts import RACES, RIVALS, SEED, STEPS, TOLD, scores_at

every_game = pytest.mark.parametrize("name", games.NAMES)
STATE = ("races", "turns", "streams", "codes", "outs")
"""What a rollout goes on from."""
MOST_STEPS = 5000


@dataclass(frozen=True)
class Asked:
    """A decision: the race that waits for it, the seat, the seat that learns, and the places of a race that ended."""

    race: Any
    seat: int
    learner: int
    ended: tuple[int, ...]


class Bots:
    """The bots themselves, as they play for seats: each by its view."""

    def __init__(self, game: Game, stream: Stream) -> None:
        self.game, self.stream, self.rows, self.made = game, stream, bots_of(game).tolist(), 0
        self.evaluator = Evaluator(game, 0)
        self.evaluator.stream = stream
        self.names = {number: name for name, number in NUMBERS.items()}

    def seat(self, seats: int, learner: int) -> Mapping[int, int]:
        """The row of the bot that each seat draws, besides the learner's."""
        return {seat: draw(self.stream, len(self.rows)) for seat in range(seats) if seat != learner}

    def choose(self, race: Any, seat: int, codes: Any, row: int) -> Any:
        """What the bot of a row chooses; one of a level without errors is asked itself."""
        (level, noise), view, choices = self.rows[row], self.game.view(race, seat), Choices(self.game, codes)
        if noise == TIES:
            bot: Any = make_bot(self.names[level], self.game, 0)
            bot.evaluator.stream = self.stream
            return bot.choose(view, seat, choices)
        action = choices[self.evaluator.pick(view, seat, codes, level, noise)]
        return self.evaluator.complete_choice(view, seat, action) if level == VETERAN else action


def decisions(game: Game, stream: Stream, against_bots: bool) -> Iterator[Asked]:
    """Races played by the contract, all choices as likely: what a rollout without scores has to do.

    Where bots have made so many choices that others would wait for them, the next of theirs is told as a decision.
    """
    e, starts, bots, ended = Evaluator(game, 0), blank_starts(game, None), Bots(game, stream), tuple[int, ...]()
    by_bots = 0
    while True:
        race = starts[draw(stream, len(starts))].copy()
        game.kernels.setup(race, game.tables, stream, e.log, e.scratch)
        learner = draw(stream, int(race.seats))
        rows = bots.seat(int(race.seats), learner) if against_bots else {}
        while owing := game.to_act(race):
            choices = {}
            for seat in owing:
                codes, index, is_bot = game.legal_codes(race, seat), 0, seat in rows
                if len(codes) > 1 and (not is_bot or by_bots == MOST_BOT_CHOICES):
                    yield Asked(race, seat, learner, ended)
                    ended, by_bots = (), 0
                    index = 0 if is_bot else drawn_index(len(codes), stream)
                if is_bot:
                    by_bots += len(codes) > 1
                    choices[seat] = (
                        bots.choose(race, seat, codes, rows[seat]) if len(codes) > 1 else game.unpack(int(codes[0]))
                    )
                else:
                    code = complete_choice(race, e.tables, e.work, seat, int(codes[index]), e.scratch)
                    choices[seat] = game.unpack(int(code))
            race = game.apply(race, choices, stream).state
        result = game.result(race)
        assert result is not None
        ended = result.places


def drawn_index(count: int, stream: Stream) -> int:
    share = np.float32(next_word(stream)) / np.float32(1 << 32)
    return min(count - 1, int(np.float32(count) * share))


def observed(game: Game, race: Any, seat: int) -> Floats:
    observation = observation_of(game)
    out = np.zeros(observation.inputs, np.float32)
    view = game.view(race, seat)
    observation.encode_outlook(view, game.tables, out, observation.encode(view, game.tables, out))
    return out


@every_game
@pytest.mark.parametrize("kind", [NEWEST, BOTS], ids=["networks", "bots"])
def test_races_go_as_the_contract_plays_them(name: str, kind: int) -> None:
    """All choices are legal, forced ones are not asked for, and a race that ended leaves its places.

    Bots choose as they do themselves, from the same state.
    """
    game, rivals = games.load(name), np.full(2, kind, np.int16)
    rollouts, streams, ended = Rollouts(game, 2, "contract", rivals), fresh_streams(2, "contract"), 0
    shadows = [decisions(game, stream, kind == BOTS) for stream in streams]
    for _ in range(MOST_STEPS):
        for row, asked in enumerate(map(next, shadows)):
            seats, is_over = int(asked.race.seats), bool(asked.ended)
            assert rollouts.races[row].tobytes() == asked.race.tobytes()
            assert rollouts.asked[row].tolist() == [asked.seat, seats, asked.learner, is_over]
            assert not is_over or tuple(rollouts.places[row][rollouts.places[row] > 0]) == asked.ended
            assert (rollouts.observations[row] == observed(game, asked.race, asked.seat)).all()
            ended += is_over
        if ended >= 2:
            break
        rollouts.step()
    assert ended >= 2


@every_game
def test_whatever_the_scores_races_are_sound_and_every_seat_asked_has_a_choice(name: str) -> None:
    game, numbers = games.load(name), np.random.default_rng(1)
    rollouts, count = Rollouts(game, 48, "sound"), 0
    while count < 3:
        rollouts.scores[:] = 3 * numbers.normal(size=rollouts.scores.shape)
        rollouts.places[:] = -1
        seats = rollouts.asked[:, SEATS].copy()
        rollouts.step()
        for row in np.flatnonzero(rollouts.asked[:, ENDED]):
            places = rollouts.places[row]
            assert ((places[: seats[row]] >= 1) & (places[: seats[row]] <= seats[row] + 1)).all()
            assert not places[seats[row] :].any()
            count += 1
    for race, (seat, seats_now, learner, _), choices in zip(
        rollouts.races, rollouts.asked, rollouts.turns["choices"], strict=True
    ):
        assert game.check(race) is None
        assert (race.seats, seat in game.to_act(race), learner < seats_now) == (seats_now, True, True)
        assert len(game.legal_codes(race, int(seat))) == choices > 1
    assert (rollouts.chances < 0).all()
    assert len({(row[SEATS], row[LEARNER], row[SEAT]) for row in rollouts.asked.tolist()}) > 5


def test_races_have_the_rivals_that_their_shares_say() -> None:
    shares = (0.5, 0.125, 0.125, 0.25)
    rivals, parts = rivals_of(64, shares), split_races(64, shares)
    assert np.bincount(rivals).tolist() == [32, 8, 8, 16]
    assert all((rivals[parts[kind]] == kind).all() for kind in KINDS)
    assert sum(part.stop - part.start for part in parts) == 64
    assert rivals_of(5, (0.0, 1.0, 0.0, 0.0)).tolist() == [1] * 5
    rollouts = Rollouts(games.load("chariots"), 64, "shares", rivals)
    for _ in range(100):
        rollouts.step()
        have_bots = rollouts.turns["bots"].any(axis=1)
        assert have_bots.tolist() == (rivals == BOTS).tolist()
        assert (rollouts.turns["rivals"] == rivals).all()


@every_game
def test_all_rivals_of_the_learner_are_bots_and_all_bots_are_drawn(name: str) -> None:
    game = games.load(name)
    rollouts = Rollouts(game, 400, "drawn", np.full(400, BOTS, np.int16))
    bots, seats, learners = rollouts.turns["bots"], rollouts.asked[:, SEATS], rollouts.asked[:, LEARNER]
    for row, count, learner in zip(bots, seats, learners, strict=True):
        assert [bool(bot) for bot in row] == [seat < count and seat != learner for seat in range(len(row))]
    counts = np.bincount(bots[bots > 0])[1:]
    assert len(counts) == len(bots_of(game))
    assert counts.min() > counts.mean() / 2
    assert {NUMBERS[level] for level in ("veteran", "saver", "brawler", "daredevil")} <= set(bots_of(game)[:, 0])
    assert NUMBERS.keys() <= LEVELS.keys()


@every_game
def test_scores_say_nothing_of_what_bots_choose(name: str) -> None:
    """Bots are not asked: where one of theirs is the next choice, scores do not count."""
    game, rivals, numbers = games.load(name), np.full(16, BOTS, np.int16), np.random.default_rng(3)
    first, second = (Rollouts(game, 16, "bots", rivals) for _ in range(2))
    ended = asked = 0
    for step in range(MOST_STEPS):
        is_asked = first.asked[:, SEAT] == first.asked[:, LEARNER]
        seats = first.turns["bots"][np.arange(16), first.asked[:, SEAT]]
        assert ((seats == 0) == is_asked).all()
        first.scores[:] = second.scores[:] = 2 * numbers.normal(size=first.scores.shape)
        second.scores[~is_asked] = 1000 * step
        first.step()
        second.step()
        ended, asked = ended + first.asked[:, ENDED].sum(), asked + is_asked.sum()
        if ended >= 8:
            break
    assert first.races.tobytes() == second.races.tobytes()
    assert asked > 0.8 * 16 * step


@every_game
def test_the_same_seed_gives_the_same_races(name: str) -> None:
    game = games.load(name)
    first, second, other = (Rollouts(game, 8, seed) for seed in ("a", "a", "b"))
    for rollouts in (first, second, other):
        for _ in range(40):
            rollouts.scores[:] = np.linspace(-1, 1, PART_COUNT)
            rollouts.step()
    assert first.races.tobytes() == second.races.tobytes()
    assert (first.chances == second.chances).all()
    assert first.races.tobytes() != other.races.tobytes()


def repeat_first(rollouts: Rollouts) -> None:
    """Let all races wait for the same choice; their streams differ."""
    for name in ("races", "turns", "codes", "outs"):
        rows = getattr(rollouts, name)
        rows[1:] = rows[0]


def has_part(game: Game, rollouts: Rollouts) -> tuple[int, float]:
    """A part that some choices of the first race have once and others do not, and the share of those that do."""
    race, named, found = rollouts.races[0], np.zeros(MOST_PARTS, np.int64), np.zeros(PART_COUNT)
    count = int(rollouts.turns[0].choices)
    for code in rollouts.outs[0, :count]:
        found[named[: parts(race, game.tables, int(rollouts.asked[0, SEAT]), int(code), named)]] += 1
    part = int(np.argmin(abs(found / count - 0.4)))
    assert 0 < found[part] < count
    return part, found[part] / count


@every_game
@pytest.mark.parametrize("score", [-1.0, 0.0, 2.0])
def test_choices_with_a_part_are_taken_as_often_as_the_softmax_of_its_score_says(name: str, score: float) -> None:
    game = games.load(name)
    rollouts = Rollouts(game, 4000, "softmax")
    for _ in range(5):
        rollouts.step()
    repeat_first(rollouts)
    part, share = has_part(game, rollouts)
    choices = int(rollouts.turns[0].choices)
    rollouts.scores[:] = 0
    rollouts.scores[:, part] = score
    rollouts.step()
    total = 1 - share + share * np.exp(score)
    expected = share * np.exp(score) / total
    taken = rollouts.gradients[:, part] > 0
    assert taken.mean() == pytest.approx(expected, abs=4 * np.sqrt(expected * (1 - expected) / 4000))
    assert rollouts.gradients[taken, part] == pytest.approx(1 - expected, abs=1e-3)
    said = np.where(taken, score, 0) - np.log(total * choices)
    assert rollouts.chances == pytest.approx(said, abs=1e-4)


def step_from(rollouts: Rollouts, kept: dict[str, Any], scores: Floats) -> tuple[Floats, list[bytes]]:
    """Go back, take a choice by these scores: the logarithm of its chance, and the races afterwards."""
    for name, rows in kept.items():
        getattr(rollouts, name)[:] = rows
    rollouts.scores[:] = scores
    rollouts.step()
    races = zip(rollouts.races, rollouts.streams, rollouts.codes, strict=True)
    return rollouts.chances.copy(), [b"".join(part.tobytes() for part in race) for race in races]


@every_game
def test_gradients_are_the_derivative_of_the_logarithm_of_the_choices_chance(name: str) -> None:
    """By finite differences, where the same choice is taken before and after."""
    rollouts, numbers, step = Rollouts(games.load(name), 256, "gradients"), np.random.default_rng(2), 0.01
    for _ in range(20):
        rollouts.step()
    kept = {part: getattr(rollouts, part).copy() for part in STATE}
    scores, way = numbers.normal(scale=(0.3, 1.0), size=(PART_COUNT, 2)).T.astype(np.float32)
    low, before = step_from(rollouts, kept, scores - step * way)
    high, after = step_from(rollouts, kept, scores + step * way)
    _, between = step_from(rollouts, kept, scores)
    same = np.array([a == b == c for a, b, c in zip(before, between, after, strict=True)])
    assert same.mean() > 0.5
    found = (high - low) / (2 * step)
    assert found[same] == pytest.approx((rollouts.gradients @ way)[same], abs=0.01)
    assert abs(found[same]).max() > 0.5


def test_races_under_the_cuda_simulator_go_as_those_on_the_cpu_do(tmp_path: Path) -> None:
    """Chances and gradients are rounded differently."""
    run("tests.training.simulated_rollouts", tmp_path / "told.npz", NUMBA_ENABLE_CUDASIM="1")
    with np.load(tmp_path / "told.npz") as simulated:
        for name in games.NAMES:
            rollouts = Rollouts(games.load(name), RACES, SEED, RIVALS)
            for step in range(STEPS):
                rollouts.scores[:] = scores_at(step)
                rollouts.step()
                for told in TOLD:
                    found = simulated[f"{name} {step} {told}"]
                    assert found == pytest.approx(getattr(rollouts, told), abs=1e-4), (name, step, told)
