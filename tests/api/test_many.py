"""Many races through the public interface: tournaments, simulations, records, Arrow tables."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import quadriga

RECORDS = Path(__file__).parents[1] / "records"


def last(view: quadriga.View, choices: Sequence[quadriga.Choice]) -> str:
    return choices[-1]


def broken(view: quadriga.View, choices: Sequence[quadriga.Choice]) -> str:
    raise ValueError("no idea")


def test_functions_and_levels_race_each_other() -> None:
    result = quadriga.tournament("chariots", [last, "veteran"], races=10)
    assert (result.races, result.players, result.faults) == (10, 2, ())
    assert result["veteran"].wins + result["last"].wins == 10
    assert result["veteran"].share > result["last"].share
    assert str(result).splitlines()[1].startswith("veteran  won")
    with pytest.raises(KeyError, match="no bot 'greedy' took part"):
        result["greedy"]


def test_a_tournament_is_the_same_with_the_same_seed() -> None:
    first, second = (quadriga.tournament("chariot_race", ["greedy", "novice"], races=8, seed=3) for _ in range(2))
    assert [(score.name, score.wins) for score in first.scores] == [(score.name, score.wins) for score in second.scores]


def test_a_bot_that_fails_is_reported() -> None:
    result = quadriga.tournament("chariots", [broken, "novice"], races=2)
    assert result["broken"].wins == 0
    assert result.faults[0].endswith("broken: ValueError: no idea")


def test_bots_of_one_name_are_refused() -> None:
    def named() -> quadriga.BotFunction:
        def twin(view: quadriga.View, choices: Sequence[quadriga.Choice]) -> str:
            return choices[0]

        return twin

    with pytest.raises(quadriga.InvalidOption, match="two bots are called 'twin'"):
        quadriga.tournament("chariots", [named(), named()], races=2)
    with pytest.raises(quadriga.InvalidOption, match="there is no bot 'twin'"):
        quadriga.tournament("chariots", ["twin", "novice"], races=2)


def test_a_simulation_has_rows_and_is_an_arrow_table() -> None:
    races = quadriga.simulate("charioteer", bots=["veteran", "greedy"], races=20, players=2)
    assert len(races) == len(races.rows) == 20
    assert races.rows[3]["race"] == races.column("race")[3] == 3
    assert {races.rows[0]["bot_0"], races.rows[0]["bot_1"]} == {"veteran", "greedy"}
    table = races.to_arrow()
    assert table.to_pylist() == races.rows
    assert str(table.schema.field("steps").type) == "int64"


def test_records_are_loaded_and_become_tables(tmp_path: Path) -> None:
    races = list(quadriga.load_records(RECORDS / "chariots"))
    assert len(races) == len(list((RECORDS / "chariots").glob("*.json")))
    table = quadriga.to_arrow(races)
    assert table.column("winner").to_pylist() == [race.winner for race in races]
    assert table.column("places")[0].as_py() == [
        place for _, place in sorted((standing.seat, standing.place) for standing in races[0].standings)
    ]
    events = quadriga.events_to_arrow(races[:2])
    assert events.num_rows == sum(len(race.events()) for race in races[:2])
    assert races[0].to_arrow().column("text").to_pylist() == races[0].log()


def test_a_broken_record_stops_loading_or_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}", encoding="utf-8")
    (tmp_path / "b.json").write_text(quadriga.Race("chariots", seed=1).to_json(), encoding="utf-8")
    with pytest.raises(quadriga.InvalidFile, match="is not a record"):
        list(quadriga.load_records(tmp_path))
    assert len(list(quadriga.load_records([tmp_path], skip_errors=True, progress=True))) == 1


def test_a_missing_library_is_said_in_one_line() -> None:
    code = """
import sys
sys.modules["pyarrow"] = None
import quadriga
try:
    quadriga.Race("chariots", seed=1).to_arrow()
except quadriga.MissingExtra as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == 'pyarrow is not installed: pip install "quadriga[data]"\n'
