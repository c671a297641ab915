"""Our own format: Parquet with the columns of `Positions`, one file or a folder of files.

Label columns may be missing, further columns are passed over, every board is checked as it is read.
Results and scores are White's, in probabilities and centipawns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..errors import FormatError
from ..faults import fault_text
from ..legality import check_boards
from ..positions import BOARD_COLUMNS, COLUMNS, Positions
from .base import Reader, ReadOptions, Refusal, Source, Writer, scores_of, to_white_view
from .labels import CODINGS
from .lines import in_order
from .writing import FAR, NO_PROBABILITY

MAGIC = b"PAR1"
COMPRESSION_LEVEL = 1
"""Of zstd. Level 9 takes four times as long for files that are a seventh smaller (measured: 1.5 against 6.8 M
rows a second and core, 6.4 against 7.5 bytes a row)."""
ROW_GROUP = 1 << 17
HARDLY_REPEATED = ("pawns", "knights", "bishops", "white", "game")
"""Columns that a dictionary makes larger. The others are smaller with one and read faster (measured, shuffled
positions: 23.7 instead of 27.6 bytes a row, 12.6 instead of 8.4 M rows a second and core)."""
BAD_RESULT = "a result that is not between 0 and 1"
OTHER_CODING = (
    f"{BAD_RESULT}: the file codes its results in another way, and those that look"
    " right would be read wrongly"
)
BAD_WEIGHT = "a sample weight that is not a finite number from 0 up"
UNKNOWN = b"evalcore.unknown"
"""Key of the file's metadata for `Positions.unknown`."""
REQUIRED = tuple(name for name in BOARD_COLUMNS if name not in ("halfmove_clock", "fullmove_number"))
"""Columns without which there is no position; the others have a value for "unknown"."""


def arrow() -> tuple[Any, Any]:
    """The modules `pyarrow` and `pyarrow.parquet`, which have no types; imported when needed."""
    import pyarrow
    import pyarrow.parquet

    return pyarrow, pyarrow.parquet


def sniff(head: bytes) -> float:
    """Parquet has a magic number."""
    return 1.0 if head.startswith(MAGIC) else 0.0


def read(source: Source, options: ReadOptions) -> Iterator[Positions]:
    """Positions of one Parquet file, a block of rows at a time."""
    pa, pq = arrow()
    path, first = source.path, 0
    if not path.is_file():
        raise FormatError(path, None, "Parquet is read from its end and cannot come from a pipe; name a file")
    try:
        # Not mapped into memory: no faster, and a mapped file counts as memory of the process.
        with pq.ParquetFile(path) as file:
            names = check_columns(path, file.schema_arrow.names)
            options.rejects.lost[str(path)] = unknown_columns(file)
            batches = file.iter_batches(options.block, columns=names, use_threads=options.threads > 1)
            for checked in in_order(lambda batch: check(path, batch), batches, options.threads):
                yield from usable(path, first, checked, options)
                first += len(checked.positions)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:  # the last for a damaged schema
        raise FormatError(path, None, f"the Parquet file cannot be read ({error})") from error


def unknown_columns(file: Any) -> tuple[str, ...]:
    """Columns whose values mean nothing, as the positions were made from files that do not carry them."""
    words = (file.metadata.metadata or {}).get(UNKNOWN, b"").decode("ascii", "replace")
    return tuple(name for name in words.split(",") if name in BOARD_COLUMNS)


def check_columns(path: Path, present: list[str]) -> list[str]:
    """The columns to read; FormatError where one that is needed is missing."""
    if missing := [name for name in REQUIRED if name not in present]:
        raise FormatError(path, None, f"columns of positions are missing: {', '.join(missing)}")
    names = [name for name in COLUMNS if name in present]
    for name in names:
        if present.count(name) > 1:
            raise FormatError(path, None, f"{present.count(name)} columns are called {name}")
    return names


def to_positions(path: Path, batch: Any) -> Positions:
    """One record batch as columns; nulls in labels are unknown, in boards an error."""
    columns = {
        name: _column(path, name, batch.column(number)) for number, name in enumerate(batch.schema.names)
    }
    return Positions.from_columns(columns, batch.num_rows)


def _column(path: Path, name: str, values: Any) -> NDArray[Any]:
    """One column in its dtype; a value that does not fit is an error, a null is the unknown value."""
    dtype, unknown = COLUMNS[name]
    if values.null_count:
        if name in REQUIRED:
            raise FormatError(path, None, f"the column {name} has empty cells")
        values = values.fill_null(unknown.item() if isinstance(unknown, np.generic) else unknown)
    array = values.to_numpy(zero_copy_only=False)
    if array.dtype == dtype:
        return np.asarray(array)
    if array.dtype.kind not in "iufb":
        raise FormatError(path, None, f"the column {name} does not hold numbers but {values.type}")
    with np.errstate(over="ignore"):  # a score beyond all float32 is none
        converted = array.astype(dtype)
    exact = np.dtype(dtype).kind == "f" or np.array_equal(converted.astype(array.dtype), array)
    # A signed bitboard is the same 64 bits.
    if not exact and not (np.dtype(dtype) == np.uint64 and array.dtype == np.int64):
        raise FormatError(path, None, f"the column {name} holds numbers that are no {np.dtype(dtype)}")
    return np.asarray(converted)


@dataclass(frozen=True)
class Checked:
    """All rows of a batch, with the faults of their boards and whether results and weights are impossible."""

    positions: Positions
    faults: NDArray[np.uint32]
    bad_result: NDArray[np.bool_]
    bad_weight: NDArray[np.bool_]


def check(path: Path, batch: Any) -> Checked:
    """Converts and checks one record batch."""
    positions, faults = check_boards(to_positions(path, batch))
    weight = positions.sample_weight
    bad_weight = ~((weight >= 0) & np.isfinite(weight))
    return Checked(positions, faults, (positions.result < 0) | (positions.result > 1), bad_weight)


def usable(path: Path, first: int, checked: Checked, options: ReadOptions) -> Iterator[Positions]:
    """The rows whose boards and weights are possible, in White's view; the others are reported."""
    positions, bad = checked.positions, (checked.faults != 0) | checked.bad_result | checked.bad_weight
    for row in np.flatnonzero(bad).tolist():
        place = f"row {first + row}"
        if checked.faults[row]:
            options.rejects.add(path, place, fault_text(int(checked.faults[row])))
        elif checked.bad_result[row]:
            coded = positions.result[row] in CODINGS
            tell = options.rejects.give_up if coded else options.rejects.add
            tell(path, place, OTHER_CODING if coded else BAD_RESULT, f"{positions.result[row]}")
        else:
            options.rejects.add(path, place, BAD_WEIGHT, f"{positions.sample_weight[row]}")
    if not bad.all():
        good = positions.select(~bad) if bad.any() else positions
        good = good.replace(score=scores_of(good.score, options))
        yield options.located(to_white_view(good, options), first + np.flatnonzero(~bad))


def write(blocks: Iterable[Positions], stream: BinaryIO) -> None:
    """All columns, zstd-compressed, and which of them nobody knew."""
    pa, pq = arrow()
    # No cell is empty, so nothing need be stored or read about that: a tenth faster.
    schema = pa.schema(
        [
            pa.field(name, pa.from_numpy_dtype(np.dtype(dtype)), nullable=False)
            for name, (dtype, _) in COLUMNS.items()
        ]
    )
    settings = {
        "compression": "zstd",
        "compression_level": COMPRESSION_LEVEL,
        "use_dictionary": [name for name in COLUMNS if name not in HARDLY_REPEATED],
    }
    with pq.ParquetWriter(stream, schema, **settings) as writer:
        unknown: set[str] = set()
        for block in blocks:
            table = pa.table(dict(block.columns()), schema=schema)
            writer.write_table(table, row_group_size=ROW_GROUP)
            unknown |= block.unknown
        if unknown:
            writer.add_key_value_metadata({UNKNOWN: ",".join(sorted(unknown)).encode()})


READER = Reader("parquet", "our own: Parquet with the columns of positions, a file or a folder", sniff, read)
NO_WEIGHT = Refusal(BAD_WEIGHT, lambda rows: ~((rows.sample_weight >= 0) & np.isfinite(rows.sample_weight)))
WRITER = Writer(
    "parquet",
    "our own: Parquet with all columns",
    (".parquet",),
    write,
    refusals=(NO_PROBABILITY, FAR, NO_WEIGHT),
    tells_unknown=True,
)
