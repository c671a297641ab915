"""Static exchange evaluation, and whether a position is quiet. Compiled.

Definitions: Chess Programming Wiki, pages "Static Exchange Evaluation", "SEE - The Swap Algorithm",
"Quiescence Search". All captures of a sequence are on one square, each side takes with its least valuable
man and may stop; men behind others join in as lines open, pins are ignored.
"""

import numpy as np

from .bitboards import EMPTY, RANK_1, RANK_8, Bitboard, bit, complement, lowest, without_lowest
from .compiled import kernel, primitive
from .moves import (
    BLACK_TO_MOVE,
    EP,
    KING,
    PAWN,
    QUEEN,
    Move,
    Words,
    attackers,
    behind,
    checkers,
    men_of,
    occupied,
    own_men,
    pack_move,
    piece_at,
    promotion_of,
    source_of,
    target_of,
)
from .moves_generate import legal_targets, pinned_men

PIECE_VALUES = (100, 325, 325, 500, 975, 10_000, 0)
"""Centipawns of pawn … king and of no man: the wiki's values, so that its examples hold."""
LONGEST_EXCHANGE = 32


@primitive
def piece_value(piece: int) -> int:
    """Centipawns of a kind of man; 0 for none."""
    return PIECE_VALUES[piece]


@primitive
def _least_valuable(state: Words, men: Bitboard) -> int:
    """The cheapest kind among some men."""
    for piece in range(KING):
        if state[piece] & men:
            return piece
    return KING


@kernel
def see(state: Words, move: Move) -> int:
    """Centipawns the side to move gains by a move and the exchange on its target; negative is a loss.

    The move must be legal. A promotion counts as the new piece less a pawn; castling is 0.
    """
    source, target, promotion = source_of(move), target_of(move), promotion_of(move)
    start, end = bit(source), bit(target)
    men, black = occupied(state), state[BLACK_TO_MOVE] != 0
    if end & own_men(state):
        return 0
    piece = piece_at(state, source)
    gains = np.empty(LONGEST_EXCHANGE + 1, np.int64)
    gains[0] = piece_value(piece_at(state, target))
    if piece == PAWN and end & state[EP]:
        gains[0] = piece_value(PAWN)
        men &= complement(behind(end, state[BLACK_TO_MOVE]))
    if promotion:
        gains[0] += piece_value(promotion) - piece_value(PAWN)
        piece = promotion
    men &= complement(start)
    depth = 0
    while True:
        black = not black
        side = attackers(state, target, men | end) & men & complement(end) & men_of(state, black)
        if side == 0:
            break
        depth += 1
        gains[depth] = piece_value(piece) - gains[depth - 1]
        piece = _least_valuable(state, side)
        men &= complement(bit(lowest(state[piece] & side)))
    while depth > 0:
        gains[depth - 1] = -max(-gains[depth - 1], gains[depth])
        depth -= 1
    value: int = gains[0]
    return value


@primitive
def _wins_by(state: Words, piece: int, source: int, targets: Bitboard) -> bool:
    """Whether one of some captures or promotions of a man wins material."""
    while targets:
        target = lowest(targets)
        promotes = piece == PAWN and bit(target) & (RANK_1 | RANK_8) != 0
        if see(state, pack_move(source, target, QUEEN if promotes else 0)) > 0:
            return True
        targets = without_lowest(targets)
    return False


@kernel
def is_quiet(state: Words) -> bool:
    """Whether the side to move is not in check and no legal capture or promotion wins material."""
    if checkers(state):
        return False
    own = own_men(state)
    theirs = occupied(state) & complement(own)
    pinned = pinned_men(state)
    for piece in range(KING + 1):
        wanted = theirs | (state[EP] | RANK_1 | RANK_8 if piece == PAWN else EMPTY)
        rest = state[piece] & own
        while rest:
            source = lowest(rest)
            rest = without_lowest(rest)
            targets = legal_targets(state, piece, source, EMPTY, pinned) & wanted
            if _wins_by(state, piece, source, targets):
                return False
    return True
