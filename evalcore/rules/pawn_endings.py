"""Queen against pawn, and blockades that no king can pass (wiki page "Blockage Detection")."""

from ..bitboards import (
    EMPTY,
    ONE,
    RANK_1,
    RANK_2,
    Bitboard,
    attack_spans,
    bit,
    complement,
    front_spans,
    king_attacks,
    lowest,
    neighbours,
    north,
    pawn_attacks_of_enemy,
    popcount,
    rotate,
    south,
)
from ..compiled import Constant, primitive
from ..scaling import scaling
from ..side import Side
from ..terms.passed import passed
from ..terms.squares import distance, is_pawn_ending, pieces, their_pieces

FILES_ACFH = Constant(0xA5A5_A5A5_A5A5_A5A5)
FAR = 5
"""King moves from the pawn at which the queen's king comes too late."""


@scaling({"rook or bishop pawn": 1 / 16}, page="Draw Evaluation", concept="J4")
def queen_v_pawn(us: Side) -> int:
    """A queen against a rook or bishop pawn one step from promotion with its king beside it, and our king at
    least five moves from the pawn: stalemate saves the pawn's side."""
    if us.pawns or pieces(us) != us.queens or popcount(us.queens) != 1 or their_pieces(us):
        return 0
    if popcount(us.their_pawns) != 1 or not us.their_pawns & RANK_2 & FILES_ACFH:
        return 0
    beside = us.their_king & king_attacks(us.their_pawns)
    return 1 if beside and distance(lowest(us.king), lowest(us.their_pawns)) >= FAR else 0


@primitive
def fixed_pawns(pawns: Bitboard, their_pawns: Bitboard) -> Bitboard:
    """Our rammed pawns and own pawns stuck behind them; nothing with fewer than three rams."""
    fixed = pawns & south(their_pawns)
    if popcount(fixed) < 3:
        return EMPTY
    for _ in range(4):
        fixed |= pawns & south(fixed)
    return fixed


@primitive
def beyond(fence: Bitboard) -> Bitboard:
    """Squares after the last one of the fence, in the order of the squares."""
    last: Bitboard = bit(63 - lowest(rotate(fence)))
    return complement(last - ONE) ^ last


@primitive
def flood(pawns: Bitboard, their_pawns: Bitboard) -> tuple[Bitboard, Bitboard]:
    """(squares a king of ours can ever reach from its base, the fence that holds it).

    The fence is made of our fixed pawns and the squares enemy pawns attack. The flood fills the board in
    king steps from the squares before the first one of the fence; it drowns undefended enemy pawns, after
    which the fence is built again. Both are empty where there is no fence, or where it is broken.
    """
    fixed = fixed_pawns(pawns, their_pawns)
    if fixed == 0:
        return EMPTY, EMPTY
    fence = fixed | pawn_attacks_of_enemy(their_pawns)
    far_side = beyond(fence)
    water = RANK_1 | (bit(lowest(fence)) - ONE)
    before: Bitboard = EMPTY
    while water != before:
        before = water
        water |= neighbours(water)
        water |= north(water) | south(water)
        water &= complement(fence)
        if water & far_side:
            return EMPTY, EMPTY
        if water & their_pawns:
            their_pawns &= complement(water)
            fixed = fixed_pawns(pawns, their_pawns)
            if fixed == 0:
                return EMPTY, EMPTY
            fence = fixed | pawn_attacks_of_enemy(their_pawns)
    return water, fence


@primitive
def is_harmless(us: Side, loose: Bitboard) -> bool:
    """Whether pawns of ours that can still move will not break a fence.

    At most one is passed, with the enemy king before it; the others can never meet an enemy pawn.
    """
    passers = passed(loose, us.their_pawns)
    others = loose ^ passers
    if popcount(passers) > 1 or (passers != 0 and not us.their_king & front_spans(passers)):
        return False
    return (attack_spans(others) & us.their_pawns) == 0


@scaling({"all pawns fixed": 0, "some pawns can move": 1 / 4}, page="Blockage Detection", concept="J9 J10")
def blockage(us: Side) -> int:
    """A pawn ending in which our king can never pass the fence of at least three rams, and the enemy king
    stands behind it.

    We have no levers. Either all our pawns are rammed or stuck behind rammed ones, or those that can move
    change nothing. Zugzwang of the defending king is not considered.
    """
    if not is_pawn_ending(us) or us.pawn_attacks & us.their_pawns:
        return 0
    water, fence = flood(us.pawns, us.their_pawns)
    if fence == 0 or not us.king & water or us.their_king & water:
        return 0
    loose = us.pawns ^ fixed_pawns(us.pawns, us.their_pawns)
    if loose == 0:
        return 1
    return 2 if is_harmless(us, loose) else 0
