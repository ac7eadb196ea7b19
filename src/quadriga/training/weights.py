"""What lies in a weights file, layer by layer."""

from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.network import CRITIC, FILE, POLICY, VALUE, Layers, read_if_there, read_layers, read_sharpness
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game


def shipped_weights(game: Game) -> Path:
    """The file of a game's own networks, or InvalidOption."""
    file = Path(str(resources.files(game.definition.package) / FILE))
    if not file.is_file():
        raise InvalidOption(f"{game.meta.title} has no networks to begin with: name a file with --start")
    return file


def value_layers(file: Path) -> Layers:
    """The layers of a file's value network."""
    with np.load(file, allow_pickle=False) as kept:
        return read_layers(kept, VALUE)


def policy_layers(file: Path) -> Layers | None:
    """The layers of a file's policy network; None where there is none."""
    with np.load(file, allow_pickle=False) as kept:
        return read_if_there(kept, POLICY)


def critic_layers(file: Path) -> Layers | None:
    """The layers of a file's critic; None where there is none."""
    with np.load(file, allow_pickle=False) as kept:
        return read_if_there(kept, CRITIC)


def file_sharpness(file: Path) -> NDArray[np.int32]:
    """How much a file's logits count at each number of seats."""
    with np.load(file, allow_pickle=False) as kept:
        return read_sharpness(kept)


def hidden_of(layers: Layers) -> tuple[int, int]:
    """The widths of a network's hidden layers."""
    return layers[0][0].shape[1], layers[1][0].shape[1]
