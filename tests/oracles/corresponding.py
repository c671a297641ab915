"""Oracle of corresponding squares: the fight of the two kings played out as a game."""

from collections.abc import Iterator

import chess


def _ring(square: chess.Square) -> chess.SquareSet:
    return chess.SquareSet(chess.BB_KING_ATTACKS[square])


def _by_pawn(board: chess.Board, colour: chess.Color, square: chess.Square) -> bool:
    return any(board.piece_type_at(each) == chess.PAWN for each in board.attackers(colour, square))


def _held(board: chess.Board, critical: set[int]) -> set[tuple[int, int]]:
    """(White's king, Black's king) with White to move where no critical square is ever reached."""
    ours = {
        square
        for square in chess.SQUARES
        if board.piece_at(square) != chess.Piece(chess.PAWN, chess.WHITE)
        and not _by_pawn(board, chess.BLACK, square)
    }
    theirs = {
        square
        for square in chess.SQUARES
        if board.piece_at(square) != chess.Piece(chess.PAWN, chess.BLACK)
        and not _by_pawn(board, chess.WHITE, square)
    }
    origins = ours | {board.king(chess.WHITE)}
    # Every legal pair, until White has a way through.
    held = {(a, d) for a in origins - critical for d in theirs if d != a and d not in _ring(a)}
    moves = {square: [to for to in _ring(square) if to in ours] for square in origins}
    while True:
        lost = {
            (a, d)
            for a, d in held
            if any(
                to not in _ring(d) and all((to, reply) not in held for reply in _ring(d)) for to in moves[a]
            )
        }
        if not lost:
            return held
        held -= lost


def king_breaks_through(board: chess.Board) -> Iterator[str]:
    kinds = {piece.piece_type for piece in board.piece_map().values()}
    if not kinds <= {chess.PAWN, chess.KING}:
        return
    pawns = board.pieces(chess.PAWN, chess.BLACK)
    critical = {square for square in pawns if not _by_pawn(board, chess.BLACK, square)}
    if not critical:
        return
    held = _held(board, critical)
    ours, theirs = board.king(chess.WHITE), board.king(chess.BLACK)
    assert ours is not None
    assert theirs is not None
    replies = [theirs] if board.turn == chess.WHITE else list(_ring(theirs))
    if all((ours, reply) not in held for reply in replies):
        yield ""
