"""One position that can be moved: legality, castling, en passant, making moves. Compiled.

A **state** is a row of `WORDS` machine words (uint64), changed in place by `make` and copied to be
undone (`child[:] = state`):

| word | meaning |
|---|---|
| 0-5 | pawns, knights, bishops, rooks, queens, kings of both colours |
| `WHITE` | White's men |
| `BLACK_TO_MOVE` | 0 or 1 |
| `CASTLING` | rooks that may still castle (python-chess's meaning, so Chess960 needs nothing more) |
| `EP` | the en-passant square as a set of one, set only when a capture there is legal |
| `HALFMOVE`, `FULLMOVE` | the clocks |

A **move** is an int: `from + 64 * to + 4096 * promotion`, promotion 0 or a piece (1 knight … 4 queen).
Castling is "king takes own rook", in Chess960 and in standard chess alike. 0 is no move.
Definitions: Chess Programming Wiki, pages "Legal Move", "Pin", "En passant", "Castling".
"""

from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .bitboards import (
    ALL,
    EMPTY,
    FILE_A,
    ONE,
    RANK_1,
    RANK_3,
    RANK_6,
    RANK_8,
    Bitboard,
    Square,
    antidiagonal_of,
    bishop_attacks,
    bit,
    complement,
    diagonal_of,
    file_of,
    king_attacks,
    knight_attacks,
    line_attacks,
    lowest,
    neighbours,
    north,
    pawn_attacks,
    pawn_attacks_of_enemy,
    rank_of,
    rook_attacks,
    south,
    without_lowest,
)
from .compiled import kernel, primitive
from .legality import en_passant_is_legal
from .side import attacks_of

State: TypeAlias = NDArray[np.uint64]
Move: TypeAlias = int


class Words(Protocol):
    """An array of machine words in compiled code: a state, or the bytes of a text."""

    def __getitem__(self, place: int, /) -> int: ...
    def __setitem__(self, place: int, value: int, /) -> None: ...


PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, NO_PIECE = range(7)
WHITE, BLACK_TO_MOVE, CASTLING, EP, HALFMOVE, FULLMOVE = range(6, 12)
WORDS = 12
NO_MOVE = 0


@primitive
def source_of(move: Move) -> Square:
    """The square a move starts from."""
    return move & 63


@primitive
def target_of(move: Move) -> Square:
    """The square a move goes to; for castling the square of the rook."""
    return (move >> 6) & 63


@primitive
def promotion_of(move: Move) -> int:
    """The piece a pawn becomes, or 0."""
    return move >> 12


@primitive
def pack_move(source: Square, target: Square, promotion: int) -> Move:
    """The move as one int."""
    return source + (target << 6) + (promotion << 12)


@primitive
def occupied(state: Words) -> Bitboard:
    """All men."""
    return state[PAWN] | state[KNIGHT] | state[BISHOP] | state[ROOK] | state[QUEEN] | state[KING]


@primitive
def men_of(state: Words, black: int) -> Bitboard:
    """The men of one colour (0 White, 1 Black)."""
    return occupied(state) & complement(state[WHITE]) if black else state[WHITE]


@primitive
def own_men(state: Words) -> Bitboard:
    """The men of the side to move."""
    return men_of(state, state[BLACK_TO_MOVE])


@primitive
def piece_at(state: Words, square: Square) -> int:
    """The kind of man on a square, or `NO_PIECE`."""
    for piece in range(KING + 1):
        if state[piece] & bit(square):
            return piece
    return NO_PIECE


@primitive
def put_column(words: Any, column: int, state: Words) -> None:
    """Copies a state into a column of an array (WORDS, n); a loop compiles faster than a slice."""
    for word in range(WORDS):
        words[word, column] = state[word]


@primitive
def clear(words: Words, size: int) -> None:
    """Sets the first words to zero."""
    for word in range(size):
        words[word] = 0


@primitive
def ahead(squares: Bitboard, black: int) -> Bitboard:
    """One step in the direction the pawns of a colour move."""
    return south(squares) if black else north(squares)


@primitive
def behind(squares: Bitboard, black: int) -> Bitboard:
    """One step against the direction the pawns of a colour move."""
    return north(squares) if black else south(squares)


@primitive
def line_through(first: Square, second: Square) -> Bitboard:
    """The whole rank, file or diagonal that holds both squares; empty when there is none."""
    target = bit(second)
    for line in (
        FILE_A << file_of(first),
        RANK_1 << (8 * rank_of(first)),
        diagonal_of(first),
        antidiagonal_of(first),
    ):
        if line & target:
            return line
    return EMPTY


@primitive
def between(first: Square, second: Square) -> Bitboard:
    """The squares strictly between two squares of one line; empty when there is none."""
    line = line_through(first, second)
    return line_attacks(first, bit(second), line) & line_attacks(second, bit(first), line) if line else EMPTY


@primitive
def row_between(first: Square, second: Square) -> Bitboard:
    """The squares from one to the other, both included; they lie on one rank."""
    low, high = min(first, second), max(first, second)
    return (ALL >> (63 - high)) & (ALL << low) & ALL


@kernel
def attackers(state: Words, square: Square, occupancy: Bitboard) -> Bitboard:
    """The men of either colour that attack a square when `occupancy` blocks the sliders."""
    target, queens, white = bit(square), state[QUEEN], state[WHITE]
    pawns = state[PAWN]
    found = pawn_attacks_of_enemy(target) & pawns & white
    found |= pawn_attacks(target) & pawns & complement(white)
    found |= knight_attacks(target) & state[KNIGHT]
    found |= king_attacks(target) & state[KING]
    found |= bishop_attacks(square, occupancy) & (state[BISHOP] | queens)
    return found | (rook_attacks(square, occupancy) & (state[ROOK] | queens))


@kernel
def checkers(state: Words) -> Bitboard:
    """The men that give check to the side to move."""
    own = own_men(state)
    men = occupied(state)
    return attackers(state, lowest(state[KING] & own), men) & men & complement(own)


@primitive
def in_check(state: Words) -> bool:
    """Whether the side to move is in check."""
    return checkers(state) != 0


@kernel
def pawn_targets(state: Words, square: Square) -> Bitboard:
    """Pushes and captures of the pawn of the side to move on a square, en passant included; pins ignored."""
    black = state[BLACK_TO_MOVE]
    men = occupied(state)
    free = complement(men)
    step = ahead(bit(square), black)
    push = step & free
    double = ahead(push & (RANK_6 if black else RANK_3), black) & free
    return push | double | (neighbours(step) & ((men & complement(own_men(state))) | state[EP]))


@kernel
def piece_targets(state: Words, piece: int, square: Square) -> Bitboard:
    """Where a man of the side to move may go if pins and checks are ignored; castling not included."""
    if piece == PAWN:
        return pawn_targets(state, square)
    return attacks_of(piece, square, occupied(state)) & complement(own_men(state))


@kernel
def is_safe(state: Words, source: Square, target: Square) -> bool:
    """Whether the own king is not attacked after a move that is no castling."""
    own = own_men(state)
    men = occupied(state)
    start, end = bit(source), bit(target)
    captured = end
    if end & state[EP] and start & state[PAWN]:
        captured = behind(end, state[BLACK_TO_MOVE])
    after = (men & complement(start | captured)) | end
    king = state[KING] & own
    square = target if king == start else lowest(king)
    return attackers(state, square, after) & after & complement(own | end) == 0


@kernel
def castling_is_legal(state: Words, rook: Square) -> bool:
    """Whether the side to move may castle with its rook on a square of `CASTLING`."""
    own = own_men(state)
    king = lowest(state[KING] & own)
    corner = king & 56
    king_end = corner + (6 if rook > king else 2)
    rook_end = corner + (5 if rook > king else 3)
    others = occupied(state) & complement(bit(king) | bit(rook))
    path = row_between(king, king_end)
    if (path | row_between(rook, rook_end)) & others:
        return False
    theirs = others & complement(own)
    while path:
        if attackers(state, lowest(path), others | bit(rook)) & theirs:
            return False
        path = without_lowest(path)
    return attackers(state, king_end, others | bit(rook_end)) & theirs == 0


@kernel
def is_legal(state: Words, move: Move) -> bool:
    """Whether any int is a legal move in a state."""
    source, target, promotion = source_of(move), target_of(move), promotion_of(move)
    own = own_men(state)
    start, end = bit(source), bit(target)
    if move < 0 or promotion > QUEEN or start & own == 0:
        return False
    piece = piece_at(state, source)
    if end & own:
        castles = piece == KING and promotion == 0 and end & state[CASTLING]
        return castling_is_legal(state, target) if castles else False
    promotes = piece == PAWN and end & (RANK_1 | RANK_8) != 0
    if promotes != (promotion > 0) or piece_targets(state, piece, source) & end == 0:
        return False
    return is_safe(state, source, target)


@kernel
def ep_is_legal(state: Words, passed: Bitboard) -> bool:
    """Whether the side to move may capture en passant on the one square of `passed` (not yet in `EP`)."""
    return en_passant_is_legal(
        lowest(passed),
        state[PAWN],
        state[KNIGHT],
        state[BISHOP],
        state[ROOK],
        state[QUEEN],
        state[KING],
        state[WHITE],
        state[BLACK_TO_MOVE] == 0,
    )


@primitive
def _castle(state: Words, king: Square, rook: Square) -> None:
    corner = king & 56
    leave = bit(king) | bit(rook)
    king_end = bit(corner + (6 if rook > king else 2))
    rook_end = bit(corner + (5 if rook > king else 3))
    state[KING] = (state[KING] & complement(leave)) | king_end
    state[ROOK] = (state[ROOK] & complement(leave)) | rook_end
    if state[BLACK_TO_MOVE] == 0:
        state[WHITE] = (state[WHITE] & complement(leave)) | king_end | rook_end


@primitive
def _displace(state: Words, piece: int, start: Bitboard, end: Bitboard, captured: Bitboard) -> None:
    """Moves a man and takes away what stands on `captured`."""
    gone = complement(start | captured)
    for kind in range(KING + 1):
        state[kind] &= gone
    state[piece] |= end
    state[WHITE] &= gone
    if state[BLACK_TO_MOVE] == 0:
        state[WHITE] |= end


@kernel
def make(state: Words, move: Move) -> None:
    """Plays a legal move: the state becomes the position after it."""
    source, target, promotion = source_of(move), target_of(move), promotion_of(move)
    own = own_men(state)
    start, end = bit(source), bit(target)
    black = state[BLACK_TO_MOVE]
    piece = piece_at(state, source)
    captured = end & occupied(state) & complement(own)
    passed: Bitboard = EMPTY
    if piece == PAWN:
        if end & state[EP]:
            captured = behind(end, black)
        if abs(target - source) == 16:
            passed = ahead(start, black)
    if end & own:
        _castle(state, source, target)
    else:
        _displace(state, promotion if promotion else piece, start, end, captured)
    state[CASTLING] &= complement(start | end)
    if piece == KING:
        state[CASTLING] &= complement(own)
    state[HALFMOVE] = EMPTY if piece == PAWN or captured else state[HALFMOVE] + ONE
    state[FULLMOVE] += black
    state[BLACK_TO_MOVE] = black ^ ONE
    state[EP] = passed if passed and ep_is_legal(state, passed) else EMPTY
