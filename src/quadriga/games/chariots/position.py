"""Positions written in part, as scenarios have them, made whole."""

import numpy as np
from numpy.typing import NDArray

from quadriga.core.codec import Names
from quadriga.core.fields import NONE
from quadriga.core.messages import new_log
from quadriga.core.position import PositionRules
from quadriga.core.streams import Stream
from quadriga.games.chariots.components import FACES, Tables
from quadriga.games.chariots.invariants import check_chariots
from quadriga.games.chariots.state import ANNOUNCE, MOVE, OVER, PHASES, PLOT, SWAP, Race
from quadriga.games.chariots.turn import STRETCH, begin_impulse, begin_moves, enter, proceed

COINS = (2, 3, 4, 5)


def settle(race: Race, tables: Tables, stream: Stream, scratch: NDArray[np.int64]) -> None:
    """The contract's settle: the stage of the position begins now, who is due and in which order is worked out.

    `stage = "announce"` and `"move"` begin the impulse; `"move"` skips what could be announced before it.
    A position in which a chariot stands or has plotted as it cannot is left alone: the check refuses it, and the rules
    index by these numbers.
    A plain function, since only scenarios call it: the kernels it calls may write to a log without rows.
    """
    race.chariots = race.chariots or chariots_of(race)
    if race.stage == OVER or race.stage == NONE:
        return
    _fill_in(race, tables)
    if check_chariots(race, tables):
        return
    log, stage = new_log(0), race.stage
    race.asking = 0
    if stage == ANNOUNCE or stage == MOVE:
        race.impulse -= 1
        begin_impulse(race, tables, log)
    else:
        enter(race, stage)
    if stage == MOVE:
        begin_moves(race, log)
    for _ in range(STRETCH):
        if race.asking or race.stage == OVER:
            break
        proceed(race, tables, stream, log, scratch)


def _fill_in(race: Race, tables: Tables) -> None:
    """What the written parts imply: laps finished, open coins, and control where no die is rolled for it."""
    if race.stage <= PLOT:
        race.phase = race.impulse = race.exposed = 0
    if race.stage >= SWAP:
        race.phase = max(1, race.phase)
        race.exposed = race.phase - 1
    if race.stage == SWAP:
        race.impulse = 0
    if race.stage >= ANNOUNCE:
        race.impulse = max(1, race.impulse)
        race.exposed = race.phase
    for chariot in range(race.chariots):
        race.best[chariot] = max(race.best[chariot], race.lines[chariot])
        if race.stage > PLOT and race.square[chariot] >= 0:
            _lay_coins(race, chariot)
    if race.stage >= ANNOUNCE:
        _run_at_speeds(race, tables)


def _lay_coins(race: Race, chariot: int) -> None:
    coins = race.plot[chariot]
    if race.stage >= ANNOUNCE and coins[race.phase - 1] == 0:
        coins[race.phase - 1] = race.speed[chariot]
    for phase in range(PHASES):
        if coins[phase] == 0:
            coins[phase] = next(coin for coin in COINS if coin not in coins)  # four coins, three phases


def _run_at_speeds(race: Race, tables: Tables) -> None:
    for chariot in range(race.chariots):
        if race.square[chariot] < 0:  # it has finished and left
            continue
        race.speed[chariot] = race.plot[chariot, race.phase - 1]
        lowest = tables.control[race.speed[chariot]]
        if lowest == 0 or lowest == FACES:
            race.control[chariot] = 1 if lowest == 0 else 0


def taking_part(race: Race) -> dict[str, range]:
    """The chariots of all players."""
    return {"chariot": range(chariots_of(race))}


def chariots_of(race: Race) -> int:
    """CT-1: a chariot for each player, or two."""
    return int(race.seats) * (2 if race.two_chariots else 1)


def explain(race: Race, tables: Tables, names: Names) -> str | None:
    """Which chariot stands or counts as it cannot, or has plotted so."""
    for chariot in range(race.chariots):
        name, square = names.name("chariot", chariot), race.square[chariot]
        if square < 0 and not (race.race_on and race.place[chariot]):
            return f"{name} stands on no square"
        for other in range(chariot):
            if square >= 0 and race.square[other] == square:
                return f"{names.name('chariot', other)} and {name} stand on {names.name('square', square)}"
        if max(race.lines[chariot], race.best[chariot]) > race.laps:
            return f"{name} has run more than the {race.laps} laps of the race"
        if (race.best[chariot] == race.laps) != (race.place[chariot] > 0):
            has = "no place" if race.place[chariot] == 0 else f"place {race.place[chariot]}"
            return f"{name} has finished {race.best[chariot]} of {race.laps} laps and has {has}"
        coins = [int(coin) for coin in race.plot[chariot] if coin]
        if len(set(coins)) < len(coins) or any(coin not in COINS for coin in coins):
            return f"{name} has plotted {'+'.join(map(str, coins))}"
    return None


POSITION = PositionRules(
    completes=(
        "chariots", "stage", "asking", "phase", "impulse", "exposed", "best", "speed", "control", "sits", "due",
        "resting", "order", "movers", "turn", "plot",
    ),
    clock=("rounds", "phase", "impulse", "stage"),
    taking_part=taking_part,
    explain=explain,
)  # fmt: skip
