"""Moves as people and engines write them: SAN and UCI against the legal moves of a state.

The readers of SAN are compiled and work on a byte buffer, so that games replay at machine speed. They
accept what PGN files hold: `e4`, `exd5`, `Nbd7`, `R1a3`, `O-O` and `0-0`, `e8=Q`, `e8Q`, `e8(Q)`, long
forms (`e2-e4`, `Ng1f3`), UCI (`g1f3`, `e7e8q`), and any trailing `+ # ! ? =`. The two bytes of the
target square stand side by side in each but castling, which has a dash between wings: readers of files
count moves by that. Chess Programming Wiki, page "Algebraic Chess Notation"; PGN standard, section 8.2.3.
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
    if end - at != 3 and end - at != 5:
        return NOT_A_MOVE
    for place in range(at, end):
        byte = text[place]
        is_wing = byte == 79 or byte == 48 or byte == 111
        if not (byte == 45 if (place - at) & 1 else is_wing):
            return NOT_A_MOVE
    return castling_move(state, end - at == 5)


@primitive
def _repeats(text: Words, at: int, end: int, byte: int) -> bool:
    """Whether a text is one byte, over and over."""
    while at < end and text[at] == byte:
        at += 1
    return at == end


@primitive
def is_null_move(text: Words, at: int, end: int) -> bool:
    """`--`, `Z0`, `0000`, `@@@@`, `<>`, and dashes alone of any kind and number: a move that was passed."""
    first, size = text[at], end - at
    if first == 45:
        return _repeats(text, at, end, 45)
    if first == 226:  # En and em dash in UTF-8.
        return size == 3 and text[at + 1] == 128 and (text[at + 2] == 147 or text[at + 2] == 148)
    if size == 2:
        return (first == 90 and text[at + 1] == 48) or (first == 60 and text[at + 1] == 62)
    return size == 4 and (first == 48 or first == 64) and _repeats(text, at, end, first)


@primitive
def _is_file(byte: int) -> bool:
    """`a` to `h`."""
    return 97 <= byte <= 104


@primitive
def _is_rank(byte: int) -> bool:
    """`1` to `8`."""
    return 49 <= byte <= 56


@primitive
def _without_suffix(text: Words, at: int, end: int) -> int:
    """The end of a move text without `+`, `#`, `!`, `?`, `=`, `:` and a closing bracket."""
    while end > at:
        byte = text[end - 1]
        if _is_rank(byte):
            break
        is_mark = byte == 43 or byte == 35 or byte == 33 or byte == 63 or byte == 41
        if not (is_mark or byte == 61 or byte == 58):
            break
        end -= 1
    return end


@primitive
def _read_promotion(text: Words, at: int, end: int) -> tuple[int, int]:
    """The piece a pawn becomes, by a letter of either case behind its move (0 for none), and where the
    squares before it end: `e8=Q`, `e8q`, `e8/Q`, `e8(Q`."""
    piece = letter_piece(text[end - 1] & 0xDF)
    if not KNIGHT <= piece <= QUEEN:
        return 0, end
    end -= 1
    is_marked = end > at and (text[end - 1] == 61 or text[end - 1] == 47 or text[end - 1] == 40)
    return piece, end - 1 if is_marked else end


@primitive
def _read_squares(text: Words, at: int, end: int, is_pawn: bool) -> tuple[int, int, int, int, int]:
    """File and rank of the start (-1 where not given), file and rank of the target, and the promotion.

    A target file of -1 says that the text is no move. It is read from its end, where the target stands:
    file and rank, side by side, and before them at most one of `x - :`, a rank and a file.
    """
    promotion, from_file, from_rank = 0, -1, -1
    if is_pawn:
        promotion, end = _read_promotion(text, at, end)
    if end - at < 2 or not (_is_file(text[end - 2]) and _is_rank(text[end - 1])):
        return -1, -1, -1, -1, 0
    file, rank = text[end - 2] - 97, text[end - 1] - 49
    end -= 2
    if end > at and (text[end - 1] == 120 or text[end - 1] == 45 or text[end - 1] == 58):
        end -= 1
        if end == at and is_pawn:  # `-e4` lost what stood before
            return -1, -1, -1, -1, 0
    if end > at and _is_rank(text[end - 1]):
        end -= 1
        from_rank = text[end] - 49
    if end > at and _is_file(text[end - 1]):
        end -= 1
        from_file = text[end] - 97
    return from_file, from_rank, file if end == at else -1, rank, promotion


@kernel
def read_move(state: Words, text: Words, at: int, end: int) -> Move:
    """The legal move that the bytes `text[at:end]` name, or a negative number of `MOVE_FAULTS`."""
    if end > at and not _is_file(text[at]) and is_null_move(text, at, end):
        return NULL_MOVE
    end = _without_suffix(text, at, end)
    if end - at < 2:
        return NOT_A_MOVE
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
