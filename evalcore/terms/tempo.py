"""The right to move."""

from ..bitboards import Bitboard
from ..side import Side
from ..term import WHOLE, term


@term(WHOLE, page="Tempo", concept="H1 I4")
def tempo(us: Side) -> Bitboard:
    """One for the side to move."""
    return us.to_move
