"""A record: everything needed to play a race again, exactly, on any machine.

While a race runs, its record shows no seed, no hash and no choice: all three would tell secrets.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import msgspec
from msgspec import Struct

from quadriga.core import streams
from quadriga.core.bounds import MOST_ENTRIES, MOST_OPTIONS, MOST_RECORD, MOST_SEATS
from quadriga.core.edition import TomlFile, read_text
from quadriga.core.errors import InvalidFile, QuadrigaError, ReplayFailed
from quadriga.core.game import Game, Result
from quadriga.core.match import AnyEntry, Match, Setup, Sitter, hidden
from quadriga.core.meta import OptionValue
from quadriga.core.typed import complaint, dotted

FORMAT = 1

Load = Callable[[str, TomlFile | None], Game]
"""Finds a game by name, with an edition of its own or the standard one: `quadriga.games.load`."""


class Ending(Struct, frozen=True, forbid_unknown_fields=True):
    """How the race ended."""

    places: tuple[int, ...]
    winner: int | None
    reason: str


class Record(Struct, frozen=True, forbid_unknown_fields=True):
    """One race; docs/fairness.md says how to check its dice."""

    format: int
    game: str
    rules_version: int
    edition: str | None
    """The edition as TOML, if it is not the standard one."""
    fingerprint: str
    seats: tuple[Sitter, ...]
    options: dict[str, OptionValue]
    commitment: str
    nonces: tuple[str, ...]
    seed: str | None
    """64 hexadecimal digits; null while the race runs, unless it was saved for private use."""
    log: tuple[AnyEntry, ...]
    result: Ending | None


def record_of(match: Match, secrets: bool = False) -> Record:
    """The record of a match. `secrets`: all of an unfinished race, for the storage of whoever runs it."""
    open_ = match.over or secrets
    edition = match.game.edition
    return Record(
        format=FORMAT,
        game=match.game.meta.name,
        rules_version=match.game.meta.rules_version,
        edition=None if edition.standard else edition.source.text,
        fingerprint=edition.fingerprint,
        seats=match.first_sitters,
        options=dict(match.options),
        commitment=match.commitment,
        nonces=match.nonces,
        seed=match.secret_seed().hex() if open_ else None,
        log=tuple(match.log if open_ else map(hidden, match.log)),
        result=_ending(match.result()),
    )


def _ending(result: Result | None) -> Ending | None:
    return Ending(result.places, result.winner, result.reason) if result else None


# ---------------------------------------------------------------- as a file


def to_json(record: Record) -> str:
    """The record as a file: a key to a line, a step to a line."""
    data = msgspec.to_builtins(record, str_keys=True)
    lines = [f"  {json.dumps(key)}: {_value(key, value)}" for key, value in data.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _value(key: str, value: Any) -> str:
    if key not in ("seats", "log"):
        return json.dumps(value, ensure_ascii=False)
    items = [f"    {json.dumps(item, ensure_ascii=False)}" for item in value]
    return "[\n" + ",\n".join(items) + "\n  ]"


def read_record(path: str | Path) -> Record:
    """The record in a file, or InvalidFile."""
    return from_json(read_text(path, MOST_RECORD), str(path))


def from_json(text: str, file: str = "record") -> Record:
    """The record a text holds, or InvalidFile with the place and the cause."""
    if len(text) > MOST_RECORD:
        raise InvalidFile(file, "", f"it has {len(text)} letters; {MOST_RECORD} are the most")
    try:
        found = msgspec.json.decode(text, type=dict[str, msgspec.Raw])
        _require_format(found.get("format"), file)
        record = msgspec.json.decode(text, type=Record)
    except msgspec.ValidationError as error:
        place, cause = complaint(error)
        raise InvalidFile(
            file, f"step {place[1]}" if place[:1] == ("log",) and place[1:] else dotted(place), cause
        ) from None
    except msgspec.DecodeError as error:
        raise InvalidFile(file, _line(text, str(error)), f"is not JSON: {_plain(str(error))}") from None
    except (UnicodeError, RecursionError):
        raise InvalidFile(file, "", "is not JSON") from None
    _check(record, file)
    return record


def _require_format(found: msgspec.Raw | None, file: str) -> None:
    if found is None:
        raise InvalidFile(file, "", "is not a record: it has no format")
    if bytes(found) != str(FORMAT).encode():
        shown = bytes(found)[:20].decode(errors="replace")
        raise InvalidFile(file, "format", f"{shown} is not known here; this Quadriga reads format {FORMAT}")


def _line(text: str, message: str) -> str:
    """The line of the byte a message of msgspec names; the last one if the text ends too soon."""
    byte = re.search(r"\(byte (\d+)\)", message)
    before = text.encode()[: int(byte[1])] if byte else text.rstrip().encode()
    newlines = before.count(b"\n")
    return f"line {newlines + 1}"


def _plain(message: str) -> str:
    message = message.removeprefix("JSON is malformed: ")
    return re.sub(r" \(byte \d+\)$", "", message).replace("Input data was truncated", "it ends too soon")


def _check(record: Record, file: str) -> None:
    def refuse(place: str, cause: str) -> NoReturn:
        raise InvalidFile(file, place, cause)

    for place, found, most in (
        ("log", len(record.log), MOST_ENTRIES),
        ("seats", len(record.seats), MOST_SEATS),
        ("nonces", len(record.nonces), MOST_SEATS),
        ("options", len(record.options), MOST_OPTIONS),
        ("result.places", len(record.result.places) if record.result else 0, MOST_SEATS),
    ):
        if found > most:
            refuse(place, f"{place} has {found} items; {most} are the most")
    if not record.log or not isinstance(record.log[0], Setup):
        refuse("step 0", "the log must begin with the set-up")
    for place, text in (("seed", record.seed), ("commitment", record.commitment)):
        if text is not None and not re.fullmatch("[0-9a-f]{64}", text):
            refuse(place, f"{place} must be 64 hexadecimal digits")
    if record.seed is None and record.result is not None:
        refuse("seed", "a finished race has a seed")


# ---------------------------------------------------------------- played again


def replay(record: Record, load: Load) -> Match:
    """Play a record again, or raise ReplayFailed with the step and the cause."""
    match = _set_up(record, load)
    _compare(match, record.log[0])
    for seq, entry in enumerate(record.log[1:], 1):
        try:
            match.add(entry)
        except QuadrigaError as error:
            raise ReplayFailed(seq, str(error)) from None
        _compare(match, entry)
    played = _ending(match.result())
    if played != record.result:
        raise ReplayFailed(match.seq, f"the race ends with {_said(played)}, the record says {_said(record.result)}")
    return match


def _set_up(record: Record, load: Load) -> Match:
    if record.seed is None:
        raise ReplayFailed(0, "the race is not over: its seed and its choices are secret")
    seed = bytes.fromhex(record.seed)
    if streams.commitment(seed) != record.commitment:
        raise ReplayFailed(0, "the seed is not the one the commitment was made for")
    try:
        game = _game(record, load)
        return Match(game, record.seats, record.options, seed, record.nonces)
    except ReplayFailed:
        raise
    except QuadrigaError as error:
        raise ReplayFailed(0, str(error)) from None


def _game(record: Record, load: Load) -> Game:
    source = None if record.edition is None else TomlFile("edition of the record", record.edition)
    game = load(record.game, source)
    ours = game.meta.rules_version
    if record.rules_version != ours:
        raise ReplayFailed(0, f"made under rules version {record.rules_version} of {game.meta.title}; this is {ours}")
    if game.edition.fingerprint != record.fingerprint:
        raise ReplayFailed(
            0, f"edition {game.edition.fingerprint} is not the one it was played with, {record.fingerprint}"
        )
    return game


def _compare(match: Match, entry: AnyEntry) -> None:
    played = match.log[match.seq].hash
    if played != entry.hash:
        raise ReplayFailed(
            match.seq, f"the state differs: its hash is {played}, the record says {entry.hash or 'none'}"
        )


def _said(ending: Ending | None) -> str:
    if ending is None:
        return "no result yet"
    return f"places {', '.join(map(str, ending.places))} ({ending.reason})"
