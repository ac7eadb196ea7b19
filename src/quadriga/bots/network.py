"""A network's forward pass, in whole numbers: the same weights give the same chances on every machine.

A value network reads a seat's observation with its outlook (core/observation.py) and gives the chance of each place
for each seat, oneself first; a policy network (bots/policy.py) gives a score for each part that choices have. A critic
says what a value network does, but only where the seat has a choice to make, and against rivals who choose by the
policy. A network may read the first parts alone: what is added behind them later does not concern it.
Inputs and hidden values are fixed-point numbers of 1/256. Weights are int8, with a multiplier for each output.
"""

import json
import zlib
from collections.abc import Sequence
from functools import cache
from importlib import resources
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.evaluation import PART_COUNT
from quadriga.core.discovery import plug_in
from quadriga.core.dispatch import observe
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game
from quadriga.core.kernel import kernel
from quadriga.core.observation import Observation, encode_inputs, to_units

UNIT = 256
"""What 1 is in inputs, hidden values and results."""
SHIFT = 20
"""Sums are brought back to units by a multiplier and this shift."""
CHANCE = 1 << 16
"""What a chance of 1 is."""
EXPONENTS = 12 * UNIT
ROOM = 1024
"""Numbers of an observation that there is room for, unless a game has more."""
MOST_SUM = (1 << 30) // 127
"""A bound for the hidden values that one output sums up, all together: int32 holds their products with weights."""
FILE = "weights.npz"
FORMAT = 4
READABLE = (1, 2, 3, FORMAT)
"""Files of format 1 hold no policy network, those of format 2 no sharpness, those of format 3 no critic."""
UNREADABLE = (OSError, EOFError, ValueError, KeyError, TypeError, BadZipFile, zlib.error)
"""What reading a broken file of arrays can raise."""
LAYERS = 3
VALUE, POLICY, CRITIC = "", "policy_", "critic_"
"""What the names of a network's arrays begin with in a weights file."""
SHARPNESS, SEAT_NUMBERS = "sharpness", 16
"""The array that says how much logits count in a race of each number of seats, and its length."""


LAYER_ARRAYS = ("weights", "biases", "scales")
LAYER_TYPES = (np.int8, np.int32, np.int32)
Layers = list[tuple[NDArray[np.int8], NDArray[np.int32], NDArray[np.int32]]]


class Network(NamedTuple):
    """The layers, and the memory that a forward pass needs."""

    weights_1: NDArray[np.int8]
    weights_2: NDArray[np.int8]
    weights_3: NDArray[np.int8]
    columns_3: NDArray[np.int8]
    """The last weights by output."""
    biases_1: NDArray[np.int32]
    biases_2: NDArray[np.int32]
    biases_3: NDArray[np.int32]
    scales_1: NDArray[np.int32]
    scales_2: NDArray[np.int32]
    scales_3: NDArray[np.int32]
    exponentials: NDArray[np.int64]
    sharpness: NDArray[np.int32]
    observation: NDArray[np.float32]
    sums: NDArray[np.int32]
    hidden: NDArray[np.int32]
    results: NDArray[np.int32]
    active: NDArray[np.int32]

    @property
    def is_there(self) -> bool:
        """Whether there are weights at all."""
        return len(self.weights_1) > 0


def even_sharpness() -> NDArray[np.int32]:
    """Logits count as they are, whatever the number of seats."""
    return np.full(SEAT_NUMBERS, UNIT, np.int32)


def make_network(layers: Layers, sharpness: NDArray[np.int32] | None = None, inputs: int = ROOM) -> Network:
    """A network of three layers, each of weights (inputs x outputs), biases and multipliers.

    inputs: the numbers of an observation with its outlook; the network may read fewer.
    """
    (w1, b1, s1), (w2, b2, s2), (w3, b3, s3) = layers
    widest = max(1, *w1.shape, *w2.shape, *w3.shape)
    table = np.round(np.exp(-np.arange(EXPONENTS) / UNIT) * CHANCE).astype(np.int64)
    room = [np.zeros(widest, np.int32) for _ in range(4)]
    sharp = even_sharpness() if sharpness is None else sharpness
    columns, observation = np.ascontiguousarray(w3.T), np.zeros(max(widest, inputs), np.float32)
    return Network(w1, w2, w3, columns, b1, b2, b3, s1, s2, s3, table, sharp, observation, *room)


def no_network() -> Network:
    """What stands for a network where there is none."""
    empty = (np.zeros((0, 0), np.int8), np.zeros(0, np.int32), np.zeros(0, np.int32))
    return make_network([empty] * LAYERS)


@kernel
def find_active(inputs: Any, count: int, active: Any) -> int:
    """Write the indices of inputs that are not 0; how many."""
    found = 0
    for i in range(count):
        active[found] = i
        found += inputs[i] != 0
    return found


@kernel
def add_inputs(
    weights: NDArray[np.int8], biases: NDArray[np.int32], inputs: Any, count: int, active: Any, sums: Any
) -> None:
    """Sums of a layer; inputs that are 0, as most are, cost nothing.

    Four inputs are added at a time: the sums are read and written once for all four.
    """
    outputs, found = weights.shape[1], find_active(inputs, count, active)
    for j in range(outputs):
        sums[j] = biases[j]
    in_fours = found - found % 4
    for at in range(0, in_fours, 4):
        a, b, c, d = active[at], active[at + 1], active[at + 2], active[at + 3]
        first, second, third, fourth = inputs[a], inputs[b], inputs[c], inputs[d]
        for j in range(outputs):
            sums[j] += first * weights[a, j] + second * weights[b, j] + third * weights[c, j] + fourth * weights[d, j]
    for at in range(in_fours, found):
        last, value = active[at], inputs[active[at]]
        for j in range(outputs):
            sums[j] += value * weights[last, j]


@kernel
def activate(sums: Any, scales: NDArray[np.int32], outputs: int, hidden: Any) -> None:
    """Back to units; what is below 0 is 0."""
    most = MOST_SUM // outputs
    for j in range(outputs):
        hidden[j] = min(max((int(sums[j]) * int(scales[j])) >> SHIFT, 0), most)


@kernel
def forward(network: Network) -> None:
    """From the observation to the results: a logit for each seat and place, in units."""
    n = network
    forward_hidden(n)
    add_inputs(n.weights_3, n.biases_3, n.hidden, n.weights_3.shape[0], n.active, n.sums)
    for j in range(n.weights_3.shape[1]):
        n.results[j] = (int(n.sums[j]) * int(n.scales_3[j])) >> SHIFT


@kernel
def forward_hidden(network: Network) -> None:
    """From the observation to the last hidden layer."""
    n = network
    count = n.weights_1.shape[0]
    to_units(n.observation, count, UNIT, n.results)
    add_inputs(n.weights_1, n.biases_1, n.results, count, n.active, n.sums)
    activate(n.sums, n.scales_1, n.weights_1.shape[1], n.hidden)
    add_inputs(n.weights_2, n.biases_2, n.hidden, n.weights_2.shape[0], n.active, n.sums)
    activate(n.sums, n.scales_2, n.weights_2.shape[1], n.hidden)


@kernel
def one_result(network: Network, output: int) -> int:
    """One result, from the last hidden layer: for networks of whose results few are needed."""
    total = int(network.biases_3[output])
    for i in range(network.columns_3.shape[1]):
        total += network.hidden[i] * network.columns_3[output, i]
    return (int(total) * int(network.scales_3[output])) >> SHIFT


@kernel
def place_chance(network: Network, seat: int, place: int, seats: int, most_seats: int) -> int:
    """The chance that a seat (0: oneself) comes in at a place (0: first), of CHANCE."""
    first, sharpness = seat * most_seats, int(network.sharpness[seats])
    highest = int(network.results[first])
    for other in range(1, seats):
        highest = max(highest, int(network.results[first + other]))
    total, own = 0, 0
    for other in range(seats):
        below = min((highest - int(network.results[first + other])) * sharpness // UNIT, EXPONENTS - 1)
        share = int(network.exponentials[below])
        total += share
        if other == place:
            own = share
    return own * CHANCE // total


@kernel
def chance_to_win(race: Any, tables: Any, seat: int, views: Any, network: Network, most_seats: int) -> int:
    """A seat's chance to win as the network sees it from that seat's view, of CHANCE. views: one blank, one to use."""
    views[1] = views[0]
    observe(race, tables, seat, views[1])
    encode_inputs(views[1], tables, network.observation, network.weights_1.shape[0])
    forward(network)
    return place_chance(network, 0, 0, race.seats, most_seats)


@kernel
def encode_nothing(view: Any, tables: Any, out: Any) -> int:
    """The observation of a game that has none: no network reads it, but playouts are compiled with it."""
    return 0


@cache
def observation_of(game: Game) -> Observation:
    """How a game's views become numbers; in no number, where the game does not say."""
    module = plug_in(game.definition.package, "observation")
    return module.OBSERVATION if module else Observation(game.definition.view, (), encode_nothing)


def layout_of(game: Game) -> list[list[Any]]:
    """What a network must have been trained on: a game's observation with its outlook, or the first parts of it."""
    observation = observation_of(game)
    return [[part.name, part.count] for part in (*observation.layout, *observation.outlook)]


def fits_layout(told: Any, game: Game) -> bool:
    """Whether a layout is that of a game's observation with its outlook, or of the first parts of it."""
    return isinstance(told, list) and told == layout_of(game)[: len(told)]


def input_counts(layout: Sequence[Sequence[Any]]) -> set[int]:
    """How many numbers the first parts of a layout have, for every number of parts."""
    return set(accumulate((count for _, count in layout), initial=0)) - ({0} if layout else set())


class Networks(NamedTuple):
    """What a game's weights file holds; all but the first may be missing."""

    value: Network
    """Who is likely to win, whoever plays: for analysis."""
    policy: Network
    """Which choices are likely to be best."""
    critic: Network
    """Who is likely to win where a seat decides and all choose by the policy: for search."""

    def own(self) -> "Networks":
        """The same weights with memory of one's own."""
        return Networks(*(_with_own_memory(network) for network in self))


def read_networks(game: Game, body: Any) -> Networks:
    """The networks of a weights file, or InvalidOption with the reason why they do not fit."""
    try:
        with np.load(body, allow_pickle=False) as file:
            told = dict(json.loads(str(file["told"])))
            value = read_layers(file, VALUE)
            policy, critic = (read_if_there(file, prefix) for prefix in (POLICY, CRITIC))
            sharpness = read_sharpness(file)
        versions = set(told.get("rules_versions", ()))
    except UNREADABLE:
        raise InvalidOption(f"the weights of {game.meta.title} cannot be read: that is no file of weights") from None
    if told.get("format") not in READABLE or not fits_layout(told.get("layout"), game):
        raise InvalidOption(f"the weights of {game.meta.title} belong to another observation")
    if game.meta.rules_version not in versions:
        raise InvalidOption(f"the weights of {game.meta.title} belong to other rules")
    places = game.meta.seats[-1] ** 2
    for name, layers, outputs in (("value", value, places), ("policy", policy, PART_COUNT), ("critic", critic, places)):
        wrong = misfit(layers, input_counts(told["layout"]), outputs) if layers else ""
        if wrong:
            raise InvalidOption(f"the weights of {game.meta.title} do not fit: {wrong} of the {name} network")
    inputs = max(ROOM, observation_of(game).inputs)
    others = (make_network(layers, inputs=inputs) if layers else no_network() for layers in (policy, critic))
    return Networks(make_network(value, sharpness, inputs), *others)


def read_weights(game: Game, file: Path) -> Networks:
    """The networks of a file that somebody names, or InvalidOption."""
    if not file.is_file():
        raise InvalidOption(f"there is no file {file}")
    with file.open("rb") as body:
        return read_networks(game, body)


def read_sharpness(file: Any) -> NDArray[np.int32]:
    """How much logits count at each number of seats; ValueError where that cannot be."""
    if SHARPNESS not in file:
        return even_sharpness()
    found: NDArray[np.int32] = file[SHARPNESS]
    if found.shape != (SEAT_NUMBERS,) or found.dtype != np.int32 or (found < 1).any() or (found > 8 * UNIT).any():
        raise ValueError(SHARPNESS)
    return found


def read_layers(file: Any, prefix: str) -> Layers:
    """The layers of the network whose arrays' names begin so."""
    names = [[f"{prefix}{name}_{n}" for name in LAYER_ARRAYS] for n in range(1, LAYERS + 1)]
    whole = np.ascontiguousarray  # kernels are compiled for arrays without gaps
    return [(whole(file[weights]), whole(file[biases]), whole(file[scales])) for weights, biases, scales in names]


def misfit(layers: Layers, allowed: set[int], outputs: int) -> str:
    """The first array of layers that has another type or shape than kernels count on; "" if all fit.

    allowed: the numbers of inputs that there may be.
    """
    found = layers[0][0].shape
    inputs = found[0] if found and found[0] in allowed else max(allowed)
    for n, layer in enumerate(layers, 1):
        width = outputs if n == LAYERS else layer[0].shape[-1]
        shapes, arrays = ((inputs, width), (width,), (width,)), list[NDArray[Any]](layer)
        for name, array, kind, shape in zip(LAYER_ARRAYS, arrays, LAYER_TYPES, shapes, strict=True):
            if array.dtype != kind or array.shape != shape:
                return f"{name}_{n} ({array.dtype} {array.shape} in place of {np.dtype(kind)} {shape})"
        inputs = width
    return ""


def read_if_there(file: Any, prefix: str) -> Layers | None:
    """The layers of a network, None where a file has none of it."""
    return read_layers(file, prefix) if f"{prefix}weights_1" in file else None


def layer_arrays(layers: Layers, prefix: str) -> dict[str, NDArray[Any]]:
    """Layers as `read_layers` finds them."""
    arrays: dict[str, NDArray[Any]] = {}
    for n, layer in enumerate(layers, 1):
        arrays |= {f"{prefix}{name}_{n}": array for name, array in zip(LAYER_ARRAYS, layer, strict=True)}  # type: ignore[misc]
    return arrays


def _with_own_memory(network: Network) -> Network:
    fresh = {name: getattr(network, name).copy() for name in ("observation", "sums", "hidden", "results", "active")}
    return network._replace(**fresh)


@cache
def _shipped(game: Game) -> tuple[Networks, str]:
    file, none = resources.files(game.definition.package) / FILE, Networks(no_network(), no_network(), no_network())
    if not file.is_file():
        return none, f"{game.meta.title} has no network"
    if not game.edition.standard:
        return none, f"the network of {game.meta.title} knows the standard edition alone"
    try:
        with file.open("rb") as body:
            return read_networks(game, body), ""
    except InvalidOption as error:
        return none, str(error)


def networks_of(game: Game) -> tuple[Networks, str]:
    """Networks of one's own to use, and why there are none where there are none."""
    networks, reason = _shipped(game)
    return networks.own(), reason


def network_of(game: Game) -> tuple[Network, str]:
    """The value network alone."""
    networks, reason = networks_of(game)
    return networks.value, reason
