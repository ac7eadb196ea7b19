"""What a puzzle says, in every language: the question, and why the answer is right."""

from quadriga.analysis.reasons import say_reasons
from quadriga.core.game import Game
from quadriga.core.text import LANGUAGES
from quadriga.puzzles.puzzle import Puzzle

Text = dict[str, str]


def say_title(game: Game, number: int) -> Text:
    """The title of a puzzle."""
    return _say(game, "title", number=number)


def say_question(game: Game) -> Text:
    """What is asked."""
    return _say(game, "ask")


def say_hint(game: Game) -> Text:
    """What is said to a wrong answer."""
    return _say(game, "wrong")


def explain(game: Game, puzzle: Puzzle) -> Text:
    """Why the answer is right, in sentences: the chances, and the two largest differences that playouts saw."""
    best, following = percent(puzzle.chance), percent(puzzle.chance - puzzle.margin)
    return {
        language: game.words(language).say(
            "puzzles.right", best=best, following=following, why=say_reasons(game, puzzle.reasons, language)
        )
        for language in LANGUAGES
    }


def percent(chance: float) -> int:
    """A chance as people read it."""
    return round(100 * chance)


def _say(game: Game, code: str, **parameters: object) -> Text:
    return {language: game.words(language).say(f"puzzles.{code}", **parameters) for language in LANGUAGES}
