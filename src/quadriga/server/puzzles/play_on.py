"""Playing on from a puzzle against bots: a new table with the race up to there, hidden things dealt anew."""

from quadriga.core.exercise import Attempt
from quadriga.core.match import Match, Sitter
from quadriga.server.database.guests import Guest
from quadriga.server.errors import Refused
from quadriga.server.tables.document import RACING, Seat, TableDocument, TableSettings
from quadriga.server.tables.lobby import Answer, seat_person
from quadriga.server.tables.table import bot_name


def branch(attempt: Attempt, guest: Guest, level: str) -> Match:
    """The race up to the puzzle, with the guest at the solver's seat; refused where it began from a position."""
    scenario = attempt.scenario
    if scenario.blank or scenario.position:
        raise Refused("not_racing")
    sitters = [Sitter(bot_name(level, seat), level) for seat in range(scenario.seats)]
    match = Match(attempt.game, sitters, scenario.options, scenario.seed, scenario.nonces)
    for played in attempt.played:
        match.step(played.choices)
    match.redeal(attempt.seat)
    match.change_seat(attempt.seat, Sitter(guest.name))
    return match


def new_document(match: Match, seat: int, guest: Guest, level: str, now: int) -> tuple[TableDocument, Answer]:
    """The table of such a race, and the token of the guest's seat."""
    game = match.game
    doc = TableDocument(
        game=game.meta.name,
        rules_version=game.meta.rules_version,
        fingerprint=game.edition.fingerprint,
        standard=game.edition.standard,
        host=guest.id,
        host_name=guest.name,
        seed=match.secret_seed().hex(),
        options=dict(match.options),
        settings=TableSettings(on_timeout=level, watchers=False),
        seats=[Seat(level, bot_name(level, number)) for number in range(len(match.sitters))],
        created=now,
        state=RACING,
        sitters=list(match.first_sitters),
        nonces=list(match.nonces),
        last_at=now,
    )
    token = seat_person(doc, seat, guest, None)
    doc.note_participant(guest.id, seat, doc.seats[seat].name)
    return doc, token
