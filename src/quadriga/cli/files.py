"""Commands for files: records, scenarios, editions."""

import json
from pathlib import Path
from typing import Annotated

import typer

from quadriga import games
from quadriga.cli.arguments import AsJson, GameName, Language, system_language
from quadriga.cli.console import open_console
from quadriga.core import codec
from quadriga.core.errors import InvalidOption
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
    files: Annotated[list[Path], typer.Argument(help="Scenario files, or folders of them.")],
    as_json: AsJson = False,
) -> None:
    """Run scenarios; print what differs and end with code 1 if anything does."""
    found = [path for file in files for path in (sorted(file.rglob("*.toml")) if file.is_dir() else [file])]
    if not found:
        raise InvalidOption("there are no scenarios in " + ", ".join(map(str, files)))
    differences = {str(path): [str(line) for line in run(read_scenario(path, games.load))] for path in found}
    failed = [name for name, lines in differences.items() if lines]
    if as_json:
        print(json.dumps({"scenarios": len(found), "failed": len(failed), "differences": differences}))
    else:
        for name in failed:
            print("\n".join(f"{name}: {line}" for line in differences[name]))
        print(f"{len(found) - len(failed)} passed, {len(failed)} failed")
    if failed:
        raise typer.Exit(1)


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
