"""Files that people edit: every refusal names the line."""

import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dash.game import DEFINITION
from quadriga import games
from quadriga.core.edition import Edition, Path_, TomlFile, read_text, standings_of
from quadriga.core.errors import InvalidFile, QuadrigaError
from quadriga.core.game import Definition, open_game
from tests.every_game import GAMES

TEXT = '''name = "x"
"odd key" = [
  "one", # [ not a bracket
  { two = 2 }, ]
[table.inner]
long = """
fake = 2
[[nope]]
"""
[[step]]
do = { 0 = "go" }
[step.view.0]
field = 3
[[step]]
"6.5" = [[1,
 2], [3]]
after = 1
[[step.part]]
last = 1
[[step.part]]
last = 2
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("name",), 1),
        (("odd key",), 2),
        (("odd key", 0), 3),
        (("odd key", 1, "two"), 4),
        (("table", "inner"), 5),
        (("table", "inner", "long"), 6),
        (("step", 0, "do", "0"), 11),
        (("step", 0, "view", "0", "field"), 13),
        (("step", 1), 14),
        (("step", 1, "6.5"), 15),
        (("step", 1, "after"), 17),
        (("step", 1, "part", 1, "last"), 21),
        (("step", 1, "nothing", "like", "this"), 14),
    ],
)
def test_the_line_of_a_key_is_named(path: Path_, line: int) -> None:
    with pytest.raises(InvalidFile) as error:
        TomlFile("file.toml", TEXT).refuse(path, "a cause")
    assert str(error.value) == f"file.toml: line {line}: a cause"


@pytest.mark.parametrize(
    ("path", "kind", "said"),
    [
        (("name",), int, "line 1: name must be a whole number, not 'x'"),
        (("name", "inner"), int, "line 1: name must be a table, not 'x'"),
        (("missing",), str, "missing is missing"),
        (("table", "inner", "short"), str, "line 5: table.inner.short is missing"),
        (("step", 7, "do"), dict, "step.7.do is missing"),
        (("step", "do"), dict, "step.do is missing"),
        (("step", 1, "after"), str, "line 17: step.1.after must be a text, not 1"),
    ],
)
def test_a_value_must_be_there_and_of_its_type(path: Path_, kind: type, said: str) -> None:
    with pytest.raises(InvalidFile) as error:
        TomlFile("file.toml", TEXT).get(path, kind)
    assert str(error.value) == f"file.toml: {said}"


def test_true_is_no_number() -> None:
    source = TomlFile("f", "yes = true")
    assert source.get(("yes",), bool) is True
    with pytest.raises(InvalidFile, match="must be a whole number"):
        source.get(("yes",), int)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = 1\nb = [1,\n", "f: last line: is not TOML: "),
        ("a = 1\na = 2\n", "f: line 2: is not TOML: "),
        ("a = 1\nb = @\n", "f: line 2: is not TOML: "),
        ("a = " + "[\n" * 3_000, "f: is not TOML: too many brackets"),
    ],
)
def test_what_is_not_toml_is_refused(text: str, said: str) -> None:
    with pytest.raises(InvalidFile) as error:
        TomlFile("f", text)
    assert str(error.value).startswith(said)
    assert "\n" not in str(error.value)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"\xff\xfe\x00")
    for name, cause in (("none", "No such file"), ("latin", "is not UTF-8"), ("", "Is a directory")):
        with pytest.raises(InvalidFile, match=f"cannot be read: {cause}"):
            read_text(tmp_path / name, 1000)


def test_the_fingerprint_is_of_what_is_said_not_of_how() -> None:
    text = GAMES["dash"].edition.source.text
    same = open_game(DEFINITION, TomlFile("f", text.replace(" = ", "=") + "# a remark\n")).edition
    other = open_game(DEFINITION, TomlFile("f", text.replace('"a"', '"A"'))).edition
    dated = open_game(DEFINITION, TomlFile("f", "made = 2026-01-01\n" + text)).edition
    assert same.fingerprint == GAMES["dash"].edition.fingerprint
    assert len({edition.fingerprint for edition in (same, other, dated)}) == 3
    assert (GAMES["dash"].edition.standard, same.standard) == (True, False)


def test_the_fingerprint_is_of_the_components_alone() -> None:
    """How certain a part is and why may be said better; a race played with it stays the same."""
    text = "a = 1\n[b]\nc = [2]\nstanding = 'known'\nwhy = 'so they say'\n[[d]]\nwhy = 'no'\n"
    said_otherwise = (text.replace("so they say", "reviews"), "a = 1\nb.c = [2]\nd = [{}]")
    prints = [fingerprint_of(text), *map(fingerprint_of, said_otherwise)]
    assert len(set(prints)) == 1
    assert fingerprint_of(text.replace("c = [2]", "c = [3]")) != prints[0]
    assert fingerprint_of(text.replace("a = 1", "a = 2")) != prints[0]


def fingerprint_of(text: str) -> str:
    return Edition(GAMES["dash"].tables, GAMES["dash"].names, TomlFile("f", text)).fingerprint


SOURCES = re.compile(r"(printed|English|Spanish) rules|reviews")


@pytest.mark.parametrize("name", games.NAMES)
def test_every_part_says_how_certain_it_is_and_names_its_source(name: str) -> None:
    """A part that is ours says so; one that is not entirely ours names where it comes from."""
    rows = standings_of(games.load(name).edition.source.data)
    assert len(rows) > 4
    for row in rows:
        marks = set(row["standing"].values()) if isinstance(row["standing"], dict) else {row["standing"]}
        assert marks <= {"known", "likely", "inferred", "reconstructed", "stand-in"}, row
        assert SOURCES.search(row["why"]) or re.match(r"ours\b", row["why"], re.IGNORECASE), row
        if marks & {"reconstructed", "stand-in"}:
            assert re.search(r"\b(ours|our)\b", row["why"], re.IGNORECASE), row


DEFINITIONS = {"dash": DEFINITION} | {name: games.definition(name) for name in games.NAMES}


@pytest.mark.parametrize("definition", DEFINITIONS.values(), ids=DEFINITIONS)
@given(data=st.data())
def test_a_damaged_edition_loads_or_is_refused(definition: Definition, data: st.DataObject) -> None:
    text = GAMES[definition.meta.name].edition.source.text
    start = data.draw(st.integers(0, len(text)))
    end = min(len(text), start + data.draw(st.integers(0, 12)))
    put = data.draw(
        st.sampled_from(["", "0", "-1", "99999", '"x"', "true", "[]", "{}", "[[]]", "1.5", "x", "\n", "]", " "])
    )
    with suppress(QuadrigaError):
        open_game(definition, TomlFile("f", text[:start] + put + text[end:]))


def test_a_file_of_many_letters_is_not_read_to_its_end(tmp_path: Path) -> None:
    (tmp_path / "long").write_text("é" * 11)
    assert read_text(tmp_path / "long", 11) == "é" * 11
    with pytest.raises(InvalidFile, match="it has more than 10 letters"):
        read_text(tmp_path / "long", 10)
