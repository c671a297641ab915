"""Oracles of pieces that are shut in."""

from collections.abc import Iterator

import chess

_PAWN, _KNIGHT, _BISHOP, _ROOK, _KING = chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.KING


def _ours(board: chess.Board, kind: chess.PieceType, name: str) -> bool:
    return board.piece_at(chess.parse_square(name)) == chess.Piece(kind, chess.WHITE)


def _their_pawn(board: chess.Board, name: str) -> bool:
    return board.piece_at(chess.parse_square(name)) == chess.Piece(_PAWN, chess.BLACK)


def knight_trapped_in_corner(board: chess.Board) -> Iterator[str]:
    for corner, one, other in (("a8", "a7", "c7"), ("h8", "h7", "f7")):
        if _ours(board, _KNIGHT, corner) and (_their_pawn(board, one) or _their_pawn(board, other)):
            yield ""


def knight_trapped_on_seventh(board: chess.Board) -> Iterator[str]:
    for at, one, other in (("a7", "a6", "b7"), ("h7", "h6", "g7")):
        if _ours(board, _KNIGHT, at) and _their_pawn(board, one) and _their_pawn(board, other):
            yield ""


def bishop_trapped_on_seventh(board: chess.Board) -> Iterator[str]:
    for at, pawn in (("a7", "b6"), ("h7", "g6"), ("b8", "c7"), ("g8", "f7")):
        if _ours(board, _BISHOP, at) and _their_pawn(board, pawn):
            yield ""


def bishop_trapped_on_sixth(board: chess.Board) -> Iterator[str]:
    for at, pawn in (("a6", "b5"), ("h6", "g5")):
        if _ours(board, _BISHOP, at) and _their_pawn(board, pawn):
            yield ""


def knight_blocks_c_pawn(board: chess.Board) -> Iterator[str]:
    blocks = _ours(board, _KNIGHT, "c3") and _ours(board, _PAWN, "c2") and _ours(board, _PAWN, "d4")
    if blocks and not _ours(board, _PAWN, "e4"):
        yield ""


def blocked_pawn(board: chess.Board) -> Iterator[str]:
    for pawn in board.pieces(_PAWN, chess.WHITE):
        if board.piece_at(pawn + 8) is not None:
            yield ""


def blocked_central_pawn(board: chess.Board) -> Iterator[str]:
    for bishop, pawn, before in (("c1", "d2", "d3"), ("f1", "e2", "e3")):
        occupied = board.piece_at(chess.parse_square(before)) is not None
        if _ours(board, _BISHOP, bishop) and _ours(board, _PAWN, pawn) and occupied:
            yield ""


def king_blocks_rook(board: chess.Board) -> Iterator[str]:
    for kings, rooks in ((("f1", "g1"), ("g1", "h1")), (("c1", "b1"), ("a1", "b1"))):
        king = any(_ours(board, _KING, name) for name in kings)
        if king and any(_ours(board, _ROOK, name) for name in rooks):
            yield ""
