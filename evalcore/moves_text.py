"""Moves as people and engines write them: SAN and UCI against the legal moves of a state.

The readers of SAN are compiled and work on a byte buffer, so that games replay at machine speed. They
accept what PGN files hold: `e4`, `exd5`, `Nbd7`, `R1a3`, `O-O` and `0-0`, `e8=Q`, `e8Q`, `e8(Q)`, long
forms (`e2-e4`, `Ng1f3`), UCI (`g1f3`, `e7e8q`), and any trailing `+ # ! ?`. Chess Programming Wiki,
page "Algebraic Chess Notation"; PGN standard, section 8.2.3.
"""

import numpy as np

from .bitboards import (
    ALL,
    EMPTY,
    FILE_A,
    RANK_1,
    RANK_4,
    RANK_5,
    RANK_8,
    Bitboard,
    Square,
    bit,
    complement,
    lowest,
    neighbours,
    without_lowest,
)
from .compiled import kernel, primitive
from .moves import (
    BLACK_TO_MOVE,
    CASTLING,
    EP,
    KING,
    KNIGHT,
    NO_PIECE,
    PAWN,
    QUEEN,
    ROOK,
    Move,
    State,
    Words,
    behind,
    castling_is_legal,
    checkers,
    is_legal,
    is_safe,
    occupied,
    own_men,
    pack_move,
    piece_at,
    promotion_of,
    source_of,
    target_of,
)
from .side import attacks_of

NOT_A_MOVE, ILLEGAL_MOVE, AMBIGUOUS_MOVE, NULL_MOVE = -1, -2, -3, -4
"""What the readers return instead of a move."""

MOVE_FAULTS = {
    NOT_A_MOVE: "text that is no move",
    ILLEGAL_MOVE: "illegal move",
    AMBIGUOUS_MOVE: "ambiguous move",
    NULL_MOVE: "null move",
}


@primitive
def letter_piece(letter: int) -> int:
    """The piece an English letter (upper case) names, or `NO_PIECE`."""
    for piece, name in enumerate((80, 78, 66, 82, 81, 75)):
        if letter == name:
            return piece
    return NO_PIECE


@primitive
def _pawn_sources(state: Words, target: Square, captures: bool) -> Bitboard:
    """Pawns of the side to move that reach a square by a push, or by a capture."""
    black = state[BLACK_TO_MOVE]
    men, end = occupied(state), bit(target)
    pawns = state[PAWN] & own_men(state)
    step = behind(end, black)
    if captures:
        victims = (men & complement(own_men(state))) | state[EP]
        return neighbours(step) & pawns if end & victims else EMPTY
    if end & men:
        return EMPTY
    is_fourth = end & (RANK_5 if black else RANK_4) != 0
    return (step | behind(step, black) if is_fourth and step & men == 0 else step) & pawns


@primitive
def _sources(state: Words, piece: int, target: Square) -> Bitboard:
    """Own men of one kind that attack a square not held by an own man; pins ignored."""
    own = own_men(state)
    if bit(target) & own:
        return EMPTY
    return attacks_of(piece, target, occupied(state)) & state[piece] & own


@primitive
def _only_safe(state: Words, sources: Bitboard, target: Square, promotion: int) -> Move:
    """The one legal move from a set of squares to a square, or why there is not one."""
    found = ILLEGAL_MOVE
    while sources:
        source = lowest(sources)
        sources = without_lowest(sources)
        if is_safe(state, source, target):
            if found != ILLEGAL_MOVE:
                return AMBIGUOUS_MOVE
            found = pack_move(source, target, promotion)
    return found


@kernel
def castling_move(state: Words, long: bool) -> Move:
    """Castling to the c-file (`long`) or the g-file, or ILLEGAL_MOVE."""
    own = own_men(state)
    king = lowest(state[KING] & own)
    rooks = state[CASTLING] & own
    while rooks:
        rook = lowest(rooks)
        rooks = without_lowest(rooks)
        if (rook < king) == long and checkers(state) == 0 and castling_is_legal(state, rook):
            return pack_move(king, rook, 0)
    return ILLEGAL_MOVE


@kernel
def find_move(state: Words, piece: int, mask: Bitboard, target: Square, promotion: int) -> Move:
    """The legal move of a kind of man from one of the squares `mask` to `target`, or why there is not one."""
    if (promotion > 0) != (piece == PAWN and bit(target) & (RANK_1 | RANK_8) != 0):
        return ILLEGAL_MOVE
    if piece == PAWN:
        own_file = FILE_A << (target & 7)
        sources = _pawn_sources(state, target, False) & own_file
        sources |= _pawn_sources(state, target, True) & complement(own_file)
    else:
        sources = _sources(state, piece, target)
    return _only_safe(state, sources & mask, target, promotion)


@primitive
def _move_between(state: Words, source: Square, target: Square, promotion: int) -> Move:
    """The legal move between two squares, castling as king takes rook or as a king's move of two files."""
    own = own_men(state)
    if state[KING] & own & bit(source):
        if bit(target) & own & state[CASTLING]:
            return castling_move(state, target < source)
        if abs(target - source) == 2 and (source == 4 or source == 60):
            return castling_move(state, target < source)
    move = pack_move(source, target, promotion)
    return move if is_legal(state, move) else ILLEGAL_MOVE


@primitive
def _castling_text(state: Words, text: Words, at: int, end: int) -> Move:
    """`O-O`, `O-O-O` and their forms with zeros or small letters."""
    wings = 0
    for place in range(at, end):
        byte = text[place]
        if byte == 79 or byte == 48 or byte == 111:
            wings += 1
        elif byte != 45:
            return NOT_A_MOVE
    if wings == 4 and end - at == 4:
        return NULL_MOVE
    if end - at != 2 * wings - 1:
        return NOT_A_MOVE
    return castling_move(state, wings == 3) if wings == 2 or wings == 3 else NOT_A_MOVE


@primitive
def _is_null_move(text: Words, at: int, end: int) -> bool:
    """`--`, `Z0`; `0000` and `@@@@` too."""
    if end - at == 2:
        return (text[at] == 45 and text[at + 1] == 45) or (text[at] == 90 and text[at + 1] == 48)
    return end - at == 4 and text[at] == 64 and text[at + 1] == 64


@primitive
def _without_suffix(text: Words, at: int, end: int) -> int:
    """The end of a move text without `+`, `#`, `!`, `?` and a closing bracket."""
    while end > at:
        byte = text[end - 1]
        if byte != 43 and byte != 35 and byte != 33 and byte != 63 and byte != 41:
            break
        end -= 1
    return end


@primitive
def _promotion_letter(byte: int, is_last: bool) -> int:
    """The piece a letter after a complete pawn move names, or 0; `b` is one only at the end (`b2b4`)."""
    piece = letter_piece(byte - 32 if byte >= 97 and is_last else byte)
    return piece if KNIGHT <= piece <= QUEEN else 0


@primitive
def _read_squares(text: Words, at: int, end: int, is_pawn: bool) -> tuple[int, int, int, int, int]:
    """File and rank of the start, file and rank of the target (-1 where not given), and the promotion.

    A target file of -1 says that the text is no move.
    """
    from_file, from_rank, file, rank, promotion = -1, -1, -1, -1, 0
    for place in range(at, end):
        byte = text[place]
        letter = _promotion_letter(byte, place == end - 1) if is_pawn and file >= 0 and rank >= 0 else 0
        if promotion:
            return -1, -1, -1, -1, 0
        if letter:
            promotion = letter
        elif 97 <= byte <= 104:
            if from_file >= 0 or from_rank >= 0:
                return -1, -1, -1, -1, 0
            from_file, from_rank, file, rank = file, rank, byte - 97, -1
        elif 49 <= byte <= 56 and rank < 0:
            rank = byte - 49
        elif byte != 120 and byte != 45 and byte != 58 and byte != 61 and byte != 40 and byte != 47:
            return -1, -1, -1, -1, 0  # not one of x - : = ( /
    return from_file, from_rank, file if rank >= 0 else -1, rank, promotion


@kernel
def read_move(state: Words, text: Words, at: int, end: int) -> Move:
    """The legal move that the bytes `text[at:end]` name, or a negative number of `MOVE_FAULTS`."""
    end = _without_suffix(text, at, end)
    if end - at < 2:
        return NOT_A_MOVE
    if _is_null_move(text, at, end):
        return NULL_MOVE
    if text[at] == 79 or text[at] == 48 or text[at] == 111:
        return _castling_text(state, text, at, end)
    letter = letter_piece(text[at])
    piece = PAWN if letter == NO_PIECE else letter
    start = at if letter == NO_PIECE else at + 1
    from_file, from_rank, file, rank, promotion = _read_squares(text, start, end, piece == PAWN)
    if file < 0:
        return NOT_A_MOVE
    target = 8 * rank + file
    if letter == NO_PIECE and from_file >= 0 and from_rank >= 0:
        return _move_between(state, 8 * from_rank + from_file, target, promotion)
    mask: Bitboard = ALL
    if from_file >= 0 or piece == PAWN:
        mask = FILE_A << (from_file if from_file >= 0 else file)
    if from_rank >= 0:
        mask &= RANK_1 << (8 * from_rank)
    return find_move(state, piece, mask, target, promotion)


def parse_move(state: State, text: str) -> Move:
    """The legal move that a SAN or UCI text names, or a negative number of `MOVE_FAULTS`."""
    buffer = np.frombuffer(text.encode("latin-1", "replace") or b" ", np.uint8)
    return int(read_move(state, buffer, 0, len(text)))


def uci(move: Move, state: State | None = None) -> str:
    """UCI text of a move; castling is "king takes rook" unless `state` shows an ordinary e1g1 or e8c8."""
    source, target = source_of(move), target_of(move)
    if state is not None and source in (4, 60) and piece_at(state, source) == KING:
        king_and_rook = bool(state[ROOK] & own_men(state) & np.uint64(1 << target))
        if king_and_rook and target & 7 in (0, 7):
            target = source + (2 if target > source else -2)
    names = "".join("abcdefgh"[square & 7] + "12345678"[square >> 3] for square in (source, target))
    return names + ("", "n", "b", "r", "q")[promotion_of(move)]
