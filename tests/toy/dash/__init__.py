"""Dash, the smallest game with everything in it: secret choices, dice, hidden cards, private events, settling.

Runners go round a ring of six squares. All choose a pace in secret, each rolls a die and runs pace plus die; a runner
who slips is down and chooses first, alone. Everybody holds one card face down; with oats one may go at pace 3.
"""
