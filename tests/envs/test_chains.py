"""Chains of small choices lead to every choice that is allowed, and to no other."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from quadriga import games
from quadriga.core.chain import MOST_IDS
from quadriga.core.game import Game
from quadriga.envs.learnable import learnable
from quadriga.games.charioteer.actions import discard_token_of
from quadriga.games.chariots.actions import DO_CRASH
from tests.envs.positions import Position, every_game, positions
from tests.games.charioteer.table import position, random_races

LONGEST = 13


def discarders(game: Game) -> Any:
    """The discard tokens of Charioteer, as flags."""
    tables: Any = game.tables
    return tables.token_discard > 0


@every_game
def test_every_id_has_a_name_of_its_own(name: str) -> None:
    names = learnable(games.load(name)).chain.id_names
    assert len(set(names)) == len(names) <= MOST_IDS


def compared(at: Position, seat: int) -> list[int]:
    """The list of a seat, which is what chains lead to."""
    listed: list[int] = at.game.legal_codes(at.state, seat).tolist()
    assert sorted(at.wholes(seat)) == sorted(listed)
    return listed


@every_game
def test_chains_lead_to_the_listed_choices_each_once(name: str) -> None:
    met: set[int] = set()
    for number, at in enumerate(positions(name, every=3 if name == "chariots" else 7)):
        owing = at.game.to_act(at.state)
        seat = owing[number % len(owing)]
        if name == "charioteer":
            at.state.tokens[seat, discarders(at.game)] = 0
        met |= {code & 15 for code in compared(at, seat)}
        if name == "chariots" and DO_CRASH in met:
            at.state.extra = at.state.asking  # CT-12 a: too rare to be met at random
            met |= {code & 15 for code in compared(at, seat)}
    assert met == {kind.code for kind in at.game.definition.actions}


@every_game
def test_a_finished_chain_offers_nothing_and_none_is_long(name: str) -> None:
    random = np.random.default_rng(0)
    for at in positions(name, every=5):
        for seat in at.game.to_act(at.state):
            chain, length = 0, 0
            while following := at.links(seat, chain):
                chain, length = at.link(seat, chain, int(random.choice(following))), length + 1
            assert 1 <= length <= LONGEST
            assert at.game.refusal(at.state, seat, at.game.unpack(chain)) is None


def with_discards(at: Position, seat: int, listed: int) -> set[int]:
    """A listed choice with every discard that is not refused, by trying them all."""
    bare, game = at.game.unpack(listed), at.game
    found = {listed}
    for token in np.flatnonzero((at.state.tokens[seat] > 0) & discarders(game)):
        for count in range(1, 4):
            for places in combinations(range(8), count):
                fields = dict(zip((slot.name for slot in bare.slots), bare.values(), strict=True))
                whole = type(bare)(**fields | {"discard_token": int(token), "discards": places})
                if game.refusal(at.state, seat, whole) is None:
                    found.add(whole.pack())
    return found


def bare(code: int) -> int:
    """A choice of Charioteer without its discards."""
    action = games.load("charioteer").unpack(code)
    fields = dict(zip((slot.name for slot in action.slots), action.values(), strict=True))
    return type(action)(**fields | {"discard_token": -1, "discards": ()}).pack()


@pytest.mark.parametrize("seats", [2, 5])
def test_discards_of_charioteer_are_those_not_refused(seats: int) -> None:
    tried = 0
    for state in random_races(seats, 1, seed=70 + seats, laps=1)[0][1:-1:9]:
        at = Position(games.load("charioteer"), state)
        state.tokens[0, discarders(at.game)] = 1
        wholes = at.wholes(0)
        assert len(set(wholes)) == len(wholes)
        listed = at.game.legal_codes(state, 0).tolist()
        assert {bare(code) for code in wholes} == set(listed)
        for code in listed[:: max(1, len(listed) // 4)]:
            assert {whole for whole in wholes if bare(whole) == code} == with_discards(at, 0, code)
            tried += sum(discard_token_of(whole) >= 0 for whole in wholes)
    assert tried > 100


def test_cards_of_charioteer_are_places_of_the_hand() -> None:
    race = position(hand=[["G2G2R1", "whip", "G2G2R3"]], crowd=["Y0Y0B0"])
    at = Position(games.load("charioteer"), race)
    names = at.learnable.chain.id_names

    def follow(*ids: str) -> set[str]:
        chain = 0
        for each in ids:
            chain = at.link(0, chain, names.index(each))
        return {names[number] for number in at.links(0, chain)}

    assert "reset" in follow()
    assert "card 1" in follow("symbol 1")
    assert "card 2" not in follow("symbol 1", "card 3")
    assert "done" not in follow("symbol 1", "card 1")
    assert "card 3" in follow("symbol 1", "card 1")
