"""`python -m quadriga`."""

from quadriga.cli import main

main()
