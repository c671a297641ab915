"""Side: the board as one side sees it. "Us" always moves north.

A term is written once, for "us"; the other side's count is the same rule on the flipped board, so an
evaluation is symmetric in colour by construction. Compiled rules see a Side as a record of machine
words (`SIDE`), the Python bodies as a NamedTuple of ints; the field names are the same.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import from_dtype
from numpy.typing import NDArray

from .bitboards import (
    Bitboard,
    bishop_attacks,
    bit,
    complement,
    east,
    flip,
    king_attacks,
    knight_attacks,
    lowest,
    north,
    pawn_attacks,
    queen_attacks,
    rook_attacks,
    west,
    without_lowest,
)
from .compiled import kernel, primitive
from .positions import PIECE_COLUMNS, Positions


class Side(NamedTuple):
    """Sets of squares, seen with our pawns moving north.

    `attacks_twice` are squares attacked by two or more men (a pawn pair counts as two); attack sets
    include squares occupied by own men and see through nothing. `castling` holds our rooks that may
    still castle. `to_move` is one square (a1) when it is our move, else empty.
    """

    pawns: Bitboard
    knights: Bitboard
    bishops: Bitboard
    rooks: Bitboard
    queens: Bitboard
    king: Bitboard
    men: Bitboard
    castling: Bitboard
    pawn_attacks: Bitboard
    knight_attacks: Bitboard
    bishop_attacks: Bitboard
    rook_attacks: Bitboard
    queen_attacks: Bitboard
    king_attacks: Bitboard
    attacks: Bitboard
    attacks_twice: Bitboard
    their_pawns: Bitboard
    their_knights: Bitboard
    their_bishops: Bitboard
    their_rooks: Bitboard
    their_queens: Bitboard
    their_king: Bitboard
    their_men: Bitboard
    their_castling: Bitboard
    their_pawn_attacks: Bitboard
    their_knight_attacks: Bitboard
    their_bishop_attacks: Bitboard
    their_rook_attacks: Bitboard
    their_queen_attacks: Bitboard
    their_king_attacks: Bitboard
    their_attacks: Bitboard
    their_attacks_twice: Bitboard
    occupied: Bitboard
    to_move: Bitboard


FIELDS = len(Side._fields)
HALF = 16
"""Fields that describe one side's men; the first half are ours, the second theirs."""
OCCUPIED, TO_MOVE = FIELDS - 2, FIELDS - 1

SIDE = from_dtype(np.dtype([(name, np.uint64) for name in Side._fields]))
"""The type of `us` in compiled rules: a record in memory, passed by address."""


KNIGHTS, BISHOPS, ROOKS, QUEENS, KING = 1, 2, 3, 4, 5
MEN, CASTLING, PAWN_ATTACKS, ATTACKS, ATTACKS_TWICE = 6, 7, 8, 14, 15


@primitive
def attacks_of(piece: int, square: int, occupied: Bitboard) -> Bitboard:
    """Squares attacked by a knight (1), bishop (2), rook (3), queen (4) or king (5) on `square`."""
    if piece == KNIGHTS:
        return knight_attacks(bit(square))
    if piece == BISHOPS:
        return bishop_attacks(square, occupied)
    if piece == ROOKS:
        return rook_attacks(square, occupied)
    if piece == QUEENS:
        return queen_attacks(square, occupied)
    return king_attacks(bit(square))


@kernel
def describe_half(half: Any, occupied: Bitboard) -> None:
    """From the six piece sets at the start of a half, fills the rest of it (all but `castling`)."""
    pawns = half[0]
    half[MEN] = pawns | half[KNIGHTS] | half[BISHOPS] | half[ROOKS] | half[QUEENS] | half[KING]
    half[PAWN_ATTACKS] = pawn_attacks(pawns)
    attacks = half[PAWN_ATTACKS]
    twice = east(north(pawns)) & west(north(pawns))
    for piece in range(KNIGHTS, KING + 1):
        union = pawns ^ pawns
        rest = half[piece]
        while rest:
            squares = attacks_of(piece, lowest(rest), occupied)
            rest = without_lowest(rest)
            union |= squares
            twice |= attacks & squares
            attacks |= squares
        half[PAWN_ATTACKS + piece] = union
    half[ATTACKS] = attacks
    half[ATTACKS_TWICE] = twice


@kernel
def describe(white: Any, black: Any, boards: Any, white_to_move: Any, row: int) -> None:
    """Fills the records of both sides, `white` and `black` (each FIELDS words), for one row.

    `boards` is the tuple of columns P N B R Q K, white, castling_rights. Black's men are described on
    the flipped board; then each side gets the flipped half of the other.
    """
    occupied = boards[0][row] | boards[1][row] | boards[2][row]
    occupied |= boards[3][row] | boards[4][row] | boards[5][row]
    whites = boards[6][row]
    for piece in range(6):
        white[piece] = boards[piece][row] & whites
        black[piece] = flip(boards[piece][row] & complement(whites))
    white[CASTLING] = boards[7][row] & whites
    black[CASTLING] = flip(boards[7][row] & complement(whites))
    describe_half(white, occupied)
    describe_half(black, flip(occupied))
    for field in range(HALF):
        white[HALF + field] = flip(black[field])
        black[HALF + field] = flip(white[field])
    white[OCCUPIED], black[OCCUPIED] = occupied, flip(occupied)
    white[TO_MOVE] = 1 if white_to_move[row] else 0
    black[TO_MOVE] = 0 if white_to_move[row] else 1


def board_columns(positions: Positions) -> tuple[NDArray[np.uint64], ...]:
    """The columns `describe` reads as `boards`, in its order."""
    return tuple(getattr(positions, name) for name in (*PIECE_COLUMNS, "white", "castling_rights"))


def sides(positions: Positions, row: int) -> tuple[Side, Side]:
    """White's and Black's view of one row, as plain ints."""
    white, black = np.zeros((2, FIELDS), np.uint64)
    describe(white, black, board_columns(positions), positions.white_to_move, row)
    return Side(*map(int, white)), Side(*map(int, black))
