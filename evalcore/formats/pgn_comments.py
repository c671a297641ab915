"""Scores in the comments of a PGN. Compiled.

| kind | written | by | whose view | position |
|---|---|---|---|---|
| `ENGINE` | `{+0.34/12 1.2s}` | cutechess, fastchess, Arena, old TCEC | see `pgn_scores` | before the move |
| `TCEC` | `{d=26, …, wv=0.87, …}` | TCEC | White | before the move |
| `EVAL` | `{[%eval 0.17]}` | Lichess | White | after the move |
| `BOOK` | `{book}`, `{book, mb=…}` | match runners | none: a move of an opening book | |
| `UNREAD` | `{[%eval nan]}`, `{34/12 1.2s}` | | none: a score that cannot be read | |

Old files wrap lines inside numbers, so white space in a number is passed over. A mate (`#5 -#5 M13
-M12`) is a score of NaN. An `[%eval]` of a whole number with a depth (`[%eval 25,18]`) cannot be read: some
programs mean centipawns by it and some pawns. In a comment with both, `[%eval]` is read and not the engine's
score. Prose is no score (`{1.5/2 points}`): the engines' form has a sign, hundredths or a time in seconds.
"""

from __future__ import annotations

import numpy as np

from ..compiled import kernel, primitive
from ..fen import Buffer
from .labels import is_digit
from .pgn_text import is_space, skip_space

NO_SCORE, ENGINE, TCEC, EVAL, BOOK, UNREAD = range(6)
MOST_DEPTH_DIGITS = 3
_MINUS, _PLUS, _DOT, _SLASH, _COMMA, _CLOSE = 45, 43, 46, 47, 44, 93


@primitive
def read_sign(buffer: Buffer, at: int, end: int) -> tuple[int, bool, bool, int]:
    """The offset after `-`, `+`, `#` and `M`, whether it is negative and a mate, and how many there were.

    The offset is -1 where one of the two kinds comes again.
    """
    signs, mates, negative = 0, 0, False
    while at < end and (buffer[at] == _MINUS or buffer[at] == _PLUS or buffer[at] == 35 or buffer[at] == 77):
        is_mate = buffer[at] == 35 or buffer[at] == 77
        negative = negative or buffer[at] == _MINUS
        signs, mates = signs + (not is_mate), mates + is_mate
        at = skip_space(buffer, at + 1, end)
    return -1 if signs > 1 or mates > 1 else at, negative, mates > 0, signs + mates


@primitive
def read_pawns(buffer: Buffer, at: int, end: int) -> tuple[float, int, bool, bool]:
    """Pawns as centipawns (NaN for a mate), the offset after the number, whether it had a point, and whether
    it had a sign or hundredths.

    The offset is -1 where there is no number.
    """
    at, negative, is_mate, signs = read_sign(buffer, skip_space(buffer, at, end), end)
    value, digits, decimals, has_point = 0.0, 0, 0, False
    while 0 <= at < end and (is_digit(buffer[at]) or (buffer[at] == _DOT and not has_point)):
        if buffer[at] == _DOT:
            has_point = True
        else:
            value = 10.0 * value + (np.float64(buffer[at]) - 48.0)
            digits += 1
            decimals += has_point
        at = skip_space(buffer, at + 1, end)
    if digits == 0:
        return 0.0, -1, False, False
    centipawns = np.nan if is_mate else value * 10.0 ** (2 - decimals)
    return (-centipawns if negative else centipawns), at, has_point or is_mate, signs > 0 or decimals > 1


@primitive
def depth_end(buffer: Buffer, at: int, end: int) -> int:
    """The offset after a depth of one to three digits and white space; -1 where none stands alone."""
    first = skip_space(buffer, at, end)
    stop = first
    while stop < end and is_digit(buffer[stop]):
        stop += 1
    is_alone = stop == end or is_space(buffer[stop]) or buffer[stop] == _COMMA
    return skip_space(buffer, stop, end) if is_alone and 1 <= stop - first <= MOST_DEPTH_DIGITS else -1


@primitive
def has_seconds(buffer: Buffer, at: int, end: int) -> bool:
    """Whether a time such as `1.2s` or `15ms` stands at an offset."""
    first = at
    while at < end and (is_digit(buffer[at]) or buffer[at] == _DOT):
        at += 1
    if at < end and at > first and buffer[at] == 109:
        at += 1
    return at > first and at < end and buffer[at] == 115


@primitive
def read_engine_score(buffer: Buffer, at: int, end: int) -> tuple[int, float]:
    """`+0.34/12 1.2s`: a number with a point, or a mate, and a depth behind a slash.

    UNREAD where depth and time are there, but no such number.
    """
    value, after, is_pawns, is_exact = read_pawns(buffer, at, end)
    if after >= 0 and is_pawns and after < end and buffer[after] == _SLASH:
        stop = depth_end(buffer, after + 1, end)
        return (
            (ENGINE, value) if stop >= 0 and (is_exact or has_seconds(buffer, stop, end)) else (NO_SCORE, 0.0)
        )
    at = skip_space(buffer, at, end)
    while at < end and buffer[at] != _SLASH and not is_space(buffer[at]):
        at += 1
    stop = depth_end(buffer, at + 1, end) if at < end and buffer[at] == _SLASH else -1
    return (UNREAD, 0.0) if stop >= 0 and has_seconds(buffer, stop, end) else (NO_SCORE, 0.0)


@primitive
def read_eval(buffer: Buffer, at: int, end: int) -> tuple[int, float]:
    """What follows `[%eval`."""
    value, after, is_pawns, _ = read_pawns(buffer, at, end)
    is_whole = 0 <= after < end and (buffer[after] == _CLOSE or (buffer[after] == _COMMA and is_pawns))
    return (EVAL, value) if is_whole else (UNREAD, 0.0)


@primitive
def read_white_view(buffer: Buffer, at: int, end: int) -> tuple[int, float]:
    """What follows `wv=`."""
    value, after, _, _ = read_pawns(buffer, at, end)
    return (TCEC, value) if after >= 0 and (after == end or buffer[after] != _DOT) else (UNREAD, 0.0)


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
    first = skip_space(buffer, at, end)
    if stands(buffer, first, end, 98, 111, 111, 107) and (first + 4 == end or buffer[first + 4] <= 44):
        return BOOK, 0.0
    for place in range(at, end - 3):
        byte = buffer[place]
        if byte == 91 and stands(buffer, place + 1, end, 37, 101, 118, 97) and buffer[place + 5] == 108:
            return read_eval(buffer, place + 6, end)
        is_white_view = byte == 119 and buffer[place + 1] == 118 and buffer[place + 2] == 61
        if is_white_view and kind == NO_SCORE and (place == at or buffer[place - 1] <= 44):
            kind, value = read_white_view(buffer, place + 3, end)
    return kind, value
