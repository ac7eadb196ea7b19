"""Which function carries out which command. Each one changes a table in memory or refuses."""

from collections.abc import Callable
from typing import Any

from quadriga.server.tables import colours, lobby, proposals, race
from quadriga.server.tables import commands as c

Handler = Callable[..., dict[str, Any]]
"""`handler(live, guest, command, now)`: what to answer."""

HANDLERS: dict[type[c.Command], Handler] = {
    c.Claim: lobby.claim,
    c.Sit: lobby.sit,
    c.SetNonce: lobby.set_nonce,
    c.Leave: lobby.leave,
    c.Back: lobby.back,
    c.SetSeat: lobby.set_seat,
    c.SetColour: colours.set_colour,
    c.ChangeSettings: lobby.change_settings,
    c.Start: lobby.start,
    c.Rematch: lobby.rematch,
    c.Kick: lobby.kick,
    c.Mute: lobby.mute,
    c.Choose: race.choose,
    c.Try: race.try_choice,
    c.Withdraw: race.withdraw,
    c.AskTakeBack: race.ask_take_back,
    c.AskPause: race.ask_pause,
    c.AskResume: race.ask_resume,
    c.Abandon: race.abandon,
    c.Agree: proposals.agree,
    c.Resign: race.resign,
}
