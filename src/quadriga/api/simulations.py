"""Simulations: races of quick levels by the thousand, a row for each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from rich.progress import track

from quadriga.api.games import Game, as_game, usual_players
from quadriga.api.tournaments import edition_file
from quadriga.arena import simulation as arena
from quadriga.arena.simulation import BLOCK, Row
from quadriga.arena.tournament import executor_for


@dataclass(frozen=True)
class Simulation:
    """The rows of a simulation: what was noted of each race. docs/bots.md describes the columns."""

    columns: tuple[str, ...]
    """The names of the columns; those of a seat end with its number."""
    values: tuple[Row, ...]
    """The values of each race, in the order of the columns."""
    _kinds: tuple[type, ...]

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """The races as dictionaries."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.values]

    def column(self, name: str) -> list[Any]:
        """The values of one column, a value for each race."""
        at = self.columns.index(name)
        return [row[at] for row in self.values]

    def to_arrow(self) -> Any:
        """The rows as an Arrow table; needs `quadriga[data]`."""
        from quadriga.api.tables import table_of

        return table_of({name: (kind, self.column(name)) for name, kind in zip(self.columns, self._kinds, strict=True)})

    def __len__(self) -> int:
        return len(self.values)


def simulate(
    game: str | Game,
    bots: str | Sequence[str] = "veteran",
    races: int = 1000,
    players: int | None = None,
    options: Mapping[str, object] | None = None,
    seed: int = 0,
    jobs: int = 1,
    progress: bool = False,
) -> Simulation:
    """Play many races inside the compiled rules: levels from `wanderer` to `veteran`, which sit down in turn."""
    game, names = as_game(game), (bots,) if isinstance(bots, str) else tuple(bots)
    count = players or max(len(names), usual_players(game))
    with edition_file(game) as components, executor_for(names, jobs) as executor:
        plan = arena.Simulation(
            game.name, names, races, count, seed, game._meta.settle(count, options or {}), components
        )
        arena.check(plan)
        blocks = arena.simulate(plan, 0, executor)
        total = -(-races // BLOCK)
        rows = tuple(chain.from_iterable(track(blocks, "simulating", total, transient=True) if progress else blocks))
    columns = arena.columns(plan)
    return Simulation(tuple(columns), rows, tuple(columns.values()))
