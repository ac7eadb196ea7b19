"""Everything the server refuses: a code with parameters, an HTTP status, and a sentence in each catalogue."""

from functools import cache
from typing import Any

from quadriga.core.errors import (
    IllegalAction,
    InvalidAction,
    InvalidFile,
    InvalidOption,
    NotYourTurn,
    QuadrigaError,
    ReplayFailed,
)
from quadriga.core.text import Catalogue, catalogue

STATUS = {
    "malformed": 400,
    "hello_first": 400,
    "no_guest": 401,
    "wrong_origin": 403,
    "not_host": 403,
    "not_yours": 403,
    "not_seated": 403,
    "kicked": 403,
    "blocked": 403,
    "no_watchers": 403,
    "chat_off": 403,
    "no_hints": 403,
    "muted": 403,
    "not_found": 404,
    "no_method": 405,
    "no_game": 404,
    "no_language": 404,
    "no_table": 404,
    "no_seat": 404,
    "no_step": 404,
    "no_proposal": 404,
    "no_message": 404,
    "no_code": 404,
    "late": 409,
    "duplicate": 409,
    "not_your_turn": 409,
    "nothing_waits": 409,
    "seat_taken": 409,
    "no_open_seat": 409,
    "not_open": 409,
    "not_racing": 409,
    "not_over": 409,
    "not_answered": 409,
    "race_over": 409,
    "paused": 409,
    "not_paused": 409,
    "seats_open": 409,
    "not_away": 409,
    "host_stays": 409,
    "revealed": 409,
    "no_take_back": 409,
    "guest_full": 409,
    "present": 409,
    "others_played": 409,
    "not_asked": 409,
    "stopped": 409,
    "too_large": 413,
    "refused": 422,
    "invalid_action": 422,
    "invalid_option": 422,
    "invalid_file": 422,
    "no_replay": 422,
    "too_costly": 422,
    "too_fast": 429,
    "too_many": 429,
    "one_upload": 429,
    "many_analyses": 429,
    "busy": 429,
    "broken": 500,
    "unavailable": 503,
    "no_hint": 503,
    "not_ready": 503,
    "server_full": 507,
}
MOST_CAUSE = 500
"""Letters of a cause; it may show what somebody sent."""


class Refused(Exception):
    """Something that is not done, and why."""

    def __init__(self, code: str, refusal: dict[str, Any] | None = None, **params: Any) -> None:
        self.code, self.params, self.refusal = code, params, refusal
        self.status = STATUS[code]
        super().__init__(self.sentence)

    @property
    def sentence(self) -> str:
        """In English; pages say it in their own language."""
        return _english().say(f"errors.{self.code}", **self.params)

    def body(self) -> dict[str, Any]:
        """What is sent."""
        error = {"code": self.code, "params": self.params, "sentence": self.sentence}
        return {"error": error} | ({"refusal": self.refusal} if self.refusal else {})


@cache
def _english() -> Catalogue:
    return catalogue("en", "quadriga.server")


KINDS: tuple[tuple[type[QuadrigaError], str], ...] = (
    (NotYourTurn, "not_your_turn"),
    (IllegalAction, "refused"),
    (InvalidAction, "invalid_action"),
    (InvalidOption, "invalid_option"),
    (InvalidFile, "invalid_file"),
    (ReplayFailed, "no_replay"),
)


def refused(error: QuadrigaError) -> Refused:
    """An error of core, as the server says it."""
    code = next((code for kind, code in KINDS if isinstance(error, kind)), "invalid_option")
    return Refused(code) if code == "not_your_turn" else Refused(code, cause=str(error)[:MOST_CAUSE])
