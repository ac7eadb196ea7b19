"""A learner on a few races, for a moment. Needs PyTorch: test_with_torch.py runs it."""

from collections.abc import Sequence
from typing import Any

import pytest
import torch

from quadriga import games
from quadriga.bots.network import UNIT, forward, make_network
from quadriga.training.actor_critic import EXPLOITING, FIRST_CAUTION, LEAGUE, STEPS, Learner, Start, shares_with
from quadriga.training.advantages import Window
from quadriga.training.learning import outputs_of, quantise
from quadriga.training.rollouts import LEARNER, SEAT, SEATS
from quadriga.training.weights import critic_layers, hidden_of, policy_layers, shipped_weights

GAME = games.load("chariots")
RACES, BATCH = 32, 256
NEWEST, AGAINST_FIRST, AGAINST_EARLIER, AGAINST_BOTS = slice(0, 16), slice(16, 20), slice(20, 24), slice(24, 32)
"""Who races in which races: a half, an eighth, an eighth and a quarter of them."""
ONLY_BOTS = (0.0, 0.0, 0.0, 1.0)


def make_learner(done: float = 0.5, shares: Sequence[float] = shares_with(), races: int = RACES) -> Learner:
    """A learner that begins with the game's own networks, so far into its time."""
    file = shipped_weights(GAME)
    policy, critic = policy_layers(file), critic_layers(file)
    assert policy
    assert critic
    learner = Learner(GAME, Start(policy, critic, hidden_of(critic)), races, 3, "cpu", shares)
    learner.begin_races("3")
    learner.done = done
    return learner


def say(model: Any, score: float) -> None:
    """Let a network give every part this score, whatever it sees."""
    with torch.no_grad():
        model[-1].weight.zero_()
        model[-1].bias.fill_(score)


def shake(model: Any) -> None:
    """Bring weights away from where int8 can hold them."""
    with torch.no_grad():
        for weights in model.parameters():
            weights.add_(0.02 * torch.randn_like(weights))


def rows_of(learner: Learner) -> Any:
    """What the networks read of the races that wait."""
    return (learner.arrays["observations"] * UNIT).round().to(torch.int16)


def state_of(model: Any) -> list[Any]:
    return [value.clone() for value in model.state_dict().values()]


def is_same(model: Any, state: list[Any]) -> bool:
    return all(torch.equal(old, new) for old, new in zip(state, model.state_dict().values(), strict=True))


def change_of(learner: Learner, window: Window) -> Any:
    """How much the logarithm of the chance of each choice taken has changed since the window was played."""
    with torch.no_grad():
        said = outputs_of(learner.policy, window.rows.flatten(0, 1), learner.rounded)
    return (window.gradients.flatten(0, 1).float() * said).sum(dim=1) - window.scored.flatten()


def reward_part(window: Window) -> tuple[Any, Any]:
    """End each race with each decision: who takes a choice with a certain part wins, others come in last.

    Decisions for a choice with the part and those for another where there was one, in any order.
    """
    gradients = window.gradients
    part = ((gradients > 0.1).sum(dim=(0, 1)) * (gradients < -0.1).sum(dim=(0, 1))).argmax()
    taken = gradients[..., part] > 0
    own = torch.where(taken, 1, window.seats)[..., None]
    is_own = torch.arange(window.places.shape[2]) == window.seat[..., None]
    window.places, window.ended = torch.where(is_own, own, 1 + taken[..., None].long()), torch.ones_like(window.ended)
    return (gradients[..., part] > 0.1).flatten(), (gradients[..., part] < -0.1).flatten()


def test_scores_in_races_are_those_that_champion_plays_by() -> None:
    """Once weights are rounded: before that they differ by more."""
    learner = make_learner()
    shake(learner.policy)
    learner._score(rows_of(learner), learner.arrays["asked"], learner.first)
    network, inputs = make_network(quantise(learner.policy)), learner.rollouts.observations.shape[1]
    for row in range(NEWEST.stop):
        network.observation[:inputs] = learner.rollouts.observations[row]
        forward(network)
        scores = learner.rollouts.scores[row]
        assert network.results[: len(scores)] / UNIT == pytest.approx(scores, abs=0.15)


def test_a_window_holds_the_choices_as_they_were_taken() -> None:
    learner = make_learner()
    window = learner.collect()
    assert window.seat.shape == (STEPS, RACES)
    assert change_of(learner, window)[window.learns.flatten()] == pytest.approx(0, abs=0.02)
    assert window.values[..., 0, :].float().sum(dim=2) == pytest.approx(torch.ones(STEPS, RACES), abs=0.01)
    assert window.learns[:, NEWEST].all()
    assert 0.2 < window.learns[:, AGAINST_FIRST.start : AGAINST_EARLIER.stop].float().mean() < 0.6
    assert window.learns[:, AGAINST_BOTS].float().mean() > 0.8


def test_what_is_expected_of_a_race_tells_of_its_own_seats_alone() -> None:
    """The critic does not learn of seats that nobody sits on."""
    learner = make_learner()
    found, expected = learner.pending.known_decisions(learner.collect())
    numbers = torch.arange(learner.most_seats)
    assert set(found.seats.tolist()) == set(GAME.meta.seats)
    assert expected.sum(dim=2) == pytest.approx((numbers < found.seats[:, None]).float(), abs=0.01)


def test_learners_race_among_themselves_against_earlier_networks_and_against_bots() -> None:
    learner = make_learner()
    for model, score in ((learner.policy, 1.0), (learner.first, 2.0), (rival := make_learner().policy, 3.0)):
        say(model, score)
    asked = learner.arrays["asked"]
    learns = learner._score(rows_of(learner), asked, rival)
    scores = learner.arrays["scores"][:, 0]
    assert learns[NEWEST].all()
    assert learns[16:].tolist() == (asked[16:, SEAT] == asked[16:, LEARNER]).tolist()
    assert set(scores[learns].tolist()) == {1.0}
    assert set(scores[AGAINST_FIRST][~learns[AGAINST_FIRST]].tolist()) == {2.0}
    assert set(scores[AGAINST_EARLIER][~learns[AGAINST_EARLIER]].tolist()) == {3.0}
    bots = learner.rollouts.turns["bots"].any(axis=1)
    assert bots.tolist() == [AGAINST_BOTS.start <= race for race in range(RACES)]


def test_an_exploiter_races_against_the_first_networks_alone() -> None:
    learner = make_learner(shares=EXPLOITING)
    assert not learner.rollouts.turns["bots"].any()
    for model, score in ((learner.policy, 1.0), (learner.first, 2.0)):
        say(model, score)
    say(rival := make_learner().policy, 3.0)
    learns = learner._score(rows_of(learner), learner.arrays["asked"], rival)
    assert set(learner.arrays["scores"][learns, 0].tolist()) == {1.0}
    assert set(learner.arrays["scores"][~learns, 0].tolist()) == {2.0}
    assert 0 < learns.sum() < RACES


def test_a_choice_that_went_better_than_expected_becomes_likelier() -> None:
    """The first networks stay as they are."""
    learner = make_learner()
    window, before = learner.collect(), state_of(learner.first)
    taken, left = reward_part(window)
    losses = [learner.learn(window, BATCH)["critic_loss"] for _ in range(12)]
    change = change_of(learner, window)
    assert change[taken].mean() > 0.05
    assert change[left].mean() < -0.05
    assert losses[-1] < losses[0]
    assert is_same(learner.first, before)


def test_a_policy_changes_by_as_much_as_choices_brought_less_the_price_of_the_change() -> None:
    """With caution 1 the logarithm of a chance changes by the advantage, where the network can tell rows apart."""
    learner = make_learner(done=0.0)
    window = learner.collect()
    gradients = window.gradients.flatten(0, 1).float()
    open_ones = (gradients.square().sum(dim=1) * window.learns.flatten()).topk(RACES).indices
    advantage = torch.where(torch.arange(RACES) % 2 == 0, 0.3, -0.3)
    rows, scored = window.rows.flatten(0, 1)[open_ones], window.scored.flatten()[open_ones]
    for _ in range(100):
        learner._improve_policy(rows, gradients[open_ones], scored, advantage)
    parts = change_of(learner, window)[open_ones] * FIRST_CAUTION / advantage
    assert float(parts.median()) == pytest.approx(1, abs=0.05)


def test_races_and_all_that_is_drawn_follow_from_the_seed() -> None:
    learner, windows = make_learner(), list[Window]()
    for seed in ("5 0", "5 0", "5 1024"):
        learner.begin_races(seed)
        windows.append(learner.collect())
    assert torch.equal(windows[0].rows, windows[1].rows)
    assert not torch.equal(windows[0].rows, windows[2].rows)


def test_bots_never_learn() -> None:
    """Nor does the critic learn of their seats: all that is learnt from are decisions of the seat that learns."""
    learner = make_learner(shares=ONLY_BOTS)
    own = list[Any]()
    for _ in range(6):
        window = learner.collect()
        bots = learner.rollouts.turns["bots"]
        asked = learner.rollouts.asked
        assert (bots[range(RACES), asked[:, LEARNER]] == 0).all()
        own.append(window.rows[window.learns])
        found, _ = learner.pending.known_decisions(window)
        learnt, played = (set(map(bytes, rows.numpy())) for rows in (found.rows, torch.cat(own)))
        assert learnt <= played


def test_a_weak_policy_wins_more_against_bots_after_learning_from_races_against_them() -> None:
    """It begins with choices that are nearly as likely one as the other."""
    torch.set_num_threads(1)
    learner, shares = make_learner(0.1, ONLY_BOTS, 256), list[float]()
    with torch.no_grad():
        for values in learner.policy[-1].parameters():
            values.mul_(0.25)
    for lesson in range(40):
        learner.learn(learner.collect(), 1024)
        if lesson in (9, 29, 39):
            shares.append(learner.take_shares()["against_bots"]["all"]["share"])
    assert shares[-1] > shares[0] + 0.06


def test_the_critic_learns_alone_at_first() -> None:
    learner = make_learner(done=0.0)
    policy, critic = state_of(learner.policy), state_of(learner.critic)
    learner.learn(learner.collect(), BATCH)
    assert is_same(learner.policy, policy)
    assert not is_same(learner.critic, critic)


def test_a_critic_goes_on_from_the_one_it_begins_with_and_one_of_other_widths_begins_anew() -> None:
    file = shipped_weights(GAME)
    policy, critic = policy_layers(file), critic_layers(file)
    assert policy
    assert critic
    assert (quantise(make_learner().critic)[2][0] == critic[2][0]).all()
    learner = Learner(GAME, Start(policy, critic, (16, 8)), RACES, 3, "cpu", shares_with())
    learner.begin_races("3")
    assert hidden_of(quantise(learner.critic)) == (16, 8)
    assert learner.learn(learner.collect(), BATCH)["critic_loss"] > 0


def test_of_too_many_earlier_networks_the_first_and_the_newest_stay() -> None:
    learner = make_learner()
    for number in range(12):
        say(learner.policy, number)
        learner.join_league()
    numbers = [int(model[-1].bias[0]) for model in learner.league]
    assert len(numbers) == LEAGUE
    assert numbers == sorted(numbers)
    assert (numbers[0], numbers[-1]) == (0, 11)


def test_decisions_and_seats_that_learn_are_counted() -> None:
    """What a race costs in decisions is a matter of the seats that make them."""
    learner, ended = make_learner(), torch.zeros(RACES, dtype=torch.bool)
    asked, learns = torch.zeros(RACES, 4, dtype=torch.int64), torch.ones(RACES, dtype=torch.bool)
    asked[:, SEATS], learns[20:23] = 3, False
    ended[[0, 1, 17, 30]] = True
    learner._count(asked, learns, ended, torch.zeros(RACES, 4, dtype=torch.int64))
    assert learner.lengths.tolist() == [RACES - 3, 3 + 3 + 1 + 1]


def test_races_against_the_first_networks_and_bots_are_counted_once() -> None:
    learner = make_learner()
    asked, ended = torch.zeros(RACES, 4, dtype=torch.int64), torch.zeros(RACES, dtype=torch.bool)
    places = torch.zeros(RACES, 4, dtype=torch.int64)
    asked[:], places[:] = torch.tensor([0, 2, 1, 0]), torch.tensor([2, 1, 0, 0])
    asked[[19, 24]], places[[19, 24]] = torch.tensor([0, 4, 1, 0]), torch.tensor([1, 2, 3, 4])
    ended[[0, 16, 17, 19, 20, 24, 31]] = True
    learner._count(asked, torch.ones(RACES, dtype=torch.bool), ended, places)
    told = learner.take_shares()
    assert told["against_first"]["two"] == {"races": 2, "share": 1.0}
    assert told["against_first"]["four"] == {"races": 1, "share": 0.0}
    assert told["against_first"]["all"] == {"races": 3, "share": 0.6667}
    assert told["against_bots"]["two"] == {"races": 1, "share": 1.0}
    assert told["against_bots"]["four"] == {"races": 1, "share": 0.0}
    assert told["against_bots"]["all"] == {"races": 2, "share": 0.5}
    assert learner.take_shares()["against_first"]["all"]["races"] == 0
