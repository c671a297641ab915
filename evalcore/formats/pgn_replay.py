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
from ..legality import signed
from ..moves import (
    BISHOP,
    BLACK_TO_MOVE,
    FULLMOVE,
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
from .pgn_comments import NO_SCORE, UNREAD, read_comment
from .pgn_scan import MOST_MOVES, MOVES, STOP, Scan
from .pgn_text import comment_end
from .pgn_words import (
    BLACK_WINS,
    DRAW,
    NO_MARK,
    OPEN_VARIATION,
    STRAY_BRACKET,
    WHITE_WINS,
    is_glyph,
    is_result,
    mark_of,
    number_fits,
    read_number,
    skip_marks,
    token_end,
)

OPEN_COMMENT, AFTER_RESULT, OTHER_RESULT, OTHER_NUMBER = range(STRAY_BRACKET + 1, STRAY_BRACKET + 5)
UNCOUNTED = NULL_MOVE - 1
"""What a move is that has no column; the replay needs one more for the position behind it."""
FAULTS = {
    OPEN_COMMENT: "comment never closed",
    OPEN_VARIATION: "variation never closed",
    STRAY_BRACKET: "a closing bracket without an opening one",
    AFTER_RESULT: "moves after the result",
    OTHER_RESULT: "two results that differ behind the moves",
    OTHER_NUMBER: "a move number of the other side, so a move is missing",
    NOT_A_MOVE: "text that is no move",
    ILLEGAL_MOVE: "illegal move",
    AMBIGUOUS_MOVE: "ambiguous move",
    NULL_MOVE: "null move",
    UNCOUNTED: "more moves than the text has squares",
}
FAULT, FAULT_AT, FAULT_END, MARK, BOARD, OVER, FIRST_ROW, ROWS, NOTE_AT, NOTE_END = range(10)
"""Rows of `reports`: what is wrong and the span of the text; the mark behind the moves; what the final board
says and whether it ends the game; the columns of the game (one more than its moves); the comments behind its
last move, from within the first to within the last."""
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
def _fail(report: Words, fault: int, at: int, end: int) -> int:
    """Notes what is wrong with a game, and the span that shows it; the game has no moves then."""
    report[FAULT], report[FAULT_AT], report[FAULT_END] = fault, at, end
    return 0


@primitive
def _take_comment(
    buffer: Buffer, at: int, stop: int, kinds: Any, scores: Any, row: int, report: Words
) -> None:
    """Notes the span of the comments since the last move, and the score for the move of column `row`."""
    report[NOTE_AT], report[NOTE_END] = report[NOTE_AT] or at, stop
    if row >= 0 and (kinds[row] == NO_SCORE or kinds[row] == UNREAD):
        kind, score = read_comment(buffer, at, stop)
        if kind != NO_SCORE:
            kinds[row], scores[row] = kind, score


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
    number, numbered, fits = signed(state[FULLMOVE]), at, True
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
            mark = mark_of(buffer, at, size)
            if ended and mark != report[MARK]:
                return _fail(report, OTHER_RESULT, at, at + size)
            report[MARK], ended = mark, True
            at += size
            continue
        start, said, dots = read_number(buffer, at, end)
        if start > at:
            numbered, fits = at, number_fits(said, dots, number, state[BLACK_TO_MOVE])
            number = said if said >= 0 and fits else number
        at = token_end(buffer, start, end)
        if start == at or is_glyph(buffer, start, at):
            continue
        if ended:
            return _fail(report, AFTER_RESULT, start, at)
        if not fits:  # `78. ...` may stand there if no move comes
            return _fail(report, OTHER_NUMBER, numbered, at)
        move = read_move(state, buffer, start, at)
        if move < 0 or row + 1 >= len(moves):
            return _fail(report, move if move < 0 else UNCOUNTED, start, at)
        _put(words, moves, kinds, scores, row, state, move)
        report[NOTE_AT] = report[NOTE_END] = 0
        number += state[BLACK_TO_MOVE] == 1
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
