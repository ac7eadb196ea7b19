"""Scenarios: a position, what is done and what must follow; docs/scenarios.md describes the files."""

from pathlib import Path

from quadriga import games
from quadriga.core.edition import TomlFile
from quadriga.core.match import Match, Moment, Setup, Sitter
from quadriga.core.scenario import Scenario, first_state, parse_scenario, read_scenario, run


def run_scenario(scenario: str | Path) -> list[str]:
    """Play a scenario, a file or TOML text; what does not follow as it says, a sentence each. Empty: all holds."""
    return [str(difference) for difference in run(_read(scenario))]


def match_of_scenario(scenario: str | Path) -> Match:
    """A match that begins where a scenario does."""
    read = _read(scenario)
    sitters = [Sitter(f"Player {seat + 1}") for seat in range(read.seats)]
    moments = {0: Moment(first_state(read), ())}
    return Match(read.game, sitters, read.options, read.seed, read.nonces, [Setup()], moments)


def _read(scenario: str | Path) -> Scenario:
    if isinstance(scenario, str) and "\n" in scenario:
        return parse_scenario(TomlFile("scenario", scenario), games.load)
    return read_scenario(scenario, games.load)
