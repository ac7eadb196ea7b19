"""The board as text."""

from typing import Any

from quadriga.core.edition import Edition
from quadriga.core.text import Catalogue


def draw_board(view: Any, edition: Edition, words: Catalogue) -> str:
    return " ".join(str(edition.names.name("square", int(view.square[seat]))) for seat in range(view.seats))
