"""viriformat: games as a 32-byte start (a marlinformat record) and 4 bytes a move. White's view.

`game := record { move score }* 00000000`, one after another without a mark. The score belongs to the
position before its move; the result stands in the record alone. Games are replayed: one illegal move and
the whole game is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..compiled import kernel, primitive
from ..errors import FormatError
from ..faults import fault_text
from ..legality import check_boards
from ..moves import WORDS, Move, is_legal, make, pack_move, put_column
from ..moves_rows import positions_of, states_of
from ..positions import Positions
from . import marlinformat
from .base import Reader, ReadOptions, Source
from .lines import in_order
from .records import RECORD_FAULTS, Examined, Rest, Step, labelled, may_be_binary, nibbles

LAYOUT = marlinformat.LAYOUT
HEAD, STEP = LAYOUT.itemsize, 4
CASTLING_KIND, PROMOTION_KIND = 2, 3
"""The two highest bits of a move; 1 is en passant."""
LONGEST_GAME = 1 << 20
"""Bytes without an end mark after which a file is taken for no viriformat."""
STEP_LAYOUT = np.dtype([("move", "<u2"), ("score", "<i2")])


@dataclass(frozen=True)
class Games:
    """Whole games of a piece of a file: their starts, and offsets of their steps in `steps`."""

    starts: NDArray[Any]
    steps: NDArray[Any]
    firsts: NDArray[np.int64]
    ends: NDArray[np.int64]


@kernel
def _find_games(words: Any, firsts: Any, ends: Any) -> int:
    """Spans of the steps of all whole games in 4-byte words; how many games there are."""
    at, count, size = 0, 0, len(words)
    while True:
        first = at + HEAD // STEP
        end = first
        while end < size and words[end] != 0:
            end += 1
        if end >= size:
            return count
        firsts[count], ends[count] = first, end
        count += 1
        at = end + 1


@primitive
def step_move(packed: int) -> Move:
    """A move from the 16 bits of a file: from, to, promotion less a knight, kind of move."""
    promotion = ((packed >> 12) & 3) + 1 if packed >> 14 == PROMOTION_KIND else 0
    return pack_move(packed & 63, (packed >> 6) & 63, promotion)


@kernel
def _replay(
    states: Any, moves: Any, firsts: Any, ends: Any, usable: Any, words: Any, rows: Any, broken: Any
) -> int:
    """Plays the usable games; writes the position before each move as a column of `words`.

    `rows` gets the number of the step each position belongs to, `broken` the number of the first illegal
    move of each game, from 1, or 0. Returns the number of positions; a broken game gives none.
    """
    count = 0
    for game in range(len(firsts)):
        if not usable[game]:
            continue
        state = states[game]
        begin = count
        for step in range(firsts[game], ends[game]):
            move = step_move(moves[step])
            if not is_legal(state, move):
                broken[game] = step - firsts[game] + 1
                count = begin
                break
            put_column(words, count, state)
            rows[count] = step
            count += 1
            make(state, move)
    return count


def find_games(data: bytes) -> Games:
    """The whole games at the beginning of some bytes."""
    words = np.frombuffer(data, "<u4", len(data) // STEP)
    most = len(words) // (HEAD // STEP + 1) + 1
    firsts, ends = np.empty(most, np.int64), np.empty(most, np.int64)
    count = _find_games(words, firsts, ends)
    firsts, ends = firsts[:count], ends[:count]
    heads = [data[STEP * first - HEAD : STEP * first] for first in firsts.tolist()]
    steps = np.frombuffer(data, STEP_LAYOUT, len(words))
    return Games(np.frombuffer(b"".join(heads), LAYOUT), steps, firsts, ends)


def replay(games: Games) -> Examined:
    """All positions of all sound games; `game` counts from the first one, rejects are games."""
    decoded = marlinformat.decode(games.starts)
    starts, board_faults = check_boards(decoded.positions)
    usable = (decoded.faults == 0) & (board_faults == 0)
    most = int((games.ends - games.firsts).sum())
    words, rows = np.empty((WORDS, most), np.uint64), np.empty(most, np.int64)
    broken = np.zeros(len(usable), np.int64)
    moves, states = games.steps["move"], states_of(starts)
    count = _replay(states, moves, games.firsts, games.ends, usable, words, rows, broken)
    rows = rows[:count]
    game = np.searchsorted(games.ends, rows, side="right")
    positions = positions_of(
        words[:, :count],
        result=starts.result[game],
        score=games.steps["score"][rows].astype(np.float32),
        game=game,
    )
    rejects = []
    for number in np.flatnonzero(~usable | (broken > 0)).tolist():
        fault = int(decoded.faults[number])
        reason = RECORD_FAULTS[fault] if fault else fault_text(int(board_faults[number]))
        rejects.append((number, reason or f"illegal move, number {broken[number]} of the game", ""))
    return Examined(positions, game, rejects, len(usable), moves[rows].astype(np.int64) & 0xFFF)


def game_blocks(source: Source, options: ReadOptions, stream: BinaryIO, left: Rest) -> Iterator[Games]:
    """Whole games in blocks; `left` learns what is left at the end of the file."""
    rest, count = b"", 0
    while piece := stream.read(options.block * STEP):
        games = find_games(rest + piece)
        done = STEP * (int(games.ends[-1]) + 1) if len(games.ends) else 0
        rest = (rest + piece)[done:]
        count += len(games.ends)
        if len(games.ends):
            yield games
        if len(rest) > LONGEST_GAME + options.block * STEP:
            raise FormatError(source.path, f"game {count + 1}", "the game has no end")
    left.data = rest


def read(source: Source, options: ReadOptions) -> Iterator[Positions]:
    """Positions of a file of this format, one before each move."""
    first, rest, step = 0, Rest(), Step(source, options, "game")
    with source.open() as stream:
        for examined in in_order(replay, game_blocks(source, options, stream, rest), options.threads):
            for number, reason, text in examined.rejects:
                step.reject(first + number + 1, reason, text)
            positions = examined.positions
            if len(positions):
                numbered = positions.replace(game=positions.game + np.uint32(first))
                places = first + 1 + examined.numbers
                yield options.located(labelled(numbered, options), places, moves=examined.moves)
            first += examined.count
    if rest.data:
        what = f"{len(rest.data)} bytes"
        step.ends_inside(first + 1, "the file ends inside a game", what, fault_of_part(rest.data))


def fault_of_part(data: bytes) -> str:
    """What is wrong with the beginning of a game, and not only missing."""
    if len(data) < HEAD:
        return ""
    games = find_games(data[: len(data) - len(data) % STEP] + bytes(STEP))
    return next((reason for _, reason, _ in replay(games).rejects), "")


def plausible(head: bytes) -> bool:
    """Whether the first moves belong to men of the side to move of a sound first record; plain Python."""
    start = np.frombuffer(head, LAYOUT, 1)
    if not marlinformat.looks_right(start)[0]:
        return False
    men, codes = int(start["men"][0]), nibbles(start["codes"], start["men"])[0].tolist()
    squares = [square for square in range(64) if men >> square & 1]
    black_men = {square: codes[number] > 7 for number, square in enumerate(squares)}
    black = bool(start["turn_and_ep"][0] & marlinformat.BLACK_TURN)
    for at in range(HEAD, len(head) - STEP + 1, STEP):
        move = int.from_bytes(head[at : at + 2], "little")
        if head[at : at + STEP] == bytes(STEP):
            return True
        if black_men.get(move & 63) != black:
            return False
        if move >> 14 == CASTLING_KIND:
            return True
        black_men[move >> 6 & 63] = black_men.pop(move & 63)
        black = not black
    return True


def sniff(head: bytes) -> float:
    """Sure where a sound start is followed by moves."""
    if not may_be_binary(head) or len(head) < HEAD + STEP:
        return 0.0
    return 0.88 if plausible(head) else 0.0


READER = Reader("viriformat", "games as a marlinformat record and 4 bytes a move", sniff, read)
