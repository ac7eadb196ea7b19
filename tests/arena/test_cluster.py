"""A cluster of this machine plays the same races, a bounded number at a time."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from quadriga.arena import cluster as clusters
from quadriga.arena.cluster import EACH, Cluster
from quadriga.arena.folder import PAGE, PARQUET, ROWS
from quadriga.arena.tournament import play, play_with
from quadriga.cli import app
from quadriga.core.errors import InvalidOption
from tests.arena.test_arena import STRANGERS, lasting, plan

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning:ray", "ignore::DeprecationWarning:ray")
CORES = 2


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}
    import ray

    paths = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    ray.init(num_cpus=CORES, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": paths})
    yield ray
    ray.shutdown()


def figures(*options: str) -> dict[str, Any]:
    command = ["arena", "chariots", "--bots", "greedy,novice", "--games", "12", "-o", "laps=1", "--json", *options]
    told: dict[str, Any] = json.loads(CliRunner().invoke(app, command).stdout.splitlines()[-1])
    for bot in told["bots"].values():
        bot.pop("ms_per_choice")
    return told


def test_an_arena_is_the_same_on_a_cluster(ray: Any) -> None:
    assert figures("--cluster") == figures("--jobs", "1")


def test_a_simulation_is_the_same_on_a_cluster(ray: Any, tmp_path: Path) -> None:
    options = ["simulate", "chariots", "--games", "170", "-n", "2", "-o", "laps=1"]
    for name, more in (("here", ["--jobs", "1"]), ("there", ["--cluster"])):
        assert CliRunner().invoke(app, [*options, *more, "--folder", str(tmp_path / name)]).exit_code == 0
    for file in (ROWS, PARQUET, PAGE):
        assert (tmp_path / "here" / file).read_bytes() == (tmp_path / "there" / file).read_bytes()


class Doubles:
    """A task of no consequence."""

    def __call__(self, item: int, mark: object) -> int:
        return 2 * item

    def after_loss(self, item: int, mark: int) -> int:
        return item


def test_only_so_many_tasks_are_under_way(ray: Any) -> None:
    begun: list[int] = []

    def items() -> Iterator[int]:
        for item in range(40):
            begun.append(item)
            yield item

    with Cluster() as executor:
        found = []
        for result in executor.run(Doubles(), items()):
            found.append(result)
            assert len(begun) - len(found) < EACH * CORES
    assert sorted(found) == [2 * item for item in range(40)]


@pytest.mark.long
def test_a_bot_that_takes_its_worker_down_forfeits(ray: Any) -> None:
    tour = plan("greedy", f"{STRANGERS}:Dies", games=1, stall=0.5)
    with Cluster() as executor:
        (outcome,) = play_with(executor, tour, [0])
    assert [fault.seat for fault in outcome.faults] == [1]
    assert lasting(outcome) == lasting(next(play(tour, [0], 1)))


def test_without_ray_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "find_spec", lambda name: None)
    with pytest.raises(InvalidOption, match=r"install \"quadriga\[cluster\]\""):
        Cluster()


def test_an_address_where_nobody_answers_is_refused_at_once() -> None:
    with pytest.raises(InvalidOption, match="no Ray cluster answers at localhost:1:"):
        Cluster("localhost:1")
