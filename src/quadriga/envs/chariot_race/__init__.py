"""Chariot Race for learners."""

from quadriga.core.chain import spelt_link, spelt_links
from quadriga.envs.learnable import Learnable
from quadriga.games.chariot_race.chain import IDS, spell
from quadriga.games.chariot_race.observation import LAYOUT, encode
from quadriga.games.chariot_race.state import Race
from quadriga.games.chariot_race.view import View

LEARNABLE = Learnable(
    race=Race, view=View, ids=IDS, links=spelt_links, link=spelt_link, layout=LAYOUT, encode=encode, spell=spell
)
