"""Training a network by self-play, and how true its chances are."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from quadriga import games
from quadriga.cli.arguments import AsJson, GameName


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
) -> None:
    """Train a game's network: self-play, learning, then self-play by search with what was learnt."""
    from quadriga.training.running import Plan
    from quadriga.training.running import train as run

    begins, version = str(start.resolve()) if start else "", games.meta(game).rules_version
    plan = Plan(game, rounds, files, seconds, epochs, seed, races, version, begins)
    print(run(plan, folder, resume, jobs, device))


def reinforce(
    game: GameName,
    folder: Annotated[Path, typer.Option(help="Where checkpoint, figures and weights are kept.")],
    start: Annotated[Path | None, typer.Option(help="Weights to begin with; the game's own if left out.")] = None,
    resume: Annotated[bool, typer.Option(help="Go on with the run in the folder.")] = False,
    minutes: Annotated[float, typer.Option(min=0.01, max=100_000.0, help="Of learning, in all.")] = 10.0,
    races: Annotated[int, typer.Option(min=16, max=1 << 20, help="Races at once.")] = 1 << 15,
    batch: Annotated[int, typer.Option(min=16, max=1 << 20, help="Decisions for a step of the optimisers.")] = 1 << 15,
    bots: Annotated[float, typer.Option(min=0.0, max=0.75, help="The part of the races against bots.")] = 0.25,
    exploit: Annotated[
        bool, typer.Option(help="Learn to beat the weights it begins with, in all races: an exploiter.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Another seed plays other races.")] = 0,
    device: Annotated[str, typer.Option(help="Where to play and learn: auto, cpu or cuda.")] = "auto",
) -> None:
    """Let a game's networks race against themselves, very many races at once, and learn from how these end."""
    from quadriga.training.reinforcing import ReinforcementPlan
    from quadriga.training.reinforcing import reinforce as run
    from quadriga.training.weights import shipped_weights

    file = start.resolve() if start else shipped_weights(games.load(game))
    version = games.meta(game).rules_version
    plan = ReinforcementPlan(game, minutes, races, batch, str(file), exploit, seed, version, bots=bots)
    print(run(plan, folder, resume, device))


def train_value(
    game: GameName,
    folder: Annotated[Path, typer.Option(help="Where checkpoint, figures and weights are kept.")],
    start: Annotated[
        Path | None, typer.Option(help="Weights whose policy and critic stay; the game's own if left out.")
    ] = None,
    resume: Annotated[bool, typer.Option(help="Go on with the run in the folder.")] = False,
    minutes: Annotated[float, typer.Option(min=0.01, max=100_000.0, help="Of playing and learning, in all.")] = 10.0,
    races: Annotated[int, typer.Option(min=16, max=1 << 20, help="Races in a batch.")] = 1 << 16,
    positions: Annotated[
        int, typer.Option(min=1000, max=1 << 28, help="Positions that are kept to learn from, at most.")
    ] = 12_000_000,
    batch: Annotated[int, typer.Option(min=16, max=1 << 20, help="Positions for a step of the optimisers.")] = 8192,
    hidden: Annotated[
        tuple[int, int], typer.Option(min=8, max=2048, help="Widths of the hidden layers of the network.")
    ] = (512, 64),
    largest_weight: Annotated[
        int, typer.Option(min=3, max=127, help="Largest weight: with smaller ones a network takes less room.")
    ] = 127,
    jobs: Annotated[
        int, typer.Option(min=0, max=256, help="Processes that play races, beside a GPU those it plays slowly; or 0.")
    ] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Another seed plays other races.")] = 0,
    device: Annotated[str, typer.Option(help="Where to play and learn: auto, cpu or cuda.")] = "auto",
) -> None:
    """Train a game's value network by how very many races of quicker bots end; its other networks stay."""
    from quadriga.training.valuing import ValuePlan, learn_value
    from quadriga.training.weights import shipped_weights

    file = start.resolve() if start else shipped_weights(games.load(game))
    version = games.meta(game).rules_version
    plan = ValuePlan(game, minutes, races, positions, batch, str(file), hidden, seed, version, jobs, largest_weight)
    print(learn_value(plan, folder, resume, device))


def improve(
    game: GameName,
    folder: Annotated[Path, typer.Option(help="Where judged choices, checkpoints, figures and weights are kept.")],
    start: Annotated[Path | None, typer.Option(help="Weights to begin with; the game's own if left out.")] = None,
    resume: Annotated[bool, typer.Option(help="Go on with the run in the folder.")] = False,
    rounds: Annotated[int, typer.Option(min=1, max=100, help="Policies, one after the other.")] = 1,
    files: Annotated[int, typer.Option(min=1, max=1000, help="Files of judged choices for each round.")] = 32,
    seconds: Annotated[float, typer.Option(min=0.1, max=3600.0, help="Races for each file.")] = 60.0,
    epochs: Annotated[int, typer.Option(min=1, max=1000, help="Epochs for each policy.")] = 8,
    seed: Annotated[int, typer.Option(min=0, help="Another seed plays other races.")] = 0,
    races: Annotated[int, typer.Option(min=0, max=100_000, help="Races against the first policy after a round.")] = 100,
    jobs: Annotated[int, typer.Option(min=0, max=256, help="Processes of races; 0: one for each core.")] = 0,
    device: Annotated[str, typer.Option(help="Where to learn: auto (a GPU where there is one), cpu or cuda.")] = "auto",
) -> None:
    """Let a game's policy learn what champion's search says of its choices (expert iteration)."""
    from quadriga.training.improving import ImprovementPlan
    from quadriga.training.improving import improve as run
    from quadriga.training.weights import shipped_weights

    file = start.resolve() if start else shipped_weights(games.load(game))
    version = games.meta(game).rules_version
    plan = ImprovementPlan(game, rounds, files, seconds, epochs, str(file), seed, races, version)
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
    jobs: Annotated[int, typer.Option(min=0, max=256, help="Processes; 0: one for each core.")] = 0,
    as_json: AsJson = False,
) -> None:
    """How true a network's chances to win are: by number of seats, and beside 400 playouts to the end of the race."""
    from quadriga.training.calibration import calibrate as measure
    from quadriga.training.calibration import compare_playouts, comparison_in_words, network_for

    network_for(games.load(game), weights)
    tell = (lambda line: None) if as_json else print
    told: dict[str, Any] = {"game": game, "seats": measure(game, weights, positions, seed, jobs, tell)}
    if compare:
        told["compared"] = compare_playouts(game, weights, compare, seed, jobs)
        tell(comparison_in_words(told["compared"]))
    if as_json:
        print(json.dumps(told))
