"""What can be wrong with what people hand us. Every message is one plain sentence."""


class QuadrigaError(Exception):
    """Base of every error that is shown to a user as a sentence."""


class InvalidAction(QuadrigaError):
    """What was given is not an action of this game at all."""


class IllegalAction(QuadrigaError):
    """An action of this game that is not allowed now; says what would be."""


class NotYourTurn(IllegalAction):
    """The seat owes no choice now."""


class InvalidOption(QuadrigaError):
    """A number of seats, an option or a nonce out of range."""


class InvalidFile(QuadrigaError):
    """A file that cannot be used: names the file, the place in it and the cause."""

    def __init__(self, file: str, place: str, cause: str) -> None:
        super().__init__(f"{file}: {place}: {cause}" if place else f"{file}: {cause}")
        self.file, self.place, self.cause = file, place, cause


class ReplayFailed(QuadrigaError):
    """A record that does not replay: at which step, and why not."""

    def __init__(self, seq: int, cause: str) -> None:
        super().__init__(f"step {seq}: {cause}")
        self.seq, self.cause = seq, cause
