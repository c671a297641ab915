"""Replays the main lines of scanned PGN games. Compiled.

Writes the position before each move, and the one after the last, as columns of states. Variations,
glyphs, numbers and comments are passed over, but for the scores of comments. A game with a move that
cannot be played gives nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..bitboards import DARK_SQUARES, LIGHT_SQUARES, popcount
from ..compiled import kernel, primitive
from ..fen import Buffer
from ..moves import (
    BISHOP,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    WORDS,
    Move,
    Words,
    checkers,
    make,
    occupied,
    put_column,
)
from ..moves_generate import has_legal_move
from ..moves_text import AMBIGUOUS_MOVE, ILLEGAL_MOVE, NOT_A_MOVE, NULL_MOVE, read_move
from .labels import is_digit
from .pgn_comments import NO_SCORE, read_comment
from .pgn_scan import MOST_MOVES, MOVES, STOP, Scan, is_result
from .pgn_text import comment_end, is_space, line_begins, line_end

FINE, OPEN_COMMENT, OPEN_VARIATION, STRAY_BRACKET, AFTER_RESULT, UNCOUNTED = range(6)
FAULTS = {
    OPEN_COMMENT: "comment never closed",
    OPEN_VARIATION: "variation never closed",
    STRAY_BRACKET: "a closing bracket without an opening one",
    AFTER_RESULT: "moves after the result",
    UNCOUNTED: "more moves than the text has squares",
    NOT_A_MOVE: "text that is no move",
    ILLEGAL_MOVE: "illegal move",
    AMBIGUOUS_MOVE: "ambiguous move",
    NULL_MOVE: "null move",
}
NO_MARK, WHITE_WINS, BLACK_WINS, DRAW = range(4)
"""What a result mark or the final board says."""

FAULT, FAULT_AT, FAULT_END, MARK, BOARD, OVER, FIRST_ROW, ROWS, NOTE_AT, NOTE_END = range(10)
"""Rows of `reports`: what is wrong and the span of the text; the mark behind the moves; what the final board
says and whether it ends the game; the columns of the game (one more than its moves); its last comment."""
REPORT = 10


@dataclass(frozen=True)
class Replay:
    """States (WORDS, n) and for each the move made there (0 for none), and the kind and centipawns of the
    comment on it; `reports` (REPORT, games)."""

    words: NDArray[np.uint64]
    moves: NDArray[np.uint16]
    kinds: NDArray[np.uint8]
    scores: NDArray[np.float32]
    reports: NDArray[np.int64]


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
def skip_number(buffer: Buffer, at: int, end: int) -> int:
    """The offset after a move number and its dots; the same offset where there is none."""
    place = at
    while place < end and is_digit(buffer[place]):
        place += 1
    if place == end or (place > at and ends_token(buffer[place])):
        return place
    if buffer[place] != 46:
        return at
    while place < end and buffer[place] == 46:
        place += 1
    return place


@primitive
def is_glyph(buffer: Buffer, at: int, end: int) -> bool:
    """Whether a token is a mark on a move and not one itself: `+- = ± N TN D e.p. ch`."""
    size = end - at
    if buffer[end - 1] == 78 and (size == 1 or (size == 2 and buffer[at] == 84)):
        return True
    if size == 1 and buffer[at] == 68:
        return True
    if size == 2 and buffer[at] == 45 and buffer[at + 1] == 45:
        return False
    if buffer[at] == 101 and size >= 2 and (buffer[at + 1] == 112 or buffer[at + 1] == 46):
        return True
    if size == 2 and buffer[at] == 99 and buffer[at + 1] == 104:
        return True
    for place in range(at, end):
        byte = buffer[place]
        marks = byte == 43 or byte == 45 or byte == 61 or byte == 47 or byte == 60 or byte == 62
        if not (marks or byte == 35 or byte == 94 or byte == 126 or byte == 95 or byte >= 128):
            return False
    return True


@primitive
def mark_of(buffer: Buffer, at: int, size: int) -> int:
    """What a result mark says."""
    if size == 1:
        return NO_MARK
    if buffer[at + 1] == 47:
        return DRAW
    return WHITE_WINS if buffer[at] == 49 else BLACK_WINS


@primitive
def is_dead(state: Words) -> bool:
    """Whether neither side can mate by any moves: bare kings, one minor piece, or bishops of one colour."""
    if state[PAWN] | state[ROOK] | state[QUEEN]:
        return False
    if popcount(occupied(state)) <= 3:
        return True
    bishops = state[BISHOP]
    return state[KNIGHT] == 0 and (bishops & DARK_SQUARES == 0 or bishops & LIGHT_SQUARES == 0)


@kernel
def judge(state: Words) -> tuple[int, bool]:
    """What the board itself says of the result, and whether the game is over there."""
    if not has_legal_move(state):
        if checkers(state) == 0:
            return DRAW, True
        return (WHITE_WINS if state[7] else BLACK_WINS), True
    return (DRAW, True) if is_dead(state) else (NO_MARK, False)


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


@primitive
def _fail(report: Words, fault: int, at: int, end: int) -> int:
    """Notes what is wrong with a game, and the span that shows it; the game has no moves then."""
    report[FAULT], report[FAULT_AT], report[FAULT_END] = fault, at, end
    return 0


@primitive
def _take_comment(
    buffer: Buffer, at: int, stop: int, kinds: Any, scores: Any, row: int, report: Words
) -> None:
    """Notes the span of a comment, and its score for the move of column `row` if that has none yet."""
    report[NOTE_AT], report[NOTE_END] = at, stop
    if row >= 0 and kinds[row] == NO_SCORE:
        kinds[row], scores[row] = read_comment(buffer, at, stop)


@primitive
def _put(words: Any, moves: Any, kinds: Any, scores: Any, row: int, state: Words, move: Move) -> None:
    """Writes a position that has no score yet, and the move made there."""
    put_column(words, row, state)
    moves[row], kinds[row], scores[row] = move, NO_SCORE, np.nan


@kernel
def _replay_game(
    buffer: Buffer,
    at: int,
    end: int,
    state: Any,
    words: Any,
    moves: Any,
    kinds: Any,
    scores: Any,
    first: int,
    report: Any,
) -> int:
    """Plays one game from `state`; the number of its moves, whose columns begin at `first`."""
    row, ended = first, False
    while True:
        at, fault = skip_marks(buffer, at, end)
        if fault:
            return _fail(report, fault, at, end)
        if at >= end:
            return row - first
        if buffer[at] == 123:
            stop = comment_end(buffer, at + 1, end)
            if buffer[stop - 1] != 125:
                return _fail(report, OPEN_COMMENT, at, end)
            _take_comment(buffer, at + 1, stop - 1, kinds, scores, row - 1 if row > first else -1, report)
            at = stop
            continue
        size = is_result(buffer, at, end)
        if size:
            report[MARK], ended = mark_of(buffer, at, size), True
            at += size
            continue
        start = skip_number(buffer, at, end)
        at = token_end(buffer, start, end)
        if start == at or is_glyph(buffer, start, at):
            continue
        move = AFTER_RESULT if ended else read_move(state, buffer, start, at)
        if ended or move < 0:
            return _fail(report, move, start, at)
        if row + 1 >= len(moves):  # the last position needs a column, too
            return _fail(report, UNCOUNTED, start, at)
        _put(words, moves, kinds, scores, row, state, move)
        make(state, move)
        row += 1


@kernel
def _replay(
    buffer: Buffer,
    spans: Any,
    states: Any,
    wanted: Any,
    words: Any,
    made: Any,
    kinds: Any,
    scores: Any,
    reports: Any,
) -> int:
    """Plays the wanted games; the number of columns used. `reports` starts as zeros."""
    row = reports[FIRST_ROW].sum()  # 0; a plain 0 would be compiled as a case of its own
    for game in range(len(wanted)):
        report = reports[:, game]
        report[FIRST_ROW] = row
        if not wanted[game]:
            continue
        state = states[game]
        moves = _replay_game(
            buffer, spans[MOVES, game], spans[STOP, game], state, words, made, kinds, scores, row, report
        )
        if moves == 0:
            continue
        _put(words, made, kinds, scores, row + moves, state, 0)
        report[BOARD], report[OVER] = judge(state)
        report[ROWS] = moves + 1
        row += moves + 1
    columns: int = row
    return columns


def replay(scan: Scan, states: NDArray[np.uint64], wanted: NDArray[np.bool_]) -> Replay:
    """The positions of the wanted games, which start from `states` (n, WORDS; changed in place)."""
    most = int((scan.spans[MOST_MOVES] + 1).sum())
    words = np.empty((WORDS, most), np.uint64)
    moves = np.empty(most, np.uint16)
    kinds, scores = np.empty(most, np.uint8), np.empty(most, np.float32)
    reports = np.zeros((REPORT, len(wanted)), np.int64)
    rows = _replay(scan.buffer, scan.spans, states, wanted, words, moves, kinds, scores, reports)
    return Replay(words[:, :rows], moves[:rows], kinds[:rows], scores[:rows], reports)
