"""The whole of Dash in one module, so that Numba's cache sees every change."""

from typing import Annotated, Any

from numpy.typing import NDArray

from quadriga.core.codec import Names
from quadriga.core.dispatch import Kernels
from quadriga.core.edition import Edition, TomlFile
from quadriga.core.errors import InvalidOption
from quadriga.core.fields import I8, I16, At, Fields, I8s, I16s, In
from quadriga.core.game import Definition, Game, open_game
from quadriga.core.kernel import kernel
from quadriga.core.messages import EVERYONE, Action, Bits, Event, Refusal, UpTo, kind_of, part, put, tell
from quadriga.core.meta import Meta, Option
from quadriga.core.streams import Stream, draw, roll, shuffle
from quadriga.core.text import Catalogue

RUNNERS, SQUARES, FACES = 3, 6, 4
OATS, NET = 0, 1
SLIP = 0
LIMIT_ROUNDS = 60
WON, LIMIT = 1, 2


class Tables(Fields):
    """The dice."""

    steps: Annotated[I8s, FACES, "squares a face is worth"]


class Public(Fields):
    """What everybody sees."""

    seats: Annotated[I16, "players at the table"]
    laps: Annotated[I16, "laps agreed on"]
    muddy: Annotated[I8, "1: every die is worth one less"]
    wind: Annotated[I8, "0: calm, 1: storm"]
    rounds: Annotated[I16, "rounds run"]
    square: Annotated[I16s, RUNNERS, At("runner"), In("square"), "where each runner is"]
    lap: Annotated[I16s, RUNNERS, At("runner"), "laps run"]
    down: Annotated[I8s, RUNNERS, At("runner"), "1: lies on the ground"]
    ahead: Annotated[I8, In("runner"), "who is furthest, none before the first step"]
    trail: Annotated[I16s, (RUNNERS, 2), In("square"), "the last two squares of each"]


class Race(Public):
    """With the cards."""

    hand: Annotated[I16s, RUNNERS, At("runner"), In("card"), "the card held face down"]


class View(Public):
    """What one seat sees."""

    me: Annotated[I8, In("seat"), "who looks, none for a spectator"]
    card: Annotated[I8, In("card"), "one's own card"]


class Go(Action, code=1):
    """Run at a pace."""

    pace: Annotated[int, Bits(2)]
    shout: bool = False


class Rise(Action, code=2):
    """Get up, perhaps past some squares looked at on the way."""

    seen: Annotated[tuple[int, ...], UpTo(2), Bits(3), In("square")] = ()
    rival: Annotated[int, Bits(2), In("runner")] = -1


class Moved(Event, code=1):
    """A runner ran."""

    runner: Annotated[int, In("runner")]
    start: Annotated[int, In("square")]
    to: Annotated[int, In("square")]
    face: Annotated[int, In("face")]
    steps: int


class Slipped(Event, code=2):
    """A runner fell."""

    runner: Annotated[int, In("runner")]
    badly: bool


class Rose(Event, code=3):
    """A runner got up."""

    seat: Annotated[int, In("seat")]


class Drew(Event, code=4):
    """A card, for its holder alone."""

    card: Annotated[int, In("card")]


class Finished(Event, code=5):
    """A runner is home."""

    runner: Annotated[int, In("runner")]
    seat: Annotated[int, In("seat")]


class TooFast(Refusal, code=1):
    """A pace without the card for it."""

    pace: int
    most: int


class NotDown(Refusal, code=2):
    """Rising while standing."""


class Lying(Refusal, code=3):
    """Running while down."""

    runner: Annotated[int, In("runner")]


GO, GO_PACE, RISE = Go.code, Go.at("pace"), Rise.code
MOVED, SLIPPED, ROSE, DREW, FINISHED = Moved.code, Slipped.code, Rose.code, Drew.code, Finished.code
TOO_FAST, NOT_DOWN, LYING = TooFast.code, NotDown.code, Lying.code

Log = NDArray[Any]


@kernel
def setup(race: Race, tables: Tables, stream: Stream, log: Log, scratch: Log) -> None:
    for runner in range(RUNNERS):
        race.hand[runner] = runner % 2
    shuffle(stream, race.hand, RUNNERS)
    race.ahead = -1
    for runner in range(RUNNERS):
        race.trail[runner, 0] = -1
        race.trail[runner, 1] = -1
        if runner < race.seats:
            tell(log, DREW, runner, race.hand[runner])


@kernel
def over(race: Race) -> int:
    for runner in range(race.seats):
        if race.lap[runner] >= race.laps:
            return WON
    return LIMIT if race.rounds >= LIMIT_ROUNDS else 0


@kernel
def owing(race: Race) -> int:
    if over(race):
        return 0
    fallen = 0
    for runner in range(race.seats):
        fallen |= int(race.down[runner]) << runner
    return fallen if fallen else (1 << race.seats) - 1


@kernel
def legal(race: Race, tables: Tables, seat: int, out: Log, scratch: Log) -> int:
    if owing(race) >> seat & 1 == 0:
        return 0
    if race.down[seat]:
        out[0] = RISE
        return 1
    paces = 3 if race.hand[seat] == OATS else 2
    for pace in range(1, paces + 1):
        out[pace - 1] = GO | put(GO_PACE, pace)
    return paces


@kernel
def refusal(race: Race, tables: Tables, seat: int, code: int, why: Log, scratch: Log) -> int:
    if kind_of(code) == RISE:
        return 0 if race.down[seat] else NOT_DOWN
    why[0] = seat
    if race.down[seat]:
        return LYING
    why[0] = part(code, GO_PACE)
    why[1] = 3 if race.hand[seat] == OATS else 2
    return TOO_FAST if why[0] > why[1] or why[0] == 0 else 0


@kernel
def run(race: Race, tables: Tables, runner: int, pace: int, stream: Stream, log: Log) -> None:
    face = roll(stream, FACES)
    steps = max(pace + int(tables.steps[face]) - int(race.muddy), 0)
    start = int(race.square[runner])
    race.trail[runner, 1] = race.trail[runner, 0]
    race.trail[runner, 0] = start
    race.square[runner] = (start + steps) % SQUARES
    race.lap[runner] += (start + steps) // SQUARES
    tell(log, MOVED, EVERYONE, runner, start, race.square[runner], face, steps)
    if face == SLIP:
        race.down[runner] = 1
        tell(log, SLIPPED, EVERYONE, runner, int(race.wind) == 1)
    if race.lap[runner] >= race.laps:
        tell(log, FINISHED, EVERYONE, runner, runner)


@kernel
def find_ahead(race: Race) -> None:
    race.ahead = 0
    for runner in range(1, race.seats):
        best = int(race.ahead)
        if race.lap[runner] * SQUARES + race.square[runner] > race.lap[best] * SQUARES + race.square[best]:
            race.ahead = runner


@kernel
def apply(race: Race, tables: Tables, codes: Log, stream: Stream, log: Log, scratch: Log) -> None:
    mask = owing(race)
    for runner in range(race.seats):
        if mask >> runner & 1 and kind_of(codes[runner]) == RISE:
            race.down[runner] = 0
            tell(log, ROSE, EVERYONE, runner)
        elif mask >> runner & 1:
            run(race, tables, runner, part(codes[runner], GO_PACE), stream, log)
            race.hand[runner] = draw(stream, 2)
            tell(log, DREW, runner, race.hand[runner])
    race.rounds += 1
    find_ahead(race)


@kernel
def observe(race: Race, tables: Tables, seat: int, view: View) -> None:
    view.seats = race.seats
    view.laps = race.laps
    view.muddy = race.muddy
    view.wind = race.wind
    view.rounds = race.rounds
    view.ahead = race.ahead
    for runner in range(RUNNERS):
        view.square[runner] = race.square[runner]
        view.lap[runner] = race.lap[runner]
        view.down[runner] = race.down[runner]
        for k in range(2):
            view.trail[runner, k] = race.trail[runner, k]
    view.me = seat
    view.card = race.hand[seat] if seat >= 0 else -1


@kernel
def imagine(view: View, tables: Tables, stream: Stream, race: Race, scratch: Log) -> None:
    race.seats = view.seats
    race.laps = view.laps
    race.muddy = view.muddy
    race.wind = view.wind
    race.rounds = view.rounds
    race.ahead = view.ahead
    for runner in range(RUNNERS):
        race.square[runner] = view.square[runner]
        race.lap[runner] = view.lap[runner]
        race.down[runner] = view.down[runner]
        for k in range(2):
            race.trail[runner, k] = view.trail[runner, k]
        race.hand[runner] = view.card if runner == view.me else draw(stream, 2)


@kernel
def standings(race: Race, tables: Tables, places: Log) -> int:
    reason = over(race)
    for seat in range(race.seats):
        places[seat] = 2 if reason == LIMIT else 1
        here = race.lap[seat] * SQUARES + race.square[seat]
        for other in range(race.seats):
            if race.lap[other] * SQUARES + race.square[other] > here:
                places[seat] += 1
    return reason


@kernel
def check(race: Race, tables: Tables, scratch: Log) -> int:
    for runner in range(race.seats):
        if race.square[runner] < 0 or race.square[runner] >= SQUARES:
            return 1
        if race.hand[runner] != OATS and race.hand[runner] != NET:
            return 2
    return 0


@kernel
def pick_random(race: Race, tables: Tables, seat: int, codes: Log, n: int, stream: Stream) -> int:
    return draw(stream, n)


@kernel
def settle(race: Race, tables: Tables, stream: Stream, scratch: Log) -> None:
    find_ahead(race)


def load_edition(source: TomlFile) -> Edition:
    squares, faces = source.get(("track", "squares"), list), source.get(("die", "faces"), list)
    if len(squares) != SQUARES:
        source.refuse(("track", "squares"), f"{len(squares)} squares; there are {SQUARES}")
    worth = {"slip": 0, "one": 1, "two": 2}
    for i, face in enumerate(faces):
        if not isinstance(face, str) or face not in worth or i >= FACES:
            source.refuse(("die", "faces", i), f"{face!r} is no face")
    tables = Tables.blank()
    tables.steps[: len(faces)] = [worth[face] for face in faces]
    domains = {"square": map(str, squares), "face": faces, "runner": ("ant", "bee", "cat"), "card": ("oats", "net")}
    return Edition(tables, Names(domains), source)


def draw_board(view: Any, edition: Edition, words: Catalogue) -> str:
    return " ".join(str(edition.names.name("square", int(view.square[seat]))) for seat in range(view.seats))


DEFINITION = Definition(
    meta=Meta(
        name="dash",
        title="Dash",
        designer="nobody",
        seats=(2, 3),
        minutes=(1, 2),
        rules_version=1,
        options=(
            Option("laps", 2, low=1, high=5),
            Option("muddy", False, only_seats=(3,)),
            Option("wind", "calm", words=("calm", "storm")),
        ),
    ),
    package="tests.toy",
    race=Race,
    view=View,
    tables=Tables,
    actions=(Go, Rise),
    events=(Moved, Slipped, Rose, Drew, Finished),
    refusals=(TooFast, NotDown, Lying),
    reasons=("", "won", "limit"),
    invariants=("", "on_the_track", "a_card_each"),
    kernels=Kernels(
        setup, owing, legal, refusal, apply, observe, imagine, standings, check, pick_random, settle
    ),
    load_edition=load_edition,
    draw=draw_board,
    most_choices=3,
    most_events=16,
    scratch=0,
    die="face",
)  # fmt: skip


def load(name: str = "dash", edition: TomlFile | None = None) -> Game:
    """Dash, as a loader for records and scenarios."""
    if name != "dash":
        raise InvalidOption(f"there is no game {name!r}; there is dash")
    return open_game(DEFINITION, edition)
