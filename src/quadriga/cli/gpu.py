"""Commands for a GPU: how fast races run there, and whether they end as on the CPU."""

import dataclasses
import json
from typing import Annotated, Any

import typer

from quadriga import games
from quadriga.cli.arguments import AsJson

Games = Annotated[list[str] | None, typer.Option("--game", help="Games to take; all if none is named.")]


def gpu(
    game: Games = None,
    seconds: Annotated[float, typer.Option(min=0.1, max=600.0, help="Seconds for each measure.")] = 3.0,
    peers: Annotated[bool, typer.Option(help="Measure Pgx's backgammon beside ours, where it is installed.")] = True,
    as_json: AsJson = False,
) -> None:
    """Random play on a GPU, every choice listed at every decision."""
    from quadriga.arena.gpu_speed import device_name, measure
    from quadriga.arena.peers import measure_on_gpu

    names = game or list(games.NAMES)
    figures: dict[str, Any] = {"device": device_name(), "games": {}}
    for name in names:
        figures["games"][name] = dataclasses.asdict(measure(games.load(name), seconds))
    figures["peers"] = measure_on_gpu(seconds) if peers else {}
    if as_json:
        print(json.dumps(figures))
        return
    print(f"random play on {figures['device']}")
    for name, speed in figures["games"].items():
        sampled = f", sampled {speed['sampled_per_s']:,}" if speed["sampled_per_s"] else ""
        print(f"{name}: {speed['decisions_per_s']:,} decisions/s, {speed['games_per_s']:,} races/s{sampled}")
    for name, rate in figures["peers"].items():
        print(f"{name}: {rate:,} decisions/s")


def gpu_check(
    game: Games = None,
    number: Annotated[int, typer.Option("--games", min=1, help="Races of each setting.")] = 10_000,
    as_json: AsJson = False,
) -> None:
    """Play random races of every number of seats and option on the GPU and on the CPU, and compare each to the byte."""
    from quadriga.arena.gpu_speed import compare, device_name

    told: dict[str, Any] = {"device": device_name(), "games": {}}
    for name in game or list(games.NAMES):
        rows = told["games"][name] = {}
        for compared in compare(games.load(name), number):
            rows[str(compared.setting)] = {"races": compared.races, "different": compared.different}
            if not as_json:
                print(f"{name}, {compared.setting}: {compared.races} races, {compared.different} different", flush=True)
    if as_json:
        print(json.dumps(told))
    if any(row["different"] for rows in told["games"].values() for row in rows.values()):
        raise typer.Exit(1)
