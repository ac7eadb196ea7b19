"""Components: the tables the kernels read, made from an edition file that a person can edit."""

import re
from collections.abc import Iterable
from typing import Annotated, Any

from quadriga.core.codec import Names
from quadriga.core.edition import Edition, TomlFile
from quadriga.core.fields import I8, I16, NONE, Fields, I8s, I16s, I32s
from quadriga.games.charioteer.actions import PARTS, PLACES
from quadriga.games.charioteer.state import COLOURS, CROWD_ROW, DECK, HAND, SEATS, TOKENS

SYMBOLS = 12
LANES = SYMBOLS // 4
MARKERS = 32
SKILLS_CARDS = 32
SPACES = 128
FACES = ("sprint", "attack", "recover", "corner", "all", "disrupt")
EVERY_COLOUR = len(COLOURS)
ICONS = ("shield", "whip", "recovery", "learning")
MOST_ICONS = 2
"""Of one kind on a card: with more whips, a turn could tell more events than the log holds."""
STANDINGS = ("known", "likely", "reconstructed")


class Tables(Fields):
    """The components as the kernels read them. "none" is -1."""

    kinds: Annotated[I16, "kinds of card"]
    symbol_colour: Annotated[I8s, SYMBOLS, "colour of each symbol"]
    symbol_number: Annotated[I8s, SYMBOLS, "number of each symbol"]
    card_count: Annotated[I16s, DECK, "copies of each kind of card"]
    card_symbols: Annotated[I16s, DECK, "symbols on each kind of card, a bit for each"]
    card_lanes: Annotated[I32s, (DECK, LANES), "the same, a byte for each symbol, four symbols to a number"]
    card_matches: Annotated[I8s, (DECK, SYMBOLS), "how often each symbol stands on each kind of card"]
    card_shield: Annotated[I8s, DECK, "shields on each kind of card"]
    card_whip: Annotated[I8s, DECK, "whips on each kind of card"]
    card_recovery: Annotated[I8s, DECK, "recoveries on each kind of card"]
    card_learning: Annotated[I8s, DECK, "learning icons on each kind of card"]
    token_kinds: Annotated[I8, "kinds of token"]
    token_player: Annotated[I8s, TOKENS, "copies of each kind of token that a player starts with"]
    token_fan: Annotated[I8s, TOKENS, "copies of each kind of token in the bag"]
    token_colour: Annotated[I8s, TOKENS, "colour of each kind of token, or none"]
    token_bonus: Annotated[I8s, TOKENS, "spaces that each kind of token adds to a move"]
    token_wild: Annotated[I8s, TOKENS, "1 for wild tokens"]
    token_discard: Annotated[I8s, TOKENS, "cards that each kind of token discards"]
    token_shield: Annotated[I8s, TOKENS, "shields on each kind of token"]
    token_whip: Annotated[I8s, TOKENS, "whips on each kind of token"]
    token_recovery: Annotated[I8s, TOKENS, "recoveries on each kind of token"]
    token_learning: Annotated[I8s, TOKENS, "learning icons on each kind of token"]
    skills_cards: Annotated[I16, "skills cards"]
    skills_card: Annotated[I8s, (SKILLS_CARDS, len(COLOURS)), "colours of each skills card, best first"]
    box: Annotated[I8, "first place of the bonus box on the skills track"]
    marker_bonus: Annotated[I8s, MARKERS, "bonus of each space of the skills track"]
    face_colour: Annotated[I8s, len(FACES), "colour of each side of the die; 4 all of them, none: disrupt"]
    disrupt: Annotated[I8s, SEATS + 1, "cubes of a disrupt, by number of players"]
    lap: Annotated[I16, "spaces of a lap"]
    start: Annotated[I16, "the start space"]
    stride: Annotated[I8s, SPACES, "steps from each space to the next regular one"]


def load_edition(source: TomlFile) -> Edition:
    """The edition a file describes, or InvalidFile with the line and the cause."""
    _check_keys(source, (), {*_PARTS, "name", "title"})
    source.get(("name",), str)
    source.get(("title",), str)
    tables: Any = Tables.blank()
    symbols = _load_symbols(source, tables)
    names = {
        "symbol": [f"{COLOURS[tables.symbol_colour[s]]}-{tables.symbol_number[s]}" for s in range(SYMBOLS)],
        "colour": COLOURS,
        "card": _load_deck(source, tables, symbols),
        "token": _load_tokens(source, tables),
        "marker": _load_skills_track(source, tables),
        "face": _load_die(source, tables),
        "space": _load_track(source, tables),
        "part": PARTS,
        "place": PLACES,
    }
    _load_skills_cards(source, tables)
    _load_disrupt(source, tables)
    return Edition(tables, Names(names), source)


_PARTS = {
    "symbols": {"colour", "numbers"},
    "deck": {"count", "part"},
    "player_tokens": {"tokens"},
    "fan_tokens": {"count", "tokens"},
    "skills_cards": {"count", "cards"},
    "skills_track": {"start", "middle", "box"},
    "emperor_die": {"faces"},
    "disrupt": {"cubes"},
    "track": {"spaces", "start", "section"},
}


def _check_keys(source: TomlFile, path: tuple[str | int, ...], known: Iterable[str]) -> None:
    known = sorted(known)
    for key in source.get(path, dict) if path else source.data:
        if key not in known:
            source.refuse((*path, key), f"{key!r} is not known here; known are {', '.join(known)}")


def _check_part(source: TomlFile, path: tuple[str | int, ...], known: Iterable[str]) -> None:
    """A part says nothing but what is known, and has its standing and the reason for it."""
    source.get(path, dict)
    _check_keys(source, path, {*known, "standing", "why"})
    standing = source.get((*path, "standing"), str)
    if standing not in STANDINGS:
        source.refuse((*path, "standing"), f"the standing is one of {', '.join(STANDINGS)}, not {standing!r}")
    source.get((*path, "why"), str)


def _numbers(source: TomlFile, path: tuple[str | int, ...], most: int) -> list[int]:
    """A list of whole numbers from 0 to `most`."""
    for i in range(len(source.get(path, list))):
        _number(source, (*path, i), 0, most)
    return list(source.get(path, list))


def _number(source: TomlFile, path: tuple[str | int, ...], least: int, most: int) -> int:
    number: int = source.get(path, int)
    if not least <= number <= most:
        source.refuse(path, f"{number} is not between {least} and {most}")
    return number


def _entries(source: TomlFile, path: tuple[str | int, ...]) -> list[tuple[tuple[str | int, ...], str, int]]:
    """The entries of a list with their places: "whip x15" is ("whip", 15)."""
    entries = []
    for i in range(len(source.get(path, list))):
        text = source.get((*path, i), str)
        face, _, copies = text.partition(" x")
        if copies and not re.fullmatch(r"[1-9]\d?", copies):
            source.refuse((*path, i), f"{text!r}: {copies!r} is no number of copies from 1 to 99")
        entries.append(((*path, i), " ".join(face.split()), int(copies or 1)))
    return entries


def _check_count(source: TomlFile, path: tuple[str | int, ...], found: int, what: str) -> None:
    stated = source.get(path, int)
    if stated != found:
        source.refuse(path, f"{stated} {what} are announced, but {found} are listed")


def _load_symbols(source: TomlFile, tables: Any) -> dict[str, int]:
    """The symbols by the way cards spell them: R3 is red-3."""
    spelt: dict[str, int] = {}
    colours = []
    for i in range(len(source.get(("symbols",), list))):
        _check_part(source, ("symbols", i), _PARTS["symbols"])
        colour = source.get(("symbols", i, "colour"), str)
        if colour not in COLOURS or colour in colours:
            source.refuse(("symbols", i, "colour"), f"{colour!r}: each of {', '.join(COLOURS)} is given once")
        colours.append(colour)
        numbers = _numbers(source, ("symbols", i, "numbers"), 9)
        if len(set(numbers)) != 3 or len(numbers) != 3:
            source.refuse(("symbols", i, "numbers"), f"a colour has three different numbers, not {numbers}")
        for number in numbers:
            tables.symbol_colour[len(spelt)] = COLOURS.index(colour)
            tables.symbol_number[len(spelt)] = number
            spelt[f"{colour[0].upper()}{number}"] = len(spelt)
    if len(colours) != len(COLOURS):
        missing = next(colour for colour in COLOURS if colour not in colours)
        source.refuse(("symbols",), f"the symbols of {missing} are missing")
    return spelt


def _load_deck(source: TomlFile, tables: Any, symbols: dict[str, int]) -> list[str]:
    """The names of the kinds of card."""
    _check_part(source, ("deck",), _PARTS["deck"])
    kinds: list[str] = []
    for i in range(len(source.get(("deck", "part"), list))):
        _check_part(source, ("deck", "part", i), {"cards"})
        for path, face, copies in _entries(source, ("deck", "part", i, "cards")):
            words = _card_words(source, path, face, symbols)
            name = _card_name(words, symbols)
            if name not in kinds:
                if len(kinds) == DECK:
                    source.refuse(path, f"there is room for {DECK} kinds of card")
                _write_card(tables, len(kinds), words, symbols)
                kinds.append(name)
            tables.card_count[kinds.index(name)] += copies
    tables.kinds = len(kinds)
    _check_count(source, ("deck", "count"), int(tables.card_count.sum()), "cards")
    _number(source, ("deck", "count"), SEATS * HAND + CROWD_ROW + 1, DECK)
    return kinds


def _card_words(source: TomlFile, path: tuple[str | int, ...], face: str, symbols: dict[str, int]) -> list[str]:
    words = face.split()
    for word in words:
        if word not in symbols and word not in ICONS:
            spelt = ", ".join([*symbols, *ICONS])
            source.refuse(path, f"{face!r}: {word!r} is neither a symbol nor an icon; there are {spelt}")
    if not 1 <= len(words) <= 6:
        source.refuse(path, f"{face!r}: a card has one to six symbols and icons")
    if any(words.count(icon) > MOST_ICONS for icon in ICONS):
        source.refuse(path, f"{face!r}: a card has an icon at most {MOST_ICONS} times")
    return words


def _card_name(words: list[str], symbols: dict[str, int]) -> str:
    """Most frequent symbol first, icons behind: R3R3G2, R3R3-shield, whip."""
    spelt = sorted((w for w in words if w in symbols), key=lambda word: (-words.count(word), symbols[word]))
    return "-".join(part for part in ("".join(spelt), *sorted(w for w in words if w in ICONS)) if part)


def _write_card(tables: Any, kind: int, words: list[str], symbols: dict[str, int]) -> None:
    for word in words:
        if word in symbols:
            tables.card_matches[kind, symbols[word]] += 1
            tables.card_symbols[kind] |= 1 << symbols[word]
            tables.card_lanes[kind, symbols[word] // 4] |= 1 << 8 * (symbols[word] % 4)
        else:
            getattr(tables, f"card_{word}")[kind] += 1


_TOKEN = re.compile(rf"(\+[1-9]|wild|discard [1-{len(PARTS) - 1}]|{'|'.join(ICONS)})( [a-z]+)?")


def _load_tokens(source: TomlFile, tables: Any) -> list[str]:
    """The names of the kinds of token: the players' own, then the fans'."""
    _check_part(source, ("player_tokens",), _PARTS["player_tokens"])
    _check_part(source, ("fan_tokens",), _PARTS["fan_tokens"])
    kinds: list[str] = []
    for part, copies_of, prefix in (
        ("player_tokens", tables.token_player, ""),
        ("fan_tokens", tables.token_fan, "fan-"),
    ):
        own = set(kinds)
        for path, face, copies in _entries(source, (part, "tokens")):
            name = face.replace(" ", "-")
            name = prefix + name if name in own else name
            if name not in kinds:
                if len(kinds) == TOKENS:
                    source.refuse(path, f"there is room for {TOKENS} kinds of token")
                _write_token(source, path, face, tables, len(kinds))
                kinds.append(name)
            if int(copies_of[kinds.index(name)]) + copies > 99:
                source.refuse(path, f"{face!r}: a kind of token has at most 99 copies")
            copies_of[kinds.index(name)] += copies
    tables.token_kinds = len(kinds)
    _check_count(source, ("fan_tokens", "count"), int(tables.token_fan.sum()), "fan tokens")
    _number(source, ("fan_tokens", "count"), 0, 120)
    return kinds


def _write_token(source: TomlFile, path: tuple[str | int, ...], face: str, tables: Any, kind: int) -> None:
    match = _TOKEN.fullmatch(face)
    if not match:
        source.refuse(path, f"{face!r} is no token: +1 to +9, wild, discard 1 to 3, {', '.join(ICONS)}, and a colour")
    what, colour = match[1], (match[2] or "").strip()
    if colour and colour not in COLOURS:
        source.refuse(path, f"{face!r}: {colour!r} is none of {', '.join(COLOURS)}")
    if what == "wild" and not colour:
        source.refuse(path, f"{face!r}: a wild has a colour")
    if what.startswith("discard") and colour:
        source.refuse(path, f"{face!r}: a discard token has no colour")
    tables.token_colour[kind] = COLOURS.index(colour) if colour else NONE
    if what.startswith("+"):
        tables.token_bonus[kind] = int(what[1:])
    elif what.startswith("discard"):
        tables.token_discard[kind] = int(what.split()[1])
    else:
        getattr(tables, f"token_{what}")[kind] = 1


def _load_skills_cards(source: TomlFile, tables: Any) -> None:
    _check_part(source, ("skills_cards",), _PARTS["skills_cards"])
    count = 0
    for path, face, copies in _entries(source, ("skills_cards", "cards")):
        if sorted(face.split()) != sorted(COLOURS):
            source.refuse(path, f"{face!r} does not name each of {', '.join(COLOURS)} once")
        for _ in range(copies):
            if count == SKILLS_CARDS:
                source.refuse(path, f"there is room for {SKILLS_CARDS} skills cards")
            tables.skills_card[count] = [COLOURS.index(colour) for colour in face.split()]
            count += 1
    tables.skills_cards = count
    _check_count(source, ("skills_cards", "count"), count, "skills cards")
    _number(source, ("skills_cards", "count"), SEATS, SKILLS_CARDS)


def _load_skills_track(source: TomlFile, tables: Any) -> list[str]:
    """The names of the spaces of the skills track, from the bottom up."""
    _check_part(source, ("skills_track",), _PARTS["skills_track"])
    parts = {part: _numbers(source, ("skills_track", part), 30) for part in ("start", "middle", "box")}
    for part in ("start", "box"):
        if len(parts[part]) != len(COLOURS):
            source.refuse(("skills_track", part), f"there are {len(COLOURS)} markers, so {len(COLOURS)} places")
    bonuses = parts["start"] + parts["middle"] + parts["box"]
    if len(bonuses) > MARKERS:
        source.refuse(("skills_track", "middle"), f"the track has more than {MARKERS} places")
    tables.marker_bonus[: len(bonuses)] = bonuses
    tables.box = len(parts["start"]) + len(parts["middle"])
    return [f"{part}-{i}" for part, values in parts.items() for i in range(1, len(values) + 1)]


def _load_die(source: TomlFile, tables: Any) -> list[str]:
    """The names of the sides of the die."""
    _check_part(source, ("emperor_die",), _PARTS["emperor_die"])
    faces: list[str] = source.get(("emperor_die", "faces"), list)
    if len(faces) != len(FACES):
        source.refuse(("emperor_die", "faces"), f"the die has {len(FACES)} sides, not {len(faces)}")
    for side, face in enumerate(faces):
        if face not in FACES:
            source.refuse(("emperor_die", "faces", side), f"{face!r} is none of {', '.join(FACES)}")
        tables.face_colour[side] = FACES.index(face) if face != "disrupt" else NONE
    return faces


def _load_disrupt(source: TomlFile, tables: Any) -> None:
    _check_part(source, ("disrupt",), _PARTS["disrupt"])
    _check_keys(source, ("disrupt", "cubes"), [str(seats) for seats in range(2, SEATS + 1)])
    for seats in range(2, SEATS + 1):
        tables.disrupt[seats] = _number(source, ("disrupt", "cubes", str(seats)), 0, 3)


def _load_track(source: TomlFile, tables: Any) -> list[str]:
    """The names of the spaces."""
    _check_part(source, ("track",), _PARTS["track"])
    lap = _number(source, ("track", "spaces"), 10, SPACES)
    outer = [False] * lap
    expected = 0
    sections = source.get(("track", "section"), list)
    for i in range(len(sections)):
        expected = _load_section(source, i, expected, outer)
    if expected != lap:
        source.refuse(
            ("track", "section", len(sections) - 1),
            f"the track does not close: it ends at {expected - 1}, not {lap - 1}",
        )
    tables.lap = lap
    tables.start = _number(source, ("track", "start"), 0, lap - 1)
    if outer[tables.start]:
        source.refuse(("track", "start"), f"space {tables.start} is an outer space: nobody can start there")
    _write_strides(source, tables, outer)
    return [str(space) for space in range(lap)]


def _load_section(source: TomlFile, i: int, expected: int, outer: list[bool]) -> int:
    """Note the outer spaces of a section; the space after it."""
    path = ("track", "section", i)
    _check_keys(source, path, {"kind", "first", "last", "outer"})
    first = _number(source, (*path, "first"), 0, len(outer) - 1)
    last = _number(source, (*path, "last"), 0, len(outer) - 1)
    if first != expected:
        source.refuse((*path, "first"), f"the track does not close: space {expected} comes next, not {first}")
    if last < first:
        source.refuse((*path, "last"), f"the section ends at {last}, before it begins")
    kind = source.get((*path, "kind"), str)
    if kind not in ("straight", "corner"):
        source.refuse((*path, "kind"), f"a section is a straight or a corner, not {kind!r}")
    if kind == "corner":
        which = source.get((*path, "outer"), str)
        if which not in ("even", "odd"):
            source.refuse((*path, "outer"), f"the outer spaces are the even or the odd ones, not {which!r}")
        for space in range(first, last + 1):
            outer[space] = space % 2 == (which == "odd")
    return last + 1


def _write_strides(source: TomlFile, tables: Any, outer: list[bool]) -> None:
    for space in range(len(outer)):
        following = (space + 1) % len(outer)
        if outer[space] and outer[following]:
            source.refuse(("track",), f"the outer spaces {space} and {following} lie side by side")
        tables.stride[space] = 2 if outer[following] else 1
