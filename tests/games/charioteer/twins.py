"""What a player of Charioteer cannot see (CH-19), dealt anew: hands, fan tokens, face-down discards, pile and bag."""

from collections.abc import Mapping
from random import Random
from typing import Any

from quadriga.core.game import Game
from quadriga.core.messages import Action

HIDES = True
NONE = -1
DRAWN = 60
"""Cards of the pile that the next step might draw, and more."""

Slot = tuple[Any, Any]
"""An array and an index in it."""


def deal_anew(game: Game, state: Any, seat: int | None, random: Random) -> Any:
    """A copy of the state with all hidden cards and tokens dealt anew."""
    twin = state.copy()
    rivals = [other for other in range(int(twin.seats)) if other != seat]
    pile = [(twin.pile, i) for i in range(int(twin.pile_count))]
    face_down = [(twin.discard, i) for i, by in enumerate(twin.discard_by) if by in rivals]
    under = [(twin.stack[other], i) for other in rivals for i in range(len(twin.stack[other]))]
    exchange([*hands(twin, rivals), *pile, *face_down, *under], random)
    exchange_fans(game, [*(twin.tokens[other] for other in rivals), twin.bag], random)
    return twin


def deal_later(game: Game, state: Any, seat: int | None, random: Random, choices: Mapping[int, Action]) -> Any:
    """A copy with what these choices do not bring to light dealt anew: unused cards of rivals and the deep pile."""
    twin = state.copy()
    rivals = [other for other in range(int(twin.seats)) if other != seat]
    deep = [(twin.pile, i) for i in range(int(twin.pile_count) - DRAWN)]
    exchange([*(slot for other in rivals for slot in unused(twin, other, choices.get(other))), *deep], random)
    return twin


def hands(twin: Any, seats: list[int]) -> list[Slot]:
    return [(twin.hand[seat], place) for seat in seats for place in range(len(twin.hand[seat]))]


def unused(twin: Any, seat: int, choice: Any) -> list[Slot]:
    """The places of a hand that hold no card of the choice."""
    played = list(choice.cards) if choice else []
    left = []
    for slot in hands(twin, [seat]):
        if choice and slot[1] in choice.discards:
            continue
        if slot[0][slot[1]] in played:
            played.remove(slot[0][slot[1]])
        else:
            left.append(slot)
    return left


def exchange(slots: list[Slot], random: Random) -> None:
    """Shuffle the cards that lie in these places; empty places stay empty."""
    filled = [(array, i) for array, i in slots if array[i] != NONE]
    cards = [int(array[i]) for array, i in filled]
    random.shuffle(cards)
    for (array, i), card in zip(filled, cards, strict=True):
        array[i] = card


def exchange_fans(game: Game, holders: list[Any], random: Random) -> None:
    """Deal the fan tokens of some holders anew, as many to each."""
    tables: Any = game.tables
    fans = [token for token, copies in enumerate(tables.token_fan) if copies]
    pool = [token for held in holders for token in fans for _ in range(int(held[token]))]
    random.shuffle(pool)
    for held in holders:
        count = sum(int(held[token]) for token in fans)
        held[fans] = 0
        for token in pool[:count]:
            held[token] += 1
        pool = pool[count:]
