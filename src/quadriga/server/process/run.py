"""Starting and stopping a server."""

import os
import socket as sockets
import sys
from collections.abc import Callable

import uvicorn
from sqlalchemy.exc import SQLAlchemyError

from quadriga.core.errors import InvalidOption
from quadriga.server.database import guests
from quadriga.server.database.health import (
    NotUsable,
    first_line,
    require_integrity,
    require_space,
    sqlite_file,
    try_to_write,
)
from quadriga.server.database.migrations import is_current, migrate
from quadriga.server.database.store import Store, Unavailable, open_engine
from quadriga.server.guest_tokens import draw_key
from quadriga.server.http.app import make_http
from quadriga.server.http.middleware import Middleware
from quadriga.server.logs import set_up_logs
from quadriga.server.network import own_url
from quadriga.server.notifications import push
from quadriga.server.preparation.games import GamePreparation
from quadriga.server.process.connection_limits import ConnectionLimits, limited_protocols
from quadriga.server.process.running import noted
from quadriga.server.process.watchdog import ARM_SECONDS, Watchdog, WatchedServer
from quadriga.server.services import Services, open_services
from quadriga.server.settings import Settings
from quadriga.server.websocket.connection import SocketApplication

BACKLOG = 4096
"""Connections that wait to be accepted."""
OPEN_FILES = 65_536
SWITCH_SECONDS = 0.0005
"""How long a thread may keep the global lock while another one waits for it. The thread that writes needs the lock
about ten times a commit; with Python's 5 ms a busy event loop can hold each commit up for several times that."""
CURRENT, OLD, ABSENT = "up to date", "will be brought up to date at the start", "will be made at the start"
GRACE_SECONDS = 5
"""How long open requests have to end when the server stops."""
PING_SECONDS, PONG_SECONDS = 5.0, 10.0
"""A client that does not answer a ping in time is gone: others are told after 15 seconds at most."""


def prepare(settings: Settings) -> Services:
    """The database brought up to date, and the parts of a server on it."""
    engine = open_engine(settings.database_url, writing=True)
    try:
        if not is_current(engine):
            migrate(engine)
    except (SQLAlchemyError, OSError) as error:
        raise InvalidOption(f"the database cannot be used: {first_line(error)}") from None
    finally:
        engine.dispose()
    store = Store(settings.database_url)
    try:
        signing = store.write_now(lambda connection: guests.kept_secret(connection, "signing", draw_key))
        pushing = store.write_now(lambda connection: guests.kept_secret(connection, "push", push.draw_key))
    except (SQLAlchemyError, Unavailable) as error:
        raise InvalidOption(f"the database cannot be written: {first_line(error)}") from None
    return open_services(settings, store, signing, pushing)


def check(settings: Settings) -> list[str]:
    """What a host should know before serving; raises InvalidOption if it would not start or not be ready."""
    try:
        found = _check_database(settings.database_url) if _is_there(settings.database_url) else ABSENT
    except (SQLAlchemyError, OSError, NotUsable) as error:
        raise InvalidOption(f"the database cannot be used: {first_line(error)}") from None
    shown = settings.database_url.partition("@")[2] or settings.database_url
    notes = [f"database {shown}: {found}"]
    if not settings.public_url:
        notes.append("public_url is not set: links in notices will not work, cookies are not marked secure")
    return notes


def _is_there(url: str) -> bool:
    """Whether there is a database to look at; a file that is not there must be possible, and is not made."""
    file = sqlite_file(url)
    if file is None or file.exists():
        return True
    folder = next(folder for folder in file.absolute().parents if folder.exists())
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise NotUsable(f"{file} cannot be made in {folder}")
    return False


def _check_database(url: str) -> str:
    """Whether a database needs a migration; raises if it cannot be read and written, or is corrupt."""
    engine = open_engine(url, writing=True)
    try:
        current = is_current(engine)
        require_space(url)
        require_integrity(url)
        if current:
            with engine.begin() as connection:
                try_to_write(connection)
    finally:
        engine.dispose()
    return CURRENT if current else OLD


def serve(
    settings: Settings,
    on_start: Callable[[str], None] = lambda url: None,
    on_preparation: Callable[[GamePreparation], None] = lambda game: None,
) -> None:
    """Serve until told to stop."""
    set_up_logs(settings.log_level, settings.log_json)
    _raise_descriptor_limit()
    listener = _listen(settings)
    url = own_url(settings.host, listener.getsockname()[1])
    services = prepare(settings)
    services.preparation.listeners.append(on_preparation)
    app = make_app(settings, services, lambda: on_start(url))
    sys.setswitchinterval(SWITCH_SECONDS)
    watchdog = Watchdog(settings.hang_seconds)
    with noted(settings, url):
        WatchedServer(configure(settings, app, watchdog), watchdog).run([listener])


def make_app(settings: Settings, services: Services, on_start: Callable[[], None]) -> Middleware:
    """The whole application. Sockets do not pass through Litestar: thousands may come back at once."""
    http = make_http(settings)
    http.state.services, http.state.on_start = services, on_start
    return Middleware(http, SocketApplication(services), services)


def _raise_descriptor_limit() -> None:
    """Allow more open files than the 1,024 of many systems, as far as the host does."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES)
        if soft != resource.RLIM_INFINITY and soft < most:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _listen(settings: Settings) -> sockets.socket:
    """The listening socket. Who connects while the server starts waits in its backlog."""
    listener = sockets.socket(sockets.AF_INET6 if ":" in settings.host else sockets.AF_INET)
    listener.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
        listener.listen(BACKLOG)
    except OSError as error:
        raise InvalidOption(f"cannot listen on {settings.host}:{settings.port}: {error.strerror}") from None
    return listener


def configure(settings: Settings, app: object, watchdog: Watchdog) -> uvicorn.Config:
    """How uvicorn is to serve us."""
    http, websocket = limited_protocols(ConnectionLimits.of(settings))
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        log_config=None,
        access_log=False,
        lifespan="on",
        http=http,
        ws=websocket,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PONG_SECONDS,
        ws_max_size=settings.message_bytes * 4,
        ws_per_message_deflate=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=settings.proxies or None,
        timeout_graceful_shutdown=GRACE_SECONDS,
        callback_notify=watchdog.arm,
        timeout_notify=ARM_SECONDS,
        server_header=False,
        backlog=BACKLOG,
    )
