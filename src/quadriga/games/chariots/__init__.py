"""Chariots, a piecepack game by Mark A. Biggar: plotted speeds, five impulses a phase, two special coins."""
