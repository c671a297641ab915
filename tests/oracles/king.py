"""Oracles of king safety."""

from collections.abc import Iterator

import chess

from .squares import Place
from .squares import file_label as _file_label
from .squares import inside as _inside
from .squares import pawns_of as _pawns_of
from .squares import place as _place
from .squares import places as _places
from .squares import rank_label as _rank_label


def _shield(board: chess.Board, ahead: int) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    for file, rank in _places(board, chess.KING, chess.WHITE):
        for pawn in ours:
            if pawn[1] == rank + ahead and abs(pawn[0] - file) <= 1:
                yield _file_label(pawn)


def king_pawn_shield(board: chess.Board) -> Iterator[str]:
    return _shield(board, 1)


def king_pawn_shield_advanced(board: chess.Board) -> Iterator[str]:
    return _shield(board, 2)


def _zone_of_their_king(board: chess.Board) -> set[Place]:
    file, rank = _places(board, chess.KING, chess.BLACK)[0]
    ring = {(file + east, rank + north) for east in (-1, 0, 1) for north in (-1, 0, 1)} - {(file, rank)}
    front = {(file + east, rank - 2) for east in (-1, 0, 1)}
    return {at for at in ring | front if _inside(at)}


_UNITS = {chess.KNIGHT: 2, chess.BISHOP: 2, chess.ROOK: 3, chess.QUEEN: 4}


def king_attack_units(board: chess.Board) -> Iterator[str]:
    zone = _zone_of_their_king(board)
    units = [
        weight * sum(_place(target) in zone for target in board.attacks(square))
        for kind, weight in _UNITS.items()
        for square in board.pieces(kind, chess.WHITE)
    ]
    attackers = sum(unit > 0 for unit in units)
    in_force = attackers >= 2 and board.pieces(chess.QUEEN, chess.WHITE)
    yield str(min(39, sum(units)) if in_force else 0)


def king_attack_table(board: chess.Board) -> Iterator[str]:
    zone = _zone_of_their_king(board)
    units = []
    for kind, weight in _UNITS.items():
        for square in board.pieces(kind, chess.WHITE):
            free = [target for target in board.attacks(square) if board.color_at(target) != chess.WHITE]
            units.append(weight * sum(_place(target) in zone for target in free))
    attackers = sum(unit > 0 for unit in units)
    in_force = attackers >= 2 and board.pieces(chess.QUEEN, chess.WHITE)
    yield str(min(99, sum(units)) if in_force else 0)


def _wing_of_king(board: chess.Board) -> range:
    file = _places(board, chess.KING, chess.WHITE)[0][0]
    return range(5, 8) if file > 4 else range(3) if file < 3 else range(0)


def king_shield_second_rank(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    return ("" for file in _wing_of_king(board) if (file, 1) in ours)


def king_shield_third_rank(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    return ("" for file in _wing_of_king(board) if (file, 2) in ours and (file, 1) not in ours)


def king_on_open_file(board: chess.Board) -> Iterator[str]:
    ours, theirs = _pawns_of(board)
    file = _places(board, chess.KING, chess.WHITE)[0][0]
    if all(pawn[0] != file for pawn in ours + theirs):
        yield ""


def king_on_half_open_file(board: chess.Board) -> Iterator[str]:
    ours, theirs = _pawns_of(board)
    file = _places(board, chess.KING, chess.WHITE)[0][0]
    if all(pawn[0] != file for pawn in ours) and any(pawn[0] == file for pawn in theirs):
        yield ""


def open_files_beside_king(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    file = _places(board, chess.KING, chess.WHITE)[0][0]
    for beside in (file - 1, file + 1):
        if 0 <= beside <= 7 and all(pawn[0] != beside for pawn in ours):
            yield ""


def storming_pawn(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    file, rank = _places(board, chess.KING, chess.BLACK)[0]
    return (_rank_label(pawn) for pawn in ours if abs(pawn[0] - file) <= 1 and pawn[1] <= rank)


def king_attackers(board: chess.Board) -> Iterator[str]:
    zone = _zone_of_their_king(board)
    pieces = [square for kind in _UNITS for square in board.pieces(kind, chess.WHITE)]
    attackers = sum(any(_place(target) in zone for target in board.attacks(square)) for square in pieces)
    yield str(min(attackers, 7))


def castling_right(board: chess.Board) -> Iterator[str]:
    king = board.king(chess.WHITE)
    assert king is not None
    for rook in chess.SquareSet(board.clean_castling_rights() & chess.BB_RANK_1):
        yield "king side" if rook > king else "queen side"


def castled(board: chess.Board) -> Iterator[str]:
    king = _places(board, chess.KING, chess.WHITE)[0]
    rooks = _places(board, chess.ROOK, chess.WHITE)
    if king in ((6, 0), (7, 0)) and (6, 0) not in rooks and (7, 0) not in rooks:
        yield "king side"
    if king in ((0, 0), (1, 0), (2, 0)) and (0, 0) not in rooks and (1, 0) not in rooks:
        yield "queen side"
