"""Oracles of would-be passed pawns, and who helps and hinders them."""

from collections.abc import Iterator

import chess

from .squares import Place
from .squares import attacked_by_pawn as _attacked_by_pawn
from .squares import pawns_of as _pawns_of
from .squares import rank_label as _rank_label
from .squares import square as _square


def _sentries(pawn: Place, theirs: list[Place]) -> list[Place]:
    return [other for other in theirs if abs(other[0] - pawn[0]) == 1 and other[1] > pawn[1]]


def _helpers(pawn: Place, ours: list[Place]) -> list[Place]:
    return [other for other in ours if abs(other[0] - pawn[0]) == 1 and other[1] <= pawn[1]]


def _is_open(pawn: Place, theirs: list[Place]) -> bool:
    return not any(other[0] == pawn[0] and other[1] > pawn[1] for other in theirs)


def _would_be_passed(board: chess.Board) -> list[Place]:
    ours, theirs = _pawns_of(board)
    return [pawn for pawn in ours if _is_open(pawn, theirs) and _sentries(pawn, theirs)]


def _candidates(board: chess.Board) -> list[Place]:
    ours, theirs = _pawns_of(board)
    return [p for p in _would_be_passed(board) if len(_helpers(p, ours)) >= len(_sentries(p, theirs))]


def _fakers_of(board: chess.Board) -> list[Place]:
    """Fakers, for the oracle of holes."""
    return [pawn for pawn in _would_be_passed(board) if pawn not in _candidates(board)]


def candidate_pawn(board: chess.Board) -> Iterator[str]:
    return map(_rank_label, _candidates(board))


def faker(board: chess.Board) -> Iterator[str]:
    return map(_rank_label, _fakers_of(board))


def candidate_pawn_without_passer(board: chess.Board) -> Iterator[str]:
    ours, theirs = _pawns_of(board)
    for pawn in _would_be_passed(board):
        helping = [h for h in _helpers(pawn, ours) if _sentries(h, theirs) or not _is_open(h, theirs)]
        if len(helping) >= len(_sentries(pawn, theirs)):
            yield _rank_label(pawn)


def _comes_up(helper: Place, candidate: Place, rank: int, board: chess.Board) -> bool:
    ours, theirs = _pawns_of(board)
    way = [(helper[0], ahead) for ahead in range(helper[1] + 1, rank + 1)]
    hindering = {t for t in theirs for at in way if abs(t[0] - at[0]) == 1 and t[1] == at[1] + 1}
    own = [other for other in _helpers(helper, ours) if other != candidate]
    return not any(at in theirs for at in way) and len(hindering) <= len(own)


def candidate_pawn_recursive(board: chess.Board) -> Iterator[str]:
    ours, theirs = _pawns_of(board)
    for pawn in _would_be_passed(board):
        sentries = _sentries(pawn, theirs)
        contact = max(rank for _, rank in sentries) - 2
        useful = [h for h in _helpers(pawn, ours) if _comes_up(h, pawn, contact, board)]
        if len(useful) >= len(sentries):
            yield _rank_label(pawn)


def _pawn_attacks_on(board: chess.Board, at: Place, colour: chess.Color) -> int:
    attackers = board.attackers(colour, _square(at))
    return sum(board.piece_type_at(each) == chess.PAWN for each in attackers)


def _outnumbered(board: chess.Board, at: Place) -> bool:
    return _pawn_attacks_on(board, at, chess.BLACK) > _pawn_attacks_on(board, at, chess.WHITE)


def candidate_pawn_by_path(board: chess.Board) -> Iterator[str]:
    for file, rank in _would_be_passed(board):
        if not any(_outnumbered(board, (file, ahead)) for ahead in range(rank + 1, 8)):
            yield _rank_label((file, rank))


def candidate_pawn_on_fifth(board: chess.Board) -> Iterator[str]:
    ours, theirs = _pawns_of(board)
    for file, rank in ours:
        stop = (file, rank + 1)
        contested = _attacked_by_pawn(board, stop, chess.BLACK) and not _outnumbered(board, stop)
        if rank == 4 and contested and _is_open((file, rank), theirs):
            yield ""


def _pushes(pawn: Place) -> int:
    """Moves to promote, the double step included."""
    return 5 if pawn[1] == 1 else 7 - pawn[1]


def _king_is_late(board: chess.Board, pawn: Place) -> bool:
    king = board.king(chess.BLACK)
    assert king is not None
    to_go = chess.square_distance(king, chess.square(pawn[0], 7))
    if board.turn == chess.WHITE:
        return to_go > _pushes(pawn)
    at = _square(pawn)
    can_take = chess.square_distance(king, at) == 1 and not board.is_attacked_by(chess.WHITE, at)
    return to_go > _pushes(pawn) + 1 and not can_take


def candidate_outside_king_square(board: chess.Board) -> Iterator[str]:
    return ("" for pawn in _candidates(board) if _king_is_late(board, pawn))


def _sneakers(board: chess.Board) -> list[Place]:
    ours, theirs = _pawns_of(board)
    return [
        (file, rank)
        for file, rank in ours
        if rank in (4, 5)
        and (file, rank + 1) in theirs
        and _attacked_by_pawn(board, (file, rank), chess.WHITE)
        and not {(file - 1, rank + 1), (file + 1, rank + 1)} & set(theirs)
        and not _sentries((file, rank), theirs)
    ]


def sneaker(board: chess.Board) -> Iterator[str]:
    return map(_rank_label, _sneakers(board))


def sneaker_winning_race(board: chess.Board) -> Iterator[str]:
    ours, _ = _pawns_of(board)
    bare = board.occupied_co[chess.BLACK] == (board.kings | board.pawns) & board.occupied_co[chess.BLACK]
    for file, rank in _sneakers(board):
        offers = [
            (side, rank)
            for side in (file - 1, file + 1)
            if (side, rank - 1) in ours and board.piece_at(chess.square(side, rank)) is None
        ]
        if rank == 5 and bare and offers and _king_is_late(board, (file, rank)):
            yield ""
