"""Simulations: rows that do not depend on who plays them, a folder that survives, a page that counts right."""

import json
import re
import subprocess
import sys
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from pyarrow import parquet
from typer.testing import CliRunner

import quadriga
from quadriga import games
from quadriga.arena import folder as folders
from quadriga.arena.compare import compare, read_tally
from quadriga.arena.comparisons import difference_chance, holm, share_chance
from quadriga.arena.executors import ProcessExecutor, SerialExecutor
from quadriga.arena.folder import PAGE, PARQUET, PLAN, ROWS, Folder
from quadriga.arena.notes import notes_of
from quadriga.arena.report import bins, page
from quadriga.arena.simulation import BLOCK, Simulation, check, columns, simulate
from quadriga.cli import app
from quadriga.core.errors import InvalidOption, QuadrigaError


def plan(name: str = "chariots", races: int = 6, *bots: str) -> Simulation:
    return Simulation(name, bots or ("veteran", "novice", "wanderer"), races, 3, options={"limit": 20})


def told(tour: Simulation) -> list[dict[str, object]]:
    rows = (row for block in simulate(tour, 0, SerialExecutor()) for row in block)
    return [dict(zip(columns(tour), row, strict=True)) for row in rows]


@pytest.mark.parametrize("name", games.NAMES)
def test_a_row_tells_a_race(name: str) -> None:
    rows = told(plan(name))
    assert [row["race"] for row in rows] == list(range(6))
    assert [row["bot_0"] for row in rows[:3]] == ["veteran", "novice", "wanderer"]
    for row in rows:
        assert int(str(row["steps"])) > 0
        assert row["reason"]
        assert sorted(int(str(row[f"place_{seat}"])) for seat in range(3))[0] in (1, 2)
        assert all(isinstance(row[column], kind) for column, kind in columns(plan(name)).items())


def test_charioteer_says_where_the_spaces_came_from() -> None:
    for row in told(Simulation("charioteer", ("veteran",), 4, 4)):
        for seat in range(4):
            made = [row[f"spaces_{colour}_{seat}"] for colour in ("green", "red", "yellow", "black")]
            start = -4  # CH-6
            assert sum(map(int, map(str, made))) == int(str(row[f"spaces_{seat}"])) - start
            assert sorted(str(row[f"skills_{seat}"])) == sorted("GRYB")
            assert int(str(row[f"tokens_{seat}"])) <= int(str(row[f"fans_earned_{seat}"]))
            assert int(str(row[f"own_tokens_{seat}"])) <= 5


@pytest.mark.parametrize("name", games.NAMES)
def test_luck_is_even_in_the_long_run(name: str) -> None:
    """Not so were it to grow with play: over all seats it is small beside what single seats have."""
    tour = Simulation(name, ("greedy",), 60, 4, seed=2, options={"limit": 20})
    luck = [float(str(row[f"luck_{seat}"])) for row in told(tour) for seat in range(4)]
    mean = sum(luck) / len(luck)
    spread = (sum((one - mean) ** 2 for one in luck) / len(luck)) ** 0.5
    assert spread > 0.5
    assert abs(mean) < 4 * spread / len(luck) ** 0.5


def test_processes_play_the_same_races() -> None:
    tour = plan("chariots", 3 * BLOCK + 10)
    with ProcessExecutor(2) as executor:
        assert list(simulate(tour, 0, executor)) == list(simulate(tour, 0, SerialExecutor()))


def test_a_process_that_is_ended_ends_the_simulation_with_a_sentence() -> None:
    with ProcessExecutor(1) as executor:
        blocks = simulate(plan("chariots", 100 * BLOCK), 0, executor)
        next(blocks)
        executor.busy[next(iter(executor.busy))][0].process.kill()
        with pytest.raises(QuadrigaError, match="the same command goes on from there"):
            list(blocks)


def files(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in (PLAN, ROWS, PARQUET, PAGE)}


def test_a_simulation_that_is_killed_goes_on(tmp_path: Path) -> None:
    """kill -9 in the middle, then the same command: the files are those of a run that nobody disturbed."""
    options = ["--bots", "greedy,novice", "--games", "3000", "--seats", "2", "-o", "laps=1", "--jobs", "1"]
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    command = [sys.executable, "-m", "quadriga", "simulate", "chariots", *options, "--folder", str(killed)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and not ((killed / ROWS).exists() and (killed / ROWS).stat().st_size > 10_000):
        time.sleep(0.005)
    process.kill()
    process.wait()
    kept = (killed / ROWS).read_bytes().count(b"\n")
    assert 1 < kept < 3001
    assert not (killed / PAGE).exists()
    with (killed / ROWS).open("ab") as rows:
        rows.write(b"9,41")
    for folder in (killed, whole):
        done = CliRunner().invoke(app, ["simulate", "chariots", *options, "--folder", str(folder)])
        assert done.exit_code == 0
    assert files(killed) == files(whole)


def test_parquet_and_csv_say_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tour = plan("chariots", 40)
    kept = Folder(tour, tmp_path)
    for block in simulate(tour, 0, SerialExecutor()):
        kept.add(block)
    monkeypatch.setattr(folders, "GROUP", 1500)
    kept.write_parquet()
    file = parquet.ParquetFile(tmp_path / PARQUET)
    assert file.metadata.num_row_groups > 1
    rows = file.read().to_pylist()
    assert [{name: str(cell) for name, cell in row.items()} for row in rows] == list(kept.rows())


def test_without_pyarrow_a_sentence_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "find_spec", lambda name: None)
    command = ["simulate", "chariots", "--games", "2", "-o", "laps=1", "--jobs", "1", "--folder", str(tmp_path)]
    done = CliRunner().invoke(app, command)
    assert 'for Parquet: pip install "quadriga[data]"' in done.stderr
    assert (tmp_path / ROWS).exists()
    assert not (tmp_path / PARQUET).exists()


def test_a_folder_begun_and_broken_off_at_once_goes_on(tmp_path: Path) -> None:
    Folder(plan(), tmp_path)
    (tmp_path / ROWS).write_bytes(b"race,ste")
    assert Folder(plan(), tmp_path).played == 0
    assert (tmp_path / ROWS).read_text(encoding="utf-8").startswith("race,steps,stretches")
    (tmp_path / ROWS).unlink()
    assert Folder(plan(), tmp_path).played == 0


def row_of(number: int, winner: int) -> dict[str, str]:
    """A race of two seats at Chariots, made up."""
    row = {"race": str(number), "steps": "50", "stretches": "12", "lead_changes": str(number), "reason": "won"}
    for seat in range(2):
        won = seat == winner
        row |= {f"bot_{seat}": "greedy", f"place_{seat}": "1" if won else "2", f"laps_{seat}": "3" if won else "2"}
        row |= {f"{name}_{seat}": "0" for name in ("spaces", "damage", "pushed", "tokens", "control_rolls")}
        row |= {f"luck_{seat}": "1.25" if won else "-1.25"}
    return row


def test_the_page_counts_what_the_rows_say() -> None:
    told = page(Simulation("chariots", ("greedy",), 4, 2), [row_of(n, 0 if n < 3 else 1) for n in range(4)])
    assert "<b>4</b> races" in told
    assert ">75.0 %</text>" in told
    assert ">30.1 – 95.4</text>" in told
    assert "<tr><th>laps<td>3.00<td>2.00" in told
    assert "<b>1.5</b> lead changes a race" in told
    assert ">4</text>" in told, "counts stand beside bars"
    assert f"Quadriga {quadriga.__version__} on {datetime.now(UTC).date()}" in told
    for axis in ("share of wins", "share of races", "phases", "lead changes", "count"):
        assert f">{axis}</text>" in told, f"no axis says {axis}"
    assert " *</text>" not in told, "three of four is no more than chance"


def test_bots_are_split_and_clear_shares_are_marked() -> None:
    rows = [row_of(n, n % 10 == 0) | {"bot_1": "novice"} for n in range(400)]
    told = page(Simulation("chariots", ("greedy", "novice"), 400, 2), rows)
    for title in ("Wins by luck: greedy", "Luck: novice", "Bots, on average"):
        assert f"<h2>{title}</h2>" in told
    assert "<tr><th>seats<td>400<td>400" in told
    assert ">90.0 % *</text>" in told
    assert ">400</text>" in told


def test_the_names_of_stripes_have_room_and_a_bot_that_never_won_no_stripe() -> None:
    bots = ("daredevil", "novice")
    rows = told(Simulation("charioteer", bots, 4, 2, options={"laps": 1, "limit": 20}))
    for row in rows:
        by_bot = {row[f"bot_{seat}"]: seat for seat in (0, 1)}
        for place, bot in enumerate(bots, 1):
            row[f"place_{by_bot[bot]}"] = place
    shown = page(
        Simulation("charioteer", bots, 4, 2), [{name: str(cell) for name, cell in row.items()} for row in rows]
    )
    (card,) = re.findall(r"<h2>Distance by colour</h2>.*?</svg>", shown)
    names = re.findall(r'<text x="([\d.]+)" y="[\d.]+" class="end">([^<]+)<', card)
    assert [name for _, name in names] == ["winners", "others", "daredevil, winners", "novice, others"]
    assert all(float(end) > 7 * len(name) for end, name in names)


def test_holm_corrects_for_the_number_of_comparisons() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []
    assert share_chance(60, 100, 0.5) == pytest.approx(0.0455, abs=1e-4)
    assert difference_chance((60, 100), (45, 100)) == pytest.approx(0.0337, abs=1e-4)


def written(folder: Path, bots: tuple[str, ...], rows: list[dict[str, str]]) -> Path:
    """A folder with made-up rows."""
    folder.mkdir()
    (folder / PLAN).write_bytes(msgspec.json.encode(Simulation("chariots", bots, len(rows), 2)))
    lines = [",".join(rows[0]), *(",".join(row.values()) for row in rows)]
    (folder / ROWS).write_text("\n".join(lines) + "\n1,2", encoding="utf-8")
    return folder


def test_two_folders_are_compared(tmp_path: Path) -> None:
    a = written(tmp_path / "a", ("greedy",), [row_of(n, n % 2) for n in range(200)])
    b = written(tmp_path / "b", ("greedy",), [row_of(n, n % 10 == 0) for n in range(200)])
    command = ["compare", str(a), str(b), "--page", str(tmp_path / "page.html")]
    found = json.loads(CliRunner().invoke(app, [*command, "--json"]).stdout)
    seat = next(one for one in found if one["what"] == "wins, seat 1")
    assert (seat["first"], seat["second"], seat["counts"], seat["clear"]) == (0.5, 0.9, [200, 200], True)
    assert seat["low"] < 0.4 < seat["high"]
    same = next(one for one in found if one["what"] == "phases a race")
    assert (same["difference"], same["clear"]) == (0, False)
    assert "90.0 %" in CliRunner().invoke(app, command).stdout
    told = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "+40.0" in told
    assert "Holm" in told


def test_what_cannot_be_compared_is_said(tmp_path: Path) -> None:
    a = written(tmp_path / "a", ("greedy",), [row_of(0, 1)])
    with pytest.raises(InvalidOption, match="holds no simulation"):
        read_tally(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / PLAN).write_bytes((a / PLAN).read_bytes())
    (tmp_path / "empty" / ROWS).write_text("race\n", encoding="utf-8")
    with pytest.raises(InvalidOption, match="no races yet"):
        read_tally(tmp_path / "empty")
    other = read_tally(a)
    other.plan = Simulation("charioteer", ("greedy",), 1, 2)
    with pytest.raises(InvalidOption, match="different games"):
        compare(read_tally(a), other)


@pytest.mark.parametrize("name", games.NAMES)
def test_the_page_is_whole_and_fetches_nothing(name: str) -> None:
    tour = Simulation(name, ("veteran", "novice"), 30, 4, options={"limit": 20})
    rows = [{column: str(cell) for column, cell in row.items()} for row in told(tour)]
    drawn = page(tour, rows)
    assert not re.search(r"(src|href)=|url\(|@import", drawn)
    for title in (
        "Wins by seat",
        "Wins by bot",
        "Length",
        "Lead changes",
        "Wins by luck",
        notes_of(games.load(name)).words["luck"][1],
    ):
        assert title.replace("'", "&#x27;") in drawn
    assert ("Distance by colour" in drawn) == ("Wins by skills card" in drawn) == (name == "charioteer")


def test_bins_lump_the_rare_ends() -> None:
    found = bins(Counter({-9: 1, **dict.fromkeys(range(24), 100), 90: 1}))
    assert [label for label, _ in found][:2] == ["≤1", "2…3"]
    assert found[-1][0] == "≥22"
    assert [value for _, values in found for value in values] == list(range(-9, 91))


def test_another_simulation_is_refused(tmp_path: Path) -> None:
    Folder(plan(), tmp_path)
    with pytest.raises(InvalidOption, match="another simulation"):
        Folder(plan("chariots", 7), tmp_path)
    (tmp_path / PLAN).write_text("horses", encoding="utf-8")
    with pytest.raises(InvalidOption, match="holds no simulation"):
        Folder(plan(), tmp_path)


def test_champion_is_too_slow_for_it() -> None:
    with pytest.raises(InvalidOption, match="'champion' cannot be simulated"):
        check(plan("chariots", 1, "champion"))
