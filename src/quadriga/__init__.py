"""Quadriga: three chariot-racing board games.

race = quadriga.Race("chariots", players=4, seed=7)
race.run("greedy")
print(race.standings[0].name)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from quadriga.api.analysis import (
        Account,
        Advice,
        Analysis,
        Candidate,
        ChanceEvent,
        Decision,
        Grade,
        Position,
        Reason,
        advise,
        analyse,
    )
    from quadriga.api.bots import LEVELS, BotFunction, bot
    from quadriga.api.choices import Choice
    from quadriga.api.errors import (
        IllegalAction,
        InvalidAction,
        InvalidFile,
        InvalidOption,
        MissingExtra,
        NotYourTurn,
        QuadrigaError,
        ReplayFailed,
    )
    from quadriga.api.events import Event
    from quadriga.api.games import Game, all_games
    from quadriga.api.race import Race
    from quadriga.api.records import load_records
    from quadriga.api.scenarios import run_scenario
    from quadriga.api.simulations import Simulation, simulate
    from quadriga.api.standings import Standing
    from quadriga.api.tables import events_to_arrow, to_arrow
    from quadriga.api.tournaments import BotScore, Tournament, tournament
    from quadriga.api.views import View

__version__ = "0.2.0"

_MODULES = {
    "analysis": (
        "Account", "Advice", "Analysis", "Candidate", "ChanceEvent", "Decision", "Grade", "Position", "Reason",
        "advise", "analyse",
    ),
    "bots": ("LEVELS", "BotFunction", "bot"),
    "choices": ("Choice",),
    "errors": (
        "IllegalAction", "InvalidAction", "InvalidFile", "InvalidOption", "MissingExtra", "NotYourTurn",
        "QuadrigaError", "ReplayFailed",
    ),
    "events": ("Event",),
    "games": ("Game", "all_games"),
    "race": ("Race",),
    "records": ("load_records",),
    "scenarios": ("run_scenario",),
    "simulations": ("Simulation", "simulate"),
    "standings": ("Standing",),
    "tables": ("events_to_arrow", "to_arrow"),
    "tournaments": ("BotScore", "Tournament", "tournament"),
    "views": ("View",),
}  # fmt: skip
"""Where each public name is defined, below `quadriga.api`; a module is imported when a name of it is first used."""

_HOME = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [  # noqa: RUF022
    "Account", "Advice", "Analysis", "BotFunction", "BotScore", "Candidate", "ChanceEvent", "Choice", "Decision",
    "Event", "Game", "Grade", "IllegalAction", "InvalidAction", "InvalidFile", "InvalidOption", "LEVELS",
    "MissingExtra", "NotYourTurn", "Position", "QuadrigaError", "Race", "Reason", "ReplayFailed", "Simulation",
    "Standing", "Tournament", "View", "__version__", "advise", "all_games", "analyse", "bot", "events_to_arrow",
    "load_records", "run_scenario", "simulate", "to_arrow", "tournament",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"quadriga.api.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
