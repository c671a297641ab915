"""Pawn chains: defenders and defended, bases and peaks, along each diagonal.

A pawn is defended from the west by a pawn on the next file to the west, one rank below.
"""

from ..bitboards import Bitboard, complement, east, north, pawn_attacks_of_enemy, south, west
from ..compiled import primitive
from ..side import Side
from ..term import BY_PAWN_RANK, WHOLE, term
from .spans import double_pawn_attacks


@primitive
def defended_from_west(pawns: Bitboard) -> Bitboard:
    """Pawns an own pawn to the south-west defends."""
    return pawns & east(north(pawns))


@primitive
def defended_from_east(pawns: Bitboard) -> Bitboard:
    """Pawns an own pawn to the south-east defends."""
    return pawns & west(north(pawns))


@primitive
def defenders_from_west(pawns: Bitboard) -> Bitboard:
    """Pawns that defend an own pawn to the north-east: they do so from its west."""
    return pawns & west(south(pawns))


@primitive
def defenders_from_east(pawns: Bitboard) -> Bitboard:
    """Pawns that defend an own pawn to the north-west: they do so from its east."""
    return pawns & east(south(pawns))


@primitive
def chain_bases(pawns: Bitboard) -> Bitboard:
    """Pawns that defend along a diagonal on which nobody defends them."""
    from_west = defenders_from_west(pawns) & complement(defended_from_west(pawns))
    return from_west | (defenders_from_east(pawns) & complement(defended_from_east(pawns)))


@term(BY_PAWN_RANK, page="Defended Pawns (Bitboards)", concept="E4")
def twice_defended_pawn(us: Side) -> Bitboard:
    """Pawns two own pawns defend."""
    return us.pawns & double_pawn_attacks(us.pawns)


@term(BY_PAWN_RANK, page="Defended Pawns (Bitboards)", concept="E5")
def defending_pawn(us: Side) -> Bitboard:
    """Pawns that defend an own pawn."""
    return us.pawns & pawn_attacks_of_enemy(us.pawns)


@term(WHOLE, page="Defended Pawns (Bitboards)", concept="E6")
def inner_chain_pawn(us: Side) -> Bitboard:
    """Pawns that defend along the diagonal on which they are defended: the inner ones of three or more."""
    from_west = defenders_from_west(us.pawns) & defended_from_west(us.pawns)
    return from_west | (defenders_from_east(us.pawns) & defended_from_east(us.pawns))


@term(BY_PAWN_RANK, page="Defended Pawns (Bitboards)", concept="E7 E14")
def chain_base(us: Side) -> Bitboard:
    """Pawns that defend along a diagonal on which nobody defends them; they may be defended on the other."""
    return chain_bases(us.pawns)


@term(WHOLE, page="Defended Pawns (Bitboards)", concept="E7")
def attacked_chain_base(us: Side) -> Bitboard:
    """Chain bases the enemy attacks, with whatever man."""
    return chain_bases(us.pawns) & us.their_attacks


@term(WHOLE, page="Defended Pawns (Bitboards)", concept="E7")
def undefended_chain_base(us: Side) -> Bitboard:
    """Pawns that defend an own pawn and that no own pawn defends: bases whatever the direction."""
    return us.pawns & pawn_attacks_of_enemy(us.pawns) & complement(us.pawn_attacks)


@term(BY_PAWN_RANK, page="Defended Pawns (Bitboards)", concept="E8")
def chain_peak(us: Side) -> Bitboard:
    """Pawns defended along a diagonal on which they defend nobody; they may defend on the other."""
    from_west = defended_from_west(us.pawns) & complement(defenders_from_west(us.pawns))
    return from_west | (defended_from_east(us.pawns) & complement(defenders_from_east(us.pawns)))


@term(WHOLE, page="Defended Pawns (Bitboards)", concept="E8")
def undefending_chain_peak(us: Side) -> Bitboard:
    """Pawns an own pawn defends and that defend no own pawn: peaks whatever the direction."""
    return us.pawns & us.pawn_attacks & complement(pawn_attacks_of_enemy(us.pawns))
