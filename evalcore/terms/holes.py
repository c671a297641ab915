"""Holes in the pawn structure, and outposts."""

from ..bitboards import (
    FILE_A,
    RANK_3,
    RANK_4,
    RANK_5,
    RANK_6,
    Bitboard,
    attack_spans,
    attack_spans_of_enemy,
    complement,
    north,
)
from ..compiled import primitive
from ..side import Side
from ..term import WHOLE, term
from .candidates import fakers
from .spans import double_pawn_attacks_of_enemy

FILES_C_TO_F = (FILE_A << 2) | (FILE_A << 3) | (FILE_A << 4) | (FILE_A << 5)
OUTPOST_RANKS = RANK_4 | RANK_5 | RANK_6


@primitive
def holes(pawns: Bitboard) -> Bitboard:
    """Squares on our ranks 3-4 that no own pawn attacks or can ever attack."""
    return complement(attack_spans(pawns)) & (RANK_3 | RANK_4)


@primitive
def central_holes(pawns: Bitboard) -> Bitboard:
    """Holes on the files c-f: those of the extended centre."""
    return holes(pawns) & FILES_C_TO_F


@term(WHOLE, page="Holes", concept="C19")
def hole(us: Side) -> Bitboard:
    """Squares c3-f3 and c4-f4 that no own pawn attacks or can ever attack, own pawns on them included."""
    return central_holes(us.pawns)


@term(WHOLE, page="Holes", concept="C19")
def hole_without_pawn(us: Side) -> Bitboard:
    """Holes of the extended centre on which no own pawn stands."""
    return central_holes(us.pawns) & complement(us.pawns)


@term(WHOLE, page="Holes", concept="C19")
def hole_on_any_file(us: Side) -> Bitboard:
    """Holes on ranks 3-4 of all files."""
    return holes(us.pawns)


@term(WHOLE, page="Holes", concept="C19")
def hole_attacked_by_pawn(us: Side) -> Bitboard:
    """Holes of the extended centre that an enemy pawn attacks."""
    return central_holes(us.pawns) & us.their_pawn_attacks


@term(WHOLE, page="Holes", concept="C19")
def hole_occupied_by_minor(us: Side) -> Bitboard:
    """Holes of the extended centre on which an enemy knight or bishop stands."""
    return central_holes(us.pawns) & (us.their_knights | us.their_bishops)


@term(WHOLE, page="Faker", concept="C20")
def hole_between_sentries(us: Side) -> Bitboard:
    """Stop squares of fakers that two enemy pawns attack."""
    return north(fakers(us.pawns, us.their_pawns)) & double_pawn_attacks_of_enemy(us.their_pawns)


@primitive
def outposts(us: Side) -> Bitboard:
    """Squares on our ranks 4-6 that no enemy pawn attacks or can ever attack."""
    return complement(attack_spans_of_enemy(us.their_pawns)) & OUTPOST_RANKS


@term(WHOLE, page="Outposts", concept="C21")
def bishop_outpost(us: Side) -> Bitboard:
    """Bishops on ranks 4-6 defended by an own pawn, on a square no enemy pawn can ever attack."""
    return us.bishops & outposts(us) & us.pawn_attacks


@term(WHOLE, page="Outposts", concept="C21")
def knight_outpost_without_pawn(us: Side) -> Bitboard:
    """Knights on ranks 4-6 on a square no enemy pawn can ever attack, but not defended by an own pawn."""
    return us.knights & outposts(us) & complement(us.pawn_attacks)


@term(WHOLE, page="Outposts", concept="C21")
def bishop_outpost_without_pawn(us: Side) -> Bitboard:
    """Bishops on ranks 4-6 on a square no enemy pawn can ever attack, but not defended by an own pawn."""
    return us.bishops & outposts(us) & complement(us.pawn_attacks)
