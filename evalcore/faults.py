"""What can be wrong with a position or a label, as bits of one mask, so that all faults are named at once."""

FAULTS = (
    "the board does not have 8 ranks",
    "a rank does not have 8 squares",
    "a character that is no piece, number or '/' in the board",
    "the side to move is missing",
    "the side to move is not 'w' or 'b'",
    "the castling field is missing",
    "the castling field is not '-' or letters of KQkq or of files",
    "the en-passant field is missing",
    "the en-passant field is not '-' or a square on the third or sixth rank",
    "no white king",
    "no black king",
    "more than one white king",
    "more than one black king",
    "a pawn on the first or last rank",
    "more than 8 white pawns",
    "more than 8 black pawns",
    "more than 16 white men",
    "more than 16 black men",
    "the side not to move is in check",
    "a castling right without its king and rook in place",
    "no pawn can have just passed the en-passant square",
    "a check that no move can give",
    "the result is not one of 1-0, 0-1, 1/2-1/2 or a number from 0 to 1",
    "two results that differ",
    "text that is not understood",
    "the score is not a number",
    "a quotation mark without its partner",
    "two men on one square or a colour without a man",
    "the line does not have as many fields as the header",
    "a ply, game or weight that is not a number it can be",
    "a record without a position",
    "text that is no JSON object",
    "a record that breaks off",
)
"""What each bit of a fault mask says; bits 0-8 are about FEN syntax, 9-21 the board, the others labels."""

(
    RANKS,
    RANK_LENGTH,
    PIECE_LETTER,
    NO_SIDE,
    BAD_SIDE,
    NO_CASTLING,
    BAD_CASTLING,
    NO_EN_PASSANT,
    BAD_EN_PASSANT,
    NO_WHITE_KING,
    NO_BLACK_KING,
    WHITE_KINGS,
    BLACK_KINGS,
    PAWN_RANKS,
    WHITE_PAWNS,
    BLACK_PAWNS,
    WHITE_MEN,
    BLACK_MEN,
    OPPOSITE_CHECK,
    CASTLING_RIGHT,
    IMPOSSIBLE_EN_PASSANT,
    IMPOSSIBLE_CHECK,
    UNKNOWN_RESULT,
    TWO_RESULTS,
    LEFT_OVER,
    BAD_SCORE,
    OPEN_QUOTE,
    OVERLAP,
    FIELD_COUNT,
    BAD_NUMBER,
    NO_POSITION,
    NOT_JSON,
    NO_END,
) = (1 << number for number in range(len(FAULTS)))

NOT_A_BOARD = RANKS | RANK_LENGTH | PIECE_LETTER
NO_KING_PAIR = NO_WHITE_KING | NO_BLACK_KING | WHITE_KINGS | BLACK_KINGS


def fault_text(mask: int) -> str:
    """All faults of a mask in words, in one line."""
    return "; ".join(text for number, text in enumerate(FAULTS) if mask >> number & 1)
