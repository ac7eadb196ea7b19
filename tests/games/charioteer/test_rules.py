"""Rules that a scenario cannot show well: reshuffles, changes of mind, invariants."""

from collections.abc import Callable
from typing import Any

import pytest

from quadriga.core.errors import IllegalAction
from quadriga.core.match import Match, Sitter
from quadriga.core.streams import new_stream
from quadriga.games.charioteer.actions import Reset
from quadriga.games.charioteer.invariants import INVARIANTS
from tests.games.charioteer.table import KEY, game, position, tables

NONE = -1


def nearly_drawn(left: int) -> Any:
    """A position of two seats with so many cards in the pile and all others discarded, one of them face down."""
    race = position(hand=[["G2G2R1"], ["G2G2R3"]])
    while race.pile_count > left:
        race.pile_count -= 1
        race.discard[race.discard_count] = race.pile[race.pile_count]
        race.pile[race.pile_count] = NONE
        race.discard_count += 1
    race.discard_by[3] = 1
    assert game().check(race) is None
    return race


def reset_both(race: Any, cards: int = 1) -> Any:
    choices = {seat: Reset(tuple(sorted(int(c) for c in race.hand[seat, :cards]))) for seat in range(2)}
    return game().apply(race, choices, new_stream(KEY, 1))


def test_ch_17_an_empty_pile_is_made_from_the_discards() -> None:
    race = nearly_drawn(2)
    discarded = int(race.discard_count)
    step = reset_both(race, cards=3)
    names = [told.event.name for told in step.events]
    assert names.index("reshuffled") < names.index("crowd_slid")
    shuffled = next(told.event for told in step.events if told.event.name == "reshuffled")
    assert shuffled.values() == (discarded + 6,)  # the played cards are among them, the crowd card not yet
    after = step.state
    assert int(after.pile_count) == discarded + 6 - 4 - 1
    assert int(after.discard_count) == 1
    assert int(after.discard[0]) == int(race.crowd[0])
    assert set(after.discard_by) == {NONE}


def test_ch_17_the_last_card_may_be_drawn_without_a_reshuffle() -> None:
    step = reset_both(nearly_drawn(3))
    assert "reshuffled" not in [told.event.name for told in step.events]
    assert int(step.state.pile_count) == 0
    assert "reshuffled" in [told.event.name for told in reset_both(step.state).events]


def test_ch_17_a_reshuffle_is_random() -> None:
    race = nearly_drawn(0)
    choices = {seat: Reset((int(race.hand[seat, 0]),)) for seat in range(2)}
    piles = {game().apply(race, choices, new_stream(KEY, seq)).state.pile.tobytes() for seq in range(10)}
    assert len(piles) == 10


def test_ch_2_a_choice_can_be_changed_until_the_last_is_in() -> None:
    match = Match(game(), [Sitter("A"), Sitter("B")], {}, bytes(32))
    first, second = (match.legal_actions(0)[i] for i in (0, 1))
    before = match.view(1).tobytes()
    assert not match.choose(0, first)
    assert not match.choose(0, second)
    assert match.view(1).tobytes() == before
    assert match.choose(1, match.legal_actions(1)[0])
    assert match.log[1].choices[0] == game().describe(second)  # type: ignore[union-attr]


def test_ch_1_no_two_players_have_the_same_skills_card() -> None:
    for number in range(50):
        markers = game().setup(6, {}, new_stream(KEY, number)).state.marker
        assert len({markers[seat].tobytes() for seat in range(6)}) == 6


def test_ch_1_every_skills_card_can_be_dealt() -> None:
    dealt = {game().setup(6, {}, new_stream(KEY, n)).state.marker[n % 6].tobytes() for n in range(300)}
    assert len(dealt) == 24


def test_ch_18_nobody_chooses_after_the_end() -> None:
    race = position(options={"laps": 1}, progress=[80, 60], hand=[["whip"], ["whip"]])
    whip = game().parse("reset whip")
    after = game().apply(race, {0: whip, 1: whip}, new_stream(KEY, 1)).state
    assert game().to_act(after) == ()
    with pytest.raises(IllegalAction):
        game().apply(after, {0: whip, 1: whip}, new_stream(KEY, 2))


def test_a_long_race_of_resets_is_stopped_by_the_limit() -> None:
    race = position(seats=6, options={"laps": 1, "limit": 30})
    for step in range(40):
        choices = {seat: Reset(tuple(sorted(int(c) for c in race.hand[seat, :3]))) for seat in game().to_act(race)}
        if not choices:
            break
        race = game().apply(race, choices, new_stream(KEY, step)).state
        assert game().check(race) is None
    result = game().result(race)
    assert result is not None
    assert (result.reason, int(race.turn)) == ("limit", 30)


def swap_places(race: Any) -> None:
    race.progress[race.order[0]] = race.progress[race.order[1]] - 1


def take_marker(race: Any) -> None:
    race.marker[0, :2] = tables().box


BREAKS: dict[int, Callable[[Any], None]] = {
    1: lambda race: race.hand.__setitem__((0, 0), race.hand[0, 1]),
    2: lambda race: race.bag.__setitem__(int(tables().token_kinds) - 1, 99),
    3: swap_places,
    4: lambda race: race.hand.__setitem__((0, 0), NONE),
    5: lambda race: race.attack.__setitem__(0, 4),
    6: take_marker,
    7: lambda race: race.played.__setitem__((0, 0), 0),
    8: lambda race: setattr(race, "turn", 0),
    9: lambda race: race.progress.__setitem__(int(race.order[0]), int(tables().lap) * (int(race.laps) + 2)),
}


@pytest.mark.parametrize("number", range(1, len(INVARIANTS)))
def test_each_invariant_is_noticed(number: int) -> None:
    race = position(progress=[5, 9], hand=[["G2G2R1", "G2G2R3"]])
    BREAKS[number](race)
    assert game().check(race) == INVARIANTS[number]


BOARD = """\
   0 |· · · · · · · ·
   8  o · o · o · o · o · o · o BA o ·
  24  · · · · · · · · · · · · · · · · · · · ·
  44  o · o · o · o · o · o · o · o ·
  60  C · · · · · · · · · · ·|
"""
LINES = {
    "en": """\
1. C space 60, lap 1 of 3 | damage 0+0 | G+0 R+0 Y+0 B+0 | tokens 0+0
2. B space 21, lap 1 of 3 | damage 4+1 | G+0 R+0 Y+0 B+0 | tokens 0+0
3. A space 21, lap 1 of 3 | damage 0+0 | G+3 R+1 Y+0 B+0 | tokens 1+3
turn 7 | crowd card R5R5Y0, then G2G2B1, G2G2B2 | emperor: corner
hand 1:G2G2R1  2:G2G2R3  3:G2G2R5  4:G2G2Y0  5:G2G2Y2  6:G2G2Y4  7:G2G2B0  8:whip
tokens +5 red, wild green, shield x2""",
    "es": """\
1. C casilla 60, vuelta 1 de 3 | daño 0+0 | G+0 R+0 Y+0 B+0 | fichas 0+0
2. B casilla 21, vuelta 1 de 3 | daño 4+1 | G+0 R+0 Y+0 B+0 | fichas 0+0
3. A casilla 21, vuelta 1 de 3 | daño 0+0 | G+3 R+1 Y+0 B+0 | fichas 1+3
turno 7 | carta de la plebe R5R5Y0, luego G2G2B1, G2G2B2 | emperador: curva
mano 1:G2G2R1  2:G2G2R3  3:G2G2R5  4:G2G2Y0  5:G2G2Y2  6:G2G2Y4  7:G2G2B0  8:látigo
fichas +5 roja, comodín verde, escudo x2""",
}


@pytest.mark.parametrize("language", LINES)
def test_the_race_as_text(language: str) -> None:
    race = position(
        seats=3, turn=7, progress=[21, 21, 60], order=[2, 1, 0], damage=[0, 4, 0], attack=[0, 1, 0], die="corner",
        marker=[{"green": "box-1", "red": "middle-2"}], crowd=["R5R5Y0", "G2G2B1", "G2G2B2"],
        hand=[["G2G2R1", "G2G2R3", "G2G2R5", "G2G2Y0", "G2G2Y2", "G2G2Y4", "G2G2B0", "whip"]],
        tokens=[{"+5-red": 1, "wild-green": 1, "shield": 2}],
    )  # fmt: skip
    assert game().draw(game().view(race, 0), language) == BOARD + LINES[language]
    assert game().draw(game().view(race, None), language) == BOARD + "\n".join(LINES[language].splitlines()[:-2])
