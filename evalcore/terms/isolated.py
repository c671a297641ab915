"""Pawns without own pawns beside them, on one side or both."""

from ..bitboards import FILE_A, Bitboard, complement, east, file_fill, neighbours, north, west
from ..compiled import primitive
from ..side import Side
from ..term import BY_FOLDED_FILE, BY_PAWN_RANK, WHOLE, term
from .duos import rows_of
from .spans import open_pawns

FILE_D = FILE_A << 3


@primitive
def isolated(pawns: Bitboard) -> Bitboard:
    """Pawns without an own pawn on either adjacent file."""
    return pawns & complement(neighbours(file_fill(pawns)))


@primitive
def half_isolated(pawns: Bitboard) -> Bitboard:
    """Pawns with own pawns on exactly one of the adjacent files; a- and h-pawns have one such file only."""
    files = file_fill(pawns)
    return pawns & (east(files) ^ west(files))


@term(BY_FOLDED_FILE, page="Isolated Pawn", concept="C1 C3 B6")
def isolated_open_pawn(us: Side) -> Bitboard:
    """Isolated pawns with no enemy pawn ahead on their file; in addition to `isolated_pawn`."""
    return isolated(us.pawns) & open_pawns(us.pawns, us.their_pawns)


@term(BY_FOLDED_FILE, page="Isolated Pawns (Bitboards)", concept="C2")
def half_isolated_pawn(us: Side) -> Bitboard:
    """Pawns with own pawns on exactly one of the adjacent files (isolated pawns are not included)."""
    return half_isolated(us.pawns)


@term(BY_FOLDED_FILE, page="Attack Spans", concept="C2")
def pawn_lacking_a_neighbour(us: Side) -> Bitboard:
    """Pawns with a side on which there is no file with own pawns, the edge of the board included.

    The wide sense of half-isolated: it takes in isolated pawns and all a- and h-pawns.
    """
    files = file_fill(us.pawns)
    return us.pawns & complement(east(files) & west(files))


@term(WHOLE, page="Isolated Pawn", concept="C4")
def isolated_queen_pawn(us: Side) -> Bitboard:
    """An isolated pawn on the d-file."""
    return isolated(us.pawns) & FILE_D


@term(BY_PAWN_RANK, page="Hanging pawns", concept="C18")
def hanging_pawn(us: Side) -> Bitboard:
    """Members of an open, half-isolated duo that no own pawn defends."""
    defended = neighbours(north(us.pawns))
    pair = rows_of(us.pawns, 2) & half_isolated(us.pawns) & open_pawns(us.pawns, us.their_pawns)
    pair &= complement(defended)
    return pair & neighbours(pair)
