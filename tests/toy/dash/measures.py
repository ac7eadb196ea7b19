"""What playouts of Dash look at: nothing, so that hints give chances without reasons."""

from dash.state import Race
from quadriga.analysis.measures import Measures

MEASURES = Measures(Race)
