"""Pawn structure without passed pawns."""

from ..bitboards import (
    Bitboard,
    attack_spans,
    complement,
    file_fill,
    neighbours,
    north,
    rear_spans,
    south,
)
from ..side import Side
from ..term import BY_FOLDED_FILE, BY_PAWN_RANK, term


@term(BY_FOLDED_FILE, page="Isolated Pawn", concept="C1")
def isolated_pawn(us: Side) -> Bitboard:
    """Pawns without an own pawn on either adjacent file."""
    files = file_fill(us.pawns)
    return us.pawns & complement(neighbours(files))


@term(BY_FOLDED_FILE, page="Doubled Pawn", concept="C12")
def doubled_pawn(us: Side) -> Bitboard:
    """Pawns with an own pawn somewhere in front of them on their file."""
    return us.pawns & rear_spans(us.pawns)


@term(BY_PAWN_RANK, page="Backward Pawns (Bitboards)", concept="C5")
def backward_pawn(us: Side) -> Bitboard:
    """Pawns whose stop square an enemy pawn attacks and no own pawn can ever cover.

    Isolated and rammed pawns are included, as in the set-wise definition of the page.
    """
    dominated = north(us.pawns) & us.their_pawn_attacks & complement(attack_spans(us.pawns))
    return south(dominated)


@term(BY_PAWN_RANK, page="Duo Trio Quart (Bitboards)", concept="E2")
def phalanx(us: Side) -> Bitboard:
    """Pawns with an own pawn beside them on the same rank."""
    return us.pawns & neighbours(us.pawns)


@term(BY_PAWN_RANK, page="Defended Pawns (Bitboards)", concept="E4")
def defended_pawn(us: Side) -> Bitboard:
    """Pawns defended by an own pawn."""
    return us.pawns & us.pawn_attacks
