"""Dash with a bug planted on purpose, fuzzed; run by test_fuzz.py with the JIT off, where kernels can be replaced.

Prints what the fuzzer says of the bug its first argument names; records go to the folder its second names.
"""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from dash.actions import DO_RISE
from dash.game import DEFINITION
from quadriga.core.errors import ReplayFailed
from quadriga.core.fuzz import fuzz
from quadriga.core.game import Game, open_game
from quadriga.core.record import read_record, replay

GOOD = DEFINITION.kernels
LATE = 3
"""The round in which bugs show."""


def bad_check(race: Any, tables: Any, scratch: Any) -> int:
    return 2 if race.rounds == LATE else GOOD.check(race, tables, scratch)


def no_list(race: Any, tables: Any, seat: int, out: Any, scratch: Any) -> int:
    return 0 if race.rounds == LATE else GOOD.legal(race, tables, seat, out, scratch)


def long_list(race: Any, tables: Any, seat: int, out: Any, scratch: Any) -> int:
    n = GOOD.legal(race, tables, seat, out, scratch)
    return DEFINITION.most_choices + 1 if race.rounds == LATE and n else n


def wrong_list(race: Any, tables: Any, seat: int, out: Any, scratch: Any) -> int:
    n = GOOD.legal(race, tables, seat, out, scratch)
    if race.rounds == LATE and n > 1:
        out[:n] = DO_RISE
    return n


def crash(race: Any, *rest: Any) -> None:
    GOOD.apply(race, *rest)
    if race.rounds > LATE:
        raise ZeroDivisionError("planted")


def stand_still(race: Any, *rest: Any) -> None:
    GOOD.apply(race, *rest)
    race.rounds = 0
    race.lap[:] = 0


def gossip(race: Any, tables: Any, codes: Any, stream: Any, log: Any, scratch: Any) -> None:
    GOOD.apply(race, tables, codes, stream, log, scratch)
    if race.rounds == LATE and len(log):
        log[0, 0] = DEFINITION.most_events + 1


def scribble(race: Any, tables: Any, codes: Any, stream: Any, log: Any, scratch: Any) -> None:
    GOOD.apply(race, tables, codes, stream, log, scratch)
    if len(scratch) > DEFINITION.scratch:
        scratch[DEFINITION.scratch] = race.rounds


def fail(race: Any, *rest: Any) -> None:
    raise OverflowError("planted")


def all_last(race: Any, tables: Any, places: Any) -> int:
    reason = GOOD.standings(race, tables, places)
    places[:] = 3
    return reason


BUGS: dict[str, dict[str, Any]] = {
    "none": {},
    "check": {"check": bad_check},
    "no_list": {"legal": no_list},
    "long_list": {"legal": long_list},
    "wrong_list": {"legal": wrong_list},
    "crash": {"apply": crash},
    "endless": {"apply": stand_still},
    "long_log": {"apply": gossip},
    "scratch": {"apply": scribble},
    "setup": {"setup": fail},
    "places": {"standings": all_last},
}


def main(bug: str, folder: Path) -> None:
    broken = open_game(replace(DEFINITION, kernels=replace(GOOD, **BUGS[bug])))
    for batch in fuzz(broken, games=12, seed=1, seats=2, folder=folder, most_steps=70):
        if batch.finding:
            print(batch.finding, flush=True)
            print(replayed(batch.finding.file, broken), flush=True)


def replayed(file: Path | None, broken: Game) -> str:
    """Where a record stands when it is played again."""
    if file is None:
        return "no record"
    try:
        match = replay(read_record(file), lambda name, edition: broken)
    except ReplayFailed as error:
        return f"does not replay: {error}"
    return f"replays to step {match.seq}, round {int(match.state.rounds)}, broken: {broken.check(match.state)}"


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
