"""The compiled parser of FENs: board, side to move, castling, en passant, counters, and what is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import faults as fault
from .bitboards import (
    EMPTY,
    FILE_A,
    FILE_H,
    ONE,
    RANK_1,
    RANK_8,
    Bitboard,
    Square,
    bit,
    complement,
    flip,
    lowest,
    popcount,
)
from .compiled import Constant, kernel, primitive
from .fen_layout import (
    BLANK,
    CASTLING,
    EN_PASSANT,
    FULLMOVE,
    HALFMOVE,
    HAS_COUNTERS,
    LARGEST_COUNTER,
    NEWLINE,
    RETURN,
    TAB,
    TURN,
    WHITE,
    WORD_COLUMNS,
    Buffer,
    ends_field,
    field_end,
    skip_blanks,
)
from .legality import board_faults, en_passant_faults, en_passant_is_legal, signed

TWO, THREE, FOUR = Constant(2), Constant(3), Constant(4)
_NEXT_RANK, _END_OF_FIELD, _NO_PIECE = 0x07, 0x0F, 0x17


def _board_alphabet() -> NDArray[np.uint8]:
    """What each byte means in the board field: 16 times the squares it fills, plus the man it puts there.

    Men are 1 to 6 from pawn to king, 8 more for Black; the marks are codes that no man has.
    """
    table = np.full(256, _NO_PIECE, np.uint8)
    for kind, letter in enumerate("PNBRQK", 1):
        table[ord(letter)] = 16 + kind
        table[ord(letter.lower())] = 16 + kind + 8
    for count in range(1, 9):
        table[ord("0") + count] = 16 * count
    table[ord("/")] = _NEXT_RANK
    table[[0, BLANK, TAB, NEWLINE, RETURN, ord(";"), ord(","), ord("|")]] = _END_OF_FIELD
    return table


BOARD_ALPHABET = _board_alphabet()


@primitive
def put_men(
    one: Bitboard, two: Bitboard, four: Bitboard, black: Bitboard, words: NDArray[np.uint64], row: int
) -> None:
    """Fills a row's piece sets from the bits of the men's numbers, the board still upside down."""
    one, two, four, black = flip(one), flip(two), flip(four), flip(black)
    words[0, row] = one & complement(two | four)
    words[1, row] = two & complement(one | four)
    words[2, row] = one & two & complement(four)
    words[3, row] = four & complement(one | two)
    words[4, row] = one & four & complement(two)
    words[5, row] = two & four & complement(one)
    words[WHITE, row] = (one | two | four) & complement(black)


@primitive
def parse_board(buffer: Buffer, at: int, end: int, words: NDArray[np.uint64], row: int) -> tuple[int, int]:
    """Fills the piece sets and `white` of a row; the offset after the board and the faults.

    Squares are filled in the order of the text, a8 first, without a branch for man or number: the four
    bits of what stands there go to four words.
    """
    square, ranks, faults = 0, 0, 0
    last: Any = np.uint64(_NEXT_RANK)
    doubled = 0
    one: Bitboard = EMPTY
    two: Bitboard = EMPTY
    four: Bitboard = EMPTY
    black: Bitboard = EMPTY
    while at < end:
        code: Any = np.uint64(BOARD_ALPHABET[buffer[at]])
        if code == _END_OF_FIELD:
            break
        at += 1
        # Of all codes only those of numbers have no lower half.
        doubled += ((code | last) & 15) == 0
        last = code
        if code == _NEXT_RANK:
            ranks += 1
            if square != 8 * ranks:
                faults |= fault.RANK_LENGTH
                square = 8 * ranks
            continue
        if code == _NO_PIECE:
            faults |= fault.PIECE_LETTER
        place: Any = np.uint64(square & 63)
        one |= (code & ONE) << place
        two |= ((code >> ONE) & ONE) << place
        four |= ((code >> TWO) & ONE) << place
        black |= ((code >> THREE) & ONE) << place
        square += signed(code >> FOUR)
    if square != 8 * (ranks + 1):
        faults |= fault.RANK_LENGTH
    if ranks != 7:
        faults |= fault.RANKS
    if doubled:
        faults |= fault.TWO_NUMBERS
    put_men(one, two, four, black, words, row)
    return at, faults


@primitive
def castling_rook(letter: int, rooks: Bitboard, king: Square) -> Bitboard:
    """The rook a castling letter (as upper case) names, among the rooks of one back rank.

    K and Q are the outermost rook beyond the king; where there is none, the corner, which is a fault.
    """
    back_rank = RANK_1 if king < 8 else RANK_8
    if letter == 75:
        east = rooks & back_rank & (EMPTY - bit(king))
        while popcount(east) > 1:
            east ^= bit(lowest(east))
        return east if east != EMPTY else back_rank & FILE_H
    if letter == 81:
        west = rooks & back_rank & (bit(king) - bit(0))
        return bit(lowest(west)) if west != EMPTY else back_rank & FILE_A
    return back_rank & (FILE_A << (letter - 65))


@primitive
def parse_castling(
    buffer: Buffer, at: int, stop: int, rooks: Bitboard, kings: Bitboard, white: Bitboard
) -> tuple[Bitboard, int]:
    """The rooks that may castle, from a field, and the faults; a king off its back rank gives a fault."""
    if stop - at == 1 and buffer[at] == 45:
        return EMPTY, 0
    rights: Bitboard = EMPTY
    if stop - at > 4:
        return rights, fault.BAD_CASTLING
    for offset in range(at, stop):
        upper = buffer[offset] & 0xDF
        if upper != 75 and upper != 81 and not 65 <= upper <= 72:
            return EMPTY, fault.BAD_CASTLING
    for offset in range(at, stop):
        letter = signed(buffer[offset])
        is_white = letter < 97
        upper = letter if is_white else letter - 32
        own = white if is_white else complement(white)
        king = kings & own & (RANK_1 if is_white else RANK_8)
        if popcount(king) != 1:
            return EMPTY, fault.CASTLING_RIGHT
        rights |= castling_rook(upper, rooks & own, lowest(king))
    return rights, 0


@primitive
def parse_counter(buffer: Buffer, at: int, end: int) -> tuple[int, int]:
    """A field of digits only, or -1 with the offset unchanged."""
    value, here = 0, at
    while here < end and 48 <= buffer[here] <= 57:
        value = min(10 * value + signed(buffer[here]) - 48, LARGEST_COUNTER)
        here += 1
    if here == at or (here < end and not ends_field(buffer[here])):
        return -1, at
    return value, here


@primitive
def parse_counters(buffer: Buffer, at: int, end: int, numbers: NDArray[np.int32], row: int) -> int:
    """Halfmove clock and move number, where they follow; the offset after them."""
    numbers[HALFMOVE, row] = 0
    numbers[FULLMOVE, row] = 1
    numbers[HAS_COUNTERS, row] = 0
    value, after = parse_counter(buffer, skip_blanks(buffer, at, end), end)
    if value < 0:
        return at
    numbers[HALFMOVE, row] = value
    at = after
    value, after = parse_counter(buffer, skip_blanks(buffer, at, end), end)
    if value < 0:
        return at
    numbers[FULLMOVE, row] = max(value, 1)
    numbers[HAS_COUNTERS, row] = 1
    return after


@primitive
def parse_position(
    buffer: Buffer, at: int, end: int, words: NDArray[np.uint64], numbers: NDArray[np.int32], row: int
) -> tuple[int, int]:
    """Fills one row of `words` (8, n) and `numbers` (5, n); the offset of the rest, and the faults."""
    words[CASTLING, row] = 0
    numbers[TURN, row] = 1
    numbers[EN_PASSANT, row] = -1
    at, faults = parse_board(buffer, skip_blanks(buffer, at, end), end, words, row)
    # A line that is no board is not asked for the rest of its fields.
    if faults & fault.RANKS and faults & fault.PIECE_LETTER:
        return end, faults
    at = skip_blanks(buffer, at, end)
    stop = field_end(buffer, at, end)
    white_to_move = True
    if stop == at:
        return at, faults | fault.NO_SIDE
    if stop - at == 1 and (buffer[at] == 119 or buffer[at] == 98):
        white_to_move = buffer[at] == 119
    else:
        faults |= fault.BAD_SIDE
    numbers[TURN, row] = 1 if white_to_move else 0

    at = skip_blanks(buffer, stop, end)
    stop = field_end(buffer, at, end)
    if stop == at:
        return at, faults | fault.NO_CASTLING
    castling, castling_faults = parse_castling(
        buffer, at, stop, words[3, row], words[5, row], words[WHITE, row]
    )
    words[CASTLING, row] = castling
    faults |= castling_faults

    at = skip_blanks(buffer, stop, end)
    stop = field_end(buffer, at, end)
    square = -1
    if stop == at:
        return at, faults | fault.NO_EN_PASSANT
    if stop - at == 2 and 97 <= buffer[at] <= 104 and (buffer[at + 1] == 51 or buffer[at + 1] == 54):
        square = 8 * (signed(buffer[at + 1]) - 49) + signed(buffer[at]) - 97
    elif stop - at != 1 or buffer[at] != 45:
        faults |= fault.BAD_EN_PASSANT
    at = parse_counters(buffer, stop, end, numbers, row)

    p, n, b, r = words[0, row], words[1, row], words[2, row], words[3, row]
    q, k, w = words[4, row], words[5, row], words[WHITE, row]
    if not faults & fault.NOT_A_BOARD:
        faults |= board_faults(p, n, b, r, q, k, w, white_to_move, castling)
        if faults & fault.BAD_SIDE:
            faults &= -1 ^ (fault.OPPOSITE_CHECK | fault.IMPOSSIBLE_CHECK)
        elif square >= 0 and not faults & fault.NO_KING_PAIR:
            faults |= en_passant_faults(square, p, n, b, r, q, k, w, white_to_move)
            if not faults and en_passant_is_legal(square, p, n, b, r, q, k, w, white_to_move):
                numbers[EN_PASSANT, row] = square
    return at, faults


@kernel
def _parse_spans(
    buffer: Buffer,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    words: NDArray[np.uint64],
    numbers: NDArray[np.int32],
    rests: NDArray[np.int64],
    faults: NDArray[np.int64],
) -> None:
    for row in range(len(starts)):
        rests[row], faults[row] = parse_position(buffer, starts[row], ends[row], words, numbers, row)


def parse_spans(
    buffer: Buffer, starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> tuple[dict[str, NDArray[Any]], NDArray[np.int64], NDArray[np.int64]]:
    """Parses the FEN at each span of a byte buffer.

    Returns the board columns and `ply` (0 where the text has no counters), the offset in the buffer where
    each FEN ended, and a fault mask for each row; rows with faults hold no usable position.
    """
    rows = len(starts)
    words = np.empty((8, rows), np.uint64)
    numbers = np.empty((5, rows), np.int32)
    rests = np.empty(rows, np.int64)
    faults = np.empty(rows, np.int64)
    _parse_spans(buffer, starts, ends, words, numbers, rests, faults)
    columns: dict[str, NDArray[Any]] = dict(zip(WORD_COLUMNS, words, strict=True))
    columns["white_to_move"] = numbers[TURN].astype(np.bool_)
    columns["ep_square"] = numbers[EN_PASSANT].astype(np.int8)
    columns["halfmove_clock"] = numbers[HALFMOVE].astype(np.uint16)
    columns["fullmove_number"] = numbers[FULLMOVE].astype(np.uint16)
    columns["ply"] = game_plies(numbers)
    return columns, rests, faults


def game_plies(numbers: NDArray[np.int32]) -> NDArray[np.uint16]:
    """Half moves since the start of the game by the move number; 0 where there is none."""
    plies = numbers[HAS_COUNTERS] * (2 * (numbers[FULLMOVE] - 1) + 1 - numbers[TURN])
    return np.asarray(np.minimum(plies, LARGEST_COUNTER), np.uint16)
