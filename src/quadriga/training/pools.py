"""Where a value network's positions come from: races by scores, and the pools that their positions lie in."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from numpy.typing import NDArray

from quadriga.bots.network import observation_of
from quadriga.core.game import Game
from quadriga.training.learning import torch_module
from quadriga.training.parallel_races import ParallelScoredRaces
from quadriga.training.scored_races import ALL, FORECASTING, Played, ScoredRaces, share_of
from quadriga.training.selfplay import NOT_DUE
from quadriga.training.value_task import MOST_WEIGHT

MOST_USES = 10
"""How often a position is learnt from at most, on average: a wide network soon memorises results."""
TESTED = 60_000
"""Positions of a batch that networks are tested on before they learn from it, at most."""


class Examples(NamedTuple):
    """Positions to learn from, on a device."""

    rows: Any
    """Inputs in units."""
    places: Any
    """The place of every seat from 0, oneself first."""
    later: Any
    """What the seat sees some stretches later."""
    goes_on: Any
    """Whether the race goes on so long; else the row of `later` says nothing."""


class Pool:
    """Positions to learn from on a device, the newest in place of the oldest."""

    def __init__(self, most: int, inputs: int, seats: int, device: str) -> None:
        torch = torch_module()
        shapes = ((inputs,), torch.int16), ((seats,), torch.int8), ((inputs,), torch.int16), ((), torch.bool)
        self._kept = Examples(*(torch.empty((most, *shape), dtype=kind, device=device) for shape, kind in shapes))
        self.count, self._next, self.most, self.device = 0, 0, most, device

    def add(self, examples: Examples) -> None:
        """Put positions in, the last of them where there are more than find room."""
        count = min(len(examples.rows), self.most)
        at = (self._next + torch_module().arange(count, device=self.device)) % self.most
        for kept, new in zip(self._kept, examples, strict=True):
            kept[at] = new[-count:]
        self._next = (self._next + count) % self.most
        self.count = min(self.most, self.count + count)

    def draw(self, count: int) -> Examples:
        """Positions by lot."""
        at = torch_module().randint(self.count, (count,), device=self.device)
        return Examples(*(kept[at] for kept in self._kept))


class Batch:
    """The positions of a batch of races on a device, shuffled."""

    def __init__(self, played: Played, device: str) -> None:
        torch = torch_module()
        kept, sources = played.kept, torch.as_tensor(played.sources, device=device)
        rows, places, counts, later, due = (torch.as_tensor(part, device=device) for part in kept)
        there = torch.arange(rows.shape[1], device=device) < counts[:, None]
        found = Examples(rows[there], places[there], later[there], due[there] == NOT_DUE)
        order = torch.randperm(len(found.rows), device=device)
        self.examples = Examples(*(part[order] for part in found))
        self.sources = sources[:, None].expand_as(there)[there][order]

    def tested(self, most: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Rows, places and sources of so many positions at most, to test networks on."""
        parts = (self.examples.rows, self.examples.places, self.sources)
        rows, places, sources = (part[:most].cpu().numpy() for part in parts)
        return rows, places, sources


class Supply:
    """Races of some sources, and the pool of their positions."""

    def __init__(
        self, game: Game, races: int, positions: int, seed: str, device: str, jobs: int, chosen: Sequence[int] = ALL
    ) -> None:
        """jobs: processes that play the races; 0: the device plays them. races, positions: of all sources together."""
        self.share, self.device = share_of(chosen), device
        count = max(1, round(races * self.share))
        self.player = make_races(game, count, seed, device, jobs, chosen)
        inputs, most_seats = observation_of(game).inputs, game.meta.seats[-1]
        self.pool = Pool(max(1, round(positions * self.share)), inputs, most_seats, device)
        self.added = self.drawn = 0
        """Positions put into the pool, and drawn from it, so far."""
        self.tested: tuple[NDArray[Any], NDArray[Any], NDArray[Any]] | None = None
        """Rows, places and sources of the newest batch."""

    def play(self, wait: bool) -> Batch | None:
        """Another batch of positions, not yet in the pool. Without waiting: what processes have played, if anything."""
        played = self.player.play() if wait else self.player.take_played()
        if played is None:
            return None
        batch = Batch(played, self.device)
        self.tested = batch.tested(max(1, round(TESTED * self.share)))
        return batch

    def add(self, batch: Batch) -> None:
        """Put positions into the pool."""
        self.pool.add(batch.examples)
        self.added += len(batch.examples.rows)

    @property
    def left(self) -> int:
        """How many positions may be drawn before others are added."""
        return MOST_USES * self.added - self.drawn

    def draw(self, count: int) -> Examples:
        """Positions by lot."""
        self.drawn += count
        return self.pool.draw(count)

    def close(self) -> None:
        """End the processes that play, if there are any."""
        if isinstance(self.player, ParallelScoredRaces):
            self.player.close()


def make_races(game: Game, races: int, seed: str, device: str, jobs: int, chosen: Sequence[int]) -> Any:
    """What plays batches of races: so many processes, or the device if 0."""
    if jobs > 0:
        return ParallelScoredRaces(game, races, seed, jobs, chosen)
    if device == "cpu":
        return ScoredRaces(game, races, seed, chosen)
    from quadriga.training.gpu_scored_races import GpuScoredRaces

    return GpuScoredRaces(game, races, seed, chosen)


def make_supplies(game: Game, races: int, positions: int, seed: str, device: str, jobs: int) -> list[Supply]:
    """All races from one place; or, beside a GPU, processes play those whose scores it works out slowly."""
    if device == "cpu" or jobs == 0:
        return [Supply(game, races, positions, seed, device, jobs)]
    quick = [at for at in ALL if at not in FORECASTING]
    return [
        Supply(game, races, positions, seed, device, 0, quick),
        Supply(game, races, positions, seed, device, jobs, FORECASTING),
    ]


def draw_from(supplies: Sequence[Supply], count: int) -> tuple[Examples, Any]:
    """Positions by lot, and how much each counts.

    A supply is drawn from as its share says, but no position more than MOST_USES times: where that leaves a supply
    with fewer, they count for more, up to MOST_WEIGHT times as much.
    """
    torch, wanted = torch_module(), [min(supply.left, round(count * supply.share)) for supply in supplies]
    wanted[0] += count - sum(wanted)
    drawn = [supply.draw(number) for supply, number in zip(supplies, wanted, strict=True) if number]
    weights = [
        torch.full((number,), min(MOST_WEIGHT, supply.share * count / number), device=supply.device)
        for supply, number in zip(supplies, wanted, strict=True)
        if number
    ]
    return Examples(*(torch.cat(parts) for parts in zip(*drawn, strict=True))), torch.cat(weights)
