"""Puzzles on the page: which there are, today's, and how choices in them are answered."""
