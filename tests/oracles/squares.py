"""Words the oracles share: squares as (file, rank) pairs from 0, seen by White."""

from collections.abc import Iterable, Iterator

import chess

Place = tuple[int, int]


def place(square: chess.Square) -> Place:
    """(file, rank) of a square."""
    return chess.square_file(square), chess.square_rank(square)


def square(at: Place) -> chess.Square:
    """The square at (file, rank)."""
    return chess.square(*at)


def inside(at: Place) -> bool:
    """Whether (file, rank) is on the board."""
    return 0 <= at[0] < 8 and 0 <= at[1] < 8


def places(board: chess.Board, kind: chess.PieceType, colour: chess.Color) -> list[Place]:
    """Where the men of one kind and colour stand, in the order of the squares."""
    return [place(each) for each in chess.SQUARES if board.piece_at(each) == chess.Piece(kind, colour)]


def pawns_of(board: chess.Board) -> tuple[list[Place], list[Place]]:
    """White's and Black's pawns."""
    return places(board, chess.PAWN, chess.WHITE), places(board, chess.PAWN, chess.BLACK)


def attacked_by_pawn(board: chess.Board, at: Place, colour: chess.Color) -> bool:
    """Whether a pawn of this colour attacks the square."""
    return any(board.piece_type_at(each) == chess.PAWN for each in board.attackers(colour, square(at)))


def adjacent(one: Place, other: Place) -> bool:
    """Whether two squares are on adjacent files."""
    return abs(one[0] - other[0]) == 1


def file_label(at: Place) -> str:
    """`file a/h`: files that mirror each other share a label."""
    file = min(at[0], 7 - at[0])
    return f"file {'abcd'[file]}/{'hgfe'[file]}"


def rank_label(at: Place) -> str:
    """`rank 5`."""
    return f"rank {at[1] + 1}"


def rank_labels(found: Iterable[Place]) -> Iterator[str]:
    """The rank labels of several squares."""
    return map(rank_label, found)


def whole(found: Iterable[Place]) -> Iterator[str]:
    """One empty label for each square."""
    return ("" for _ in found)
