"""What decisions are said to have brought, on windows made by hand. Needs PyTorch: test_with_torch.py runs it."""

from typing import Any

import pytest
import torch

from quadriga.training.advantages import (
    PendingDecisions,
    Window,
    critic_chances,
    expectations,
    place_chances,
    results_of,
)

SEATS = 2
FIRST, SECOND = [[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]
"""How a race of two ends for the winner and for the other: the chance of each place of oneself, then of the rival."""


def even(chance: float) -> list[list[float]]:
    """What a critic says who gives oneself this chance to win."""
    return [[chance, 1 - chance], [1 - chance, chance]]


def window_of(*steps: tuple[int, float, int | None], learner: int | None = None) -> Window:
    """Decisions of one race: the seat, what the critic gives it, and the seat that wins with it (None: it goes on)."""
    count, seats = len(steps), [seat for seat, _, _ in steps]
    winners = [winner for _, _, winner in steps]
    places = [[0, 0] if winner is None else [1 + (winner != seat) for seat in range(SEATS)] for winner in winners]
    return Window(
        rows=torch.arange(count)[:, None, None],
        gradients=torch.zeros(count, 1, 3),
        scored=torch.zeros(count, 1),
        chances=torch.zeros(count, 1),
        values=torch.tensor([[even(chance)] for _, chance, _ in steps]),
        seat=torch.tensor(seats)[:, None],
        seats=torch.full((count, 1), SEATS),
        learns=torch.tensor([[learner in (None, seat)] for seat in seats]),
        ended=torch.tensor([[winner is not None] for winner in winners]),
        places=torch.tensor(places)[:, None],
    )


def own_chances(expected: Any) -> list[float]:
    """The chance to win of those who decided."""
    return [round(float(chance), 4) for chance in expected.reshape(-1, SEATS, SEATS)[:, 0, 0]]


def test_places_are_turned_to_each_seats_view() -> None:
    found = results_of(torch.tensor([[3, 1, 2, 0], [1, 2, 0, 0]]), torch.tensor([3, 2]), 4)
    assert found[0, 0].argmax(dim=1)[:3].tolist() == [2, 0, 1]
    assert found[0, 2].argmax(dim=1)[:3].tolist() == [1, 2, 0]
    assert found[1, 1, :2, :2].tolist() == SECOND
    assert found[:, 0].sum(dim=2).tolist() == [[1, 1, 1, 0], [1, 1, 0, 0]], "nobody comes in from an empty seat"


def test_those_who_did_not_come_in_share_the_last_place() -> None:
    """Where all are wrecked nobody is first (CR-13)."""
    found = results_of(torch.tensor([[3, 2, 2]]), torch.tensor([2]), 3)
    assert found[0, 0, :2].argmax(dim=1).tolist() == [1, 1]


def test_places_beyond_the_seats_of_a_race_have_no_chance() -> None:
    found = place_chances(torch.zeros(2, 9), torch.tensor([2, 3]), 3).exp()
    assert found[0, 0].tolist() == pytest.approx([0.5, 0.5, 0])
    assert found[1, 0].tolist() == pytest.approx([1 / 3] * 3)


def test_a_critic_gives_empty_seats_no_chance() -> None:
    found = critic_chances(torch.zeros(2, 9), torch.tensor([2, 3]), 3)
    assert found.sum(dim=2) == pytest.approx(torch.tensor([[1, 1, 0], [1, 1, 1]]))
    assert found[0, 1].tolist() == pytest.approx([0.5, 0.5, 0])


def test_the_decision_that_ends_a_race_is_worth_its_result_to_every_seat() -> None:
    told = expectations(window_of((0, 0.4, None), (1, 0.7, 0)), SEATS)
    assert told.expected[:, 0].tolist() == [FIRST, SECOND]
    assert told.known.tolist() == [[True], [True]]


def test_a_decision_is_worth_a_mean_of_the_result_and_of_what_the_critic_says_later() -> None:
    told = expectations(window_of((0, 0.1, None), (0, 0.3, None), (0, 0.5, 0)), SEATS, foresight=0.8)
    last = 1.0
    middle = 0.5 + 0.8 * (last - 0.5)
    assert own_chances(told.expected) == pytest.approx([0.3 + 0.8 * (middle - 0.3), middle, last], abs=1e-4)
    assert told.expected.sum(dim=3) == pytest.approx(torch.ones(3, 1, SEATS))
    assert own_chances(told.before[0, 0]) == pytest.approx([0.1 + 0.8 * (0.3 + 0.8 * (middle - 0.3) - 0.1)], abs=1e-4)


def test_rivals_decisions_between_do_not_count() -> None:
    told = expectations(window_of((0, 0.1, None), (1, 0.9, None), (0, 0.6, None)), SEATS)
    assert told.known.tolist() == [[True], [False], [False]]
    assert own_chances(told.expected)[0] == pytest.approx(0.6)


def test_another_race_says_nothing_of_the_one_before() -> None:
    told = expectations(window_of((0, 0.5, None), (1, 0.5, 1), (0, 0.9, None), (0, 0.8, None)), SEATS)
    assert own_chances(told.expected)[:3] == pytest.approx([0.0, 1.0, 0.8])
    assert told.known.tolist() == [[True], [True], [True], [False]]
    assert told.before_known.tolist() == [[True, True]]


def test_the_last_decision_of_a_seat_waits_for_its_next() -> None:
    pending = PendingDecisions(SEATS)
    found, expected = pending.known_decisions(window_of((0, 0.5, None), (0, 0.2, None)))
    assert found.rows.flatten().tolist() == [0]
    assert own_chances(expected) == pytest.approx([0.2])
    found, expected = pending.known_decisions(window_of((0, 0.6, None)))
    assert found.rows.flatten().tolist() == [1]
    assert found.values[0, 0, 0] == pytest.approx(0.2)
    assert own_chances(expected) == pytest.approx([0.6])


def test_a_seat_that_is_out_of_the_race_learns_of_its_last_decision_at_the_end() -> None:
    """And of nothing later."""
    pending = PendingDecisions(SEATS)
    pending.known_decisions(window_of((0, 0.5, None), (1, 0.5, None)))
    for chance in (0.7, 0.8):
        found, expected = pending.known_decisions(window_of((0, chance, None)))
        assert own_chances(expected) == pytest.approx([chance])
        assert len(found.seats) == 1
    found, expected = pending.known_decisions(window_of((0, 0.9, 0), (0, 0.5, None)))
    told = dict(zip(own_chances(expected), found.rows.flatten().tolist(), strict=True))
    assert told == {1.0: 0, 0.995: 0, 0.0: 1}, "the winner's last two decisions, and that of the seat that was out"
    found, expected = pending.known_decisions(window_of((1, 0.4, None)))
    assert len(expected) == 0
    assert (pending.race.tolist(), sorted(pending.seat.tolist())) == ([0, 0], [0, 1])


def test_decisions_of_seats_that_do_not_learn_are_left_out() -> None:
    window = window_of((0, 0.5, None), (1, 0.5, None), (0, 0.5, 1), learner=1)
    pending = PendingDecisions(SEATS)
    found, expected = pending.known_decisions(window)
    assert found.rows.flatten().tolist() == [1]
    assert own_chances(expected) == [1.0]
    assert len(pending.race) == 0, "nor does anybody wait for what follows"


def test_steps_in_which_the_learner_is_not_asked_say_nothing_of_its_decisions() -> None:
    """Bots go on without it; what the critic would say of their seats does not count."""
    steps = (0, 0.1, None), (1, 0.9, None), (0, 0.3, None), (1, 0.8, None), (0, 0.5, 0)
    told = expectations(window_of(*steps, learner=0), SEATS, foresight=0.8)
    alone = expectations(window_of(*steps[::2], learner=0), SEATS, foresight=0.8)
    assert torch.equal(told.expected[::2], alone.expected)
    assert told.known.tolist() == [[True], [True], [True], [True], [True]]
    assert torch.equal(told.before[0, 0], alone.before[0, 0])
    pending = PendingDecisions(SEATS)
    pending.known_decisions(window_of((0, 0.5, None), (1, 0.5, None), learner=0))
    found, expected = pending.known_decisions(window_of((1, 0.7, None), (1, 0.7, None), learner=0))
    assert len(expected) == 0
    found, expected = pending.known_decisions(window_of((1, 0.7, 1), learner=0))
    assert (found.rows.flatten().tolist(), own_chances(expected)) == ([0], [0.0])
