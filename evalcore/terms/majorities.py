"""Pawn majorities on the wings, sound and crippled."""

from ..bitboards import EMPTY, RANK_1, Bitboard, bit, file_fill, popcount
from ..compiled import Constant, primitive
from ..side import Side
from ..term import Partition, term

WEST_HALF = Constant(0x0F0F_0F0F_0F0F_0F0F)
EAST_HALF = Constant(0xF0F0_F0F0_F0F0_F0F0)
FILES_A_TO_C = Constant(0x0707_0707_0707_0707)
FILES_F_TO_H = Constant(0xE0E0_E0E0_E0E0_E0E0)

BY_HALF = Partition("half", ("queenside", "kingside"), tuple(square % 8 // 4 for square in range(64)))
"""Rules here answer with one square for each wing: a1 for the queenside, h1 for the kingside."""


@primitive
def is_majority(pawns: Bitboard, their_pawns: Bitboard, wing: Bitboard) -> bool:
    """Whether we have more pawns than the enemy on a wing."""
    return popcount(pawns & wing) > popcount(their_pawns & wing)


@primitive
def is_crippled(pawns: Bitboard, their_pawns: Bitboard, wing: Bitboard) -> bool:
    """Whether a majority holds no more files than the enemy has pawns, so that no passer need come of it."""
    files = popcount(file_fill(pawns & wing) & RANK_1)
    return is_majority(pawns, their_pawns, wing) and files <= popcount(their_pawns & wing)


@primitive
def marks(queenside: bool, kingside: bool) -> Bitboard:
    """a1 for the queenside, h1 for the kingside."""
    return (bit(0) if queenside else EMPTY) | (bit(7) if kingside else EMPTY)


@term(BY_HALF, page="Pawn Majority", concept="C16 E14")
def pawn_majority(us: Side) -> Bitboard:
    """More pawns than the enemy on files a-d (queenside) or e-h (kingside)."""
    west = is_majority(us.pawns, us.their_pawns, WEST_HALF)
    return marks(west, is_majority(us.pawns, us.their_pawns, EAST_HALF))


@term(BY_HALF, page="Pawn Majority", concept="C16")
def outer_pawn_majority(us: Side) -> Bitboard:
    """More pawns than the enemy on files a-c (queenside) or f-h (kingside), the centre left out."""
    west = is_majority(us.pawns, us.their_pawns, FILES_A_TO_C)
    return marks(west, is_majority(us.pawns, us.their_pawns, FILES_F_TO_H))


@term(BY_HALF, page="Doubled Pawn", concept="C15")
def crippled_majority(us: Side) -> Bitboard:
    """Majorities on files a-d or e-h that hold no more files than the enemy has pawns there."""
    west = is_crippled(us.pawns, us.their_pawns, WEST_HALF)
    return marks(west, is_crippled(us.pawns, us.their_pawns, EAST_HALF))


@term(BY_HALF, page="Doubled Pawn", concept="C15")
def crippled_outer_majority(us: Side) -> Bitboard:
    """Majorities on files a-c or f-h that hold no more files than the enemy has pawns there."""
    west = is_crippled(us.pawns, us.their_pawns, FILES_A_TO_C)
    return marks(west, is_crippled(us.pawns, us.their_pawns, FILES_F_TO_H))
