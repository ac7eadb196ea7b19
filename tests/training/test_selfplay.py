"""Self-play, and the folder of a training run."""

import sys
from pathlib import Path

import numpy as np
import pytest

from quadriga import games
from quadriga.bots.network import UNIT, network_of
from quadriga.core.errors import InvalidOption
from quadriga.training.running import Plan, _claim, train
from quadriga.training.selfplay import Recorder


@pytest.mark.parametrize("searching", [False, True])
def test_positions_are_observations_with_the_places_of_all_seats(searching: bool) -> None:
    game = games.load("charioteer")
    network = network_of(game)[0] if searching else None
    found = Recorder(game, "a", network).play(2)
    again = Recorder(game, "a", network).play(2)
    assert len(found.rows) > 5
    assert (found.rows == again.rows).all()
    assert np.abs(found.rows).max() <= UNIT
    for places in found.places:
        seats = int((places >= 0).sum())
        assert sorted(places[:seats]) == list(range(seats))
        assert (places[seats:] == -1).all()


def test_training_without_pytorch_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(InvalidOption, match=r"quadriga\[training\]"):
        train(Plan("chariots", 1, 2, 0.1, 1), tmp_path, False, 1)
    assert not list(tmp_path.iterdir())


def test_a_folder_belongs_to_one_run(tmp_path: Path) -> None:
    plan = Plan("chariots", 1, 2, 0.1, 1)
    _claim(plan, tmp_path, resume=False)
    with pytest.raises(InvalidOption, match="--resume"):
        _claim(plan, tmp_path, resume=False)
    _claim(plan, tmp_path, resume=True)
    with pytest.raises(InvalidOption, match="another training run"):
        _claim(Plan("chariots", 2, 2, 0.1, 1), tmp_path, resume=True)
