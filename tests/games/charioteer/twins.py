"""Twins of a race of Charioteer, by what CH-19 lists as hidden: hands, fan tokens, face-down discards, pile and bag."""

from collections.abc import Mapping
from random import Random
from typing import Any

from quadriga.core.game import Game
from quadriga.core.messages import Action
from quadriga.games.charioteer.actions import Move, Reset

HIDES = True
NONE = -1

Place = tuple[Any, int]
"""An array and an index in it: where a card lies."""


def deal_anew(game: Game, state: Any, seat: int | None, random: Random) -> Any:
    """A copy with everything dealt anew that the seat (None: a spectator) cannot see."""
    other = state.copy()
    _deal_cards([*_pile(other, 0), *_discards(other, seat), *_hands(other, seat, {})], random)
    _deal_tokens(game, other, seat, {}, random)
    return other


def deal_later(game: Game, state: Any, seat: int | None, random: Random, choices: Mapping[int, Action]) -> Any:
    """The same, but what rivals are about to play and what is about to be drawn stays as it is."""
    other = state.copy()
    drawn = 1 + sum(len(_cards(action)) + len(_discarded(action)) for action in choices.values())
    places = _hands(other, seat, {rival: _cards(action) for rival, action in choices.items()})
    if drawn < state.pile_count:
        places += [*_pile(other, drawn), *_discards(other, seat)]
    _deal_cards(places, random)
    _deal_tokens(game, other, seat, choices, random)
    return other


def _cards(action: Action) -> tuple[int, ...]:
    assert isinstance(action, Move | Reset)
    return action.cards


def _discarded(action: Action) -> tuple[int, ...]:
    assert isinstance(action, Move | Reset)
    return action.discards


def _pile(state: Any, drawn: int) -> list[Place]:
    return [(state.pile, i) for i in range(int(state.pile_count) - drawn)]


def _discards(state: Any, seat: int | None) -> list[Place]:
    return [(state.discard, i) for i in range(int(state.discard_count)) if state.discard_by[i] not in (NONE, seat)]


def _hands(state: Any, seat: int | None, kept: Mapping[int, tuple[int, ...]]) -> list[Place]:
    """The places of rivals' cards in hand and in stacks, but for the kinds that are kept."""
    places: list[Place] = []
    for rival in range(int(state.seats)):
        if rival != seat:
            for row in (state.hand[rival], state.stack[rival]):
                places += [(row, i) for i, card in enumerate(row) if card not in (NONE, *kept.get(rival, ()))]
    return places


def _deal_cards(places: list[Place], random: Random) -> None:
    cards = [int(row[i]) for row, i in places]
    random.shuffle(cards)
    for (row, i), card in zip(places, cards, strict=True):
        row[i] = card


def _deal_tokens(game: Game, state: Any, seat: int | None, choices: Mapping[int, Action], random: Random) -> None:
    """Fan tokens in the bag and with rivals, but for those about to be played."""
    tables: Any = game.tables
    fans = [kind for kind in range(len(tables.token_fan)) if tables.token_fan[kind] > 0]
    holders = [state.bag, *(state.tokens[rival] for rival in range(int(state.seats)) if rival != seat)]
    for rival, action in choices.items():
        if rival != seat:
            _take(state.tokens[rival], action, -1)
    counts = [sum(int(holder[kind]) for kind in fans) for holder in holders]
    tokens = [kind for holder in holders for kind in fans for _ in range(int(holder[kind]))]
    random.shuffle(tokens)
    for holder, count in zip(holders, counts, strict=True):
        dealt, tokens = tokens[:count], tokens[count:]
        for kind in fans:
            holder[kind] = dealt.count(kind)
    for rival, action in choices.items():
        if rival != seat:
            _take(state.tokens[rival], action, 1)


def _take(holder: Any, action: Action, sign: int) -> None:
    assert isinstance(action, Move | Reset)
    if isinstance(action, Move) and action.token != NONE:
        holder[action.token] += sign
    if action.discard_token != NONE:
        holder[action.discard_token] += sign
