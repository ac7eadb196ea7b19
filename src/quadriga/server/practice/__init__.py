"""Exercises on the page: which there are, and how choices in them are answered."""
