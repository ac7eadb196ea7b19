"""Runs before every request: origin check, rate limit, security headers, and a line in the log."""

import ipaddress
import logging
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from quadriga.server.errors import Refused
from quadriga.server.output.views import encode
from quadriga.server.services import Services

log = logging.getLogger("quadriga.requests")
SAFE = {"GET", "HEAD", "OPTIONS"}
UNLIMITED = {"/api/health", "/api/ready"}

POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self' {sockets}; worker-src 'self'; manifest-src 'self'; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
}


class Middleware:
    """The ASGI application in front of the one for requests and the one for sockets."""

    def __init__(self, http: ASGIApp, sockets: ASGIApp, services: Services) -> None:
        self.http, self.sockets, self.services = http, sockets, services
        self._has_warned = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind = str(scope["type"])
        if kind not in ("http", "websocket"):
            await self.http(scope, receive, send)
            return
        headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
        try:
            self._check(scope, headers)
        except Refused as error:
            await self._refuse(scope, send, error)
            return
        if kind == "websocket":
            await self.sockets(scope, receive, send)
        else:
            await self._serve(scope, receive, send, headers)

    def _check(self, scope: Scope, headers: dict[str, str]) -> None:
        is_socket = str(scope["type"]) == "websocket"
        self._warn_of_proxy(scope, headers)
        unsafe = is_socket or scope.get("method") not in SAFE
        if unsafe and "origin" in headers and not self._is_ours(headers["origin"], headers.get("host", "")):
            raise Refused("wrong_origin")
        client = scope.get("client")
        if not is_socket and client and _is_limited(str(scope["path"])):
            self.services.requests.require(client[0])

    def _warn_of_proxy(self, scope: Scope, headers: dict[str, str]) -> None:
        """Log once that requests come through a proxy that `proxies` does not name."""
        if self._has_warned or self.services.settings.proxies or not is_forwarded(headers):
            return
        self._has_warned = True
        log.warning("requests come through a proxy that the setting 'proxies' does not name: all share its limits")

    def _is_ours(self, origin: str, host: str) -> bool:
        settings = self.services.settings
        known = {*settings.origins, settings.public_url.rstrip("/")}
        return origin in known or urlsplit(origin).netloc == host

    async def _serve(self, scope: Scope, receive: Receive, send: Send, headers: dict[str, str]) -> None:
        began, status = time.perf_counter(), 500
        extra = self._headers(headers.get("host", ""), str(scope["path"]))

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *extra]
            await send(message)

        try:
            await self.http(scope, receive, send_with_headers)
        finally:
            method = str(scope.get("method", ""))
            self.services.metrics.requests.labels(method, str(status)).inc()
            spent = round((time.perf_counter() - began) * 1000, 1)
            log.debug("request", extra={"method": method, "route": route_of(scope), "status": status, "ms": spent})

    def _headers(self, host: str, path: str) -> list[tuple[bytes, bytes]]:
        sockets = f"ws://{host} wss://{host}" if host and host.isascii() and not set(host) & set(" ;,'\"") else ""
        found = HEADERS | {"content-security-policy": POLICY.format(sockets=sockets)}
        if _is_api(path):
            found["cache-control"] = "no-store"
        if self.services.settings.secure:
            found["strict-transport-security"] = "max-age=31536000"
        return [(name.encode(), value.encode()) for name, value in found.items()]

    async def _refuse(self, scope: Scope, send: Send, error: Refused) -> None:
        if str(scope["type"]) == "websocket":
            close: Any = {"type": "websocket.close", "code": 4003, "reason": error.code}
            await send(close)
            return
        headers = [(b"content-type", b"application/json"), *self._headers("", str(scope["path"]))]
        if error.code == "too_fast":
            headers.append((b"retry-after", str(error.params["seconds"]).encode()))
        start: Any = {"type": "http.response.start", "status": error.status, "headers": headers}
        body: Any = {"type": "http.response.body", "body": encode(error.body()), "more_body": False}
        await send(start)
        await send(body)


def is_forwarded(headers: Mapping[str, str]) -> bool:
    """Whether a proxy passed a request on."""
    return "x-forwarded-for" in headers or "forwarded" in headers


def is_loopback(address: str) -> bool:
    """Whether an address is this machine."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def _is_limited(path: str) -> bool:
    """Whether a path counts against the rate limit: the API does, with any slashes; the page's files do not."""
    return _is_api(path) and path not in UNLIMITED


def _is_api(path: str) -> bool:
    return path.lstrip("/").startswith("api/")


def route_of(scope: Scope) -> str:
    """The first two parts of the path: the rest may hold a table's secret address."""
    return "/".join(str(scope.get("path", "")).split("/")[:3])
