"""Answers to puzzles, and the ratings of puzzles and of those who solve them."""

from collections.abc import Sequence
from datetime import date, timedelta

from msgspec import Struct
from sqlalchemy import Connection, Table, insert, select, update

from quadriga.puzzles.rating import Rating, rate_answer
from quadriga.server.database import schema
from quadriga.server.database.guests import find_guest

solver, puzzle, answer = schema.puzzle_solvers.c, schema.puzzle_ratings.c, schema.puzzle_answers.c
solved_day = schema.puzzle_days.c

MOST_DAYS = 4_000
"""Days that a streak is counted over."""


class Given(Struct, frozen=True):
    """An answer to keep."""

    guest: str
    game: str
    puzzle: str
    """The key of the puzzle: the same for the same position, whatever its number."""
    first: Rating
    """The rating that the puzzle begins with."""
    is_right: bool
    day: str | None
    """The day whose puzzle it is, if it is today's."""
    now: int


class Rated(Struct, frozen=True):
    """What an answer changed: ratings before and after; the same if it was not the first."""

    before: Rating
    after: Rating
    puzzle: Rating


class Status(Struct, frozen=True):
    """What is kept of a guest's answers to a puzzle."""

    is_answered: bool = False
    is_solved: bool = False
    is_shown: bool = False


def rating_of(connection: Connection, guest: str, game: str) -> Rating:
    """The rating of a guest in a game."""
    row = connection.execute(select(solver.mu, solver.sigma).where(solver.guest == guest, solver.game == game)).first()
    return Rating(row.mu, row.sigma) if row else Rating()


def puzzle_rating(connection: Connection, key: str, first: Rating) -> Rating:
    """The rating of a puzzle; the one it begins with if nobody has answered it."""
    row = connection.execute(select(puzzle.mu, puzzle.sigma).where(puzzle.puzzle == key)).first()
    return Rating(row.mu, row.sigma) if row else first


def puzzle_ratings(connection: Connection, game: str) -> dict[str, Rating]:
    """The ratings of the puzzles of a game that somebody has answered, by key."""
    rows = connection.execute(select(puzzle.puzzle, puzzle.mu, puzzle.sigma).where(puzzle.game == game))
    return {row.puzzle: Rating(row.mu, row.sigma) for row in rows}


def answered(connection: Connection, guest: str, game: str) -> set[str]:
    """The keys of the puzzles of a game that a guest has answered or been shown."""
    return set(connection.execute(select(answer.puzzle).where(answer.guest == guest, answer.game == game)).scalars())


def status_of(connection: Connection, guest: str, key: str) -> Status:
    """What is kept of a guest's answers to a puzzle."""
    row = connection.execute(select(schema.puzzle_answers).where(answer.guest == guest, answer.puzzle == key)).first()
    return Status(True, row.is_solved, row.is_shown) if row else Status()


def keep_answer(connection: Connection, given: Given) -> Rated:
    """Keep an answer: the first one is rated, a later right one solves. Of a guest that is gone nothing is kept."""
    before = rating_of(connection, given.guest, given.game)
    known = puzzle_rating(connection, given.puzzle, given.first)
    if find_guest(connection, given.guest) is None:
        return Rated(before, before, known)
    status = status_of(connection, given.guest, given.puzzle)
    if given.is_right and not status.is_shown:
        _note_day(connection, given)
    if status.is_answered:
        if given.is_right and not status.is_shown:
            _mark(connection, given, is_solved=True)
        return Rated(before, before, known)
    after, rated = rate_answer(before, known, given.is_right)
    _write_rating(connection, given, after, rated)
    _add(connection, given, is_right=given.is_right, is_solved=given.is_right, is_shown=False)
    return Rated(before, after, rated)


def keep_shown(connection: Connection, given: Given) -> Rated:
    """Keep that a guest has looked at the answer: it counts as a wrong one where there was none before."""
    rated = keep_answer(connection, given)
    if find_guest(connection, given.guest) is not None:
        _mark(connection, given, is_shown=True)
    return rated


def streak_of(connection: Connection, guest: str, today: date) -> int:
    """Days in a row, up to today or yesterday, on which a guest solved the puzzle of the day."""
    mine = select(solved_day.day).where(solved_day.guest == guest)
    rows = connection.execute(mine.order_by(solved_day.day.desc()).limit(MOST_DAYS))
    return count_streak([date.fromisoformat(day) for day in rows.scalars()], today)


def count_streak(days: Sequence[date], today: date) -> int:
    """Days in a row, from today or yesterday backwards."""
    solved = set(days)
    day = today if today in solved else today - timedelta(days=1)
    streak = 0
    while day in solved:
        streak, day = streak + 1, day - timedelta(days=1)
    return streak


def _add(connection: Connection, given: Given, **marks: bool) -> None:
    row = {"guest": given.guest, "puzzle": given.puzzle, "game": given.game, "at": given.now}
    connection.execute(insert(schema.puzzle_answers).values(row | marks))


def _mark(connection: Connection, given: Given, **marks: bool) -> None:
    mine = (answer.guest == given.guest, answer.puzzle == given.puzzle)
    connection.execute(update(schema.puzzle_answers).where(*mine).values(marks))


def _note_day(connection: Connection, given: Given) -> None:
    """Note that the puzzle of a day is solved, once a day."""
    mine = (solved_day.guest == given.guest, solved_day.day == given.day)
    if given.day is not None and connection.execute(select(solved_day.day).where(*mine)).first() is None:
        connection.execute(insert(schema.puzzle_days).values(guest=given.guest, day=given.day))


def _write_rating(connection: Connection, given: Given, solved_by: Rating, rated: Rating) -> None:
    own = {"guest": given.guest, "game": given.game}
    _put(connection, schema.puzzle_solvers, own, solved_by)
    _put(connection, schema.puzzle_ratings, {"puzzle": given.puzzle, "game": given.game}, rated)


def _put(connection: Connection, table: Table, key: dict[str, str], rating: Rating) -> None:
    """Write a rating in place of the one before."""
    values = {"mu": rating.mu, "sigma": rating.sigma}
    where = [table.c[name] == value for name, value in key.items()]
    if not connection.execute(update(table).where(*where).values(values)).rowcount:
        connection.execute(insert(table).values(key | values))
