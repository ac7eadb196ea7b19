"""`quadriga analyse`: what it prints, its JSON, its page, and a folder that goes on."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from quadriga.api.race import Race
from quadriga.cli import app

QUICK = ("--scale", "0.2", "--jobs", "1", "--language", "en")


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("records") / "race.json"
    Race("chariots", players=["Ana <b>", "Ben", "Cleo"], options={"laps": 1}, seed=3).run("novice").save(file)
    return file


def analyse(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["analyse", *map(str, arguments)])


def test_json_adds_up_and_can_be_repeated(record: Path) -> None:
    once, again = analyse(record, *QUICK, "--json"), analyse(record, *QUICK, "--json")
    assert once.exit_code == 0
    assert once.stdout == again.stdout
    told = json.loads(once.stdout)
    assert (told["format"], told["file"], len(told["record"])) == (1, str(record), 64)
    for account in told["analysis"]["accounts"]:
        assert account["start"] + account["skill"] + account["luck"] + account["rivals"] == account["result"]


def test_the_terminal_shows_luck_and_skill_and_what_cost_most(record: Path) -> None:
    shown = analyse(record, *QUICK).stdout
    for word in ("skill", "luck", "rivals", "Cleo", "better:"):
        assert word in shown
    assert "habilidad" in analyse(record, *QUICK[:-1], "es").stdout


def test_a_page_is_whole_and_names_are_no_markup(record: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert analyse(record, *QUICK, "--html", page).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert "Ana &lt;b&gt;" in text
    assert "Ana <b>" not in text
    assert text.count("<polygon") == 3
    assert "http" not in text, "nothing is fetched"


def test_a_folder_goes_on_with_what_is_missing(record: Path, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    first = analyse(record, *QUICK, "--folder", folder, "--json").stdout
    (kept,) = folder.iterdir()
    changed = kept.stat().st_mtime_ns
    assert analyse(record, *QUICK, "--folder", folder, "--json").stdout == first
    assert kept.stat().st_mtime_ns == changed
    kept.write_text("{ half of a file", encoding="utf-8")
    assert analyse(record, *QUICK, "--folder", folder, "--json").stdout == first
    assert kept.read_text(encoding="utf-8") == first


def test_one_bad_record_does_not_stop_the_others(record: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{}", encoding="utf-8")
    running = Race("chariots", players=2, seed=1).run("greedy", steps=2)
    running.save(tmp_path / "running.json")
    (tmp_path / "good.json").write_text(record.read_text(encoding="utf-8"), encoding="utf-8")
    done = analyse(tmp_path, *QUICK, "--json")
    assert done.exit_code == 1
    assert [json.loads(line)["file"] for line in done.stdout.splitlines()] == [str(tmp_path / "good.json")]
    assert "bad.json" in done.stderr
    assert "the race is not over" in done.stderr


def test_seconds_say_which_scale_repeats_them(record: Path) -> None:
    done = analyse(record, "--seconds", "1", "--jobs", "1", "--json")
    scale = done.stderr.split("--scale ")[1].split()[0]
    again = analyse(record, "--scale", scale, "--jobs", "1", "--json")
    assert again.stdout == done.stdout
