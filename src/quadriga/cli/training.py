"""Training a network by self-play, and how true its chances are."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from quadriga import games
from quadriga.cli.arguments import AsJson, GameName
from quadriga.core.errors import InvalidOption


def train(
    game: GameName,
    folder: Annotated[Path, typer.Option(help="Where positions, checkpoints, figures and weights are kept.")],
    resume: Annotated[bool, typer.Option(help="Go on with the run in the folder.")] = False,
    rounds: Annotated[int, typer.Option(min=1, max=100, help="Networks, one after the other.")] = 2,
    files: Annotated[int, typer.Option(min=2, max=1000, help="Files of positions for each round.")] = 32,
    seconds: Annotated[float, typer.Option(min=0.1, max=3600.0, help="Self-play for each file.")] = 20.0,
    epochs: Annotated[int, typer.Option(min=1, max=1000, help="Epochs for each network.")] = 16,
    seed: Annotated[int, typer.Option(min=0, help="Another seed plays other races.")] = 0,
    races: Annotated[int, typer.Option(min=0, max=100_000, help="Races against searcher after each round.")] = 100,
    jobs: Annotated[int, typer.Option(min=0, max=256, help="Processes of self-play; 0: one for each core.")] = 0,
    device: Annotated[str, typer.Option(help="Where to learn: auto (a GPU where there is one), cpu or cuda.")] = "auto",
    start: Annotated[
        Path | None, typer.Option(help="Weights that the first round plays by search with, as well as by scores.")
    ] = None,
    against: Annotated[
        Path | None, typer.Option(help="Weights that stay as they are, to learn to beat: an exploiter.")
    ] = None,
) -> None:
    """Train a game's network: self-play, learning, then self-play by search with what was learnt."""
    from quadriga.training.running import Plan
    from quadriga.training.running import train as run

    if start and against:
        raise InvalidOption("--against starts from the weights it names: leave --start out")
    version, named = games.meta(game).rules_version, [str(file.resolve()) if file else "" for file in (start, against)]
    print(run(Plan(game, rounds, files, seconds, epochs, seed, races, version, *named), folder, resume, jobs, device))


def calibrate(
    game: GameName,
    positions: Annotated[
        int, typer.Option(min=100, max=1_000_000, help="Held-out positions for each number of seats.")
    ] = 20_000,
    compare: Annotated[
        int, typer.Option(min=0, max=100_000, help="Positions beside playouts to the end of the race; 0: none.")
    ] = 1000,
    weights: Annotated[Path | None, typer.Option(help="Another network than the game's own.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Another seed plays other races.")] = 0,
    jobs: Annotated[int, typer.Option(min=0, max=256, help="Processes; 0: one for each core.")] = 0,
    as_json: AsJson = False,
) -> None:
    """How true a network's chances to win are: by number of seats, and beside 400 playouts to the end of the race."""
    from quadriga.training.calibration import calibrate as measure
    from quadriga.training.calibration import compare_playouts, network_for

    network_for(games.load(game), weights)
    tell = (lambda line: None) if as_json else print
    told: dict[str, Any] = {"game": game, "seats": measure(game, weights, positions, seed, jobs, tell)}
    if compare:
        told["compared"] = compare_playouts(game, weights, compare, seed, jobs)
        tell(f"{game}, beside playouts: {told['compared']}")
    if as_json:
        print(json.dumps(told))
