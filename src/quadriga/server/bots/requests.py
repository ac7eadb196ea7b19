"""The question that a bot is asked, for its own seat or for a hint: the view of a seat and its choices."""

from quadriga.server.bots.worker import Question
from quadriga.server.tables.table import LiveTable


def question_of(live: LiveTable, seat: int, level: str, seed: int, seconds: float) -> Question:
    """What a level is asked to choose for a seat, within so many seconds."""
    match = live.match
    assert match is not None
    codes = [int(code) for code in live.game.legal_codes(match.state, seat)]
    view = match.view(seat).tobytes()
    return Question(live.doc.game, live.edition, level, seed, seat, seconds, view, codes)
