"""The folder of a training run: whose it is, what a kill leaves, and the picture of its progress."""

from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
from typer.testing import CliRunner

from quadriga import games
from quadriga.bots.network import Networks, networks_of, read_weights
from quadriga.cli import app
from quadriga.core.errors import InvalidOption
from quadriga.training.folders import PLAN, claim
from quadriga.training.plots import draw_run, draw_valuing, read_lines
from quadriga.training.running import POSITIONS, Job, Plan, _record, source_of, train
from quadriga.training.strength import _interval, measure_strength

SHORT = Plan("chariots", 1, 2, 0.1, 1, rules_version=2)


def test_a_run_of_other_rules_is_refused_by_their_version(tmp_path: Path) -> None:
    claim(SHORT, tmp_path, resume=False)
    with pytest.raises(InvalidOption, match="rules version 2 of chariots, not to 3"):
        claim(msgspec.structs.replace(SHORT, rules_version=3), tmp_path, resume=True)


@pytest.mark.parametrize("name", ["checkpoint.npz", "weights.npz", "log.jsonl"])
@pytest.mark.parametrize("resume", [False, True])
def test_a_folder_with_files_of_a_run_and_without_its_plan_is_left_alone(
    tmp_path: Path, name: str, resume: bool
) -> None:
    """Such as one round of a run: its checkpoint and its weights are not another's to go on with, nor to replace."""
    (tmp_path / name).write_bytes(b"kept")
    with pytest.raises(InvalidOption, match=f"holds {name} and no training.json: name another folder"):
        claim(SHORT, tmp_path, resume)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_half_written_plan_is_one_clear_line(tmp_path: Path) -> None:
    claim(SHORT, tmp_path, resume=False)
    (tmp_path / PLAN).write_bytes((tmp_path / PLAN).read_bytes()[:20])
    with pytest.raises(InvalidOption, match="cannot be read: name another folder"):
        claim(SHORT, tmp_path, resume=True)


def test_an_unknown_device_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(InvalidOption, match="no device 'abacus'; there are auto, cpu, cuda"):
        train(SHORT, tmp_path / "run", False, 1, "abacus")
    assert not (tmp_path / "run").exists()


def test_self_play_goes_on_with_the_files_that_are_missing(tmp_path: Path) -> None:
    """A kill leaves whole files, and one that is not in its place yet."""
    told: list[str] = []
    _record(SHORT, POSITIONS, tmp_path, (), 1, told.append)
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == ["positions-000.npz", "positions-001.npz"]
    kept = (tmp_path / files[0]).read_bytes()
    (tmp_path / files[1]).rename(tmp_path / f"{files[1]}.part")
    _record(SHORT, POSITIONS, tmp_path, (), 1, told.append)
    assert sorted(path.name for path in tmp_path.iterdir()) == files
    assert (tmp_path / files[0]).read_bytes() == kept
    assert [line.partition(":")[0] for line in told].count(str(tmp_path / files[1])) == 2
    assert len(told) == 3


def test_files_have_their_sources(tmp_path: Path) -> None:
    weights = (tmp_path / "weights.npz",)
    files = [tmp_path / f"positions-{n:03}.npz" for n in range(8)]
    names = [source_of(Job(SHORT, POSITIONS, file, weights)).name for file in files]
    assert {name: names.count(name) for name in names} == {"veteran": 2, "search": 3, "greedy": 2, "quick": 1}
    assert "search" not in [source_of(Job(SHORT, POSITIONS, file, ())).name for file in files]


def test_weights_to_begin_with_that_are_not_there_are_one_clear_line(tmp_path: Path) -> None:
    command = ["train", "chariots", "--folder", str(tmp_path / "run"), "--start", str(tmp_path / "none.npz")]
    assert "there is no file" in str(CliRunner().invoke(app, command).exception)
    assert not (tmp_path / "run").exists()


def test_weights_that_are_not_there_are_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(InvalidOption, match="there is no file"):
        read_weights(games.load("chariots"), tmp_path / "weights.npz")
    (tmp_path / "half.npz").write_bytes(b"PK")
    done = CliRunner().invoke(app, ["calibrate", "chariots", "--weights", str(tmp_path / "half.npz")])
    assert isinstance(done.exception, InvalidOption)


def test_the_picture_shows_loss_and_strength() -> None:
    losses = [{"loss": 1.5, "held_out": 1.6}, {"loss": 1.2, "held_out": 1.4}]
    strengths = [{"round": 1, "share": 0.5, "low": 0.4, "high": 0.6}]
    drawn = ElementTree.fromstring(draw_run(losses, strengths))
    names = [element.tag.rpartition("}")[2] for element in drawn]
    assert (names.count("polyline"), names.count("circle"), names.count("line")) == (3, 5, 1)
    assert "nothing measured yet" in draw_run([], [])


def test_the_picture_of_a_value_network_shows_losses_and_how_true_chances_are() -> None:
    lines = [
        {"positions": 500_000, "own": 1.4, "wide": 1.3, "ece": 0.02},
        {"positions": 1_000_000, "own": 1.2, "wide": 1.1, "ece": 0.01},
    ]
    drawn = ElementTree.fromstring(draw_valuing(lines))
    names = [element.tag.rpartition("}")[2] for element in drawn]
    words = [element.text for element in drawn if element.text and element.text.strip()]
    assert (names.count("polyline"), names.count("circle")) == (3, 6)
    assert {"own", "wide", "loss by million positions", "calibration error, per cent", "1.4", "2"} <= set(words)
    assert "nothing measured yet" in draw_valuing([])


def test_half_a_line_of_a_log_is_passed_over(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    assert read_lines(log) == []
    log.write_text('{"loss": 1.5}\n{"loss": 1.', encoding="utf-8")
    assert read_lines(log) == [{"loss": 1.5}]


def test_strength_is_measured_in_races_that_can_be_repeated() -> None:
    game = games.load("chariots")
    found = [measure_strength(game, networks_of(game)[0], 2, seed=4) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0]["share"] in (0.0, 0.5, 1.0)
    assert [round(end, 3) for end in _interval(54, 100)] == [0.443, 0.634]


def test_networks_race_against_others_with_the_same_search() -> None:
    """Networks win against others that take defeat for victory."""
    game = games.load("chariots")
    own, (value, policy, critic) = (networks_of(game)[0] for _ in range(2))
    wrong = [network._replace(weights_3=-network.weights_3, biases_3=-network.biases_3) for network in (value, critic)]
    found = measure_strength(game, own, 4, seed=4, rival=Networks(wrong[0], policy, wrong[1]))
    assert found["share"] == 1.0
