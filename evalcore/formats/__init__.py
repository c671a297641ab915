"""File formats of positions: one file a format, two explicit tables."""

from .base import Reader, Writer

READERS: dict[str, Reader] = {}
WRITERS: dict[str, Writer] = {}
