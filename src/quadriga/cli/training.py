"""Training a network by self-play, and how true its chances are."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from quadriga import games
from quadriga.cli.arguments import AsJson, GameName
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game


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
) -> None:
    """Train a game's network: self-play, learning, then self-play by search with what was learnt."""
    from quadriga.training.running import Plan
    from quadriga.training.running import train as run

    plan = Plan(game, rounds, files, seconds, epochs, seed, races, games.meta(game).rules_version)
    print(run(plan, folder, resume, jobs, device))


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
    as_json: AsJson = False,
) -> None:
    """How true a network's chances to win are: by number of seats, and beside 400 playouts to the end of the race."""
    from quadriga.training.calibration import calibrate as measure
    from quadriga.training.calibration import compare_playouts

    loaded = games.load(game)
    network = _network(loaded, weights)
    tell = (lambda line: None) if as_json else print
    told: dict[str, Any] = {"game": game, "seats": measure(loaded, network, positions, seed, tell)}
    if compare:
        told["compared"] = compare_playouts(loaded, network, compare, seed)
        tell(f"{game}, beside playouts: {told['compared']}")
    if as_json:
        print(json.dumps(told))


def _network(game: Game, weights: Path | None) -> Any:
    """The network of a file or the game's own, or InvalidOption."""
    from quadriga.bots.network import network_of
    from quadriga.training.running import read_weights

    if weights:
        return read_weights(game, weights).value
    network, reason = network_of(game)
    if reason:
        raise InvalidOption(reason)
    return network
