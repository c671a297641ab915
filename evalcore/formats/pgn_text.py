"""What the bytes of a PGN are: white space, lines, comments, and where a tag begins. Compiled."""

from __future__ import annotations

from ..compiled import primitive
from ..fen import Buffer
from .labels import is_digit, is_letter


@primitive
def is_space(byte: int) -> bool:
    """White space of any kind; NUL too."""
    return byte <= 32


@primitive
def line_begins(buffer: Buffer, at: int) -> bool:
    """Whether a line begins at an offset."""
    return at == 0 or buffer[at - 1] == 10 or buffer[at - 1] == 13


@primitive
def line_end(buffer: Buffer, at: int, end: int) -> int:
    """The offset of the end of the line."""
    while at < end and buffer[at] != 10 and buffer[at] != 13:
        at += 1
    return at


@primitive
def skip_space(buffer: Buffer, at: int, end: int) -> int:
    """The next offset that holds no white space."""
    while at < end and is_space(buffer[at]):
        at += 1
    return at


@primitive
def count_lines(buffer: Buffer, at: int, end: int) -> int:
    """How many line ends a span holds."""
    lines = 0
    for place in range(at, end):
        lines += buffer[place] == 10
    return lines


@primitive
def has_blank_line(buffer: Buffer, at: int, end: int) -> bool:
    """Whether a span, which begins within a line, holds a line of white space alone."""
    is_blank = False
    for place in range(at, end):
        byte = buffer[place]
        if byte == 10 or (byte == 13 and (place + 1 == end or buffer[place + 1] != 10)):
            if is_blank:
                return True
            is_blank = True
        elif not is_space(byte):
            is_blank = False
    return False


@primitive
def same_bytes(buffer: Buffer, one: int, one_end: int, other: int, other_end: int) -> bool:
    """Whether two spans hold the same bytes."""
    if one_end - one != other_end - other:
        return False
    while one < one_end and buffer[one] == buffer[other]:
        one += 1
        other += 1
    return one == one_end


@primitive
def name_end(buffer: Buffer, at: int, end: int) -> int:
    """Where a tag's name ends that starts at an offset."""
    while at < end and (is_letter(buffer[at]) or is_digit(buffer[at]) or buffer[at] == 95):
        at += 1
    return at


@primitive
def is_tag(buffer: Buffer, at: int, end: int) -> bool:
    """Whether `[Name "` stands at an offset, with white space of any kind between."""
    if at >= end or buffer[at] != 91:
        return False
    first = skip_space(buffer, at + 1, end)
    if first >= end or not is_letter(buffer[first]):
        return False
    stop = name_end(buffer, first, end)
    quote = skip_space(buffer, stop, end)
    return stop < quote < end and buffer[quote] == 34


@primitive
def is_broken_tag(buffer: Buffer, at: int, end: int) -> bool:
    """Whether `[Name` stands at the beginning of a line."""
    if buffer[at] != 91 or at + 1 >= end or not is_letter(buffer[at + 1]):
        return False
    before = at
    while before > 0 and (buffer[before - 1] == 32 or buffer[before - 1] == 9):
        before -= 1
    return line_begins(buffer, before)


@primitive
def begins_tag(buffer: Buffer, at: int, end: int) -> bool:
    """Whether a tag begins at an offset, sound or broken."""
    return buffer[at] == 91 and (is_tag(buffer, at, end) or is_broken_tag(buffer, at, end))


@primitive
def comment_end(buffer: Buffer, at: int, end: int) -> int:
    """The offset after a comment whose `{` stands before `at`; of a tag which ends an open one, or `end`."""
    while at < end:
        if buffer[at] == 125:
            return at + 1
        if buffer[at] == 91 and is_broken_tag(buffer, at, end) and is_tag(buffer, at, end):
            return at
        at += 1
    return end
