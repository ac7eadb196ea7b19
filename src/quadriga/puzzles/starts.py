"""How a puzzle begins: from a seed and the choices that led there, or from a written position.

Races of people leave nothing but the position as one seat saw it: seed, nonces, choices and whatever the seat could
not see are left out, and what was hidden is dealt anew.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

from quadriga import games
from quadriga.bots import make_bot
from quadriga.bots.evaluator import Choices as Listed
from quadriga.core import codec
from quadriga.core.edition import TomlFile
from quadriga.core.errors import QuadrigaError
from quadriga.core.game import Game
from quadriga.core.match import Choices, Match
from quadriga.core.meta import OptionValue
from quadriga.core.scenario import first_state, parse_scenario
from quadriga.core.streams import SEED_BYTES, new_stream, stream_key
from quadriga.puzzles.races import Decision
from quadriga.puzzles.toml import assign, assign_all


def way_there(decision: Decision, match: Match) -> dict[str, Any]:
    """The seed and the choices that led to a decision."""
    entries = (match.log[seq] for seq in match.line)
    steps = [dict(entry.choices) for entry in entries if isinstance(entry, Choices)]
    rivals = {seat: text for seat, text in decision.chosen.items() if seat != decision.seat}
    return {"seed": match.secret_seed().hex(), "steps": tuple(steps[: decision.at]), "rivals": rivals}


def deal_anew(game: Game, decision: Decision, match: Match) -> dict[str, Any] | None:
    """The position as the seat saw it, with all that it could not see dealt anew; None if no scenario can state it."""
    view = game.view(decision.state, decision.seat)
    stream = new_stream(stream_key(hashlib.sha256(view.tobytes()).digest()), 0)
    state = game.imagine(view, stream)
    position = write_position(game, state, match.options)
    again = _read_position(game, match, position)
    if again is None or game.view(again, decision.seat).tobytes() != view.tobytes():
        return None
    rivals = {seat: _choose(game, again, seat) for seat in game.to_act(again) if seat != decision.seat}
    return {"position": position, "rivals": rivals}


def write_position(game: Game, state: Any, options: Mapping[str, OptionValue]) -> dict[str, Any]:
    """The fields of a position that are not as after the set-up that a scenario without a seed has."""
    usual = game.setup(int(state.seats), options, new_stream(stream_key(bytes(SEED_BYTES)), 0)).state
    found, before = codec.record_to_json(state, game.names), codec.record_to_json(usual, game.names)
    stacks = game.definition.position.stacks
    return {
        name: _without_end(found[name]) if name in stacks else _changed(found[name], before[name])
        for name in found
        if found[name] != before[name]
    }


def _without_end(stack: list[Any]) -> list[Any]:
    return [item for item in stack if item is not None]


def _changed(value: Any, usual: Any) -> Any:
    """Of a table what is not as usual; of a list all up to the last that is not."""
    if isinstance(value, dict):
        return {key: _changed(value[key], usual[key]) for key in value if value[key] != usual[key]}
    if not isinstance(value, list):
        return value
    length = max((at + 1 for at, item in enumerate(value) if item != usual[at]), default=0)
    return [value[at] if isinstance(value[at], list) else _changed(value[at], usual[at]) for at in range(length)]


def _read_position(game: Game, match: Match, position: dict[str, Any]) -> Any:
    """The state that a scenario with this position begins with; None if it is refused."""
    lines = assign("game", game.meta.name) + assign("about", "-") + assign("seats", len(match.sitters))
    lines += [*assign("options", dict(match.options)), "[position]", *assign_all(position), "[[then]]", ""]
    try:
        return first_state(parse_scenario(TomlFile("position", "\n".join(lines)), games.load))
    except QuadrigaError:
        return None


def _choose(game: Game, state: Any, seat: int) -> str:
    """What a veteran would choose."""
    bot = make_bot("veteran", game, 0)
    return game.describe(bot.choose(game.view(state, seat), seat, Listed(game, game.legal_codes(state, seat))))
