"""Positions: many chess positions and their labels as equally long columns.

Names are python-chess's. Bitboards are absolute (a1 = bit 0), whoever is to move. Labels are from
White's point of view; readers convert, nobody else does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as exchanged
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import chess
    import pandas as pd

NO_GAME = np.uint32(0xFFFF_FFFF)
"""Value of `game` where the source had no game ids."""

PIECE_COLUMNS = ("pawns", "knights", "bishops", "rooks", "queens", "kings")
BOARD_COLUMNS: Mapping[str, tuple[type, Any]] = {
    **dict.fromkeys((*PIECE_COLUMNS, "white"), (np.uint64, 0)),
    "white_to_move": (np.bool_, True),
    "castling_rights": (np.uint64, 0),
    "ep_square": (np.int8, -1),
    "halfmove_clock": (np.uint16, 0),
    "fullmove_number": (np.uint16, 1),
}
LABEL_COLUMNS: Mapping[str, tuple[type, Any]] = {
    "result": (np.float32, np.nan),
    "score": (np.float32, np.nan),
    "game": (np.uint32, NO_GAME),
    "ply": (np.uint16, 0),
    "sample_weight": (np.float32, 1.0),
}
COLUMNS: Mapping[str, tuple[type, Any]] = {**BOARD_COLUMNS, **LABEL_COLUMNS}
"""Every column with its dtype and the value it has where nothing is known."""


@dataclass(frozen=True, eq=False, repr=False)
class Positions:
    """Columns of equal length n; see `COLUMNS` for dtypes.

    `castling_rights` is the set of rooks that may still castle (python-chess's meaning, so Chess960 is
    covered). `ep_square` is set only when an en-passant capture is legal. `result` is 1, 0.5 or 0 for
    White, or a probability; `score` is in centipawns; both NaN where unknown (a mate is no score).
    Rows with the same `game` are from one game; `NO_GAME` where the source does not say.
    `unknown` names columns of the board that a source did not carry: their values mean nothing.
    """

    pawns: NDArray[np.uint64]
    knights: NDArray[np.uint64]
    bishops: NDArray[np.uint64]
    rooks: NDArray[np.uint64]
    queens: NDArray[np.uint64]
    kings: NDArray[np.uint64]
    white: NDArray[np.uint64]
    white_to_move: NDArray[np.bool_]
    castling_rights: NDArray[np.uint64]
    ep_square: NDArray[np.int8]
    halfmove_clock: NDArray[np.uint16]
    fullmove_number: NDArray[np.uint16]
    result: NDArray[np.float32]
    score: NDArray[np.float32]
    game: NDArray[np.uint32]
    ply: NDArray[np.uint16]
    sample_weight: NDArray[np.float32]
    unknown: frozenset[str] = frozenset()

    def __len__(self) -> int:
        return len(self.pawns)

    def __repr__(self) -> str:
        return f"<Positions: {len(self):,} rows>"

    @classmethod
    def from_columns(cls, columns: Mapping[str, Any], rows: int | None = None) -> Positions:
        """From the columns at hand, converted to their dtypes; the others get their unknown value."""
        length = rows if rows is not None else len(next(iter(columns.values())))
        made: dict[str, Any] = {
            name: np.ascontiguousarray(columns[name], dtype)
            if name in columns
            else np.full(length, unknown, dtype)
            for name, (dtype, unknown) in COLUMNS.items()
        }
        return cls(**made)

    @classmethod
    def empty(cls, rows: int = 0) -> Positions:
        """`rows` rows with the unknown value everywhere."""
        return cls.from_columns({}, rows)

    @classmethod
    def from_boards(cls, boards: Iterable[chess.Board], **labels: Any) -> Positions:
        """From python-chess boards, for tests and notebooks; labels are columns of the same length."""
        rows = [
            (
                *(int(getattr(board, name)) for name in PIECE_COLUMNS),
                int(board.occupied_co[True]),
                board.turn,
                int(board.clean_castling_rights()),
                board.ep_square if board.has_legal_en_passant() else -1,
                min(board.halfmove_clock, 0xFFFF),
                min(board.fullmove_number, 0xFFFF),
            )
            for board in boards
        ]
        columns = dict(zip(BOARD_COLUMNS, zip(*rows, strict=True), strict=True)) if rows else {}
        return cls.from_columns({**columns, **labels}, len(rows))

    @classmethod
    def concatenate(cls, parts: Sequence[Positions]) -> Positions:
        """All rows of all parts, in order."""
        if not parts:
            return cls.empty()
        columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in COLUMNS}
        return cls(**columns, unknown=frozenset().union(*(part.unknown for part in parts)))

    @classmethod
    def gather(cls, blocks: Iterable[Positions]) -> Positions:
        """All rows of a stream of blocks, in order; at no time is more than one column held twice."""
        parts: dict[str, list[NDArray[Any]]] = {name: [] for name in COLUMNS}
        unknown: frozenset[str] = frozenset()
        for block in blocks:
            unknown |= block.unknown
            for name, column in block.columns().items():
                parts[name].append(column)
        if not parts["pawns"]:
            return cls.empty()
        del block
        return cls(**{name: np.concatenate(parts.pop(name)) for name in COLUMNS}, unknown=unknown)

    def columns(self) -> dict[str, NDArray[Any]]:
        """Name to array, without copying."""
        return {name: getattr(self, name) for name in COLUMNS}

    def select(self, rows: Any) -> Positions:
        """Rows by index array, mask or slice."""
        columns = {name: column[rows] for name, column in self.columns().items()}
        return Positions(**columns, unknown=self.unknown)

    def replace(self, **columns: Any) -> Positions:
        """The same rows with some columns exchanged."""
        made = Positions.from_columns({**self.columns(), **columns}, len(self))
        return made.without(self.unknown - columns.keys())

    def without(self, columns: Iterable[str]) -> Positions:
        """The same rows, from a source that does not carry these columns; only those of boards matter."""
        return exchanged(self, unknown=frozenset(columns) & BOARD_COLUMNS.keys())

    def board(self, row: int) -> chess.Board:
        """One row as a python-chess board."""
        import chess

        board = chess.Board(None, chess960=True)
        for name in PIECE_COLUMNS:
            setattr(board, name, int(getattr(self, name)[row]))
        board.occupied_co[chess.WHITE] = int(self.white[row])
        board.occupied = int(np.bitwise_or.reduce([getattr(self, name)[row] for name in PIECE_COLUMNS]))
        board.occupied_co[chess.BLACK] = board.occupied ^ board.occupied_co[chess.WHITE]
        board.turn = bool(self.white_to_move[row])
        board.castling_rights = int(self.castling_rights[row])
        board.ep_square = int(self.ep_square[row]) if self.ep_square[row] >= 0 else None
        board.halfmove_clock = int(self.halfmove_clock[row])
        board.fullmove_number = int(self.fullmove_number[row])
        board.chess960 = bool(board.castling_rights & ~_CORNERS) or any(
            int(king) not in (_E1, _E8) for king in _castling_kings(board)
        )
        return board

    def to_frame(self) -> pd.DataFrame:
        """All columns as a DataFrame; `white_to_move` and bitboards stay as they are."""
        import pandas as pd

        return pd.DataFrame(self.columns())

    def blocks(self, size: int) -> Iterator[slice]:
        """Slices of at most `size` rows that cover all rows in order."""
        for start in range(0, len(self), size):
            yield slice(start, min(start + size, len(self)))


_CORNERS = 0x8100_0000_0000_0081
_E1, _E8 = 1 << 4, 1 << 60


def _castling_kings(board: chess.Board) -> Iterator[int]:
    for colour, back_rank in ((True, 0xFF), (False, 0xFF << 56)):
        if board.castling_rights & back_rank:
            yield board.kings & board.occupied_co[colour]
