"""What the page of environments says, and the example that learns."""

import os
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from quadriga import games
from quadriga.core.observation import column, starts
from quadriga.envs.learnable import learnable, learnable_games
from quadriga.envs.reference import reference

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "environments.md"


def test_ids_and_observations_on_the_page_are_those_of_the_program() -> None:
    """To write them anew: REWRITE=1 .venv/bin/pytest tests/envs/test_page.py"""
    written = "\n".join(reference(games.load(name)) for name in learnable_games())
    text = PAGE.read_text(encoding="utf-8")
    first = games.meta(learnable_games()[0]).title
    head = text[: text.find(f"\n## {first}\n") + 1] or text
    if os.environ.get("REWRITE"):
        PAGE.write_text(head + written, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == head + written


PRINTS = (
    "came in at place 1 and earns 1.0",
    r"place \d from seat \d",
    "races that ended",
    r"\d+ ids may be chosen",
    r"\[\d+, .*\] \(412,\) \d+\n\w",
)
"""What each example of the page prints, in their order."""


@pytest.mark.parametrize(("number", "prints"), list(enumerate(PRINTS)))
def test_an_example_of_the_page_runs(number: int, prints: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    examples = [example for example in found if 'device="cuda"' not in example]
    assert len(examples) == len(PRINTS)
    exec(compile(examples[number], f"example {number}", "exec"), {})
    assert re.search(prints, capsys.readouterr().out)


@pytest.mark.parametrize("name", learnable_games())
def test_every_part_of_an_observation_can_be_found(name: str) -> None:
    layout = learnable(games.load(name)).observation.layout
    for part, at in starts(layout):
        inner = getattr(part, "parts", ())
        assert column(layout, part.name, 0, inner[0].name if inner else "") == at


def test_a_policy_that_has_learnt_a_little_beats_random_play() -> None:
    example: dict[str, Any] = runpy.run_path(str(ROOT / "examples" / "train.py"))
    learnt, untaught = (example["train"]("charioteer", updates, races=64) for updates in (20, 0))
    low, _ = example["measure"]("charioteer", learnt, 200).interval
    around = example["measure"]("charioteer", untaught, 200).interval
    assert around[0] < 0.5 < around[1] < low
