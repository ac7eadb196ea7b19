"""What a client may send: one class a message, for websocket and HTTP alike. docs/protocol.md explains each."""

from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from quadriga.core.meta import OptionValue
from quadriga.server.tables.document import Clock, Colour, Name, Nonce, SeatNumber

Id = Annotated[int, Meta(ge=0, le=2**53)]
Seq = Annotated[int, Meta(ge=-1, le=2**31)]
TableId = Annotated[str, Meta(min_length=1, max_length=32)]
Token = Annotated[str, Meta(min_length=1, max_length=200)]
Reaction = Literal["laurel", "heart", "laugh", "gasp", "swords"]
AnyAction = dict[str, Any] | Annotated[str, Meta(max_length=500)]


class Message(Struct, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """Anything a client sends."""

    id: Id | None = None


class Hello(Message, tag="hello"):
    """The first message of a socket."""

    protocol: int
    build: Annotated[str, Meta(max_length=100)] | None
    token: Token | None = None
    codes: bool = False
    """Whether views should bring choices as codes."""


class Ping(Message, tag="ping"):
    """Asks for a pong."""


class Here(Message, tag="here"):
    """Says whether somebody looks at the page."""

    yes: bool


class Watch(Message, tag="watch"):
    """Begins to follow a table."""

    table: TableId
    since: Seq | None = None


class Unwatch(Message, tag="unwatch"):
    """Stops following a table."""

    table: TableId


class Command(Message):
    """Something to be done at a table."""

    is_read_only: ClassVar[bool] = False
    """Whether it changes nothing."""
    changes_members: ClassVar[bool] = False
    """Whether the table may belong to others afterwards."""

    table: TableId


class SeatCommand(Command):
    """Something done for a seat."""

    seat: SeatNumber


class Claim(Command, tag="claim"):
    """Takes an open seat."""

    changes_members: ClassVar[bool] = True

    seat: SeatNumber | None = None
    name: Name | None = None
    nonce: Nonce | None = None


class Sit(Command, tag="sit"):
    """Takes a seat over by its token."""

    changes_members: ClassVar[bool] = True

    token: Token


class SetNonce(SeatCommand, tag="nonce"):
    """Adds to the dice of the race."""

    nonce: Nonce


class Leave(SeatCommand, tag="leave"):
    """Gives a seat up, or lets a bot sit in."""

    changes_members: ClassVar[bool] = True


class Back(SeatCommand, tag="back"):
    """Sits down again where a bot sat in."""


class SetSeat(SeatCommand, tag="set_seat"):
    """The host decides who sits."""

    changes_members: ClassVar[bool] = True

    kind: Annotated[str, Meta(min_length=1, max_length=40)]


class SetColour(SeatCommand, tag="colour"):
    """Changes the colour of a seat."""

    colour: Colour


class ChangeSettings(Command, tag="settings"):
    """The host changes the table."""

    options: dict[str, OptionValue] | UnsetType = UNSET
    listed: bool | UnsetType = UNSET
    clock: Clock | UnsetType = UNSET
    on_timeout: str | UnsetType = UNSET
    take_back: Annotated[str, Meta(pattern="^(ask|never)$")] | UnsetType = UNSET
    pace_ms: Annotated[int, Meta(ge=0, le=60_000)] | UnsetType = UNSET
    confirm: bool | UnsetType = UNSET
    chat: bool | UnsetType = UNSET
    hints: Annotated[str, Meta(pattern="^(alone|all|none)$")] | UnsetType = UNSET
    watchers: bool | UnsetType = UNSET
    watch_delay_s: Annotated[int, Meta(ge=0, le=3600)] | UnsetType = UNSET


class Start(Command, tag="start"):
    """Begins the race."""


class Choose(SeatCommand, tag="choose"):
    """A seat's choice, as JSON, in notation or as a code."""

    seq: Seq
    action: AnyAction


class Try(SeatCommand, tag="try"):
    """Asks whether a choice would be allowed."""

    is_read_only: ClassVar[bool] = True

    seq: Seq
    action: AnyAction


class Preview(SeatCommand, tag="preview"):
    """Asks what the listed choices would bring."""

    seq: Seq


class Hint(SeatCommand, tag="hint"):
    """Asks what a bot would choose."""

    seq: Seq


class Coach(SeatCommand, tag="coach"):
    """Asks what a choice costs before it is made."""

    seq: Seq
    action: AnyAction
    share: Annotated[float, Meta(ge=0.01, le=0.5)] = 0.02
    """The cost from which the coach warns."""


class Withdraw(SeatCommand, tag="withdraw"):
    """Takes back a choice nobody has seen."""

    seq: Seq


class AskTakeBack(SeatCommand, tag="take_back"):
    """Wants to go back to where the race was after an entry."""

    to: Seq


class AskPause(Command, tag="pause"):
    """Wants a pause."""


class AskResume(Command, tag="resume"):
    """Wants to go on."""


class Abandon(Command, tag="abandon"):
    """Wants to end the race without a result."""


class Agree(Command, tag="agree"):
    """Answers a proposal."""

    proposal: int
    yes: bool


class Resign(SeatCommand, tag="resign"):
    """Gives up."""


class Kick(SeatCommand, tag="kick"):
    """The host sends somebody away."""

    changes_members: ClassVar[bool] = True


class Rematch(Command, tag="rematch"):
    """Wants the same again."""

    changes_members: ClassVar[bool] = True


class Say(Command, tag="say"):
    """Chat."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]


class React(Command, tag="react"):
    """What somebody thinks of a chat message; nothing takes it back."""

    message: Id
    reaction: Reaction | None = None


class Mute(SeatCommand, tag="mute"):
    """The host silences somebody."""

    yes: bool


AnyCommand = (
    Claim | Sit | SetNonce | Leave | Back | SetSeat | SetColour | ChangeSettings | Start | Choose | Try | Preview | Hint
    | Coach | Withdraw | AskTakeBack | AskPause | AskResume | Abandon | Agree | Resign | Kick | Rematch | Say | React
    | Mute
)  # fmt: skip
AnyMessage = Hello | Ping | Here | Watch | Unwatch | AnyCommand

decoder = msgspec.json.Decoder(AnyMessage)
