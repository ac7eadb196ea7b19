"""Puzzles: positions in which one choice is better than all others, mined from races."""
