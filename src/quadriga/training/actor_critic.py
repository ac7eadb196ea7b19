"""Reinforcement learning: networks play many races at once and learn from how these go (advantage actor-critic).

The policy network chooses, and each choice becomes likelier by as much as the race went better than the critic had
expected (training/advantages.py). In some races all seats have the newest networks. In the others one seat learns
(training/rivals.py): its rivals have earlier networks, those it began with or others of this run, or they are bots. An
exploiter races against those it began with alone.
"""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from quadriga.bots.evaluation import PART_COUNT
from quadriga.bots.network import UNIT, Layers, observation_of
from quadriga.core.game import Game
from quadriga.core.streams import stream_key
from quadriga.training.advantages import PendingDecisions, Window, critic_chances, place_chances
from quadriga.training.learning import load_layers, make_model, outputs_of, torch_module
from quadriga.training.rivals import BOTS, EARLIER, FIRST, NEWEST, rivals_of, split_races
from quadriga.training.rollouts import ENDED, LEARNER, SEAT, SEATS, Rollouts
from quadriga.training.weights import hidden_of

STEPS = 32
"""Decisions of each race between two lessons."""
POLICY_RATE, CRITIC_RATE, LAST_RATE = 4e-4, 1e-3, 0.03
"""How far the optimisers go at a step, at first; and at last, as a part of that."""
FIRST_SPREAD, LAST_SPREAD = 0.06, 0.01
"""How much worse than the best all choices of a race together may be, as a chance to win, and be taken 1/e as often."""
WARM = 0.03
"""The part of the time in which the critic learns alone."""
ROUNDED = 0.4
"""From this part of the time on weights are rounded as they will be."""
MOST_ADVANTAGE = 5.0
FIRST_CAUTION, LAST_CAUTION = 1.0, 4.0
"""How much a change of the policy counts beside what it brings: the policy stays close to the one that raced."""
LONGEST_STEP = 1.0
"""A bound for gradients."""
LEAGUE = 8
"""Earlier networks of a run that are kept at most."""
AGAINST_FIRST, AGAINST_EARLIER, AGAINST_BOTS = 1 / 8, 1 / 8, 1 / 4
"""The parts of the races in which one seat learns against the networks it began with, earlier ones, and bots."""
MOST_BOTS = 1 - AGAINST_FIRST - AGAINST_EARLIER
EXPLOITING = (0.0, 1.0, 0.0, 0.0)
"""The shares of the rivals of an exploiter."""
TOLD = {"against_first": FIRST, "against_bots": BOTS}
"""The rivals against whom it is told how many races the learner wins."""
SHARED = ("observations", "asked", "scores", "gradients", "chances", "places")


def shares_with(bots: float = AGAINST_BOTS) -> tuple[float, ...]:
    """The share of the races that each kind of rivals has, where bots have so much."""
    return (MOST_BOTS - bots, AGAINST_FIRST, AGAINST_EARLIER, bots)


@dataclass(frozen=True)
class Start:
    """What a learner begins with."""

    policy: Layers
    critic: Layers
    """Or a value network, which knows much of what a critic has to learn."""
    critic_hidden: tuple[int, int]
    """Widths of the critic: one of other widths than `critic` learns from the start."""


def make_rollouts(game: Game, races: int, seed: str, device: str, rivals: Any) -> Any:
    """Races on the device."""
    if device == "cpu":
        return Rollouts(game, races, seed, rivals)
    from quadriga.training.gpu_rollouts import GpuRollouts

    return GpuRollouts(game, races, seed, rivals)


class Learner:
    """A policy network and a critic that learn by racing."""

    def __init__(self, game: Game, start: Start, races: int, seed: int, device: str, shares: Sequence[float]) -> None:
        torch = torch_module()
        torch.manual_seed(seed)
        self.game, self.races = game, races
        torch.set_float32_matmul_precision("high")
        self.device, self.most_seats, inputs = device, game.meta.seats[-1], observation_of(game).inputs
        self.policy = make_model(inputs, hidden_of(start.policy), PART_COUNT).to(device)
        self.critic = make_model(inputs, start.critic_hidden, self.most_seats**2).to(device)
        load_layers(self.policy, start.policy)
        if start.critic_hidden == hidden_of(start.critic):
            load_layers(self.critic, start.critic)
        self.first = deepcopy(self.policy)
        self.league: list[Any] = []
        self.optimizers = [
            torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=1e-4)
            for model, rate in ((self.policy, POLICY_RATE), (self.critic, CRITIC_RATE))
        ]
        self.rollouts: Any = None
        self.arrays: dict[str, Any] = {}
        self.against, self._rivals = split_races(races, shares), rivals_of(races, shares)
        self.all_learn = torch.as_tensor(self._rivals == NEWEST, device=device)
        """In which races all seats learn."""
        self.tally = torch.zeros(len(TOLD), 3, 2, dtype=torch.int64, device=device)
        """For the rivals that are told of, races that ended, and that the learner won: two-handed, of four, all."""
        self.lengths = torch.zeros(2, dtype=torch.int64, device=device)
        """Decisions of seats that learn, and such seats of the races that ended."""
        self.pending = PendingDecisions(self.most_seats)
        self.done = 0.0
        """The part of the time that is over, from 0 to 1."""

    def begin_races(self, seed: str) -> None:
        """Set up all races; they and what is drawn while learning follow from the seed."""
        torch = torch_module()
        torch.manual_seed(int(stream_key(seed.encode())[0]))
        self.rollouts = make_rollouts(self.game, self.races, seed, self.device, self._rivals)
        self.arrays = {name: torch.as_tensor(getattr(self.rollouts, name), device=self.device) for name in SHARED}

    @property
    def rounded(self) -> bool:
        """Whether weights are rounded as they will be."""
        return self.done >= ROUNDED

    def collect(self) -> Window:
        """Play STEPS decisions of every race."""
        torch, kept, a = torch_module(), [], self.arrays
        rival = self.league[int(torch.randint(len(self.league), ()))] if self.league else self.first
        with torch.no_grad():
            for _ in range(STEPS):
                rows, asked = (a["observations"] * UNIT).round().to(torch.int16), a["asked"].clone()
                learns = self._score(rows, asked, rival)
                said = outputs_of(self.critic, rows, self.rounded)
                self.rollouts.step()
                values = critic_chances(said, asked[:, SEATS], self.most_seats).half()
                ended, places, gradients = a["asked"][:, ENDED] == 1, a["places"].clone(), a["gradients"].half()
                self._count(asked, learns, ended, places)
                kept.append(
                    Window(
                        rows, gradients, (gradients.float() * a["scores"]).sum(dim=1), a["chances"].clone(), values,
                        asked[:, SEAT], asked[:, SEATS], learns, ended, places,
                    )
                )  # fmt: skip
        return Window(*(torch.stack([getattr(one, name) for one in kept]) for name in Window.__dataclass_fields__))

    def _score(self, rows: Any, asked: Any, rival: Any) -> Any:
        """Write the scores that choices are taken by; whether the learner chooses."""
        torch, scores = torch_module(), outputs_of(self.policy, rows, self.rounded)
        learns = self.all_learn | (asked[:, SEAT] == asked[:, LEARNER])
        for races, model in ((self.against[FIRST], self.first), (self.against[EARLIER], rival)):
            if races.stop > races.start:
                others = outputs_of(model, rows[races], True)
                scores[races] = torch.where(learns[races, None], scores[races], others)
        self.arrays["scores"].copy_(scores)
        return learns

    def _count(self, asked: Any, learns: Any, ended: Any, places: Any) -> None:
        """Count decisions, seats, and races against the first networks and against bots that are over."""
        torch = torch_module()
        learners = torch.where(self.all_learn, asked[:, SEATS], 1)
        self.lengths += torch.stack([learns.sum(), learners[ended].sum()])
        first = places.gather(1, asked[:, LEARNER, None])[:, 0] == 1
        for tally, kind in zip(self.tally, TOLD.values(), strict=True):
            races = self.against[kind]
            seats, over, won = asked[races, SEATS], ended[races], (ended & first)[races]
            for row, counted in enumerate((seats == 2, seats == 4, torch.ones_like(over))):
                tally[row, 0] += (over & counted).sum()
                tally[row, 1] += (won & counted).sum()

    def learn(self, window: Window, batch: int) -> dict[str, float]:
        """Learn from decisions; figures of how it went."""
        torch = torch_module()
        found, expected = self.pending.known_decisions(window)
        self._set_rates()
        surprise = expected[:, 0, 0] - found.values[:, 0, 0].float()
        advantage = surprise - self._spread() * (found.chances - found.chances.mean())
        advantage = (advantage / surprise.std().clamp(min=1e-3)).clamp(-MOST_ADVANTAGE, MOST_ADVANTAGE)
        parts = torch.randperm(len(surprise), device=self.device).split(batch)
        loss = torch.zeros(1, device=self.device)
        for at in parts:
            if self.done >= WARM:
                self._improve_policy(found.rows[at], found.gradients[at].float(), found.scored[at], advantage[at])
            loss += self._improve_critic(found.rows[at], expected[at], found.seats[at])
        return {
            "entropy": round(-float(found.chances.mean()), 4), "critic_loss": round(float(loss) / len(parts), 4),
            "surprise": round(float(surprise.std()), 4), "bias": round(float(surprise.mean()), 5),
            "learnt": len(surprise),
        }  # fmt: skip

    def _spread(self) -> float:
        """How much worse than the best a choice may be and still be taken 1/e as often; less in long races."""
        decisions, seats = self.lengths.tolist()
        spread = FIRST_SPREAD * (LAST_SPREAD / FIRST_SPREAD) ** self.done
        return float(spread * max(1, seats) / max(1, decisions))

    def _set_rates(self) -> None:
        torch = torch_module()
        share = LAST_RATE + (1 - LAST_RATE) * 0.5 * (1 + float(torch.cos(torch.tensor(torch.pi * self.done))))
        for optimizer, rate in zip(self.optimizers, (POLICY_RATE, CRITIC_RATE), strict=True):
            for group in optimizer.param_groups:
                group["lr"] = rate * share

    def _improve_policy(self, rows: Any, gradients: Any, scored: Any, advantage: Any) -> None:
        """One step towards choices that went better than expected.

        `change` is that of the logarithm of the choice's chance. The mean of its square is twice the divergence of the
        policy from the one that raced, so that the step is one of the natural gradient.
        """
        optimizer, caution = self.optimizers[0], FIRST_CAUTION * (LAST_CAUTION / FIRST_CAUTION) ** self.done
        optimizer.zero_grad(set_to_none=True)
        change = (gradients * outputs_of(self.policy, rows, self.rounded)).sum(dim=1) - scored
        (caution * change.square() / 2 - advantage * change).mean().backward()
        torch_module().nn.utils.clip_grad_norm_(self.policy.parameters(), LONGEST_STEP)
        optimizer.step()

    def _improve_critic(self, rows: Any, targets: Any, seats: Any) -> Any:
        """One step towards what is to be expected; the loss."""
        optimizer = self.optimizers[1]
        optimizer.zero_grad(set_to_none=True)
        shares = place_chances(outputs_of(self.critic, rows, self.rounded), seats, self.most_seats)
        counts = targets.sum(dim=2)
        counts[:, 0] *= 2  # oneself counts twice: that is what search asks for
        loss = -((targets * shares).sum(dim=2) * counts).sum() / counts.sum()
        loss.backward()
        optimizer.step()
        return loss.detach()

    def take_shares(self) -> dict[str, Any]:
        """Races against the first networks and against bots since the last time, and the share of them won."""
        told = dict[str, Any]()
        for kind, counts in zip(TOLD, self.tally.tolist(), strict=True):
            told[kind] = {
                name: {"races": races, "share": round(wins / max(1, races), 4)}
                for name, (races, wins) in zip(("two", "four", "all"), counts, strict=True)
            }
        self.tally.zero_()
        return told

    def join_league(self) -> None:
        """Keep the policy as it is as a later rival; of too many the one in the middle goes."""
        self.league.append(deepcopy(self.policy))
        if len(self.league) > LEAGUE:
            del self.league[LEAGUE // 2]
