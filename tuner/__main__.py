"""`python -m tuner`."""

from .cli import main

main()
