"""Scores in the comments of a PGN. Compiled.

| kind | written | by | whose view | position |
|---|---|---|---|---|
| `ENGINE` | `{+0.34/12 1.2s}` | cutechess, fastchess, Arena, old TCEC | see `pgn_scores` | before the move |
| `TCEC` | `{d=26, …, wv=0.87, …}` | TCEC | White | before the move |
| `EVAL` | `{[%eval 0.17]}` | Lichess | White | after the move |
| `BOOK` | `{book}`, `{book, mb=…}` | match runners | none: a move of an opening book | |

Old files wrap lines inside numbers, so white space in a number is passed over. A mate (`#5 -#5 M13
-M12`) is a score of NaN. An `[%eval]` of a whole number with a depth (`[%eval 25,18]`) is passed over: some
programs mean centipawns by it and some pawns.
"""

from __future__ import annotations

import numpy as np

from ..compiled import kernel, primitive
from ..fen import Buffer
from .labels import is_digit
from .pgn_text import skip_space

NO_SCORE, ENGINE, TCEC, EVAL, BOOK = range(5)
_MINUS, _PLUS, _DOT, _SLASH, _COMMA, _CLOSE = 45, 43, 46, 47, 44, 93


@primitive
def read_pawns(buffer: Buffer, at: int, end: int) -> tuple[float, int, bool]:
    """Pawns as centipawns (NaN for a mate), the offset after the number, and whether it had a point.

    The offset is -1 where there is no number.
    """
    at = skip_space(buffer, at, end)
    negative, is_mate = False, False
    while at < end and (buffer[at] == _MINUS or buffer[at] == _PLUS or buffer[at] == 35 or buffer[at] == 77):
        negative = negative or buffer[at] == _MINUS
        is_mate = is_mate or buffer[at] == 35 or buffer[at] == 77
        at = skip_space(buffer, at + 1, end)
    value, digits, decimals, has_point = 0.0, 0, 0, False
    while at < end and (is_digit(buffer[at]) or (buffer[at] == _DOT and not has_point)):
        if buffer[at] == _DOT:
            has_point = True
        else:
            value = 10.0 * value + (np.float64(buffer[at]) - 48.0)
            digits += 1
            decimals += has_point
        at = skip_space(buffer, at + 1, end)
    if digits == 0:
        return 0.0, -1, False
    centipawns = np.nan if is_mate else value * 10.0 ** (2 - decimals)
    return (-centipawns if negative else centipawns), at, has_point or is_mate


@primitive
def read_engine_score(buffer: Buffer, at: int, end: int) -> tuple[int, float]:
    """`+0.34/12`: a number with a point, or a mate, and a depth behind a slash."""
    value, after, is_pawns = read_pawns(buffer, at, end)
    if after < 0 or not is_pawns or after >= end or buffer[after] != _SLASH:
        return NO_SCORE, 0.0
    depth = skip_space(buffer, after + 1, end)
    return (ENGINE, value) if depth < end and is_digit(buffer[depth]) else (NO_SCORE, 0.0)


@primitive
def read_eval(buffer: Buffer, at: int, end: int) -> tuple[int, float]:
    """What follows `[%eval`."""
    value, after, is_pawns = read_pawns(buffer, at, end)
    if after < 0 or after >= end:
        return NO_SCORE, 0.0
    if buffer[after] == _CLOSE or (buffer[after] == _COMMA and is_pawns):
        return EVAL, value
    return NO_SCORE, 0.0


@primitive
def stands(buffer: Buffer, at: int, end: int, b0: int, b1: int, b2: int, b3: int) -> bool:
    """Whether four given bytes stand at an offset."""
    return (
        at + 4 <= end
        and buffer[at] == b0
        and buffer[at + 1] == b1
        and buffer[at + 2] == b2
        and buffer[at + 3] == b3
    )


@kernel
def read_comment(buffer: Buffer, at: int, end: int) -> tuple[int, float]:
    """The kind and the centipawns of the score in the text of a comment; NO_SCORE where there is none."""
    kind, value = read_engine_score(buffer, at, end)
    if kind:
        return kind, value
    first = skip_space(buffer, at, end)
    if stands(buffer, first, end, 98, 111, 111, 107) and (first + 4 == end or buffer[first + 4] <= 44):
        return BOOK, 0.0
    for place in range(at, end - 3):
        byte = buffer[place]
        if byte == 91 and stands(buffer, place + 1, end, 37, 101, 118, 97) and buffer[place + 5] == 108:
            return read_eval(buffer, place + 6, end)
        if byte == 119 and stands(buffer, place, end, 119, 118, 61, buffer[place + 3]):
            if place > at and buffer[place - 1] > 44:
                continue
            value, after, _ = read_pawns(buffer, place + 3, end)
            return (TCEC, value) if after >= 0 else (NO_SCORE, 0.0)
    return NO_SCORE, 0.0
