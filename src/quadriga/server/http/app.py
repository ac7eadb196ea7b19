"""The application: routes, their dependencies, and error responses."""

import asyncio
import hmac
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar, MediaType, Request, Response, get
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from quadriga import __version__
from quadriga.core.errors import QuadrigaError
from quadriga.server.database import table_rows
from quadriga.server.database.guests import Guest, find_guest
from quadriga.server.database.store import Unavailable
from quadriga.server.errors import Refused, refused
from quadriga.server.guest_tokens import COOKIE
from quadriga.server.http import (
    analysis_routes,
    game_routes,
    guest_routes,
    lesson_routes,
    my_race_routes,
    practice_routes,
    push_routes,
    puzzle_routes,
    table_routes,
)
from quadriga.server.http.middleware import is_forwarded, is_loopback, route_of
from quadriga.server.page_files import find
from quadriga.server.services import Services
from quadriga.server.settings import Settings
from quadriga.server.tables.document import RACING

log = logging.getLogger("quadriga.http")
RETURN_SECONDS = 1.0
"""After so many seconds without a new connection, clients of before a restart count as reconnected."""
HTTP_CODES = {404: "not_found", 405: "no_method", 413: "too_large", 429: "too_fast"}


# ---------------------------------------------------------------- what handlers get


def services_of(state: State) -> Services:
    """The parts of this server."""
    found: Services = state.services
    return found


def _credentials(request: Request[Any, Any, Any]) -> str | None:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else request.cookies.get(COOKIE)


async def current_guest(request: Request[Any, Any, Any]) -> Guest | None:
    """Who asks."""
    services = services_of(request.app.state)
    known = services.signer.read(_credentials(request))
    if known is None:
        return None
    found: Guest | None = await services.store.read(lambda database: find_guest(database, known))
    return found


def client_address(request: Request[Any, Any, Any]) -> str:
    """The address that a request comes from."""
    return request.client.host if request.client else ""


def may_read_metrics(address: str, headers: Mapping[str, str], token: str) -> bool:
    """Whether a request shows the token or comes from this machine itself, not through a proxy."""
    scheme, _, shown = headers.get("authorization", "").partition(" ")
    if token and scheme.lower() == "bearer":
        return hmac.compare_digest(shown.strip().encode(), token.encode())
    return is_loopback(address) and not is_forwarded(headers)


# ---------------------------------------------------------------- the server itself


@get("/api/health", tags=["server"], sync_to_thread=False)
def health() -> dict[str, bool]:
    """Whether the process answers."""
    return {"ok": True}


@get("/api/ready", tags=["server"])
async def ready(services: Services) -> dict[str, bool]:
    """Whether all games are prepared, the bots are warm and the database can be written."""
    if not services.ready or not services.pool.warm.is_set():
        raise Refused("not_ready")
    if await services.readiness.trouble():
        raise Refused("unavailable")
    return {"ready": True}


@get("/api/preparation", tags=["server"], sync_to_thread=False)
def preparation(services: Services) -> list[dict[str, Any]]:
    """How far the preparation of each game is."""
    return services.preparation.describe()


@get("/metrics", include_in_schema=False, media_type=MediaType.TEXT)
async def metrics(request: Request[Any, Any, Any], services: Services) -> bytes:
    """For Prometheus, on this machine or with the token."""
    if not may_read_metrics(client_address(request), request.headers, services.settings.metrics_token):
        raise Refused("not_found")
    services.metrics.bot_failures.set(services.pool.failures)
    services.metrics.bots_waiting.set(services.pool.waiting)
    return services.metrics.text()


@get(["/", "/{path:path}"], include_in_schema=False)
async def page(request: Request[Any, Any, Any], path: str = "") -> Response[bytes]:
    """The page and its files; the page itself answers for every address that is not a file."""
    if path.startswith("/api/"):
        raise Refused("not_found")
    body, kind, encoding, lasting = await asyncio.to_thread(
        find, path, "gzip" in request.headers.get("accept-encoding", "")
    )
    headers = {
        "cache-control": "public, max-age=31536000, immutable" if lasting else "no-cache",
        "vary": "accept-encoding",
    }
    if encoding:
        headers["content-encoding"] = encoding
    return Response(body, media_type=kind, headers=headers)


# ---------------------------------------------------------------- errors


def _refusal(error: Refused) -> Response[Any]:
    return Response(error.body(), status_code=error.status, media_type=MediaType.JSON)


def on_refused(request: Request[Any, Any, Any], error: Refused) -> Response[Any]:
    return _refusal(error)


def on_quadriga_error(request: Request[Any, Any, Any], error: QuadrigaError) -> Response[Any]:
    return _refusal(refused(error))


def on_unavailable(request: Request[Any, Any, Any], error: Unavailable) -> Response[Any]:
    return _refusal(Refused("unavailable"))


def on_deep_json(request: Request[Any, Any, Any], error: RecursionError) -> Response[Any]:
    return _refusal(Refused("malformed", cause="it has too many brackets inside each other"))


def on_http_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    if error.status_code == 413:
        return _refusal(Refused("too_large", most=services_of(request.app.state).settings.body_bytes))
    if error.status_code in (404, 405):
        response = _refusal(Refused(HTTP_CODES[error.status_code]))
        response.headers.update(error.headers or {})
        return response
    cause = str(error.detail)
    if isinstance(error, ValidationException) and error.extra:
        cause = "; ".join(str(one.get("message", one)) if isinstance(one, dict) else str(one) for one in error.extra)
    return _refusal(Refused("malformed", cause=cause[:300]))


def on_any_error(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    log.error("a request broke", exc_info=error, extra={"method": request.method, "route": route_of(request.scope)})
    return _refusal(Refused("broken"))


HANDLERS: list[Any] = [
    health,
    ready,
    preparation,
    metrics,
    page,
    *game_routes.HANDLERS,
    *guest_routes.HANDLERS,
    *my_race_routes.HANDLERS,
    *push_routes.HANDLERS,
    *table_routes.HANDLERS,
    *analysis_routes.HANDLERS,
    *practice_routes.HANDLERS,
    *lesson_routes.HANDLERS,
    *puzzle_routes.HANDLERS,
]


async def _load_games_on(services: Services) -> list[str]:
    """The games of races that are on, loaded if they are compiled: their people come back all at once."""
    names = await services.store.read(lambda connection: table_rows.games_in_state(connection, RACING))
    await services.preparation.load_compiled(names)
    return list(names)


async def _prepare(services: Services, games_on: list[str]) -> None:
    """Prepare all other games and start the bots, after the clients of before the start have reconnected."""
    for name in games_on:
        services.preparation.want(name)
    crowd = bool(games_on)
    while crowd:
        before = len(services.connections)
        await asyncio.sleep(RETURN_SECONDS)
        crowd = len(services.connections) > before
    services.pool.start()
    await services.preparation.prepare_all()
    services.background.gc_schedule.begin()
    await services.readiness.trouble()
    services.ready = True


@asynccontextmanager
async def _running(http: Litestar) -> AsyncIterator[None]:
    """Run the background tasks while the application runs."""
    services = services_of(http.state)
    games_on = await _load_games_on(services)
    services.background.gc_schedule.begin()
    services.background.start()
    preparing = asyncio.create_task(_prepare(services, games_on))
    http.state.on_start()
    yield
    services.ready = False
    preparing.cancel()
    await services.preparation.close()
    await services.background.close()
    await services.notifier.close()
    await services.driver.close()
    await services.pool.close()
    await services.uploads.close()
    await services.advisers.close()
    await services.analyses.close()
    await services.executor.close()
    services.registry.loader.close()
    await asyncio.to_thread(services.store.close)


def make_http(settings: Settings) -> Litestar:
    """The application for requests."""
    return Litestar(
        HANDLERS,
        dependencies={
            "services": Provide(services_of, sync_to_thread=False),
            "guest": Provide(current_guest),
            "address": Provide(client_address, sync_to_thread=False),
        },
        exception_handlers={
            Refused: on_refused,
            QuadrigaError: on_quadriga_error,
            Unavailable: on_unavailable,
            RecursionError: on_deep_json,
            HTTPException: on_http_error,
            Exception: on_any_error,
        },
        lifespan=[_running],
        request_max_body_size=settings.body_bytes,
        openapi_config=_openapi(),
        signature_types=[Services, Guest],
        logging_config=None,
    )


def _openapi() -> OpenAPIConfig:
    plugins = [JsonRenderPlugin(path="/openapi.json")]
    return OpenAPIConfig(title="Quadriga", version=__version__, path="/api/schema", render_plugins=plugins)
