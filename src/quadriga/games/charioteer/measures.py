"""What playouts of Charioteer look at."""

from quadriga.analysis.measures import SCALE, Measure, Measures
from quadriga.core.kernel import kernel
from quadriga.core.streams import Stream, shuffle
from quadriga.games.charioteer.components import Tables
from quadriga.games.charioteer.evaluation import Workspace
from quadriga.games.charioteer.state import COLOURS, TOKENS, Ints, Race

COLOUR_COUNT = len(COLOURS)


@kernel
def renew(race: Race, tables: Tables, stream: Stream) -> None:
    """Nobody knows the order of the draw pile."""
    shuffle(stream, race.pile, int(race.pile_count))


@kernel
def measure(race: Race, tables: Tables, work: Workspace, seat: int, out: Ints) -> None:
    """Spaces, damage, the rivals' damage, tokens, skills, and rivals ahead."""
    rivals, ahead = 0, 0
    for other in range(race.seats):
        if other != seat:
            rivals += int(race.damage[other]) + int(race.attack[other])
            ahead += race.progress[other] > race.progress[seat]
    tokens, skills = 0, 0
    for token in range(TOKENS):
        tokens += int(race.tokens[seat, token])
    for colour in range(COLOUR_COUNT):
        skills += min(int(race.marker[seat, colour]), int(tables.box))
    out[0] = SCALE * int(race.progress[seat])
    out[1] = SCALE * (int(race.damage[seat]) + int(race.attack[seat]))
    out[2] = SCALE * rivals // max(1, int(race.seats) - 1)
    out[3] = SCALE * tokens
    out[4] = SCALE * skills
    out[5] = SCALE * ahead


MEASURES = Measures(
    race=Race,
    measures=(
        Measure("spaces", True),
        Measure("damage", False),
        Measure("rivals_damage", True),
        Measure("tokens", True),
        Measure("skills", True),
        Measure("ahead", False),
    ),
    measure=measure,
    renew=renew,
    chance_events=(
        "skills_dealt",
        "crowd_set",
        "refilled",
        "reshuffled",
        "fan_earned",
        "crowd_slid",
        "emperor_rolled",
        "disrupted",
    ),
)
