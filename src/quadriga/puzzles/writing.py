"""A puzzle as a scenario file with an exercise in it; docs/scenarios.md describes the files."""

from collections.abc import Mapping
from typing import Any

from quadriga.core.codec import message_to_json
from quadriga.core.game import Game
from quadriga.puzzles.puzzle import Puzzle
from quadriga.puzzles.toml import assign, assign_all, toml
from quadriga.puzzles.words import explain, say_hint, say_question, say_title


def write_puzzle(game: Game, puzzle: Puzzle, number: int) -> str:
    """The text of a scenario file."""
    lines = [
        f"game = {toml(puzzle.game)}",
        f"about = {toml(say_title(game, number)['en'])}",
        f"seats = {puzzle.seats}",
        f"options = {toml(_changed(game, puzzle))}",
    ]
    if puzzle.seed:
        lines += [f"seed = {toml(puzzle.seed)}"]
    if puzzle.position:
        lines += ["", "[position]"]
        lines += assign_all(puzzle.position)
    lines += ["", "[exercise]", f"title = {toml(say_title(game, number))}", f"seat = {puzzle.seat}"]
    lines += ["", "[exercise.facts]", *assign_all(facts_of(puzzle))]
    if puzzle.steps:
        lines += ["", "[[then]]", *assign("do", [_step(step) for step in puzzle.steps])]
    return "\n".join([*lines, "", "[[then]]", *_question(game, puzzle), ""])


def facts_of(puzzle: Puzzle) -> dict[str, Any]:
    """What is known about a puzzle besides its position and its answer."""
    return {
        "rules_version": puzzle.rules_version,
        "kind": puzzle.kind,
        "stage": puzzle.stage,
        "difficulty": round(puzzle.difficulty, 3),
        "found": {level: round(share, 2) for level, share in puzzle.found.items()},
        "answers": list(puzzle.answers),
        "chances": list(puzzle.chances),
        "chance": puzzle.chance,
        "following": puzzle.following,
        "margin": puzzle.margin,
        "error": puzzle.error,
        "reasons": [{"measure": reason.measure, "amount": reason.amount} for reason in puzzle.reasons],
    }


def _question(game: Game, puzzle: Puzzle) -> list[str]:
    do = {str(seat): text for seat, text in sorted((puzzle.rivals | {puzzle.seat: puzzle.answers[0]}).items())}
    return [
        f"do = {toml(do)}",
        "",
        "[then.ask]",
        f"say = {toml(say_question(game))}",
        f"right = {toml(explain(game, puzzle))}",
        f"not_yet = {toml(say_hint(game))}",
        *assign("accept", [_accepted(game, puzzle, answer) for answer in puzzle.answers]),
    ]


def _accepted(game: Game, puzzle: Puzzle, answer: str) -> dict[str, Any] | str:
    """An answer; where lists leave parts of a choice out, a pattern without these parts."""
    if not puzzle.open_fields:
        return answer
    fields = message_to_json(game.parse(answer), game.names)
    return {name: _plain(value) for name, value in fields.items() if name not in puzzle.open_fields}


def _plain(value: Any) -> Any:
    return "none" if value is None else value


def _changed(game: Game, puzzle: Puzzle) -> dict[str, Any]:
    """The options that are not as usual."""
    usual = game.meta.settle(puzzle.seats, {})
    return {name: value for name, value in puzzle.options.items() if usual[name] != value}


def _step(step: Mapping[int, str]) -> Any:
    return next(iter(step.values())) if len(step) == 1 else {str(seat): text for seat, text in step.items()}
