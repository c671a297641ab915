"""Bishops that cannot win: of opposite colours, of the wrong colour for a rook pawn, shut out by a king."""

from ..bitboards import (
    FILE_A,
    FILE_H,
    front_spans,
    king_attacks,
    lowest,
    neighbours,
    north,
    popcount,
    south,
    squares_named,
)
from ..compiled import primitive
from ..scaling import scaling
from ..side import Side
from ..terms.bishops import colour_of
from ..terms.majorities import FILES_A_TO_C, FILES_F_TO_H
from ..terms.passed import passed
from ..terms.squares import distance, pieces, their_pieces

A8, H8 = squares_named("a8"), squares_named("h8")


@primitive
def has_opposite_bishops(us: Side) -> bool:
    """Whether each side has one bishop, on squares of different colours."""
    if popcount(us.bishops) != 1 or popcount(us.their_bishops) != 1:
        return False
    return colour_of(us.bishops) != colour_of(us.their_bishops)


@primitive
def has_strong_passers(us: Side) -> bool:
    """Whether we have connected passed pawns, or passed pawns on both wings (files a-c and f-h)."""
    passers = passed(us.pawns, us.their_pawns)
    connected = passers & neighbours(passers | north(passers) | south(passers))
    return connected != 0 or ((passers & FILES_A_TO_C) != 0 and (passers & FILES_F_TO_H) != 0)


@scaling(
    {"bishops only": 0.5, "bishops only, strong passers": 0.75, "with other pieces": 0.875},
    page="Bishops of Opposite Colors",
    concept="F10 J7",
)
def opposite_bishops(us: Side) -> int:
    """One bishop each, on squares of different colours; there may be pawns.

    Without other pieces an extra pawn is seldom enough; connected passed pawns or passed pawns on both wings
    give chances. Other pieces make winning easier.
    """
    if not has_opposite_bishops(us):
        return 0
    if (pieces(us) ^ us.bishops) | (their_pieces(us) ^ us.their_bishops):
        return 3
    return 2 if has_strong_passers(us) else 1


@scaling(
    {"king at the corner": 0, "king reaches the corner": 1 / 8},
    page="Wrong Color Bishop and Rook Pawn",
    concept="J5",
)
def wrong_bishop(us: Side) -> int:
    """The side ahead has only rook pawns of one file and bishops that do not control the promotion square.

    The other king stands on or beside that square; or it gets there no later than the foremost pawn and than
    our king. What else the other side has does not matter.
    """
    if us.pawns == 0 or us.bishops == 0 or pieces(us) != us.bishops:
        return 0
    corner = A8 if (us.pawns & FILE_A) == us.pawns else H8 if (us.pawns & FILE_H) == us.pawns else A8 | H8
    if corner == A8 | H8 or (us.bishops & colour_of(corner)) != 0:
        return 0
    if us.their_king & (corner | king_attacks(corner)):
        return 1
    steps = distance(lowest(us.their_king), lowest(corner)) - (0 if us.to_move else 1)
    foremost = us.pawns
    pushes = 0
    while (foremost & corner) == 0:
        foremost = north(foremost)
        pushes += 1
    return 2 if steps <= pushes and steps <= distance(lowest(us.king), lowest(corner)) else 0


@scaling({"king on the path": 1 / 16}, page="Draw Evaluation", concept="J3")
def bishop_and_pawn_v_minor(us: Side) -> int:
    """A bishop and a pawn against one minor piece, whose king stands before the pawn on a square the bishop
    can never reach."""
    if pieces(us) != us.bishops or popcount(us.bishops) != 1 or popcount(us.pawns) != 1:
        return 0
    minors = us.their_knights | us.their_bishops
    if popcount(minors) != 1 or their_pieces(us) != minors or us.their_pawns:
        return 0
    return 1 if us.their_king & front_spans(us.pawns) and not us.their_king & colour_of(us.bishops) else 0
