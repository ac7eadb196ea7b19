"""Trains a policy by self-play in plain PyTorch, on races that stay in the GPU's memory; without a GPU on the CPU.

    pip install "quadriga[gpu,training]"
    python examples/train_torch.py chariots --races 16384 --updates 200

The policy plays both seats of all races. After every rollout each id it chose is made likelier by what followed for the
seat that chose it: the lead that was won, and the race itself (an actor-critic with one step of Adam). Then it races
against random ids, at either seat.
"""

import argparse
import sys
import time
from typing import Any

from quadriga.core.errors import QuadrigaError
from quadriga.core.observation import column
from quadriga.envs import vector_env

try:
    import torch
except ImportError:
    sys.exit('torch is not installed: pip install "quadriga[training]"')

OPTIONS: dict[str, dict[str, object]] = {
    "charioteer": {"laps": 1},
    "chariot_race": {"pairs": False},
    "chariots": {"laps": 1, "two_chariots": False},
}
STEPS = 32
FADES = 0.95
"""How much less a later step counts than the one before it."""


class Policy(torch.nn.Module):
    """Scores every id, and says what the seat that is asked may expect."""

    def __init__(self, inputs: int, ids: int, hidden: int = 256) -> None:
        super().__init__()
        self.body = torch.nn.Sequential(
            torch.nn.Linear(inputs, hidden), torch.nn.ReLU(), torch.nn.Linear(hidden, hidden), torch.nn.ReLU()
        )
        self.scores, self.worth = torch.nn.Linear(hidden, ids), torch.nn.Linear(hidden, 1)

    def forward(self, observations: Any, masks: Any) -> tuple[Any, Any]:
        """The distribution over ids that are offered, and the worth of the position."""
        hidden = self.body(observations)
        scores = self.scores(hidden).masked_fill(masks == 0, -1e9)
        return torch.distributions.Categorical(logits=scores), self.worth(hidden).squeeze(-1)


class Races:
    """A vector environment and its arrays as tensors: the same memory, on the GPU or not."""

    def __init__(self, game: str, races: int, seed: int, device: str) -> None:
        name = "cuda" if device == "cuda" else "cpu"
        self.env: Any = vector_env(game, races, 2, OPTIONS[game], seed, device=name)  # type: ignore[call-overload]
        tensor = torch.from_dlpack if device == "cuda" else torch.from_numpy
        arrays = self.env.arrays
        self.seen, self.masks = tensor(arrays.observations), tensor(arrays.masks)
        self.rewards, self.over = tensor(arrays.rewards), tensor(arrays.over)
        self.is_on_gpu = device == "cuda"
        block = "rivals" if game == "charioteer" else "chariots"
        layout = self.env.learnable.observation.layout
        self.columns = [column(layout, block, i, "progress") for i in (0, 1)]

    @property
    def asked(self) -> Any:
        """The seat that each race asks."""
        return torch.from_dlpack(self.env.asked) if self.is_on_gpu else torch.tensor(self.env.asked)

    def step(self, ids: Any) -> None:
        """An id for every race."""
        self.env.step(ids if ids.is_cuda else ids.numpy())

    def signs(self) -> Any:
        """1 where seat 0 is asked, -1 where seat 1 is."""
        return 1.0 - 2.0 * self.asked

    def leads(self) -> Any:
        """How far seat 0 is ahead, as a share of the race."""
        own, rival = self.columns
        return (self.seen[:, own] - self.seen[:, rival]) * self.signs()


def rollout(races: Races, policy: Policy) -> tuple[Any, ...]:
    """Some steps of every race: observations, masks, ids, and what each earned the seat that chose it."""
    rows, gains, signs, goes_on = [], [], [], []
    for _ in range(STEPS):
        seen, masks, before = races.seen.clone(), races.masks.clone(), races.leads()
        signs.append(races.signs())
        with torch.no_grad():
            ids = policy(seen, masks)[0].sample()
        races.step(ids)
        over = races.over.bool()
        gains.append(torch.where(over, races.rewards[:, 0], 10 * (races.leads() - before)))
        goes_on.append((~over).float())
        rows.append((seen, masks, ids))
    later = torch.zeros_like(gains[0])
    for t in reversed(range(STEPS)):
        later = gains[t] = gains[t] + FADES * goes_on[t] * later
    earned = torch.cat([gain * sign for gain, sign in zip(gains, signs, strict=True)])
    return (*(torch.cat(part) for part in zip(*rows, strict=True)), earned)


def train(game: str, races: int, updates: int, device: str, seed: int = 0) -> Policy:
    """A policy that has learnt from so many rollouts."""
    torch.manual_seed(seed)
    table = Races(game, races, seed, device)
    policy = Policy(table.seen.shape[1], table.masks.shape[1]).to(device)
    adam = torch.optim.Adam(policy.parameters(), lr=1e-3)
    for _ in range(updates):
        seen, masks, ids, earned = rollout(table, policy)
        chances, worth = policy(seen, masks)
        better = (earned - worth).detach()
        better = (better - better.mean()) / (better.std() + 1e-6)
        loss = -(chances.log_prob(ids) * better).mean() - 0.01 * chances.entropy().mean()
        loss = loss + 0.5 * (earned - worth).square().mean()
        adam.zero_grad()
        loss.backward()
        adam.step()
    return policy


def measure(game: str, policy: Policy, races: int, device: str, seed: int = 1) -> float:
    """The share of races that the policy wins against random ids, a tie being half of one."""
    table = Races(game, races, seed, device)
    seats = torch.arange(races, device=device) % 2
    racing, wins = torch.ones(races, dtype=torch.bool, device=device), 0.0
    while bool(racing.any()):
        with torch.no_grad():
            own = policy(table.seen, table.masks)[0].sample()
        other = (torch.rand(table.masks.shape, device=device) * table.masks).argmax(dim=1)
        table.step(torch.where(table.asked == seats, own, other))
        ended = table.over.bool() & racing
        earned = table.rewards.gather(1, seats[:, None]).squeeze(1)
        wins += float(((1 + earned.sign()) / 2)[ended].sum())
        racing &= ~ended
    return wins / races


def main() -> None:
    """Train, measure, and say how it went."""
    parser = argparse.ArgumentParser(description="Train a policy in PyTorch on many races at once.")
    parser.add_argument("game", choices=sorted(OPTIONS))
    parser.add_argument("--races", type=int, default=512)
    parser.add_argument("--updates", type=int, default=100)
    parser.add_argument("--measured", type=int, default=1000, help="races to measure with")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda" if torch.cuda.is_available() else "cpu")
    chosen = parser.parse_args()
    begin = time.monotonic()
    try:
        policy = train(chosen.game, chosen.races, chosen.updates, chosen.device)
    except QuadrigaError as error:
        sys.exit(str(error))
    spent = time.monotonic() - begin
    steps = chosen.races * chosen.updates * STEPS
    print(f"{chosen.game} on {chosen.device}: {steps:,} steps in {spent:.0f} s, compiling included")
    share = measure(chosen.game, policy, chosen.measured, chosen.device)
    print(f"against random play it wins {share:.1%} of {chosen.measured:,} races")


if __name__ == "__main__":
    main()
