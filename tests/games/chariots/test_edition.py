"""Edition files of Chariots: what is wrong is refused with its line."""

import re
from importlib import resources

import pytest

from quadriga import games
from quadriga.core.edition import TomlFile
from quadriga.core.errors import InvalidFile

TEXT = (resources.files("quadriga.games.chariots") / "edition.toml").read_text(encoding="utf-8")
INSIDE = TEXT[TEXT.index("squares = [\n") :]

REFUSED = [
    ('suits = ["suns",', 'suits = ["moons",', "suits are 4 different texts"),
    ('suits = ["suns", ', "suits = [", "suits are 4 different texts"),
    ('suits = ["suns",', "suits = [7,", "suits are 4 different texts"),
    ('suits = ["suns", "moons", "crowns", "arms"]', 'suits = "suns"', "chariots.suits must be a list"),
    ('faces = ["null", ', "faces = [", "faces are 6 different texts"),
    ("impulses = [2, 4]", "impulses = [2, 6]", "there is no impulse 6"),
    ("impulses = [2, 4]", "impulses = [0, 4]", "there is no impulse 0"),
    ("impulses = [2, 4]", "impulses = [true, 4]", "there is no impulse True"),
    ("impulses = [1, 3, 5]", "impulses = [1, 3]", "speed 3 must move in 3 impulses"),
    ("control = 6", "control = 7", "control is a roll from 0 to 6, not 7"),
    ("control = 0", "control = -1", "control is a roll from 0 to 6, not -1"),
    ("control = 2", 'control = "two"', "speeds.3.control must be a whole number"),
    ('2 = "4 5 6 7"', '2 = "4 5 6 x"', "2,x is no centre of a square"),
    ('2 = "4 5 6 7"', '2 = "4 5 6 7.25"', "2,7.25 is no centre of a square"),
    ('2 = "4 5 6 7"', '2 = "4 5 6 ²"', "2,² is no centre of a square"),
    ('2 = "4 5 6 7"', '2 = "4 5 6 7 7.5"', "2,7.5 lies on another square"),
    ('2 = "4 5 6 7"', '2 = "4 5 6 7 7"', "2,7 lies on another square"),
    ('14 = "4 5 6 7"', f'14 = "{" ".join(map(str, range(40)))}"', "132 squares; at most 128 fit"),
    ("last = 10", "last = 5", "a straight has at least two columns"),
    ('"2,5", "2,6"', '"2,5", "9,1"', "9,1 lies on a straight"),
    ('"2,5", "2,6"', '"2,5", "2,9"', "there is no square '2,9' on the track"),
    ('"2,5", "2,6"', '["2,5"], "2,6"', "there is no square ['2,5'] on the track"),
    ('["5,4", "5,3"', '["6,4", "5,3"', "6,4 is not just before the line"),
    ('["5,4", "5,3"', '["5,7", "5,3"', "5,7 is not just before the line"),
    ('["5,4", "5,3"', '["5,3", "5,3"', "4 different start squares are needed"),
    ('"5,2", "5,1"]', '"5,2"]', "4 different start squares are needed"),
    ('7 = "1 2 3 4 7', '7 = "7', "the track does not close"),
    ('14 = "4 5 6 7"', '14 = "4 5 6 7"\n16 = "4"', "the track does not close"),
    (INSIDE, 'squares = ["2,5", "2,6"]\n', "has no inside square"),
]


def line_of(text: str, part: str) -> str:
    return f"line {text[: text.index(part)].count(chr(10)) + 1}"


def edited(old: str, new: str) -> TomlFile:
    assert TEXT.count(old) >= 1
    return TomlFile("mine.toml", TEXT.replace(old, new, 1))


@pytest.mark.parametrize(("old", "new", "cause"), REFUSED, ids=[cause for *_, cause in REFUSED])
def test_refused(old: str, new: str, cause: str) -> None:
    with pytest.raises(InvalidFile, match=re.escape(cause)) as caught:
        games.load("chariots", edited(old, new))
    assert str(caught.value).startswith("mine.toml: line ")
    assert caught.value.place in (line_of(TEXT, old), line_of(TEXT, "[track.columns]"), line_of(TEXT, INSIDE))


def test_a_dead_end_of_a_turn_is_refused() -> None:
    text = TEXT.replace('10 = "1', '10 = "0 1').replace('11 = "1.5', '11 = "0 1.5')
    with pytest.raises(InvalidFile, match="from 11,0 no way leads through the turn"):
        games.load("chariots", TomlFile("mine.toml", text))


def test_a_part_left_out_is_named() -> None:
    with pytest.raises(InvalidFile, match=r"mine\.toml: line \d+: speeds\.4\.impulses is missing"):
        games.load("chariots", edited("impulses = [1, 2, 4, 5]\n", ""))


def test_every_line_can_be_damaged_without_a_traceback() -> None:
    """Each line left out in turn: the edition loads, or is refused in a sentence."""
    lines = TEXT.splitlines()
    for number in range(len(lines)):
        text = "\n".join(lines[:number] + lines[number + 1 :])
        try:
            games.load("chariots", TomlFile("mine.toml", text))
        except InvalidFile as error:
            assert error.file == "mine.toml"  # noqa: PT017


def test_every_part_says_how_sure_it_is() -> None:
    data = games.load("chariots").edition.source.data
    parts = [data["chariots"], data["die"], data["speeds"], data["track"]["starts"], data["track"]]
    assert {part["standing"] for part in parts} == {"known"}
    assert data["track"]["straights"]["standing"] == "inferred"
    assert data["track"]["inside"]["standing"] == "reconstructed"


def test_an_edited_edition_is_played() -> None:
    game = games.load("chariots", edited('"5,4", "5,3"', '"5,3", "5,4"'))
    assert not game.edition.standard
    assert [game.names.name("square", int(square)) for square in game.tables.start] == ["5,3", "5,4", "5,2", "5,1"]  # type: ignore[attr-defined]
