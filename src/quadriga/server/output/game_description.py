"""Everything a page needs to know of a game with its components."""

from typing import Any

import msgspec

from quadriga.bots import LEVELS
from quadriga.core import codec
from quadriga.core.edition import standings_of
from quadriga.core.fields import Field
from quadriga.core.game import Game
from quadriga.core.geometry import geometry_of
from quadriga.core.messages import Action, Message
from quadriga.core.text import LANGUAGES

Json = dict[str, Any]


def describe_game(game: Game) -> Json:
    """The game as JSON."""
    definition = game.definition
    return {
        "meta": msgspec.to_builtins(game.meta),
        "actions": [_action(kind) for kind in definition.actions],
        "events": [_message(kind) for kind in definition.events],
        "refusals": [_message(kind) for kind in definition.refusals],
        "view": [_field(field) for field in definition.view.fields],
        "names": game.names.domains,
        "components": codec.record_to_json(game.tables, game.names),
        "edition": describe_edition(game) | {"facts": game.edition.source.data, "source": _source(game)},
        "geometry": geometry_of(game),
        "standings": standings_of(game.edition.source.data),
        "reconstructed": _reconstructed(game),
        "reasons": definition.reasons[1:],
        "bots": list(LEVELS),
    }


def describe_edition(game: Game) -> Json:
    """Which components are played with."""
    return {
        "name": str(game.edition.source.data.get("name", "")),
        "standard": game.edition.standard,
        "fingerprint": game.edition.fingerprint,
    }


def _source(game: Game) -> str | None:
    """The edition file of a game that is not played with the standard one."""
    return None if game.edition.standard else game.edition.source.text


def _reconstructed(game: Game) -> Json | None:
    """Which boards and decks are not those of the box, by language; None for one's own, or if the game does not say."""
    if not game.edition.standard or not game.words("en").has("reconstructed"):
        return None
    return {language: game.words(language).say("reconstructed") for language in LANGUAGES}


def _action(kind: type[Action]) -> Json:
    """An action with where each field lies in its code."""
    found = _message(kind)
    for field, slot in zip(found["fields"], kind.slots, strict=True):
        field |= {"shift": slot.shift, "width": slot.width, "plus": slot.plus}
    return found | {"code": kind.code}


def _message(kind: type[Message]) -> Json:
    fields = [{"name": s.name, "domain": s.domain, "flag": s.flag, "most": s.most} for s in kind.slots]
    return {"kind": kind.name, "fields": fields}


def _field(field: Field) -> Json:
    return {
        "name": field.name,
        "domain": field.domain,
        "index": field.index,
        "axis": field.axis,
        "shape": field.shape,
        "meaning": field.meaning,
    }
