"""FEN text to and from `Positions` columns, compiled.

A position is four fields (board, side to move, castling, en passant) and perhaps two counters; whatever
follows is left to the caller. Castling is `KQkq`, X-FEN (K and Q mean the outermost rook) or Shredder-FEN
(letters name files); the en-passant square is kept only where a capture is legal. Clocks above 65535
become 65535, move number 0 becomes 1. All faults of a text are found at once, see `faults.FAULTS`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .errors import InputError
from .faults import fault_text
from .fen_layout import Buffer, ends_field, is_blank, skip_blanks
from .fen_parsing import castling_rook, parse_spans
from .fen_writing import format_fens
from .positions import Positions

__all__ = [
    "Buffer",
    "castling_rook",
    "ends_field",
    "fault_text",
    "format_fens",
    "is_blank",
    "parse_fen",
    "parse_fens",
    "parse_spans",
    "skip_blanks",
]


def parse_fens(texts: Sequence[str]) -> Positions:
    """Positions from FENs of four to six fields; InputError names the first text that is none."""
    encoded = [text.encode() for text in texts]
    buffer = np.frombuffer(b"".join(encoded), np.uint8)
    ends = np.cumsum([len(text) for text in encoded], dtype=np.int64)
    starts = ends - np.array([len(text) for text in encoded], np.int64)
    columns, rests, faults = parse_spans(buffer, starts, ends)
    for row in np.flatnonzero(faults).tolist():
        raise InputError(f"{fault_text(int(faults[row]))}: {texts[row]!r}")
    for row in np.flatnonzero(rests < ends).tolist():
        if left_over := bytes(buffer[rests[row] : ends[row]]).decode().strip():
            raise InputError(f"a FEN has at most 6 fields, {left_over!r} follows it: {texts[row]!r}")
    return Positions.from_columns(columns, len(encoded))


def parse_fen(text: str) -> Positions:
    """One position as one row; InputError names everything that is wrong with it."""
    return parse_fens([text])
