"""Events carry everything: a table kept from them alone is the table the rules keep."""

from collections.abc import Iterable
from typing import Any

import pytest

from quadriga.core.fields import NONE
from quadriga.core.game import Told
from quadriga.core.streams import new_stream, stream_key
from quadriga.games.chariot_race import events as e
from quadriga.games.chariot_race.state import CHARIOTS, SPACES
from tests.games.chariot_race.table import game, options_for


class Shadow:
    """The table as somebody would keep it who hears the events and sees nothing."""

    def __init__(self, race: Any) -> None:
        tables: Any = game().tables
        self.space, self.lines = [NONE] * CHARIOTS, [0] * CHARIOTS
        self.damage, self.speed, self.fate = ([int(v) for v in getattr(race, n)] for n in ("damage", "speed", "fate"))
        self.caltrop, self.supply = [0] * SPACES, int(tables.caltrops)
        self.order, self.dice = [NONE] * CHARIOTS, [NONE] * 5
        self.mover, self.rounds = NONE, 0

    def hear(self, told: Iterable[Told]) -> None:
        for each in told:
            self.on(each.event)

    def on(self, event: Any) -> None:  # long: one case for each event
        match event:
            case e.Gridded():
                self.space[event.chariot] = event.space
            case e.RoundBegan():
                self.rounds, self.order = event.number, list(event.values()[1:])
            case e.TurnBegan():
                self.mover, self.dice = event.chariot, [NONE] * 5
                assert self.space[event.chariot] == event.space
                assert self.damage[event.chariot] == event.damage
            case e.Repaired():
                self.damage[event.chariot], self.fate[event.chariot] = event.damage, event.fate
            case e.Slowed() | e.Paced():
                self.speed[event.chariot] = event.speed
            case e.Rolled():
                self.dice = list(event.values()[2:])
            case e.Rerolled():
                self.dice, self.fate[event.chariot] = list(event.values()[4:]), event.fate
            case e.Turned():
                self.dice[event.die], self.fate[event.chariot] = event.face, event.fate
            case e.Favoured():
                self.fate[event.chariot] = event.fate
            case e.Stepped() | e.FellBack():
                assert self.space[event.chariot] == event.start
                self.space[event.chariot] = event.to
            case e.Crossed() | e.CrossedBack():
                self.lines[event.chariot] = event.lines
            case e.Damaged():
                assert max(0, self.damage[event.chariot] - event.points) == event.damage
                self.damage[event.chariot] = event.damage
            case e.Wrecked():
                self.damage[event.chariot] = 0
            case e.Swept():
                self.caltrop[event.space], self.supply = 0, event.supply
            case e.Littered() | e.Dropped():
                self.caltrop[event.space], self.supply = 1, event.supply
            case e.RaceWon() | e.NobodyWon() | e.RaceStopped():
                self.mover, self.dice = NONE, [NONE] * 5

    def differences(self, race: Any) -> list[str]:
        wrecked = [self.space[c] if self.damage[c] else NONE for c in range(CHARIOTS)]
        pairs: list[tuple[str, list[int]]] = [
            ("space", wrecked), ("lines", self.lines), ("damage", self.damage), ("speed", self.speed),
            ("fate", self.fate), ("caltrop", self.caltrop), ("order", self.order), ("dice", self.dice),
        ]  # fmt: skip
        found = [name for name, kept in pairs if [int(v) for v in getattr(race, name)] != kept]
        single = {"supply": self.supply, "mover": self.mover, "rounds": self.rounds}
        return found + [name for name, kept in single.items() if int(getattr(race, name)) != kept]


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_a_table_kept_from_events_is_the_table(seats: int) -> None:
    heard: set[str] = set()
    for number, options in enumerate(options_for(seats)):
        key = stream_key(bytes([seats, number] * 16))
        begun = game().setup(seats, options, new_stream(key, 0))
        race, shadow = begun.state, Shadow(begun.state)
        shadow.hear(begun.events)
        for step in range(1, 2000):
            assert shadow.differences(race) == []
            seat = next(iter(game().to_act(race)), None)
            if seat is None:
                break
            choices = game().legal_actions(race, seat)
            done = game().apply(race, {seat: choices[(step * 7) % len(choices)]}, new_stream(key, step))
            if race.phase in (0, 1):  # the draft gives each chariot its start values
                shadow.damage, shadow.speed = [int(v) for v in done.state.damage], [int(v) for v in done.state.speed]
                shadow.fate = [int(v) for v in done.state.fate]
            race = done.state
            shadow.hear(done.events)
            heard |= {told.event.name for told in done.events}
    assert len(heard) > 18
