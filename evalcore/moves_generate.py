"""All legal moves of a state, and perft, the count that proves a move generator. Compiled.

Definitions: Chess Programming Wiki, pages "Move Generation", "Pin", "Perft". A pinned man stays on the line
of its pin; in check every man but the king must capture the checker or step between.
"""

import numpy as np

from .bitboards import (
    ALL,
    EMPTY,
    RANK_1,
    RANK_8,
    Bitboard,
    Square,
    bishop_attacks,
    bit,
    complement,
    king_attacks,
    lowest,
    popcount,
    rook_attacks,
    without_lowest,
)
from .compiled import kernel, primitive
from .moves import (
    BISHOP,
    CASTLING,
    EP,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    WORDS,
    Move,
    State,
    Words,
    attackers,
    between,
    castling_is_legal,
    checkers,
    is_safe,
    line_through,
    make,
    occupied,
    own_men,
    pack_move,
    piece_targets,
)

MOST_MOVES = 256
"""Room that is always enough: no chess position has more than 218 moves."""


@kernel
def pinned_men(state: Words) -> Bitboard:
    """Men of the side to move that alone stand between their king and an enemy slider."""
    own = own_men(state)
    men = occupied(state)
    theirs = men & complement(own)
    king = lowest(state[KING] & own)
    snipers = rook_attacks(king, theirs) & (state[ROOK] | state[QUEEN])
    snipers = (snipers | (bishop_attacks(king, theirs) & (state[BISHOP] | state[QUEEN]))) & theirs
    pinned: Bitboard = EMPTY
    while snipers:
        screen = between(king, lowest(snipers)) & men
        if popcount(screen) == 1:
            pinned |= screen & own
        snipers = without_lowest(snipers)
    return pinned


@primitive
def evasion_squares(king: Square, checking: Bitboard) -> Bitboard:
    """Where men other than the king may go: anywhere, or where they end the one check, or nowhere."""
    if checking == 0:
        return ALL
    if without_lowest(checking):
        return EMPTY
    return checking | between(king, lowest(checking))


@primitive
def _king_targets(state: Words, king: Square) -> Bitboard:
    own = own_men(state)
    others = occupied(state) & complement(bit(king))
    targets = king_attacks(bit(king)) & complement(own)
    safe: Bitboard = EMPTY
    while targets:
        square = lowest(targets)
        if attackers(state, square, others) & others & complement(own | bit(square)) == 0:
            safe |= bit(square)
        targets = without_lowest(targets)
    return safe


@kernel
def legal_targets(state: Words, piece: int, square: Square, checking: Bitboard, pinned: Bitboard) -> Bitboard:
    """The squares one man of the side to move may legally go to, without castling."""
    king = lowest(state[KING] & own_men(state))
    if piece == KING:
        return _king_targets(state, king)
    targets = piece_targets(state, piece, square)
    allowed = evasion_squares(king, checking)
    if bit(square) & pinned:
        allowed &= line_through(king, square)
    if piece == PAWN and targets & state[EP]:
        if is_safe(state, square, lowest(state[EP])):
            return (targets & allowed) | state[EP]
        allowed &= complement(state[EP])
    return targets & allowed


@kernel
def castling_targets(state: Words, checking: Bitboard) -> Bitboard:
    """The rooks the king of the side to move may castle with now."""
    rooks = state[CASTLING] & own_men(state) if checking == 0 else EMPTY
    allowed: Bitboard = EMPTY
    while rooks:
        if castling_is_legal(state, lowest(rooks)):
            allowed |= bit(lowest(rooks))
        rooks = without_lowest(rooks)
    return allowed


@primitive
def _append(moves: Words, count: int, square: Square, targets: Bitboard, promotes: bool) -> int:
    while targets:
        move = pack_move(square, lowest(targets), 0)
        targets = without_lowest(targets)
        if promotes:
            for promotion in range(QUEEN, KNIGHT - 1, -1):
                moves[count] = move + (promotion << 12)
                count += 1
        else:
            moves[count] = move
            count += 1
    return count


@kernel
def legal_moves(state: Words, moves: Words) -> int:
    """Writes all legal moves into `moves` (room for `MOST_MOVES`) and returns how many there are."""
    own = own_men(state)
    checking = checkers(state)
    pinned = pinned_men(state)
    count = 0
    for piece in range(KING + 1):
        rest = state[piece] & own
        while rest:
            square = lowest(rest)
            rest = without_lowest(rest)
            targets = legal_targets(state, piece, square, checking, pinned)
            promotes = piece == PAWN and targets & (RANK_1 | RANK_8) != 0
            count = _append(moves, count, square, targets, promotes)
    return _append(moves, count, lowest(state[KING] & own), castling_targets(state, checking), False)


@kernel
def has_legal_move(state: Words) -> bool:
    """Whether the side to move can move at all; if not it is mate or stalemate."""
    own = own_men(state)
    checking = checkers(state)
    pinned = pinned_men(state)
    for piece in range(KING, -1, -1):
        rest = state[piece] & own
        while rest:
            if legal_targets(state, piece, lowest(rest), checking, pinned):
                return True
            rest = without_lowest(rest)
    return castling_targets(state, checking) != 0


@kernel
def perft(state: State, depth: int) -> int:
    """How many sequences of `depth` legal moves there are."""
    states = np.empty((depth + 1, WORDS), np.uint64)
    moves = np.empty((depth + 1, MOST_MOVES), np.int64)
    left = np.zeros(depth + 1, np.int64)
    states[0] = state
    left[0] = legal_moves(states[0], moves[0])
    level, leaves = 0, 0
    if depth <= 1:
        return left[0] if depth == 1 else 1
    while level >= 0:
        if left[level] == 0:
            level -= 1
            continue
        left[level] -= 1
        states[level + 1] = states[level]
        make(states[level + 1], moves[level, left[level]])
        count = legal_moves(states[level + 1], moves[level + 1])
        if level + 2 == depth:
            leaves += count
        else:
            level += 1
            left[level] = count
    return leaves


def list_moves(state: State) -> list[Move]:
    """The legal moves of one state as a list, for tests and notebooks."""
    moves = np.empty(MOST_MOVES, np.int64)
    return [int(move) for move in moves[: legal_moves(state, moves)]]
