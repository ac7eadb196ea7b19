"""Races and their events as Arrow tables, for pandas, polars, DuckDB and Parquet."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from quadriga.api.race import Race
from quadriga.core.extras import require

Columns = Mapping[str, tuple[Any, Sequence[Any]]]
"""The kind and the values of each column; a list of one kind stands for lists of it."""


def to_arrow(races: Race | Iterable[Race]) -> Any:
    """An Arrow table with a row for each race: game, players, places, steps, how it ended; needs `quadriga[data]`."""
    all_races = [races] if isinstance(races, Race) else list(races)
    places = [[place for _, place in sorted((s.seat, s.place) for s in race.standings)] for race in all_races]
    return table_of(
        {
            "race": (int, range(len(all_races))),
            "game": (str, [race.game.name for race in all_races]),
            "rules_version": (int, [race.game.rules_version for race in all_races]),
            "edition": (str, [race.game.fingerprint for race in all_races]),
            "options": (str, [json.dumps(race.options) for race in all_races]),
            "players": ([str], [list(race.players) for race in all_races]),
            "places": ([int], places),
            "winner": (int, [race.winner for race in all_races]),
            "steps": (int, [race.step for race in all_races]),
            "is_over": (bool, [race.is_over for race in all_races]),
            "reason": (str, [race.reason for race in all_races]),
            "seed": (str, [race.seed.hex() for race in all_races]),
        }
    )


def events_to_arrow(races: Race | Iterable[Race], seat: int | None = None, language: str = "en") -> Any:
    """An Arrow table with a row for each event that a seat (None: a spectator) may know; needs `quadriga[data]`."""
    all_races = [races] if isinstance(races, Race) else races
    events = [(number, event) for number, race in enumerate(all_races) for event in race.events(seat)]
    return table_of(
        {
            "race": (int, [number for number, _ in events]),
            "step": (int, [event.step for _, event in events]),
            "kind": (str, [event.kind for _, event in events]),
            "fields": (str, [json.dumps(event.fields) for _, event in events]),
            "text": (str, [event.text(language) for _, event in events]),
        }
    )


def table_of(columns: Columns) -> Any:
    """An Arrow table of columns, or MissingExtra."""
    arrow = require("pyarrow", "data")
    kinds = {int: arrow.int64(), float: arrow.float64(), str: arrow.string(), bool: arrow.bool_()}

    def kind_of(kind: Any) -> Any:
        return arrow.list_(kinds[kind[0]]) if isinstance(kind, list) else kinds[kind]

    return arrow.table({name: arrow.array(list(values), kind_of(kind)) for name, (kind, values) in columns.items()})
