"""What makes a board impossible, as bits of one mask, so that all faults are named at once.

The rules are those of python-chess's `Board.status()` for Chess960 boards. More pieces than promotions
could give are no fault there and none here: composed and random test positions have them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .bitboards import (
    ALL,
    EMPTY,
    RANK_1,
    RANK_8,
    Bitboard,
    Square,
    bishop_attacks,
    bit,
    king_attacks,
    knight_attacks,
    lowest,
    pawn_attacks,
    pawn_attacks_of_enemy,
    popcount,
    rook_attacks,
    without_lowest,
)
from .compiled import kernel, primitive
from .faults import (
    BLACK_KINGS,
    CASTLING_RIGHT,
    IMPOSSIBLE_CHECK,
    IMPOSSIBLE_EN_PASSANT,
    NO_BLACK_KING,
    NO_KING_PAIR,
    NO_WHITE_KING,
    OPPOSITE_CHECK,
    OVERLAP,
    PAWN_RANKS,
    WHITE_KINGS,
    WHITE_MEN,
    WHITE_PAWNS,
)
from .positions import Positions


@primitive
def signed(value: Any) -> int:
    """An integer of any width as a signed word: mixed with unsigned ones it would become a float."""
    return np.int64(value)  # type: ignore[return-value]


@primitive
def attackers(
    square: Square,
    occupied: Bitboard,
    pawns: Bitboard,
    knights: Bitboard,
    bishops: Bitboard,
    rooks: Bitboard,
    queens: Bitboard,
    kings: Bitboard,
    by: Bitboard,
    by_white: bool,
) -> Bitboard:
    """The men of `by`, a subset of one colour, that attack a square."""
    target = bit(square)
    stepping = king_attacks(target) & kings
    stepping |= knight_attacks(target) & knights
    stepping |= (pawn_attacks_of_enemy(target) if by_white else pawn_attacks(target)) & pawns
    sliding = bishop_attacks(square, occupied) & (bishops | queens)
    sliding |= rook_attacks(square, occupied) & (rooks | queens)
    return (stepping | sliding) & by


@primitive
def side_faults(pawns: Bitboard, side: Bitboard) -> int:
    """Count faults of one side, as the bits for White."""
    faults = 0
    if popcount(pawns & side) > 8:
        faults |= WHITE_PAWNS
    if popcount(side) > 16:
        faults |= WHITE_MEN
    return faults


@primitive
def king_faults(kings: Bitboard, white: Bitboard) -> int:
    """One king a side."""
    whites, blacks = popcount(kings & white), popcount(kings & (white ^ ALL))
    faults = NO_WHITE_KING if whites == 0 else WHITE_KINGS if whites > 1 else 0
    return faults | (NO_BLACK_KING if blacks == 0 else BLACK_KINGS if blacks > 1 else 0)


@primitive
def castling_side_fault(castling: Bitboard, rooks: Bitboard, king: Bitboard, back_rank: Bitboard) -> bool:
    """Whether the rights of one side are impossible: `rooks` and `king` are that side's own.

    There are two ways to castle, so at most one rook on each side of a king on the back rank.
    """
    rights = castling & back_rank
    if rights == EMPTY:
        return False
    if rights & rooks != rights or king & back_rank == EMPTY:
        return True
    west_of_king = rights & (king - bit(0))
    return popcount(west_of_king) > 1 or popcount(rights ^ west_of_king) > 1


@primitive
def in_line(one: Square, two: Square, three: Square) -> bool:
    """Whether three squares share a rank, a file or a diagonal."""
    ranks = one >> 3 == two >> 3 and one >> 3 == three >> 3
    files = one & 7 == two & 7 and one & 7 == three & 7
    rise, run = (two >> 3) - (one >> 3), (two & 7) - (one & 7)
    other_rise, other_run = (three >> 3) - (one >> 3), (three & 7) - (one & 7)
    diagonals = rise == run and other_rise == other_run
    return ranks or files or diagonals or (rise == -run and other_rise == -other_run)


@primitive
def check_is_impossible(king: Square, checkers: Bitboard) -> bool:
    """More than two checkers, or two on one line with the king."""
    count = popcount(checkers)
    if count < 2:
        return False
    others = without_lowest(checkers)
    return count > 2 or in_line(king, lowest(checkers), lowest(others))


@primitive
def board_faults(
    pawns: Bitboard,
    knights: Bitboard,
    bishops: Bitboard,
    rooks: Bitboard,
    queens: Bitboard,
    kings: Bitboard,
    white: Bitboard,
    white_to_move: bool,
    castling: Bitboard,
) -> int:
    """Everything that is impossible on a board of disjoint sets; en passant is checked apart."""
    occupied = pawns | knights | bishops | rooks | queens | kings
    black = occupied ^ white
    faults = king_faults(kings, white) | side_faults(pawns, white)
    # The bits for Black follow those for White.
    faults |= side_faults(pawns, black) << 1
    if pawns & (RANK_1 | RANK_8) != EMPTY:
        faults |= PAWN_RANKS
    if castling & (RANK_1 | RANK_8) != castling:
        faults |= CASTLING_RIGHT
    if castling_side_fault(castling, rooks & white, kings & white, RANK_1) or castling_side_fault(
        castling, rooks & black, kings & black, RANK_8
    ):
        faults |= CASTLING_RIGHT
    if faults & NO_KING_PAIR:
        return faults
    for turn in range(2):
        checked_white = white_to_move if turn == 0 else not white_to_move
        side, enemy = (white, black) if checked_white else (black, white)
        king = lowest(kings & side)
        checkers = attackers(
            king, occupied, pawns, knights, bishops, rooks, queens, kings, enemy, not checked_white
        )
        if turn == 1 and checkers != EMPTY:
            faults |= OPPOSITE_CHECK
        if turn == 0 and check_is_impossible(king, checkers):
            faults |= IMPOSSIBLE_CHECK
    return faults


@primitive
def en_passant_faults(
    square: Square,
    pawns: Bitboard,
    knights: Bitboard,
    bishops: Bitboard,
    rooks: Bitboard,
    queens: Bitboard,
    kings: Bitboard,
    white: Bitboard,
    white_to_move: bool,
) -> int:
    """Whether the side not to move can have just passed `square` with a pawn; one king a side needed."""
    occupied = pawns | knights | bishops | rooks | queens | kings
    us = white if white_to_move else occupied ^ white
    enemy = occupied ^ us
    step = -8 if white_to_move else 8
    if square >> 3 != (5 if white_to_move else 2):
        return IMPOSSIBLE_EN_PASSANT
    pushed = bit(square + step)
    if pushed & pawns & enemy == EMPTY or occupied & (bit(square) | bit(square - step)) != EMPTY:
        return IMPOSSIBLE_EN_PASSANT
    # Nothing but the pushed pawn, or a line it opened, can give check now.
    king = lowest(kings & us)
    before = (occupied ^ pushed) | bit(square - step)
    checkers = attackers(
        king, occupied, pawns, knights, bishops, rooks, queens, kings, enemy, not white_to_move
    )
    earlier = attackers(
        king, before, pawns, knights, bishops, rooks, queens, kings, enemy & (pushed ^ ALL), not white_to_move
    )
    if popcount(checkers) > 1 or (checkers & (pushed ^ ALL) != EMPTY and earlier != EMPTY):
        return IMPOSSIBLE_CHECK
    return 0


@primitive
def en_passant_is_legal(
    square: Square,
    pawns: Bitboard,
    knights: Bitboard,
    bishops: Bitboard,
    rooks: Bitboard,
    queens: Bitboard,
    kings: Bitboard,
    white: Bitboard,
    white_to_move: bool,
) -> bool:
    """Whether a pawn can take on a faultless en-passant square without leaving its king in check."""
    occupied = pawns | knights | bishops | rooks | queens | kings
    us = white if white_to_move else occupied ^ white
    target = bit(square)
    taken = bit(square - 8 if white_to_move else square + 8)
    enemy = (occupied ^ us) & (taken ^ ALL)
    king = lowest(kings & us)
    candidates = (pawn_attacks_of_enemy(target) if white_to_move else pawn_attacks(target)) & pawns & us
    while candidates != EMPTY:
        origin = candidates ^ without_lowest(candidates)
        after = (occupied ^ origin ^ taken) | target
        if (
            attackers(king, after, pawns, knights, bishops, rooks, queens, kings, enemy, not white_to_move)
            == EMPTY
        ):
            return True
        candidates ^= origin
    return False


@kernel
def _check_rows(
    pawns: NDArray[np.uint64],
    knights: NDArray[np.uint64],
    bishops: NDArray[np.uint64],
    rooks: NDArray[np.uint64],
    queens: NDArray[np.uint64],
    kings: NDArray[np.uint64],
    white: NDArray[np.uint64],
    white_to_move: NDArray[np.bool_],
    castling: NDArray[np.uint64],
    ep_square: NDArray[np.int8],
    faults: NDArray[np.uint32],
) -> None:
    """Faults of every row; `ep_square` is cleared in place where no capture is legal."""
    for row in range(len(pawns)):
        p, n, b, r, q, k = pawns[row], knights[row], bishops[row], rooks[row], queens[row], kings[row]
        w, turn = white[row], white_to_move[row]
        men = popcount(p) + popcount(n) + popcount(b) + popcount(r) + popcount(q) + popcount(k)
        occupied = p | n | b | r | q | k
        if men != popcount(occupied) or w & occupied != w:
            faults[row] = OVERLAP
            continue
        found = board_faults(p, n, b, r, q, k, w, turn, castling[row])
        square = signed(ep_square[row])
        if square != -1 and not found & NO_KING_PAIR:
            if square < 0 or square > 63:
                found |= IMPOSSIBLE_EN_PASSANT
            else:
                found |= en_passant_faults(square, p, n, b, r, q, k, w, turn)
            if not found and not en_passant_is_legal(square, p, n, b, r, q, k, w, turn):
                ep_square[row] = -1
        faults[row] = found


def check_boards(positions: Positions) -> tuple[Positions, NDArray[np.uint32]]:
    """The positions with en-passant squares only where a capture is legal, and a fault mask for each row.

    For readers whose formats can hold impossible boards; a mask of 0 means a legal board.
    """
    faults = np.zeros(len(positions), np.uint32)
    ep_square = positions.ep_square.copy()
    _check_rows(
        positions.pawns,
        positions.knights,
        positions.bishops,
        positions.rooks,
        positions.queens,
        positions.kings,
        positions.white,
        positions.white_to_move,
        positions.castling_rights,
        ep_square,
        faults,
    )
    return positions.replace(ep_square=ep_square), faults
