"""How true a network's chances are: against results of races, and beside playouts to the end of the race."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.evaluation import GREEDY, QUICK, VETERAN
from quadriga.bots.evaluator import Evaluator
from quadriga.bots.network import CHANCE, UNIT, Network, forward, place_chance
from quadriga.bots.playouts import Codes, play_on
from quadriga.core.dispatch import imagine, standings
from quadriga.core.game import Game
from quadriga.core.kernel import kernel
from quadriga.core.streams import Stream, open_stream, stream_key
from quadriga.training.selfplay import Positions, Recorder, Sample

BINS = 20
MOST_ERROR = 0.02
"""The bar for the expected calibration error."""
PLAYOUTS = 400
NEVER = 1 << 40
"""No race's clock shows this."""
SOURCES = (("search", 20), ("veteran", 50), ("greedy", 30))
"""Who played the held-out races, and for how many positions of a hundred."""
SOURCE_LEVELS = {"search": (VETERAN,), "veteran": (QUICK, VETERAN), "greedy": (GREEDY,)}
RACES_A_POSITION = 2
"""Races played for each position that is compared with playouts."""
RACES_A_BATCH = 20

Tell = Callable[[str], object]


def chances_of(network: Network, positions: Positions) -> NDArray[np.float64]:
    """The chance to win that the network gives each position, computed by its own kernels."""
    most_seats = positions.places.shape[1]
    found = np.zeros(len(positions.rows))
    for at, row in enumerate(positions.rows):
        network.observation[: len(row)] = row / UNIT
        forward(network)
        racing = int((positions.places[at] >= 0).sum())
        found[at] = place_chance(network, 0, 0, racing, most_seats) / CHANCE
    return found


def calibration(chances: NDArray[np.float64], won: NDArray[Any], bins: int = BINS) -> dict[str, float]:
    """Brier score and expected calibration error of chances to win."""
    slot = np.minimum((chances * bins).astype(int), bins - 1)
    error = sum(
        abs(chances[slot == k].mean() - won[slot == k].mean()) * (slot == k).mean()
        for k in range(bins)
        if (slot == k).any()
    )
    return {"brier": round(float(((chances - won) ** 2).mean()), 4), "ece": round(float(error), 4)}


def figures(network: Network, test: Positions, most: int = 20_000) -> dict[str, Any]:
    """Calibration by number of seats."""
    seats = (test.places >= 0).sum(axis=1)
    found: dict[str, Any] = {}
    for count in np.unique(seats):
        chosen = np.flatnonzero(seats == count)[:most]
        part = Positions(test.rows[chosen], test.places[chosen])
        found[str(count)] = calibration(chances_of(network, part), part.places[:, 0] == 0) | {"n": len(chosen)}
    return found


def held_out(game: Game, network: Network, seats: int, count: int, seed: int) -> dict[str, Positions]:
    """So many positions of races that no network learnt from, by who played them."""
    return {name: _positions(game, network, name, seats, count * share // 100, seed) for name, share in SOURCES}


def _positions(game: Game, network: Network, source: str, seats: int, count: int, seed: int) -> Positions:
    name = f"held out {seed} {source} {seats}"
    recorder = Recorder(game, name, network if source == "search" else None, SOURCE_LEVELS[source], seats)
    found = recorder.record(float("inf"), count)
    return Positions(found.rows[:count], found.places[:count])


def calibrate(game: Game, network: Network, count: int, seed: int, tell: Tell) -> dict[str, Any]:
    """Calibration on held-out positions by number of seats: all of them, and by who played."""
    told: dict[str, Any] = {}
    for seats in game.meta.seats:
        parts = held_out(game, network, seats, count, seed)
        chances = {name: chances_of(network, part) for name, part in parts.items()}
        won = {name: part.places[:, 0] == 0 for name, part in parts.items()}
        whole = calibration(np.concatenate(list(chances.values())), np.concatenate(list(won.values())))
        by_source = {name: calibration(chances[name], won[name]) for name in parts}
        told[str(seats)] = whole | {"n": sum(map(len, won.values())), "by": by_source}
        tell(f"{game.meta.name}, {seats} seats: {told[str(seats)]}")
    return told


@kernel
def wins_to_the_end(
    view: Any, tables: Any, work: Any, races: Any, seat: int, key: Any, count: int, noise: int, stream: Stream,
    log: Any, codes: Codes, out: Codes, scores: Codes, scratch: Codes,
) -> int:  # fmt: skip
    """How many of so many playouts to the end of the race a seat wins. races: one blank, one to play in."""
    wins = 0
    for number in range(count):
        open_stream(stream, key, number)
        races[1] = races[0]
        imagine(view, tables, stream, races[1], scratch)
        play_on(races[1], tables, work, NEVER, noise, stream, log, codes, out, scores, scratch)
        standings(races[1], tables, out)
        wins += out[seat] == 1
    return wins


def playout_chances(game: Game, sample: Sample, count: int, seed: int) -> NDArray[np.float64]:
    """The share of so many playouts that each position's seat wins."""
    e, codes = Evaluator(game, seed), np.zeros(game.meta.seats[-1], np.int64)
    found = np.zeros(len(sample.rows))
    for at, view in enumerate(sample.views):
        key = stream_key(f"playouts {seed} {at}".encode())
        wins = wins_to_the_end(
            view, e.tables, e.work, e.races, int(view.seat), key, count, e.evaluation.noise, e.stream, e.log, codes,
            e.out, e.scores, e.scratch,
        )  # fmt: skip
        found[at] = wins / count
    return found


def spread_sample(game: Game, network: Network, count: int, seed: int) -> Sample:
    """So many positions, each of a race of its own out of twice as many races of all settings."""
    parts, random = [], np.random.default_rng(seed)
    for name, share in SOURCES:
        recorder = Recorder(
            game, f"compared {seed} {name}", network if name == "search" else None, SOURCE_LEVELS[name]
        )  # fmt: skip
        wanted = count * share // 100
        played = [recorder.play(RACES_A_BATCH, True) for _ in range(-(-RACES_A_POSITION * wanted // RACES_A_BATCH))]
        parts.append(_one_a_race(_joined(played), wanted, random))
    return _joined(parts)


def _joined(samples: list[Sample]) -> Sample:
    rows, places, views, numbers = (
        np.concatenate([getattr(sample, name) for sample in samples]) for name in ("rows", "places", "views", "numbers")
    )
    return Sample(rows, places, views.view(samples[0].views.dtype), numbers)


def _one_a_race(sample: Sample, count: int, random: np.random.Generator) -> Sample:
    """So many positions by chance, no two of a race."""
    order = random.permutation(len(sample.numbers))
    _, first = np.unique(sample.numbers[order], return_index=True)
    chosen = random.permutation(order[first])[:count]
    return Sample(sample.rows[chosen], sample.places[chosen], sample.views[chosen], sample.numbers[chosen])


def compare_playouts(game: Game, network: Network, count: int, seed: int) -> dict[str, Any]:
    """The network beside playouts to the end on the same positions: Brier scores, and microseconds a position."""
    sample = spread_sample(game, network, count, seed)
    won = sample.places[:, 0] == 0
    told: dict[str, Any] = {"n": len(won), "races": RACES_A_POSITION * count, "playouts": PLAYOUTS}
    judges: dict[str, Callable[[], NDArray[np.float64]]] = {
        "network": lambda: chances_of(network, sample),
        "to_the_end": lambda: playout_chances(game, sample, PLAYOUTS, seed),
    }
    squares = {}
    for name, judge in judges.items():
        began = time.thread_time()
        chances = judge()
        spent = (time.thread_time() - began) / len(won)
        squares[name] = (chances - won) ** 2
        told[name] = {"brier": round(float(squares[name].mean()), 4), "microseconds": round(1e6 * spent, 1)}
    less = squares["to_the_end"] - squares["network"]
    error = 1.96 * float(less.std()) / np.sqrt(len(less))
    told["network_better_by"] = [round(float(less.mean()) + side, 4) for side in (0.0, -error, error)]
    return told
