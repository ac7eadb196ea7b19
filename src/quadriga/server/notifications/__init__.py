"""Telling absent people that it is their turn: browser push and webhook."""
