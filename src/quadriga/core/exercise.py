"""Exercises: a position in which a learner makes choices, each answered at once; docs/lessons.md describes the files.

attempt = Attempt(scenario)
verdict = attempt.answer(game.parse("plot 3+2+4"))
"""

from copy import copy
from dataclasses import dataclass, replace
from typing import Any

from quadriga.core.errors import IllegalAction, InvalidFile
from quadriga.core.exercise_file import Exercise, Text
from quadriga.core.messages import Action
from quadriga.core.scenario import Played, Scenario, Trial
from quadriga.core.scenario_file import Ask, Pattern, Step


@dataclass(frozen=True)
class Verdict:
    """Whether an answer is right, and what is said to it."""

    is_right: bool
    say: Text


class Attempt:
    """An exercise being solved. It depends on nothing but the file and the learner's choices so far."""

    def __init__(self, scenario: Scenario) -> None:
        if scenario.exercise is None:
            raise InvalidFile(scenario.source.file, "", "it is no exercise: there is no table [exercise]")
        self.scenario, self.game = scenario, scenario.game
        self.exercise: Exercise = scenario.exercise
        self._trial = Trial(scenario)
        self._at = 0
        self._play_on()

    def fork(self) -> "Attempt":
        """The same exercise as it stands, to be answered without a change of this one."""
        other = copy(self)
        other._trial = copy(self._trial)
        return other

    @property
    def seat(self) -> int:
        """The learner's seat."""
        return self.exercise.seat

    @property
    def state(self) -> Any:
        """The whole state; what the learner may see of it is the view of their seat."""
        return self._trial.state

    @property
    def seq(self) -> int:
        """How many choices were made, each of all seats that owed one."""
        return self._trial.seq

    @property
    def played(self) -> tuple[Played, ...]:
        """What was chosen and what it led to."""
        return self._trial.played

    @property
    def tasks(self) -> int:
        """How many choices are asked of the learner."""
        return sum(step.ask is not None for step in self.scenario.steps)

    @property
    def solved(self) -> int:
        """How many of them are made."""
        return sum(step.ask is not None for step in self.scenario.steps[: self._at])

    @property
    def ask(self) -> Ask | None:
        """What is asked now; None when all is done."""
        return None if self.is_done else self._step.ask

    @property
    def is_done(self) -> bool:
        """Whether nothing more is asked."""
        return self._at >= len(self.scenario.steps)

    @property
    def solution(self) -> Action:
        """The answer that the file itself gives."""
        return self._trial.by_seat(self._step.do[0])[self.seat]

    @property
    def _step(self) -> Step:
        return self.scenario.steps[self._at]

    def answer(self, action: Action) -> Verdict:
        """Judge a choice, and make it if it is right; raises if the rules do not allow it."""
        ask = self.ask
        if ask is None:
            raise IllegalAction("nothing is asked any more")
        self.game.require_one(self.state, self.seat, action)
        for choices, say in ask.wrong:
            if self._is_among(choices, action):
                return Verdict(False, say)
        if not self._is_accepted(ask, action):
            return Verdict(False, ask.not_yet)
        self._play(self._with(action))
        self._play_on()
        return Verdict(True, ask.right)

    def _is_accepted(self, ask: Ask, action: Action) -> bool:
        if ask.accepted is not None:
            return self._is_among(ask.accepted, action)
        trial, step = copy(self._trial), self._with(action)
        trial.differences = []
        return trial.play(step) and not any(trial.compare(step))

    def _is_among(self, choices: tuple[Action | Pattern, ...], action: Action) -> bool:
        names = self.game.names
        return any(one.fits(action, names) if isinstance(one, Pattern) else one == action for one in choices)

    def _with(self, action: Action) -> Step:
        """The step that asks, with the learner's choice in place of the one written."""
        return replace(self._step, do=[self._trial.by_seat(self._step.do[0]) | {self.seat: action}])

    def _play_on(self) -> None:
        """Play what is not asked, up to the next question."""
        while not self.is_done and self._step.ask is None:
            self._play(self._step)

    def _play(self, step: Step) -> None:
        if not self._trial.play(step):
            self.scenario.source.refuse(("then", self._at), f"it cannot go on: {self._trial.differences[-1]}")
        self._at += 1
