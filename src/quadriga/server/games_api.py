"""HTTP: games, their words and their components."""

from functools import lru_cache
from typing import Annotated, Any

import msgspec
from litestar import get, post
from msgspec import Meta, Struct

from quadriga import __version__, games
from quadriga.bots import LEVELS
from quadriga.core import codec
from quadriga.core.edition import standings_of
from quadriga.core.fields import Field
from quadriga.core.game import Game
from quadriga.core.messages import Message
from quadriga.core.text import LANGUAGES, catalogue
from quadriga.server import PROTOCOL, gate
from quadriga.server.lobby import load_game
from quadriga.server.refused import Refused
from quadriga.server.static import page_build

Json = dict[str, Any]
NO_GAME = "none"


class EditionFile(Struct, forbid_unknown_fields=True):
    """An edition to be checked."""

    game: Annotated[str, Meta(max_length=40)]
    edition: Annotated[str, Meta(max_length=200_000)]


def describe_game(game: Game) -> Json:
    """Everything a page needs to know of a game with its components."""
    definition = game.definition
    return {
        "meta": msgspec.to_builtins(game.meta),
        "actions": [_message(kind) for kind in definition.actions],
        "events": [_message(kind) for kind in definition.events],
        "refusals": [_message(kind) for kind in definition.refusals],
        "view": [_field(field) for field in definition.view.fields],
        "names": game.names.domains,
        "components": codec.record_to_json(game.tables, game.names),
        "edition": gate.edition(game) | {"facts": game.edition.source.data},
        "standings": standings_of(game.edition.source.data),
        "reconstructed": _reconstructed(game),
        "reasons": definition.reasons[1:],
        "bots": list(LEVELS),
    }


def _reconstructed(game: Game) -> Json | None:
    """Which boards and decks are not those of the box, by language; None for components of one's own."""
    if not game.edition.standard:
        return None
    return {language: game.words(language).say("reconstructed") for language in LANGUAGES}


def _message(kind: type[Message]) -> Json:
    fields = [{"name": s.name, "domain": s.domain, "flag": s.flag, "most": s.most} for s in kind.slots]
    return {"kind": kind.name, "fields": fields}


def _field(field: Field) -> Json:
    return {
        "name": field.name,
        "domain": field.domain,
        "index": field.index,
        "axis": field.axis,
        "shape": field.shape,
        "meaning": field.meaning,
    }


@lru_cache(maxsize=8)
def _standard(name: str) -> Json:
    return describe_game(load_game(name, None))


@get("/api/about", tags=["server"], sync_to_thread=False)
def about() -> Json:
    """Version, protocol, build, bots and languages."""
    return {
        "version": __version__,
        "protocol": PROTOCOL,
        "build": page_build(),
        "bots": list(LEVELS),
        "languages": LANGUAGES,
    }


@get("/api/games", tags=["games"], sync_to_thread=False)
def list_games() -> list[Json]:
    """The cards of all games."""
    return [msgspec.to_builtins(games.meta(name)) for name in games.NAMES]


@get("/api/games/{game:str}", tags=["games"], sync_to_thread=True)
def one_game(game: str) -> Json:
    """A game with its standard components."""
    if game not in games.NAMES:
        raise Refused("no_game", game=game[:40])
    return _standard(game)


@post("/api/editions", tags=["games"], status_code=200, sync_to_thread=True)
def check_edition(data: EditionFile) -> Json:
    """Check an edition file; a game with these components."""
    return describe_game(load_game(data.game, data.edition))


@get("/api/text/{language:str}/{game:str}", tags=["games"], sync_to_thread=False)
def text(language: str, game: str) -> Json:
    """All sentences of a language: core's, the server's and a game's."""
    if language not in LANGUAGES:
        raise Refused("no_language", language=language[:20])
    words = dict(catalogue(language, "quadriga.server").entries)
    if game != NO_GAME:
        if game not in games.NAMES:
            raise Refused("no_game", game=game[:40])
        words |= games.load(game).words(language).entries
    return words


HANDLERS = [about, list_games, one_game, check_edition, text]
