"""The bytes of a FEN and the arrays its parts are kept in while it is parsed or written."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .compiled import primitive
from .positions import PIECE_COLUMNS

Buffer: TypeAlias = NDArray[np.uint8]

WORD_COLUMNS = (*PIECE_COLUMNS, "white", "castling_rights")
WHITE, CASTLING = 6, 7
"""Rows of the array of words after the six piece kinds."""
TURN, EN_PASSANT, HALFMOVE, FULLMOVE, HAS_COUNTERS = range(5)
"""Rows of the array of small numbers."""
BLANK, TAB, NEWLINE, RETURN = 32, 9, 10, 13
LARGEST_COUNTER = 0xFFFF
LONGEST_FEN = 112
"""Bytes that certainly hold one FEN: 71 of board, 4 castling letters, an ep square, two counters."""


@primitive
def is_blank(byte: int) -> bool:
    """Blank or tab, the carriage return of a CRLF, or a NUL, which some programs leave at ends of lines."""
    return byte in (BLANK, TAB, RETURN, 0)


@primitive
def ends_field(byte: int) -> bool:
    """A byte that ends a field of a FEN: white space or one of `;`, `,`, `|`."""
    return byte <= BLANK or byte == 59 or byte == 44 or byte == 124


@primitive
def skip_blanks(buffer: Buffer, at: int, end: int) -> int:
    """The first offset that holds no blank."""
    while at < end and is_blank(buffer[at]):
        at += 1
    return at


@primitive
def field_end(buffer: Buffer, at: int, end: int) -> int:
    """Where the field that starts here ends."""
    while at < end and not ends_field(buffer[at]):
        at += 1
    return at
