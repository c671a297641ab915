"""Steps that look at one row at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from ..bitboards import DARK_SQUARES
from ..positions import NO_GAME, PIECE_COLUMNS, Positions
from .base import Mask, Tally, board_keys, chances, group_keys, keep, mixed
from .checks import check_choice, check_least, check_positive, check_share, check_window
from .games import whole_games

FEW_MEN = ("pawns", "rooks", "queens")
"""With one of these on the board a side can win."""


@dataclass(frozen=True)
class Quiet:
    """Leaves out positions in check and those where a capture or promotion wins material by exchanges."""

    def run(self, blocks: Iterable[Positions], tally: Tally) -> Iterator[Positions]:
        """See `Step`."""
        from ..moves_rows import check_rows, quiet_rows

        for block in blocks:
            in_check = check_rows(block)
            yield keep(block, [("in check", in_check), ("not quiet", ~quiet_rows(block))], tally)


@dataclass(frozen=True)
class NotInCheck:
    """Leaves out positions with the side to move in check."""

    def run(self, blocks: Iterable[Positions], tally: Tally) -> Iterator[Positions]:
        """See `Step`."""
        from ..moves_rows import check_rows

        for block in blocks:
            yield keep(block, [("in check", check_rows(block))], tally)


@dataclass(frozen=True)
class NotOver:
    """Leaves out mates, stalemates and boards on which nobody can win.

    Those whose result says something else count as contradictions.
    """

    def run(self, blocks: Iterable[Positions], tally: Tally) -> Iterator[Positions]:
        """See `Step`."""
        from ..moves_rows import check_rows, over_rows

        for block in blocks:
            over, dead = over_rows(block), insufficient_material(block)
            mated = over & check_rows(block)
            won_by_mate = np.where(block.white_to_move, np.float32(0), np.float32(1))
            expected = np.where(mated, won_by_mate, np.float32(0.5))
            wrong = (over | dead) & ~np.isnan(block.result) & (block.result != expected)
            reasons = [
                ("a result the board contradicts", wrong),
                ("checkmate", mated),
                ("stalemate", over),
                ("insufficient material", dead),
            ]
            yield keep(block, reasons, tally)


def insufficient_material(positions: Positions) -> Mask:
    """Bare kings, one minor piece, or bishops on squares of one colour only: no mate is possible."""
    heavy = np.zeros(len(positions), np.uint64)
    for name in FEW_MEN:
        heavy |= getattr(positions, name)
    knights, bishops = positions.knights, positions.bishops
    minors = np.bitwise_count(knights | bishops)
    dark = bishops & np.uint64(DARK_SQUARES)
    one_colour = (knights == 0) & ((dark == 0) | (dark == bishops))
    return np.asarray((heavy == 0) & ((minors <= 1) | one_colour))


@dataclass(frozen=True)
class PlyWindow:
    """Keeps plies from `least` to `most`; `unknown` says what becomes of rows whose ply is not known.

    Those are rows of ply 0, but for the first position of a game that has later ones. Rows of a game must
    follow each other.
    """

    least: int = 0
    most: int = 65535
    unknown: str = "keep"

    def __post_init__(self) -> None:
        check_window(self.least, self.most)
        check_choice("unknown", self.unknown, ("keep", "drop"))

    def run(self, blocks: Iterable[Positions], tally: Tally) -> Iterator[Positions]:
        """See `Step`."""
        for block in whole_games(blocks):
            unknown = plies_unknown(block) & (self.unknown == "keep")
            tally.note("kept without a known ply", int(unknown.sum()))
            early, late = (block.ply < self.least) & ~unknown, block.ply > self.most
            yield keep(block, [(f"ply below {self.least}", early), (f"ply above {self.most}", late)], tally)


def plies_unknown(block: Positions) -> Mask:
    """Rows of ply 0 of no game, or of a game without any other ply."""
    counted = np.unique(block.game[(block.ply > 0) & (block.game != NO_GAME)])
    return np.asarray((block.ply == 0) & ~np.isin(block.game, counted))


@dataclass(frozen=True)
class ScoreWindow:
    """Keeps scores up to `most` centipawns for either side; `unknown` is "keep" or "drop"."""

    most: float
    unknown: str = "keep"

    def __post_init__(self) -> None:
        check_least("most", self.most, 0)
        check_choice("unknown", self.unknown, ("keep", "drop"))

    def run(self, blocks: Iterable[Positions], tally: Tally) -> Iterator[Positions]:
        """See `Step`."""
        for block in blocks:
            missing = np.isnan(block.score)
            if self.unknown == "keep":
                tally.note("kept without a score", int(missing.sum()))
                missing[:] = False
            beyond = np.abs(block.score) > self.most
            yield keep(block, [("no score", missing), (f"score beyond {self.most:g}", beyond)], tally)


@dataclass(frozen=True)
class Labelled:
    """Leaves out rows without a result, without a score (mates have none), or without either."""

    need: tuple[str, ...] = ("result",)

    def __post_init__(self) -> None:
        for name in self.need:
            check_choice("need", name, ("result", "score"))

    def run(self, blocks: Iterable[Positions], tally: Tally) -> Iterator[Positions]:
        """See `Step`."""
        for block in blocks:
            yield keep(block, [(f"no {name}", np.isnan(getattr(block, name))) for name in self.need], tally)


@dataclass(frozen=True)
class Pieces:
    """Keeps positions with `least` to `most` men on the board, kings and pawns included."""

    least: int = 2
    most: int = 32

    def __post_init__(self) -> None:
        check_window(self.least, self.most)

    def run(self, blocks: Iterable[Positions], tally: Tally) -> Iterator[Positions]:
        """See `Step`."""
        for block in blocks:
            men = np.zeros(len(block), np.int64)
            for name in PIECE_COLUMNS:
                men += np.bitwise_count(getattr(block, name))
            reasons = [
                (f"fewer than {self.least} men", men < self.least),
                (f"more than {self.most} men", men > self.most),
            ]
            yield keep(block, reasons, tally)


@dataclass(frozen=True)
class Outliers:
    """Leaves out rows whose score and result are further apart than `most`, as probabilities.

    The score becomes `1/(1+10^(-k·score/400))`; with `most` 0.95 a game must be lost from +5 pawns or so.
    """

    most: float = 0.95
    k: float = 1.0

    def __post_init__(self) -> None:
        check_share("most", self.most)
        check_positive("k", self.k)

    def run(self, blocks: Iterable[Positions], tally: Tally) -> Iterator[Positions]:
        """See `Step`."""
        for block in blocks:
            tally.note("kept without score and result", int(np.isnan(block.score + block.result).sum()))
            expected = 1 / (1 + 10 ** (-self.k * block.score.astype(np.float64) / 400))
            yield keep(block, [("score against result", np.abs(expected - block.result) > self.most)], tally)


@dataclass(frozen=True)
class Sample:
    """Keeps about `share` of the positions, chosen by `seed`: whole games, or single positions."""

    share: float
    by: str = "position"
    seed: int = 1

    def __post_init__(self) -> None:
        check_share("share", self.share)
        check_choice("by", self.by, ("position", "game"))

    def run(self, blocks: Iterable[Positions], tally: Tally) -> Iterator[Positions]:
        """See `Step`."""
        for block in blocks:
            keys = group_keys(block)
            if self.by == "position":
                # The game stays part of the key: a position of many games is not in or out in all of them.
                keys = keys ^ mixed(board_keys(block) ^ block.ply)
            yield keep(block, [("not in the sample", chances(keys, self.seed) >= self.share)], tally)
