"""A game of another package, found by its entry point, is played by everything; nothing outside its folder knows it."""

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from quadriga.client import Client
from tests.server.serving import Server

ROOT = Path(__file__).parents[1]

ENVIRONMENTS = """
from quadriga.envs import aec_env, parallel_env, vector_env
env = vector_env("dash", 32, 3, {"laps": 1})
ended = 0
for _ in range(200):
    ended += int(env.step(env.random_ids()).over.sum())
print("vector", ended)
from pettingzoo.test import api_test
api_test(aec_env("dash", 2), num_cycles=100)
print("parallel", len(parallel_env("dash", 2).possible_agents))
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process in which the package of the toy is installed, and the only game offered."""
    target = tmp_path_factory.mktemp("site")
    options = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check"]
    run(sys.executable, "-m", "pip", "install", *options, "--target", target, ROOT / "tests" / "toy")
    return {"PYTHONPATH": str(target), "QUADRIGA_GAMES": "dash"}


def run(*command: str | Path, **environment: str) -> str:
    """What the command prints."""
    done = subprocess.run(
        command, cwd="/", env=os.environ | environment, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def quadriga(environment: dict[str, str], *arguments: str | Path) -> str:
    return run(sys.executable, "-m", "quadriga", *arguments, **environment)


def test_the_game_is_listed_beside_the_others(environment: dict[str, str]) -> None:
    script = "from quadriga import games; print(*games.NAMES, games.meta('dash').title)"
    path = environment["PYTHONPATH"]
    assert run(sys.executable, "-c", script, PYTHONPATH=path) == "chariot_race charioteer chariots dash Dash\n"
    assert run(sys.executable, "-c", script, **environment) == "dash Dash\n"
    assert "Dash" not in run(sys.executable, "-m", "quadriga", "games")


@pytest.mark.parametrize("bots", ["champion,greedy", "veteran,novice,wanderer"])
def test_bots_race_in_the_arena(environment: dict[str, str], bots: str) -> None:
    told = json.loads(
        quadriga(
            environment, "arena", "dash", "--bots", bots, "--games", "6", "--iterations", "20", "--jobs", "1", "--json"
        )
    )
    assert (told["games"], told["faulted"], set(told["bots"])) == (6, 0, set(bots.split(",")))


def test_the_greedy_beat_the_wanderers(environment: dict[str, str]) -> None:
    bots = ["--bots", "greedy,wanderer", "--games", "200", "--jobs", "1"]
    told = json.loads(quadriga(environment, "arena", "dash", *bots, "--json"))
    assert told["bots"]["greedy"]["share"] > 0.55


def test_races_are_simulated_with_the_games_notes(environment: dict[str, str], tmp_path: Path) -> None:
    quadriga(environment, "simulate", "dash", "--games", "50", "--jobs", "1", "--folder", tmp_path)
    head, *rows = next(tmp_path.glob("*.csv")).read_text(encoding="utf-8").splitlines()
    assert {"spaces_0", "damage_1"} <= set(head.split(","))
    assert len(rows) == 50


def test_learners_have_environments(environment: dict[str, str]) -> None:
    said = run(sys.executable, "-c", ENVIRONMENTS, **environment)
    assert int(re.findall(r"vector (\d+)", said)[0]) > 50
    assert "parallel 2" in said


@pytest.fixture
def server(environment: dict[str, str], tmp_path: Path) -> Iterator[Server]:
    server = Server(f"sqlite:///{tmp_path / 'tables.sqlite'}", tmp_path, **environment)
    server.wait_until_ready()
    yield server
    server.stop()


async def race(url: str) -> dict[str, object]:
    """The last view of a race against a bot, played by the first choice listed."""
    async with Client(url, "Ana") as client:
        table = await client.create("dash", ["me", "veteran"], options={"laps": 1})
        await client.start(table)
        async for turn in client.turns(table):
            await client.choose(turn, turn["legal"][0])
        return dict(client.view(table))


def test_a_race_is_played_over_the_server(server: Server) -> None:
    view = asyncio.run(race(server.url))
    assert view["result"] is not None
    shown = view["view"]
    assert isinstance(shown, dict)
    assert set(shown["text_board"]) == {"en", "es"}
    assert len(shown["text_board"]["en"].split()) == 2


def test_nothing_outside_its_folder_knows_the_game() -> None:
    sources = [*(ROOT / "src").rglob("*.py"), *(ROOT / "web/src").rglob("*.ts"), *(ROOT / "web/src").rglob("*.svelte")]
    named = re.compile(r"""["'`/]dash["'`/]""")
    assert [str(file) for file in sources if named.search(file.read_text(encoding="utf-8"))] == []
