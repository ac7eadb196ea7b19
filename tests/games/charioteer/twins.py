"""Twins of a race: everything a seat cannot see is dealt anew, by code that knows nothing of views (CH-19)."""

import random
from typing import Any

NONE = -1


def twin(game: Any, race: Any, seat: int | None, rng: random.Random) -> Any:
    """Another race that looks the same to a seat (None: a spectator)."""
    other = race.copy()
    _deal_cards(other, seat, rng)
    _deal_fan_tokens(game.tables, other, seat, rng)
    return other


def _deal_cards(race: Any, seat: int | None, rng: random.Random) -> None:
    places = [(race.pile, i) for i in range(int(race.pile_count))]
    for rival in range(int(race.seats)):
        if rival != seat:
            places += [(race.hand[rival], i) for i in range(8) if race.hand[rival, i] != NONE]
            places += [(race.stack[rival], i) for i in range(3) if race.stack[rival, i] != NONE]
    places += [(race.discard, i) for i in range(160) if race.discard_by[i] not in (NONE, seat)]
    cards = [int(array[i]) for array, i in places]
    rng.shuffle(cards)
    for (array, i), card in zip(places, cards, strict=True):
        array[i] = card


def _deal_fan_tokens(tables: Any, race: Any, seat: int | None, rng: random.Random) -> None:
    fans = [kind for kind in range(31) if tables.token_fan[kind] > 0]
    holders = [race.bag, *(race.tokens[rival] for rival in range(int(race.seats)) if rival != seat)]
    counts = [sum(int(holder[kind]) for kind in fans) for holder in holders]
    tokens = [kind for holder in holders for kind in fans for _ in range(int(holder[kind]))]
    rng.shuffle(tokens)
    for holder, count in zip(holders, counts, strict=True):
        dealt, tokens = tokens[:count], tokens[count:]
        for kind in fans:
            holder[kind] = dealt.count(kind)
