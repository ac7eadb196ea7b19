"""The page's catalogues: the same codes in both languages, the same parameters, and no sentence in code."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

WEB = Path(__file__).parents[2] / "web"


def entries(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from entries(value, f"{above}{key}.")
        else:
            yield above + key, str(value)


def catalogue(language: str) -> dict[str, str]:
    return dict(entries(tomllib.loads((WEB / "text" / f"{language}.toml").read_text(encoding="utf-8"))))


def test_both_languages_have_the_same_codes() -> None:
    assert set(catalogue("en")) == set(catalogue("es"))


def test_both_languages_say_the_same_parameters() -> None:
    spanish = catalogue("es")
    for code, sentence in catalogue("en").items():
        wanted, found = (set(re.findall(r"\{(\w+)\}", text)) for text in (sentence, spanish[code]))
        assert wanted == found, code


def test_a_count_before_a_plural_has_a_form_for_one() -> None:
    """Shown by the Spanish words, whose plurals alone end with s; the other test gives English the same forms."""
    always_more = {"home.seats"}
    for code, sentence in catalogue("es").items():
        plural = re.search(r"\{(?![Cc]lick)\w+\} [^\W\d_]+s\b", sentence)
        assert not plural or code.endswith(".other") or code in always_more, f"{code}: {sentence}"


def test_every_code_the_page_names_is_in_the_catalogue() -> None:
    known = set(catalogue("en"))
    folders = {code.rsplit(".", 1)[0] for code in known}
    for file in (WEB / "src").rglob("*.svelte"):
        for code in re.findall(r"\bw\('([\w.]+)'", file.read_text(encoding="utf-8")):
            assert code in known or code in folders, f"{file.name}: {code}"


def test_no_sentence_is_written_in_a_component() -> None:
    allowed = {"nbsp", "SHA", "Quadriga", "English", "Español", "Seed"}
    for file in (WEB / "src").rglob("*.svelte"):
        if file.name == "Gallery.svelte":  # the page that shows the drawings to those who make them
            continue
        markup = re.sub(
            r"<(script|style).*?</\1>|\{[^{}]*(\{[^{}]*\}[^{}]*)*\}|<!--.*?-->",
            " ",
            file.read_text(encoding="utf-8"),
            flags=re.S,
        )
        for words in re.findall(r">([^<>{}]*)<", markup):
            letters = re.findall(r"[^\W\d_]{3,}", words)
            assert set(letters) <= allowed, f"{file.name}: {words.strip()}"
