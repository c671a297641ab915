"""Pawns facing enemy pawns: open, rammed, levers, safe to push."""

from ..bitboards import Bitboard, complement, south
from ..side import Side
from ..term import BY_PAWN_RANK, BY_RANK, term
from .spans import levers, open_pawns, rammed_pawns, safe_pawn_squares

BY_RAM_RANK = BY_RANK.within(0x0000_FFFF_0000_0000, "rank 5-6")
"""A ram has a pawn of either side: those on ranks 5-6 of one side face those on ranks 2-4 of the other."""


@term(BY_PAWN_RANK, page="Open Pawns (Bitboards)", concept="B6")
def open_pawn(us: Side) -> Bitboard:
    """Pawns with no enemy pawn ahead on their file: the file is half-open for the enemy's rooks."""
    return open_pawns(us.pawns, us.their_pawns)


@term(BY_RAM_RANK, page="Pawn Rams (Bitboards)", concept="B7")
def rammed_pawn(us: Side) -> Bitboard:
    """Pawns on ranks 5-6 with an enemy pawn on their stop square.

    Rams on rank 4 meet rank 4 and cancel; those on ranks 2-3 are the enemy's on ranks 5-6.
    """
    return rammed_pawns(us.pawns, us.their_pawns)


@term(BY_PAWN_RANK, page="Pawn Levers (Bitboards)", concept="B8")
def lever(us: Side) -> Bitboard:
    """Pawns that attack an enemy pawn."""
    return levers(us.pawns, us.their_pawns)


@term(BY_PAWN_RANK, page="Pawn Attacks (Bitboards)", concept="B5 B10")
def safe_pawn_push(us: Side) -> Bitboard:
    """Pawns whose stop square is empty and attacked by no more enemy pawns than own ones."""
    empty = complement(us.occupied)
    return us.pawns & south(empty & safe_pawn_squares(us.pawns, us.their_pawns))
