"""The state of a race."""

from typing import Annotated

from quadriga.core.fields import I8, I16, At, Between, Fields, I8s, I16s, In

CHARIOTS = 6
DICE = 5
SPACES = 128
"""Spaces a board may have; the standard one has 84."""
STEPS = 16
"""Spaces a drive may touch, the starting space included: no chariot is faster than 15."""

PHASES = ("draft", "grid", "repair", "reroll", "fate", "pace", "move", "attack", "over")
DRAFT, GRID, REPAIR, REROLL, FATE, PACE, MOVE, ATTACK, OVER = range(len(PHASES))
DICE_STAND, DRIVING, STRIKING, TURN_OVER, ROLL_DUE = range(len(PHASES), len(PHASES) + 5)
"""Phases that pass without a choice; no state at rest is in one of them."""

FACES = ("pace", "sprint", "steer", "attack", "fortuna")
PACE_FACE, SPRINT_FACE, STEER_FACE, ATTACK_FACE, FORTUNA_FACE = range(len(FACES))

CAUSES = ("sprint", "corner", "ram", "caltrop", "javelin", "heap")
BY_SPRINT, BY_CORNER, BY_RAM, BY_CALTROP, BY_JAVELIN, BY_HEAP = range(len(CAUSES))

REASONS = ("", "finished", "all_wrecked", "limit")
FINISHED, ALL_WRECKED, LIMIT = 1, 2, 3


class Public(Fields):
    """All there is to know of a race: nothing but the future is hidden (CR-15)."""

    seats: Annotated[I8, Between(0, CHARIOTS), "players at the table"]
    track: Annotated[I8, In("track"), "option: the sides of the right and the left half-board"]
    alternate: Annotated[I8, Between(0, 1), "option: 1 if the alternate chariots are drafted and grid places chosen"]
    sheltered: Annotated[
        I8, Between(0, 1), "option: 1 if a chariot that has finished and completed its turn takes no damage"
    ]
    pairs: Annotated[I8, Between(0, 1), "option: 1 if each player runs two chariots"]
    limit: Annotated[I16, Between(0, 1000), "option: rounds a lap after which the race is stopped"]

    phase: Annotated[I8, In("phase"), "what is being chosen"]
    rounds: Annotated[I16, Between(0, 9000), "number of the round, 0 before the first"]
    reason: Annotated[I8, Between(0, LIMIT), "why the race ended, 0 while it runs"]
    supply: Annotated[I8, Between(0, 100), "caltrops not on the board"]
    caltrop: Annotated[I8s, SPACES, At("space"), Between(0, 1), "1 for each space with a caltrop"]

    opener: Annotated[I8, In("seat"), "the seat that drafts first, -1 without a draft"]
    picks: Annotated[I8, Between(0, CHARIOTS), "chariots drafted, then grid places chosen, so far"]
    drafted: Annotated[I8s, CHARIOTS, In("chariot"), "chariots in the order of the draft"]

    owner: Annotated[I8s, CHARIOTS, At("chariot"), In("seat"), "the seat that drives it, -1 not in the race"]
    board: Annotated[I8s, CHARIOTS, At("chariot"), In("board"), "its chariot board"]
    place: Annotated[I8s, CHARIOTS, At("chariot"), In("place"), "its place on the grid"]
    space: Annotated[I16s, CHARIOTS, At("chariot"), In("space"), "where it stands, none for a wreck"]
    lines: Annotated[I16s, CHARIOTS, At("chariot"), Between(-100, 100), "line crossings, that from the grid included"]
    damage: Annotated[I8s, CHARIOTS, At("chariot"), Between(0, 31), "value on the damage track, 0 wrecked"]
    speed: Annotated[I8s, CHARIOTS, At("chariot"), Between(0, STEPS - 1), "value on the speed track"]
    fate: Annotated[I8s, CHARIOTS, At("chariot"), Between(0, 31), "value on the fate track"]
    wreck: Annotated[
        I8s, CHARIOTS, At("chariot"), Between(0, CHARIOTS), "1 if it was wrecked first, 2 second…, 0 still whole"
    ]
    wrecks: Annotated[I8, Between(0, CHARIOTS), "chariots wrecked so far"]

    order: Annotated[I8s, CHARIOTS, In("chariot"), "turns of this round, fixed at its start"]
    turn: Annotated[I8, Between(0, CHARIOTS - 1), "place in the order of the chariot on turn"]
    mover: Annotated[I8, In("chariot"), "the chariot on turn, none in the set-up and at the end"]
    dice: Annotated[I8s, DICE, In("face"), "faces shown, none for dice not rolled"]
    steers: Annotated[I8, Between(0, DICE), "lane changes left in this drive"]
    attacks: Annotated[I8, Between(0, DICE), "attacks left"]
    left: Annotated[I8, Between(0, STEPS - 1), "spaces still to drive"]
    path: Annotated[I16s, STEPS, In("space"), "spaces of this turn's drive, the starting space first"]
    driven: Annotated[I8, Between(0, STEPS), "spaces on the path, the starting space included"]
    behind: Annotated[
        I8,
        Between(0, STEPS - 2),
        "of the path, the starting space excluded, so many first spaces take a dropped caltrop",
    ]


class Race(Public):
    """The state."""
