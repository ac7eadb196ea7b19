"""Charioteer for learners."""

from quadriga.envs.learnable import Learnable
from quadriga.games.charioteer.chain import IDS, link, links
from quadriga.games.charioteer.observation import LAYOUT, encode
from quadriga.games.charioteer.state import Race
from quadriga.games.charioteer.view import View

LEARNABLE = Learnable(race=Race, view=View, ids=IDS, links=links, link=link, layout=LAYOUT, encode=encode)
