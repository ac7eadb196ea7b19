"""Bots at tables: when they choose, and the processes in which they think."""
