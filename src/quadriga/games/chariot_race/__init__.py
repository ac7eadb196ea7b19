"""Chariot Race, by Matt Leacock: two laps, three lanes, dice, corners and rams."""
