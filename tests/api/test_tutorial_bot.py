"""The tutorial's bot beats veteran, by the figures that its page names."""

import re
from pathlib import Path
from typing import Any

import pytest

import quadriga

PAGE = (Path(__file__).parents[2] / "docs" / "tutorials" / "a-bot.md").read_text(encoding="utf-8")
CLAIM = re.compile(r"`advised` won (\d+) of (\d+) races, (\d+) %, with a 95 % interval of (\d+) to (\d+) %")


def test_the_page_claims_more_than_half_with_its_interval() -> None:
    claim = CLAIM.search(PAGE)
    assert claim
    wins, races, share, low, high = map(int, claim.groups())
    assert round(100 * wins / races) == share
    assert 50 < low < share < high


@pytest.mark.long
def test_the_races_of_the_page_end_as_it_says() -> None:
    claim = CLAIM.search(PAGE)
    assert claim
    wins, races = int(claim[1]), int(claim[2])
    names: dict[str, Any] = {}
    block = re.search(r"^def advised.*?(?=^$\n^print)", PAGE, re.MULTILINE | re.DOTALL)
    assert block
    exec(block[0], {"quadriga": quadriga}, names)
    short = {"two_chariots": False, "laps": 1}
    result = quadriga.tournament("chariots", [names["advised"], "veteran"], races=races, options=short, seed=3)
    assert result["advised"].wins == wins
    assert result["advised"].low > 0.5
