"""Checks puzzles: judges them anew, with more playouts and with dice that had no part in finding them."""

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from quadriga import games
from quadriga.analysis.estimator import Estimator
from quadriga.analysis.grading import Question
from quadriga.arena.executors import Executor, Mark
from quadriga.core.edition import TomlFile
from quadriga.core.exercise import Attempt
from quadriga.core.scenario import parse_scenario
from quadriga.puzzles.judging import STANDARD, judge, judge_of
from quadriga.puzzles.pack import Pack


class Check(Struct, frozen=True):
    """What the check of a puzzle brought."""

    name: str
    holds: bool
    """Whether the best choice is an answer, and all that are no answers are behind it by two standard errors."""
    margin: float
    """How far the best choice that is no answer is behind."""
    error: float


class Subject(Struct, frozen=True):
    """A puzzle to check, as text."""

    name: str
    text: str


class Checker:
    """The task of a process: check one puzzle."""

    def __init__(self, times: int, seed: int) -> None:
        self.times, self.seed = times, seed

    def __call__(self, item: Subject, mark: Mark | None) -> Check:
        """Check a puzzle."""
        return check_puzzle(item, self.times, self.seed)

    def after_loss(self, item: Subject, mark: int) -> Subject:
        """A puzzle whose process was lost is tried again."""
        return item


def check_all(pack: Pack, times: int, seed: int, executor: Executor) -> Iterator[Check]:
    """Check the puzzles of a file, in any order."""
    yield from executor.run(Checker(times, seed), (Subject(name, pack.read(name).text) for name in pack.names))


def check_puzzle(subject: Subject, times: int, seed: int) -> Check:
    """Judge a puzzle anew at so many times the depth at which it was found."""
    attempt = Attempt(parse_scenario(TomlFile(f"{subject.name}.toml", subject.text), games.load))
    game, seat = attempt.game, attempt.seat
    codes = game.legal_codes(attempt.state, seat)
    question = Question(game.view(attempt.state, seat), seat, codes, (), f"check {subject.name}")
    found = judge(_estimator(game.meta.name, seed), question, STANDARD.times(times))
    if found is None:
        return Check(subject.name, False, 0.0, 0.0)
    said = {game.describe(game.unpack(int(codes[place]))) for place in found.answers}
    holds = said <= set(attempt.exercise.facts["answers"]) and found.is_clear
    return Check(subject.name, holds, found.margin, found.error)


@lru_cache(maxsize=4)
def _estimator(game: str, seed: int) -> Estimator:
    return judge_of(games.load(game), seed)
