"""Self-play, and the folder of a training run."""

import sys
from pathlib import Path

import numpy as np
import pytest

from quadriga import games
from quadriga.bots.network import UNIT, network_of
from quadriga.core.errors import InvalidOption
from quadriga.core.streams import new_stream, stream_key
from quadriga.training.folders import claim
from quadriga.training.running import Plan, train
from quadriga.training.selfplay import LEAGUE, SOURCES, Recorder, Source, draw_members, kept_row, league_of


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_positions_are_observations_with_the_places_of_all_seats(source: Source) -> None:
    game = games.load("charioteer")
    networks = [network_of(game)[0]] if source.searching else []
    found = Recorder(game, "a", source, networks).play(4)
    again = Recorder(game, "a", source, networks).play(4)
    assert len(found.rows) > 5
    assert (found.rows == again.rows).all()
    assert np.abs(found.rows).max() <= UNIT
    for places in found.places:
        seats = int((places >= 0).sum())
        assert sorted(places[:seats]) == list(range(seats))
        assert (places[seats:] == -1).all()


def test_so_many_positions_are_kept_of_each_race_that_has_them() -> None:
    recorder = Recorder(games.load("chariots"), "a", SOURCES[1], wanted=6)
    recorder.play(32)
    rows, places, counts, later, due = recorder.play_kept(256)
    found = Recorder(games.load("chariots"), "a", SOURCES[1], wanted=6).play(288)
    assert (rows.shape[:2], places.shape) == ((256, 6), (256, 6, 4))
    assert (counts == 6).mean() > 0.9
    assert later.shape[1] == due.shape[1] == 0
    assert np.bincount(found.numbers, minlength=288)[32:].tolist() == counts.tolist()
    assert (found.rows[found.numbers == 40] == rows[8][: counts[8]]).all()


def test_all_positions_of_a_race_are_kept_as_often() -> None:
    """Whatever their number: 3 of 20, in 4,000 races."""
    kept = np.zeros((4000, 3), np.int64)
    for race, row in enumerate(kept):
        chooser = new_stream(stream_key(f"kept {race}".encode()), 0)
        for seen in range(20):
            place = kept_row(seen, len(row), chooser)
            if place >= 0:
                row[place] = seen
    assert (np.diff(np.sort(kept)) > 0).all()
    assert np.bincount(kept.ravel(), minlength=20) == pytest.approx(600, abs=110)


def test_seats_draw_their_networks_from_the_newest() -> None:
    """Four at most, the oldest of them as often as it takes."""
    game = games.load("chariots")
    networks = [network_of(game)[0] for _ in range(6)]
    assert league_of(networks) == tuple(networks[2:])
    assert league_of(networks[:2]) == (networks[0], networks[0], networks[0], networks[1])
    members = np.zeros((200, 4), np.int64)
    chooser = new_stream(stream_key(b"league"), 0)
    for row in members:
        draw_members(4, chooser, row)
    assert set(members.flat) == set(range(LEAGUE))


def test_training_without_pytorch_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(InvalidOption, match=r"quadriga\[training\]"):
        train(Plan("chariots", 1, 2, 0.1, 1), tmp_path, False, 1)
    assert not list(tmp_path.iterdir())


def test_a_folder_belongs_to_one_run(tmp_path: Path) -> None:
    plan = Plan("chariots", 1, 2, 0.1, 1)
    claim(plan, tmp_path, resume=False)
    with pytest.raises(InvalidOption, match="--resume"):
        claim(plan, tmp_path, resume=False)
    claim(plan, tmp_path, resume=True)
    with pytest.raises(InvalidOption, match="another training run"):
        claim(Plan("chariots", 2, 2, 0.1, 1), tmp_path, resume=True)
