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
CONSTANT = (0x61707865, 0x3320646E, 0x79622D32, 0x6B206574)
"""The words of "expand 32-byte k", with which every block begins."""

Quarter = tuple[np.uint32, np.uint32, np.uint32, np.uint32]


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
    renumber_stream(stream, seq)


@kernel
def renumber_stream(stream: Stream, seq: int) -> None:
    """Open the stream of another step of the same race."""
    stream.seq = seq & WORD
    stream.counter = 0
    stream.spent = 16
    stream.scripted = 0
    stream.rolled = 0


@kernel
def rotate(word: int, bits: int) -> int:
    return ((word << bits) | (word >> (32 - bits))) & WORD


@kernel
def quarter_round(a: Any, b: Any, c: Any, d: Any) -> Quarter:
    """Four words mixed. They come and go as 32 bits: sixteen of them are all that a GPU thread has registers for."""
    a, b, c, d = int(a), int(b), int(c), int(d)
    a = (a + b) & WORD
    d = rotate(d ^ a, 16)
    c = (c + d) & WORD
    b = rotate(b ^ c, 12)
    a = (a + b) & WORD
    d = rotate(d ^ a, 8)
    c = (c + d) & WORD
    b = rotate(b ^ c, 7)
    return np.uint32(a), np.uint32(b), np.uint32(c), np.uint32(d)


@kernel
def chacha(
    key: NDArray[np.uint32], counter: int, n0: int, n1: int, n2: int, rounds: int, block: NDArray[np.uint32]
) -> None:
    """One block of ChaCha with a nonce of three words: sixteen words, in place.

    The words are named, not indexed, so that compilers keep them in registers.
    """
    a0, a1, a2, a3 = words(CONSTANT[0], CONSTANT[1], CONSTANT[2], CONSTANT[3])
    b0, b1, b2, b3 = words(key[0], key[1], key[2], key[3])
    c0, c1, c2, c3 = words(key[4], key[5], key[6], key[7])
    d0, d1, d2, d3 = words(counter, n0, n1, n2)
    for _ in range(rounds // 2):
        a0, b0, c0, d0 = quarter_round(a0, b0, c0, d0)
        a1, b1, c1, d1 = quarter_round(a1, b1, c1, d1)
        a2, b2, c2, d2 = quarter_round(a2, b2, c2, d2)
        a3, b3, c3, d3 = quarter_round(a3, b3, c3, d3)
        a0, b1, c2, d3 = quarter_round(a0, b1, c2, d3)
        a1, b2, c3, d0 = quarter_round(a1, b2, c3, d0)
        a2, b3, c0, d1 = quarter_round(a2, b3, c0, d1)
        a3, b0, c1, d2 = quarter_round(a3, b0, c1, d2)
    add_row(block, 0, words(a0, a1, a2, a3), words(CONSTANT[0], CONSTANT[1], CONSTANT[2], CONSTANT[3]))
    add_row(block, 4, words(b0, b1, b2, b3), words(key[0], key[1], key[2], key[3]))
    add_row(block, 8, words(c0, c1, c2, c3), words(key[4], key[5], key[6], key[7]))
    add_row(block, 12, words(d0, d1, d2, d3), words(counter, n0, n1, n2))


@kernel
def words(a: Any, b: Any, c: Any, d: Any) -> Quarter:
    """Four numbers as words of 32 bits."""
    return np.uint32(a), np.uint32(b), np.uint32(c), np.uint32(d)


@kernel
def add_row(block: NDArray[np.uint32], at: int, mixed: Quarter, first: Quarter) -> None:
    """Write four words of a block: what became of them added to what they were."""
    for i in range(4):
        block[at + i] = (int(mixed[i]) + int(first[i])) & WORD


@kernel
def next_word(stream: Stream) -> int:
    if stream.spent == 16:
        chacha(stream.key, int(stream.counter), int(np.int64(stream.seq)), 0, 0, ROUNDS, stream.block)
        stream.counter += 1
        stream.spent = 0
    word = int(np.int64(stream.block[stream.spent]))
    stream.spent += 1
    return word


@kernel
def draw(stream: Stream, n: int) -> int:
    """A number below n, each as likely: words past the last whole multiple of n are passed over."""
    number = 0
    for _ in range(64):
        word = next_word(stream)
        number = int(np.int64(np.uint32(word) % np.uint32(n)))  # 32 bits: GPUs divide those several times as fast
        if word - number + n <= 0x100000000:
            break
    return number


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
