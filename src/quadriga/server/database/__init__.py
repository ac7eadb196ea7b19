"""Rows: the store that reads and writes them, the schema, migrations, backups. Knows no rules and no tables in memory."""
