"""Files of puzzles: chosen with variety, packed with the same bytes every time, and those that are shipped."""

from pathlib import Path
from typing import Any

import pytest

from quadriga import games
from quadriga.core.errors import InvalidFile
from quadriga.core.exercise import Attempt
from quadriga.core.scenario import parse_scenario, run
from quadriga.core.text import LANGUAGES
from quadriga.puzzles.pack import FILE, MOST_BYTES, Pack, name_of, open_shipped, pack
from quadriga.puzzles.puzzle import Puzzle
from quadriga.puzzles.rating import EASIEST, HARDEST, Rating, first_rating, rate_answer
from quadriga.puzzles.selection import select

GAMES = ("charioteer", "chariot_race", "chariots")
SHIPPED = 150
TEXT = 'game = "chariots"\nabout = "-"\n[[then]]\n'


def made(**changes: Any) -> Puzzle:
    usual: dict[str, Any] = {
        "game": "chariots", "rules_version": 1, "seats": 2, "options": {}, "seed": "00", "seat": 0,
        "answers": ("stay",), "kind": "stay", "stage": 0, "chances": (1, 2), "chance": 0.5,
        "following": "step 6,1", "margin": 0.1, "error": 0.01, "found": {"greedy": 0.0, "champion": 1.0},
    }  # fmt: skip
    return Puzzle(**(usual | changes))


def test_near_duplicates_are_left_out_and_the_clearest_stays() -> None:
    clear, vague = made(margin=0.2), made(margin=0.1)
    assert select([vague, clear], 5) == [clear]
    assert len(select([clear, made(stage=1), made(seats=3), made(answers=("crash",))], 9)) == 4


def test_kinds_of_choice_take_turns() -> None:
    many = [made(kind="step", answers=(f"step {n}",), margin=0.3) for n in range(20)]
    few = [made(kind="plot", answers=(f"plot {n}",)) for n in range(3)]
    chosen = select([*many, *few], 8)
    assert [sum(puzzle.kind == kind for puzzle in chosen) for kind in ("plot", "step")] == [3, 5]


def test_puzzles_come_in_order_of_difficulty() -> None:
    easy, hard = made(found={"greedy": 1.0}), made(found={"greedy": 0.0}, stage=1)
    assert select([hard, easy], 2) == [easy, hard]
    assert (easy.stars, hard.stars) == (1, 5)


def test_the_same_puzzles_give_the_same_bytes(tmp_path: Path) -> None:
    files = [tmp_path / "one.zip", tmp_path / "two.zip"]
    for file in files:
        pack([TEXT, TEXT.replace("-", "x")], file)
    assert files[0].read_bytes() == files[1].read_bytes()
    opened = Pack(files[0], "one")
    assert opened.names == ("0001", "0002")
    assert opened.read("0002").text == TEXT.replace("-", "x")


def test_what_is_no_file_of_puzzles_is_refused(tmp_path: Path) -> None:
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"nothing")
    with pytest.raises(InvalidFile, match="no file of puzzles"):
        Pack(broken, "broken")
    pack([TEXT], tmp_path / "one.zip")
    with pytest.raises(InvalidFile, match="no puzzle 0002"):
        Pack(tmp_path / "one.zip", "one").read("0002")
    pack([TEXT + "#" * 200_000], tmp_path / "large.zip")
    with pytest.raises(InvalidFile, match="letters"):
        Pack(tmp_path / "large.zip", "large").read("0001")


def test_ratings_begin_with_the_difficulty_and_follow_answers() -> None:
    assert (first_rating(0.0).mu, first_rating(1.0).mu) == (EASIEST, HARDEST)
    solver, puzzle = rate_answer(Rating(), first_rating(0.5), True)
    assert solver.mu > Rating().mu
    assert puzzle.mu < first_rating(0.5).mu
    assert Rating().shown == 1500
    assert solver.sigma < Rating().sigma


# ---------------------------------------------------------------- what is shipped


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_puzzles_in_a_small_file(game: str) -> None:
    shipped = open_shipped(game)
    assert shipped is not None
    assert len(shipped) == SHIPPED
    assert (Path(games.__file__).parent / game / FILE).stat().st_size <= MOST_BYTES


@pytest.mark.parametrize("game", GAMES)
def test_every_puzzle_is_legal_and_its_answers_are_among_the_choices(game: str) -> None:
    shipped = open_shipped(game)
    assert shipped is not None
    kinds, stages, seats, seen = set(), set(), set(), set()
    for name in shipped.names:
        scenario = parse_scenario(shipped.read(name), games.load)
        assert run(scenario) == [], name
        attempt = Attempt(scenario)
        facts, loaded = attempt.exercise.facts, attempt.game
        assert facts["rules_version"] == loaded.meta.rules_version, name
        codes = loaded.legal_codes(attempt.state, attempt.seat)
        listed = [loaded.describe(loaded.unpack(int(code))) for code in codes]
        assert set(facts["answers"]) <= set(listed), name
        assert facts["following"] in set(listed) - set(facts["answers"]), name
        assert len(listed) == len(facts["chances"]) >= 4, name
        assert facts["margin"] >= 0.04, name
        best = max(facts["chances"])
        assert best <= round(100 * facts["chance"]) + 1, "no other choice looks better"
        assert attempt.ask is not None
        assert all(attempt.ask.right[language].strip() for language in LANGUAGES)
        kinds.add(facts["kind"])
        stages.add(facts["stage"])
        seats.add(scenario.seats)
        seen.add((attempt.state.tobytes(), attempt.seat))
    assert len(seen) == len(shipped), "no position comes twice"
    assert stages == {0, 1, 2}
    assert seats >= {2, 3}
    assert len(kinds) >= {"charioteer": 1, "chariots": 2, "chariot_race": 6}[game]


@pytest.mark.parametrize("game", GAMES)
def test_a_shipped_puzzle_can_be_read_by_its_number(game: str) -> None:
    shipped = open_shipped(game)
    assert shipped is not None
    assert shipped.names[0] == name_of(1)
