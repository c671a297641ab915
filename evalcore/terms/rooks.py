"""Rooks and heavy pieces: on the last ranks, behind passed pawns, on the enemy queen's file, connected."""

from ..bitboards import (
    EMPTY,
    RANK_7,
    RANK_8,
    Bitboard,
    complement,
    file_fill,
    front_spans,
    neighbours,
    rear_spans,
)
from ..compiled import primitive
from ..side import Side
from ..term import WHOLE, term
from .passed import passed


@primitive
def passed_of_enemy(their_pawns: Bitboard, pawns: Bitboard) -> Bitboard:
    """Enemy pawns with none of our pawns in front on their own or an adjacent file."""
    guarded = front_spans(pawns)
    return their_pawns & complement(guarded | neighbours(guarded))


@term(WHOLE, page="Rook on Seventh", concept="F17")
def rook_on_eighth(us: Side) -> Bitboard:
    """Rooks on the eighth rank."""
    return us.rooks & RANK_8


@term(WHOLE, page="Rook on Seventh", concept="F17")
def active_rook_on_seventh(us: Side) -> Bitboard:
    """Rooks on the seventh rank while enemy pawns stand there or the enemy king on the eighth."""
    return us.rooks & RANK_7 if us.their_pawns & RANK_7 or us.their_king & RANK_8 else EMPTY


@term(WHOLE, page="Rook on Seventh", concept="F17")
def queen_on_seventh(us: Side) -> Bitboard:
    """Queens on the seventh rank."""
    return us.queens & RANK_7


@term(WHOLE, page="Tarrasch Rule", concept="F18 D16")
def rook_behind_own_passer(us: Side) -> Bitboard:
    """Rooks behind an own passed pawn on its file; men between them do not matter."""
    return us.rooks & rear_spans(passed(us.pawns, us.their_pawns))


@term(WHOLE, page="Tarrasch Rule", concept="F18 D16")
def rook_before_own_passer(us: Side) -> Bitboard:
    """Rooks before an own passed pawn on its file, where they are in its way."""
    return us.rooks & front_spans(passed(us.pawns, us.their_pawns))


@term(WHOLE, page="Tarrasch Rule", concept="F18 D16")
def rook_behind_enemy_passer(us: Side) -> Bitboard:
    """Rooks behind an enemy passed pawn on its file: on a rank it has left behind."""
    return us.rooks & front_spans(passed_of_enemy(us.their_pawns, us.pawns))


@term(WHOLE, page="Evaluation of Pieces", concept="F20")
def rook_on_enemy_queens_file(us: Side) -> Bitboard:
    """Rooks with an enemy queen on their file, open or not."""
    return us.rooks & file_fill(us.their_queens)


@term(WHOLE, page="Evaluation of Pieces", concept="F20")
def rook_on_enemy_queens_open_file(us: Side) -> Bitboard:
    """Rooks with an enemy queen and no own pawn on their file."""
    return us.rooks & file_fill(us.their_queens) & complement(file_fill(us.pawns))


@term(WHOLE, page="Connected Rooks", concept="F21")
def connected_rook(us: Side) -> Bitboard:
    """Rooks another own rook defends; by square with `by = "square"`, as Rebel scores them."""
    return us.rooks & us.rook_attacks
