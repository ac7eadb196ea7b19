"""What damage, speed and corners ahead are worth, in hundredths of a space: for bots, and for what networks read."""

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.games.chariot_race.components import Tables
from quadriga.games.chariot_race.state import Public

SPACE = 100
RANKS = 3
"""Front borders to a space: the three lanes' are staggered."""
SPEED_WORTH = 45


@kernel
def soundness(damage: int) -> int:
    """What a damage value is worth: the last points most."""
    return min(damage, 3) * 300 + max(0, min(damage - 3, 4)) * 130 + max(0, damage - 7) * 60


@kernel
def useful_speed(race: Public, tables: Tables, chariot: int, damage: int, speed: int) -> int:
    """CR-4: what of a speed is left at the start of the next turn."""
    return min(speed, int(tables.cap[race.board[chariot], damage]))


@kernel
def corner_risk(tables: Tables, space: int, damage: int, speed: int) -> int:
    """What the next numbered space of the lane will cost a chariot that comes too fast."""
    for _ in range(speed + 1):
        space = int(tables.ahead[space])
        if tables.corner[space] != NONE:
            excess = max(0, speed - 2 - int(tables.corner[space]))
            return max(0, soundness(damage) - soundness(max(0, damage - excess))) * 2 // 3
    return 0


@kernel
def way_worth(ranks: int) -> int:
    """What so many front borders are worth."""
    return ranks * SPACE // RANKS


@kernel
def condition_worth(tables: Tables, space: int, damage: int, speed: int, useful: int) -> int:
    """What damage and speed are worth on a space; `useful` is what damage leaves of the speed."""
    return soundness(damage) + SPEED_WORTH * useful - corner_risk(tables, space, damage, speed)
