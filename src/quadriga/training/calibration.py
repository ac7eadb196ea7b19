"""How true a network's chances are: against results of races, and beside playouts to the end of the race."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga import games
from quadriga.bots.evaluation import elapsed
from quadriga.bots.evaluator import Evaluator, evaluation_of
from quadriga.bots.network import (
    CHANCE,
    UNIT,
    Network,
    chance_to_win,
    forward,
    network_of,
    no_network,
    place_chance,
    read_weights,
)
from quadriga.bots.playouts import Codes, play_on
from quadriga.core.dispatch import imagine, owing, standings
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game
from quadriga.core.kernel import kernel
from quadriga.core.streams import Stream, open_stream, stream_key
from quadriga.training.processes import in_processes
from quadriga.training.selfplay import SOURCES, Positions, Recorder, Sample, Source

BINS = 20
MOST_ERROR = 0.02
"""The bar for the expected calibration error."""
PLAYOUTS = 400
NEVER = 1 << 40
"""Stretches that no race has."""
LOOKS = 4
"""Short playouts beside the network: together they take about a three-hundredth of the time of PLAYOUTS to the end."""
WANTED, SEARCH_WANTED = 2, 8
"""Positions kept of a held-out race, about; of one by search, which takes longer."""
JUDGES = ("network", "with_a_look", "to_the_end")
JUDGE_NAMES = ("the network", f"the network and {LOOKS} short playouts", f"{PLAYOUTS} playouts to the end")
RACES_A_POSITION = 2
"""Races played for each position that is compared with playouts."""
RACES_A_BATCH = 20
HELD_OUT_PART, COMPARED_PART = 1000, 50
"""Positions for one task, held out and compared with playouts."""

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


def held_out(game: Game, network: Network, source: Source, seats: int, count: int, seed: str) -> Positions:
    """So many positions of races of a source that no network learnt from."""
    wanted = SEARCH_WANTED if source.searching else WANTED
    recorder = Recorder(game, f"held out {seed} {source.name} {seats}", source, [network], seats, wanted=wanted)
    found = recorder.record(float("inf"), count)
    return Positions(found.rows[:count], found.places[:count])


@dataclass(frozen=True)
class HeldOut:
    """A task: judge held-out positions."""

    game: str
    weights: Path | None
    source: Source
    seats: int
    count: int
    seed: str


def judge_held_out(task: HeldOut) -> tuple[HeldOut, NDArray[np.float64], NDArray[np.bool_]]:
    """The chances to win of held-out positions, and who won."""
    game = games.load(task.game)
    network = network_for(game, task.weights)
    positions = held_out(game, network, task.source, task.seats, task.count, task.seed)
    return task, chances_of(network, positions), positions.places[:, 0] == 0


def calibrate(name: str, weights: Path | None, count: int, seed: int, jobs: int, tell: Tell) -> dict[str, Any]:
    """Calibration on held-out positions by number of seats: all of them, and by who played."""
    tasks = [
        HeldOut(name, weights, source, seats, part, f"{seed} {number}")
        for seats in games.meta(name).seats
        for source in SOURCES
        for number, part in enumerate(parts_of(count * source.share // 100, HELD_OUT_PART))
    ]
    judged = list(in_processes(judge_held_out, tasks, jobs))
    told: dict[str, Any] = {}
    for seats in games.meta(name).seats:
        own = [found for found in judged if found[0].seats == seats]
        by_source = {source.name: _joined_figures([f for f in own if f[0].source == source]) for source in SOURCES}
        told[str(seats)] = _joined_figures(own) | {"by": by_source}
        tell(in_words(seats, told[str(seats)]))
    return told


def in_words(seats: int, told: dict[str, Any]) -> str:
    """The figures of a number of seats in a line."""
    verdict = "met" if told["ece"] <= MOST_ERROR else "missed"
    by = ", ".join(f"{name} {100 * row['ece']:.1f} %" for name, row in told["by"].items())
    return (
        f"{seats} seats, {told['n']} positions: Brier {told['brier']:.4f}, calibration error {100 * told['ece']:.1f} % "
        f"(at most {100 * MOST_ERROR:.0f} %: {verdict}); by who played: {by}"
    )


def comparison_in_words(told: dict[str, Any]) -> str:
    """The figures of a comparison, a line for each judge."""
    lines = [f"{told['n']} positions out of {told['races']} races:"]
    for judge, name in zip(JUDGES, JUDGE_NAMES, strict=True):
        row = told[judge]
        line = f"  {name}: Brier {row['brier']:.4f}, {row['microseconds']:.0f} µs a position"
        if "better_by" in row:
            mean, low, high = row["better_by"]
            line += f", better than the last by {mean:.4f} ({low:.4f} to {high:.4f})"
            line += f" (at least as good: {as_good(low, high)})" if judge == JUDGES[0] else ""
        lines.append(line)
    return "\n".join(lines)


def as_good(low: float, high: float) -> str:
    """Whether a judge is at least as good as another, by the interval of how much better it is."""
    return "met" if low >= 0 else "missed" if high < 0 else "undecided"


def _joined_figures(judged: list[tuple[HeldOut, NDArray[np.float64], NDArray[np.bool_]]]) -> dict[str, Any]:
    chances, won = (np.concatenate([found[at] for found in judged]) for at in (1, 2))
    return calibration(chances, won) | {"n": len(won)}


def parts_of(count: int, most: int) -> list[int]:
    """A number in parts of at most so many."""
    return [min(most, count - first) for first in range(0, count, most)]


def network_for(game: Game, weights: Path | None) -> Network:
    """The value network of a file or the game's own, or InvalidOption."""
    if weights:
        return read_weights(game, weights).value
    network, reason = network_of(game)
    if reason:
        raise InvalidOption(reason)
    return network


@kernel
def chances_of_playouts(
    view: Any, tables: Any, work: Any, races: Any, seat: int, key: Any, count: int, horizon: int, noise: int,
    stream: Stream, log: Any, codes: Codes, out: Codes, scores: Codes, scratch: Codes, views: Any, network: Network,
    most_seats: int,
) -> int:  # fmt: skip
    """The sum of a seat's chances at the ends of so many playouts, of CHANCE each; where the race goes on, the network
    says the chance. races: one blank, one to play in."""
    total = 0
    for number in range(count):
        open_stream(stream, key, number)
        races[1] = races[0]
        imagine(view, tables, stream, races[1], scratch)
        until = elapsed(races[1]) + horizon
        play_on(races[1], tables, work, until, noise, stream, log, codes, out, scores, scratch)
        if owing(races[1]) == 0:
            standings(races[1], tables, out)
            total += CHANCE if out[seat] == 1 else 0
        else:
            total += chance_to_win(races[1], tables, seat, views, network, most_seats)
    return total


def playout_chances(
    game: Game, sample: Sample, count: int, seed: str, horizon: int = NEVER, network: Network | None = None
) -> NDArray[np.float64]:
    """The mean chance to win at the ends of so many playouts from each position: to the end of the race, or for so many
    stretches, after which the network judges."""
    e, most_seats = Evaluator(game, 0), game.meta.seats[-1]
    codes, judge = np.zeros(most_seats, np.int64), network or no_network()
    found = np.zeros(len(sample.rows))
    for at, view in enumerate(sample.views):
        key = stream_key(f"playouts {seed} {at}".encode())
        total = chances_of_playouts(
            view, e.tables, e.work, e.races, int(view.seat), key, count, horizon, e.evaluation.noise, e.stream, e.log,
            codes, e.out, e.scores, e.scratch, e.views, judge, most_seats,
        )  # fmt: skip
        found[at] = total / count / CHANCE
    return found


def chances_with_a_look(game: Game, network: Network, sample: Sample, seed: str) -> NDArray[np.float64]:
    """The chance to win by the network and by a few short playouts that it judges, half each."""
    horizon = evaluation_of(game).network_horizon
    ahead = playout_chances(game, sample, LOOKS, f"look {seed}", horizon, network)
    return (chances_of(network, sample) + ahead) / 2


def spread_sample(game: Game, network: Network, source: Source, count: int, seed: str) -> Sample:
    """So many positions, each of a race of its own out of twice as many races of all settings."""
    random = np.random.default_rng(list(seed.encode()))
    recorder = Recorder(game, f"compared {seed} {source.name}", source, [network])
    played = [recorder.play(part, True) for part in parts_of(RACES_A_POSITION * count, RACES_A_BATCH)]
    return _one_a_race(_joined(played), count, random)


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


@dataclass(frozen=True)
class Compared:
    """A task: put the network beside playouts."""

    game: str
    weights: Path | None
    source: Source
    count: int
    seed: str


@dataclass(frozen=True)
class Comparison:
    """Squared errors of each judge on the same positions, and the seconds that it took."""

    squares: NDArray[np.float64]
    seconds: NDArray[np.float64]


def compare_part(task: Compared) -> Comparison:
    """Judge some positions by the network, by it with a look ahead, and by playouts to the end."""
    game = games.load(task.game)
    network = network_for(game, task.weights)
    sample = spread_sample(game, network, task.source, task.count, task.seed)
    won, squares, seconds = sample.places[:, 0] == 0, [], []
    judges: list[Callable[[Sample], NDArray[np.float64]]] = [
        lambda some: chances_of(network, some),
        lambda some: chances_with_a_look(game, network, some, task.seed),
        lambda some: playout_chances(game, some, PLAYOUTS, task.seed),
    ]
    first = Sample(sample.rows[:1], sample.places[:1], sample.views[:1], sample.numbers[:1])
    for judge in judges:
        judge(first)  # compiling is not judging
        began = time.thread_time()
        chances = judge(sample)
        seconds.append(time.thread_time() - began)
        squares.append((chances - won) ** 2)
    return Comparison(np.array(squares), np.array(seconds))


def compare_playouts(name: str, weights: Path | None, count: int, seed: int, jobs: int) -> dict[str, Any]:
    """The network, alone and with a look ahead, beside playouts to the end on the same positions: Brier scores, and
    microseconds a position."""
    tasks = [
        Compared(name, weights, source, part, f"{seed} {number}")
        for source in SOURCES
        for number, part in enumerate(parts_of(count * source.share // 100, COMPARED_PART))
    ]
    found = list(in_processes(compare_part, tasks, jobs))
    squares, seconds = np.concatenate([f.squares for f in found], axis=1), sum(f.seconds for f in found)
    total = squares.shape[1]
    told: dict[str, Any] = {"n": total, "races": RACES_A_POSITION * total, "playouts": PLAYOUTS}
    for at, judge in enumerate(JUDGES):
        told[judge] = {
            "brier": round(float(squares[at].mean()), 4),
            "microseconds": round(1e6 * float(seconds[at]) / total, 1),
        }
        if judge != JUDGES[-1]:
            told[judge]["better_by"] = better_by(squares[at], squares[-1])
    return told


def better_by(own: NDArray[np.float64], others: NDArray[np.float64]) -> list[float]:
    """By how much squared errors are smaller than others on the same positions, and the ends of the 95 % interval."""
    less = others - own
    error = 1.96 * float(less.std()) / len(less) ** 0.5
    return [round(float(less.mean()) + side, 4) for side in (0.0, -error, error)]
