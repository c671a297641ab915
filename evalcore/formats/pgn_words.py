"""The words of movetext: moves, their numbers, marks on them, results, what is passed over. Compiled."""

from __future__ import annotations

from ..compiled import primitive
from ..fen import Buffer
from ..legality import signed
from ..moves_text import is_null_move
from .labels import is_digit
from .pgn_text import comment_end, is_space, line_begins, line_end

FINE, OPEN_VARIATION, STRAY_BRACKET = range(3)
"""What may be wrong with the brackets of a game."""
NO_MARK, WHITE_WINS, BLACK_WINS, DRAW = range(4)
"""What a result mark or the final board says."""
LARGEST_NUMBER = 1_000_000
"""Move numbers beyond are read as this one."""


@primitive
def ends_token(byte: int) -> bool:
    """A byte that ends a move or number: white space or one of `{}();$!?`."""
    return (
        is_space(byte)
        or byte == 123
        or byte == 125
        or byte == 40
        or byte == 41
        or byte == 59
        or byte == 36
        or byte == 33
        or byte == 63
    )


@primitive
def token_end(buffer: Buffer, at: int, end: int) -> int:
    """Where the token that begins at an offset ends."""
    while at < end and not ends_token(buffer[at]):
        at += 1
    return at


@primitive
def read_number(buffer: Buffer, at: int, end: int) -> tuple[int, int, int]:
    """The offset after a move number and its dots, the number (-1 where there is none), and how many dots.

    The same offset where there is neither. White space may stand before the dots (`1. ... e5`).
    """
    place, number, dots = at, -1, 0
    if not is_digit(buffer[at]) and buffer[at] != 46:
        return at, number, dots
    while place < end and is_digit(buffer[place]):
        number = min(10 * max(number, 0) + signed(buffer[place]) - 48, LARGEST_NUMBER)
        place += 1
    is_word = place < end and place > at and buffer[place] != 46 and not ends_token(buffer[place])
    if is_word or (place > at + 1 and buffer[at] == 48):  # such as `0-0`; `0000` is a null move
        return at, -1, 0
    here = place
    while here < end and (buffer[here] == 46 or is_space(buffer[here])):
        if buffer[here] == 46:
            dots += 1
            place = here + 1
        here += 1
    return place, number, dots


@primitive
def number_fits(said: int, dots: int, number: int, black: int) -> bool:
    """Whether a number (-1: dots alone) can stand before a move of White or Black in move `number`.

    `3.` is White's and `3...` Black's; `3.` may come again before Black's move, but `4.` would mean that a
    move is missing. Numbers of the right side may be wrong: real files count on where a clock was stopped.
    """
    return dots >= 2 or said == number if black else dots < 3


@primitive
def is_glyph(buffer: Buffer, at: int, end: int) -> bool:
    """Whether a token is a mark on a move and not one itself: `+- = ± N TN D e.p. ch`."""
    size = end - at
    if buffer[end - 1] == 78 and (size == 1 or (size == 2 and buffer[at] == 84)):
        return True
    if size == 1 and buffer[at] == 68:
        return True
    if buffer[at] == 101 and size >= 2 and (buffer[at + 1] == 112 or buffer[at + 1] == 46):
        return True
    if size == 2 and buffer[at] == 99 and buffer[at + 1] == 104:
        return True
    for place in range(at, end):
        byte = buffer[place]
        marks = byte == 43 or byte == 45 or byte == 61 or byte == 47 or byte == 60 or byte == 62
        if not (marks or byte == 35 or byte == 94 or byte == 126 or byte == 95 or byte >= 128):
            return False
    return not is_null_move(buffer, at, end)


@primitive
def mark_of(buffer: Buffer, at: int, size: int) -> int:
    """What a result mark says."""
    if size == 1:
        return NO_MARK
    if buffer[at + 1] == 47:
        return DRAW
    return WHITE_WINS if buffer[at] == 49 else BLACK_WINS


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
def skip_marks(buffer: Buffer, at: int, end: int) -> tuple[int, int]:
    """The offset of the next comment or word of the main line, and a fault: brackets that do not match.

    Passed over: white space, variations with all they hold, `$12`, `!?`, comments to the end of a line.
    """
    depth = 0
    while at < end:
        byte = buffer[at]
        if byte == 59 or (byte == 37 and line_begins(buffer, at)):
            at = line_end(buffer, at, end)
        elif depth and byte == 123:
            at = comment_end(buffer, at + 1, end)
        elif byte == 123:
            return at, FINE
        elif byte == 125 or (byte == 41 and depth == 0):
            return at, STRAY_BRACKET
        elif ends_token(byte):
            depth += 1 if byte == 40 else -1 if byte == 41 else 0
            at += 1
            while byte == 36 and at < end and is_digit(buffer[at]):
                at += 1
        elif depth:
            at = token_end(buffer, at, end)
        else:
            return at, FINE
    return end, OPEN_VARIATION if depth else FINE
