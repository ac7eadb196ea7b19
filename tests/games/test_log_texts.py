"""Sentences of the log say what was there, and nothing of what was not."""

import pytest

from quadriga import games
from quadriga.games.charioteer.events import Moved
from quadriga.games.chariots.events import Announced, Stepped


@pytest.mark.parametrize(("null", "said"), [(-1, "."), (0, " diagonally; the null coin is spent.")])
def test_a_part_is_said_only_where_there_is_something_to_say(null: int, said: str) -> None:
    game = games.load("chariots")
    stepped = Stepped(chariot=0, start=0, to=1, null=null)
    assert game.words("en").message("events", stepped, game.names).endswith(f"to 6,2{said}")


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (Announced(0, 0, -1, -1), "Suns announce. Null coin: an extra step."),
        (Announced(0, -1, 0, 1), "Suns announce. Ace coin: whips the driver of Moons."),
        (Announced(0, 1, 1, 2), "Suns announce. Null coin: to move first. Ace coin: whips the horses of Crowns."),
    ],
)
def test_only_what_was_announced_is_said(event: Announced, said: str) -> None:
    game = games.load("chariots")
    assert game.words("en").message("events", event, game.names) == said


def test_the_crowd_card_is_not_among_the_cards_of_the_hand() -> None:
    game = games.load("charioteer")
    cards = {name: number for number, name in enumerate(game.names.domains["card"])}
    first, second, crowd = cards["G4G4Y0"], cards["Y0Y0B2"], cards["whip"]
    moved = Moved(0, 0, first, second, -1, crowd, -1, -1)
    said = game.words("en").message("events", moved, game.names, ["Ana"])
    names = [game.words("en").name("card", game.names.domains["card"][card]) for card in (first, second)]
    assert said.endswith(f"with {', '.join(names)} and the crowd card whip.")
    alone = Moved(0, 0, first, second, -1, -1, -1, -1)
    assert game.words("en").message("events", alone, game.names, ["Ana"]).endswith(f"with {', '.join(names)}.")
