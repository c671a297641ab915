"""Oracles of kings in the endgame."""

from collections.abc import Iterator

import chess

_WHITE, _BLACK = chess.WHITE, chess.BLACK
_CENTRE = (chess.D4, chess.E4, chess.D5, chess.E5)
_POINTS = {chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}


def _kings(board: chess.Board) -> tuple[chess.Square, chess.Square]:
    ours, theirs = board.king(_WHITE), board.king(_BLACK)
    assert ours is not None
    assert theirs is not None
    return ours, theirs


def _manhattan(one: chess.Square, other: chess.Square) -> int:
    return chess.square_manhattan_distance(one, other)


def king_center_distance(board: chess.Board) -> Iterator[str]:
    king, _ = _kings(board)
    yield f"distance {min(chess.square_distance(king, square) for square in _CENTRE)}"


def king_center_manhattan_distance(board: chess.Board) -> Iterator[str]:
    king, _ = _kings(board)
    yield f"distance {min(_manhattan(king, square) for square in _CENTRE)}"


def _is_mopping_up(board: chess.Board) -> bool:
    ours, theirs = (
        sum(points * len(board.pieces(kind, colour)) for kind, points in _POINTS.items())
        for colour in (_WHITE, _BLACK)
    )
    return not board.pieces(chess.PAWN, _BLACK) and ours - theirs >= 5


def mop_up_to_edge(board: chess.Board) -> Iterator[str]:
    if _is_mopping_up(board):
        _, king = _kings(board)
        yield from [""] * min(_manhattan(king, square) for square in _CENTRE)


def mop_up_kings_close(board: chess.Board) -> Iterator[str]:
    if _is_mopping_up(board):
        yield from [""] * (14 - _manhattan(*_kings(board)))


def bishops_corner(board: chess.Board) -> Iterator[str]:
    men = sorted(piece.symbol() for piece in board.piece_map().values())
    if men == ["B", "K", "N", "k"]:
        _, king = _kings(board)
        light = chess.BB_SQUARES[next(iter(board.pieces(chess.BISHOP, _WHITE)))] & chess.BB_LIGHT_SQUARES
        corners = (chess.H1, chess.A8) if light else (chess.A1, chess.H8)
        yield from [""] * (7 - min(chess.square_distance(king, corner) for corner in corners))


def king_on_wing_without_pawns(board: chess.Board) -> Iterator[str]:
    king, _ = _kings(board)
    halves = {
        chess.square_file(s) // 4 for colour in (_WHITE, _BLACK) for s in board.pieces(chess.PAWN, colour)
    }
    if halves and chess.square_file(king) // 4 not in halves:
        yield ""


def opposition(board: chess.Board) -> Iterator[str]:
    kinds = {piece.piece_type for piece in board.piece_map().values()}
    if board.turn == _WHITE or not kinds <= {chess.PAWN, chess.KING}:
        return
    ours, theirs = _kings(board)
    files = abs(chess.square_file(ours) - chess.square_file(theirs))
    ranks = abs(chess.square_rank(ours) - chess.square_rank(theirs))
    apart = tuple(sorted((files, ranks)))
    labels = {(0, 2): "direct", (2, 2): "diagonal", (0, 4): "distant", (0, 6): "distant"}
    if apart in labels:
        yield labels[apart]
