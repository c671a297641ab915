"""What a person asks of a set of positions: how many, from where, of which kind, labelled how."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.evaluation import Phase
from evalcore.filters.base import board_keys
from evalcore.positions import NO_GAME, PIECE_COLUMNS, Positions

from .losses import CrossEntropy
from .scale import fit_k

PHASE = Phase()


@dataclass
class Info:
    """Counts over all blocks that `add` was given. Memory: 8 bytes a row, plus the labels."""

    rows: int = 0
    white_to_move: int = 0
    chess960: int = 0
    results: dict[float, int] = field(default_factory=dict)
    phases: NDArray[np.int64] = field(default_factory=lambda: np.zeros(25, np.int64))
    men: NDArray[np.int64] = field(default_factory=lambda: np.zeros(33, np.int64))
    pieces: NDArray[np.int64] = field(default_factory=lambda: np.zeros(6, np.int64))
    _keys: list[NDArray[np.uint64]] = field(default_factory=list)
    _games: list[NDArray[np.uint32]] = field(default_factory=list)
    _plies: list[NDArray[np.uint16]] = field(default_factory=list)
    _labels: list[NDArray[np.float32]] = field(default_factory=list)

    def add(self, block: Positions) -> None:
        """One more block of positions."""
        self.rows += len(block)
        self.white_to_move += int(block.white_to_move.sum())
        self.chess960 += int(((block.castling_rights & ~np.uint64(0x8100_0000_0000_0081)) != 0).sum())
        values, counts = np.unique(block.result[np.isfinite(block.result)], return_counts=True)
        for value, count in zip(values.tolist(), counts.tolist(), strict=True):
            self.results[value] = self.results.get(value, 0) + count
        self.phases += np.bincount(PHASE.of(block).astype(int), minlength=25)
        occupied = np.zeros(len(block), np.uint64)
        for piece, name in enumerate(PIECE_COLUMNS):
            squares = getattr(block, name)
            occupied |= squares
            self.pieces[piece] += int(np.bitwise_count(squares).sum())
        self.men += np.bincount(np.bitwise_count(occupied), minlength=33)
        self._keys.append(board_keys(block))
        self._games.append(np.unique(block.game))
        self._plies.append(block.ply)
        self._labels.append(np.stack([block.result, block.score], axis=1))

    def summary(self) -> dict[str, Any]:
        """All of it as one object for JSON."""
        games = np.unique(np.concatenate(self._games)) if self._games else np.zeros(0, np.uint32)
        labels = np.concatenate(self._labels) if self._labels else np.zeros((0, 2), np.float32)
        known = np.isfinite(labels)
        keys = np.concatenate(self._keys) if self._keys else np.zeros(0, np.uint64)
        plies = np.concatenate(self._plies) if self._plies else np.zeros(0, np.uint16)
        return {
            "positions": self.rows,
            "games": int((games != NO_GAME).sum()) or None,
            "white_to_move": self.white_to_move,
            "chess960": self.chess960,
            "duplicates": self.rows - len(np.unique(keys)),
            "results": {
                "white wins": self.results.get(1.0, 0),
                "draws": self.results.get(0.5, 0),
                "black wins": self.results.get(0.0, 0),
                "other": sum(n for value, n in self.results.items() if value not in (0.0, 0.5, 1.0)),
                "unknown": int((~known[:, 0]).sum()),
            },
            "scores": int(known[:, 1].sum()),
            "score_k": _score_k(labels[known.all(axis=1)]),
            "ply": {"least": int(plies.min()), "most": int(plies.max())} if plies.any() else None,
            "men": {str(n): int(count) for n, count in enumerate(self.men) if count},
            "phase": self.phases.tolist(),
            "pieces_per_position": {
                name: round(int(count) / max(self.rows, 1), 3)
                for name, count in zip(PIECE_COLUMNS, self.pieces, strict=True)
            },
        }


def _score_k(labels: NDArray[np.float32]) -> float | None:
    """K of the scores against the results, None where there is nothing to fit it to."""
    from evalcore.errors import InputError

    if not len(labels) or np.ptp(labels[:, 0]) == 0:
        return None
    try:
        return round(fit_k(labels[:, 1].astype(float), labels[:, 0].astype(float), CrossEntropy()), 4)
    except InputError:
        return None


def describe(blocks: Iterable[Positions]) -> dict[str, Any]:
    """The summary of a set of positions."""
    info = Info()
    for block in blocks:
        info.add(block)
    return info.summary()
