"""How much better a race went after a decision than the critic had expected of it."""

from dataclasses import dataclass
from typing import Any

from quadriga.training.learning import torch_module

FORESIGHT = 0.95
"""How much what follows a seat's next decision counts beside what the critic says of it (lambda)."""


@dataclass
class Window:
    """Decisions of many races, some of each, one after the other: [step, race, ...]."""

    rows: Any
    """Inputs of the networks, in units."""
    gradients: Any
    """How the logarithm of the chance of the choice taken changes with the score of each part."""
    scored: Any
    """The sum of the parts' scores then, each times its gradient."""
    chances: Any
    """That logarithm."""
    values: Any
    """What the critic said: the chance of each place of each seat, oneself first."""
    seat: Any
    seats: Any
    learns: Any
    """Whether the seat that chose learns from it; else nothing is told of the decision."""
    ended: Any
    """Whether the race ended with the decision."""
    places: Any
    """Of the race that ended last."""


def place_chances(logits: Any, seats: Any, most_seats: int) -> Any:
    """The logarithm of the chance of each place of each seat; places beyond the seats of a race have none."""
    beyond = torch_module().arange(most_seats, device=logits.device)[None, None, :] >= seats[:, None, None]
    return logits.reshape(-1, most_seats, most_seats).masked_fill(beyond, -1e4).log_softmax(dim=2)


def critic_chances(logits: Any, seats: Any, most_seats: int) -> Any:
    """The chance of each place of each seat, as `results_of` has it: none for a seat that nobody sits on."""
    there = torch_module().arange(most_seats, device=logits.device)[None, :] < seats[:, None]
    return place_chances(logits, seats, most_seats).exp() * there[:, :, None]


def results_of(places: Any, seats: Any, most_seats: int) -> Any:
    """How races ended as each seat sees it: [race, seat, seat from there, place], 1 where that seat came in."""
    numbers = torch_module().arange(most_seats, device=places.device)
    count = seats[:, None, None]
    at = (numbers[None, :, None] + numbers[None, None, :]) % count
    place = places[:, None, :].expand(-1, most_seats, -1).gather(2, at)
    place = place.minimum(count) * (numbers[None, None, :] < count)  # those who did not come in share the last place
    return (place[..., None] == numbers + 1).float()


@dataclass
class Expectations:
    """What is to be expected after each decision of a window: the chance of each place of each seat, oneself first."""

    expected: Any
    """[step, race, seat, place]"""
    known: Any
    """[step, race]: whether anything that follows tells. The last decision of a seat in the window has to wait.

    Of decisions that nobody learns from it means nothing.
    """
    before: Any
    """[race, seat, seat, place]: what is to be expected after the last decision of each seat before the window."""
    before_known: Any


def expectations(window: Window, most_seats: int, foresight: float = FORESIGHT) -> Expectations:
    """The result of the race, or a mean of it and of what the critic says of the seat's later decisions."""
    torch = torch_module()
    steps, races = window.seat.shape
    row = torch.arange(races, device=window.seat.device)
    coming = window.values.new_zeros((races, most_seats, most_seats, most_seats), dtype=torch.float32)
    known = torch.zeros_like(window.learns[0])[:, None].repeat(1, most_seats)
    expected, is_known = torch.zeros_like(window.values), torch.zeros_like(window.learns)
    for step in range(steps - 1, -1, -1):
        over, seat, learns = window.ended[step], window.seat[step], window.learns[step]
        results = results_of(window.places[step], window.seats[step], most_seats)
        coming = torch.where(over[:, None, None, None], results, coming)
        known = known | over[:, None]
        expected[step], is_known[step] = coming[row, seat].to(expected.dtype), known[row, seat]
        said = window.values[step].float()
        mean = said + foresight * (coming[row, seat] - said) * is_known[step][:, None, None]
        coming[row, seat] = torch.where(learns[:, None, None], mean, coming[row, seat])
        known[row, seat] |= learns
    return Expectations(expected, is_known, coming, known)


@dataclass
class Decisions:
    """Decisions in any order: [decision, ...]; the fields are as those of a window."""

    rows: Any
    gradients: Any
    scored: Any
    chances: Any
    values: Any
    seats: Any


def decisions_of(window: Window, chosen: Any) -> Decisions:
    """Some decisions of a window. chosen: [step, race], true for those."""
    names = Decisions.__dataclass_fields__
    return Decisions(*(getattr(window, name)[chosen] for name in names))


def joined(first: Decisions, second: Decisions) -> Decisions:
    """Both together."""
    torch, names = torch_module(), Decisions.__dataclass_fields__
    return Decisions(*(torch.cat([getattr(first, name), getattr(second, name)]) for name in names))


class PendingDecisions:
    """The last decisions of seats that learn, until something follows that tells how they went.

    A seat that is out of a race decides no more: what its last decision led to is known at the end of the race.
    """

    def __init__(self, most_seats: int) -> None:
        self.most_seats = most_seats
        self.kept: Decisions | None = None
        self.race: Any = None
        self.seat: Any = None

    def known_decisions(self, window: Window) -> tuple[Decisions, Any]:
        """All decisions to learn from of which a new window tells how they went, and what was to be expected after
        each."""
        torch = torch_module()
        told = expectations(window, self.most_seats)
        now = told.known & window.learns
        found, expected = decisions_of(window, now), told.expected[now].float()
        if self.kept is not None:
            known = told.before_known[self.race, self.seat]
            before = told.before[self.race, self.seat]
            found = joined(found, self._taken(known))
            expected = torch.cat([expected, before[known]])
        self._keep(window, told)
        return found, expected

    def _taken(self, which: Any) -> Decisions:
        return Decisions(*(getattr(self.kept, name)[which] for name in Decisions.__dataclass_fields__))

    def _keep(self, window: Window, told: Expectations) -> None:
        """Those of the window that wait now, and those from before that still do."""
        torch = torch_module()
        later = ~told.known & window.learns
        step, race = later.nonzero(as_tuple=True)
        kept, seat = decisions_of(window, later), window.seat[step, race]
        if self.kept is not None:
            still = ~told.before_known[self.race, self.seat]
            kept = joined(kept, self._taken(still))
            race, seat = torch.cat([race, self.race[still]]), torch.cat([seat, self.seat[still]])
        self.kept, self.race, self.seat = kept, race, seat
