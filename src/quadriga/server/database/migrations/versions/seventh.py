"""Exercises that guests have done."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "exercises_done",
        sa.Column("guest", sa.String(32), sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("collection", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(80), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
