"""Simulations: rows that do not depend on who plays them, a folder that survives, a page that counts right."""

import csv
from pathlib import Path

import pytest

from quadriga import games
from quadriga.arena.report import ROWS, Folder
from quadriga.arena.simulation import BLOCK, Simulation, check, header, simulate
from quadriga.core.errors import InvalidOption


def plan(name: str = "chariots", races: int = 6, *bots: str) -> Simulation:
    return Simulation(name, bots or ("veteran", "novice", "wanderer"), races, 3, options={"limit": 20})


@pytest.mark.parametrize("name", games.NAMES)
def test_a_row_tells_a_race(name: str) -> None:
    (rows,) = simulate(plan(name), 0, 1)
    told = [dict(zip(header(plan(name)), row, strict=True)) for row in rows]
    assert [row["race"] for row in told] == list(range(6))
    assert [row["bot_0"] for row in told[:3]] == ["veteran", "novice", "wanderer"]
    for row in told:
        assert int(row["steps"]) > 0
        assert row["reason"]
        assert sorted(int(row[f"place_{seat}"]) for seat in range(3))[0] in (1, 2)


def test_processes_play_the_same_races() -> None:
    tour = plan("chariots", BLOCK + 10)
    assert list(simulate(tour, 0, 1)) == list(simulate(tour, 0, 2))


def test_a_simulation_goes_on_where_it_was_killed(tmp_path: Path) -> None:
    tour = plan("chariots", 20)
    whole = [row for block in simulate(tour, 0, 1) for row in block]
    Folder(tour, tmp_path).add(whole[:7])
    rows = tmp_path / ROWS
    rows.write_bytes(rows.read_bytes() + b"7,41")
    again = Folder(tour, tmp_path)
    assert again.played == 7
    for block in simulate(tour, again.played, 1):
        again.add(block)
    with rows.open(newline="", encoding="utf-8") as file:
        assert list(csv.reader(file))[1:] == [[str(cell) for cell in row] for row in whole]


def test_the_page_counts_what_the_rows_say(tmp_path: Path) -> None:
    tour = Simulation("chariots", ("greedy",), 4, 2)
    first: list[int | str] = ["greedy", 1, 3, 2]
    second: list[int | str] = ["greedy", 2, 2, 0]
    folder = Folder(tour, tmp_path)
    folder.add([[n, 50, 12, n, "won", *(first + second if n else second + first)] for n in range(4)])
    page = folder.report().read_text(encoding="utf-8")
    assert "4 races" in page
    assert ">25.0 % (4.6 – 69.9)</text>" in page
    assert "<td>laps<td>3.00<td>2.00" in page


def test_another_simulation_is_refused(tmp_path: Path) -> None:
    Folder(plan(), tmp_path)
    with pytest.raises(InvalidOption, match="another simulation"):
        Folder(plan("chariots", 7), tmp_path)


def test_champion_is_too_slow_for_it() -> None:
    with pytest.raises(InvalidOption, match="'champion' cannot be simulated"):
        check(plan("chariots", 1, "champion"))
