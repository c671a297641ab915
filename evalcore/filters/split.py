"""Splits a stream of positions in two by game, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..positions import Positions
from .base import chances, group_keys


def split_by_game(
    blocks: Iterable[Positions], share: float, *, seed: int = 1
) -> Iterator[tuple[Positions, Positions]]:
    """Pairs (rest, chosen): about `share` of the games is chosen, whole, wherever their rows stand.

    Rows without a game go by their board, so that a repeated position is never on both sides.
    """
    for block in blocks:
        chosen = chances(group_keys(block), seed) < share
        yield block.select(~chosen), block.select(chosen)
