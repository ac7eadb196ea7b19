"""Where others in the home network find a server, and who is told."""

import json
import socket
from typing import Any
from urllib.request import Request, urlopen

import pytest
from typer.testing import CliRunner

from quadriga.cli import app
from quadriga.server import network
from quadriga.server.process import run
from tests.server.serving import Server

HOME = "192.0.2.7"


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "home_address", lambda: HOME)


@pytest.mark.usefixtures("at_home")
@pytest.mark.parametrize(
    ("host", "own", "home"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000", None),
        ("::1", "http://[::1]:8000", None),
        ("0.0.0.0", "http://127.0.0.1:8000", f"http://{HOME}:8000"),
        ("::", "http://127.0.0.1:8000", f"http://{HOME}:8000"),
        (HOME, f"http://{HOME}:8000", f"http://{HOME}:8000"),
    ],
)
def test_the_home_network_reaches_what_listens_there(host: str, own: str, home: str | None) -> None:
    assert network.own_url(host, 8000) == own
    assert network.home_url(host, 8000) == home


def test_a_machine_without_a_network_has_no_home_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(self: socket.socket, address: object) -> None:
        raise OSError("Network is unreachable")

    monkeypatch.setattr(socket.socket, "connect", unreachable)
    assert network.home_address() is None
    assert network.home_url("0.0.0.0", 8000) is None


@pytest.mark.usefixtures("at_home")
@pytest.mark.parametrize(("host", "said"), [("0.0.0.0", f"http://{HOME}:80"), ("127.0.0.1", "quadriga serve --host")])
def test_serve_prints_the_address_for_the_home_network(monkeypatch: pytest.MonkeyPatch, host: str, said: str) -> None:
    def started(settings: Any, on_start: Any) -> None:
        on_start(network.own_url(settings.host, 80))

    monkeypatch.setattr(run, "serve", started)
    assert said in CliRunner().invoke(app, ["serve", "--host", host]).stdout


def test_only_a_browser_on_the_machine_itself_is_told(server: Server) -> None:
    def told(**headers: str) -> Any:
        with urlopen(Request(f"{server.url}/api/about", headers=headers)) as answer:
            return json.load(answer)["network"]

    home = network.home_address()
    assert told() == (home and {"address": home, "url": None})
    assert told(Forwarded="for=203.0.113.9") is None
