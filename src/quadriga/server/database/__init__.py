"""Rows: the store that reads and writes them, schema, migrations, backups. Knows no tables in memory."""
