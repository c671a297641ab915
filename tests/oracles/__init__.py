"""What every term should count, square by square, with python-chess and nothing of ours.

An oracle module holds one public function a term, of the same name: it takes a board on which "we" are
White and yields the label of each count, "" for a term of one column. Black's view is White's on the
board python-chess has mirrored.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from types import ModuleType

import chess

from . import (
    backward,
    bishops,
    candidates,
    center,
    chains,
    connectivity,
    corresponding,
    cpw,
    development,
    doubled,
    endgame,
    exchanges,
    holes,
    imbalance,
    islands,
    isolated,
    king,
    legal_moves,
    majorities,
    material,
    mobility,
    passed,
    passers,
    pawns,
    pieces,
    psqt,
    rooks,
    rows,
    safety,
    tension,
    trapped,
    tropism,
)

Oracle = Callable[[chess.Board, chess.Color], Counter[str]]
WhiteOracle = Callable[[chess.Board], Iterable[str]]

THEMES: tuple[ModuleType, ...] = (
    material,
    psqt,
    pawns,
    backward,
    candidates,
    chains,
    doubled,
    exchanges,
    holes,
    islands,
    isolated,
    majorities,
    passed,
    passers,
    rows,
    tension,
    mobility,
    pieces,
    king,
    imbalance,
    development,
    trapped,
    bishops,
    center,
    connectivity,
    corresponding,
    endgame,
    rooks,
    safety,
    tropism,
    cpw,
    legal_moves,
)


def for_both_colours(count: WhiteOracle) -> Oracle:
    """The oracle of either side: label -> count from that side's view."""

    def oracle(board: chess.Board, colour: chess.Color) -> Counter[str]:
        return Counter(count(board if colour else board.mirror()))

    return oracle


def oracles_of(module: ModuleType) -> dict[str, Oracle]:
    """The public functions a module defines itself."""
    return {
        name: for_both_colours(item)
        for name, item in vars(module).items()
        if callable(item) and not name.startswith("_") and getattr(item, "__module__", "") == module.__name__
    }


ORACLES: dict[str, Oracle] = {
    name: oracle for module in THEMES for name, oracle in oracles_of(module).items()
}
"""Term name -> oracle."""
