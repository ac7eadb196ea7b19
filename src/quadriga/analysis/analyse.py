"""The analysis of a finished race, on several threads."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from threading import local
from typing import TypeVar

import numpy as np

from quadriga.analysis.accounting import Shares, share_passage, share_setup
from quadriga.analysis.depth import Depth, find_depth
from quadriga.analysis.estimator import Estimator, Matrix, certain
from quadriga.analysis.grading import Question, Verdict, weigh
from quadriga.analysis.reasons import find_reasons
from quadriga.analysis.results import Account, Analysis, ChanceEvent, Chances, Decision, Grade, Position, Reason
from quadriga.analysis.stops import Passage, passages
from quadriga.bots.network import CHANCE
from quadriga.core.errors import IllegalAction
from quadriga.core.match import Match

T = TypeVar("T")
Progress = Callable[[int, int], None]
"""Told how many parts are done, and of how many."""
HALF = 0.1
"""The cost that halves what a decision counts for in the accuracy."""
Graded = dict[tuple[int, int], tuple[Verdict, tuple[Reason, ...]]]


def analyse_match(
    match: Match,
    depth: str | Depth = "standard",
    seed: int = 0,
    threads: int = 2,
    progress: Progress | None = None,
    is_dealt: bool = True,
) -> Analysis:
    """Analyse a race that is over; IllegalAction before. `is_dealt`: it began with a set-up, not from a position."""
    if not match.over:
        raise IllegalAction("the race is not over: it can only be analysed through a seat's own view")
    analyst = Analyst(match, find_depth(depth), seed, is_dealt)
    with ThreadPoolExecutor(max(1, threads)) as pool:
        graded = dict(analyst.run(pool, analyst.grade, analyst.decisions(), progress, 0, 2))
        judged = dict(analyst.run(pool, analyst.judge, analyst.stops(), None, 0, 1))
        jobs = [(at, graded, judged) for at in range(len(analyst.passages))]
        shares = dict(analyst.run(pool, analyst.share, jobs, progress, 1, 2))
    return analyst.report(str(depth), graded, [shares[at] for at in range(len(analyst.passages))])


class Analyst:
    """Analyses one match; its methods run on any thread, each with an estimator of its own."""

    def __init__(self, match: Match, depth: Depth, seed: int, is_dealt: bool) -> None:
        self.match, self.depth, self.seed, self.is_dealt = match, depth, seed, is_dealt
        self.passages = passages(match)
        self._own = local()

    @property
    def estimator(self) -> Estimator:
        """The estimator of this thread."""
        if not hasattr(self._own, "estimator"):
            self._own.estimator = Estimator(self.match.game, self.seed)
        found: Estimator = self._own.estimator
        return found

    def run(
        self,
        pool: ThreadPoolExecutor,
        work: Callable[..., T],
        jobs: Sequence[tuple[object, ...]],
        progress: Progress | None,
        part: int,
        parts: int,
    ) -> Iterator[T]:
        """What each job gives, in any order; a part of the whole progress."""
        futures = [pool.submit(work, *job) for job in jobs]
        try:
            for done, future in enumerate(as_completed(futures), 1):
                yield future.result()
                if progress is not None:
                    progress(part * len(jobs) + done, parts * len(jobs))
        finally:
            for future in futures:
                future.cancel()

    # ------------------------------------------------------------ jobs

    def decisions(self) -> list[tuple[int, int]]:
        """The passages and seats that are graded."""
        return [
            (at, seat)
            for at, passage in enumerate(self.passages)
            for seat in passage.deciders
            if passage.start is not None and seat not in {gone.seat for gone in passage.start.left}
        ]

    def stops(self) -> list[tuple[int]]:
        """The numbers of the passages, for the judgement of their ends."""
        return [(at,) for at in range(len(self.passages))]

    def grade(self, at: int, seat: int) -> tuple[tuple[int, int], tuple[Verdict, tuple[Reason, ...]]]:
        """The grade of a seat's choice, and why another was better."""
        passage, game = self.passages[at], self.match.game
        assert passage.start is not None
        start = passage.start
        label = f"{passage.step} {seat}"
        question = Question(game.view(start.state, seat), seat, passage.listed[seat], start.left, label)
        verdict = weigh(self.estimator, question, self.depth, passage.choices[seat])
        reasons: tuple[Reason, ...] = ()
        if verdict.grade not in (Grade.BEST, Grade.GOOD):
            pair = (verdict.codes[0], passage.choices[seat])
            reasons = find_reasons(self.estimator, question, pair, self.depth.batch)
        return (at, seat), (verdict, reasons)

    def judge(self, at: int) -> tuple[int, Matrix]:
        """The chances at the end of a passage."""
        end = self.passages[at].end
        result = self.match.result()
        if at == len(self.passages) - 1 and result is not None:
            return at, certain(result.places)
        return at, self.estimator.judge(end.state, end.left, self.depth.stretch)

    def share(self, at: int, graded: Graded, judged: Mapping[int, Matrix]) -> tuple[int, Shares]:
        """Skill, rivals and luck of a passage."""
        passage = self.passages[at]
        if passage.start is None:
            seats, count = len(self.match.sitters), 4 * self.depth.outcomes
            start = judged[at]
            if self.is_dealt:
                start = self.estimator.judge_setups(seats, self.match.options, count, "set-up")
            return at, share_setup(self.estimator, passage, start, judged[at])
        equals = {seat: graded[at, seat][0].equals for seat in passage.deciders if (at, seat) in graded}
        return at, share_passage(self.estimator, passage, judged[at - 1], judged[at], equals, self.depth)

    # ------------------------------------------------------------ what is said

    def report(self, depth: str, graded: Graded, shares: Sequence[Shares]) -> Analysis:
        """The analysis from its parts."""
        match, result = self.match, self.match.result()
        assert result is not None
        decisions = tuple(self._decision(at, seat, *graded[at, seat], shares[at]) for at, seat in sorted(graded))
        pairs = list(zip(self.passages, shares, strict=True))
        return Analysis(
            game=match.game.meta.name,
            players=tuple(sitter.name for sitter in match.sitters),
            places=result.places,
            depth=depth,
            seed=self.seed,
            notice=self.estimator.notice,
            positions=tuple(Position(passage.end.step, _chances(share.end)) for passage, share in pairs),
            decisions=decisions,
            chance_events=tuple(self._chance_event(*pair) for pair in pairs if pair[1].is_random),
            accounts=tuple(self._account(seat, shares, decisions) for seat in range(len(match.sitters))),
        )

    def _decision(self, at: int, seat: int, verdict: Verdict, reasons: tuple[Reason, ...], shares: Shares) -> Decision:
        passage, game = self.passages[at], self.match.game
        return Decision(
            step=passage.step,
            seat=seat,
            choice=game.describe(game.unpack(passage.choices[seat])),
            choices=len(passage.listed[seat]),
            cost=verdict.cost,
            error=verdict.error,
            grade=verdict.grade,
            candidates=verdict.candidates,
            reasons=reasons,
            before=_chances(shares.before),
            after=_chances(shares.after),
            skill=int(shares.skill[seat]) / CHANCE,
        )

    def _chance_event(self, passage: Passage, shares: Shares) -> ChanceEvent:
        seen = set(self.estimator.measures.chance_events)
        kinds = dict.fromkeys(told.event.name for told in passage.told if told.event.name in seen)
        luck = tuple(int(luck) / CHANCE for luck in shares.luck)
        return ChanceEvent(passage.step, tuple(kinds), _chances(shares.after), _chances(shares.end), luck)

    def _account(self, seat: int, shares: Sequence[Shares], decisions: Sequence[Decision]) -> Account:
        own = [decision for decision in decisions if decision.seat == seat]
        worth = [0.5 ** ((decision.cost if decision.counts else 0.0) / HALF) for decision in own]
        sums = np.sum([[part.skill[seat], part.luck[seat], part.rivals[seat]] for part in shares], axis=0)
        skill, luck, rivals = (int(part) / CHANCE for part in sums)
        return Account(
            seat=seat,
            name=self.match.sitters[seat].name,
            start=int(shares[0].before[seat, 0]) / CHANCE,
            skill=skill,
            luck=luck,
            rivals=rivals,
            result=int(shares[-1].end[seat, 0]) / CHANCE,
            accuracy=round(100 * sum(worth) / len(worth), 1) if worth else None,
            grades={grade.value: sum(decision.grade == grade for decision in own) for grade in Grade},
        )


def _chances(matrix: Matrix) -> Chances:
    return tuple(tuple(int(chance) / CHANCE for chance in row) for row in matrix)
