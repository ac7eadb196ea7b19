"""Splits the way from one stop to the next into skill, rivals and luck, to the last digit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from quadriga.analysis.depth import Depth
from quadriga.analysis.estimator import Estimator, Matrix
from quadriga.analysis.stops import Passage

Whole = np.ndarray[tuple[int], np.dtype[np.int64]]


@dataclass(frozen=True)
class Shares:
    """What a passage changed in each seat's chance to win, in whole numbers of CHANCE."""

    before: Matrix
    after: Matrix
    """The chances after the choices, before chance."""
    end: Matrix
    skill: Whole
    rivals: Whole
    luck: Whole
    is_random: bool


def share_passage(
    estimator: Estimator,
    passage: Passage,
    before: Matrix,
    end: Matrix,
    equals: Mapping[int, Sequence[int]],
    depth: Depth,
) -> Shares:
    """The shares of one passage. equals: for each seat that decided, the choices as good as the best."""
    assert passage.start is not None
    if passage.leaver is not None:
        return _shares(before, end, end, {passage.leaver: end}, False)
    if passage.is_redeal:
        return _shares(before, before, end, {}, True)
    chosen = {seat: [code] for seat, code in passage.choices.items()}
    after, is_random = _after(estimator, passage, chosen, end, depth)
    deciders = passage.deciders
    own = dict.fromkeys(deciders, after)
    if len(deciders) > 1:
        for seat in deciders:
            others = {other: list(equals.get(other, codes)) for other, codes in chosen.items()}
            label = f"own {passage.step} {seat}"
            own[seat], _ = estimator.judge_outcomes(
                passage.start.state,
                passage.start.left,
                others | {seat: chosen[seat]},
                depth.outcomes,
                passage.end.state,
                depth.stretch,
                label,
            )
    return _shares(before, after, end, own, is_random)


def _after(
    estimator: Estimator, passage: Passage, chosen: Mapping[int, list[int]], end: Matrix, depth: Depth
) -> tuple[Matrix, bool]:
    """The chances to be expected after the choices, and whether anything was random."""
    assert passage.start is not None
    state, left, label = passage.start.state, passage.start.left, f"after {passage.step}"
    towards = passage.end.state
    if not estimator.judge_outcomes(state, left, chosen, 1, towards, 1, label)[1]:
        return end, False
    return estimator.judge_outcomes(state, left, chosen, depth.outcomes, towards, depth.stretch, label)


def _shares(before: Matrix, after: Matrix, end: Matrix, own: Mapping[int, Matrix], is_random: bool) -> Shares:
    seats = len(before)
    middle = np.array([own.get(seat, before)[seat, 0] for seat in range(seats)])
    return Shares(
        before, after, end, middle - before[:, 0], after[:, 0] - middle, end[:, 0] - after[:, 0], is_random
    )  # fmt: skip


def share_setup(estimator: Estimator, passage: Passage, start: Matrix, end: Matrix) -> Shares:
    """The luck of the set-up."""
    return _shares(start, start, end, {}, True)
