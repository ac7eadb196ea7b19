"""The bench: our figures, the peers' beside them, and what is missing is said."""

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from quadriga.arena import peers
from quadriga.arena.peers import PLAY, Peer, PeerFailed, measure_peer
from quadriga.cli import app
from quadriga.cli.bench import bars


def test_the_whole_bench_prints_figures_for_programs() -> None:
    command = ["bench", "--game", "chariots", "--seconds", "0.1", "--no-peers", "--json"]
    told = json.loads(CliRunner().invoke(app, command).stdout.splitlines()[-1])
    assert told["play"]["chariots"]["decisions_per_s"] > 1000
    assert told["bot"]["chariots"]["iterations_per_s"] > 100
    assert set(told["env"]) == {"chariots"}
    assert told["peers"] == {"play": {}, "bot": {}, "env": {}}


def test_peers_are_measured_named_as_missing_or_told_to_have_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {
        "OpenSpiel backgammon": peers.PEERS["OpenSpiel backgammon"],
        "Lost": Peer("Lost", PLAY, "no_such_library", float),
        "Broken": Peer("Broken", PLAY, "json", float),
    }
    monkeypatch.setattr(peers, "PEERS", known)
    done = CliRunner().invoke(app, ["bench", "sim", "--game", "chariots", "--seconds", "0.1"])
    assert "OpenSpiel backgammon" in done.stdout
    assert "not installed (make peers): Lost" in done.stdout
    assert "failed: Broken: KeyError: 'Broken'" in done.stdout


def test_a_peer_that_fails_says_why() -> None:
    with pytest.raises(PeerFailed, match="KeyError: 'no such peer'"):
        measure_peer("no such peer", 0.1)


def test_bars_are_set_against_the_fastest_comparable_peer() -> None:
    speed = {"decisions_per_s": 400_000}
    figures: dict[str, Any] = {
        "play": {"charioteer": speed, "chariots": speed},
        "env": {"chariots": {"vector_steps_per_s": 600_000, "pettingzoo_steps_per_s": 19_999}},
        "peers": {"play": {"Pgx backgammon": 100_000, "RLCard uno": 300_000}},
    }
    assert [(bar["what"], bar["figure"], bar["met"]) for bar in bars(figures)] == [
        ("charioteer: times Pgx backgammon", 4.0, True),
        ("chariots: times Pgx backgammon", 4.0, False),
        ("chariots: vector steps/s", 600_000, True),
        ("chariots: pettingzoo steps/s", 19_999, False),
    ]
