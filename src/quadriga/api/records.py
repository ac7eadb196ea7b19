"""Many records at once."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from rich.progress import track

from quadriga.api.race import Race
from quadriga.core.errors import InvalidFile, ReplayFailed

Places = str | Path | Iterable[str | Path]


def load_records(places: Places, progress: bool = False, skip_errors: bool = False) -> Iterator[Race]:
    """The races of record files, one after the other: of a file, of all `.json` files below a folder, or of several.

    Each is played again and checked. `skip_errors` leaves out files that are no records or do not replay.
    """
    files = [file for place in _listed(places) for file in _files(Path(place))]
    for file in track(files, "loading records", transient=True) if progress else files:
        try:
            yield Race.open(file)
        except (InvalidFile, ReplayFailed):
            if not skip_errors:
                raise


def _listed(places: Places) -> list[str | Path]:
    return [places] if isinstance(places, str | Path) else list(places)


def _files(place: Path) -> list[Path]:
    return sorted(place.rglob("*.json")) if place.is_dir() else [place]
