"""Analyses as files: JSON, and a folder in which those of many records are kept."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import msgspec

from quadriga.analysis.results import Analysis

FORMAT = 1


@dataclass(frozen=True)
class Kept:
    """An analysis with what it was made from."""

    format: int
    file: str
    """The record, as it was named."""
    record: str
    """The SHA-256 of the record's text."""
    analysis: Analysis


def digest(text: str) -> str:
    """The hash that a record is known by."""
    return hashlib.sha256(text.encode()).hexdigest()


def to_json(kept: Kept) -> bytes:
    """One line of JSON."""
    return msgspec.json.encode(kept) + b"\n"


class Folder:
    """Keeps a file for each record, depth and seed; a run that was broken off goes on with what is missing."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)

    def find(self, record: str, depth: str, seed: int) -> Kept | None:
        """An analysis that is there already; None if not, or if its file cannot be read."""
        try:
            kept = msgspec.json.decode(self._place(record, depth, seed).read_bytes(), type=Kept)
        except (OSError, msgspec.DecodeError):
            return None
        return kept if kept.format == FORMAT and kept.record == record else None

    def add(self, kept: Kept, depth: str) -> Path:
        """Write an analysis; its file is there whole or not at all."""
        place = self._place(kept.record, depth, kept.analysis.seed)
        beside = place.with_name(place.name + ".part")
        beside.write_bytes(to_json(kept))
        beside.replace(place)
        return place

    def _place(self, record: str, depth: str, seed: int) -> Path:
        return self.path / f"{record[:16]}-{depth}-{seed}.json"
