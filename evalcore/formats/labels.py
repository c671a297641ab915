"""Small compiled parsers for labels: numbers, game results, mate scores.

Every function takes a byte buffer and a span, and never looks outside it.
"""

from __future__ import annotations

import numpy as np

from .. import faults as fault
from ..compiled import primitive
from ..fen import Buffer, is_blank, skip_blanks
from ..legality import signed

NO_RESULT, OTHER_CODING, UNFINISHED = -1.0, -2.0, -3.0
CODINGS = (-1.0, 2.0, 50.0, 100.0)
"""Numbers that results have in other codings: whole files of them, not a slip."""
"""What `parse_result` returns where the text is no result, a number that is none, or `*`."""
LARGEST_SCORE = 20_000.0
"""Scores of this size and beyond, in a file's units or in centipawns, are mates, tablebase wins or
sentinels such as 32002, and become "no score"."""
NOTE_MATE = "mate, tablebase or sentinel scores taken as no score"

_STAR, _PLUS, _MINUS, _DOT, _SLASH = 42, 43, 45, 46, 47


@primitive
def is_digit(byte: int) -> bool:
    """0 to 9."""
    return 48 <= byte <= 57


@primitive
def is_letter(byte: int) -> bool:
    """A to Z in either case."""
    return 65 <= byte & 0xDF <= 90


@primitive
def trim(buffer: Buffer, at: int, end: int) -> tuple[int, int]:
    """The span without blanks at either end."""
    at = skip_blanks(buffer, at, end)
    while end > at and is_blank(buffer[end - 1]):
        end -= 1
    return at, end


@primitive
def parse_number(buffer: Buffer, at: int, end: int) -> tuple[float, int]:
    """A decimal number with optional sign and exponent; the value and the offset after it.

    The offset is the one given where no number starts here. A point needs a digit after it: `0.` is what is
    left of `0.5` in a file that was cut off, and no number.
    """
    here = at
    negative = here < end and buffer[here] == _MINUS
    if here < end and (buffer[here] == _MINUS or buffer[here] == _PLUS):
        here += 1
    value, digits, decimals = 0.0, 0, 0
    while here < end and is_digit(buffer[here]):
        value = value * 10.0 + (np.float64(buffer[here]) - 48.0)
        digits += 1
        here += 1
    if here < end and buffer[here] == _DOT:
        here += 1
        while here < end and is_digit(buffer[here]):
            value = value * 10.0 + (np.float64(buffer[here]) - 48.0)
            digits += 1
            decimals += 1
            here += 1
        if decimals == 0:
            return 0.0, at
    if digits == 0:
        return 0.0, at
    exponent, after = _parse_exponent(buffer, here, end)
    value *= 10.0 ** (exponent - decimals)
    return (-value if negative else value), after


@primitive
def _parse_exponent(buffer: Buffer, at: int, end: int) -> tuple[int, int]:
    """`e12` or `E-3` as a number, 0 where there is none."""
    if at >= end or (buffer[at] != 101 and buffer[at] != 69):
        return 0, at
    here = at + 1
    negative = here < end and buffer[here] == _MINUS
    if here < end and (buffer[here] == _MINUS or buffer[here] == _PLUS):
        here += 1
    first, value = here, 0
    while here < end and is_digit(buffer[here]):
        value = min(10 * value + signed(buffer[here]) - 48, 9999)
        here += 1
    if here == first:
        return 0, at
    return (-value if negative else value), here


@primitive
def spells(buffer: Buffer, at: int, end: int, one: int, two: int, three: int) -> bool:
    """Whether the span is exactly three given bytes."""
    return end - at == 3 and buffer[at] == one and buffer[at + 1] == two and buffer[at + 2] == three


@primitive
def parse_result(buffer: Buffer, at: int, end: int, integers: bool) -> float:
    """The result a whole span spells: `1-0 0-1 1/2-1/2 1/2`, or a number from 0 to 1; else a negative code.

    Numbers without a decimal point count only where `integers` says so. Other codings of results (1, 0, -1 or
    0, 1, 2 or percent) must be told from mere damage: their other values look like results.
    """
    if spells(buffer, at, end, 49, _MINUS, 48):
        return 1.0
    if spells(buffer, at, end, 48, _MINUS, 49):
        return 0.0
    if spells(buffer, at, min(at + 3, end), 49, _SLASH, 50):
        if end - at == 3:
            return 0.5
        if end - at == 7 and buffer[at + 3] == _MINUS and spells(buffer, at + 4, end, 49, _SLASH, 50):
            return 0.5
    if end - at == 1 and buffer[at] == _STAR:
        return UNFINISHED
    value, after = parse_number(buffer, at, end)
    if after == at or after != end or not (integers or has_byte(buffer, at, end, _DOT)):
        return NO_RESULT
    if buffer[at] == _PLUS or value in CODINGS:
        return OTHER_CODING
    return value if 0.0 <= value <= 1.0 and is_digit(buffer[at]) else NO_RESULT


@primitive
def result_fault(value: float) -> int:
    """The fault of what `parse_result` returned, 0 for a result."""
    if value >= 0.0:
        return 0
    if value == OTHER_CODING:
        return fault.OTHER_CODING
    return fault.UNFINISHED if value == UNFINISHED else fault.UNKNOWN_RESULT


@primitive
def has_byte(buffer: Buffer, at: int, end: int, byte: int) -> bool:
    """Whether a byte occurs in a span."""
    while at < end and buffer[at] != byte:
        at += 1
    return at < end


@primitive
def is_score(value: float) -> bool:
    """Whether a number can be an evaluation and not a mate or a sentinel."""
    return -LARGEST_SCORE < value < LARGEST_SCORE
