"""The contract and what every game stands on. Knows no game."""
