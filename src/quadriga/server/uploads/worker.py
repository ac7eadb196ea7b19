"""The work of a process that checks uploads and may be killed at any time: editions are loaded, records replayed.

It gets texts as strangers sent them, and answers with what the server needs and can take over without reading them.
"""

import os
import time
from typing import Any

import msgspec
from msgspec import Struct

from quadriga import games
from quadriga.core.edition import TomlFile
from quadriga.core.errors import QuadrigaError
from quadriga.core.game import Game
from quadriga.core.match import Match, Sitter
from quadriga.core.meta import OptionValue
from quadriga.core.record import Ending, Record, from_json, replay
from quadriga.core.streams import commitment, stream_key
from quadriga.core.warmup import load_rules
from quadriga.server.errors import MOST_CAUSE, Refused, refused
from quadriga.server.output.game_description import describe_game
from quadriga.server.preparation.parts import RULES, is_part_compiled
from quadriga.server.tables.moments import layout_key, pack_small

EDITION_SECONDS = 0.5
"""The server loads an edition itself when it opens a table: one that takes longer than this is refused."""
ROW_BYTES = 100
"""What a row takes up in a database besides its body."""
MEMORY_SPENT = 3
"""The exit code of a process that ran out of memory."""


class DescribeEdition(Struct, array_like=True, tag=True):
    """Asks for a game with an edition, as JSON."""

    game: str
    edition: str


class AcceptEdition(Struct, array_like=True, tag=True):
    """Asks whether a table may be played with an edition."""

    game: str
    edition: str


class VerifyRecord(Struct, array_like=True, tag=True):
    """Asks for the check of the dice of a record, as JSON."""

    record: bytes


class ReplayRecord(Struct, array_like=True, tag=True):
    """Asks for a record as it is stored, if that takes at most so many bytes."""

    record: bytes
    most: int


Job = DescribeEdition | AcceptEdition | VerifyRecord | ReplayRecord


class RecordGame(Struct):
    """The game of a record; all else in it is left unread."""

    game: str


class Answer(Struct, array_like=True):
    """What was asked for, or the code and the parameters of a refusal."""

    body: bytes
    code: str = ""
    params: dict[str, Any] = {}


class Replayed(Struct, array_like=True):
    """A finished race, ready to be stored."""

    game: str
    rules_version: int
    fingerprint: str
    edition: str | None
    seed: str
    options: dict[str, OptionValue]
    first_sitters: list[Sitter]
    sitters: list[Sitter]
    nonces: list[str]
    ending: Ending | None
    key: str
    entries: list[bytes]
    moments: list[bytes]
    size: int
    """Bytes it takes up, about."""


_job = msgspec.msgpack.Decoder(Job)
_encode = msgspec.msgpack.Encoder().encode
_encode_json = msgspec.json.Encoder().encode


def game_of(record: bytes) -> str | None:
    """The game that a record names; None if it is no record."""
    try:
        return msgspec.json.decode(record, type=RecordGame).game
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def answer_bytes(question: bytes) -> bytes:
    """The answer to a job, with msgpack on both sides."""
    return _encode(answer(_job.decode(question)))


def answer(job: Job) -> Answer:
    """Do a job; a process that runs out of memory ends."""
    try:
        return Answer(_do(job))
    except MemoryError:
        os._exit(MEMORY_SPENT)
    except QuadrigaError as error:
        why = refused(error)
        return Answer(b"", why.code, why.params)
    except Refused as why:
        return Answer(b"", why.code, why.params)


def _do(job: Job) -> bytes:
    match job:
        case DescribeEdition():
            return _encode_json(describe_game(_load(job.game, job.edition)))
        case AcceptEdition():
            began = time.process_time()
            fingerprint = _load(job.game, job.edition).edition.fingerprint
            if time.process_time() - began > EDITION_SECONDS:
                raise Refused("too_costly")
            return fingerprint.encode()
        case VerifyRecord():
            return _encode_json(verify(_record(job.record)))
        case ReplayRecord():
            return _encode(_stored(_record(job.record), job.most))


def _load(name: str, edition: str) -> Game:
    if name not in games.NAMES:
        raise Refused("no_game", game=name[:40])
    return games.load(name, TomlFile("edition", edition))


def _record(body: bytes) -> Record:
    try:
        return from_json(body.decode(), "record")
    except UnicodeDecodeError:
        raise Refused("invalid_file", cause="record: is not UTF-8 text") from None


# ---------------------------------------------------------------- the check of the dice


def verify(record: Record) -> dict[str, object]:
    """Whether commitment, seed and choices give the race that the record tells; the log can be checked at its end."""
    if record.seed is None:
        return check_of(record.commitment, None, record.nonces, None, len(record.log) - 1, None)
    holds = commitment(bytes.fromhex(record.seed)) == record.commitment
    cause = None
    try:
        replay(record, games.load)
    except QuadrigaError as error:
        cause = str(error)[:MOST_CAUSE]
    return check_of(record.commitment, record.seed, record.nonces, cause is None, len(record.log) - 1, cause, holds)


def check_of(
    committed: str,
    seed: str | None,
    nonces: tuple[str, ...],
    replays: bool | None,
    steps: int,
    cause: str | None,
    holds: bool | None = None,
) -> dict[str, object]:
    """The check as it is sent."""
    key = stream_key(bytes.fromhex(seed), nonces).astype("<u4").tobytes().hex() if seed else None
    return {
        "commitment": committed,
        "seed": seed,
        "nonces": nonces,
        "key": key,
        "commitment_holds": holds,
        "replays": replays,
        "steps": steps,
        "cause": cause,
    }


# ---------------------------------------------------------------- records to be kept


def _stored(record: Record, most: int) -> Replayed:
    match = replay(record, games.load)
    if not match.over:
        raise Refused("not_over")
    entries = [_encode_json(entry) for entry in match.log]
    moments: list[bytes] = []
    size = len(record.edition or "") + sum(map(len, entries)) + 2 * ROW_BYTES * len(entries)
    for seq in range(match.seq + 1):
        moments.append(pack_small(match.game, match.moment(seq)))
        size += len(moments[-1])
        if size > most:
            raise Refused("too_large", most=most)
    return _replayed(record, match, entries, moments, size)


def _replayed(record: Record, match: Match, entries: list[bytes], moments: list[bytes], size: int) -> Replayed:
    return Replayed(
        game=record.game,
        rules_version=record.rules_version,
        fingerprint=record.fingerprint,
        edition=record.edition,
        seed=match.seed.hex(),
        options=dict(match.options),
        first_sitters=list(match.first_sitters),
        sitters=list(match.sitters),
        nonces=list(match.nonces),
        ending=record.result,
        key=layout_key(match.game),
        entries=entries,
        moments=moments,
        size=size,
    )


def warm_up() -> None:
    """Load the rules of every game that is compiled."""
    for name in games.NAMES:
        if is_part_compiled(name, RULES):
            load_rules(games.load(name))
