"""Where the games of a PGN text begin and end, and where their tags are. Compiled; knows no chess.

A game is its tags and the movetext behind them. Blank lines mean nothing. A tag that follows movetext
begins the next game; so does the first tag's name coming again (a game without moves). Where a comment
is never closed, a line that is a tag ends the game. A game without any tag begins where a line starts
with move 1 after a result.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..compiled import kernel, primitive
from ..fen import Buffer
from .labels import is_digit, is_letter

TAGS = ("result", "fen", "variant", "termination", "white", "black")
"""The tags that matter, in any case of letters."""
RESULT, FEN, VARIANT, TERMINATION, WHITE_NAME, BLACK_NAME = range(len(TAGS))
LONGEST_TAG = 11
_NAMES = np.zeros((len(TAGS), LONGEST_TAG + 1), np.uint8)
for _number, _name in enumerate(TAGS):
    _NAMES[_number, : len(_name)] = np.frombuffer(_name.encode(), np.uint8)

BEGIN, LINE, MOVES, STOP, MOST_MOVES = range(5)
"""Rows of `spans`: offset of a game, lines before it, offset of its movetext and its end, and a number of
moves it cannot exceed."""
MOST_GAMES = 1 << 14
"""Games of one scan."""


@dataclass(frozen=True)
class Scan:
    """The games of a piece of text: `spans` (5, n), `tags` (n, 6, 2) of value spans (-1 where absent).

    `done` is the offset of the first game that may go on beyond the text, `lines` the lines before it.
    """

    buffer: Buffer
    spans: NDArray[np.int64]
    tags: NDArray[np.int64]
    done: int
    lines: int

    def __len__(self) -> int:
        return len(self.tags)


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
def name_end(buffer: Buffer, at: int, end: int) -> int:
    """Where a tag's name ends that starts at an offset."""
    while at < end and (is_letter(buffer[at]) or is_digit(buffer[at]) or buffer[at] == 95):
        at += 1
    return at


@primitive
def is_tag(buffer: Buffer, at: int, end: int) -> bool:
    """Whether `[Name "` stands at an offset."""
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
def same_name(buffer: Buffer, one: int, one_end: int, other: int, other_end: int) -> bool:
    """Whether two spans hold the same bytes."""
    if one_end - one != other_end - other:
        return False
    while one < one_end and buffer[one] == buffer[other]:
        one += 1
        other += 1
    return one == one_end


@primitive
def known_tag(buffer: Buffer, at: int, end: int) -> int:
    """The number in `TAGS` of a tag's name, or -1."""
    if end - at > LONGEST_TAG:
        return -1
    for number in range(len(TAGS)):
        offset = 0
        while at + offset < end and buffer[at + offset] | 32 == _NAMES[number, offset]:
            offset += 1
        if at + offset == end and _NAMES[number, offset] == 0:
            return number
    return -1


@primitive
def value_end(buffer: Buffer, at: int, end: int) -> int:
    """The offset of the quote that ends a tag's value: the first one before a `]`; or -1 on this line."""
    stop = line_end(buffer, at, end)
    for place in range(at, stop):
        if buffer[place] == 34:
            after = place + 1
            while after < stop and is_space(buffer[after]):
                after += 1
            if after < stop and buffer[after] == 93:
                return place
    return -1


@primitive
def read_tag(buffer: Buffer, at: int, end: int, tags: Any) -> int:
    """Notes the value of a tag that matters; the offset after the tag, or after the line if it is broken."""
    first = skip_space(buffer, at + 1, end)
    stop = name_end(buffer, first, end)
    quote = skip_space(buffer, stop, end)
    after = line_end(buffer, at, end)
    if quote >= after or buffer[quote] != 34:
        return after
    close = value_end(buffer, quote + 1, end)
    if close < 0:
        return after
    number = known_tag(buffer, first, stop)
    if number >= 0 and tags[number, 0] < 0:
        tags[number, 0], tags[number, 1] = quote + 1, close
    while buffer[close] != 93:
        close += 1
    return close + 1


@primitive
def skip_tags(buffer: Buffer, at: int, end: int, tags: Any) -> tuple[int, bool]:
    """The offset after all tags of a game, and whether the next game begins there."""
    first, first_end = -1, -1
    while True:
        at = skip_space(buffer, at, end)
        if at >= end:
            return at, False
        if (buffer[at] == 37 or buffer[at] == 59) and line_begins(buffer, at):
            at = line_end(buffer, at, end)
            continue
        if not (is_tag(buffer, at, end) or is_broken_tag(buffer, at, end)):
            return at, False
        name = skip_space(buffer, at + 1, end)
        stop = name_end(buffer, name, end)
        if first < 0:
            first, first_end = name, stop
        elif same_name(buffer, first, first_end, name, stop):
            return at, True
        at = read_tag(buffer, at, end, tags)


@primitive
def comment_end(buffer: Buffer, at: int, end: int) -> int:
    """The offset after a comment that begins at `{`; that of a tag which ends an open one, or `end`."""
    while at < end:
        if buffer[at] == 125:
            return at + 1
        if buffer[at] == 91 and is_broken_tag(buffer, at, end) and is_tag(buffer, at, end):
            return at
        at += 1
    return end


@primitive
def is_result(buffer: Buffer, at: int, end: int) -> int:
    """How many bytes of a result mark (`1-0 0-1 1/2-1/2 1/2 *`) stand at an offset; 0 for none."""
    size = 0
    if buffer[at] == 42:
        size = 1
    elif at + 3 <= end:
        one, two, three = buffer[at], buffer[at + 1], buffer[at + 2]
        if two == 45 and ((one == 49 and three == 48) or (one == 48 and three == 49)):
            size = 3
        elif one == 49 and two == 47 and three == 50:
            longer = at + 7 <= end and buffer[at + 3] == 45 and buffer[at + 4] == 49
            size = 7 if longer and buffer[at + 5] == 47 and buffer[at + 6] == 50 else 3
    after = at + size
    bounded = after >= end or is_space(buffer[after]) or buffer[after] == 123 or buffer[after] == 59
    return size if bounded or (size == 3 and buffer[after] == 91) else 0


@primitive
def begins_untagged(buffer: Buffer, at: int, end: int) -> bool:
    """Whether a line begins here with `1.`, not followed by another dot."""
    return line_begins(buffer, at) and at + 2 < end and buffer[at] == 49 and buffer[at + 1] == 46


@primitive
def skip_moves(buffer: Buffer, at: int, end: int) -> tuple[int, int]:
    """The offset where the next game begins (or `end`), and a number of moves there cannot be more of."""
    moves, ended, before = 0, False, 0
    while at < end:
        byte = buffer[at]
        if byte == 123:
            at = comment_end(buffer, at + 1, end)
            before = 32
            continue
        if byte == 59 or (byte == 37 and line_begins(buffer, at)):
            at = line_end(buffer, at, end)
            continue
        if byte == 91 and (is_tag(buffer, at, end) or is_broken_tag(buffer, at, end)):
            return at, moves
        if is_space(before) and is_result(buffer, at, end):
            ended = True
        elif ended and begins_untagged(buffer, at, end):
            return at, moves
        is_square = 49 <= byte <= 56 and 97 <= before <= 104
        if is_square or (byte == 45 and (before == 79 or before == 48 or before == 111)):
            moves += 1
        before = byte
        at += 1
    return end, moves


@primitive
def count_lines(buffer: Buffer, at: int, end: int) -> int:
    """How many line ends a span holds."""
    lines = 0
    for place in range(at, end):
        lines += buffer[place] == 10
    return lines


@kernel
def _scan(buffer: Buffer, is_last: bool, spans: Any, tags: Any) -> tuple[int, int, int]:
    """Fills `spans` and `tags`; the number of games, the offset where the rest begins, lines before it."""
    at, line, count, end = 0, 0, 0, len(buffer)
    while True:
        begin = skip_space(buffer, at, end)
        line += count_lines(buffer, at, begin)
        if begin >= end or count == spans.shape[1]:
            return count, begin, line
        tags[count] = -1
        moves, next_begins = skip_tags(buffer, begin, end, tags[count])
        stop, most = (moves, 0) if next_begins else skip_moves(buffer, moves, end)
        if stop >= end and not is_last:
            return count, begin, line
        spans[BEGIN, count], spans[LINE, count] = begin, line
        spans[MOVES, count], spans[STOP, count], spans[MOST_MOVES, count] = moves, stop, most
        line += count_lines(buffer, begin, stop)
        count += moves > begin or most > 0  # text without a tag or a move is no game
        at = stop


def scan(text: bytes, is_last: bool) -> Scan:
    """The first games of a text (at most `MOST_GAMES`), those that surely end in it unless it `is_last`."""
    buffer = np.frombuffer(text, np.uint8)
    spans, tags = np.empty((5, MOST_GAMES), np.int64), np.empty((MOST_GAMES, len(TAGS), 2), np.int64)
    count, done, lines = _scan(buffer, is_last, spans, tags)
    return Scan(buffer, spans[:, :count], tags[:count], done, lines)
