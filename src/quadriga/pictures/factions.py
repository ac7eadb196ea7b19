"""Which faction of the circus each chariot races for: its colours and emblem, in pictures and in the terminal."""

from importlib import import_module
from importlib.util import find_spec

from quadriga.core.game import Game
from quadriga.pictures.art import FACTIONS


def factions_of(game: Game) -> list[str]:
    """The faction of each chariot by its number; in the order of the factions for a game without drawings."""
    name = f"quadriga.pictures.{game.meta.name}"
    drawn = import_module(name) if find_spec(name) else None
    named = getattr(drawn, "FACTION", None)
    chariots = game.names.domains.get("chariot", ())
    return [named.get(chariot, FACTIONS[0]) for chariot in chariots] if named else list(FACTIONS)
