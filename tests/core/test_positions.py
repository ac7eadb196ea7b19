"""No position that a file writes makes a rule read or write where nothing is: it is refused in words, or safe."""
# ruff: noqa: E501 (tables of files and what is said of them)

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from quadriga import games
from quadriga.core import codec
from quadriga.core.edition import TomlFile
from quadriga.core.errors import InvalidFile
from quadriga.core.scenario import parse_scenario
from quadriga.core.streams import new_stream, stream_key
from tests.every_game import GAMES

ROOT = Path(__file__).parents[2]
every_game = pytest.mark.parametrize("name", games.NAMES)


def accepted_and_refused(name: str, count: int, seed: int, **environment: str) -> dict[str, int]:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.core.positions", name, str(count), str(seed)],
        cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-5000:]
    found: dict[str, int] = json.loads(done.stdout.splitlines()[-1])
    assert found["accepted"] + found["refused"] == count
    return found


@every_game
def test_hostile_positions_are_refused_or_safe_interpreted(name: str) -> None:
    found = accepted_and_refused(name, 60, 1, NUMBA_DISABLE_JIT="1")
    assert found["refused"] > 5
    assert found["accepted"] > 5


@pytest.mark.long
@every_game
def test_hostile_positions_are_refused_or_safe_compiled(name: str) -> None:
    for seed in range(2):
        accepted_and_refused(name, 2_000, seed, NUMBA_BOUNDSCHECK="1")


@every_game
def test_every_field_has_a_range_that_races_keep(name: str) -> None:
    game = GAMES[name]
    for field in game.definition.race.fields:
        assert field.domain or field.between.high < np.iinfo(field.number).max, f"{field.name} has no range"
        assert field.between.low <= 0 <= field.between.high
    for seats in game.meta.seats:
        assert game.check(game.setup(seats, {}, new_stream(stream_key(bytes(32)), 0)).state) is None


@every_game
def test_a_number_out_of_range_is_found_in_any_field(name: str) -> None:
    game = GAMES[name]
    state = game.setup(game.meta.seats[-1], {}, new_stream(stream_key(bytes(32)), 0)).state
    for field in game.definition.race.fields:
        for number in (np.iinfo(field.number).min, np.iinfo(field.number).max):
            broken = state.copy()
            if field.shape:
                broken[field.name].flat[-1] = number
            else:
                broken[field.name] = number
            found = codec.out_of_range(broken, game.names, int(state.seats))
            assert found == field.name
            assert game.check(broken) == f"{'seats' if field.name == 'seats' else field.name} is in its range"


HEAD = 'about = "x"\nseats = 2\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('game = "chariots"\n' + HEAD + "[position]\nspeed = [6]\n[[then]]\n", "line 5: speed: 6 is out of range: 0 to 5"),
        ('game = "chariots"\n' + HEAD + "[position]\nphase = 4\n[[then]]\n", "line 5: phase: 4 is out of range: 0 to 3"),
        ('game = "chariot_race"\n' + HEAD + "[position]\nowner = [2]\n[[then]]\n", "line 5: owner: there is no seat 2; there are 0 to 1"),
        ('game = "chariot_race"\n' + HEAD + "[position]\ncaltrop = [2]\n[[then]]\n", "line 5: caltrop: 2 is out of range"),
        ('game = "charioteer"\n' + HEAD + "[position]\npile_count = 161\n[[then]]\n", "line 5: pile_count: 161 is out of range"),
        # A token at a seat that nobody has.
        ('game = "charioteer"\n' + HEAD + "[position]\ntokens = { 3 = { 0 = 1 } }\n[[then]]\n", "line 5: tokens: there is no seat 3; there are 0 to 1"),
        # Every discard the same card: there is no room for the rest of the deck.
        ('game = "charioteer"\n' + HEAD + "blank = true\n[position]\ndiscard = [\n" + '"whip",\n' * 160 + "]\n[[then]]\n",
         "line 5: the position cannot be; what must hold and does not: "),
        ('game = "chariots"\n' + HEAD + 'options = { special_actions = true, two_chariots = false }\n[position]\nstage = "swap"\n'
         "swapping = 3\nnull_coin = [0, 0]\nplot = [[2, 2, 2], [2, 2, 2]]\n[[then]]\n", "a plot is three different coins"),
    ],
)  # fmt: skip
def test_positions_that_cannot_be_are_refused_with_their_line(text: str, said: str) -> None:
    with pytest.raises(InvalidFile) as error:
        parse_scenario(TomlFile("file", text), games.load)
    assert said in str(error.value)
