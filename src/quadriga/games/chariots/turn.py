"""The course of a race of Chariots: set-up, rounds, phases, impulses; from one choice to the next."""

import numpy as np
from numpy.typing import NDArray

from quadriga.core.kernel import kernel
from quadriga.core.messages import EVERYONE, kind_of, part, tell
from quadriga.core.streams import Stream, roll
from quadriga.games.chariots.actions import (
    ACE,
    ANNOUNCE_ACE,
    ANNOUNCE_NULL,
    ANNOUNCE_TARGET,
    CRASH_QUICK,
    DO_CRASH,
    DO_QUIET,
    DO_STEP,
    DO_SWAP,
    DRIVER,
    FIRST,
    NULL,
    PLOT_COINS,
    RECOVER_COIN,
)
from quadriga.games.chariots.choices import (
    has_announcement,
    has_free_step,
    list_coin_steps,
)
from quadriga.games.chariots.components import CHARIOTS, FACES, IMPULSES, Tables
from quadriga.games.chariots.events import (
    ANNOUNCED,
    BALKED,
    COIN_EXPOSED,
    COIN_RECOVERED,
    COIN_SWAPPED,
    CONTROL_ROLLED,
    IMPULSE_BEGAN,
    PHASE_BEGAN,
    PHASE_QUIET,
    PLOTTED,
    RESTED,
    ROUND_BEGAN,
    STEP_LOST,
)
from quadriga.games.chariots.movement import advance, crash, end_race, has, on_track, pair_of, seat_of, take_step
from quadriga.games.chariots.state import ANNOUNCE, LIMIT, MOVE, OVER, PHASES, PLOT, RECOVER, SWAP, Race

Log = NDArray[np.int32]
Codes = NDArray[np.int64]

COINS_SUM = 14  # 2 + 3 + 4 + 5
STRETCH = 256  # steps of `proceed` between two choices, far more than a phase has


# ---------------------------------------------------------------- who is asked


@kernel
def is_asked(race: Race, tables: Tables, chariot: int) -> bool:
    """Whether a chariot's player has something to decide in this stage."""
    if not on_track(race, chariot) or pair_of(race, chariot) != race.pair:
        return False
    if race.stage == RECOVER:
        return race.null_coin[chariot] == 0 or race.ace_coin[chariot] == 0
    if race.stage == SWAP:
        return race.null_coin[chariot] == 1
    return race.stage == PLOT or has_announcement(race, tables, chariot)


@kernel
def ask(race: Race, tables: Tables) -> None:
    """All players are asked at once, for their first chariots; two-chariot players then for their second."""
    asking = 0
    for chariot in range(race.chariots):
        if is_asked(race, tables, chariot):
            asking |= 1 << chariot
    race.asking = asking


@kernel
def enter(race: Race, stage: int) -> None:
    """Begin a secret stage; `proceed` asks its players in turn."""
    race.stage = stage
    race.pair = -1
    race.asking = 0


# ---------------------------------------------------------------- choices carried out


@kernel
def lay_plot(race: Race, chariot: int, code: int, log: Log) -> None:
    for phase in range(PHASES):
        race.plot[chariot, phase] = part(code, PLOT_COINS, phase) + 2
    coins = race.plot[chariot]
    tell(log, PLOTTED, seat_of(race, chariot), chariot, coins[0], coins[1], coins[2])


@kernel
def take_back_coin(race: Race, chariot: int, coin: int, log: Log) -> None:
    """CT-13"""
    if coin == NULL:
        race.null_coin[chariot] = 1
    if coin == ACE:
        race.ace_coin[chariot] = 1
    if coin >= 0:
        tell(log, COIN_RECOVERED, EVERYONE, chariot, coin)


@kernel
def note_announcement(race: Race, chariot: int, code: int) -> None:
    if kind_of(code) == DO_QUIET:
        race.quiet_said |= 1 << chariot
        return
    race.null_said[chariot] = part(code, ANNOUNCE_NULL)
    race.ace_said[chariot] = part(code, ANNOUNCE_ACE)
    race.target_said[chariot] = part(code, ANNOUNCE_TARGET)


@kernel
def move_chosen(race: Race, tables: Tables, chariot: int, code: int, log: Log) -> None:
    if kind_of(code) == DO_STEP:
        take_step(race, tables, chariot, code, log)
    elif kind_of(code) == DO_CRASH:
        crash(race, tables, chariot, part(code, CRASH_QUICK), log)
    else:
        tell(log, STEP_LOST, EVERYONE, chariot)


@kernel
def carry_out(race: Race, tables: Tables, chariot: int, code: int, log: Log) -> None:
    if race.stage == MOVE:
        move_chosen(race, tables, chariot, code, log)
    elif race.stage == PLOT:
        lay_plot(race, chariot, code, log)
    elif race.stage == ANNOUNCE:
        note_announcement(race, chariot, code)
    elif race.stage == SWAP:
        if kind_of(code) == DO_SWAP:
            race.swapping |= 1 << chariot
    else:
        take_back_coin(race, chariot, part(code, RECOVER_COIN), log)


@kernel
def apply(race: Race, tables: Tables, codes: Codes, stream: Stream, log: Log, scratch: Codes) -> None:
    """The contract's apply: carry the choices out, then go on until somebody owes the next."""
    for chariot in range(race.chariots):
        if has(race.asking, chariot):
            carry_out(race, tables, chariot, codes[seat_of(race, chariot)], log)
    race.asking = 0
    for _ in range(STRETCH):
        if race.asking or race.stage == OVER:
            break
        proceed(race, tables, stream, log, scratch)


# ---------------------------------------------------------------- the machine


@kernel
def proceed(race: Race, tables: Tables, stream: Stream, log: Log, scratch: Codes) -> None:
    """One step on from where nobody owes a choice."""
    if race.stage == MOVE:
        next_mover(race, tables, stream, log, scratch)
    elif (race.pair + 1) * race.seats < race.chariots:
        race.pair += 1
        ask(race, tables)
    elif race.stage == RECOVER:
        enter(race, PLOT)
    elif race.stage == PLOT:
        begin_phase(race, tables, stream, log)
    elif race.stage == SWAP:
        expose(race, tables, stream, log)
    else:
        reveal_announcements(race, log)
        begin_moves(race, log)


@kernel
def begin_round(race: Race, log: Log) -> None:
    race.rounds += 1
    race.phase = 0
    race.impulse = 0
    race.exposed = 0
    for chariot in range(CHARIOTS):
        for phase in range(PHASES):
            race.plot[chariot, phase] = 0
    tell(log, ROUND_BEGAN, EVERYONE, race.rounds)
    enter(race, RECOVER if race.faster_recovery else PLOT)


@kernel
def begin_phase(race: Race, tables: Tables, stream: Stream, log: Log) -> None:
    race.phase += 1
    race.impulse = 0
    for chariot in range(race.chariots):
        race.sits[chariot] = race.stunned[chariot]
        race.stunned[chariot] = 0
        race.crashed[chariot] = 0
        race.quiet[chariot] = 0
    tell(log, PHASE_BEGAN, EVERYONE, race.phase)
    if race.special_actions:
        enter(race, SWAP)
    else:
        expose(race, tables, stream, log)


@kernel
def swap_coin(race: Race, chariot: int, log: Log) -> None:
    """CT-12 c: the fourth coin is what the other three leave."""
    coins = race.plot[chariot]
    fourth = COINS_SUM - int(coins[0]) - int(coins[1]) - int(coins[2])
    race.plot[chariot, race.phase - 1] = fourth
    race.null_coin[chariot] = 0
    tell(log, COIN_SWAPPED, EVERYONE, chariot)


@kernel
def roll_control(race: Race, tables: Tables, chariot: int, stream: Stream, log: Log) -> None:
    """CT-3"""
    lowest = tables.control[race.speed[chariot]]
    if lowest == 0 or lowest == FACES:
        race.control[chariot] = 1 if lowest == 0 else 0
        return
    face = roll(stream, FACES)
    race.control[chariot] = 1 if face >= lowest else 0
    tell(log, CONTROL_ROLLED, EVERYONE, chariot, face, race.control[chariot])


@kernel
def expose(race: Race, tables: Tables, stream: Stream, log: Log) -> None:
    """CT-3: all expose the coin of the phase at once, then roll for control."""
    race.exposed = race.phase
    for chariot in range(race.chariots):
        if on_track(race, chariot):
            if has(race.swapping, chariot):
                swap_coin(race, chariot, log)
            race.speed[chariot] = race.plot[chariot, race.phase - 1]
            tell(log, COIN_EXPOSED, EVERYONE, chariot, race.speed[chariot])
    race.swapping = 0
    for chariot in range(race.chariots):
        if on_track(race, chariot):
            roll_control(race, tables, chariot, stream, log)
    begin_impulse(race, tables, log)


@kernel
def is_laid_up(race: Race, chariot: int) -> bool:
    """CT-7: whether an impulse of the chariot's speed is lost to a crash; a quick recovery loses just this one."""
    if race.crashed[chariot] or (race.sits[chariot] and race.impulse <= 2):
        return True
    if race.skips[chariot]:
        race.skips[chariot] = 0
        return True
    return False


@kernel
def begin_impulse(race: Race, tables: Tables, log: Log) -> None:
    """CT-4: whom the speeds move in this impulse."""
    race.impulse += 1
    due = resting = 0
    tell(log, IMPULSE_BEGAN, EVERYONE, race.impulse)
    for chariot in range(race.chariots):
        if on_track(race, chariot) and tables.moves[race.speed[chariot], race.impulse]:
            if is_laid_up(race, chariot):
                resting |= 1 << chariot
                tell(log, RESTED, EVERYONE, chariot)
            else:
                due |= 1 << chariot
    race.due = due
    race.resting = resting
    race.extra = race.ahead = race.driven = race.balked = 0
    if race.special_actions:
        enter(race, ANNOUNCE)
    else:
        begin_moves(race, log)


@kernel
def forget_announcements(race: Race) -> None:
    race.quiet_said = 0
    for chariot in range(CHARIOTS):
        race.null_said[chariot] = race.ace_said[chariot] = race.target_said[chariot] = -1


@kernel
def reveal_announcements(race: Race, log: Log) -> None:
    """CT-12: all take effect together, the coins are spent whatever comes of it."""
    for chariot in range(race.chariots):
        if has(race.quiet_said, chariot):
            race.quiet[chariot] = 1
            tell(log, PHASE_QUIET, EVERYONE, chariot)
        reveal_announcement(race, chariot, log)
    forget_announcements(race)


@kernel
def reveal_announcement(race: Race, chariot: int, log: Log) -> None:
    null, ace, target = race.null_said[chariot], race.ace_said[chariot], int(race.target_said[chariot])
    if null >= 0 or ace >= 0:
        tell(log, ANNOUNCED, EVERYONE, chariot, null, ace, target)
    if null >= 0:
        race.null_coin[chariot] = 0
        if null == FIRST:
            race.ahead |= 1 << chariot
        else:
            race.extra |= 1 << chariot
    if ace >= 0:
        race.ace_coin[chariot] = 0
        if ace == DRIVER:
            race.driven |= 1 << target
        else:
            race.balked |= 1 << target


@kernel
def moves_before(race: Race, chariot: int, other: int) -> bool:
    """CT-5, CT-12 b: those who announced it first, then whoever is further along."""
    first, second = has(race.ahead, chariot), has(race.ahead, other)
    if first != second:
        return first
    return advance(race, chariot) > advance(race, other)


@kernel
def begin_moves(race: Race, log: Log) -> None:
    """CT-5: the order of the impulse, fixed at its start."""
    race.movers = 0
    for chariot in range(race.chariots):
        if has(race.balked, chariot):
            tell(log, BALKED, EVERYONE, chariot)
        elif has(race.due | race.extra, chariot):
            place = 0
            for i in range(race.movers):
                if moves_before(race, race.order[i], chariot):
                    place = i + 1
            for i in range(race.movers, place, -1):
                race.order[i] = race.order[i - 1]
            race.order[place] = chariot
            race.movers += 1
    for i in range(race.movers, CHARIOTS):
        race.order[i] = -1
    race.stage = MOVE
    race.pair = 0
    race.turn = -1


@kernel
def next_mover(race: Race, tables: Tables, stream: Stream, log: Log, scratch: Codes) -> None:
    """CT-7: the next in order is asked; one that can do nothing crashes."""
    race.turn += 1
    if race.turn >= race.movers:
        end_impulse(race, tables, stream, log)
        return
    chariot = race.order[race.turn]
    if not on_track(race, chariot):
        return
    may_move = has_free_step(race, tables, chariot) or list_coin_steps(race, tables, chariot, scratch, 0) > 0
    may_recover = race.special_actions and race.ace_coin[chariot]
    if may_move or (may_recover and not has(race.extra, chariot)):
        race.asking = 1 << int(chariot)
    elif has(race.extra, chariot):
        tell(log, STEP_LOST, EVERYONE, chariot)
    else:
        crash(race, tables, chariot, 0, log)


@kernel
def end_impulse(race: Race, tables: Tables, stream: Stream, log: Log) -> None:
    """CT-4, CT-2: the next impulse, phase or round."""
    if race.impulse < IMPULSES:
        begin_impulse(race, tables, log)
    elif race.phase < PHASES:
        begin_phase(race, tables, stream, log)
    elif race.rounds >= int(race.limit) * int(race.laps):
        end_race(race, LIMIT, log)
    else:
        begin_round(race, log)
