"""Pawns that cannot push without loss, pieces considered (static exchange evaluation on the stop square)."""

from ..bitboards import (
    EMPTY,
    Bitboard,
    Square,
    bishop_attacks,
    bit,
    complement,
    king_attacks,
    knight_attacks,
    lowest,
    pawn_attacks,
    pawn_attacks_of_enemy,
    rook_attacks,
    south,
    without_lowest,
)
from ..compiled import primitive
from ..side import Side
from ..term import BY_PAWN_RANK, term

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = 100, 325, 325, 500, 975, 10_000
"""Centipawns; a king takes last, and only what is undefended."""


@primitive
def attackers_of(us: Side, square: Square, occupied: Bitboard) -> Bitboard:
    """Men of both sides that attack a square when only the squares `occupied` are."""
    target = bit(square)
    diagonal = us.bishops | us.queens | us.their_bishops | us.their_queens
    straight = us.rooks | us.queens | us.their_rooks | us.their_queens
    found = (pawn_attacks_of_enemy(target) & us.pawns) | (pawn_attacks(target) & us.their_pawns)
    found |= knight_attacks(target) & (us.knights | us.their_knights)
    found |= king_attacks(target) & (us.king | us.their_king)
    found |= bishop_attacks(square, occupied) & diagonal
    found |= rook_attacks(square, occupied) & straight
    return found & occupied


@primitive
def least_valuable(us: Side, men: Bitboard) -> tuple[Bitboard, int]:
    """The cheapest man of some men of one side, as a set of one, and its value."""
    if men & (us.pawns | us.their_pawns):
        return bit(lowest(men & (us.pawns | us.their_pawns))), PAWN
    if men & (us.knights | us.their_knights):
        return bit(lowest(men & (us.knights | us.their_knights))), KNIGHT
    if men & (us.bishops | us.their_bishops):
        return bit(lowest(men & (us.bishops | us.their_bishops))), BISHOP
    if men & (us.rooks | us.their_rooks):
        return bit(lowest(men & (us.rooks | us.their_rooks))), ROOK
    if men & (us.queens | us.their_queens):
        return bit(lowest(men & (us.queens | us.their_queens))), QUEEN
    return men, KING


@primitive
def push_loses(us: Side, pawn: Bitboard, stop: Square) -> bool:
    """Whether advancing a pawn to its empty stop square loses material in the exchange that follows there.

    `ahead` says whether the side that took last keeps its gain; `stake` is what the next capture must win
    back for it to be worth while.
    """
    occupied = (us.occupied & complement(pawn)) | bit(stop)
    ours = True
    ahead = True
    stake = PAWN
    while True:
        ours = not ours
        taking = attackers_of(us, stop, occupied) & complement(bit(stop))
        taking &= us.men if ours else us.their_men
        if taking == 0:
            return not ahead
        man, value = least_valuable(us, taking)
        occupied &= complement(man)
        if value == KING:
            others = us.their_men if ours else us.men
            if attackers_of(us, stop, occupied) & others & complement(bit(stop)):
                return not ahead
        ahead = not ahead
        stake = value - stake
        if stake < (1 if ahead else 0):
            return not ahead


@term(BY_PAWN_RANK, page="Backward Pawns (Bitboards)", concept="C9")
def backward_by_exchange(us: Side) -> Bitboard:
    """Pawns whose push to their empty stop square loses material, pieces considered (Diepeveen).

    Even a member of a duo may be backward in this sense. Pins are ignored.
    """
    found: Bitboard = EMPTY
    rest = us.pawns & south(complement(us.occupied))
    while rest:
        square = lowest(rest)
        rest = without_lowest(rest)
        if push_loses(us, bit(square), square + 8):
            found |= bit(square)
    return found
