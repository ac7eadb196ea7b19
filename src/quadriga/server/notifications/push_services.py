"""Push services that this server may send to, and connections to them that cannot be led into a private network."""

import contextlib
import http.client
import ipaddress
import re
import socket
import ssl
import threading
import time
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

HOST = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\]")
PORTS = {"https": 443, "http": 80}
MOST_ANSWER = 65_536
NAT64 = ipaddress.ip_network("64:ff9b::/96")
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Endpoint(NamedTuple):
    """Where a browser is reached."""

    scheme: str
    host: str
    port: int
    path: str
    trusted: bool
    """Whether whoever runs the server named this very address, so that it may be a private one."""


def find_endpoint(services: Sequence[str], url: str) -> Endpoint | None:
    """The endpoint of a URL; None if it belongs to no service of the list or is written in an unusual way."""
    parts = _split(url)
    if parts is None:
        return None
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    for service in services:
        if _is_of(service, parts):
            trusted = _is_address(urlsplit(service).hostname or "")
            return Endpoint(parts.scheme, parts.hostname or "", _port(parts), path, trusted)
    return None


def _is_of(service: str, parts: SplitResult) -> bool:
    """Whether a URL has the scheme, the port and the host of a service, or a host below it."""
    allowed, host = _split(service.replace("://*.", "://", 1)), parts.hostname or ""
    if allowed is None or (allowed.scheme, _port(allowed)) != (parts.scheme, _port(parts)):
        return False
    return host.endswith(f".{allowed.hostname}") if "://*." in service else host == allowed.hostname


def _port(parts: SplitResult) -> int:
    return PORTS[parts.scheme] if parts.port is None else parts.port


def _split(url: str) -> SplitResult | None:
    """The parts of a URL with a scheme and a plain host, and nothing that readers of URLs disagree about."""
    if not url.isascii() or not url.isprintable() or set(url) & set(" \\@#"):
        return None
    try:
        parts = urlsplit(url)
        netloc, port = parts.netloc, parts.port
    except ValueError:
        return None
    host = netloc.removesuffix(f":{port}") if port is not None else netloc
    return parts if parts.scheme in PORTS and HOST.fullmatch(host) and ".." not in host else None


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_public(address: str) -> bool:
    """Whether an address lies in the public internet, also one that is wrapped in another."""
    found: Address = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo[1] if found.teredo else None)
        if found in NAT64:
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
    return found.is_global and not found.is_multicast


def connect(endpoint: Endpoint, seconds: float) -> socket.socket:
    """A connection to an address that was checked: every address of the name must be public."""
    found = socket.getaddrinfo(endpoint.host, endpoint.port, type=socket.SOCK_STREAM)
    addresses = [str(one[4][0]) for one in found]
    if not addresses or not (endpoint.trusted or all(map(is_public, addresses))):
        raise OSError("the push service has a private address")
    return socket.create_connection((addresses[0], endpoint.port), seconds)


def post(endpoint: Endpoint, body: bytes, headers: dict[str, str], seconds: float) -> int:
    """The status of a request that takes so many seconds in all; redirects are not followed."""
    connection = http.client.HTTPConnection(endpoint.host, endpoint.port, timeout=seconds)
    connection.default_port = PORTS[endpoint.scheme]
    began = time.monotonic()
    plain = connect(endpoint, seconds)
    line = _wrap(plain, endpoint)
    deadline = threading.Timer(max(0.0, began + seconds - time.monotonic()), _cut, (line,))
    deadline.daemon = True
    deadline.start()  # a timeout of the socket itself would begin anew with every byte
    try:
        if isinstance(line, ssl.SSLSocket):
            line.do_handshake()
        connection.sock = line
        connection.request("POST", endpoint.path, body, headers)
        answer = connection.getresponse()
        answer.read(MOST_ANSWER)
        return answer.status
    except http.client.HTTPException as error:
        raise OSError(type(error).__name__) from None
    finally:
        deadline.cancel()
        connection.close()
        line.close()


def _wrap(plain: socket.socket, endpoint: Endpoint) -> socket.socket:
    """The connection with TLS around it for https; the handshake is yet to come."""
    if endpoint.scheme != "https":
        return plain
    context = ssl.create_default_context()
    return context.wrap_socket(plain, server_hostname=endpoint.host, do_handshake_on_connect=False)


def _cut(connection: socket.socket) -> None:
    """End a connection; a thread that waits for it goes on with an error."""
    with contextlib.suppress(OSError):
        socket.socket.shutdown(connection, socket.SHUT_RDWR)
