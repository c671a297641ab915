"""Oracles of bishops and the colours of squares."""

from collections.abc import Iterator

import chess

from .squares import Place
from .squares import inside as _inside
from .squares import pawns_of as _pawns_of
from .squares import places as _places
from .squares import square as _square

_WHITE, _BLACK = chess.WHITE, chess.BLACK


def _shade(at: Place) -> int:
    """0 for a dark square (a1), 1 for a light one."""
    return (at[0] + at[1]) % 2


def _bishops(board: chess.Board, colour: chess.Color) -> list[Place]:
    return _places(board, chess.BISHOP, colour)


def bishop_own_pawns_on_color(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    for bishop in _bishops(board, _WHITE):
        yield str(sum(_shade(pawn) == _shade(bishop) for pawn in ours))


def bishop_rammed_pawns_on_color(board: chess.Board) -> Iterator[str]:
    ours, theirs = _pawns_of(board)
    rammed = [pawn for pawn in ours if (pawn[0], pawn[1] + 1) in theirs]
    for bishop in _bishops(board, _WHITE):
        yield str(sum(_shade(pawn) == _shade(bishop) for pawn in rammed))


def bishop_own_pawns_ahead(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    for bishop in _bishops(board, _WHITE):
        ahead = [p for p in ours if _shade(p) == _shade(bishop) and abs(p[0] - bishop[0]) <= p[1] - bishop[1]]
        yield str(len(ahead))


def bishop_without_forward_move(board: chess.Board) -> Iterator[str]:
    for file, rank in _bishops(board, _WHITE):
        ahead = [(file + east, rank + 1) for east in (-1, 1) if _inside((file + east, rank + 1))]
        if ahead and all(board.color_at(_square(at)) == _WHITE for at in ahead):
            yield ""


def bad_bishop_in_blocked_centre(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    blocked = [p for p in ours if 2 <= p[0] <= 5 and board.piece_at(_square((p[0], p[1] + 1)))]
    units = sum(_shade(bishop) == _shade(pawn) for bishop in _bishops(board, _WHITE) for pawn in ours)
    return ("" for _ in range(min(127, units * len(blocked))))


def color_weakness(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    missing = {0, 1} - {_shade(bishop) for bishop in _bishops(board, _WHITE)}
    return ("" for shade in missing for pawn in ours if _shade(pawn) != shade)


def color_weakness_to_bishop(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    missing = {0, 1} - {_shade(bishop) for bishop in _bishops(board, _WHITE)}
    missing &= {_shade(bishop) for bishop in _bishops(board, _BLACK)}
    return ("" for shade in missing for pawn in ours if _shade(pawn) != shade)


def fianchetto(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    for bishop in _bishops(board, _WHITE):
        if bishop in ((1, 1), (6, 1)) and (bishop[0], 2) in ours:
            yield ""


def _gone(board: chess.Board) -> Iterator[int]:
    """The file (b or g) of each fianchetto whose bishop is gone."""
    ours, _ = _pawns_of(board)
    shades = {_shade(bishop) for bishop in _bishops(board, _WHITE)}
    for file in (1, 6):
        pawns = {(file - 1, 1), (file, 2), (file + 1, 1)}
        if pawns <= set(ours) and _shade((file, 1)) not in shades:
            yield file


def fianchetto_gone(board: chess.Board) -> Iterator[str]:
    return ("" for _ in _gone(board))


def fianchetto_gone_at_king(board: chess.Board) -> Iterator[str]:
    king = _places(board, chess.KING, _WHITE)[0]
    for file in _gone(board):
        behind = abs(king[0] - file) <= 1 and king[1] <= 1
        if behind and _shade((file, 1)) in {_shade(bishop) for bishop in _bishops(board, _BLACK)}:
            yield ""


def _bishop_for_knight(board: chess.Board) -> bool:
    def more(kind: chess.PieceType) -> int:
        return len(board.pieces(kind, _WHITE)) - len(board.pieces(kind, _BLACK))

    return more(chess.BISHOP) == 1 and more(chess.KNIGHT) == -1


def bishop_for_knight_by_pawns(board: chess.Board) -> Iterator[str]:
    if _bishop_for_knight(board):
        yield str(len(_pawns_of(board)[0]))


def bishop_for_knight_by_rams(board: chess.Board) -> Iterator[str]:
    ours, theirs = _pawns_of(board)
    if _bishop_for_knight(board):
        yield str(sum((file, rank + 1) in theirs for file, rank in ours))


def bishop_for_knight_on_both_wings(board: chess.Board) -> Iterator[str]:
    files = {file for pawns in _pawns_of(board) for file, _ in pawns}
    if _bishop_for_knight(board) and files & {0, 1, 2} and files & {5, 6, 7}:
        yield ""


def pawn_on_enemy_bishops_color(board: chess.Board) -> Iterator[str]:
    shades = {_shade(bishop) for bishop in _bishops(board, _BLACK)}
    if len(shades) == 1:
        yield from ("" for pawn in _pawns_of(board)[0] if _shade(pawn) in shades)


def blockader_beyond_bishop(board: chess.Board) -> Iterator[str]:
    ours, theirs = _pawns_of(board)
    shades = {_shade(bishop) for bishop in _bishops(board, _BLACK)}
    for file, rank in theirs:
        passed = not any(abs(p[0] - file) <= 1 and p[1] < rank for p in ours)
        man = board.piece_at(_square((file, rank - 1)))
        blocked = man is not None and man.color and man.piece_type in (chess.KNIGHT, chess.KING)
        if passed and blocked and len(shades) == 1 and _shade((file, rank - 1)) not in shades:
            yield ""
