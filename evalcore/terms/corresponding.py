"""Corresponding squares: can our king force its way to an enemy pawn? (Moshammer's algorithm)

For each square of the attacking king there is a set of squares where the defending king must stand, with the
attacker to move, to keep it from the critical squares. The sets start with everything that is legal, nothing
for critical squares, and shrink until each move of the attacker can be answered. Pawns do not move in this.
Wiki page "Corresponding Squares".
"""

from ..bitboards import (
    EMPTY,
    Bitboard,
    bit,
    complement,
    king_attacks,
    lowest,
    neighbours,
    north,
    south,
    without_lowest,
)
from ..compiled import primitive
from ..side import Side
from ..term import WHOLE, term
from .squares import is_pawn_ending


@primitive
def king_steps(squares: Bitboard) -> Bitboard:
    """Squares one king move away from any square of a set."""
    beside = neighbours(squares)
    row = squares | beside
    return north(row) | south(row) | beside


@primitive
def corresponding_squares(us: Side, critical: Bitboard) -> list[Bitboard]:
    """For each square of our king, where the enemy king holds the critical squares with us to move.

    Kings stand on squares no enemy pawn attacks and no own pawn occupies; ours may be in check now.
    A critical square need not be one of them: threatening to go there may be enough.
    """
    ours = complement(us.pawns | us.their_pawn_attacks)
    theirs = complement(us.their_pawns | us.pawn_attacks)
    holds: list[Bitboard] = [EMPTY for _ in range(64)]
    for square in range(64):
        if not critical & bit(square):
            holds[square] = theirs & complement(king_attacks(bit(square)) | bit(square))
    changed = ours | critical
    while changed:
        to = lowest(changed)
        changed = without_lowest(changed)
        ring = king_attacks(bit(to))
        defended = ring | king_steps(holds[to])
        origins = ring & (ours | us.king)
        while origins:
            square = lowest(origins)
            origins = without_lowest(origins)
            if holds[square] & complement(defended):
                holds[square] &= defended
                changed |= bit(square)
    return holds


@term(WHOLE, page="Corresponding Squares", number=True, expensive=True, concept="G11")
def king_breaks_through(us: Side) -> int:
    """In a pawn ending, one if our king reaches an enemy pawn that no pawn defends, whatever the enemy king
    does and as long as no pawn moves."""
    critical = us.their_pawns & complement(us.their_pawn_attacks)
    if critical == 0 or not is_pawn_ending(us):
        return 0
    holds = corresponding_squares(us, critical)[lowest(us.king)]
    replies = us.their_king if us.to_move else king_steps(us.their_king)
    return 0 if replies & holds else 1
