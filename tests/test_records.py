"""Recorded games replay to the stored result, and playthroughs stay as they are; `make goldens` writes both anew."""

from pathlib import Path

import pytest

from quadriga import games
from quadriga.core.errors import ReplayFailed
from quadriga.core.fuzz import extremes
from quadriga.core.match import Choices, TakeBack
from quadriga.core.record import Record, read_record, replay
from tests.core.processes import run
from tests.make import GOLDENS, RECORDS, golden

FILES = sorted(RECORDS.glob("*/*.json"))
every_record = pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
every_game = pytest.mark.parametrize("name", games.NAMES)
AGAIN = "run `make goldens` and review the difference"


def records(name: str) -> list[Record]:
    return [read_record(file) for file in FILES if file.parent.name == name]


@every_record
def test_a_recorded_game_replays_to_its_result(file: Path) -> None:
    record = read_record(file)
    match = replay(record, games.load)
    result = match.result()
    assert result is not None
    assert record.result is not None
    assert (result.places, result.winner, result.reason) == (
        record.result.places,
        record.result.winner,
        record.result.reason,
    )


@every_game
def test_every_number_of_seats_option_and_way_to_end_is_recorded(name: str) -> None:
    meta, found = games.meta(name), records(name)
    reasons = {*games.definition(name).reasons[1:], "resigned", "forfeited"}
    assert {record.result.reason for record in found if record.result} == reasons, AGAIN
    assert {len(record.seats) for record in found} == set(meta.seats), AGAIN
    for option in meta.options:
        played = {record.options.get(option.name) for record in found}
        assert played >= set(extremes(option)), AGAIN
    assert any(isinstance(entry, TakeBack) for record in found for entry in record.log), AGAIN


@every_game
def test_records_replay_in_another_process(name: str) -> None:
    files = [file for file in FILES if file.parent.name == name]
    assert len(run("tests.core.replays", *files).splitlines()) == len(files)


def test_another_process_compiles_even_if_this_one_interprets(monkeypatch: pytest.MonkeyPatch) -> None:
    """`replays` fails if it does not run in the way it is told."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert run("tests.core.replays") == ""
    assert run("tests.core.replays", "--no-jit", NUMBA_DISABLE_JIT="1") == ""


@every_game
def test_a_changed_record_does_not_replay(name: str) -> None:
    """One hash, one choice or the result changed: the step is named."""
    from msgspec.structs import replace

    record = next(record for record in records(name) if len(record.log) > 20)
    forged = replace(record.log[10], hash="0" * 16)
    with pytest.raises(ReplayFailed, match="step 10: the state differs"):
        replay(replace(record, log=(*record.log[:10], forged, *record.log[11:])), games.load)
    later = next(i for i in range(11, len(record.log)) if unlike(record, 10, i))
    swapped = replace(record.log[10], choices=chosen(record, later))
    with pytest.raises(ReplayFailed, match="step 10: "):
        replay(replace(record, log=(*record.log[:10], swapped, *record.log[11:])), games.load)
    assert record.result is not None
    with pytest.raises(ReplayFailed, match="the race ends with"):
        replay(replace(record, result=replace(record.result, reason="struck by lightning")), games.load)


def chosen(record: Record, step: int) -> dict[int, str]:
    entry = record.log[step]
    return entry.choices if isinstance(entry, Choices) else {}


def unlike(record: Record, step: int, other: int) -> bool:
    return bool(chosen(record, other)) and chosen(record, step) != chosen(record, other)


@pytest.mark.parametrize(("name", "seats"), [(name, seats) for name in games.NAMES for seats in games.meta(name).seats])
def test_a_playthrough_is_as_it_was(name: str, seats: int) -> None:
    stored = (GOLDENS / f"{name}-{seats}.txt").read_text(encoding="utf-8").splitlines()
    for number, (now, then) in enumerate(zip(golden(games.load(name), seats).splitlines(), stored, strict=True), 1):
        assert now == then, f"line {number}: {AGAIN}"
