"""Pictures of races: well-formed, complete, in both languages, without what the seat cannot see."""

import re
import subprocess
import sys
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

import quadriga
from quadriga import games
from quadriga.api import pictures
from quadriga.pictures import drawing
from quadriga.pictures.art import PALETTE
from quadriga.pictures.scene import Scene

CASES = [(name, seats) for name in games.NAMES for seats in games.meta(name).seats]
CHARIOT = "M-16.5-7.4C"
"""How the drawing of a chariot's body begins."""


def scene_of(race: quadriga.Race, monkeypatch: pytest.MonkeyPatch) -> Scene:
    found: list[Scene] = []

    def keep(scene: Scene) -> str:
        found.append(scene)
        return ""

    monkeypatch.setattr(pictures, "draw", keep)
    race.svg()
    return found[0]


@pytest.mark.parametrize(("name", "seats"), CASES)
def test_a_picture_is_well_formed_and_shows_everybody(name: str, seats: int) -> None:
    race = quadriga.Race(name, players=[f"Player <{n}> & Co" for n in range(seats)], seed=seats)
    for steps in (0, 15, None):
        svg = race.run("greedy", steps=steps).svg(seat=0)
        root = ElementTree.fromstring(svg)
        texts = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
        assert all(f"Player <{n}> & Co" in texts for n in range(seats))
        assert len(svg) < 150_000
        assert not re.search(r"(?:None|nan|inf)\b", re.sub(r"<text.*?</text>", "", svg))


@pytest.mark.parametrize(
    ("name", "seats", "chariots"), [("chariots", 2, 4), ("charioteer", 5, 5), ("chariot_race", 2, 4)]
)
def test_every_chariot_is_drawn(name: str, seats: int, chariots: int) -> None:
    race = quadriga.Race(name, players=seats, seed=1)
    while name == "chariot_race" and race.view().phase in ("draft", "grid"):
        race.run("greedy", steps=1)
    assert race.svg().count(CHARIOT) == chariots


def test_words_are_in_the_language_asked_for() -> None:
    race = quadriga.Race("charioteer", players=2, seed=1).run("greedy", steps=1)
    assert "Step 1 · turn 2 · lap 1 of 3" in race.svg()
    assert "Paso 1 · turno 2 · vuelta 1 de 3" in race.svg(language="es")
    with pytest.raises(quadriga.InvalidOption, match="language 'fr'"):
        race.svg(language="fr")


def test_a_hand_is_drawn_for_its_seat_alone() -> None:
    race = quadriga.Race("charioteer", players=3, seed=1)
    assert ">Hand<" in race.svg(seat=1)
    assert ">Hand<" not in race.svg()
    assert race.svg(seat=1) != race.svg(seat=2)


def test_coins_that_are_laid_face_down_stay_so_for_others() -> None:
    races = []
    for plot in ("plot 2+3+4", "plot 2+5+4"):
        race = quadriga.Race("chariots", players=4, seed=1)
        race.play({0: plot, 1: "plot 3+4+5", 2: "plot 3+4+5", 3: "plot 3+4+5"})
        races.append(race)
    assert races[0].svg(seat=1) == races[1].svg(seat=1)
    assert races[0].svg() == races[1].svg()
    assert races[0].svg(seat=0) != races[1].svg(seat=0)


@pytest.mark.parametrize("name", games.NAMES)
def test_arrows_show_what_moved(name: str) -> None:
    race = quadriga.Race(name, players=3, seed=2).run("greedy")
    moves = {"stepped", "entered"}
    step = next(event.step for event in reversed(race.events()) if event.kind in moves)
    head = "M-9-9 9 0-9 9-5 0Z"
    assert head in race.at(step).svg()
    assert head not in race.at(0).svg()
    assert race.at(step).svg(since=max(0, step - 30)).count(head) >= race.at(step).svg().count(head)


def test_a_game_without_drawings_is_shown_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = scene_of(quadriga.Race("chariots", players=2, seed=1), monkeypatch)
    svg = drawing.draw(replace(scene, geometry={}))
    ElementTree.fromstring(svg)
    assert "lap 1 of 3" in svg
    assert CHARIOT not in svg


def test_notebooks_show_the_picture_and_shells_a_line() -> None:
    race = quadriga.Race("chariots", players=2, seed=1)
    assert race._repr_svg_() == race.svg()
    assert race._repr_mimebundle_() == {"image/svg+xml": race.svg(), "text/plain": repr(race)}


def test_a_png_has_the_width_asked_for() -> None:
    race = quadriga.Race("chariot_race", players=2, seed=1)
    assert Image.open(BytesIO(race.png(width=300))).size[0] == 300


@pytest.mark.parametrize("kind", ["gif", "webp"])
def test_a_race_becomes_a_moving_picture(kind: str, tmp_path: Path) -> None:
    race = quadriga.Race("charioteer", players=2, seed=1).run("greedy")
    race.animate(tmp_path / f"race.{kind}", width=200, frames=6)
    with Image.open(tmp_path / f"race.{kind}") as image:
        assert (getattr(image, "n_frames"), image.size[0]) == (6, 200)  # noqa: B009
    with pytest.raises(quadriga.InvalidOption, match=r"a moving picture is a \.gif or \.webp file"):
        race.animate(tmp_path / "race.mp4")


def test_frames_run_from_the_set_up_to_the_end() -> None:
    race = quadriga.Race("chariots", players=2, seed=1).run("greedy")
    steps = pictures.frame_steps(race, 20)
    assert (len(steps), steps[0], steps[-1]) == (20, 0, race.step)
    assert steps == sorted(set(steps))


@pytest.mark.parametrize("missing", ["resvg_py", "PIL.Image"])
def test_a_missing_library_is_said_in_one_line(missing: str) -> None:
    code = f"""
import sys
sys.modules[{missing!r}] = None
import quadriga
try:
    quadriga.Race("chariots", seed=1).animate("race.gif")
except quadriga.MissingExtra as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f'{missing} is not installed: pip install "quadriga[pictures]"\n'


@pytest.mark.parametrize(("file", "begins"), [("a.svg", b"<svg"), ("a.png", b"\x89PNG"), ("a.gif", b"GIF89a")])
def test_the_command_draws_a_record(file: str, begins: bytes, tmp_path: Path) -> None:
    quadriga.Race("charioteer", players=2, seed=1).run("greedy", steps=4).save(tmp_path / "race.json")
    command = [sys.executable, "-m", "quadriga", "picture", "race.json", "--step", "3", "-o", file]
    subprocess.run(command, cwd=tmp_path, check=True)
    assert (tmp_path / file).read_bytes().startswith(begins)


def test_the_command_refuses_another_kind_of_file(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "quadriga", "picture", "race.json", "-o", "board.bmp"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "quadriga: a picture is a .svg, .png, .gif or .webp file, not board.bmp\n"


@pytest.mark.parametrize("kind", ["gif", "webp"])
def test_small_things_keep_their_colours_in_a_moving_picture(kind: str, tmp_path: Path) -> None:
    race = quadriga.Race("chariots", players=3, options={"two_chariots": False}, seed=3).run("greedy", steps=4)
    race.animate(tmp_path / f"race.{kind}", width=500, frames=2)
    with Image.open(tmp_path / f"race.{kind}") as picture:
        picture.seek(1)
        shown = picture.convert("RGB").tobytes()
    purple = bytes.fromhex(PALETTE["purpurea"][1:])
    pixels = zip(shown[::3], shown[1::3], shown[2::3], strict=True)
    assert any(max(abs(a - b) for a, b in zip(pixel, purple, strict=True)) < 24 for pixel in pixels)
    assert min(shown[:3]) > 150, "no black corner"
