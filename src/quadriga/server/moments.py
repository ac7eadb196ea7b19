"""Moments as bytes: the race after an entry, kept beside the log so that it need not be played again."""

import hashlib
import zlib
from functools import lru_cache

import msgspec

from quadriga.core.game import Game, Told
from quadriga.core.match import Left, Moment

_pack = msgspec.msgpack.Encoder().encode
_packed_moment = msgspec.msgpack.Decoder(tuple[bytes, list[tuple[int, str]], list[list[int]]])
COMPRESSED = 0x78
"""The first byte of what zlib compressed; a moment itself begins with 0x93, a msgpack list of three."""


@lru_cache(maxsize=16)
def layout_key(game: Game) -> str:
    """What moments of a game must have been written by to be read: the rules version and the fields."""
    layout = hashlib.sha256(repr(game.definition.race.packed.descr).encode()).hexdigest()[:12]
    events = hashlib.sha256(repr([(e.code, e.slots) for e in game.definition.events]).encode()).hexdigest()[:12]
    return f"{game.meta.rules_version}-{layout}-{events}"


def pack_moment(game: Game, moment: Moment) -> bytes:
    """A moment as bytes, the same on every machine."""
    state = game.definition.race.pack(moment.state)
    left = [(gone.seat, gone.reason) for gone in moment.left]
    events = [
        [told.event.code, -1 if told.audience is None else told.audience, *map(int, told.event.values())]
        for told in moment.events
    ]
    return _pack((state, left, events))


def pack_small(game: Game, moment: Moment) -> bytes:
    """The same compressed, for races that nobody plays: states are mostly zeros."""
    return zlib.compress(pack_moment(game, moment))


def unpack_moment(game: Game, body: bytes) -> Moment:
    """The moment of `pack_moment` or `pack_small`."""
    body = zlib.decompress(body) if body[0] == COMPRESSED else body
    state, left, events = _packed_moment.decode(body)
    told = (Told(game.event(row[0], row[2:]), None if row[1] < 0 else row[1]) for row in events)
    return Moment(game.definition.race.unpack(state), tuple(Left(seat, reason) for seat, reason in left), tuple(told))
