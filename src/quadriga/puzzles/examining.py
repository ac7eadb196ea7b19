"""From a decision to a puzzle: few playouts first, then many, then ten times as many from other dice."""

from typing import Any

from quadriga.analysis.grading import Question
from quadriga.analysis.reasons import find_reasons
from quadriga.analysis.results import Reason
from quadriga.bots.evaluation import leave_as_listed
from quadriga.core.game import Game
from quadriga.core.match import Match
from quadriga.puzzles.bots import find_shares
from quadriga.puzzles.criteria import find_first_thought, is_promising, is_puzzle
from quadriga.puzzles.judging import SCREEN, STANDARD, TIMES, Judgement, complete_choices, judge, judge_of
from quadriga.puzzles.listing import open_slots
from quadriga.puzzles.puzzle import Puzzle
from quadriga.puzzles.races import Decision
from quadriga.puzzles.starts import deal_anew, way_there

CLEAR = 2.0
"""Standard errors by which the margin must exceed 0 at the usual depth."""
SEEN = 800
"""Playouts that are looked at for reasons."""


class Examiner:
    """Examines decisions of one game."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.seed = game, seed
        self.first, self.second = judge_of(game, 2 * seed), judge_of(game, 2 * seed + 1)
        """The second judges with dice that the first has not seen."""

    def examine(self, decision: Decision, match: Match, is_private: bool = False) -> Puzzle | None:
        """The puzzle in a decision of a race, or None. is_private: the race belongs to people."""
        question = self._question(decision)
        obvious = find_first_thought(self.first, question.view, question.seat, question.codes)
        if not is_promising(judge(self.first, question, SCREEN), obvious):
            return None
        found = judge(self.first, question, STANDARD)
        if found is None or not is_promising(found, obvious, CLEAR):
            return None
        deep = judge(self.second, question, STANDARD.times(TIMES))
        if deep is None or not is_puzzle(deep, obvious) or found.answers[0] not in deep.answers:
            return None
        start = deal_anew(self.game, decision, match) if is_private else way_there(decision, match)
        return None if start is None else self._puzzle(decision, question, deep, match, start)

    def _question(self, decision: Decision) -> Question:
        view = self.game.view(decision.state, decision.seat)
        return Question(view, decision.seat, decision.codes, (), f"puzzle {decision.at} {decision.seat}")

    def _puzzle(
        self, decision: Decision, question: Question, found: Judgement, match: Match, start: dict[str, Any]
    ) -> Puzzle:
        game, codes = self.game, decision.codes
        said = {place: game.describe(game.unpack(int(codes[place]))) for place in (*found.answers, found.following)}
        right = [int(codes[place]) for place in found.answers]
        return Puzzle(
            game=game.meta.name,
            rules_version=game.meta.rules_version,
            seats=len(match.sitters),
            options=dict(match.options),
            **start,
            seat=decision.seat,
            answers=tuple(said[place] for place in found.answers),
            open_fields=self._open_fields(decision, right[0]),
            kind=game.unpack(right[0]).name,
            stage=decision.stage,
            chances=tuple(round(100 * chance) for chance in found.chances),
            chance=round(found.chance, 4),
            following=said[found.following],
            margin=round(found.margin, 4),
            error=round(found.error, 4),
            reasons=self._reasons(question, found),
            found=find_shares(game, question.view, question.seat, codes, right, self.seed),
        )

    def _open_fields(self, decision: Decision, answer: int) -> tuple[str, ...]:
        if self.first.evaluator.evaluation.complete is leave_as_listed:
            return ()
        return tuple(slot.name for slot in open_slots(decision.codes, type(self.game.unpack(answer))))

    def _reasons(self, question: Question, found: Judgement) -> tuple[Reason, ...]:
        """Why the best is better than the next."""
        arms = complete_choices(self.second, question)
        pair = int(arms[found.answers[0]]), int(arms[found.following])
        return find_reasons(self.second, question, pair, SEEN)
