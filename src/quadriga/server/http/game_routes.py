"""HTTP: games, their words and their components."""

import asyncio
from functools import lru_cache
from typing import Annotated, Any

import msgspec
from litestar import MediaType, Request, Response, get, post
from msgspec import Meta, Struct

from quadriga import __version__, games
from quadriga.bots import LEVELS
from quadriga.core.bounds import MOST_TOML
from quadriga.core.text import LANGUAGES, catalogue
from quadriga.server import PROTOCOL
from quadriga.server.errors import Refused
from quadriga.server.http.middleware import is_forwarded, is_loopback
from quadriga.server.network import home_address, home_url
from quadriga.server.output.game_description import describe_game
from quadriga.server.page_files import page_build
from quadriga.server.services import Services
from quadriga.server.uploads.worker import DescribeEdition

Json = dict[str, Any]
NO_GAME = "none"


class EditionFile(Struct, forbid_unknown_fields=True):
    """An edition to be checked."""

    game: Annotated[str, Meta(max_length=40)]
    edition: Annotated[str, Meta(max_length=MOST_TOML)]


@lru_cache(maxsize=8)
def _standard(name: str) -> Json:
    return describe_game(games.load(name))


@get("/api/about", tags=["server"], sync_to_thread=False)
def about(request: Request[Any, Any, Any], services: Services, address: str) -> Json:
    """Version, protocol, build, bots, languages, and for this machine itself its address in the home network."""
    return {
        "version": __version__,
        "protocol": PROTOCOL,
        "build": page_build(),
        "bots": list(LEVELS),
        "languages": LANGUAGES,
        "network": _network(request, services) if is_loopback(address) and not is_forwarded(request.headers) else None,
    }


def _network(request: Request[Any, Any, Any], services: Services) -> Json | None:
    """How others in the home network come in; None without such a network, or if the server has a public address."""
    found, server = home_address(), request.scope["server"]
    if found is None or server is None or services.settings.public_url:
        return None
    return {"address": found, "url": home_url(services.settings.host, server[1] or 0)}


@get("/api/games", tags=["games"], sync_to_thread=False)
def list_games() -> list[Json]:
    """The cards of all games."""
    return [msgspec.to_builtins(games.meta(name)) for name in games.NAMES]


@get("/api/games/{game:str}", tags=["games"])
async def one_game(game: str, services: Services) -> Json:
    """A game with its standard components. Who asks for it is about to play it: it is prepared."""
    if game not in games.NAMES:
        raise Refused("no_game", game=game[:40])
    services.preparation.want(game)
    return await asyncio.to_thread(_standard, game)


@post("/api/editions", tags=["games"], status_code=200)
async def check_edition(data: EditionFile, services: Services, address: str) -> Response[bytes]:
    """Check an edition file; a game with these components."""
    described = await services.uploads.do(address, DescribeEdition(data.game, data.edition))
    return Response(described, media_type=MediaType.JSON)


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
