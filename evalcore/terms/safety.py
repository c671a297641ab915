"""Men that are defended, loose, hanging or pinned."""

from ..bitboards import (
    Bitboard,
    bishop_attacks,
    complement,
    lowest,
    popcount,
    rook_attacks,
    without_lowest,
)
from ..compiled import primitive
from ..side import Side
from ..term import WHOLE, term
from .legal_moves import between, pinned_men
from .squares import pieces


@primitive
def minors(us: Side) -> Bitboard:
    """Our knights and bishops."""
    return us.knights | us.bishops


@term(WHOLE, page="Evaluation of Pieces", concept="F13")
def knight_defended_by_pawn(us: Side) -> Bitboard:
    """Knights an own pawn defends."""
    return us.knights & us.pawn_attacks


@term(WHOLE, page="Evaluation of Pieces", concept="F14")
def undefended_minor(us: Side) -> Bitboard:
    """Knights and bishops that no own man defends."""
    return minors(us) & complement(us.attacks)


@term(WHOLE, page="Evaluation of Pieces", concept="F14")
def minor_without_pawn(us: Side) -> Bitboard:
    """Knights and bishops that no own pawn defends, whatever else does."""
    return minors(us) & complement(us.pawn_attacks)


@term(WHOLE, page="Loose Piece", concept="H11")
def loose_piece(us: Side) -> Bitboard:
    """Knights, bishops, rooks and queens that no own man defends, attacked or not."""
    return pieces(us) & complement(us.attacks)


@term(WHOLE, page="Loose Piece", concept="H11")
def loose_pawn(us: Side) -> Bitboard:
    """Pawns that no own man defends, attacked or not."""
    return us.pawns & complement(us.attacks)


@term(WHOLE, page="Hanging Piece", concept="H11")
def hanging_piece(us: Side) -> Bitboard:
    """Knights, bishops, rooks and queens that an enemy man attacks and no own man defends."""
    return pieces(us) & us.their_attacks & complement(us.attacks)


@term(WHOLE, page="Hanging Piece", concept="H11")
def undefended_attacked_pawn(us: Side) -> Bitboard:
    """Pawns that an enemy man attacks and no own man defends (not the structure called hanging pawns)."""
    return us.pawns & us.their_attacks & complement(us.attacks)


@term(WHOLE, page="En Prise", concept="H11")
def piece_en_prise(us: Side) -> Bitboard:
    """Pieces that can be taken at a profit on the face of it: attacked and undefended, or attacked by a man
    of less worth (pawn, then knight and bishop, then rook, then queen)."""
    by_minor = us.their_pawn_attacks | us.their_knight_attacks | us.their_bishop_attacks
    cheaply = minors(us) & us.their_pawn_attacks | us.rooks & by_minor
    cheaply |= us.queens & (by_minor | us.their_rook_attacks)
    return cheaply | (pieces(us) & us.their_attacks & complement(us.attacks))


@term(WHOLE, page="Pin", concept="F25")
def pinned_man(us: Side) -> Bitboard:
    """Own men that alone stand between the own king and an enemy slider on their line."""
    return pinned_men(us)


@term(WHOLE, page="X-ray", concept="F25")
def man_pinned_to_queen(us: Side) -> Bitboard:
    """Own men that alone stand between an own queen and an enemy rook or bishop on their line."""
    pinned = us.queens ^ us.queens
    rest = us.queens
    while rest:
        queen = lowest(rest)
        rest = without_lowest(rest)
        snipers = rook_attacks(queen, us.their_men) & us.their_rooks
        snipers |= bishop_attacks(queen, us.their_men) & us.their_bishops
        while snipers:
            men = between(queen, lowest(snipers)) & us.men
            snipers = without_lowest(snipers)
            pinned |= men if popcount(men) == 1 else men ^ men
    return pinned
