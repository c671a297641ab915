"""Backward pawns in their several senses, beyond `backward_pawn` (pawns.py), and weak pawns.

`backward_pawn` is the general set-wise sense: an enemy pawn attacks the stop square and no own pawn can
ever cover it. Some senses here are narrower (straggler, knight rule), others add pawns it misses
(telestop, second pass, exchange); these hold the added pawns only, or say that they do not.
"""

from ..bitboards import (
    RANK_2,
    RANK_3,
    RANK_4,
    RANK_5,
    RANK_6,
    RANK_7,
    Bitboard,
    attack_spans,
    attack_spans_of_enemy,
    complement,
    neighbours,
    north,
    pawn_attacks,
    pawn_attacks_of_enemy,
    south,
    south_fill,
)
from ..compiled import primitive
from ..side import Side
from ..term import BY_FOLDED_FILE, BY_PAWN_RANK, BY_PAWN_SQUARE, BY_RANK, WHOLE, term
from .spans import levers, open_pawns, rammed_pawns

BY_RANK_2_OR_3 = BY_RANK.within(0x0000_0000_00FF_FF00, "rank 2-3")
UPPER_PAWN_RANKS = RANK_4 | RANK_5 | RANK_6 | RANK_7


@primitive
def backward(pawns: Bitboard, their_pawns: Bitboard, covering: Bitboard) -> Bitboard:
    """Our pawns whose stop square an enemy pawn attacks and none of the `covering` pawns can ever cover."""
    dominated = pawn_attacks_of_enemy(their_pawns) & complement(attack_spans(covering))
    return pawns & south(dominated)


@primitive
def backward_of_enemy(pawns: Bitboard, their_pawns: Bitboard) -> Bitboard:
    """Enemy pawns that are backward in the general sense."""
    dominated = pawn_attacks(pawns) & complement(attack_spans_of_enemy(their_pawns))
    return their_pawns & north(dominated)


@term(BY_FOLDED_FILE, page="Backward Pawn", concept="C5 B6")
def backward_open_pawn(us: Side) -> Bitboard:
    """Backward pawns with no enemy pawn ahead on their file; in addition to `backward_pawn`."""
    return backward(us.pawns, us.their_pawns, us.pawns) & open_pawns(us.pawns, us.their_pawns)


@primitive
def stragglers(pawns: Bitboard, their_pawns: Bitboard) -> Bitboard:
    """Backward pawns on ranks 2-3 with no enemy pawn ahead on their file."""
    return backward(pawns, their_pawns, pawns) & open_pawns(pawns, their_pawns) & (RANK_2 | RANK_3)


@term(BY_RANK_2_OR_3, page="Backward Pawns (Bitboards)", concept="C6")
def straggler(us: Side) -> Bitboard:
    """Backward pawns on ranks 2-3 with no enemy pawn ahead on their file (Kmoch), levers included."""
    return stragglers(us.pawns, us.their_pawns)


@term(BY_RANK_2_OR_3, page="Backward Pawns (Bitboards)", concept="C6")
def strict_straggler(us: Side) -> Bitboard:
    """Stragglers that attack no enemy pawn: the strict sense."""
    return stragglers(us.pawns, us.their_pawns) & complement(levers(us.pawns, us.their_pawns))


@primitive
def dominated_squares(pawns: Bitboard, their_pawns: Bitboard) -> Bitboard:
    """Squares an enemy pawn attacks and no own pawn can ever cover."""
    return pawn_attacks_of_enemy(their_pawns) & complement(attack_spans(pawns))


@term(BY_PAWN_RANK, page="Backward Pawns (Bitboards)", concept="C7")
def telestop_weak_pawn(us: Side) -> Bitboard:
    """Pawns on or behind a square that an enemy pawn attacks and no own pawn can ever cover (Hamilton).

    All backward pawns are included, and pawns that stand on such a square themselves.
    """
    return us.pawns & south_fill(dominated_squares(us.pawns, us.their_pawns))


@term(BY_PAWN_RANK, page="Backward Pawns (Bitboards)", concept="C7")
def telestop_weak_pawn_strict(us: Side) -> Bitboard:
    """Pawns behind such a square; a pawn that stands on one itself is not counted for that."""
    return us.pawns & south_fill(south(dominated_squares(us.pawns, us.their_pawns)))


@term(BY_PAWN_RANK, page="Backward Pawns (Bitboards)", concept="C8")
def backward_pawn_second_pass(us: Side) -> Bitboard:
    """Pawns that are backward only once backward and rammed own pawns are not trusted to cover."""
    first = backward(us.pawns, us.their_pawns, us.pawns)
    movable = us.pawns & complement(first | rammed_pawns(us.pawns, us.their_pawns))
    return backward(us.pawns, us.their_pawns, movable) & complement(first)


@term(BY_PAWN_RANK, page="Backward Pawn", concept="C10")
def backward_pawn_knight_rule(us: Side) -> Bitboard:
    """Backward pawns, but of two that hold each other a knight's move apart only the less advanced.

    Both stand on adjacent files, two ranks apart; ours is the more advanced one on rank 4 and beyond.
    """
    found = backward(us.pawns, us.their_pawns, us.pawns)
    rivals = backward_of_enemy(us.pawns, us.their_pawns)
    return found & complement(south(south(neighbours(rivals))) & UPPER_PAWN_RANKS)


@primitive
def weak_pawns(pawns: Bitboard) -> Bitboard:
    """Pawns with no own pawn on an adjacent file beside or behind them, so that none can cover their stop."""
    return pawns & south(complement(attack_spans(pawns)) & north(pawns))


@term(BY_PAWN_SQUARE, page="CPW-Engine_eval", concept="C11")
def weak_pawn(us: Side) -> Bitboard:
    """Pawns with no own pawn on an adjacent file beside or behind them, by square.

    All isolated and all backward pawns are weak.
    """
    return weak_pawns(us.pawns)


@term(WHOLE, page="CPW-Engine_eval", concept="C11 B6")
def weak_open_pawn(us: Side) -> Bitboard:
    """Weak pawns with no enemy pawn ahead on their file; in addition to `weak_pawn`."""
    return weak_pawns(us.pawns) & open_pawns(us.pawns, us.their_pawns)
