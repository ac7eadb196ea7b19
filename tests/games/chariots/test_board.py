"""The board of Chariots as text."""

from typing import Any

import numpy as np
import pytest

from quadriga import games
from quadriga.core.codec import fill_record
from quadriga.core.streams import new_stream

GAME = games.load("chariots")

TRACK = """\
                  ·   ·   ·   ·   ·   ·
          ·   ·                           ·   ·
                  ·   ·   ·   ·   ·   ·
          ·   ·                           ·   ·
                  ·   ·   ·   ·   ·   ·
          ·   ·                           ·   ·
  ·   ·           ·   ·   ·   ·   ·   ·           ·   ·
          o   o                           o   o
  ·   o                                           o   ·

  ·   M                                           o   ·
          o   o                           o   o
  ·   ·           · | ·   ·   ·   ·   ·           ·   ·
          ·   ·                           ·   ·
                  · | ·   ·   ·   ·   ·
          ·   ·                           ·   C
                  S | ·   ·   ·   ·   ·
          ·   ·                           ·   ·
                  · | ·   ·   ·   ·   ·

"""
LINES = {
    "en": """\
S Suns (Player 1): 5,2, lap 1 of 3, speed –, coins null ace
M Moons (Player 2): 2,5, lap 3 of 3, speed 4, coins –
C Crowns (Player 3): 12,2.5, lap 2 of 3, speed 5, coins ace crashed
A Arms (Player 4): finished, lap 3 of 3, speed 2, coins null""",
    "es": """\
S Soles (Jugador 1): 5,2, vuelta 1 de 3, velocidad –, monedas nula as
M Lunas (Jugador 2): 2,5, vuelta 3 de 3, velocidad 4, monedas –
C Coronas (Jugador 3): 12,2.5, vuelta 2 de 3, velocidad 5, monedas as accidentado
A Armas (Jugador 4): en meta, vuelta 3 de 3, velocidad 2, monedas nula""",
}


def view(**fields: Any) -> Any:
    state = GAME.setup(4, {"race_on": True}, new_stream(np.zeros(8, np.uint32), 0)).state
    fill_record(state, fields, GAME.names)
    return GAME.view(state, None)


@pytest.mark.parametrize("language", LINES)
def test_the_board(language: str) -> None:
    seen = view(
        square={"suns": "5,2", "moons": "2,5", "crowns": "12,2.5", "arms": "none"},
        lines=[-1, 2, 1, 3],
        speed=[0, 4, 5, 2],
        null_coin=[1, 0, 0, 1],
        ace_coin=[1, 0, 1, 0],
        crashed=[0, 0, 1, 0],
    )
    assert GAME.draw(seen, language) == TRACK + LINES[language]


@pytest.mark.parametrize("field", ["crashed", "stunned"])
def test_a_crash_shows(field: str) -> None:
    assert "crashed" in GAME.draw(view(**{field: [0, 1, 0, 0]})).splitlines()[-3]


def test_the_winner_has_run_no_lap_too_many() -> None:
    seen = view(square={"suns": "6,4"}, lines=[3, 2, 2, 2])
    assert "6,4, lap 3 of 3" in GAME.draw(seen)
