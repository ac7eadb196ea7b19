"""Measures of Quadriga, beside other libraries in the same run."""

import dataclasses
import json
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table

from quadriga import games
from quadriga.cli import bench_analyses, bench_server, bench_start, gpu
from quadriga.cli.arguments import AsJson
from quadriga.cli.console import open_console
from quadriga.cli.progress import progress_bar
from quadriga.core.errors import InvalidOption

bench = typer.Typer(help="Measure Quadriga, and other libraries beside it.", invoke_without_command=True)
for measure_server in (
    bench_server.server,
    bench_server.kill,
    bench_server.soak,
    bench_server.attack,
    bench_analyses.analyses,
    bench_start.start,
):
    bench.command()(measure_server)
bench.command()(gpu.gpu)

Games = Annotated[list[str] | None, typer.Option("--game", help="Games to measure; all if none is named.")]
Seconds = Annotated[float, typer.Option(min=0.1, max=600.0, help="Seconds for each measure.")]
Peers = Annotated[bool, typer.Option(help="Measure other libraries beside ours, where they are installed.")]

TITLES = {
    "play": "random play, one core: decisions/s",
    "bot": "thinking, one core: playouts/s",
    "env": "environments, one core: steps/s",
}
ENV_BARS = {"vector": 500_000, "pettingzoo": 20_000}


@bench.callback()
def everything(
    context: typer.Context,
    game: Games = None,
    seconds: Seconds = 3.0,
    peers: Peers = True,
    as_json: AsJson = False,
) -> None:
    """Without a further command: random play, thinking and environments, each beside its peers and its bar."""
    if context.invoked_subcommand is not None:
        return
    names = _games(game)
    figures = _measure(("play", "bot", "env"), names, seconds, peers)
    figures["bars"] = bars(figures)
    if as_json:
        print(json.dumps(figures))
        return
    for kind in TITLES:
        _show_kind(kind, figures)
    _show_bars(figures)


@bench.command()
def sim(game: Games = None, seconds: Seconds = 3.0, peers: Peers = True, as_json: AsJson = False) -> None:
    """Random play alone, every choice listed at every decision, and the size of a state."""
    figures = _measure(("play",), _games(game), seconds, peers)
    if as_json:
        print(json.dumps({"games": figures["play"], "peers": figures["peers"]["play"], **_absent(figures)}))
        return
    table = Table(title="random play, one core", box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False)
    for heading in ("", "decisions/s", "races/s", "state bytes", "copy µs", "sampled/s"):
        table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    for name, speed in figures["play"].items():
        columns = ("decisions_per_s", "games_per_s", "state_bytes", "copy_us", "sampled_per_s")
        table.add_row(name, *("" if speed[column] is None else f"{speed[column]:,}" for column in columns))
    for name, decisions in figures["peers"]["play"].items():
        table.add_row(name, f"{decisions:,}")
    open_console().print(table)
    _show_absent(figures)


def _games(asked: list[str] | None) -> list[str]:
    if unknown := set(asked or ()) - set(games.NAMES):
        raise InvalidOption(f"there is no game {min(unknown)!r}; there are {', '.join(games.NAMES)}")
    return asked or list(games.NAMES)


def _absent(figures: dict[str, Any]) -> dict[str, Any]:
    return {name: figures[name] for name in ("missing", "failed")}


def _measure(kinds: Sequence[str], names: list[str], seconds: float, peers: bool) -> dict[str, Any]:
    """All figures of these kinds, peers and ours each on one core."""
    from quadriga.arena import peers as others

    beside = [peer for peer in others.PEERS.values() if peers and peer.kind in kinds]
    figures: dict[str, Any] = {kind: {} for kind in kinds}
    figures |= {"peers": {kind: {} for kind in kinds}, "missing": [], "failed": {}, "left_out": []}
    own = [(kind, name) for kind in kinds for name in names]
    with progress_bar() as progress:
        task = progress.add_task("measuring", total=len(beside) + len(own))
        for peer in beside:
            progress.update(task, description=peer.name)
            _measure_peer(peer.name, peer.kind, seconds, figures)
            progress.advance(task)
        with others.one_core():
            for kind, name in own:
                progress.update(task, description=f"{name}: {kind}")
                MEASURES[kind](name, seconds, figures)
                progress.advance(task)
    return figures


def _measure_peer(name: str, kind: str, seconds: float, figures: dict[str, Any]) -> None:
    """A peer's figure, or that it is missing, or why it failed."""
    from quadriga.arena import peers as others

    if not others.is_installed(name):
        figures["missing"].append(name)
        return
    try:
        figures["peers"][kind][name] = others.measure_peer(name, seconds)
    except others.PeerFailed as error:
        figures["failed"][name] = str(error)


def _play(name: str, seconds: float, figures: dict[str, Any]) -> None:
    from quadriga.arena.speed import measure

    figures["play"][name] = dataclasses.asdict(measure(games.load(name), seconds))


def _bot(name: str, seconds: float, figures: dict[str, Any]) -> None:
    from quadriga.arena.speed import playouts_per_second

    figures["bot"][name] = {"iterations_per_s": playouts_per_second(games.load(name), seconds)}


def _env(name: str, seconds: float, figures: dict[str, Any]) -> None:
    """Steps a second of the environments whose libraries are installed."""
    figures["env"][name] = {}
    for kind in ENV_BARS:
        try:
            steps_per_second = import_module("quadriga.envs.speed").steps_per_second
            figures["env"][name][f"{kind}_steps_per_s"] = round(steps_per_second(games.load(name), kind, seconds))
        except ImportError as error:
            figures["left_out"].append(f"{kind} environment of {name}: {error}")


MEASURES: dict[str, Callable[[str, float, dict[str, Any]], None]] = {"play": _play, "bot": _bot, "env": _env}


def bars(figures: dict[str, Any]) -> list[dict[str, Any]]:
    """Every bar that was set, with the figure and whether it is met; without peers only those that need none."""
    from quadriga.arena.peers import PEERS

    comparable = {n: f for n, f in figures["peers"]["play"].items() if PEERS[n].comparable}
    told = []
    for game, speed in figures["play"].items():
        if comparable:
            fastest = max(comparable, key=lambda name: comparable[name])
            times = round(speed["decisions_per_s"] / comparable[fastest], 1)
            told.append(_bar(f"{game}: times {fastest}", times, games.definition(game).times_peers))
    for game, envs in figures["env"].items():
        for kind, bar in ENV_BARS.items():
            if f"{kind}_steps_per_s" in envs:
                told.append(_bar(f"{game}: {kind} steps/s", envs[f"{kind}_steps_per_s"], bar))
    return told


def _bar(what: str, figure: float, bar: float) -> dict[str, Any]:
    return {"what": what, "figure": figure, "bar": bar, "met": figure >= bar}


def _own_rows(kind: str, figures: dict[str, Any]) -> list[tuple[str, int]]:
    """Our own figures of a kind, by what they are of."""
    if kind == "play":
        return [(f"Quadriga {name}", speed["decisions_per_s"]) for name, speed in figures[kind].items()]
    if kind == "bot":
        return [(f"Quadriga champion, {name}", f["iterations_per_s"]) for name, f in figures[kind].items()]
    return [
        (f"Quadriga {name}, {key.removesuffix('_steps_per_s')}", steps)
        for name, envs in figures[kind].items()
        for key, steps in envs.items()
    ]


def _show_kind(kind: str, figures: dict[str, Any]) -> None:
    rows = _own_rows(kind, figures)
    beside = figures["peers"][kind]
    fastest = max(beside.values(), default=0)
    table = Table(title=TITLES[kind], box=box.SIMPLE_HEAD, title_justify="left")
    for heading in ("", "a second", "times the fastest peer"):
        table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    for name, figure in rows:
        table.add_row(name, f"{figure:,}", f"{figure / fastest:.1f}" if fastest else "")
    for name, figure in sorted(beside.items(), key=lambda item: -item[1]):
        table.add_row(name, f"{figure:,}", "")
    open_console().print(table)


def _show_bars(figures: dict[str, Any]) -> None:
    table = Table(title="bars", box=box.SIMPLE_HEAD, title_justify="left")
    for heading in ("", "figure", "bar", "met"):
        table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    for bar in figures["bars"]:
        table.add_row(bar["what"], f"{bar['figure']:,}", f"{bar['bar']:,}", "yes" if bar["met"] else "no")
    if figures["bars"]:
        open_console().print(table)
    _show_absent(figures)


def _show_absent(figures: dict[str, Any]) -> None:
    """What was not measured is said."""
    told = [f"not installed (make peers): {', '.join(figures['missing'])}"] if figures["missing"] else []
    told += [f"failed: {name}: {why}" for name, why in figures["failed"].items()]
    told += [f"left out: {sentence}" for sentence in figures["left_out"]]
    for sentence in told:
        print(sentence)
