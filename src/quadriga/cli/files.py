"""Commands for files: records, scenarios, editions."""

import json
from importlib import resources
from pathlib import Path
from typing import Annotated

import typer

from quadriga import games
from quadriga.cli.arguments import AsJson, GameName, Language, system_language
from quadriga.cli.console import open_console
from quadriga.core import codec
from quadriga.core.edition import TomlFile
from quadriga.core.errors import InvalidFile, InvalidOption, QuadrigaError
from quadriga.core.match import Match
from quadriga.core.record import read_record
from quadriga.core.record import replay as play_again
from quadriga.core.scenario import read_scenario, run


def replay(
    file: Annotated[Path, typer.Argument(help="A record.")],
    step: Annotated[int | None, typer.Option(help="Show the race after this step; the last one if left out.")] = None,
    log: Annotated[bool, typer.Option("--log", help="Tell everything that happened up to that step.")] = False,
    as_json: AsJson = False,
    language: Language = None,
) -> None:
    """Play a record again, check every step of it, and show where it leads."""
    match = play_again(read_record(file), games.load)
    last = match.seq if step is None else step
    match.state_after(last)
    if as_json:
        print(json.dumps(_step_json(match, last)))
        return
    console, words = open_console(wrap=False), match.game.words(system_language(language))
    names = [sitter.name for sitter in match.sitters]
    for happened in match.events(None)[: last + 1] if log else ():
        for event in happened.events:
            console.print(words.message("events", event, match.game.names, names))
    console.print(match.game.draw(match.view(None, last), system_language(language)))
    result = match.result()
    ending = words.say("terminal.places", places=_places(match)) if result else words.say("terminal.unfinished")
    console.print(words.say("terminal.replayed", steps=match.seq, result=ending))


def _places(match: Match) -> str:
    result = match.result()
    assert result is not None
    order = sorted((place, seat) for seat, place in enumerate(result.places))
    return ", ".join(f"{place}. {match.sitters[seat].name}" for place, seat in order)


def _step_json(match: Match, step: int) -> dict[str, object]:
    result = match.result()
    return {
        "game": match.game.meta.name,
        "steps": match.seq,
        "step": step,
        "hash": match.log[step].hash,
        "state": codec.record_to_json(match.state_after(step), match.game.names),
        "result": result and {"places": result.places, "winner": result.winner, "reason": result.reason},
    }


def scenario(
    files: Annotated[list[Path] | None, typer.Argument(help="Scenario files, or folders of them.")] = None,
    examples: Annotated[bool, typer.Option("--examples", help="Run the examples that come with the games.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run scenarios; print what differs and end with code 1 if anything does. Folders may hold editions, too."""
    wanted = list(files or ()) + (_example_folders() if examples else [])
    found, editions = _scenarios_of(wanted)
    if not found:
        raise InvalidOption("there are no scenarios in " + (", ".join(map(str, wanted)) or "nothing: name a file"))
    differences = {str(path): _differences(path) for path in found}
    failed = [name for name, lines in differences.items() if lines]
    if as_json:
        counts = {"scenarios": len(found), "failed": len(failed), "editions": len(editions)}
        print(json.dumps(counts | {"differences": differences}))
    else:
        for name in failed:
            print("\n".join(line if line.startswith(f"{name}:") else f"{name}: {line}" for line in differences[name]))
        passed_over = f", {len(editions)} editions passed over" if editions else ""
        print(f"{len(found) - len(failed)} passed, {len(failed)} failed{passed_over}")
    if failed:
        raise typer.Exit(1)


def _differences(path: Path) -> list[str]:
    """What does not follow in a scenario; or the mistake in its file, which stops no other."""
    try:
        return [str(line) for line in run(read_scenario(path, games.load))]
    except QuadrigaError as error:
        return [str(error)]


def _scenarios_of(wanted: list[Path]) -> tuple[list[Path], list[Path]]:
    """The scenarios among files and in folders, and the editions that folders hold beside them."""
    found: list[Path] = []
    editions: list[Path] = []
    for path in wanted:
        for file in sorted(path.rglob("*.toml")) if path.is_dir() else [path]:
            (editions if path.is_dir() and _is_edition(file) else found).append(file)
    return found, editions


def _is_edition(file: Path) -> bool:
    """Whether a file of a folder has nothing of a scenario; one that cannot be read counts as a scenario."""
    try:
        return not {"game", "about", "then"} & TomlFile.read(file).data.keys()
    except InvalidFile:
        return False


def _example_folders() -> list[Path]:
    folders = [Path(str(resources.files(games.package(name)))) / "scenarios" for name in games.NAMES]
    return [folder for folder in folders if folder.is_dir()]


def components(
    game: GameName,
    write: Annotated[Path | None, typer.Option(help="Write the standard edition file here, to be edited.")] = None,
    check: Annotated[Path | None, typer.Option(help="Check an edition file.")] = None,
) -> None:
    """Show the components of a game as an edition file, write it to a file, or check an edited one."""
    if check is not None:
        edition = games.load(game, check).edition
        print(f"{check}: a complete edition of {game}, fingerprint {edition.fingerprint}")
        return
    text = games.load(game).edition.source.text
    if write is None:
        print(text, end="")
        return
    if write.exists():
        raise InvalidOption(f"{write} exists already; choose another file")
    write.write_text(text, encoding="utf-8")
    print(f"{write}: edit it, then play with quadriga race {game} --components {write}")
