"""Fits the weights of a linear evaluation to labelled positions."""

from evalcore import __version__

__all__ = ["__version__"]
