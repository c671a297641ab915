"""Oracle of the protectors of a man."""

from collections.abc import Iterator

import chess

_ORDER = "PBNRKQ"


def _protectors(board: chess.Board, square: chess.Square) -> str:
    """Letters of all own men that protect a square, sliders also through sliders of their line."""
    letters = []
    for line, kinds in (
        ("straight", (chess.ROOK, chess.QUEEN)),
        ("diagonal", (chess.BISHOP, chess.QUEEN)),
    ):
        seen = board.copy(stack=False)
        for kind in kinds:
            for other in board.pieces(kind, chess.WHITE):
                if other != square:
                    seen.remove_piece_at(other)
        probe = chess.Piece(chess.ROOK if line == "straight" else chess.BISHOP, chess.WHITE)
        seen.set_piece_at(square, probe)
        for other in seen.attacks(square):
            if (
                other != square
                and board.color_at(other) == chess.WHITE
                and board.piece_type_at(other) in kinds
            ):
                letters.append(board.piece_at(other).symbol())
    for other in board.attackers(chess.WHITE, square):
        if board.piece_type_at(other) in (chess.PAWN, chess.KNIGHT, chess.KING):
            letters.append(board.piece_at(other).symbol())
    return "".join(sorted(letters, key=_ORDER.index))


def _by_protectors(board: chess.Board, kind: chess.PieceType, numbers: tuple[int, ...]) -> Iterator[str]:
    for square in board.pieces(kind, chess.WHITE):
        found = _protectors(board, square)[:3]
        if len(found) in numbers:
            yield found


def protected_man(board: chess.Board) -> Iterator[str]:
    return _by_protectors(board, chess.PAWN, (1, 2))
