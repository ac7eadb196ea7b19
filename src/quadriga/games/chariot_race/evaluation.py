"""Chariot Race as bots see it: where a drive can end, what it costs, and what the dice can be expected to give."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.evaluation import BRAWLER, DAREDEVIL, GREEDY, QUICK, SAVER, Evaluation, spelt_parts
from quadriga.core.fields import I16, NONE, I32s
from quadriga.core.kernel import kernel
from quadriga.core.messages import Action, Event, kind_of, part
from quadriga.games.chariot_race.actions import (
    DO_DROP,
    DO_GRID,
    DO_KEEP,
    DO_PASS,
    DO_REPAIR,
    DO_REROLL,
    DO_THROW,
    GRID_PLACE,
    PACE_PLUS,
    REPAIR_POINTS,
    REROLL_DICE,
    STEP_TO,
    THROW_TARGET,
    TURN_DIE,
    TURN_FACE,
    Step,
)
from quadriga.games.chariot_race.choices import rolled_dice
from quadriga.games.chariot_race.components import SIDES, Tables
from quadriga.games.chariot_race.damage import progress
from quadriga.games.chariot_race.dice import DICE_FATE, SPRINT_SPEED, showing
from quadriga.games.chariot_race.events import Stepped
from quadriga.games.chariot_race.forecast import Reach, forecast
from quadriga.games.chariot_race.rounds import REPAIR_FATE
from quadriga.games.chariot_race.state import (
    ATTACK_FACE,
    CHARIOTS,
    DICE,
    FATE,
    MOVE,
    PACE,
    PACE_FACE,
    REPAIR,
    REROLL,
    SPRINT_FACE,
    STEER_FACE,
    STEPS,
    Race,
)
from quadriga.games.chariot_race.worth import SPACE, condition_worth, soundness, useful_speed, way_worth

Codes = NDArray[np.int64]

WRECK = -5000
FATE_WORTH = 45
SPRINT_COST = 90
HASTE = 110
"""What greedy gives for a point of damage."""
ATTACK_WORTH = 80
HASTY_WORTH = 150
"""What a daredevil gives for a point of speed."""
HIT_WORTH = 130
"""What a brawler gives for an attack face."""
FATE_KEPT = 90
"""What a saver finds a point of fate worth."""
FIRST_FACES = DICE + 1


class Workspace(Reach):
    """Room for drives, and what each roll of the dice is worth here."""

    drive_worth: Annotated[I32s, (STEPS, FIRST_FACES), "by speed and steers: the best end of a drive"]
    drive_cost: Annotated[I32s, (STEPS, FIRST_FACES), "the damage of that drive"]
    dice_worth: Annotated[
        I32s, (FIRST_FACES, FIRST_FACES, FIRST_FACES, FIRST_FACES), "by pace, sprint, steer and attack faces"
    ]
    prepared: Annotated[I16, "1 once an edition is known"]


def prepare(tables: Any, work: Any) -> None:
    """The board itself says all there is to know."""
    work.prepared = 1


@kernel
def stand_worth(
    race: Race, tables: Tables, level: int, chariot: int, space: int, lines: int, damage: int, speed: int
) -> int:
    """What it is worth to stand somewhere with so much damage left, at a speed."""
    if damage <= 0:
        return WRECK
    worth = way_worth(int(tables.spaces) * lines + int(tables.rank[space]))
    if level == GREEDY:
        return worth + HASTE * damage
    if lines > tables.laps:
        return worth + 20 * damage
    useful = useful_speed(race, tables, chariot, damage, speed)
    if level == DAREDEVIL:
        return worth + soundness(damage) + HASTY_WORTH * useful
    return worth + condition_worth(tables, space, damage, speed, useful)


@kernel
def end_worth(race: Race, tables: Tables, work: Workspace, level: int, chariot: int, end: int, speed: int) -> int:
    """What a drive of the forecast that ends on a space is worth."""
    if work.wrecks[end]:
        return WRECK
    stands = int(work.stands[end])
    lines = int(race.lines[chariot]) + (tables.rank[stands] < tables.rank[race.space[chariot]])
    return stand_worth(
        race, tables, level, chariot, stands, lines, int(race.damage[chariot]) - int(work.damage[end]), speed
    )


@kernel
def best_end(race: Race, tables: Tables, work: Workspace, level: int, chariot: int, speed: int, steers: int) -> int:
    """The space where the best drive at a speed ends."""
    damage = int(race.damage[chariot])
    forecast(race, tables, chariot, speed, speed, steers, damage, work)
    best, most = NONE, 2 * WRECK
    for node in range(work.nodes):
        end = int(work.node_space[node])
        if work.last[end] == node:
            worth = end_worth(race, tables, work, level, chariot, end, speed)
            if worth > most:
                best, most = end, worth
    return best


@kernel
def fill_drives(race: Race, tables: Tables, work: Workspace, level: int, chariot: int, dice: int) -> None:
    """The best drive at every speed and number of steers that so many dice can give."""
    was, fastest = int(race.speed[chariot]), int(tables.most_speed[race.board[chariot]])
    for speed in range(max(0, was - dice), min(fastest, was + SPRINT_SPEED * dice) + 1):
        for steers in range(dice + 1):
            end = best_end(race, tables, work, level, chariot, speed, steers)
            work.drive_worth[speed, steers] = end_worth(race, tables, work, level, chariot, end, speed)
            work.drive_cost[speed, steers] = work.damage[end]


@kernel
def fate_worth(level: int) -> int:
    """What a point of fate is worth while it is kept."""
    if level == GREEDY:
        return 0
    return FATE_KEPT if level == SAVER else FATE_WORTH


@kernel
def roll_worth(
    race: Race,
    tables: Tables,
    work: Workspace,
    level: int,
    paces: int,
    sprints: int,
    steers: int,
    attacks: int,
    favours: int,
) -> int:
    """What a roll is worth with the best use of its pace faces."""
    chariot = int(race.mover)
    was, fastest = int(race.speed[chariot]), int(tables.most_speed[race.board[chariot]])
    best = 2 * WRECK
    for plus in range(paces + 1):
        speed = min(max(was + 2 * plus - paces + SPRINT_SPEED * sprints, 0), fastest)
        worth = int(work.drive_worth[speed, steers])
        if work.drive_cost[speed, steers] + sprints >= race.damage[chariot]:
            worth = WRECK
        best = max(best, worth)
    room = int(tables.most_fate[race.board[chariot]]) - int(race.fate[chariot])
    if level == GREEDY:
        return best - HASTE * sprints + attacks
    attack = HIT_WORTH if level == BRAWLER else ATTACK_WORTH
    return best - SPRINT_COST * sprints + attack * attacks + fate_worth(level) * min(favours, room)


@kernel
def fill_rolls(race: Race, tables: Tables, work: Workspace, level: int, dice: int) -> None:
    for paces in range(dice + 1):
        for sprints in range(dice + 1 - paces):
            for steers in range(dice + 1 - paces - sprints):
                for attacks in range(dice + 1 - paces - sprints - steers):
                    favours = dice - paces - sprints - steers - attacks
                    work.dice_worth[paces, sprints, steers, attacks] = roll_worth(
                        race, tables, work, level, paces, sprints, steers, attacks, favours
                    )


@kernel
def dice_lie(race: Race, work: Workspace, turned: int, face: int) -> int:
    """The worth of the dice as they lie, with one turned to a face if one is."""
    faces = (
        showing(race, PACE_FACE),
        showing(race, SPRINT_FACE),
        showing(race, STEER_FACE),
        showing(race, ATTACK_FACE),
    )
    was = int(race.dice[turned]) if turned >= 0 else NONE
    p = faces[0] + (face == PACE_FACE) - (was == PACE_FACE)
    s = showing(race, SPRINT_FACE) + (face == SPRINT_FACE) - (was == SPRINT_FACE)
    t = showing(race, STEER_FACE) + (face == STEER_FACE) - (was == STEER_FACE)
    a = showing(race, ATTACK_FACE) + (face == ATTACK_FACE) - (was == ATTACK_FACE)
    return int(work.dice_worth[p, s, t, a])


@kernel
def reroll_worth(race: Race, tables: Tables, work: Workspace, again: int, dice: int) -> int:
    """The mean worth over all rolls of the dice that are rolled again."""
    outcomes, p0, s0, t0, a0 = 1, 0, 0, 0, 0
    for die in range(dice):
        if again >> die & 1:
            outcomes *= SIDES
        else:
            face = int(race.dice[die])
            p0, s0, t0, a0 = (
                p0 + (face == PACE_FACE),
                s0 + (face == SPRINT_FACE),
                t0 + (face == STEER_FACE),
                a0 + (face == ATTACK_FACE),
            )
    total = 0
    for outcome in range(outcomes):
        p, s, t, a, rest = p0, s0, t0, a0, outcome
        for die in range(dice):
            if again >> die & 1:
                face = int(tables.faces[rest % SIDES])
                rest //= SIDES
                p += face == PACE_FACE
                s += face == SPRINT_FACE
                t += face == STEER_FACE
                a += face == ATTACK_FACE
        total += int(work.dice_worth[p, s, t, a])
    return total // outcomes


@kernel
def score_dice(race: Race, tables: Tables, work: Workspace, level: int, codes: Codes, n: int, scores: Codes) -> None:
    """CR-5: keep, roll again or turn. Playouts keep."""
    dice = rolled_dice(race)
    if level == QUICK:
        for i in range(n):
            scores[i] = 0 if kind_of(codes[i]) == DO_KEEP else WRECK
        return
    fill_drives(race, tables, work, level, int(race.mover), dice)
    fill_rolls(race, tables, work, level, dice)
    fate = DICE_FATE * fate_worth(level)
    for i in range(n):
        kind = kind_of(codes[i])
        if kind == DO_KEEP:
            scores[i] = dice_lie(race, work, NONE, NONE)
        elif kind == DO_REROLL:
            paid = 0 if race.phase == REROLL else fate
            scores[i] = reroll_worth(race, tables, work, part(codes[i], REROLL_DICE), dice) - paid
        else:
            scores[i] = dice_lie(race, work, part(codes[i], TURN_DIE), part(codes[i], TURN_FACE)) - fate


@kernel
def score_paces(race: Race, tables: Tables, work: Workspace, level: int, codes: Codes, n: int, scores: Codes) -> None:
    """CR-7: the pace whose best drive is best; sprints are paid for already."""
    chariot, paces = int(race.mover), showing(race, PACE_FACE)
    speed = int(race.speed[chariot]) - paces + SPRINT_SPEED * showing(race, SPRINT_FACE)
    for i in range(n):
        to = speed + 2 * part(codes[i], PACE_PLUS)
        to = min(max(to, 0), int(tables.most_speed[race.board[chariot]]))
        end = best_end(race, tables, work, level, chariot, to, showing(race, STEER_FACE))
        scores[i] = end_worth(race, tables, work, level, chariot, end, to)


@kernel
def first_step(work: Workspace, node: int) -> int:
    """The first space a way enters."""
    for _ in range(STEPS):
        if work.node_from[node] <= 0:
            break
        node = int(work.node_from[node])
    return int(work.node_space[node])


@kernel
def score_steps(race: Race, tables: Tables, work: Workspace, level: int, codes: Codes, n: int, scores: Codes) -> None:
    """CR-8: each step for the best end it is on the way to."""
    chariot = int(race.mover)
    speed, damage = int(race.speed[chariot]), int(race.damage[chariot])
    forecast(race, tables, chariot, speed, int(race.left), int(race.steers), damage, work)
    for i in range(n):
        scores[i] = 2 * WRECK
    for node in range(1, work.nodes):
        end = int(work.node_space[node])
        if work.last[end] == node:
            worth = end_worth(race, tables, work, level, chariot, end, speed)
            first = first_step(work, node)
            for i in range(n):
                if part(codes[i], STEP_TO) == first:
                    scores[i] = max(scores[i], worth)


@kernel
def attack_worth(race: Race, tables: Tables, code: int) -> int:
    """CR-12: javelins at rivals, at those that can be wrecked or lead first; caltrops where somebody follows."""
    chariot = int(race.mover)
    kind = kind_of(code)
    if kind == DO_PASS:
        return 0
    if kind == DO_DROP:
        return 30
    target = part(code, THROW_TARGET)
    if race.owner[target] == race.owner[chariot]:
        return -SPACE
    damage = int(race.damage[target])
    ahead = progress(race, tables, target) > progress(race, tables, chariot)
    return soundness(damage) - soundness(damage - 1) + (50 if ahead else 0) + (1000 if damage == 1 else 0)


@kernel
def repair_worth(race: Race, level: int, code: int) -> int:
    """CR-3: points regained against the fate they cost."""
    if kind_of(code) != DO_REPAIR:
        return 0
    damage = int(race.damage[race.mover])
    points = part(code, REPAIR_POINTS)
    if level == GREEDY:
        return points if damage <= 8 else -1
    return soundness(damage + points) - soundness(damage) - REPAIR_FATE * fate_worth(level)


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
    if race.phase == REROLL or race.phase == FATE:
        score_dice(race, tables, work, level, codes, n, scores)
    elif race.phase == PACE:
        score_paces(race, tables, work, level, codes, n, scores)
    elif race.phase == MOVE:
        score_steps(race, tables, work, level, codes, n, scores)
    elif race.phase == REPAIR:
        for i in range(n):
            scores[i] = repair_worth(race, level, codes[i])
    else:
        for i in range(n):
            kind = kind_of(codes[i])
            attacks = kind == DO_DROP or kind == DO_THROW or kind == DO_PASS
            scores[i] = attack_worth(race, tables, codes[i]) if attacks else 0
            if kind == DO_GRID:
                scores[i] = -part(codes[i], GRID_PLACE)


@kernel
def evaluate(race: Race, tables: Tables, work: Workspace, seat: int) -> int:
    """The better chariot counts; the other for what it may still become."""
    best, rest = 3 * WRECK, 3 * WRECK
    for chariot in range(CHARIOTS):
        if race.owner[chariot] == seat and race.space[chariot] != NONE:
            space, damage = int(race.space[chariot]), int(race.damage[chariot])
            worth = stand_worth(
                race, tables, QUICK, chariot, space, int(race.lines[chariot]), damage, int(race.speed[chariot])
            )
            worth += FATE_WORTH * int(race.fate[chariot])
            rest = max(rest, min(best, worth))
            best = max(best, worth)
    return best + max(rest - best, -12 * SPACE) // 6


@kernel
def elapsed(race: Race) -> int:
    """Rounds played."""
    return int(race.rounds)


def unchosen_steps(events: Sequence[Event]) -> list[Action]:
    """The steps after the first of a drive that has one way left."""
    first, *later = [event for event in events if isinstance(event, Stepped)]
    return [Step(event.to) for event in later if event.chariot == first.chariot]


EVALUATION = Evaluation(
    race=Race,
    workspace=Workspace,
    prepare=prepare,
    score=score,
    evaluate=evaluate,
    elapsed=elapsed,
    horizon=2,
    noise=60,
    winning_lead=2500,
    search_width=8,
    parts=spelt_parts,
    prior_weight=6,
    policy_playouts=16,
    champion_horizon=2,
    network_width=16,
    guided_horizon=1,
    guided_temperature=64,
    guided_width=12,
    novice_choices=2,
    chained=("step",),
    unchosen=unchosen_steps,
    champion_bar=0.75,
    rates=(12_000, 42_000),
    searcher_bars=(0.57, 0.32),
)
