"""Where the games of a PGN text begin and end. Compiled; knows no chess.

A game is its tags (`pgn_tags`) and the movetext behind them. Blank lines mean nothing. A tag that follows
moves and a result begins the next game; where these are missing, only a tag whose name the game already has
does, and another one makes the game an error. Where a comment is never closed, a line that is a tag ends it.
In a text without any tags a game begins where a line starts with move 1 after a result.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..compiled import kernel, primitive
from ..fen import Buffer
from .pgn_tags import TAGS, TORN_TAGS, has_name, note_fault, skip_tags
from .pgn_text import (
    begins_tag,
    comment_end,
    count_lines,
    is_space,
    line_begins,
    line_end,
    name_end,
    skip_space,
)
from .pgn_words import is_result

BEGIN, LINE, MOVES, STOP, MOST_MOVES, TAG_FAULT, TAG_FAULT_AT, TAG_FAULT_END = range(8)
"""Rows of `spans`: offset of a game, lines before it, offset of its movetext and its end, a number of
moves it cannot exceed, and what is wrong with its tags (0 for nothing) with the span that shows it."""
SPANS = 8
MOST_GAMES = 1 << 14
"""Games of one scan."""
USUAL_TAGS = 1 << 14
"""Bytes of a tag section in which names are looked up."""


@dataclass(frozen=True)
class Scan:
    """The games of a piece of text: `spans` (SPANS, n), `tags` (n, TAGS, 2) of value spans (-1 where absent).

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
def begins_untagged(buffer: Buffer, at: int, end: int) -> bool:
    """Whether a line begins here with `1.`, not followed by another dot."""
    return line_begins(buffer, at) and at + 2 < end and buffer[at] == 49 and buffer[at + 1] == 46


@primitive
def begins_game(buffer: Buffer, begin: int, moves: int, at: int, end: int) -> bool:
    """Whether a tag that follows text, but no moves with a result, begins the next game.

    So it does where the game (from `begin`, its movetext from `moves`) has no tags, or one of that name.
    """
    name = skip_space(buffer, at + 1, end)
    stop = name_end(buffer, name, end)
    tags_end = min(moves, begin + USUAL_TAGS)
    return stop < end and (moves == begin or has_name(buffer, begin, tags_end, name, stop))


@primitive
def skip_moves(buffer: Buffer, begin: int, at: int, end: int, fault: Any) -> tuple[int, int]:
    """The offset where the game after the one from `begin` starts (or `end`), and a number of moves there
    cannot be more of: each names a square, or has a dash between the wings of castling."""
    first, moves, ended, before = at, 0, False, 0
    while at < end:
        byte = buffer[at]
        if byte == 123:
            at = comment_end(buffer, at + 1, end)
            before = 32
            continue
        if byte == 59 or (byte == 37 and line_begins(buffer, at)):
            at = line_end(buffer, at, end)
            continue
        if byte == 91 and begins_tag(buffer, at, end):
            if ended or begins_game(buffer, begin, first, at, end):
                return at, moves
            note_fault(fault, TORN_TAGS, at, name_end(buffer, skip_space(buffer, at + 1, end), end))
        size = is_result(buffer, at, end) if is_space(before) else 0
        if size:
            ended = ended or moves > 0
            before = buffer[at + size - 1]
            at += size
            continue
        if ended and first == begin and begins_untagged(buffer, at, end):
            return at, moves
        is_square = 49 <= byte <= 56 and 97 <= before <= 104
        if is_square or (byte == 45 and (before == 79 or before == 48 or before == 111)):
            moves += 1
        before = byte
        at += 1
    return end, moves


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
        spans[TAG_FAULT:, count] = 0
        fault = spans[TAG_FAULT:, count]
        moves, next_game = skip_tags(buffer, begin, end, tags[count], fault)
        stop, most = next_game, 0
        if next_game < 0:
            stop, most = skip_moves(buffer, begin, moves, end, fault)
        if stop >= end and not is_last:
            return count, begin, line
        spans[BEGIN, count], spans[LINE, count] = begin, line
        spans[MOVES, count], spans[STOP, count], spans[MOST_MOVES, count] = moves, stop, most
        line += count_lines(buffer, begin, stop)
        count += moves > begin or most > 0  # text without a tag or a move is no game
        at = stop


def scan(text: bytes, is_last: bool) -> Scan:
    """The first games of a text (at most `MOST_GAMES`), those that surely end in it unless it `is_last`."""
    # A name at the very end is whole only if something follows.
    buffer = np.frombuffer(text + b"\n" if is_last else text, np.uint8)
    spans, tags = np.empty((SPANS, MOST_GAMES), np.int64), np.empty((MOST_GAMES, len(TAGS), 2), np.int64)
    count, done, lines = _scan(buffer, is_last, spans, tags)
    return Scan(buffer, spans[:, :count], tags[:count], done, lines)
