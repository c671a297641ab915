"""What a person asks of a set of positions: how many, from where, of which kind, labelled how."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.filters.base import board_keys
from evalcore.formats import Located
from evalcore.moves_rows import check_rows, quiet_rows
from evalcore.phase import Phase
from evalcore.positions import NO_GAME, PIECE_COLUMNS, Positions

from .losses import CrossEntropy
from .material import MaterialTable
from .scale import fit_k

PHASE = Phase()
CORNERS = np.uint64(0x8100_0000_0000_0081)
Labels = NDArray[np.float32]
MATERIALS = 50
"""Rows of the table of materials in a summary."""


@dataclass
class Info:
    """Counts over all blocks that `add` was given. Memory: 18 bytes a row."""

    rows: int = 0
    white_to_move: int = 0
    unknown: frozenset[str] = frozenset()
    chess960: int = 0
    in_check: int = 0
    quiet: int = 0
    results: dict[float, int] = field(default_factory=dict)
    phases: NDArray[np.int64] = field(default_factory=lambda: np.zeros(25, np.int64))
    men: NDArray[np.int64] = field(default_factory=lambda: np.zeros(33, np.int64))
    pieces: NDArray[np.int64] = field(default_factory=lambda: np.zeros(6, np.int64))
    material: MaterialTable = field(default_factory=MaterialTable)
    _keys: list[NDArray[np.uint64]] = field(default_factory=list)
    _games: list[NDArray[np.uint32]] = field(default_factory=list)
    _plies: list[NDArray[np.uint16]] = field(default_factory=list)
    _labels: list[Labels] = field(default_factory=list)
    _by_source: dict[str, list[Labels]] = field(default_factory=lambda: defaultdict(list))
    _by_engine: dict[str, list[Labels]] = field(default_factory=lambda: defaultdict(list))

    def add(self, located: Located) -> None:
        """One more block of positions."""
        block = located.positions
        self._count(block)
        self.material.add(block)
        self._keys.append(board_keys(block))
        self._games.append(np.unique(block.game))
        self._plies.append(block.ply)
        labels = np.stack([block.result, block.score], axis=1)
        self._labels.append(labels)
        self._by_source[located.source].append(labels)
        if (authors := located.authors) is not None:
            for author in np.unique(authors.rows[authors.rows >= 0]).tolist():
                self._by_engine[authors.names[author]].append(labels[authors.rows == author])

    def _count(self, block: Positions) -> None:
        """What is counted row by row."""
        self.rows += len(block)
        self.unknown |= block.unknown
        self.white_to_move += int(block.white_to_move.sum())
        self.chess960 += int(((block.castling_rights & ~CORNERS) != 0).sum())
        self.in_check += int(check_rows(block).sum())
        self.quiet += int(quiet_rows(block).sum())
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

    @property
    def labels(self) -> Labels:
        """(rows, 2): results and scores, NaN where unknown."""
        return np.concatenate(self._labels) if self._labels else np.zeros((0, 2), np.float32)

    @property
    def plies(self) -> NDArray[np.uint16]:
        """The ply of every row."""
        return np.concatenate(self._plies) if self._plies else np.zeros(0, np.uint16)

    def summary(self) -> dict[str, Any]:
        """All of it as one object for JSON."""
        games = np.unique(np.concatenate(self._games)) if self._games else np.zeros(0, np.uint32)
        labels, plies = self.labels, self.plies
        known = np.isfinite(labels)
        return {
            "positions": self.rows,
            "games": int((games != NO_GAME).sum()) or None,
            "white_to_move": None if "white_to_move" in self.unknown else self.white_to_move,
            "unknown_columns": sorted(self.unknown),
            "chess960": self.chess960,
            "in_check": self.in_check,
            "quiet": self.quiet,
            **self._repetitions(labels[:, 0]),
            "results": {
                "white wins": self.results.get(1.0, 0),
                "draws": self.results.get(0.5, 0),
                "black wins": self.results.get(0.0, 0),
                "other": sum(n for value, n in self.results.items() if value not in (0.0, 0.5, 1.0)),
                "unknown": int((~known[:, 0]).sum()),
            },
            "scores": int(known[:, 1].sum()),
            "score_k": k_of(labels),
            "k_by_source": ks_of(self._by_source),
            "k_by_engine": ks_of(self._by_engine),
            "ply": {"least": int(plies.min()), "most": int(plies.max())} if plies.any() else None,
            "men": {str(n): int(count) for n, count in enumerate(self.men) if count},
            "phase": self.phases.tolist(),
            "material": self.material.most_frequent(MATERIALS),
            "pieces_per_position": {
                name: round(int(count) / max(self.rows, 1), 3)
                for name, count in zip(PIECE_COLUMNS, self.pieces, strict=True)
            },
        }

    def _repetitions(self, results: NDArray[np.float32]) -> dict[str, int]:
        """Rows beyond the first of each board, and boards whose known results differ."""
        if not self.rows:
            return {"duplicates": 0, "conflicting": 0}
        keys = np.concatenate(self._keys)
        order = np.argsort(keys)
        starts = np.flatnonzero(np.append(True, np.diff(keys[order]) != 0))
        least = np.fmin.reduceat(results[order], starts)
        most = np.fmax.reduceat(results[order], starts)
        return {"duplicates": self.rows - len(starts), "conflicting": int((least < most).sum())}


def ks_of(groups: dict[str, list[Labels]]) -> list[dict[str, Any]]:
    """Name, number of rows with result and score, and K of each group that has scores."""
    found = []
    for name, parts in groups.items():
        labels = np.concatenate(parts)
        count = int(np.isfinite(labels).all(axis=1).sum())
        if count:
            found.append({"name": name, "positions": count, "k": k_of(labels)})
    return sorted(found, key=lambda each: -each["positions"])


def k_of(labels: Labels) -> float | None:
    """K of the scores against the results, None where there is nothing to fit it to."""
    from evalcore.errors import InputError

    labels = labels[np.isfinite(labels).all(axis=1)]
    if not len(labels) or np.ptp(labels[:, 0]) == 0:
        return None
    try:
        return round(fit_k(labels[:, 1].astype(float), labels[:, 0].astype(float), CrossEntropy()), 4)
    except InputError:
        return None


def look_at(blocks: Iterable[Located]) -> Info:
    """All counts over a set of positions."""
    info = Info()
    for block in blocks:
        info.add(block)
    return info
