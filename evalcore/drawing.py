"""Boards as text and as pictures, with the squares of a term marked."""

from __future__ import annotations

from dataclasses import dataclass

from .bitboards import flip
from .positions import Positions
from .side import Side, sides
from .term import COUNT, PIECE, PIECES, Term

MARKED = "#ffd75f", "#87afff"
"""Colours of White's and of Black's squares in pictures."""


@dataclass(frozen=True)
class Marks:
    """What a term counts in one position: a set of squares of each side (absolute), and each side's number.

    For a piece rule the squares are those of all pieces together, and the number is their sum. A count rule
    marks nothing.
    """

    white: int
    black: int
    white_number: int
    black_number: int


def marks(term: Term, positions: Positions, row: int = 0) -> Marks:
    """What the Python body of the rule says for both sides of one row."""
    white, black = sides(positions, row)
    (white_squares, white_number), (black_squares, black_number) = _count(term, white), _count(term, black)
    return Marks(white_squares, flip(black_squares), white_number, black_number)


def _count(term: Term, us: Side) -> tuple[int, int]:
    """(squares, number) of one side, as it sees them."""
    if term.kind == COUNT:
        return 0, term.rule(us)
    if term.kind != PIECE:
        squares = term.rule(us)
        return squares, squares.bit_count()
    found = [term.rule(us, square) for square in range(64) if us[PIECES.index(term.each)] >> square & 1]
    union = 0
    for squares in found:
        union |= squares
    return union, sum(squares.bit_count() for squares in found)


def text_board(positions: Positions, row: int, marked: int = 0) -> str:
    """The board with rank 8 on top; `*` after a man or in place of the dot marks a square."""
    board = positions.board(row)
    lines = []
    for rank in reversed(range(8)):
        cells = []
        for square in range(8 * rank, 8 * rank + 8):
            piece = board.piece_at(square)
            mark = "*" if marked >> square & 1 else " "
            cells.append(f"{piece.symbol()}{mark}" if piece else f"{mark.replace(' ', '.')} ")
        lines.append(f"{rank + 1}  " + " ".join(cells).rstrip())
    lines.append("   " + "  ".join("abcdefgh"))
    return "\n".join(lines)


def svg_board(positions: Positions, row: int, found: Marks) -> str:
    """The board as SVG; White's squares yellow, Black's blue."""
    import chess
    import chess.svg

    fill = {
        square: colour
        for squares, colour in zip((found.white, found.black), MARKED, strict=True)
        for square in range(64)
        if squares >> square & 1
    }
    return chess.svg.board(positions.board(row), fill=fill, size=400)


def best_example(term: Term, positions: Positions) -> tuple[int, Marks] | None:
    """The row where the term says something about White with the fewest squares; None where it never does."""
    best: tuple[int, Marks] | None = None
    for row in range(len(positions)):
        found = marks(term, positions, row)
        if not found.white_number:
            continue
        if best is None or 0 < found.white.bit_count() < best[1].white.bit_count():
            best = row, found
    return best
