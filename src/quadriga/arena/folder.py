"""A simulation's folder: what is played, its rows as they come in, the same as Parquet, and the page they make."""

import csv
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import msgspec

from quadriga.arena.simulation import Row, Simulation, columns
from quadriga.core.errors import InvalidOption

PLAN, ROWS, PARQUET, PAGE = "simulation.json", "races.csv", "races.parquet", "report.html"
GROUP = 1 << 20
"""Bytes of CSV that become a row group of Parquet."""


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A file that is there whole or not at all: written beside its place, then put there."""
    beside = path.with_name(path.name + ".part")
    yield beside
    beside.replace(path)


def read_rows(path: Path) -> Iterator[dict[str, str]]:
    """The whole rows of a folder, one at a time; a row half written is left out."""
    with (path / ROWS).open(newline="", encoding="utf-8") as file:
        yield from csv.DictReader(line for line in file if line.endswith("\n"))


class Folder:
    """Where a simulation is kept. One that was broken off goes on behind its last whole row."""

    def __init__(self, plan: Simulation, path: Path) -> None:
        self.plan, self.path = plan, path
        path.mkdir(parents=True, exist_ok=True)
        told = path / PLAN
        if told.exists():
            self._check(told)
        else:
            with whole_file(told) as beside:
                beside.write_bytes(msgspec.json.encode(plan))
        self.played = self._mend()

    def _check(self, told: Path) -> None:
        try:
            same = msgspec.json.decode(told.read_bytes(), type=Simulation) == self.plan
        except msgspec.DecodeError:
            raise InvalidOption(f"{told} holds no simulation") from None
        if not same:
            raise InvalidOption(f"{self.path} holds another simulation: {told.read_text(encoding='utf-8')}")

    def _mend(self) -> int:
        """Cut off a row half written; the number of those that are whole. A line at a time, whatever the length."""
        lines = whole = 0
        rows = self.path / ROWS
        rows.touch()
        with rows.open("rb+") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    break
                lines, whole = lines + 1, whole + len(line)
            file.truncate(whole)
        if lines == 0:
            self._write([columns(self.plan)])
        return max(lines - 1, 0)

    def _write(self, rows: Iterable[Iterable[object]]) -> None:
        with (self.path / ROWS).open("a", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)

    def add(self, rows: list[Row]) -> None:
        """Keep the rows of a block."""
        self._write(rows)
        self.played += len(rows)

    def rows(self) -> Iterator[dict[str, str]]:
        """The rows as they are written, one at a time."""
        return read_rows(self.path)

    def write_parquet(self) -> Path | None:
        """The rows as Parquet, a group at a time; None where pyarrow is not installed."""
        if not find_spec("pyarrow"):
            return None
        import pyarrow
        from pyarrow import csv as arrow_csv
        from pyarrow import parquet

        kinds = {int: pyarrow.int32(), float: pyarrow.float64(), str: pyarrow.string()}
        schema = pyarrow.schema([(name, kinds[kind]) for name, kind in columns(self.plan).items()])
        rows = arrow_csv.open_csv(
            self.path / ROWS,
            read_options=arrow_csv.ReadOptions(block_size=GROUP, use_threads=False),
            convert_options=arrow_csv.ConvertOptions(column_types=schema),
        )
        with whole_file(self.path / PARQUET) as beside, parquet.ParquetWriter(beside, schema) as writer:
            for group in rows:
                writer.write_batch(group)
        return self.path / PARQUET

    def write_page(self, page: str) -> Path:
        """Keep the page."""
        with whole_file(self.path / PAGE) as beside:
            beside.write_text(page, encoding="utf-8")
        return self.path / PAGE
