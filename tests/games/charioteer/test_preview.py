"""Previews against what the rules then really do while the rivals stand still."""

import json
from typing import Any

import pytest

from quadriga.core.messages import Action, Event
from quadriga.core.streams import new_stream
from quadriga.games.charioteer.actions import DO_RESET, Move
from quadriga.games.charioteer.events import Advanced, Entered, FanEarned, Measured, Passed, Recovered, Shielded
from tests.games.charioteer.table import KEY, game, position, random_races, tables

SEAT = 0


def preview(race: Any) -> list[dict[str, Any] | None]:
    """As clients get it."""
    found = game().preview(game().view(race, SEAT), SEAT)
    assert json.loads(json.dumps(found)) == found
    moves: list[dict[str, Any] | None] = found["moves"]
    return moves


def happens(race: Any, action: Action) -> list[Event]:
    """What the seat's choice leads to when everybody else resets and so stays where they are."""
    others = {
        seat: next(a for a in game().legal_actions(race, seat) if a.code == DO_RESET)
        for seat in range(int(race.seats))
        if seat != SEAT
    }
    step = game().apply(race, {**others, SEAT: action}, new_stream(KEY, 1))
    return [event for event in step.seen_by(None) if getattr(event, "seat", None) == SEAT]


def amount(events: list[Event], kind: type[Any], field: str) -> int:
    return sum(getattr(event, field) for event in events if isinstance(event, kind))


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_a_move_brings_what_its_preview_says(seats: int) -> None:
    checked = 0
    for states in random_races(seats, races=3, laps=1):
        for race in states[:-1:4]:
            for action, said in list(zip(game().legal_actions(race, SEAT), preview(race), strict=True))[::2]:
                if not isinstance(action, Move):
                    assert said is None
                    continue
                assert said is not None
                compare(race, happens(race, action), said)
                checked += 1
    assert checked > 50


def compare(race: Any, events: list[Event], said: dict[str, Any]) -> None:
    (measured,) = (event for event in events if isinstance(event, Measured))
    for part in ("symbols", "number", "token", "skill", "damage", "distance"):
        assert said[part] == getattr(measured, part), part
    entered = [event for event in events if isinstance(event, Entered)]
    driven = [event.progress for event in entered if not event.whip]
    assert said["progress"] == (driven[-1] if driven else race.progress[SEAT])
    assert said["whipped"] == (entered[-1].progress if entered else race.progress[SEAT])
    assert said["passes"] == sum(isinstance(event, Passed) for event in events)
    assert said["recovered"] == amount(events, Recovered, "cubes")
    assert said["steps"] == amount(events, Advanced, "steps")
    assert said["fan"] == any(isinstance(event, FanEarned) for event in events)
    assert said["shield"] == any(isinstance(event, Shielded) for event in events)


def test_an_attack_tells_the_cubes_that_each_rival_gets() -> None:
    """Three matching red cards bring one cube, as long as the rivals have room for it (CH-9, CH-11)."""
    red = next(s for s in range(12) if tables().symbol_colour[s] == 1)
    names = game().names
    cards = [names.name("card", int(card)) for card in (tables().card_matches[:, red] > 0).nonzero()[0][:4]]
    race = position(3, hand=[[*cards, *[None] * 4]])
    found = [said for said in preview(race) if said is not None]
    assert {said["cubes"] for said in found} >= {0, 1}
