"""Chess positions and linear evaluations: what is counted, how fast, under which names.

Nothing here knows of fitting; the package `tuner` builds on this one.
"""

__version__ = "0.1.0"
