"""FEN text to and from `Positions` columns, compiled.

A position is four fields (board, side to move, castling, en passant) and perhaps two counters; whatever
follows is left to the caller. Castling is `KQkq`, X-FEN (K and Q mean the outermost rook) or Shredder-FEN
(letters name files); the en-passant square is kept only where a capture is legal. Clocks above 65535
become 65535, move number 0 becomes 1. All faults of a text are found at once, see `legality.FAULTS`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from . import legality
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
from .errors import InputError
from .legality import board_faults, en_passant_faults, en_passant_is_legal, fault_text, signed
from .positions import PIECE_COLUMNS, Positions

__all__ = ["fault_text", "format_fens", "parse_fen", "parse_fens", "parse_spans"]

Buffer: TypeAlias = NDArray[np.uint8]

WORD_COLUMNS = (*PIECE_COLUMNS, "white", "castling_rights")
WHITE, CASTLING = 6, 7
"""Rows of the array of words after the six piece kinds."""
TURN, EN_PASSANT, HALFMOVE, FULLMOVE, HAS_COUNTERS = range(5)
"""Rows of the array of small numbers."""
BLANK, TAB, NEWLINE, RETURN = 32, 9, 10, 13
LARGEST_COUNTER = 0xFFFF
LONGEST_FEN = 112
"""Bytes that certainly hold one FEN: 71 of board, 4 castling letters, an ep square, two counters."""

TWO, THREE, FOUR = Constant(2), Constant(3), Constant(4)
CORNERS = Constant(0x8100_0000_0000_0081)

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
def is_blank(byte: int) -> bool:
    """Blank or tab, the carriage return of a CRLF, or a NUL, which some programs leave at ends of lines."""
    return byte in (BLANK, TAB, RETURN, 0)


@primitive
def ends_field(byte: int) -> bool:
    """A byte that ends a field of a FEN: white space or one of `;`, `,`, `|`."""
    return byte <= BLANK or byte == 59 or byte == 44 or byte == 124


@primitive
def skip_blanks(buffer: Buffer, at: int, end: int) -> int:
    """The first offset that holds no blank."""
    while at < end and is_blank(buffer[at]):
        at += 1
    return at


@primitive
def field_end(buffer: Buffer, at: int, end: int) -> int:
    """Where the field that starts here ends."""
    while at < end and not ends_field(buffer[at]):
        at += 1
    return at


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
    one: Bitboard = EMPTY
    two: Bitboard = EMPTY
    four: Bitboard = EMPTY
    black: Bitboard = EMPTY
    while at < end:
        code: Any = np.uint64(BOARD_ALPHABET[buffer[at]])
        if code == _END_OF_FIELD:
            break
        at += 1
        if code == _NEXT_RANK:
            ranks += 1
            if square != 8 * ranks:
                faults |= legality.RANK_LENGTH
                square = 8 * ranks
            continue
        if code == _NO_PIECE:
            faults |= legality.PIECE_LETTER
        place: Any = np.uint64(square & 63)
        one |= (code & ONE) << place
        two |= ((code >> ONE) & ONE) << place
        four |= ((code >> TWO) & ONE) << place
        black |= ((code >> THREE) & ONE) << place
        square += signed(code >> FOUR)
    if square != 8 * (ranks + 1):
        faults |= legality.RANK_LENGTH
    if ranks != 7:
        faults |= legality.RANKS
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
        return rights, legality.BAD_CASTLING
    for offset in range(at, stop):
        upper = buffer[offset] & 0xDF
        if upper != 75 and upper != 81 and not 65 <= upper <= 72:
            return EMPTY, legality.BAD_CASTLING
    for offset in range(at, stop):
        letter = signed(buffer[offset])
        is_white = letter < 97
        upper = letter if is_white else letter - 32
        own = white if is_white else complement(white)
        king = kings & own & (RANK_1 if is_white else RANK_8)
        if popcount(king) != 1:
            return EMPTY, legality.CASTLING_RIGHT
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
    if faults & legality.RANKS and faults & legality.PIECE_LETTER:
        return end, faults
    at = skip_blanks(buffer, at, end)
    stop = field_end(buffer, at, end)
    white_to_move = True
    if stop == at:
        return at, faults | legality.NO_SIDE
    if stop - at == 1 and (buffer[at] == 119 or buffer[at] == 98):
        white_to_move = buffer[at] == 119
    else:
        faults |= legality.BAD_SIDE
    numbers[TURN, row] = 1 if white_to_move else 0

    at = skip_blanks(buffer, stop, end)
    stop = field_end(buffer, at, end)
    if stop == at:
        return at, faults | legality.NO_CASTLING
    castling, castling_faults = parse_castling(
        buffer, at, stop, words[3, row], words[5, row], words[WHITE, row]
    )
    words[CASTLING, row] = castling
    faults |= castling_faults

    at = skip_blanks(buffer, stop, end)
    stop = field_end(buffer, at, end)
    square = -1
    if stop == at:
        return at, faults | legality.NO_EN_PASSANT
    if stop - at == 2 and 97 <= buffer[at] <= 104 and (buffer[at + 1] == 51 or buffer[at + 1] == 54):
        square = 8 * (signed(buffer[at + 1]) - 49) + signed(buffer[at]) - 97
    elif stop - at != 1 or buffer[at] != 45:
        faults |= legality.BAD_EN_PASSANT
    at = parse_counters(buffer, stop, end, numbers, row)

    p, n, b, r = words[0, row], words[1, row], words[2, row], words[3, row]
    q, k, w = words[4, row], words[5, row], words[WHITE, row]
    if not faults & legality.NOT_A_BOARD:
        faults |= board_faults(p, n, b, r, q, k, w, white_to_move, castling)
        if faults & legality.BAD_SIDE:
            faults &= -1 ^ (legality.OPPOSITE_CHECK | legality.IMPOSSIBLE_CHECK)
        elif square >= 0 and not faults & legality.NO_KING_PAIR:
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
    columns: dict[str, NDArray[Any]] = dict(
        zip((*PIECE_COLUMNS, "white", "castling_rights"), words, strict=True)
    )
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


def parse_fens(texts: Sequence[str]) -> Positions:
    """Positions from FENs of four to six fields; InputError names the first text that is none."""
    encoded = [text.encode() for text in texts]
    buffer = np.frombuffer(b"".join(encoded), np.uint8)
    ends = np.cumsum([len(text) for text in encoded], dtype=np.int64)
    starts = ends - np.array([len(text) for text in encoded], np.int64)
    columns, rests, faults = parse_spans(buffer, starts, ends)
    for row in np.flatnonzero(faults).tolist():
        raise InputError(f"{fault_text(int(faults[row]))}: {texts[row]!r}")
    for row in np.flatnonzero(rests < ends).tolist():
        if left_over := bytes(buffer[rests[row] : ends[row]]).decode().strip():
            raise InputError(f"a FEN has at most 6 fields, {left_over!r} follows it: {texts[row]!r}")
    return Positions.from_columns(columns, len(encoded))


def parse_fen(text: str) -> Positions:
    """One position as one row; InputError names everything that is wrong with it."""
    return parse_fens([text])


@primitive
def _put_number(out: Buffer, at: int, value: int) -> int:
    """Writes a non-negative number; the offset after it."""
    divisor = 1
    while value // divisor >= 10:
        divisor *= 10
    while divisor:
        out[at] = 48 + value // divisor % 10
        at += 1
        divisor //= 10
    return at


@primitive
def _put_board(out: Buffer, at: int, letters: Buffer) -> int:
    """Writes the board of 64 letters, 0 for an empty square, from rank 8 down."""
    for rank in range(7, -1, -1):
        empty = 0
        for square in range(8 * rank, 8 * rank + 8):
            if letters[square] == 0:
                empty += 1
                continue
            if empty:
                out[at] = 48 + empty
                at += 1
                empty = 0
            out[at] = letters[square]
            at += 1
        if empty:
            out[at] = 48 + empty
            at += 1
        out[at] = 47 if rank else BLANK
        at += 1
    return at


@primitive
def _put_castling(out: Buffer, at: int, rights: Bitboard, kings: Bitboard, ordinary: bool) -> int:
    """Writes KQkq where kings and rooks stand as in ordinary chess, else letters of files."""
    if rights == EMPTY:
        out[at] = 45
        return at + 1
    for colour in range(2):
        own = rights & (RANK_1 if colour == 0 else RANK_8)
        for file in range(7, -1, -1):
            if own & (FILE_A << file) != EMPTY:
                letter = (75 if file == 7 else 81) if ordinary else 65 + file
                out[at] = letter + 32 * colour
                at += 1
    return at


@primitive
def castles_in_corners(rights: Bitboard, kings: Bitboard) -> bool:
    """Whether all rights are those of ordinary chess: king on e1 or e8, rook in a corner."""
    for back_rank, home in ((RANK_1, 4), (RANK_8, 60)):
        if rights & back_rank != EMPTY and kings & bit(home) == EMPTY:
            return False
    return rights & CORNERS == rights


@kernel
def _write_fens(
    words: NDArray[np.uint64], numbers: NDArray[np.int32], fields: int, out: Buffer, letters: Buffer
) -> int:
    """Writes all rows, one a line; the number of bytes written."""
    at = 0
    scratch = np.zeros(64, np.uint8)
    for row in range(words.shape[1]):
        scratch[:] = 0
        white = words[WHITE, row]
        for kind in range(6):
            men = words[kind, row]
            while men != EMPTY:
                square = lowest(men)
                black = 0 if white & bit(square) != EMPTY else 32
                scratch[square] = letters[kind] + black
                men ^= bit(square)
        at = _put_board(out, at, scratch)
        out[at] = 119 if numbers[TURN, row] else 98
        out[at + 1] = BLANK
        rights, kings = words[CASTLING, row], words[5, row]
        at = _put_castling(out, at + 2, rights, kings, castles_in_corners(rights, kings))
        out[at] = BLANK
        square = signed(numbers[EN_PASSANT, row])
        out[at + 1] = 45 if square < 0 else 97 + (square & 7)
        at += 2
        if square >= 0:
            out[at] = 49 + (square >> 3)
            at += 1
        if fields == 6:
            out[at] = BLANK
            at = _put_number(out, at + 1, signed(numbers[HALFMOVE, row]))
            out[at] = BLANK
            at = _put_number(out, at + 1, signed(numbers[FULLMOVE, row]))
        out[at] = NEWLINE
        at += 1
    return at


_LETTERS = np.frombuffer(b"PNBRQK", np.uint8)


def format_fens(positions: Positions, fields: int = 6) -> list[str]:
    """FENs of six fields, or the four of an EPD; castling as KQkq, or files where those would mislead."""
    rows = len(positions)
    words = np.stack([getattr(positions, name) for name in WORD_COLUMNS])
    numbers = np.empty((5, rows), np.int32)
    for number, name in enumerate(("white_to_move", "ep_square", "halfmove_clock", "fullmove_number")):
        numbers[number] = getattr(positions, name)
    out = np.empty(rows * LONGEST_FEN, np.uint8)
    written = _write_fens(words, numbers, fields, out, _LETTERS)
    return out[:written].tobytes().decode("ascii").splitlines()
