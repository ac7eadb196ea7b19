"""The state of a race of Chariots."""

from typing import Annotated

from quadriga.core.fields import I8, I16, At, Between, Fields, I8s, I16s, In
from quadriga.games.chariots.components import CHARIOTS, IMPULSES

RECOVER, PLOT, SWAP, ANNOUNCE, MOVE, OVER = range(6)
PHASES = 3
WON, LIMIT = 1, 2


class Public(Fields):
    """What everybody sees."""

    seats: Annotated[I16, Between(0, CHARIOTS), "players at the table"]
    laps: Annotated[I16, Between(0, 10), "laps agreed on"]
    two_chariots: Annotated[I8, Between(0, 1), "1: each of two players runs two chariots"]
    special_actions: Annotated[I8, Between(0, 1), "1: the additional special actions are played (CT-12)"]
    faster_recovery: Annotated[I8, Between(0, 1), "1: coins come back before each plot, not after a lap (CT-13)"]
    race_on: Annotated[I8, Between(0, 1), "1: the race goes on for every place (CT-11)"]
    limit: Annotated[I16, Between(0, 200), "rounds a lap after which the race is stopped"]
    chariots: Annotated[
        I8, Between(0, CHARIOTS), "chariots in the race; chariot c is driven by seat c modulo the players"
    ]
    stage: Annotated[I8, In("stage"), "what is being chosen"]
    pair: Annotated[I8, Between(-1, 1), "which chariot of each player is asked in a secret stage, 0 or 1"]
    asking: Annotated[I8, Between(0, 15), "bit c: the player of chariot c owes a choice for it"]
    rounds: Annotated[I16, Between(0, 2000), "number of the round, from 1"]
    phase: Annotated[I8, Between(0, PHASES), "phase of the round, 1 to 3, 0 before the first"]
    impulse: Annotated[I8, Between(0, IMPULSES), "impulse of the phase, 1 to 5, 0 before the first"]
    exposed: Annotated[I8, Between(0, PHASES), "coins of each plot that lie open"]
    square: Annotated[I16s, CHARIOTS, At("chariot"), In("square"), "where each chariot stands, none off the track"]
    lines: Annotated[I16s, CHARIOTS, At("chariot"), Between(-20_000, 10), "line count: -1 on the grid (CT-10)"]
    best: Annotated[I16s, CHARIOTS, At("chariot"), Between(0, 10), "laps finished"]
    speed: Annotated[I8s, CHARIOTS, At("chariot"), Between(0, 5), "speed of this phase, 0 before the first coin"]
    control: Annotated[I8s, CHARIOTS, At("chariot"), Between(0, 1), "1: holds control this phase (CT-3)"]
    null_coin: Annotated[I8s, CHARIOTS, At("chariot"), Between(0, 1), "1: the null coin is in hand"]
    ace_coin: Annotated[I8s, CHARIOTS, At("chariot"), Between(0, 1), "1: the ace coin is in hand"]
    crashed: Annotated[I8s, CHARIOTS, At("chariot"), Between(0, 1), "1: has crashed in this phase (CT-7)"]
    stunned: Annotated[
        I8s, CHARIOTS, At("chariot"), Between(0, 1), "1: will sit out impulses 1 and 2 of the next phase"
    ]
    sits: Annotated[I8s, CHARIOTS, At("chariot"), Between(0, 1), "1: sits out impulses 1 and 2 of this phase"]
    skips: Annotated[I8s, CHARIOTS, At("chariot"), Between(0, 1), "1: misses the next impulse of its speed (CT-12 f)"]
    side: Annotated[I8s, CHARIOTS, At("chariot"), In("side"), "side by which it left in its last own step"]
    quiet: Annotated[I8s, CHARIOTS, At("chariot"), Between(0, 1), "1: announces nothing for the rest of the phase"]
    due: Annotated[I8, Between(0, 15), "bit c: the speed of chariot c moves it in this impulse"]
    resting: Annotated[I8, Between(0, 15), "bit c: chariot c sits out a crash in this impulse"]
    extra: Annotated[I8, Between(0, 15), "bit c: moves by a null coin in an impulse its speed does not give (CT-12 a)"]
    ahead: Annotated[I8, Between(0, 15), "bit c: moves first by a null coin (CT-12 b)"]
    driven: Annotated[I8, Between(0, 15), "bit c: its driver was whipped and must go on the same way (CT-12 d)"]
    balked: Annotated[I8, Between(0, 15), "bit c: its horses were whipped and lose the impulse (CT-12 e)"]
    order: Annotated[I8s, CHARIOTS, In("chariot"), "chariots that move in this impulse, in turn (CT-5)"]
    movers: Annotated[I8, Between(0, CHARIOTS), "how many of them"]
    turn: Annotated[I8, Between(-1, CHARIOTS), "place in the order of the one that moves now"]
    place: Annotated[
        I8s, CHARIOTS, At("chariot"), Between(0, CHARIOTS), "place of a chariot that has finished, 0 before"
    ]
    finished: Annotated[I8, Between(0, CHARIOTS), "chariots that have finished"]
    reason: Annotated[I8, Between(0, LIMIT), "why the race ended, 0 while it runs"]


class Race(Public):
    """The whole state: with what is laid face down."""

    plot: Annotated[
        I8s, (CHARIOTS, PHASES), At("chariot"), Between(0, 5), "coins laid for each phase, 0 before; one is set aside"
    ]
    swapping: Annotated[I8, Between(0, 15), "bit c: swaps its coin with the fourth when coins are exposed (CT-12 c)"]
    quiet_said: Annotated[
        I8, Between(0, 15), "bit c: will announce nothing for the rest of the phase, not yet revealed"
    ]
    null_said: Annotated[I8s, CHARIOTS, At("chariot"), In("null_action"), "announced with the null coin in secret"]
    ace_said: Annotated[I8s, CHARIOTS, At("chariot"), In("ace_action"), "announced with the ace coin in secret"]
    target_said: Annotated[I8s, CHARIOTS, At("chariot"), In("chariot"), "against whom"]
