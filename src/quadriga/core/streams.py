"""Random numbers anyone can check: ChaCha with 8 rounds, one stream for each step of a race.

A stream is keyed by 32 bytes and numbered by the step's `seq`, which fills the low word of the nonce; its words are
those of the key stream in order (RFC 8439's layout, with 8 rounds in place of 20). docs/fairness.md tells it all.
"""

import hashlib
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from quadriga.core.fields import I16, I32, U32, Fields, I16s, U32s
from quadriga.core.kernel import kernel

ROUNDS = 8
WORD = 0xFFFFFFFF
DICE = 48
MOST_ROLLED = 0x7FFF
SEED_BYTES = 32
MOST_NONCE = 64


class Stream(Fields):
    """A stream of random words, and the dice a scenario wants rolled first."""

    key: Annotated[U32s, 8, "the race's key, eight little-endian words"]
    seq: Annotated[U32, "the step of the race the stream belongs to"]
    counter: Annotated[I32, "blocks made so far"]
    spent: Annotated[I16, "words of the block already used"]
    block: Annotated[U32s, 16, "the words of the current block"]
    script: Annotated[I16s, DICE, "dice to come, as a scenario wants them"]
    scripted: Annotated[I16, "dice written in the script"]
    rolled: Annotated[I16, "dice rolled so far; counts no further than MOST_ROLLED"]


def commitment(seed: bytes) -> str:
    """What is published before play, so that the seed cannot be changed later: its SHA-256."""
    return hashlib.sha256(seed).hexdigest()


def stream_key(seed: bytes, nonces: tuple[str, ...] = ()) -> NDArray[np.uint32]:
    """The key of a race: SHA-256 over the seed and the nonces the players added, each nonce hashed first."""
    digest = hashlib.sha256(b"quadriga key" + seed)
    for nonce in nonces:
        digest.update(hashlib.sha256(nonce.encode()).digest())
    return np.frombuffer(digest.digest(), "<u4").astype(np.uint32)


def new_stream(key: NDArray[np.uint32], seq: int, dice: tuple[int, ...] = ()) -> Stream:
    """The stream of one step, with the dice a scenario wants rolled first."""
    stream = Stream.blank()
    open_stream(stream, key, seq)
    stream.script[: len(dice)] = dice
    stream.scripted = len(dice)
    return stream


@kernel
def open_stream(stream: Stream, key: NDArray[np.uint32], seq: int) -> None:
    for i in range(8):
        stream.key[i] = key[i]
    stream.seq = seq & WORD
    stream.counter = 0
    stream.spent = 16
    stream.scripted = 0
    stream.rolled = 0


@kernel
def rotate(word: int, bits: int) -> int:
    return ((word << bits) | (word >> (32 - bits))) & WORD


@kernel
def quarter_round(block: NDArray[np.uint32], a: int, b: int, c: int, d: int) -> None:
    wa, wb, wc, wd = int(block[a]), int(block[b]), int(block[c]), int(block[d])
    wa = (wa + wb) & WORD
    wd = rotate(wd ^ wa, 16)
    wc = (wc + wd) & WORD
    wb = rotate(wb ^ wc, 12)
    wa = (wa + wb) & WORD
    wd = rotate(wd ^ wa, 8)
    wc = (wc + wd) & WORD
    wb = rotate(wb ^ wc, 7)
    block[a], block[b], block[c], block[d] = wa, wb, wc, wd


@kernel
def double_round(block: NDArray[np.uint32]) -> None:
    quarter_round(block, 0, 4, 8, 12)
    quarter_round(block, 1, 5, 9, 13)
    quarter_round(block, 2, 6, 10, 14)
    quarter_round(block, 3, 7, 11, 15)
    quarter_round(block, 0, 5, 10, 15)
    quarter_round(block, 1, 6, 11, 12)
    quarter_round(block, 2, 7, 8, 13)
    quarter_round(block, 3, 4, 9, 14)


@kernel
def initial_word(key: NDArray[np.uint32], counter: int, n0: int, n1: int, n2: int, i: int) -> int:
    """Word i of the block before the rounds: the constant "expand 32-byte k", the key, the counter, the nonce."""
    if i == 0:
        return 0x61707865
    if i == 1:
        return 0x3320646E
    if i == 2:
        return 0x79622D32
    if i == 3:
        return 0x6B206574
    if i < 12:
        return int(key[i - 4])
    if i == 12:
        return counter
    if i == 13:
        return n0
    return n1 if i == 14 else n2


@kernel
def chacha(
    key: NDArray[np.uint32], counter: int, n0: int, n1: int, n2: int, rounds: int, block: NDArray[np.uint32]
) -> None:
    """One block of ChaCha with a nonce of three words: sixteen words, in place."""
    for i in range(16):
        block[i] = initial_word(key, counter, n0, n1, n2, i)
    for _ in range(rounds // 2):
        double_round(block)
    for i in range(16):
        block[i] = (int(block[i]) + initial_word(key, counter, n0, n1, n2, i)) & WORD


@kernel
def next_word(stream: Stream) -> int:
    if stream.spent == 16:
        chacha(stream.key, int(stream.counter), int(stream.seq), 0, 0, ROUNDS, stream.block)
        stream.counter += 1
        stream.spent = 0
    word = int(stream.block[stream.spent])
    stream.spent += 1
    return word


@kernel
def draw(stream: Stream, n: int) -> int:
    """A number below n, each as likely: words past the last whole multiple of n are passed over."""
    limit = 0x100000000 - 0x100000000 % n
    word = 0
    for _ in range(64):
        word = next_word(stream)
        if word < limit:
            break
    return word % n


@kernel
def roll(stream: Stream, n: int) -> int:
    """A die that people see: the only draw a scenario can script."""
    number = int(stream.rolled)
    if number < MOST_ROLLED:
        stream.rolled += 1
    return int(stream.script[number]) if number < stream.scripted else draw(stream, n)


@kernel
def shuffle(stream: Stream, cards: NDArray[Any], count: int) -> None:
    """Fisher and Yates, from the last card down."""
    for last in range(count - 1, 0, -1):
        other = draw(stream, last + 1)
        cards[last], cards[other] = cards[other], cards[last]
