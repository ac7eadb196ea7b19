"""What a game brings for learners: its chain of ids and its observation (core/chain.py, core/observation.py)."""

from dataclasses import dataclass

from quadriga import games
from quadriga.core.chain import Chain
from quadriga.core.discovery import plug_in
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game
from quadriga.core.observation import Observation


@dataclass(frozen=True)
class Learnable:
    """What one game brings."""

    chain: Chain
    observation: Observation

    @property
    def id_count(self) -> int:
        """The size of the action space."""
        return len(self.chain.id_names)

    @property
    def observation_count(self) -> int:
        """The size of an observation: the view, the ids chosen so far, and how far the choice is."""
        return self.observation.count + self.id_count + 1


def learnable(game: Game) -> Learnable:
    """What a game brings for learners, or InvalidOption."""
    found = _find(game.definition.package)
    if found is None:
        raise InvalidOption(f"{game.meta.title} has no environments; these games have: {', '.join(learnable_games())}")
    return found


def learnable_games() -> tuple[str, ...]:
    """The names of the games that have environments."""
    return tuple(name for name in games.NAMES if _find(games.package(name)))


def _find(package: str) -> Learnable | None:
    chain, observation = plug_in(package, "chain"), plug_in(package, "observation")
    return Learnable(chain.CHAIN, observation.OBSERVATION) if chain and observation else None
