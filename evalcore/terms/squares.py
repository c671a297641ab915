"""Races of pawns and kings: the rule of the square, and endings told by their material."""

from ..bitboards import EMPTY, Bitboard, Square, bit, complement, file_of, lowest, rank_of, without_lowest
from ..compiled import primitive
from ..side import Side, attacks_of


@primitive
def distance(one: Square, other: Square) -> int:
    """King moves between two squares of the empty board (Chebyshev distance)."""
    return max(abs(file_of(one) - file_of(other)), abs(rank_of(one) - rank_of(other)))


@primitive
def pushes_to_promote(pawn: Square) -> int:
    """Moves our pawn needs to promote on a free path; one fewer from rank 2."""
    return min(7 - rank_of(pawn), 5)


@primitive
def catches(us: Side, pawn: Square) -> bool:
    """Whether the enemy king stands in the square of our pawn: it reaches the promotion square in time.

    With the enemy to move the square is one file and rank larger, and a king next to an undefended pawn
    takes it (only behind rank 2 is that not in the square). Men in the way are not considered.
    """
    king = lowest(us.their_king)
    to_go = distance(king, 56 + file_of(pawn))
    if us.to_move:
        return to_go <= pushes_to_promote(pawn)
    takes = distance(king, pawn) == 1 and bit(pawn) & us.attacks == 0
    return takes or to_go <= pushes_to_promote(pawn) + 1


@primitive
def pieces(us: Side) -> Bitboard:
    """Our knights, bishops, rooks and queens."""
    return us.knights | us.bishops | us.rooks | us.queens


@primitive
def their_pieces(us: Side) -> Bitboard:
    """The enemy's knights, bishops, rooks and queens."""
    return us.their_knights | us.their_bishops | us.their_rooks | us.their_queens


@primitive
def king_is_alone(us: Side) -> bool:
    """Whether the enemy has nothing but king and pawns."""
    return their_pieces(us) == 0


@primitive
def is_pawn_ending(us: Side) -> bool:
    """Whether both sides have nothing but kings and pawns."""
    return (pieces(us) | their_pieces(us)) == 0


@primitive
def is_rook_ending(us: Side) -> bool:
    """Whether both sides have rooks and no other pieces."""
    others = (pieces(us) ^ us.rooks) | (their_pieces(us) ^ us.their_rooks)
    return others == 0 and us.rooks != 0 and us.their_rooks != 0


@primitive
def moves_apart(piece: int, start: Square, target: Square, men: Bitboard) -> int:
    """Fewest moves of one piece between two squares, the others standing still; -1 if it never gets there.

    `piece`: 1 knight, 2 bishop, 3 rook, 4 queen, 5 king. One of the `men` on the target may be captured.
    """
    wanted = bit(target)
    reached = bit(start)
    closed = men & complement(wanted)
    frontier = reached
    moves = 0
    while frontier:
        if frontier & wanted:
            return moves
        moves += 1
        rest = frontier
        frontier &= EMPTY
        while rest:
            frontier |= attacks_of(piece, lowest(rest), men & complement(bit(start)))
            rest = without_lowest(rest)
        frontier &= complement(reached | closed)
        reached |= frontier
    return -1
