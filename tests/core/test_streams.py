"""ChaCha against published vectors, draws without bias, values that must never change."""

import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest

from quadriga.core.streams import (
    MOST_ROLLED,
    Stream,
    chacha,
    commitment,
    draw,
    new_stream,
    next_word,
    open_stream,
    roll,
    shuffle,
    stream_key,
)

ZEROS = "00" * 32


def block(key: str, counter: int, nonce: str, rounds: int) -> str:
    words = np.frombuffer(bytes.fromhex(key), "<u4").astype(np.uint32)
    n1, n2, n3 = (int(word) for word in np.frombuffer(bytes.fromhex(nonce), "<u4"))
    out = np.zeros(16, np.uint32)
    chacha(words, counter, n1, n2, n3, rounds, out)
    return out.astype("<u4").tobytes().hex()


RFC_8439 = [
    (  # 2.3.2
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", 1, "000000090000004a00000000",
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e",
    ),
    (  # A.1, 1 to 5
        ZEROS, 0, "00" * 12,
        "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
        "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586",
    ),
    (
        ZEROS, 1, "00" * 12,
        "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
        "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f",
    ),
    (
        "00" * 31 + "01", 1, "00" * 12,
        "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a"
        "8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0",
    ),
    (
        "00ff" + "00" * 30, 2, "00" * 12,
        "72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca"
        "13b25aa26cb4a648cb9b9d1be65b2c0924a66c54d545ec1b7374f4872e99f096",
    ),
    (
        ZEROS, 0, "00" * 11 + "02",
        "c2c64d378cd536374ae204b9ef933fcd1a8b2288b3dfa49672ab765b54ee27c7"
        "8a970e0e955c14f3a88e741b97c286f75f8fc299e8148362fa198a39531bed6d",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("key", "counter", "nonce", "expected"), RFC_8439)
def test_chacha20_gives_the_blocks_of_rfc_8439(key: str, counter: int, nonce: str, expected: str) -> None:
    assert block(key, counter, nonce, 20) == expected


def test_chacha8_gives_the_published_block() -> None:
    assert block(ZEROS, 0, "00" * 12, 8) == (
        "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
        "984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42"
    )


def test_a_stream_is_the_key_stream_of_its_step() -> None:
    key = stream_key(b"s" * 32)
    stream = new_stream(key, 7)
    words = [next_word(stream) for _ in range(40)]
    blocks = [block(key.astype("<u4").tobytes().hex(), counter, "07" + "00" * 11, 8) for counter in range(3)]
    expected = np.frombuffer(bytes.fromhex("".join(blocks)), "<u4")[:40]
    assert words == expected.tolist()


def test_the_key_is_a_hash_of_seed_and_nonces() -> None:
    seed = bytes(range(32))
    digest = hashlib.sha256(b"quadriga key" + seed)
    for nonce in ("salt", "ñandú"):
        digest.update(hashlib.sha256(nonce.encode()).digest())
    assert stream_key(seed, ("salt", "ñandú")).astype("<u4").tobytes() == digest.digest()
    keys = {stream_key(seed, nonces).tobytes() for nonces in ((), ("a",), ("a", "b"), ("b", "a"), ("ab",))}
    assert len(keys) == 5


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    assert commitment(bytes(32)) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"


PINNED = (
    "from quadriga.core.streams import draw, new_stream, roll, shuffle, stream_key\n"
    "import numpy as np\n"
    "key = stream_key(bytes(range(32)), ('nonce',))\n"
    "stream = new_stream(key, 3)\n"
    "print([roll(stream, 6) for _ in range(12)], draw(stream, 1000000), draw(stream, (1 << 31) + 1))\n"
    "cards = np.arange(10, dtype=np.int16)\n"
    "shuffle(stream, cards, 10)\n"
    "print(cards.tolist())\n"
    "print(draw(new_stream(key, 2**32 - 1), 1000), draw(new_stream(key, 2**31 - 1), 1000))\n"
)
PINNED_VALUES = """\
[2, 4, 3, 5, 5, 4, 4, 0, 4, 1, 2, 2] 142139 549623024
[7, 1, 2, 6, 5, 9, 0, 3, 4, 8]
702 225
"""


@pytest.mark.parametrize("jit", ["0", "1"])
def test_values_are_pinned(jit: str) -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": jit}
    played = subprocess.run([sys.executable, "-c", PINNED], env=environment, capture_output=True, text=True, check=True)
    assert played.stdout == PINNED_VALUES


def stream_of(*words: int) -> Stream:
    """A stream whose next words are these."""
    stream = new_stream(np.zeros(8, np.uint32), 0)
    stream.block[16 - len(words) :] = words
    stream.spent = 16 - len(words)
    return stream


def test_a_word_past_the_last_multiple_is_passed_over() -> None:
    assert draw(stream_of(0xFFFFFFFF, 7), 3) == 1
    assert draw(stream_of(0xFFFFFFFE, 7), 3) == 2
    half = (1 << 31) + 1
    assert draw(stream_of(half, 0xFFFFFFFF, half - 1), half) == half - 1


def test_draws_are_as_likely() -> None:
    stream = new_stream(stream_key(bytes(32)), 0)
    counts = np.bincount([draw(stream, 6) for _ in range(60_000)], minlength=6)
    assert ((counts - 10_000) ** 2 / 10_000).sum() < 15.1  # chi square, 5 degrees of freedom: 1 in 100


def test_a_shuffle_reaches_every_order_as_often() -> None:
    stream = new_stream(stream_key(bytes(32)), 0)
    counts: dict[tuple[int, ...], int] = {}
    for _ in range(24_000):
        cards = np.arange(4, dtype=np.int16)
        shuffle(stream, cards, 4)
        counts[tuple(cards.tolist())] = counts.get(tuple(cards.tolist()), 0) + 1
    assert len(counts) == 24
    assert sum((n - 1000) ** 2 / 1000 for n in counts.values()) < 41.6  # 23 degrees of freedom: 1 in 100


def test_a_shuffle_leaves_the_rest_of_the_cards_alone() -> None:
    cards = np.arange(10, dtype=np.int16)
    shuffle(new_stream(stream_key(bytes(32)), 0), cards, 6)
    assert sorted(cards[:6].tolist()) == [0, 1, 2, 3, 4, 5]
    assert cards[6:].tolist() == [6, 7, 8, 9]


def test_scripted_dice_come_first_and_all_are_counted() -> None:
    key = stream_key(bytes(32))
    stream, plain = new_stream(key, 0, (5, 0)), new_stream(key, 0)
    assert [roll(stream, 6), roll(stream, 6)] == [5, 0]
    assert [roll(stream, 6) for _ in range(3)] == [draw(plain, 6) for _ in range(3)]
    assert stream.rolled == 5
    assert draw(stream, 6) == draw(plain, 6)
    assert stream.rolled == 5


def test_a_long_stream_never_returns_to_its_script() -> None:
    stream = new_stream(stream_key(bytes(32)), 0, (5,))
    stream.rolled = MOST_ROLLED
    for _ in range(3):
        roll(stream, 6)
    assert stream.rolled == MOST_ROLLED


def test_opening_a_stream_again_forgets_the_script() -> None:
    key = stream_key(bytes(32))
    stream = new_stream(key, 1, (5, 5))
    roll(stream, 6)
    open_stream(stream, key, 2)
    assert (stream.rolled, stream.scripted) == (0, 0)
    assert next_word(stream) == next_word(new_stream(key, 2))
