"""The first schema."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
Number = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:  # long: one block for each table
    op.create_table(
        "tables",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("due", sa.BigInteger, index=True),
        sa.Column("changed", sa.BigInteger, nullable=False, index=True),
        sa.Column("document", sa.LargeBinary, nullable=False),
        sa.Column("edition", sa.Text),
        sa.Index("tables_listed", "listed", "state"),
    )
    op.create_table(
        "entries",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "moments",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "members",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column(
            "table_id", sa.String(32), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True, index=True
        ),
    )
    op.create_table(
        "chat",
        sa.Column("id", Number, primary_key=True, autoincrement=True),
        sa.Column(
            "table_id", sa.String(32), sa.ForeignKey("tables.id", ondelete="CASCADE"), nullable=False, index=True
        ),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("guest", sa.String(32), nullable=False, index=True),
        sa.Column("seat", sa.Integer),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "guests",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "carries",
        sa.Column("code", sa.String(64), primary_key=True),
        sa.Column("guest", sa.String(32), sa.ForeignKey("guests.id", ondelete="CASCADE"), nullable=False, index=True),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "blocks",
        sa.Column("guest", sa.String(32), sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("blocked", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(200), nullable=False),
    )
    op.create_table(
        "reports",
        sa.Column("id", Number, primary_key=True, autoincrement=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("guest", sa.String(32), nullable=False, index=True),
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("message", sa.BigInteger),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("value", sa.String(500), nullable=False),
    )
