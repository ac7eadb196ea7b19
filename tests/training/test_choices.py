"""Choices to learn from, and what a policy network makes of them."""

import numpy as np
import pytest

from quadriga import games
from quadriga.bots.evaluation import MOST_PARTS, PART_COUNT
from quadriga.bots.evaluator import evaluation_of
from quadriga.bots.network import UNIT, network_of
from quadriga.training.choices import NO_PART, ChoiceRecorder, JudgedChoices


def check_judged(found: JudgedChoices, again: JudgedChoices, width: int) -> None:
    """Positions have several choices, each with parts and a chance; the same seed finds the same."""
    assert len(found.rows) > 5
    assert np.array_equal(found.values, again.values, equal_nan=True)
    assert np.abs(found.rows).max() <= UNIT
    there = ~np.isnan(found.values)
    assert (there.sum(axis=1) >= 2).all()
    assert ((found.values[there] >= -0.2) & (found.values[there] <= 1)).all()
    assert (found.parts[..., 0] != NO_PART).tolist() == there.tolist()
    assert (found.parts.min(), found.parts.max() < PART_COUNT) == (NO_PART, True)
    assert found.parts.shape[1:] == (width, MOST_PARTS)


@pytest.mark.parametrize("name", games.NAMES)
def test_choices_are_judged_with_their_parts(name: str) -> None:
    game = games.load(name)
    found, again = (ChoiceRecorder(game, "a", network_of(game)[0]).play(2) for _ in range(2))
    check_judged(found, again, evaluation_of(game).search_width)


@pytest.mark.parametrize("name", games.NAMES)
def test_choices_of_a_position_differ_in_their_parts(name: str) -> None:
    """Otherwise no policy could tell them apart; a few of Charioteer's differ in what a wild changes alone."""
    game = games.load(name)
    found = ChoiceRecorder(game, "b", network_of(game)[0]).play(3)
    same = total = 0
    for choices in found.parts:
        named = [tuple(sorted(choice)) for choice in choices if choice[0] != NO_PART]
        same, total = same + len(named) - len(set(named)), total + len(named)
    assert same <= 0.03 * total
