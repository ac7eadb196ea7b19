"""What a player of Chariots cannot see (CT-14), dealt anew: coins not exposed, and choices not yet revealed."""

from collections.abc import Mapping
from random import Random
from typing import Any

from quadriga.core.game import Game
from quadriga.core.messages import Action
from quadriga.games.chariots.actions import Announce, Quiet

HIDES = True
COINS = {2, 3, 4, 5}
STAGES = ("recover", "plot", "swap", "announce", "move", "over")


def coins_open(state: Any) -> int:
    """CT-2, CT-12 c: how many coins of each plot lie open: of the phase too, unless swaps are still being chosen."""
    return int(state.phase) - (STAGES[state.stage] == "swap")


def deal_anew(game: Game, state: Any, seat: int | None, random: Random) -> Any:
    """A copy of the state with rivals' coins and announcements dealt anew."""
    twin = state.copy()
    for chariot in range(int(state.chariots)):
        if chariot % int(state.seats) != seat:
            lay_anew(twin, chariot, random, coins_open(state))
            choose_anew(game, twin, chariot, random)
    return twin


def deal_later(game: Game, state: Any, seat: int | None, random: Random, choices: Mapping[int, Action]) -> Any:
    """A copy with the coins dealt anew that lie deeper than the next to be exposed."""
    twin = state.copy()
    for chariot in range(int(state.chariots)):
        if chariot % int(state.seats) != seat:
            lay_anew(twin, chariot, random, coins_open(state) + 1)
    return twin


def lay_anew(twin: Any, chariot: int, random: Random, kept: int) -> None:
    """CT-2: all coins but the first few, and the one set aside, in any order."""
    coins = twin.plot[chariot]
    if coins.any() and kept < len(coins):
        left = sorted(COINS - {int(coin) for coin in coins[:kept]})
        coins[kept:] = random.sample(left, len(coins) - kept)


def choose_anew(game: Game, twin: Any, chariot: int, random: Random) -> None:
    """CT-12: what a two-chariot player has chosen for his first chariot while all choose for their second."""
    if twin.square[chariot] < 0 or chariot // int(twin.seats) >= twin.pair:
        return
    if STAGES[twin.stage] == "swap" and twin.null_coin[chariot]:
        bit = 1 << chariot
        twin.swapping = (int(twin.swapping) & ~bit) | random.choice((0, bit))
    if STAGES[twin.stage] == "announce":
        announce_anew(game, twin, chariot, random)


def announce_anew(game: Game, twin: Any, chariot: int, random: Random) -> None:
    if twin.quiet[chariot]:
        return
    asked = twin.copy()
    asked.asking, asked.pair = 1 << chariot, chariot // int(twin.seats)
    said = random.choice(game.legal_actions(asked, chariot % int(twin.seats)))
    twin.quiet_said = int(twin.quiet_said) & ~(1 << chariot)
    twin.null_said[chariot] = twin.ace_said[chariot] = twin.target_said[chariot] = -1
    if isinstance(said, Quiet):
        twin.quiet_said = int(twin.quiet_said) | 1 << chariot
    elif isinstance(said, Announce):
        twin.null_said[chariot] = said.null
        twin.ace_said[chariot] = said.ace
        twin.target_said[chariot] = said.target
