"""Preparing games: their rules and bots are compiled in processes of their own, before a table needs them."""
