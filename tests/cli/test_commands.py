"""Every command: its help, a good run, and wrong input, which is refused in one line without a traceback."""

import json
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest
import typer

from quadriga.api.race import Race
from quadriga.cli import app, main
from quadriga.server.database.migrations import migrate
from quadriga.server.database.store import open_engine

ROOT = Path(__file__).parents[2]
MOST_WIDTH = 80


@dataclass(frozen=True)
class Said:
    """How a command ended, and what it said."""

    code: int
    out: str
    err: str


Run = Callable[..., Said]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], workplace: Path) -> Run:
    """Run the command line in this process, in the folder with the files."""
    monkeypatch.chdir(workplace)
    monkeypatch.setenv("QUADRIGA_DATABASE", str(workplace / "tables.sqlite"))

    def call(*words: object) -> Said:
        monkeypatch.setattr(sys, "argv", ["quadriga", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        return Said(int(ended.value.code or 0), said.out, said.err)

    return call


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one file of each kind, and files that are of none."""
    folder = tmp_path_factory.mktemp("workplace")
    Race("chariots", players=2, options={"laps": 1}, seed=3).run("greedy").save(folder / "race.json")
    scenario = next((ROOT / "tests" / "scenarios" / "chariots").rglob("*.toml"))
    (folder / "scenario.toml").write_text(scenario.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "nonsense.txt").write_text("nonsense\n", encoding="utf-8")
    (folder / "other.json").write_text('{"x": 1}', encoding="utf-8")
    (folder / "empty").mkdir()
    engine = open_engine(f"sqlite:///{folder / 'tables.sqlite'}", writing=True)
    migrate(engine)
    engine.dispose()
    return folder


def commands() -> Iterator[tuple[str, ...]]:
    """The words of every command, those of groups included."""
    root = typer.main.get_command(app)
    context = click.Context(click.Command("quadriga"))
    for name in root.list_commands(context):  # type: ignore[attr-defined]
        found = root.get_command(context, name)  # type: ignore[attr-defined]
        yield (name,)
        if hasattr(found, "list_commands"):
            yield from ((name, inner) for inner in found.list_commands(context))


COMMANDS = list(commands())


@pytest.mark.parametrize("command", [(), *COMMANDS], ids=" ".join)
def test_help_names_the_command_and_explains_every_option(command: tuple[str, ...], run: Run) -> None:
    said = run(*command, "--help")
    assert (said.code, said.err) == (0, "")
    lines = said.out.splitlines()
    assert lines[0].startswith(" ".join(("Usage: quadriga", *command)))
    assert max(map(len, lines)) <= MOST_WIDTH
    options = re.split(r"^Options:\n", said.out, flags=re.MULTILINE)[1].partition("\n\n")[0]
    blocks = re.split(r"\n(?=  -)", options)
    assert all(re.search(r"(  |\n {10,})\w.*[a-z]", block) for block in blocks), "an option without a sentence"


# ---------------------------------------------------------------- good runs

GOOD: dict[tuple[str, ...], tuple[tuple[str, ...], str]] = {
    ("games",): ((), r"chariots .* 2-4 .*laps \(3\)"),
    ("race",): (("chariots", "--people", "0", "-o", "laps=1", "--language", "es"), "La semilla era [0-9a-f]{64}"),
    ("serve",): (("--check", "--database", "tables.sqlite"), "tables.sqlite"),
    ("arena",): (("chariots", "--bots", "greedy,novice", "--games", "2", "-n", "2", "--jobs", "1"), r"greedy .*%"),
    ("ladder",): (
        ("chariots", "--games", "1", "--level", "greedy", "--jobs", "1", "-o", "laps=1"), "greedy",
    ),
    ("bots",): (("--language", "es"), r"Elige al azar.*veteran .*champion .*Difícil de vencer"),
    ("simulate",): (("chariots", "--games", "20", "--jobs", "1", "--folder", "simulated"), r"simulated"),
    ("backup",): (("saved.gz",), r"saved.gz: 0 rows"),
    ("reports",): ((), r"^$"),
    ("records",): (("races", "--game", "chariots"), "races: 0 records written"),
    ("replay",): (("race.json", "--step", "3", "--language", "en"), r"as recorded"),
    ("picture",): (("race.json", "--step", "3", "-o", "board.svg"), r"board\.svg"),
    ("scenario",): (("scenario.toml",), "1 passed, 0 failed"),
    ("components",): (("chariots",), r"\[track"),
    ("puzzles", "show"): (("chariots", "1"), 'about = "Puzzle 1"'),
    ("fuzz",): (("chariots", "--games", "1", "-n", "2", "-o", "laps=1"), r"\d+ races played, 0 broken"),
    ("analyse",): (("race.json", "--scale", "0.1", "--language", "en"), "skill"),
}  # fmt: skip
TESTED_ELSEWHERE = {
    ("play",): "cli/test_play.py",
    ("join",): "cli/test_terminal.py",
    ("compare",): "arena/test_simulation.py",
    ("restore",): "server/test_files.py",
    ("warmup",): "cli/test_commands.py",
    ("train",): "training/test_running.py",
    ("reinforce",): "training/test_reinforcing.py",
    ("improve",): "training/torch_improving.py",
    ("train-value",): "training/torch_valuing.py",
    ("calibrate",): "training/test_calibration.py",
    ("bench",): "arena/test_bench.py",
    ("bench", "sim"): "arena/test_bench.py",
    ("bench", "start"): "cli/test_play.py",
    ("bench", "server"): "server/test_memory.py",
    ("bench", "kill"): "server/test_crashes.py",
    ("bench", "soak"): "server/test_memory.py",
    ("bench", "attack"): "server/test_attack.py",
    ("bench", "analyses"): "server/test_analysis_load.py",
    ("puzzles", "merge"): "puzzles/test_cli.py",
    ("puzzles", "mine"): "puzzles/test_mining.py",
    ("puzzles", "check"): "puzzles/test_mining.py",
}
NEEDS_A_GPU = {("gpu-check",), ("bench", "gpu")}


def test_every_command_has_a_good_run() -> None:
    assert {*GOOD, *TESTED_ELSEWHERE, *NEEDS_A_GPU} == set(COMMANDS) - {("puzzles",)}, "which is a group alone"
    for command, file in TESTED_ELSEWHERE.items():
        assert command[-1] in (ROOT / "tests" / file).read_text(encoding="utf-8"), file


@pytest.mark.parametrize("command", GOOD, ids=" ".join)
def test_a_good_run(command: tuple[str, ...], run: Run) -> None:
    words, expected = GOOD[command]
    said = run(*command, *words)
    assert (said.code, said.err) == (0, ""), said
    assert re.search(expected, said.out, re.DOTALL), said.out


def test_components_are_written_checked_and_raced_with(run: Run) -> None:
    assert run("components", "chariots", "--write", "own.toml").code == 0
    assert "a complete edition of chariots" in run("components", "chariots", "--check", "own.toml").out
    raced = run("race", "chariots", "--people", "0", "-o", "laps=1", "--components", "own.toml", "--save", "own.json")
    assert raced.code == 0
    assert "as recorded" in run("replay", "own.json", "--language", "en").out


def test_whoever_races_is_told_what_a_level_is_like_and_that_champion_has_no_network(run: Run, workplace: Path) -> None:
    text = (ROOT / "src/quadriga/games/chariots/edition.toml").read_text(encoding="utf-8")
    (workplace / "other.toml").write_text(re.sub(r"(?m)^name = .*$", 'name = "my own"', text), encoding="utf-8")
    short = ("-n", "2", "-o", "laps=1", "-o", "limit=5", "--components", "other.toml")
    raced = run("race", "chariots", "--people", "0", "--bot", "champion", "--language", "es", *short)
    assert "champion: Las prueba y juzga con una red" in raced.out
    assert "champion juega aquí sin sus redes, como searcher" in raced.out
    quick = ("--games", "1", "--iterations", "4", "--jobs", "1", "--json")
    met = run("arena", "chariots", "--bots", "champion,champion", *short, *quick)
    notice = "champion plays as searcher does: the network of Chariots knows the standard edition alone\n"
    assert met.err.count(notice) == 1
    assert json.loads(met.out)["games"] == 1


def test_what_is_for_programs_is_json(run: Run) -> None:
    assert [game["name"] for game in json.loads(run("games", "--json").out)] == [
        "chariot_race",
        "charioteer",
        "chariots",
    ]
    assert json.loads(run("replay", "race.json", "--json").out)["game"] == "chariots"
    assert json.loads(run("scenario", "scenario.toml", "--json").out)["failed"] == 0
    shares: Any = json.loads(
        run("arena", "chariots", "--bots", "greedy,novice", "--games", "2", "-n", "2", "--jobs", "1", "--json").out
    )
    assert shares["games"] == 2


def test_a_scenario_that_differs_ends_with_one(run: Run, workplace: Path) -> None:
    text = (workplace / "scenario.toml").read_text(encoding="utf-8")
    changed = re.sub(r"(^\[\[?then.*?\n)", r"\1seat = 99\n", text, count=1, flags=re.MULTILINE)
    (workplace / "changed.toml").write_text(changed, encoding="utf-8")
    said = run("scenario", "changed.toml", "scenario.toml")
    assert said.code in (1, 2)
    assert "Traceback" not in said.out + said.err


# ---------------------------------------------------------------- wrong input

WRONG: list[tuple[str, str]] = [
    ("nothing", "No such command 'nothing'"),
    ("--nothing", "No such option: --nothing"),
    ("games more", "unexpected extra argument"),
    ("play --port 70000", "'--port'.*65535"),
    ("race", "Missing argument 'GAME'"),
    ("race ludo", "there is no game 'ludo'; there are chariot_race, charioteer, chariots"),
    ("race chariots -o laps=99", "option laps is a number from 1 to 10, not 99"),
    ("race chariots -o laps", "'laps' is not NAME=VALUE with one of laps, "),
    ("race chariots -n 9", "Chariots is for 2 to 4 players, not 9"),
    ("race chariots --people 7", "7 people cannot sit on 4 seats"),
    ("race chariots --bot deep-blue", "there is no bot 'deep-blue'; there are wanderer, "),
    ("race chariots --seed xyz", "a seed is 64 hexadecimal digits"),
    ("race chariots --save missing/race.json", "the record cannot be written: there is no folder missing"),
    ("bots --language fr", "language 'fr' is not one of en, es"),
    ("race chariots --language fr", "language 'fr' is not one of en, es"),
    ("race chariots --components nonsense.txt", "nonsense.txt: line 1: is not TOML"),
    ("join chariots", "'chariots' is no link to a table: it looks like https://HOST/t/TABLE"),
    ("join http://127.0.0.1:9/t/abc", "http://127.0.0.1:9 cannot be reached: Connection refused"),
    ("serve --settings missing.toml", "missing.toml: cannot be read: No such file"),
    ("serve --settings nonsense.txt --check", "nonsense.txt: is not TOML"),
    ("serve --check --database mysql://host/name", "the database is a file, sqlite:///FILE or postgresql://"),
    ("arena chariots", "Missing option '--bots'"),
    ("arena chariots --bots deep-blue,greedy", "there is no bot 'deep-blue'"),
    ("arena chariots --bots os:nothing,greedy", "there is no bot 'os:nothing'"),
    ("ladder chariots --resume race.json", "race.json: File exists"),
    ("ladder chariots --exploiter missing.npz", "there is no file"),
    ("ladder chariots --exploiter race.json --level champion", "leave --level and --champion-seconds out"),
    ("arena chariots --bots champion@missing.npz,greedy", "there is no file"),
    ("ladder chariots --searcher-seconds 1", "add --champion-seconds"),
    ("ladder chariots --champion-seconds 1 --level greedy", "leave --level and --iterations out"),
    ("ladder chariots --level deep-blue", "'deep-blue' stands above no other level"),
    ("simulate chariots --bots champion", "'champion' cannot be simulated"),
    ("simulate chariots --device tpu", "there is no device 'tpu'; there are cpu and cuda"),
    ("compare empty empty", "empty holds no simulation"),
    ("backup second.gz --database missing.sqlite", "there is no database missing.sqlite"),
    ("restore nonsense.txt --database new.sqlite", "nonsense.txt: cannot be read: that is no backup"),
    ("restore missing.gz --database new.sqlite", "missing.gz: cannot be read: No such file or directory"),
    ("reports --database missing.sqlite", "there is no database missing.sqlite"),
    ("records races --database missing.sqlite", "there is no database missing.sqlite"),
    ("records races --game ludo", "there is no game 'ludo'"),
    ("replay missing.json", "missing.json: cannot be read: No such file"),
    ("replay nonsense.txt", "nonsense.txt: line 1: is not JSON"),
    ("replay other.json", "other.json: is not a record"),
    ("replay race.json --step 999", "there is no step 999; there are 0 to "),
    ("analyse race.json --depth bottomless", "there is no depth 'bottomless'; there are quick, standard, deep"),
    ("picture race.json -o board.bmp", "a picture is a .svg, .png, .gif or .webp file, not board.bmp"),
    ("picture race.json -o board.svg --step 999", "there is no step 999"),
    ("picture race.json -o board.svg --seat 9", "there is no seat 9; there are seats 0 to 1"),
    ("picture race.json -o missing/board.svg", "missing/board.svg"),
    ("scenario empty", "there are no scenarios in empty"),
    ("components ludo", "there is no game 'ludo'"),
    ("components chariots --check nonsense.txt", "nonsense.txt: line 1: is not TOML"),
    ("components chariots --write race.json", "race.json exists already; choose another file"),
    ("fuzz chariots -o laps=99", "option laps is a number from 1 to 10, not 99"),
    ("warmup ludo", "there is no game 'ludo'"),
    ("train chariots", "Missing option '--folder'"),
    ("train chariots --folder trained --device tpu", "there is no device 'tpu'; there are auto, cpu, cuda"),
    ("train-value chariots", "Missing option '--folder'"),
    ("train-value chariots --folder valued --device tpu", "there is no device 'tpu'; there are auto, cpu, cuda"),
    ("train-value chariots --folder valued --start nonsense.txt", "the weights of Chariots cannot be read: that is no"),
    ("train-value chariots --folder valued --hidden 4 64", "'--hidden'"),
    ("train-value chariots --folder valued --largest-weight 2", "'--largest-weight'"),
    ("improve chariots", "Missing option '--folder'"),
    ("improve chariots --folder better --device tpu", "there is no device 'tpu'; there are auto, cpu, cuda"),
    ("reinforce chariots", "Missing option '--folder'"),
    ("reinforce chariots --folder raced --device tpu", "there is no device 'tpu'; there are auto, cpu, cuda"),
    (
        "reinforce chariots --folder raced --start nonsense.txt",
        "the weights of Chariots cannot be read: that is no file",
    ),
    ("calibrate chariots --weights nonsense.txt", "the weights of Chariots cannot be read: that is no file of weights"),
    ("bench nothing", "No such command 'nothing'"),
    ("bench --game ludo", "there is no game 'ludo'"),
    ("bench sim --game ludo", "there is no game 'ludo'"),
    ("bench start --game ludo", "there is no game 'ludo'"),
    ("bench server --rate -1", "a rate is from 1 to 5000 choices a second, not -1"),
    ("bench kill --times 0", "'--times'"),
    ("bench soak --minutes 0", "'--minutes'"),
    ("bench attack --seconds 0", "'--seconds'"),
    ("bench gpu --seconds 0", "'--seconds'"),
    ("gpu-check --games 0", "'--games'"),
    ("bench analyses --count 0", "'--count'"),
    ("puzzles nothing", "No such command 'nothing'"),
    ("puzzles mine ludo --folder mined", "there is no game 'ludo'"),
    ("puzzles merge chariots missing.jsonl --folder merged", "missing.jsonl"),
    ("puzzles check chariots --file nonsense.txt", "nonsense.txt: it is no file of puzzles"),
    ("puzzles show chariots 9999", "there is no puzzle 9999; there are 150"),
]


def test_every_command_has_wrong_input() -> None:
    tried = {tuple(line.split()[:size]) for line, _ in WRONG for size in (1, 2)}
    assert set(COMMANDS) <= tried


@pytest.mark.parametrize(("line", "expected"), WRONG, ids=[line for line, _ in WRONG])
def test_wrong_input_is_refused_in_one_line(line: str, expected: str, run: Run, workplace: Path) -> None:
    before = {path.name for path in workplace.iterdir()}
    said = run(*line.split())
    assert (said.code, said.out) == (2, "")
    assert said.err.count("\n") == 1
    assert said.err.startswith("quadriga: ")
    assert re.search(expected, said.err), said.err
    assert {path.name for path in workplace.iterdir()} == before, "nothing is left behind"


def test_a_bad_record_among_others_is_named_once(run: Run) -> None:
    said = run("analyse", "other.json")
    assert (said.code, said.out) == (1, "")
    assert said.err == "quadriga: other.json: is not a record: it has no format\n"


def test_a_faulty_scenario_is_named_and_stops_no_other(run: Run) -> None:
    said = run("scenario", "nonsense.txt", "scenario.toml")
    assert (said.code, said.err) == (1, "")
    assert said.out.startswith("nonsense.txt: line 1: is not TOML")
    assert said.out.endswith("1 passed, 1 failed\n")
