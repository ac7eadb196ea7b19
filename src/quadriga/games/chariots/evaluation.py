"""Chariots as bots see it: how far it is to the line with control and without, and what a plot may gain."""

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.evaluation import BRAWLER, DAREDEVIL, GREEDY, SAVER, VETERAN, Evaluation, spelt_parts
from quadriga.core.fields import I32, Fields, I16s, I32s
from quadriga.core.kernel import kernel
from quadriga.core.messages import kind_of, part
from quadriga.games.chariots.actions import (
    ACE,
    CRASH_QUICK,
    DO_CRASH,
    DO_KEEP,
    DO_PLOT,
    DO_QUIET,
    DO_RECOVER,
    DO_STAY,
    DO_STEP,
    NULL,
    PLOT_COINS,
    RECOVER_COIN,
    STEP_NULL,
    STEP_PUSHED_TO,
    STEP_TO,
)
from quadriga.games.chariots.choices import chariot_asked
from quadriga.games.chariots.components import ORTHOGONAL, SPEEDS, SQUARES, Tables
from quadriga.games.chariots.movement import chariot_on, crossing, may_enter, seat_of, steps_left
from quadriga.games.chariots.state import PHASES, Race

Codes = NDArray[np.int64]

SPACE = 100
FACES = 6
HOLDS = (6, 6, 6, 4, 2, 0)
"""Of six rolls, how many hold control at a speed (CT-3)."""
MIDDLING = 4
"""The same where the speed to come is not known yet."""
HOPES = (6, 6, 6, 5, 4, 3)
"""What a daredevil believes it to be."""
PUSH_JOY = 4
"""How many times its worth a brawler finds a push worth."""
COIN_KEPT = 350
"""What a saver finds a coin worth."""
FINISHED = 100_000


class Workspace(Fields):
    """Ways to the line, and what a phase at a speed brings."""

    free_way: Annotated[I16s, SQUARES, "steps over the line with control"]
    held_way: Annotated[I16s, SQUARES, "steps over the line without control"]
    free_lap: Annotated[I32, "steps of a lap with control"]
    held_lap: Annotated[I32, "steps of a lap without control"]
    after: Annotated[I16s, (2, SPEEDS, SQUARES), "square reached in a phase, without control and with it"]
    gain: Annotated[I32s, (2, SPEEDS, SQUARES), "what that brings"]


def prepare(tables: Any, work: Any) -> None:
    """Fill the work of an edition."""
    count = int(tables.squares)
    work.free_way[:count], work.held_way[:count] = tables.to_line[:count], tables.around[:count]
    work.free_lap, work.held_lap = int(tables.lap), int(tables.around_lap)
    for control in range(2):
        for speed in range(2, SPEEDS):
            for square in range(count):
                end, crossings = _walk(tables, work, square, speed, bool(control))
                gain = mixed(work, square, MIDDLING) - mixed(work, end, MIDDLING)
                work.after[control, speed, square] = end
                work.gain[control, speed, square] = gain + crossings * lap_worth(work)


def _walk(tables: Any, work: Any, square: int, steps: int, control: bool) -> tuple[int, int]:
    """Where so many steps on an empty track lead, and how often over the line."""
    crossings = 0
    for _ in range(steps):
        open_ = [int(to) for to in tables.neighbour[square] if to >= 0 and (control or not tables.inside[to])]
        if not open_:
            break
        best = min(open_, key=lambda to: -step_gain(tables, work, square, to, FACES if control else 0))
        crossings += crossing(tables, square, best)
        square = best
    return square, crossings


@kernel
def mixed(work: Workspace, square: int, holds: int) -> int:
    """The way to the line where control holds on `holds` of six rolls."""
    free, held = int(work.free_way[square]), int(work.held_way[square])
    return (free * holds + held * (FACES - holds)) * SPACE // FACES


@kernel
def lap_worth(work: Workspace) -> int:
    return (int(work.free_lap) * MIDDLING + int(work.held_lap) * (FACES - MIDDLING)) * SPACE // FACES


@kernel
def step_gain(tables: Tables, work: Workspace, start: int, to: int, holds: int) -> int:
    """How much nearer to the complete a step leads."""
    lap = (int(work.free_lap) * holds + int(work.held_lap) * (FACES - holds)) * SPACE // FACES
    return mixed(work, start, holds) - mixed(work, to, holds) + crossing(tables, start, to) * lap


@kernel
def holds_after(race: Race, tables: Tables, chariot: int, left: int) -> int:
    """The control that counts for the way on: this phase's while steps are left in it, then that of the next coin."""
    holds = MIDDLING
    if race.phase < PHASES and race.plot[chariot, race.phase] > 0:
        holds = HOLDS[race.plot[chariot, race.phase]]
    if left > 1:
        return 5 if race.control[chariot] else 1
    return (holds + (5 if race.control[chariot] else 1)) // 2 if left == 1 else holds


@kernel
def room_ahead(race: Race, tables: Tables, work: Workspace, chariot: int, square: int, holds: int) -> int:
    """What the best next step from a square would gain among the chariots that stand in the way."""
    best = -3 * SPACE
    for k in range(ORTHOGONAL):
        to = int(tables.neighbour[square, k])
        if to >= 0 and may_enter(race, tables, chariot, to):
            other = chariot_on(race, to)
            if other < 0 or other == chariot:
                best = max(best, step_gain(tables, work, square, to, holds))
    return best


@kernel
def coin_cost(work: Workspace, level: int, square: int, lap_left: bool) -> int:
    """Coins come back with the lap: the nearer its end, the cheaper."""
    if level == SAVER or level == BRAWLER:
        return COIN_KEPT if level == SAVER else 1
    return min(160, 6 * int(work.free_way[square])) if lap_left else 2 * int(work.free_way[square])


@kernel
def push_gain(race: Race, tables: Tables, work: Workspace, seat: int, to: int, pushed_to: int) -> int:
    """What a push costs the chariot pushed: good if it is a rival's, more so of one that is ahead."""
    pushed = chariot_on(race, to)
    if pushed < 0:
        return 0
    loss = -step_gain(tables, work, to, pushed_to, MIDDLING)
    if seat_of(race, pushed) == seat:
        return -loss
    return loss * (3 if race.seats == 2 else 2) // 4


@kernel
def step_worth(race: Race, tables: Tables, work: Workspace, seat: int, chariot: int, level: int, code: int) -> int:
    start, to = int(race.square[chariot]), part(code, STEP_TO)
    spent = (part(code, STEP_NULL) >= 0) + (part(code, STEP_PUSHED_TO) >= 0)
    if level == GREEDY:
        return step_gain(tables, work, start, to, FACES if race.control[chariot] else 0) - spent
    left = steps_left(race, tables, chariot)
    holds = MIDDLING if level == BRAWLER and left == 0 else holds_after(race, tables, chariot, left)
    worth = step_gain(tables, work, start, to, holds)
    if left > 0 and level != DAREDEVIL:
        worth += min(0, room_ahead(race, tables, work, chariot, to, holds) - SPACE) // 2
    if part(code, STEP_PUSHED_TO) >= 0:
        gain = push_gain(race, tables, work, seat, to, part(code, STEP_PUSHED_TO))
        worth += (PUSH_JOY if level == BRAWLER else 1) * gain
    return worth - spent * coin_cost(work, level, start, bool(race.lines[chariot] < race.laps - 1))


@kernel
def plot_worth(race: Race, tables: Tables, work: Workspace, chariot: int, level: int, code: int) -> int:
    """Greedy lays the fastest coins first; others reckon with every way the control rolls can go."""
    coins = (part(code, PLOT_COINS, 0) + 2, part(code, PLOT_COINS, 1) + 2, part(code, PLOT_COINS, 2) + 2)
    if level == GREEDY:
        return coins[0] * 100 + coins[1] * 10 + coins[2]
    total = 0
    for rolls in range(1 << PHASES):
        square, chance, gain = int(race.square[chariot]), 1, 0
        for phase in range(PHASES):
            control = rolls >> phase & 1
            holds = HOPES[coins[phase]] if level == DAREDEVIL else HOLDS[coins[phase]]
            chance *= holds if control else FACES - holds
            gain += int(work.gain[control, coins[phase], square])
            square = int(work.after[control, coins[phase], square])
        total += chance * gain
    return total // (FACES * FACES * FACES)


@kernel
def score(
    race: Race,
    tables: Tables,
    work: Workspace,
    seat: int,
    level: int,
    codes: Codes,
    n: int,
    scores: Codes,
    scratch: Codes,
) -> None:
    """What each choice is worth to the seat."""
    chariot = chariot_asked(race, seat)
    for i in range(n):
        kind = kind_of(codes[i])
        if kind == DO_STEP:
            scores[i] = step_worth(race, tables, work, seat, chariot, level, codes[i])
        elif kind == DO_PLOT:
            scores[i] = plot_worth(race, tables, work, chariot, level, codes[i])
        else:
            scores[i] = other_worth(codes[i])


@kernel
def other_worth(code: int) -> int:
    """Crashes are the last resort; announcements and swaps are left to search."""
    kind = kind_of(code)
    if kind == DO_CRASH:
        return -4 * SPACE + SPACE * part(code, CRASH_QUICK)
    if kind == DO_RECOVER:
        return 2 * (part(code, RECOVER_COIN) == ACE) + (part(code, RECOVER_COIN) == NULL)
    if kind == DO_KEEP or kind == DO_STAY:
        return 0
    return 1 if kind == DO_QUIET else -SPACE


@kernel
def chariot_worth(race: Race, work: Workspace, chariot: int) -> int:
    if race.place[chariot] > 0:
        return FINISHED - int(race.place[chariot])
    square = int(race.square[chariot])
    laps_left = int(race.laps) - 1 - int(race.lines[chariot])
    coins = int(race.null_coin[chariot]) + int(race.ace_coin[chariot])
    worth = -laps_left * lap_worth(work) - mixed(work, square, MIDDLING)
    return worth + coins * coin_cost(work, VETERAN, square, laps_left > 0) - 150 * int(race.stunned[chariot])


@kernel
def evaluate(race: Race, tables: Tables, work: Workspace, seat: int) -> int:
    """The better chariot counts; the other for what it may still become."""
    best, rest = -FINISHED, 0
    for chariot in range(seat, race.chariots, race.seats):
        worth = chariot_worth(race, work, chariot)
        if worth > best:
            best, rest = worth, best
        else:
            rest = worth
    return best + max(rest - best, -10 * SPACE) // 8 if race.two_chariots else best


@kernel
def elapsed(race: Race) -> int:
    """Phases played."""
    return PHASES * int(race.rounds) + int(race.phase)


EVALUATION = Evaluation(
    race=Race,
    workspace=Workspace,
    prepare=prepare,
    score=score,
    evaluate=evaluate,
    elapsed=elapsed,
    horizon=6,
    noise=60,
    winning_lead=1600,
    search_width=12,
    parts=spelt_parts,
    prior_weight=8,
    policy_playouts=16,
    novice_choices=2,
    network_horizon=3,
    steady=True,
    mixed=True,
    guided_horizon=2,
    guided_temperature=64,
    guided_width=12,
    guided_playouts=8,
    ladder_playouts=100,
    champion_bar=0.85,
    rates=(19_000, 25_000),
    searcher_bars=(0.65, 0.4),
)
