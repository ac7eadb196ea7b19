"""Answers to puzzles, and ratings of puzzles and solvers."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "puzzle_answers",
        sa.Column("guest", sa.String(32), sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("puzzle", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("is_right", sa.Boolean, nullable=False),
        sa.Column("is_solved", sa.Boolean, nullable=False),
        sa.Column("is_shown", sa.Boolean, nullable=False),
    )
    op.create_table(
        "puzzle_days",
        sa.Column("guest", sa.String(32), sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("day", sa.String(10), primary_key=True),
    )
    op.create_table(
        "puzzle_solvers",
        sa.Column("guest", sa.String(32), sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
    )
    op.create_table(
        "puzzle_ratings",
        sa.Column("puzzle", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(32), nullable=False, index=True),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
    )
