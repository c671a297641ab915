"""What a reader and a writer of a file format are; each format is one file that makes one of each.

A reader yields blocks of `Positions` with labels already in White's view and in centipawns, and numbers
the games of its file from 0 (`open_positions` keeps them apart across files). Anything it cannot use
goes to `options.rejects.add`, which stops the import with a `FormatError` or counts and goes on.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Literal, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..errors import FormatError
from ..positions import Positions
from .labels import LARGEST_SCORE, NOTE_MATE

Mask = NDArray[np.bool_]
PointOfView = Literal["white", "side-to-move"]
POINTS_OF_VIEW: tuple[PointOfView, ...] = ("white", "side-to-move")

CENTIPAWNS = 1.0
PAWNS = 100.0
STOCKFISH_UNITS = 100 / 208
"""Centipawns per unit of a score as files hold it; 208 was Stockfish's endgame pawn."""

TERMINATIONS = (
    "normal",
    "adjudication",
    "time-forfeit",
    "crash",
    "illegal-move",
    "abandoned",
    "unterminated",
    "unknown",
)
"""Ways a game may end; mate, resignation and draws by rule or agreement are normal."""
PLAYED = ("normal", "adjudication")
"""Terminations whose result says something about the last positions."""

BLOCK_ROWS = 1 << 17
"""Rows a reader should gather before it yields a block."""

HEAD_BYTES = 1 << 16
"""How much of a file's decompressed beginning a `sniff` function gets to see."""


@dataclass(frozen=True)
class Reject:
    """One thing of a file that was left out: a line, a game or a record."""

    path: str
    place: int | str
    reason: str
    text: str


@dataclass
class Rejects:
    """Where readers report what they cannot use.

    `stop` turns the first one into a `FormatError`. Otherwise `kept` holds the first `limit` of them, `sink`
    is told each, and `counts` counts all by reason: the reason is a general phrase ("unknown result"), the
    text the offending words, the place a line number or words such as "game 3". `notes` counts what was
    changed but kept, such as mate scores that became "no score". `seen` says for each file what its
    labels look like, `warnings` what is doubtful about it; `formats` its format, and
    `lost` the columns that this format does not carry.
    """

    stop: bool = False
    limit: int = 100_000
    sink: Callable[[Reject], None] | None = None
    kept: list[Reject] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    seen: dict[str, list[str]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    formats: dict[str, str] = field(default_factory=dict)
    lost: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def add(self, path: str | Path, place: int | str, reason: str, text: str = "") -> None:
        """Leaves one thing out; raises FormatError where the import should stop."""
        if self.stop:
            self.give_up(path, place, reason, text)
        self.leave_out(path, place, reason, text)

    def give_up(self, path: str | Path, place: int | str, reason: str, text: str = "") -> NoReturn:
        """FormatError for what no import survives: the rest of the file would be read wrongly."""
        if self.sink is not None:
            self.sink(Reject(str(path), place, reason, text))
        raise FormatError(path, place, reason, text)

    def leave_out(self, path: str | Path, place: int | str, reason: str, text: str = "") -> None:
        """Leaves out what is sound but of no use, such as an unfinished game: counted, never an error."""
        reject = Reject(str(path), place, reason, text)
        self.counts[reason] += 1
        if len(self.kept) < self.limit:
            self.kept.append(reject)
        if self.sink is not None:
            self.sink(reject)

    def drop_rows(self, reason: str, count: int) -> None:
        """Counts rows that nobody asked for, without listing them."""
        if count:
            self.counts[reason] += count

    def note(self, reason: str, count: int = 1) -> None:
        """Counts rows that are kept with something missing or changed."""
        if count:
            self.notes[reason] += count

    def total(self) -> int:
        """How many things were left out."""
        return self.counts.total()


@dataclass(frozen=True)
class Authors:
    """Who made the scores of a block: `names`, and for each row an index into them, -1 for nobody known."""

    names: tuple[str, ...]
    rows: NDArray[np.int64]

    def select(self, rows: Any) -> Authors:
        """Of some rows, by mask or slice."""
        return Authors(self.names, self.rows[rows])


@dataclass(frozen=True)
class Origin:
    """What a reader knows of the rows of a block besides the positions; see `ReadOptions.located`."""

    places: NDArray[np.int64]
    authors: Authors | None = None
    moves: NDArray[np.int64] | None = None


@dataclass(frozen=True)
class Source:
    """One file: `path` as it is named in errors, `open()` its content, decompressed, from the start."""

    path: Path
    open: Callable[[], BinaryIO]


@dataclass(frozen=True)
class ReadOptions:
    """How to read one file; already filled with the reader's defaults.

    `result_pov` and `score_pov` say whose advantage is positive *in the file*; `score_unit` is the
    number of centipawns in one unit of its scores. `block` is a number of rows to aim at.
    `score_pov_given` says that the user named the point of view, so that nothing is to be found out.
    Of games, `terminations` are the ways they may have ended, and `skip_book` leaves out moves of an
    opening book. `quiet_moves` leaves out positions whose stored move captures or promotes.
    """

    result_pov: PointOfView
    score_pov: PointOfView
    score_unit: float
    rejects: Rejects
    threads: int = 1
    block: int = BLOCK_ROWS
    score_pov_given: bool = False
    terminations: tuple[str, ...] = PLAYED
    skip_book: bool = False
    quiet_moves: bool = False
    places: deque[Origin] = field(default_factory=deque)

    def located(
        self,
        positions: Positions,
        places: NDArray[np.int64],
        authors: Authors | None = None,
        moves: NDArray[np.int64] | None = None,
    ) -> Positions:
        """The block, after noting where its rows stand in the file; called for each block that is yielded.

        `moves` are those the file holds for the positions, `from + 64·to`, 0 where it has none.

        A place is the number of a line (of the first one of a game or record of several lines) or of a
        binary record, game or position, from 1; in Parquet that of a row, from 0 as in pandas.
        """
        self.places.append(Origin(places, authors, moves))
        return positions


@dataclass(frozen=True)
class Located:
    """A block of one file, where its rows stand there (see `ReadOptions.located`), and who scored them."""

    positions: Positions
    source: str
    places: NDArray[np.int64]
    authors: Authors | None = None

    def select(self, rows: Any) -> Located:
        """Some rows, by mask or slice."""
        authors = self.authors.select(rows) if self.authors is not None else None
        return Located(self.positions.select(rows), self.source, self.places[rows], authors)


@dataclass(frozen=True)
class Reader:
    """One format that can be read.

    `sniff(head)` looks at the first `HEAD_BYTES` (the whole file if shorter) of decompressed content
    and says how sure it is, from 0 to 1: 1 for a magic number, about 0.8 for a check that random bytes
    or another format would fail, 0 for "not mine". `lost` names columns the format does not carry,
    `fixed` options that cannot have another value.
    """

    name: str
    about: str
    sniff: Callable[[bytes], float]
    read: Callable[[Source, ReadOptions], Iterator[Positions]]
    result_pov: PointOfView = "white"
    score_pov: PointOfView = "white"
    score_unit: float = CENTIPAWNS
    lost: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Refusal:
    """Rows that a format cannot hold: what they have, in words, and which they are."""

    words: str
    rows: Callable[[Positions], Mask]


@dataclass(frozen=True)
class Writer:
    """One format that can be written; `suffixes` choose it when no format is named.

    `write(blocks, stream)` writes all rows in order, after those of the `refusals` were taken out. `lost`
    names columns that are not written. `write_located` also writes where rows came from, if the format has
    columns for that. `tells_unknown`: the file says which columns nobody knew.
    """

    name: str
    about: str
    suffixes: tuple[str, ...]
    write: Callable[[Iterable[Positions], BinaryIO], None]
    lost: tuple[str, ...] = ()
    write_located: Callable[[Iterable[Located], BinaryIO], None] | None = None
    refusals: tuple[Refusal, ...] = ()
    tells_unknown: bool = False


def scores_of(scores: NDArray[np.float32], options: ReadOptions) -> NDArray[np.float32]:
    """The scores, with NaN for mates, tablebase wins and sentinels, which are counted."""
    beyond = np.abs(scores) >= LARGEST_SCORE
    if not beyond.any():
        return scores
    options.rejects.note(NOTE_MATE, int(beyond.sum()))
    return np.where(beyond, np.float32(np.nan), scores)


def to_white_view(positions: Positions, options: ReadOptions) -> Positions:
    """Labels as the file holds them, turned into White's view and centipawns."""
    black = ~positions.white_to_move
    result, score = positions.result, positions.score
    if options.result_pov == "side-to-move":
        result = np.where(black, np.float32(1) - result, result)
    if options.score_unit != CENTIPAWNS:
        score = scores_of(score * np.float32(options.score_unit), options)
    if options.score_pov == "side-to-move":
        score = np.where(black, np.float32(0) - score, score)
    return positions.replace(result=result, score=score)
