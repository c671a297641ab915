"""What follows the FEN on a line of the EPD family: operations, results in brackets or bare (see `epd`)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .. import faults as fault
from ..compiled import primitive
from ..fen import Buffer, ends_field, is_blank
from .labels import (
    NO_RESULT,
    has_byte,
    is_digit,
    is_letter,
    is_score,
    parse_number,
    parse_result,
    result_fault,
    trim,
)

RESULT, SCORE, HALFMOVE, FULLMOVE, MATES, DOUBT = range(6)
"""Places in the record of one line that the rules below fill; -1 where nothing was found. DOUBT: a `c0` that
looks like a result and is none, which matters where no other operation has one; its value is the fault."""

_SEMICOLON, _COMMA, _HASH, _QUOTE, _OPEN, _CLOSE = 59, 44, 35, 34, 91, 93
_MINUS, _DOT, _SLASH, _ZERO, _ONE, _TWO, _NINE = 45, 46, 47, 48, 49, 50, 57
_C, _E, _F, _H, _M, _N, _V = 99, 101, 102, 104, 109, 110, 118


@primitive
def operand_end(buffer: Buffer, at: int, end: int) -> tuple[int, int]:
    """Where the `;` is that ends an operation (or the line), quotes protecting it; and the faults."""
    quoted = False
    while at < end:
        if buffer[at] == _QUOTE:
            quoted = not quoted
        elif buffer[at] == _SEMICOLON and not quoted:
            break
        at += 1
    return at, fault.OPEN_QUOTE if quoted else 0


@primitive
def is_score_of_a_game(byte: int) -> bool:
    """0, 1, and the letters that are typed or scanned in their place: O, o, l, I."""
    return byte in (_ZERO, _ONE, 79, 111, 108, 73)


@primitive
def is_words(buffer: Buffer, at: int, end: int) -> bool:
    """Whether an operand is a comment, no result in an unknown spelling: `1-O`, `1-0 (time)`, `+/-`."""
    if end - at >= 3 and (end - at == 3 or not is_name(buffer[at + 3])):
        if buffer[at + 1] == _MINUS and is_score_of_a_game(buffer[at]) and is_score_of_a_game(buffer[at + 2]):
            return False
        if buffer[at] == _ONE and buffer[at + 1] == _SLASH and buffer[at + 2] == _TWO:
            return False
    letters, marks = 0, 0
    for here in range(at, end):
        byte = buffer[here]
        letters += is_letter(byte)
        marks += byte in (_MINUS, _SLASH, 42, _DOT)
    return letters > 0 or marks == 0


@primitive
def is_moves(buffer: Buffer, at: int, end: int) -> bool:
    """Whether an operand is a list of moves, each of which names a square or castles: `f4f5 Nf3+ O-O`."""
    squares, words = 0, 0
    while at < end:
        stop = at
        while stop < end and not is_blank(buffer[stop]):
            stop += 1
        square = stop - at >= 3 and buffer[at] == 79 and buffer[at + 1] == _MINUS and buffer[at + 2] == 79
        for here in range(at, stop - 1):
            square |= 97 <= buffer[here] <= 104 and 49 <= buffer[here + 1] <= 56
        squares += square and is_letter(buffer[at])
        words += 1
        at = stop
        while at < end and is_blank(buffer[at]):
            at += 1
    return words > 0 and squares == words


@primitive
def set_result(record: NDArray[np.float64], value: float) -> int:
    """Keeps a result; the fault where it is none, or another was there before."""
    if value < 0.0:
        return result_fault(value)
    if record[RESULT] != NO_RESULT and record[RESULT] != value:
        return fault.TWO_RESULTS
    record[RESULT] = value
    return 0


@primitive
def set_score(record: NDArray[np.float64], value: float) -> int:
    """Keeps a score, or that it is a mate; the fault where another was there before."""
    if is_score(value):
        differs = record[MATES] > 0 or not (np.isnan(record[SCORE]) or record[SCORE] == value)
        record[SCORE] = value
    else:
        differs = not np.isnan(record[SCORE])
        record[MATES] = 1.0
    return fault.TWO_SCORES if differs else 0


@primitive
def set_counter(record: NDArray[np.float64], place: int, value: float) -> int:
    """Keeps a counter; the fault where another was there before."""
    if record[place] >= 0.0 and record[place] != value:
        return fault.TWO_VALUES
    record[place] = value
    return 0


@primitive
def read_comment(buffer: Buffer, digit: int, at: int, end: int, record: NDArray[np.float64]) -> int:
    """The operand of `c0` to `c9`: a result, or words. Decimals are results in `c0` and `c9` only, and only
    there is something like a result an attempt at one: `c3 "2020.01.05"` is a comment."""
    if end - at >= 2 and buffer[at] == _QUOTE and buffer[end - 1] == _QUOTE:
        at, end = trim(buffer, at + 1, end - 1)
    value = parse_result(buffer, at, end, False)
    if digit == _NINE:
        return 0 if value < 0.0 and is_moves(buffer, at, end) else set_result(record, value)
    if value >= 0.0 and (digit == _ZERO or not has_byte(buffer, at, end, _DOT)):
        return set_result(record, value)
    if value < 0.0 and digit == _ZERO and not is_words(buffer, at, end):
        record[DOUBT] = result_fault(value)
    return 0


@primitive
def is_name(byte: int) -> bool:
    """A byte of an operation's name."""
    return is_letter(byte) or is_digit(byte) or byte == 95


@primitive
def read_operation(buffer: Buffer, at: int, end: int, record: NDArray[np.float64]) -> tuple[int, int]:
    """One EPD operation; the offset after it and the faults."""
    name_end = at
    while name_end < end and is_name(buffer[name_end]):
        name_end += 1
    if name_end < end and not ends_field(buffer[name_end]):
        return end, fault.LEFT_OVER
    stop, faults = operand_end(buffer, name_end, end)
    first, last = trim(buffer, name_end, stop)
    if first >= last and stop >= end:
        # A lone word at the end of the line is no operation: those have an operand or a semicolon.
        return end, faults | fault.LEFT_OVER
    length, one, two = name_end - at, buffer[at], buffer[at + 1] if at + 1 < end else 0
    if length == 2 and one == _C and is_digit(two):
        faults |= read_comment(buffer, two, first, last, record)
    elif length == 2 and one == _C and two == _E:
        value, after = parse_number(buffer, first, last)
        faults |= fault.BAD_SCORE if after != last or after == first else set_score(record, value)
    elif (
        length == 4
        and ((one == _H and two == _M) or (one == _F and two == _M))
        and buffer[at + 2] in (_V, _N, _M)
    ):
        value, after = parse_number(buffer, first, last)
        if after != last or after == first or value < 0:
            faults |= fault.LEFT_OVER
        else:
            faults |= set_counter(record, HALFMOVE if one == _H else FULLMOVE, min(value, 65535.0))
    return stop, faults


@primitive
def read_bare(buffer: Buffer, at: int, end: int, record: NDArray[np.float64]) -> tuple[int, int]:
    """A result, bare or in brackets or quotes, or a number after one; the offset after it and the faults."""
    opened = buffer[at]
    if opened in (_OPEN, _QUOTE):
        close = _CLOSE if opened == _OPEN else _QUOTE
        stop = at + 1
        while stop < end and buffer[stop] != close:
            stop += 1
        first, last = trim(buffer, at + 1, stop)
        value = parse_result(buffer, first, last, opened == _OPEN)
        if stop == end:
            return end, fault.UNKNOWN_RESULT
        return stop + 1, set_result(record, value)
    stop = at
    while stop < end and not ends_field(buffer[stop]):
        stop += 1
    value = parse_result(buffer, at, stop, False)
    if value >= 0.0:
        return stop, set_result(record, value)
    _, after = parse_number(buffer, at, stop)
    if record[RESULT] != NO_RESULT:
        return stop, 0 if after == stop and after > at else fault.LEFT_OVER
    if after == stop and value == NO_RESULT and buffer[at - 1] == _COMMA:
        return end, fault.HEADERLESS
    return end, result_fault(value)


@primitive
def read_label(buffer: Buffer, at: int, end: int, record: NDArray[np.float64]) -> int:
    """Everything after the FEN of one line; fills the record and returns the faults."""
    record[:] = -1.0
    record[SCORE] = np.nan
    faults, bare = 0, False
    while at < end and not faults:
        byte = buffer[at]
        if is_blank(byte) or byte in (_SEMICOLON, _COMMA):
            at += 1
        elif byte == _HASH:
            break
        elif is_letter(byte) and not bare:
            at, faults = read_operation(buffer, at, end, record)
        else:
            at, faults = read_bare(buffer, at, end, record)
            bare = True
    if record[DOUBT] > 0 and record[RESULT] == NO_RESULT:
        faults |= int(record[DOUBT])
    return faults
