"""What is done in a process that analyses: it gets the record of a finished race, or a view and nothing else."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from quadriga import games
from quadriga.analysis.advice import Advice, advise_view, evaluate_view
from quadriga.analysis.analyse import analyse_match
from quadriga.analysis.reasons import say_reasons
from quadriga.analysis.results import Analysis, Reason
from quadriga.analysis.warmup import analysis_steps
from quadriga.core import codec
from quadriga.core.edition import TomlFile
from quadriga.core.errors import QuadrigaError
from quadriga.core.game import Game
from quadriga.core.match import Left
from quadriga.core.record import from_json, replay
from quadriga.core.text import LANGUAGES
from quadriga.server.errors import refused


class AnalyseRecord(Struct, array_like=True, tag=True):
    """Asks for the analysis of a finished race, as JSON."""

    record: str
    depth: str
    threads: int


class AdviseSeat(Struct, array_like=True, tag=True):
    """Asks for advice to a seat, from its view alone; with a choice, what that one costs."""

    game: str
    edition: str | None
    seat: int
    view: bytes
    left: list[tuple[int, str]]
    choice: str | None
    seed: int


class EvaluateView(Struct, array_like=True, tag=True):
    """Asks for the chances of all seats, as far as a view tells."""

    game: str
    edition: str | None
    view: bytes
    left: list[tuple[int, str]]
    seed: int


Question = AnalyseRecord | AdviseSeat | EvaluateView


class Progress(Struct, array_like=True, tag=True):
    """How far it is."""

    done: int
    total: int


class Answer(Struct, array_like=True, tag=True):
    """What was asked for as JSON, or the code and the parameters of a refusal."""

    body: bytes
    code: str = ""
    params: dict[str, Any] = {}


_question = msgspec.msgpack.Decoder(Question)
_encode = msgspec.msgpack.Encoder().encode
_json = msgspec.json.Encoder().encode
Tell = Callable[[bytes], None]


def answer_bytes(question: bytes, tell: Tell) -> bytes:
    """The answer, with msgpack on both sides; `tell` is given how far it is."""
    try:
        return _encode(Answer(_answer(_question.decode(question), tell)))
    except QuadrigaError as error:
        why = refused(error)
        return _encode(Answer(b"", why.code, why.params))


def _answer(question: Question, tell: Tell) -> bytes:
    match question:
        case AnalyseRecord():
            return _json(_analysis(question, tell))
        case AdviseSeat():
            return _json(_advice(question))
        case EvaluateView():
            game = _game(question.game, question.edition)
            view = _view(game, question.view)
            return _json({"chances": evaluate_view(game, view, question.seed, _left(question.left))})


def _analysis(question: AnalyseRecord, tell: Tell) -> dict[str, Any]:
    """The analysis with reasons in words. Names are left out: they belong to people, who may want them forgotten."""
    race = replay(from_json(question.record), games.load)

    def progress(done: int, total: int) -> None:
        tell(_encode(Progress(done, total)))

    found = analyse_match(race, question.depth, 0, question.threads, progress)
    nameless: Analysis = replace(
        found,
        players=("",) * len(found.players),
        accounts=tuple(replace(account, name="") for account in found.accounts),
    )
    said: dict[str, Any] = msgspec.to_builtins(nameless)
    for decision, written in zip(nameless.decisions, said["decisions"], strict=True):
        written["why"] = _why(race.game, decision.reasons)
        for candidate in written["candidates"]:
            candidate["action"] = _action(race.game, candidate["choice"])
    return said


def _advice(question: AdviseSeat) -> dict[str, Any]:
    game = _game(question.game, question.edition)
    view = _view(game, question.view)
    found = advise_view(
        game, view, question.seat, "quick", question.seed, question.choice, _left(question.left)
    )  # fmt: skip
    return _said(game, found)


def _said(game: Game, advice: Advice) -> dict[str, Any]:
    said: dict[str, Any] = msgspec.to_builtins(advice)
    for candidate in said["candidates"]:
        candidate["action"] = _action(game, candidate["choice"])
    return said | {"why": _why(game, advice.reasons)}


def _why(game: Game, reasons: tuple[Reason, ...]) -> dict[str, str]:
    return {language: say_reasons(game, reasons, language) for language in LANGUAGES}


def _action(game: Game, choice: str) -> dict[str, Any]:
    return codec.message_to_json(game.parse(choice), game.names)


def _left(left: list[tuple[int, str]]) -> tuple[Left, ...]:
    return tuple(Left(seat, reason) for seat, reason in left)


def _view(game: Game, body: bytes) -> Any:
    return np.frombuffer(body, game.definition.view.dtype)[0].copy()


def warm_up() -> None:
    """Analyse the first choice of every game, so that nothing is compiled while somebody waits."""
    for name in games.NAMES:
        for _, compile_ in analysis_steps(_game(name, None)):
            compile_()


@lru_cache(maxsize=16)
def _game(name: str, edition: str | None) -> Game:
    return games.load(name, None if edition is None else TomlFile("edition", edition))
