"""Starting and stopping a server."""

import socket as sockets
import sys
from collections.abc import Callable

import uvicorn
from sqlalchemy.exc import SQLAlchemyError

from quadriga.core.errors import InvalidOption
from quadriga.server import guests, push
from quadriga.server.app import load_all_rules, make_app, make_http
from quadriga.server.doors import Doors
from quadriga.server.keeping import CAN_KEEP, READY, SERVES, Keeper, Report
from quadriga.server.logs import set_up_logs
from quadriga.server.migrations import is_current, migrate
from quadriga.server.services import Services, open_services
from quadriga.server.settings import Settings
from quadriga.server.storage import Store, open_engine
from quadriga.server.websocket import Socket

BACKLOG = 4096


def prepare(settings: Settings) -> Services:
    """The database brought up to date, and the parts of a server on it."""
    engine = open_engine(settings.database_url, writing=True)
    try:
        if not is_current(engine):
            migrate(engine)
    except (SQLAlchemyError, OSError) as error:
        raise InvalidOption(f"the database cannot be used: {_first_line(error)}") from None
    finally:
        engine.dispose()
    store = Store(settings.database_url)
    signing = store.write_now(lambda connection: guests.kept_secret(connection, "signing", guests.draw_key))
    pushing = store.write_now(lambda connection: guests.kept_secret(connection, "push", push.draw_key))
    return open_services(settings, store, signing, pushing)


def check(settings: Settings) -> list[str]:
    """What a host should know before serving; raises InvalidOption if it would not start."""
    engine = open_engine(settings.database_url, writing=False)
    try:
        current = is_current(engine)
    except (SQLAlchemyError, OSError) as error:
        raise InvalidOption(f"the database cannot be used: {_first_line(error)}") from None
    finally:
        engine.dispose()
    shown = settings.database_url.partition("@")[2] or settings.database_url
    notes = [f"database {shown}: {'up to date' if current else 'will be brought up to date at the start'}"]
    if not settings.public_url:
        notes.append("public_url is not set: links in notices will not work, cookies are not marked secure")
    return notes


def _first_line(error: Exception) -> str:
    lines = str(getattr(error, "orig", None) or error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def serve(settings: Settings, on_start: Callable[[str], None] = lambda url: None) -> None:
    """Serve until told to stop; where it can be, in a child of a keeper."""
    set_up_logs(settings.log_level, settings.log_json)
    listener, http = _listen(settings), make_http(settings)
    url = f"http://{settings.host}:{listener.getsockname()[1]}"

    def work(report: Report, first: bool) -> None:
        def started() -> None:
            report(SERVES)
            if first:
                on_start(url)

        sys.setswitchinterval(0.001)  # the thread that writes must not wait long for the one that talks
        app = make_app(http, prepare(settings), started, lambda: report(READY))
        kind = uvicorn.Server if sys.platform == "win32" else Doors  # Windows' loop cannot be told of a listener
        kind(configure(settings, app)).run([listener])

    if settings.keeper and CAN_KEEP:
        Keeper(work, load_all_rules).keep()
    else:
        work(lambda word: None, True)


def _listen(settings: Settings) -> sockets.socket:
    """The socket people knock at. As many wait there as the operating system allows while nobody opens."""
    listener = sockets.socket(sockets.AF_INET6 if ":" in settings.host else sockets.AF_INET)
    listener.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
        listener.listen(BACKLOG)
    except OSError as error:
        raise InvalidOption(f"cannot listen on {settings.host}:{settings.port}: {error.strerror}") from None
    return listener


def configure(settings: Settings, app: object) -> uvicorn.Config:
    """How uvicorn is to serve us."""
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        log_config=None,
        access_log=False,
        lifespan="on",
        ws=Socket,
        ws_max_size=settings.message_bytes * 4,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=settings.proxies or None,
        timeout_graceful_shutdown=5,
        server_header=False,
        backlog=BACKLOG,
    )
