"""How well champion plays with networks: races against searcher or other networks, with playouts of the same time."""

import json
from collections.abc import Callable, Sequence
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from quadriga.bots.evaluator import Choices
from quadriga.bots.network import Networks, read_weights
from quadriga.bots.search import Champion, Searcher
from quadriga.core.game import Game
from quadriga.core.streams import new_stream, stream_key
from quadriga.training.plots import STRENGTH, read_lines

SECONDS = 0.005
"""What the playouts for a choice take on one core, about."""


def measure_strength(
    game: Game, networks: Networks, races: int, seed: int, rival: Networks | None = None
) -> dict[str, float]:
    """The share of two-handed races that champion wins with networks, and its 95 % interval by Wilson.

    The rival is champion with other networks, or searcher.
    """
    bots = [champion_with(game, networks, seed), champion_with(game, rival, seed) if rival else Searcher(game, seed)]
    own, searching = bots[0].evaluator.evaluation.rates
    for bot, rate in zip(bots, (own, own if rival else searching), strict=True):
        bot.set_budget(iterations=round(rate * SECONDS))
    wins = sum(_wins(game, bots, number, seed) for number in range(races))
    low, high = _interval(wins, races)
    return {"races": races, "share": round(wins / races, 4), "low": round(low, 4), "high": round(high, 4)}


def keep_strength(
    folder: Path, number: int, game: Game, weights: Path, races: int, seed: int, rival: Path | None,
    tell: Callable[[str], object],
) -> None:  # fmt: skip
    """Keep how well the networks of a round play, unless it is known or no races are asked for."""
    file = folder / STRENGTH
    if not races or any(line.get("round") == number for line in read_lines(file)):
        return
    others = read_weights(game, rival) if rival else None
    figures = {"round": number} | measure_strength(game, read_weights(game, weights), races, seed, others)
    with file.open("a", encoding="utf-8") as log:
        log.write(json.dumps(figures) + "\n")
    tell(json.dumps(figures))


def champion_with(game: Game, networks: Networks, seed: int) -> Champion:
    """Champion that plays with these networks."""
    champion = Champion(game, seed)
    champion.use(networks)
    return champion


def _wins(game: Game, bots: Sequence[Searcher], number: int, seed: int) -> bool:
    """Whether the first bot wins a race; seats change from race to race, with the same dice for both."""
    key, seats = stream_key(f"strength {seed} {number // 2}".encode()), len(bots)
    seating = [bots[(seat + number) % seats] for seat in range(seats)]
    for bot in bots:
        bot.seed = number
    state = game.setup(seats, {}, new_stream(key, 0)).state
    step = 0
    while owing := game.to_act(state):
        actions = {seat: _choose(game, seating[seat], state, seat) for seat in owing}
        step += 1
        state = game.apply(state, actions, new_stream(key, step)).state
    return game.places(state)[seating.index(bots[0])] == 1


def _choose(game: Game, bot: Searcher, state: Any, seat: int) -> Any:
    return bot.choose(game.view(state, seat), seat, Choices(game, game.legal_codes(state, seat)))


def _interval(wins: int, races: int, z: float = 1.96) -> tuple[float, float]:
    share = wins / races
    middle, width = share + z * z / (2 * races), z * sqrt(share * (1 - share) / races + z * z / (4 * races * races))
    return float(np.clip((middle - width) / (1 + z * z / races), 0, 1)), float(
        np.clip((middle + width) / (1 + z * z / races), 0, 1)
    )
