"""What a host can set: by environment (QUADRIGA_PORT=...), by a TOML file, or on the command line, which wins."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import platformdirs
from msgspec import Meta, Struct

from quadriga.core.bounds import MOST_TOML
from quadriga.core.edition import read_text
from quadriga.core.errors import InvalidFile, InvalidOption
from quadriga.core.typed import complaint, dotted

PREFIX = "QUADRIGA_"
ELSEWHERE = {"cache", "games", "settings", "target"}
"""Names behind the prefix that are not settings of the server."""

Positive = Annotated[int, Meta(ge=1)]
Natural = Annotated[int, Meta(ge=0)]
Rate = Annotated[float, Meta(gt=0)]
Seconds = Annotated[float, Meta(ge=0)]
LISTS = ("origins", "push_services")


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """Every setting with its default; docs/hosting.md explains them."""

    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8000
    database: str = ""
    public_url: str = ""
    origins: tuple[str, ...] = ()
    secret: str = ""
    proxies: str = ""
    log_level: str = "info"
    log_json: bool = True
    hang_seconds: Seconds = 20.0
    bot_workers: Positive = 2
    bot_seconds: Rate = 0.25
    bot_limit_seconds: Rate = 10.0
    poll_seconds: Rate = 1.0
    message_bytes: Positive = 16_384
    body_bytes: Positive = 1_048_576
    requests_per_second: Rate = 20.0
    messages_per_second: Rate = 20.0
    chats_per_minute: Rate = 20.0
    hints_per_minute: Rate = 30.0
    tables_per_hour: Rate = 60.0
    guests_per_hour: Rate = 60.0
    sockets_per_address: Positive = 100
    connections_per_address: Positive = 200
    frames_per_second: Rate = 20.0
    header_seconds: Rate = 10.0
    body_seconds: Rate = 30.0
    live_tables: Positive = 5000
    upload_workers: Positive = 1
    upload_seconds: Rate = 10.0
    upload_megabytes: Positive = 256
    uploads_waiting: Natural = 16
    upload_bytes: Positive = 8_388_608
    guest_upload_bytes: Positive = 33_554_432
    server_upload_bytes: Positive = 1_073_741_824
    analyses_waiting: Natural = 50
    analyses_per_hour: Rate = 30.0
    analysis_seconds: Rate = 600.0
    analysis_depth: Literal["quick", "standard", "deep"] = "standard"
    analysis_threads: Positive = 1
    advice_workers: Positive = 1
    evaluations_per_minute: Rate = 120.0
    puzzles_per_minute: Rate = 120.0
    retention_days: Natural = 0
    metrics_token: str = ""
    webhook: str = ""
    notice_seconds: Seconds = 20.0
    contact: str = ""
    push_services: tuple[str, ...] = (
        "https://fcm.googleapis.com",
        "https://updates.push.services.mozilla.com",
        "https://web.push.apple.com",
        "https://*.notify.windows.com",
    )

    @property
    def secure(self) -> bool:
        """Whether browsers reach us by https, so that cookies may say so."""
        return self.public_url.startswith("https://")

    @property
    def database_url(self) -> str:
        """The database as SQLAlchemy names it; without one, a file in the user's data folder."""
        if not self.database:
            return f"sqlite:///{default_file()}"
        for scheme in ("postgresql://", "postgres://"):
            if self.database.startswith(scheme):
                return "postgresql+psycopg://" + self.database.removeprefix(scheme)
        return self.database if "://" in self.database else f"sqlite:///{self.database}"


def default_file() -> Path:
    """Where tables are kept if nothing is said."""
    return platformdirs.user_data_path("quadriga", appauthor=False) / "quadriga.sqlite"


def load_settings(file: Path | None = None, environment: Mapping[str, str] | None = None, **given: object) -> Settings:
    """File, then environment, then what was given; raises InvalidFile or InvalidOption with a sentence."""
    environment = os.environ if environment is None else environment
    named = file or (Path(environment[f"{PREFIX}SETTINGS"]) if environment.get(f"{PREFIX}SETTINGS") else None)
    found: dict[str, Any] = _from_file(named) if named else {}
    found |= _from_environment(environment)
    found |= {name: value for name, value in given.items() if value is not None}
    return _convert(found, "settings")


def _from_file(file: Path) -> dict[str, Any]:
    try:
        found = tomllib.loads(read_text(file, MOST_TOML))
    except tomllib.TOMLDecodeError as error:
        raise InvalidFile(str(file), "", f"is not TOML: {error}") from None
    _convert(found, str(file))
    return found


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, text in environment.items():
        key = name.removeprefix(PREFIX).lower()
        if name.startswith(PREFIX) and key not in ELSEWHERE:
            found[key] = [part.strip() for part in text.split(",")] if key in LISTS else text
    return found


def _convert(found: dict[str, Any], source: str) -> Settings:
    try:
        settings = msgspec.convert(found, Settings, strict=False)
    except msgspec.ValidationError as error:
        place, cause = complaint(error)
        raise InvalidOption(f"{source}: {dotted(place)}: {cause}" if place else f"{source}: {cause}") from None
    if settings.log_level not in ("debug", "info", "warning", "error"):
        raise InvalidOption(f"{source}: log_level is debug, info, warning or error, not {settings.log_level!r}")
    return settings
