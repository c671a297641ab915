"""Passed pawns: kinds of them. `passers.py` has what helps and hinders them."""

from ..bitboards import (
    EMPTY,
    RANK_1,
    Bitboard,
    bit,
    complement,
    file_fill,
    front_spans_of_enemy,
    lowest,
    neighbours,
    pawn_attacks,
    pawn_attacks_of_enemy,
    popcount,
    rear_spans,
    without_lowest,
)
from ..compiled import primitive
from ..side import Side
from ..term import BY_PAWN_RANK, WHOLE, term
from .majorities import EAST_HALF, WEST_HALF
from .squares import is_pawn_ending, is_rook_ending


@primitive
def passed(pawns: Bitboard, their_pawns: Bitboard) -> Bitboard:
    """Our pawns with no enemy pawn in front on their own or an adjacent file."""
    guarded = front_spans_of_enemy(their_pawns)
    return pawns & complement(guarded | neighbours(guarded))


@primitive
def connected(passers: Bitboard) -> Bitboard:
    """Passed pawns of which one stands beside the other or defends it."""
    linked = neighbours(passers) | pawn_attacks(passers) | pawn_attacks_of_enemy(passers)
    return passers & linked


@term(BY_PAWN_RANK, page="Passed Pawn", concept="D1")
def passed_pawn(us: Side) -> Bitboard:
    """Pawns with no enemy pawn in front on their own or an adjacent file; own pawns ahead do not matter."""
    return passed(us.pawns, us.their_pawns)


@term(BY_PAWN_RANK, page="CPW-Engine_eval", concept="D1")
def foremost_passed_pawn(us: Side) -> Bitboard:
    """Passed pawns with no own pawn ahead on their file either: of doubled passers only the front one."""
    return passed(us.pawns, us.their_pawns) & complement(rear_spans(us.pawns))


@term(BY_PAWN_RANK, page="Protected Passed Pawn", concept="D2 D16")
def protected_passed_pawn(us: Side) -> Bitboard:
    """Passed pawns defended by an own pawn."""
    return passed(us.pawns, us.their_pawns) & us.pawn_attacks


@term(BY_PAWN_RANK, page="CPW-Engine_eval", concept="D2")
def supported_passed_pawn(us: Side) -> Bitboard:
    """Passed pawns with an own pawn beside them or defending them; protected ones have the latter."""
    return passed(us.pawns, us.their_pawns) & (us.pawn_attacks | neighbours(us.pawns))


@term(BY_PAWN_RANK, page="Connected Passed Pawns", concept="D3")
def connected_passed_pawn(us: Side) -> Bitboard:
    """Passed pawns that stand beside another passed pawn, or defend it, or are defended by it."""
    return connected(passed(us.pawns, us.their_pawns))


@term(BY_PAWN_RANK, page="Connected Passed Pawns", concept="D3")
def foremost_connected_passed_pawn(us: Side) -> Bitboard:
    """Connected passed pawns that defend no other passed pawn: the front ones, both of a duo."""
    passers = passed(us.pawns, us.their_pawns)
    return connected(passers) & complement(pawn_attacks_of_enemy(passers))


@term(BY_PAWN_RANK, page="Connected Passed Pawns", concept="D3")
def passed_pawn_with_neighbour(us: Side) -> Bitboard:
    """Passed pawns with another one on an adjacent file, whatever its rank: the wide sense of connected."""
    passers = passed(us.pawns, us.their_pawns)
    return passers & neighbours(file_fill(passers))


@term(BY_PAWN_RANK, page="Connected Passed Pawns", concept="D14")
def connected_passed_pawn_in_rook_ending(us: Side) -> Bitboard:
    """Connected passed pawns where both sides have rooks and no other pieces."""
    return connected(passed(us.pawns, us.their_pawns)) if is_rook_ending(us) else EMPTY


@term(WHOLE, page="Connected Passed Pawns", concept="D4")
def distant_passed_pawn_in_pawn_ending(us: Side) -> Bitboard:
    """In pawn endings: passed pawns without another on an adjacent file, on two files or more (Hyatt)."""
    passers = passed(us.pawns, us.their_pawns) if is_pawn_ending(us) else EMPTY
    alone = passers & complement(neighbours(file_fill(passers)))
    return alone if popcount(file_fill(alone) & RANK_1) > 1 else EMPTY


@primitive
def within_two_files(pawn: Bitboard) -> Bitboard:
    """The whole files of a pawn and of the two on either side of it."""
    files = file_fill(pawn)
    files |= neighbours(files)
    return files | neighbours(files)


@term(BY_PAWN_RANK, page="Outside Passed Pawn", concept="D16")
def outside_passed_pawn(us: Side) -> Bitboard:
    """Pawns with all other pawns of both sides, one at least, three files away or more: passed thereby."""
    found: Bitboard = EMPTY
    rest = us.pawns
    while rest:
        pawn = bit(lowest(rest))
        rest = without_lowest(rest)
        others = (us.pawns | us.their_pawns) ^ pawn
        if others != 0 and others & within_two_files(pawn) == 0:
            found |= pawn
    return found


@term(BY_PAWN_RANK, page="Outside Passed Pawn", concept="D16")
def wing_passed_pawn(us: Side) -> Bitboard:
    """Passed pawns on files a-d or e-h where all enemy pawns, one at least, are on the other half."""
    passers = passed(us.pawns, us.their_pawns)
    on_west, on_east = us.their_pawns & WEST_HALF, us.their_pawns & EAST_HALF
    if on_west == 0 and on_east != 0:
        return passers & WEST_HALF
    if on_east == 0 and on_west != 0:
        return passers & EAST_HALF
    return EMPTY
