"""Mobility as the number of legal moves, pins and checks included (Shannon 1949)."""

from ..bitboards import (
    EMPTY,
    FILE_A,
    ONE,
    RANK_1,
    RANK_3,
    RANK_8,
    Bitboard,
    Square,
    antidiagonal_of,
    bishop_attacks,
    bit,
    complement,
    diagonal_of,
    east,
    file_of,
    king_attacks,
    knight_attacks,
    line_attacks,
    lowest,
    north,
    pawn_attacks,
    popcount,
    rank_of,
    rook_attacks,
    squares_named,
    west,
    without_lowest,
)
from ..compiled import primitive
from ..side import Side
from ..term import WHOLE, term

C1, D1, F1, G1 = (squares_named(name) for name in ("c1", "d1", "f1", "g1"))
MOST = 127
"""More moves are not counted, so that White's minus Black's fits into eight bits; games never come near."""


@primitive
def line_through(one: Square, other: Square) -> Bitboard:
    """The whole rank, file or diagonal that two different squares share; else nothing."""
    if rank_of(one) == rank_of(other):
        return RANK_1 << (8 * rank_of(one))
    if file_of(one) == file_of(other):
        return FILE_A << file_of(one)
    if diagonal_of(one) & bit(other):
        return diagonal_of(one)
    return antidiagonal_of(one) if antidiagonal_of(one) & bit(other) else EMPTY


@primitive
def between(one: Square, other: Square) -> Bitboard:
    """Squares strictly between two squares of a rank, file or diagonal; else nothing."""
    last = bit(max(one, other)) - ONE
    first = bit(min(one, other)) - ONE
    return line_through(one, other) & (last ^ first) & complement(first + ONE)


@primitive
def sliders_toward(us: Side, square: Square, occupied: Bitboard) -> Bitboard:
    """Enemy bishops, rooks and queens that would attack a square on a board with these men."""
    straight = rook_attacks(square, occupied) & (us.their_rooks | us.their_queens)
    return straight | (bishop_attacks(square, occupied) & (us.their_bishops | us.their_queens))


@primitive
def king_moves(us: Side, sliders: Bitboard) -> Bitboard:
    """Squares our king can go to; it cannot hide behind itself from the sliders that check it."""
    safe = king_attacks(us.king) & complement(us.men | us.their_attacks)
    while sliders:
        slider = lowest(sliders)
        sliders = without_lowest(sliders)
        safe &= complement(line_through(lowest(us.king), slider)) | bit(slider)
    return safe


@primitive
def pawn_moves(us: Side, pawns: Bitboard, targets: Bitboard) -> int:
    """Moves of some of our pawns to the target squares; a promotion is four moves."""
    one = north(pawns) & complement(us.occupied)
    two = north(one & RANK_3) & complement(us.occupied) & targets
    one &= targets
    right = east(north(pawns)) & us.their_men & targets
    left = west(north(pawns)) & us.their_men & targets
    moves = popcount(one) + popcount(two) + popcount(right) + popcount(left)
    return moves + 3 * (popcount(one & RANK_8) + popcount(right & RANK_8) + popcount(left & RANK_8))


@primitive
def piece_moves(us: Side, square: Square, targets: Bitboard) -> int:
    """Moves of our knight, bishop, rook or queen on a square to the target squares."""
    piece = bit(square)
    squares = knight_attacks(piece) if piece & us.knights else EMPTY
    if piece & (us.bishops | us.queens):
        squares |= bishop_attacks(square, us.occupied)
    if piece & (us.rooks | us.queens):
        squares |= rook_attacks(square, us.occupied)
    return popcount(squares & targets & complement(us.men))


@primitive
def castling_moves(us: Side) -> int:
    """Castling moves of a king that is not in check; any squares of king and rook (Chess960)."""
    moves = 0
    rest = us.castling
    while rest:
        rook = bit(lowest(rest))
        rest = without_lowest(rest)
        king_to, rook_to = (C1, D1) if rook < us.king else (G1, F1)
        path = between(lowest(us.king), lowest(king_to)) | king_to
        way = path | between(lowest(rook), lowest(rook_to)) | rook_to
        others = us.occupied ^ us.king ^ rook
        # The rook may have hidden the king's new square from a rook or queen on the first rank.
        unhidden = line_attacks(lowest(king_to), others | rook_to, RANK_1) & (
            us.their_rooks | us.their_queens
        )
        if (way & others) == 0 and (path & us.their_attacks & complement(us.king)) == 0 and unhidden == 0:
            moves += 1
    return moves


@primitive
def pinned_men(us: Side) -> Bitboard:
    """Our men that alone stand between our king and an enemy slider."""
    pinned: Bitboard = EMPTY
    king = lowest(us.king)
    snipers = sliders_toward(us, king, us.their_men)
    while snipers:
        men = between(king, lowest(snipers)) & us.men
        snipers = without_lowest(snipers)
        pinned |= men if popcount(men) == 1 else EMPTY
    return pinned


@primitive
def moves_of_men(us: Side, targets: Bitboard) -> int:
    """Legal moves of all our men but the king to the target squares."""
    king, pinned = lowest(us.king), pinned_men(us)
    moves = pawn_moves(us, us.pawns & complement(pinned), targets)
    rest = us.men & complement(us.king | us.pawns) | pinned
    while rest:
        square = lowest(rest)
        rest = without_lowest(rest)
        allowed = targets & line_through(king, square) if pinned & bit(square) else targets
        moves += piece_moves(us, square, allowed)
        moves += pawn_moves(us, us.pawns & pinned & bit(square), allowed)
    return moves


@primitive
def count_moves(us: Side) -> int:
    """Our legal moves if it is our turn, without en-passant captures."""
    king = lowest(us.king)
    sliders = sliders_toward(us, king, us.occupied)
    leapers = (pawn_attacks(us.king) & us.their_pawns) | (knight_attacks(us.king) & us.their_knights)
    moves = popcount(king_moves(us, sliders))
    checks = popcount(sliders | leapers)
    if checks > 1:
        return moves
    if checks == 0:
        moves += castling_moves(us)
    checker = sliders | leapers
    targets = checker | between(king, lowest(checker)) if checker else complement(EMPTY)
    return moves + moves_of_men(us, targets)


@term(WHOLE, page="Mobility", number=True, concept="F3 K3")
def legal_moves(us: Side) -> int:
    """Legal moves a side has if it is its turn (Shannon's M): castling is one, a promotion four.

    En-passant captures are left out, as they depend on the move before. At most 127 are counted.
    """
    return min(count_moves(us), MOST)
