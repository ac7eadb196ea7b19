"""The database: what is kept, and in which tables. Times are milliseconds since 1970."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    false,
)

metadata = MetaData()

Number = BigInteger().with_variant(Integer, "sqlite")


def _of_table() -> Column[str]:
    return Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False, primary_key=True)


tables = Table(
    "tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("revision", Integer, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("game", String(32), nullable=False),
    Column("state", String(16), nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("due", BigInteger, index=True),
    Column("changed", BigInteger, nullable=False, index=True),
    Column("document", LargeBinary, nullable=False),
    Column("edition", Text),
    Index("tables_listed", "listed", "state"),
)
"""A table: `document` is a `TableDocument`; `revision` grows with every change and decides who was first."""

entries = Table(
    "entries",
    metadata,
    _of_table(),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
)
"""The log of each race: the truth from which everything can be played again."""

moments = Table(
    "moments",
    metadata,
    _of_table(),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("key", String(64), nullable=False),
    Column("body", LargeBinary, nullable=False),
)
"""A cache: the race after each entry, as rules version and layout `key` write it."""

members = Table(
    "members",
    metadata,
    Column("guest", String(32), primary_key=True),
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("seen", BigInteger, nullable=False, server_default="0"),
    Column("acted", BigInteger, nullable=False, server_default="0"),
    Column("hidden", Boolean, nullable=False, server_default=false()),
)
"""Whose tables are whose: the host's and those of everybody who holds a seat. With several nodes, `seen` says when
a page of theirs last showed it, and `acted` when they last sent a command to it. A `hidden` one is left out of the
guest's list of races."""

uploads = Table(
    "uploads",
    metadata,
    _of_table(),
    Column("guest", String(32), nullable=False, index=True),
    Column("bytes", BigInteger, nullable=False),
)
"""Tables with a record or an edition that somebody uploaded: whose it was, and what it takes up."""

analyses = Table(
    "analyses",
    metadata,
    _of_table(),
    Column("made", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
)
"""Analyses of finished races: compressed JSON without names."""

chat = Table(
    "chat",
    metadata,
    Column("id", Number, primary_key=True, autoincrement=True),
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("at", BigInteger, nullable=False),
    Column("guest", String(32), nullable=False, index=True),
    Column("seat", Integer),
    Column("name", String(200), nullable=False),
    Column("text", Text, nullable=False),
)

reactions = Table(
    "reactions",
    metadata,
    Column("message", Number, ForeignKey("chat.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("guest", String(32), primary_key=True, index=True),
    Column("kind", String(16), nullable=False),
)
"""What guests think of a chat message: one reaction each."""

guests = Table(
    "guests",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(200), nullable=False),
    Column("created", BigInteger, nullable=False),
)

carries = Table(
    "carries",
    metadata,
    Column("code", String(64), primary_key=True),
    Column("guest", String(32), ForeignKey("guests.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("until", BigInteger, nullable=False),
)
"""Links that carry a guest to another device, by the hash of their code."""

pushes = Table(
    "pushes",
    metadata,
    Column("endpoint", String(1000), primary_key=True),
    Column("guest", String(32), ForeignKey("guests.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created", BigInteger, nullable=False),
    Column("p256dh", String(200), nullable=False),
    Column("auth", String(200), nullable=False),
)
"""Browsers that want to be told by push."""

blocks = Table(
    "blocks",
    metadata,
    Column("guest", String(32), ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    Column("blocked", String(32), primary_key=True),
    Column("name", String(200), nullable=False),
)

reports = Table(
    "reports",
    metadata,
    Column("id", Number, primary_key=True, autoincrement=True),
    Column("at", BigInteger, nullable=False),
    Column("guest", String(32), nullable=False, index=True),
    Column("table_id", String(32), nullable=False),
    Column("seat", Integer),
    Column("message", BigInteger),
    Column("text", Text, nullable=False),
)

exercises_done = Table(
    "exercises_done",
    metadata,
    Column("guest", String(32), ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    Column("collection", String(32), primary_key=True),
    Column("game", String(32), primary_key=True),
    Column("name", String(80), primary_key=True),
    Column("at", BigInteger, nullable=False),
)
"""Lessons and other exercises that a guest has done, and when first."""

puzzle_answers = Table(
    "puzzle_answers",
    metadata,
    Column("guest", String(32), ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    Column("puzzle", String(64), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("is_right", Boolean, nullable=False),
    Column("is_solved", Boolean, nullable=False),
    Column("is_shown", Boolean, nullable=False),
)
"""Answers of guests: whether the first was right, whether any was, and whether the right one was shown."""

puzzle_days = Table(
    "puzzle_days",
    metadata,
    Column("guest", String(32), ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    Column("day", String(10), primary_key=True),
)
"""Days on which a guest solved a puzzle of the day, as 2026-01-31."""

puzzle_solvers = Table(
    "puzzle_solvers",
    metadata,
    Column("guest", String(32), ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    Column("game", String(32), primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
)
"""The ratings of guests who solve puzzles."""

puzzle_ratings = Table(
    "puzzle_ratings",
    metadata,
    Column("puzzle", String(64), primary_key=True),
    Column("game", String(32), nullable=False, index=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
)
"""The ratings of puzzles that somebody has answered."""

secrets = Table(
    "secrets",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", String(500), nullable=False),
)
"""Drawn once and shared by all nodes: the keys that sign cookies and push messages."""
