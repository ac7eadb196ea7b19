"""When guests last did something at a table."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("members", sa.Column("acted", sa.BigInteger, nullable=False, server_default="0"))
