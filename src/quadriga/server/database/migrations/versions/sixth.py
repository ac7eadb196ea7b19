"""Races that a guest has taken off their list, and reactions to chat messages."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
Number = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.add_column("members", sa.Column("hidden", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "reactions",
        sa.Column(
            "message", Number, sa.ForeignKey("chat.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
        ),
        sa.Column("guest", sa.String(32), primary_key=True, index=True),
        sa.Column("kind", sa.String(16), nullable=False),
    )
