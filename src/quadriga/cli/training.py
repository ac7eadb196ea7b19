"""Training a network by self-play."""

from pathlib import Path
from typing import Annotated

import typer

from quadriga.cli.arguments import GameName


def train(
    game: GameName,
    folder: Annotated[Path, typer.Option(help="Where positions, checkpoints, figures and weights are kept.")],
    resume: Annotated[bool, typer.Option(help="Go on with the run in the folder.")] = False,
    rounds: Annotated[int, typer.Option(min=1, max=100, help="Networks, one after the other.")] = 2,
    files: Annotated[int, typer.Option(min=2, max=1000, help="Files of positions for each round.")] = 32,
    seconds: Annotated[float, typer.Option(min=0.1, max=3600.0, help="Self-play for each file.")] = 20.0,
    epochs: Annotated[int, typer.Option(min=1, max=1000, help="Epochs for each network.")] = 16,
    seed: Annotated[int, typer.Option(min=0, help="Another seed plays other races.")] = 0,
    jobs: Annotated[int, typer.Option(min=0, max=256, help="Processes of self-play; 0: one for each core.")] = 0,
) -> None:
    """Train a game's network: self-play, learning, then self-play by search with what was learnt."""
    from quadriga.training.running import Plan
    from quadriga.training.running import train as run

    print(run(Plan(game, rounds, files, seconds, epochs, seed), folder, resume, jobs))
