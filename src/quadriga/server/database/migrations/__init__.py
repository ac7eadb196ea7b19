"""The database's history. `migrate` brings any database up to date, an empty one included."""

from pathlib import Path

from sqlalchemy import Engine, column, inspect, select, table

from quadriga.core.errors import InvalidOption

NEWEST = "0008"
"""The revision that `schema` describes; known here so that a start on a current database need not load Alembic."""


def migrate(engine: Engine, revision: str = "head") -> None:
    """Bring the database to a revision of its schema, the newest if none is named."""
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    try:
        with engine.connect() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, revision)
            connection.commit()
    except CommandError:
        raise InvalidOption("the database was made by a newer Quadriga: install that, or restore a backup") from None


def is_current(engine: Engine) -> bool:
    """Whether the database has the newest schema."""
    with engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return False
        found = connection.execute(select(column("version_num")).select_from(table("alembic_version"))).scalar()
    return bool(found == NEWEST)
