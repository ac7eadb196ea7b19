"""Read by Alembic: runs the migrations on the connection that `migrate` hands in."""

from alembic import context

from quadriga.server.database.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata)
if connection.dialect.name == "postgresql":
    # Two nodes may start at once: the second waits and finds nothing left to do.
    connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7812364)")
with context.begin_transaction():
    context.run_migrations()
