"""Edition files of Charioteer: what the standard one holds, what is refused, and a race with an edited one."""

import re
from importlib import resources
from itertools import permutations
from typing import Any

import pytest

from quadriga import games
from quadriga.core.edition import TomlFile
from quadriga.core.errors import InvalidFile
from quadriga.core.match import Match, Sitter
from quadriga.core.record import from_json, record_of, replay, to_json
from quadriga.core.streams import new_stream
from quadriga.games.charioteer.state import COLOURS
from tests.games.charioteer.table import KEY, game, tables

TEXT = (resources.files("quadriga.games.charioteer") / "edition.toml").read_text(encoding="utf-8")
COLOUR_NAMES = ", ".join(COLOURS)

REFUSED = [
    ('name = "standard"', "name = 7", "name must be a text"),
    ('name = "standard"', 'nam = "standard"', "'nam' is not known here"),
    ('colour = "red"', 'colour = "pink"', f"'pink': each of {COLOUR_NAMES} is given once"),
    ('colour = "red"', 'colour = "green"', f"'green': each of {COLOUR_NAMES} is given once"),
    ("numbers = [1, 3, 5]", "numbers = [1, 3]", "a colour has three different numbers"),
    ("numbers = [1, 3, 5]", "numbers = [1, 3, 3]", "a colour has three different numbers"),
    ("numbers = [1, 3, 5]", "numbers = [1, 3, 50]", "50 is not between 0 and 9"),
    ("numbers = [1, 3, 5]", 'numbers = [1, 3, "5"]', "must be a whole number"),
    ('standing = "known"', 'standing = "certain"', "the standing is one of known, likely, reconstructed"),
    ("count = 147", "count = 146", "146 cards are announced, but 147 are listed"),
    ('  "G2 G2 R3",\n', "", "147 cards are announced, but 146 are listed"),
    ('"G2 G2 R3"', '"G2 G2 R4"', "'R4' is neither a symbol nor an icon"),
    ('"G2 G2 R3"', '"G2 G2 R3 R3 R3 R3 R3"', "a card has one to six symbols and icons"),
    ('"G2 G2 R3"', '"G2 G2 whip whip whip"', "a card has an icon at most 2 times"),
    ('"G2 G2 R3"', '""', "a card has one to six symbols and icons"),
    ('"G2 G2 R3"', "23", "must be a text"),
    ('"whip x15"', '"whip x0"', "'0' is no number of copies"),
    ('"whip x15"', '"whip x99"', "147 cards are announced, but 231 are listed"),
    ('"+5 red"', '"+5 pink"', "'pink' is none of"),
    ('"+5 red"', '"+55 red"', "is no token"),
    ('"discard 3"', '"discard 4"', "is no token"),
    ('"discard 3"', '"discard 3 red"', "a discard token has no colour"),
    ('"wild red x3"', '"wild x3"', "a wild has a colour"),
    ("count = 60", "count = 59", "59 fan tokens are announced, but 60 are listed"),
    ('"shield x6"', '"shield x99"', "60 fan tokens are announced, but 153 are listed"),
    ("count = 24", "count = 25", "25 skills cards are announced, but 24 are listed"),
    ('"green red black yellow"', '"green red black green"', "does not name each of"),
    ("start = [0, 0, 0, 0]", "start = [0, 0, 0]", "there are 4 markers, so 4 places"),
    ("box = [3, 5, 7, 9]", "box = [3, 5, 7]", "there are 4 markers, so 4 places"),
    ("middle = [1, 1, 1, 1, 1, 1]", f"middle = {[1] * 30}", "the track has more than 32 places"),
    ('"all", "disrupt"]', '"all"]', "the die has 6 sides, not 5"),
    ('"all", "disrupt"]', '"all", "sulk"]', "'sulk' is none of"),
    ("cubes = { 2 = 3,", "cubes = { 2 = 4,", "4 is not between 0 and 3"),
    ("cubes = { 2 = 3,", "cubes = { 7 = 3,", "'7' is not known here"),
    ("5 = 0, 6 = 0 }", "5 = 0 }", "disrupt.cubes.6 is missing"),
    ("spaces = 72", "spaces = 73", "the track does not close: it ends at 71, not 72"),
    ("spaces = 72", "spaces = 500", "500 is not between 10 and 128"),
    ("start = 68", "start = 72", "72 is not between 0 and 71"),
    ("start = 68", "start = 46", "space 46 is an outer space"),
    ("first = 24", "first = 25", "the track does not close: space 24 comes next, not 25"),
    ("first = 24", "first = 23", "the track does not close: space 24 comes next, not 23"),
    ("last = 43", "last = 20", "the section ends at 20, before it begins"),
    ('kind = "straight"', 'kind = "bridge"', "a section is a straight or a corner, not 'bridge'"),
    ('outer = "even"', 'outer = "some"', "the outer spaces are the even or the odd ones"),
    ('outer = "even"', "", "is missing"),
    ("[track]", "[tracks]", "'tracks' is not known here"),
    ('why = "Spanish rules: the list', 'because = "Spanish rules: the list', "'because' is not known here"),
]


def edited(*changes: tuple[str, str]) -> TomlFile:
    text = TEXT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return TomlFile("mine.toml", text)


ELSEWHERE = {
    "147 cards are announced, but 146 are listed": "count = 147",
    "147 cards are announced, but 231 are listed": "count = 147",
    "60 fan tokens are announced, but 153 are listed": "count = 60",
    "disrupt.cubes.6 is missing": "cubes = {",
    "the track does not close: it ends at 71, not 72": "[[track.section]]",
    "is missing": "[[track.section]]",
}
"""Where a mistake shows that is not the line it was made in."""


@pytest.mark.parametrize(("old", "new", "cause"), REFUSED, ids=[cause for *_, cause in REFUSED])
def test_refused(old: str, new: str, cause: str) -> None:
    source = edited((old, new))
    with pytest.raises(InvalidFile, match=re.escape(cause)) as caught:
        games.load("charioteer", source)
    line = int(caught.value.place.removeprefix("line "))
    assert ELSEWHERE.get(cause, new) in source.text.splitlines()[line - 1]


def test_the_standard_deck() -> None:
    t = tables()
    assert int(t.card_count.sum()) == 147
    names = game().names.domains["card"]
    assert len(names) == 133
    assert int(t.card_count[names.index("whip")]) == 15
    assert int(t.card_matches.sum()) == 3 * 108 + 2 * 24
    for symbol in range(12):
        assert int((t.card_matches[:, symbol] == 2).sum()) == 9 + 2
        assert int((t.card_matches[:, symbol] == 1).sum()) == 9
    assert int(t.token_fan.sum()) == 60
    assert int(t.token_player.sum()) == 5
    orders = {tuple(int(colour) for colour in card) for card in t.skills_card[:24]}
    assert orders == set(permutations(range(4)))


def test_the_standard_track() -> None:
    t = tables()
    skipped = {int((space + 1) % 72) for space in range(72) if t.stride[space] == 2}
    assert skipped == {*range(8, 24, 2), *range(44, 60, 2)}
    assert (int(t.lap), int(t.start)) == (72, 68)


def test_every_part_has_its_standing() -> None:
    data = game().edition.source.data
    parts: list[Any] = [*data["symbols"], data["deck"], *data["deck"]["part"]]
    parts += [data[name] for name in data if name not in ("name", "title", "symbols", "deck")]
    assert len(parts) == 4 + 1 + 4 + 7
    assert all(part["standing"] in ("known", "likely", "reconstructed") and part["why"] for part in parts)


def test_equal_faces_are_one_kind_whatever_the_order() -> None:
    mine = games.load("charioteer", edited(('"G2 G2 R3"', '"G2 R1 G2"')))
    kind = mine.names.number("card", "G2G2R1")
    assert int(mine.tables.card_count[kind]) == 2  # type: ignore[attr-defined]
    assert "G2G2R3" not in mine.names.domains["card"]


def test_a_fan_token_like_a_player_token_is_another_kind() -> None:
    mine = games.load("charioteer", edited(('"discard 2 x6"', '"discard 3 x6"')))
    assert {"discard-3", "fan-discard-3"} <= set(mine.names.domains["token"])


def test_a_shorter_track_and_other_cards_are_played() -> None:
    mine = games.load(
        "charioteer",
        edited(
            ("spaces = 72", "spaces = 60"), ("start = 68", "start = 58"), ("last = 71", "last = 59"),
            ("first = 44\nlast = 59", "first = 44\nlast = 51"), ("first = 60", "first = 52"),
            ("count = 147", "count = 150"), ('"whip x15"', '"whip x16", "learning", "B2 B2 B2 B2"'),
        ),
    )  # fmt: skip
    state = mine.setup(6, {"laps": 1}, new_stream(KEY, 0)).state
    assert list(state.progress) == [-2] * 6
    for step in range(1, 40):
        owing = mine.to_act(state)
        if not owing:
            break
        choices = {seat: mine.legal_actions(state, seat)[0] for seat in owing}
        state = mine.apply(state, choices, new_stream(KEY, step)).state
        assert mine.check(state) is None
    result = mine.result(state)
    assert result is not None
    assert result.reason == "finish"
    assert max(state.progress) >= 60


def test_a_record_of_a_changed_edition_carries_it() -> None:
    source = edited(('"whip x15"', '"whip x14"'), ("count = 147", "count = 146"))
    mine = games.load("charioteer", source)
    match = Match(mine, [Sitter("A"), Sitter("B")], {"laps": 1}, bytes(32))
    while not match.over:
        match.step({seat: mine.legal_actions(match.state, seat)[0] for seat in match.to_act()})
    again = replay(from_json(to_json(record_of(match))), games.load)
    assert again.result() == match.result()
    assert int(again.game.tables.card_count.sum()) == 146  # type: ignore[attr-defined]
