"""Mines puzzles race by race, on several processes. Each is written as soon as it is found: nothing is lost when a run
is broken off, and the next one goes on with the races that are missing."""

import hashlib
import time
from collections.abc import Iterator
from functools import lru_cache
from itertools import count
from pathlib import Path
from random import Random

from msgspec import Struct

from quadriga import games
from quadriga.analysis.grading import Question
from quadriga.analysis.reasons import find_reasons
from quadriga.arena.executors import Executor, Mark
from quadriga.bots.warmup import let_choose
from quadriga.core.errors import InvalidFile, QuadrigaError
from quadriga.core.match import Match
from quadriga.core.record import read_record, replay
from quadriga.core.streams import new_stream, stream_key
from quadriga.puzzles.bots import TRIES
from quadriga.puzzles.examining import Examiner
from quadriga.puzzles.folder import Folder
from quadriga.puzzles.judging import Depth, judge, judge_of
from quadriga.puzzles.races import find_decisions, play_race

PER_RACE = 4
"""Puzzles of one race, no two of the same kind of choice and part of the race."""
MOST_EXAMINED = 250
"""Decisions of one race that are looked at."""


class Plan(Struct, frozen=True):
    """What is mined, and where it is written."""

    game: str
    folder: str
    seed: int = 0
    ends: float = float("inf")
    """When to stop, in seconds since 1970."""
    records: tuple[str, ...] = ()
    """Records to mine from in place of new races."""


class Mined(Struct, frozen=True):
    """What a race brought."""

    name: str
    puzzles: int
    problem: str = ""
    """Why a record could not be mined."""


class Miner:
    """The task of a process: mine one race."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def __call__(self, number: int, mark: Mark | None) -> Mined:
        """Mine the race of a number."""
        return mine_race(self.plan, number)

    def after_loss(self, number: int, mark: int) -> int:
        """A race whose process was lost is tried again."""
        return number


def prepare(name: str) -> None:
    """Compile all that mining needs, once, before processes share it."""
    game = games.load(name)
    for level in TRIES:
        let_choose(game, level)
    state = game.setup(game.meta.seats[0], {}, new_stream(stream_key(bytes(32)), 0)).state
    seat, estimator = game.to_act(state)[0], judge_of(game, 0)
    codes = game.legal_codes(state, seat)
    question = Question(game.view(state, seat), seat, codes, (), "prepare")
    judge(estimator, question, Depth(1, 1, 2))
    find_reasons(estimator, question, (int(codes[0]), int(codes[-1])), 1)


def mine(plan: Plan, executor: Executor) -> Iterator[Mined]:
    """Mine races that are not done yet, until the time or the records end; whoever has enough stops asking."""
    done = Folder(Path(plan.folder), plan.game).races()
    numbers = count() if not plan.records else iter(range(len(plan.records)))
    waiting = (number for number in numbers if name_of(plan, number) not in done)
    yield from executor.run(Miner(plan), _until(plan.ends, waiting))


def _until(ends: float, numbers: Iterator[int]) -> Iterator[int]:
    for number in numbers:
        if time.time() >= ends:
            return
        yield number


def name_of(plan: Plan, number: int) -> str:
    """The name of a race in the folder."""
    if not plan.records:
        return f"{plan.seed}-{number}"
    return "record-" + hashlib.sha256(Path(plan.records[number]).read_bytes()).hexdigest()[:16]


def mine_race(plan: Plan, number: int) -> Mined:
    """Look for puzzles in one race, and write down each that is found."""
    name, folder = name_of(plan, number), Folder(Path(plan.folder), plan.game)
    examiner = _examiner(plan.game, plan.seed)
    try:
        match = _match(plan, number)
    except QuadrigaError as error:
        return Mined(name, 0, str(error))
    decisions = list(find_decisions(match))
    Random(name).shuffle(decisions)
    found: set[tuple[str, int]] = set()
    for decision in decisions[:MOST_EXAMINED]:
        if time.time() >= plan.ends:
            return Mined(name, len(found))
        puzzle = examiner.examine(decision, match, is_private=bool(plan.records))
        if puzzle is not None and (puzzle.kind, puzzle.stage) not in found:
            found.add((puzzle.kind, puzzle.stage))
            folder.add(name, len(found), puzzle)
        if len(found) == PER_RACE:
            break
    folder.finish(name)
    return Mined(name, len(found))


def _match(plan: Plan, number: int) -> Match:
    if plan.records:
        match = replay(read_record(plan.records[number]), games.load)
        if match.game.meta.name != plan.game or not match.game.edition.standard or not match.over:
            raise InvalidFile(plan.records[number], "", f"is no finished race of {plan.game} with its usual components")
        return match
    return play_race(games.load(plan.game), plan.seed, number)


@lru_cache(maxsize=4)
def _examiner(game: str, seed: int) -> Examiner:
    return Examiner(games.load(game), seed)
