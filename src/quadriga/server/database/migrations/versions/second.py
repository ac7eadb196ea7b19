"""Browsers that want push messages, and when a member last had a table on a screen."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "pushes",
        sa.Column("endpoint", sa.String(1000), primary_key=True),
        sa.Column("guest", sa.String(32), sa.ForeignKey("guests.id", ondelete="CASCADE"), nullable=False, index=True),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("p256dh", sa.String(200), nullable=False),
        sa.Column("auth", sa.String(200), nullable=False),
    )
    op.add_column("members", sa.Column("seen", sa.BigInteger, nullable=False, server_default="0"))
