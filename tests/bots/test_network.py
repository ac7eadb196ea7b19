"""Networks: whole numbers all the way, weights that fit their game, and champion without them."""

import io
import json
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quadriga import games
from quadriga.bots.network import (
    CHANCE,
    CRITIC,
    FILE,
    MOST_SUM,
    POLICY,
    SEAT_NUMBERS,
    SHARPNESS,
    SHIFT,
    UNIT,
    VALUE,
    Network,
    chance_to_win,
    forward,
    layout_of,
    network_of,
    observation_of,
    place_chance,
    read_networks,
)
from quadriga.bots.search import Champion
from quadriga.core.edition import TomlFile
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game, open_game
from quadriga.core.streams import new_stream, stream_key

MOST_BYTES = 1 << 20
every_game = pytest.mark.parametrize("name", games.NAMES)


def weights_file(game: Game) -> Path:
    return Path(str(resources.files(game.definition.package) / FILE))


def weights_of(game: Game) -> bytes:
    return weights_file(game).read_bytes()


def changed(body: bytes, **told: Any) -> io.BytesIO:
    """A weights file that says something else of itself."""
    with np.load(io.BytesIO(body)) as file:
        before = json.loads(str(file["told"]))
    return with_arrays(body, {"told": np.array(json.dumps(before | told))})


def with_arrays(body: bytes, arrays: dict[str, Any]) -> io.BytesIO:
    """A weights file with other arrays."""
    out = io.BytesIO()
    with np.load(io.BytesIO(body)) as file:
        np.savez(out, **dict(file) | arrays)
    out.seek(0)
    return out


@every_game
def test_a_game_ships_weights_that_fit_it(name: str) -> None:
    game = games.load(name)
    assert len(weights_of(game)) <= MOST_BYTES
    champion = Champion(game, 0)
    assert all(way.network.is_there for way in champion.ways)
    assert champion.notice == ""


def sums_of(n: Network, inputs: Any) -> Any:
    """What the network says of inputs, reckoned with numbers of 64 bits."""
    values = inputs.astype(np.int64)
    for weights, biases, scales in ((n.weights_1, n.biases_1, n.scales_1), (n.weights_2, n.biases_2, n.scales_2)):
        values = ((values @ weights.astype(np.int64) + biases) * scales) >> SHIFT
        values = np.clip(values, 0, MOST_SUM // len(values))
    return ((values @ n.weights_3.astype(np.int64) + n.biases_3) * n.scales_3) >> SHIFT


@every_game
@pytest.mark.parametrize("larger", [1, 60, 10_000], ids=["as it is", "large", "at the bound"])
def test_the_forward_pass_is_the_sum_of_whole_numbers(name: str, larger: int) -> None:
    """Also where hidden values are so large that 32 bits would not hold their sums without a bound."""
    n, _ = network_of(games.load(name))
    count = n.weights_1.shape[0]
    inputs = np.random.default_rng(5).integers(-UNIT, UNIT + 1, count)
    n.observation[:count] = inputs / UNIT
    n = n._replace(scales_2=n.scales_2 * np.int32(larger), scales_3=n.scales_3 // 8)
    forward(n)
    assert (n.results[: n.weights_3.shape[1]] == sums_of(n, inputs)).all()
    if larger == 10_000:
        assert n.hidden.max() == MOST_SUM // n.weights_2.shape[1]


@every_game
def test_chances_of_places_add_up_and_come_from_the_view_alone(name: str) -> None:
    game = games.load(name)
    seats, views = game.meta.seats[-1], game.definition.view.blanks(2)
    network, _ = network_of(game)
    state = game.setup(seats, {}, new_stream(stream_key(name.encode()), 0)).state
    chance = chance_to_win(state, game.tables, 1, views, network, seats)
    assert 0 < chance < CHANCE
    for seat in range(seats):
        total = sum(place_chance(network, seat, place, seats, seats) for place in range(seats))
        assert CHANCE - seats <= total <= CHANCE
    imagined = game.imagine(game.view(state, 1), new_stream(stream_key(b"other"), 0))
    assert chance_to_win(imagined, game.tables, 1, views, network, seats) == chance


def test_weights_that_do_not_fit_are_refused_with_a_reason() -> None:
    game = games.load("chariots")
    body = weights_of(game)
    with pytest.raises(InvalidOption, match="cannot be read"):
        read_networks(game, io.BytesIO(body[: len(body) // 2]))
    with pytest.raises(InvalidOption, match="another observation"):
        read_networks(game, changed(body, layout=[["seats", 4]]))
    with pytest.raises(InvalidOption, match="other rules"):
        read_networks(game, changed(body, rules_versions=[0]))


@every_game
def test_a_network_may_read_the_first_parts_of_an_observation(name: str) -> None:
    """It says what one does for which all other inputs count nothing."""
    game = games.load(name)
    layout, views = layout_of(game)[:4], game.definition.view.blanks(2)
    inputs, seats = sum(count for _, count in layout), game.meta.seats[-1]
    body = changed(weights_of(game), layout=layout).getvalue()
    with np.load(io.BytesIO(body)) as file:
        cut = {f"{prefix}weights_1": file[f"{prefix}weights_1"][:inputs] for prefix in (VALUE, POLICY, CRITIC)}
        deaf = np.zeros_like(file["weights_1"])
    deaf[:inputs] = cut["weights_1"]
    state = game.setup(seats, {}, new_stream(stream_key(name.encode()), 0)).state
    chances = [
        chance_to_win(state, game.tables, 1, views, read_networks(game, file).value, seats)
        for file in (with_arrays(body, cut), with_arrays(weights_of(game), {"weights_1": deaf}))
    ]
    assert chances[0] == chances[1] > 0


@every_game
def test_a_network_has_room_for_a_whole_observation(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is written whole, whatever the network reads of it."""
    game = games.load(name)
    monkeypatch.setattr("quadriga.bots.network.ROOM", 8)
    for network in read_networks(game, io.BytesIO(weights_of(game))):
        assert len(network.observation) >= observation_of(game).inputs


@pytest.mark.parametrize(
    ("name", "array", "said"),
    [
        ("weights_1", np.zeros((6, 256), np.int8), r"weights_1 \(int8 \(6, 256\) in place of int8 \(\d+, 256\)\)"),
        ("weights_2", np.zeros((3, 64), np.int8), "weights_2 .* of the value network"),
        ("policy_weights_2", np.zeros((256, 128), np.float32), "weights_2 .float32 .* of the policy network"),
        ("policy_weights_3", np.zeros((128, 255), np.int8), r"weights_3 .* in place of int8 \(128, 256\)"),
        ("critic_weights_3", np.zeros((64, 9), np.int8), r"weights_3 .* in place of int8 \(64, 16\).* the critic"),
        ("critic_biases_1", np.zeros(3, np.int32), "biases_1 .* of the critic network"),
        ("scales_3", np.zeros(16, np.int64), "scales_3 .int64"),
        ("policy_scales_2", np.int32(1), "scales_2"),
        ("weights_1", np.int8(1), "weights_1"),
    ],
)
def test_layers_that_do_not_fit_are_refused_by_their_name(name: str, array: Any, said: str) -> None:
    """Those that do not fit the observation, each other, or what the network is asked for."""
    game = games.load("chariots")
    with pytest.raises(InvalidOption, match=f"the weights of Chariots do not fit: {said}") as refused:
        read_networks(game, with_arrays(weights_of(game), {name: array}))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("told", ["[]", "3", '{"format": 4, "rules_versions": 2}', '"a"'])
def test_weights_that_say_nothing_of_use_are_refused(told: str) -> None:
    game = games.load("chariots")
    with pytest.raises(InvalidOption, match=r"cannot be read|belong to another"):
        read_networks(game, with_arrays(weights_of(game), {"told": np.array(told)}))


def test_a_single_array_is_no_file_of_weights() -> None:
    out = io.BytesIO()
    np.save(out, np.zeros(3))
    out.seek(0)
    with pytest.raises(InvalidOption, match="cannot be read"):
        read_networks(games.load("chariots"), out)


def test_champion_plays_other_editions_without_the_network_and_says_so() -> None:
    text = (resources.files("quadriga.games.chariots") / "edition.toml").read_text(encoding="utf-8")
    game = open_game(games.load("chariots").definition, TomlFile("own.toml", text))
    champion = Champion(game, 0, iterations=4)
    assert [way.network.is_there for way in champion.ways] == [False]
    assert "standard edition" in champion.notice
    state = game.setup(2, {}, new_stream(stream_key(b"own"), 0)).state
    seat = game.to_act(state)[0]
    choices = game.legal_actions(state, seat)
    assert champion.choose(game.view(state, seat), seat, choices) in choices


def test_logits_count_by_the_number_of_seats() -> None:
    network, _ = network_of(games.load("chariots"))
    network.results[:4] = [2 * UNIT, 0, 0, 0]
    sharp = network._replace(sharpness=np.full(SEAT_NUMBERS, UNIT, np.int32))
    sharp.sharpness[3] = UNIT // 2
    found = [place_chance(sharp, 0, 0, seats, 4) / CHANCE for seats in (2, 3)]
    assert found == pytest.approx([1 / (1 + np.exp(-2)), 1 / (1 + 2 * np.exp(-1))], abs=1e-3)


def test_a_sharpness_that_cannot_be_is_refused() -> None:
    game = games.load("chariots")
    for sharpness in (np.zeros(SEAT_NUMBERS, np.int32), np.full(3, UNIT, np.int32), np.ones(SEAT_NUMBERS)):
        with pytest.raises(InvalidOption, match="cannot be read"):
            read_networks(game, with_arrays(weights_of(game), {SHARPNESS: sharpness}))
