"""Champion's playouts: rivals answer alike whatever choice is looked into."""

from dataclasses import replace

import numpy as np
import pytest

from quadriga import games
from quadriga.bots.evaluator import Evaluator, evaluation_of
from quadriga.bots.network import networks_of, no_network
from quadriga.bots.search import Champion, Searcher
from quadriga.bots.steady import choose_steadily, noise_of, play_out_steadily
from quadriga.core.game import Game
from quadriga.core.streams import new_stream, stream_key


def choices_of_all(game: Game, besides: int, salt: int) -> list[int]:
    e = Evaluator(game, 0)
    state = game.setup(3, {}, new_stream(stream_key(b"steady"), 0)).state
    codes, counts = np.zeros(3, np.int64), np.zeros(3, np.int64)
    noise = e.evaluation.noise
    choose_steadily(state, e.tables, e.work, besides, noise, salt, counts, codes, e.out, e.scores, e.scratch)
    assert list(counts) == [int(seat != besides and seat in game.to_act(state)) for seat in range(3)]
    return [int(code) for code in codes]


def test_noise_is_spread_and_belongs_to_choice_and_salt() -> None:
    found = [noise_of(code, 7, 100) for code in range(10_000)]
    assert found == [noise_of(code, 7, 100) for code in range(10_000)]
    assert found != [noise_of(code, 8, 100) for code in range(10_000)]
    counts = np.bincount(found, minlength=100)
    assert len(counts) == 100
    assert 50 < counts.min() <= counts.max() < 150


@pytest.mark.parametrize("name", ["charioteer", "chariots"])
def test_seats_choose_alike_whoever_chooses_beside_them(name: str) -> None:
    game = games.load(name)
    for salt in range(5):
        together = choices_of_all(game, -1, salt)
        assert choices_of_all(game, 0, salt)[1:] == together[1:]
    assert len({tuple(choices_of_all(game, -1, salt)) for salt in range(5)}) > 1


def test_champion_alone_plays_out_steadily_where_its_game_says_so() -> None:
    for name, steady in (("chariots", True), ("charioteer", False)):
        game = games.load(name)
        champion, evaluation = Champion(game, 0), evaluation_of(game)
        champion.evaluator.evaluation = replace(evaluation, guided=True, mixed=False)
        champion.use(networks_of(game)[0])
        assert champion.ways[0].guide[0].steady == steady
        champion.use(networks_of(game)[0]._replace(critic=no_network()))
        assert (champion.ways[0].play_out is play_out_steadily) == steady
        assert Searcher(game, 0).ways[0].play_out is not play_out_steadily
