"""Learning by self-play: an extra (quadriga[training]), never needed to play. docs/training.md says how."""
