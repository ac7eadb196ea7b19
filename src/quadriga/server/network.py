"""Where a server is reached: from this machine alone, or from the home network, too."""

import ipaddress
import socket as sockets

NOWHERE = ("192.0.2.1", 9)
"""An address that is kept for documentation: connecting a datagram socket to it sends nothing."""
ANYWHERE = ("0.0.0.0", "::", "")
"""What a server listens on to be reached by every address of the machine."""


def home_address() -> str | None:
    """This machine's own address in its network; None where it is in none."""
    with sockets.socket(sockets.AF_INET, sockets.SOCK_DGRAM) as probe:
        try:
            probe.connect(NOWHERE)
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if ipaddress.ip_address(address).is_loopback else address


def own_url(host: str, port: int) -> str:
    """The address for a browser on this machine."""
    host = "127.0.0.1" if host in ANYWHERE else host
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def home_url(host: str, port: int) -> str | None:
    """The address for the home network; None if the server listens to this machine alone, or to nothing else."""
    address = home_address()
    if address is None or host not in (*ANYWHERE, address):
        return None
    return f"http://{address}:{port}"
