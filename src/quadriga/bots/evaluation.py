"""How a game is evaluated, reached by the type of its record as the rules are (core/dispatch.py).

A game's `evaluation.EVALUATION` holds kernels that score choices and positions, and a workspace: what can be computed
from the components before play, and room to compute in. All worths are whole numbers, a hundredth of a space each.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from quadriga.core.chain import spell
from quadriga.core.dispatch import Registry
from quadriga.core.fields import Fields
from quadriga.core.kernel import kernel
from quadriga.core.messages import Action, Event

GREEDY, VETERAN, QUICK, DAREDEVIL, BRAWLER, SAVER = range(6)
"""How to score choices: by what they bring at once, by all that is known, fast enough for playouts, and as the veteran
does but for errors that people make. Daredevil overrates speed and forgets what rivals may do; brawler overrates damage
and looks one turn ahead; saver hoards, and overlooks rare rules."""


def nothing_unchosen(_events: Sequence[Event]) -> list[Action]:
    """In most games every choice is asked for."""
    return []


@kernel
def leave_as_listed(race: Any, tables: Any, work: Any, seat: int, code: int, scratch: Any) -> int:
    """A list of choices usually holds whole choices."""
    return code


PART_COUNT = 256
"""Numbers that stand for parts of choices are below this."""
MOST_PARTS = 10
SPELT_PLACES, SPELT_IDS = 4, 64


@kernel
def no_parts(race: Any, tables: Any, seat: int, code: int, parts: Any) -> int:
    """Choices of a game without a policy network have no parts."""
    return 0


@kernel
def spelt_parts(race: Any, tables: Any, seat: int, code: int, parts: Any) -> int:
    """The parts of a choice that is spelt in ids (core/chain.py): each id at its place."""
    count = 0
    for place in range(SPELT_PLACES):
        found = spell(race, tables, seat, code, place)
        if found < 0:
            break
        parts[count] = SPELT_IDS * place + found
        count += 1
    return count


@dataclass(frozen=True)
class Evaluation:
    """The evaluation of one game."""

    race: type[Fields]
    workspace: type[Fields]
    prepare: Callable[[Any, Any], None]
    """`prepare(tables, work)`: compute what is known of an edition before play."""
    score: Callable[..., Any]
    """`score(race, tables, work, seat, level, codes, n, scores, scratch)`: what each choice is worth to the seat."""
    evaluate: Callable[..., int]
    """`evaluate(race, tables, work, seat)`: what the position is worth to a seat, its rivals left aside."""
    elapsed: Callable[..., int]
    """`elapsed(race)`: counts the stretches of a race that playouts are measured in."""
    horizon: int
    """Stretches in a playout."""
    noise: int
    """How much is added to scores at random in playouts."""
    winning_lead: int
    """A lead as good as a win."""
    search_width: int
    """Choices that searcher plays out."""
    prior_weight: int
    """Playouts that the veteran's scores count for."""
    novice_choices: int
    """Choices that novice looks at."""
    network_horizon: int = 1
    """Stretches in a playout that a network judges."""
    champion_horizon: int = 0
    """Stretches in champion's playouts, where that is more: it has time for them, and sees what comes of a choice."""
    network_width: int = 0
    """Choices that champion plays out at most, where that is more than searcher's."""
    steady: bool = False
    """Whether champion plays out steadily (bots/steady.py)."""
    guided: bool = True
    """Whether champion plays out guided (bots/guided.py) where there is a critic: not where quick playouts win more."""
    mixed: bool = False
    """Whether every second playout is quick where the others are guided: each kind misjudges other positions."""
    guided_horizon: int = 1
    """Stretches in a guided playout."""
    guided_temperature: int = 64
    """The temperature of choices in it, in units of the network: at 0 the policy's best is always taken."""
    guided_width: int = 16
    """Choices that champion looks into with guided playouts, those with the policy's best scores."""
    guided_playouts: int = 2
    """Playouts that the policy's scores count for then."""
    complete: Callable[..., int] = leave_as_listed
    """`complete(race, tables, work, seat, code, scratch)`: a choice with the part that its list leaves out."""
    parts: Callable[..., int] = no_parts
    """`parts(race, tables, seat, code, parts)`: write the parts of a choice that a policy network scores; how many."""
    policy_playouts: int = 0
    """Playouts that the policy network's scores count for, in place of the veteran's."""
    chained: tuple[str, ...] = ()
    """Kinds of choices of which several in a row are one drive: a hint tells all of them."""
    unchosen: Callable[[Sequence[Event]], list[Action]] = nothing_unchosen
    """From the events of such a choice: those after it that the rules left no choice of, as if they had been chosen."""
    ladder_playouts: int = 400
    """Champion's playouts for a choice on the ladder: two cores climb it within the hour."""
    champion_bar: float = 0.6
    """The share that champion should win against greedy, two-handed."""
    rates: tuple[int, int] = (20_000, 10_000)
    """Playouts a second of champion and of searcher on one core: what a second is worth where playouts are counted."""
    searcher_bars: tuple[float, float] = (0.6, 0.375)
    """Shares that champion should win against searcher, which has ten times its time: two-handed, and among three."""

    def __post_init__(self) -> None:
        EVALUATIONS.add(self, self.race.dtype)


EVALUATIONS: Registry[Evaluation] = Registry()


@EVALUATIONS.kernel
def score(
    race: Any, tables: Any, work: Any, seat: int, level: int, codes: Any, n: int, scores: Any, scratch: Any
) -> Any:
    """Write what each of n choices is worth to a seat."""


@EVALUATIONS.kernel
def evaluate(race: Any, tables: Any, work: Any, seat: int) -> Any:
    """What the position is worth to a seat."""


@EVALUATIONS.kernel
def elapsed(race: Any) -> Any:
    """The stretches of the race played so far."""


@EVALUATIONS.kernel
def complete(race: Any, tables: Any, work: Any, seat: int, code: int, scratch: Any) -> Any:
    """A choice with the part that its list leaves out."""


@EVALUATIONS.kernel
def parts(race: Any, tables: Any, seat: int, code: int, parts: Any) -> Any:
    """Write the parts of a choice that a policy network scores; how many."""
