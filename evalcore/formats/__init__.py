"""File formats of positions: one file a format, two explicit tables, a few functions to use them.

for block in open_positions("games/*.epd.zst"): ...
for block in open_located("games/*.epd.zst"): ...  # with file and line of every row
positions = read_positions("quiet.epd", "more.parquet")
write_positions(positions, "all.parquet")
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypedDict, Unpack

from ..errors import InputError
from ..positions import Positions
from ..threads import default_threads
from . import (
    binpack,
    bullet,
    bulletformat,
    epd,
    lichess,
    marlinformat,
    parquet,
    pgn,
    plain,
    rebel,
    stockfish_bin,
    table,
    viriformat,
    zahak,
)
from .agreement import Agreement, PovReport, check_point_of_view
from .base import (
    BLOCK_ROWS,
    PLAYED,
    POINTS_OF_VIEW,
    TERMINATIONS,
    Authors,
    Located,
    PointOfView,
    Reader,
    Reject,
    Rejects,
    Writer,
)
from .opening import (
    AnySource,
    DataSource,
    OnError,
    Reading,
    open_all,
    spread,
    write_file,
    writer_of,
)
from .saving import Saving

__all__ = [
    "PLAYED",
    "POINTS_OF_VIEW",
    "READERS",
    "TERMINATIONS",
    "WRITERS",
    "Agreement",
    "Authors",
    "DataSource",
    "Located",
    "PointOfView",
    "PovReport",
    "Reader",
    "Reject",
    "Rejects",
    "Writer",
    "check_point_of_view",
    "open_located",
    "open_positions",
    "read_positions",
    "write_located",
    "write_positions",
]

READERS: dict[str, Reader] = {
    reader.name: reader
    for reader in (
        parquet.READER,
        bullet.READER,
        zahak.READER,
        rebel.READER,
        table.READER,
        plain.READER,
        lichess.READER,
        epd.READER,
        pgn.READER,
        binpack.READER,
        stockfish_bin.READER,
        bulletformat.READER,
        marlinformat.READER,
        viriformat.READER,
    )
}
WRITERS: dict[str, Writer] = {
    writer.name: writer
    for writer in (
        parquet.WRITER,
        epd.ZURICHESS,
        epd.BRACKET,
        bullet.WRITER,
        table.CSV,
        table.TSV,
        plain.WRITER,
        bulletformat.WRITER,
        marlinformat.WRITER,
    )
}


class OpenOptions(TypedDict, total=False):
    """The options of `open_located`."""

    format: str | None
    result_pov: PointOfView | None
    score_pov: PointOfView | None
    score_unit: float | None
    on_error: OnError
    rejects: Rejects | None
    threads: int | None
    block: int
    check: bool


def open_located(
    sources: AnySource | Iterable[AnySource],
    *,
    format: str | None = None,
    result_pov: PointOfView | None = None,
    score_pov: PointOfView | None = None,
    score_unit: float | None = None,
    on_error: OnError = "stop",
    rejects: Rejects | None = None,
    threads: int | None = None,
    block: int = BLOCK_ROWS,
    check: bool = True,
) -> Iterator[Located]:
    """Blocks of the positions of files, folders and patterns, in order, with bounded memory.

    Each comes with the name of its file and the places of its rows there.
    Formats are found by content unless named; labels come in White's view and centipawns, from the
    point of view and unit of the format unless given. What cannot be used raises FormatError with file
    and line, or with `on_error="skip"` is counted in `rejects`. A missing file raises at once.
    With `check`, labels that contradict the point of view or the unit they are read with raise, too (see
    `check.py`). Game ids are distinct across files. The blocks are the same for any number of threads.
    """
    if on_error not in ("stop", "skip"):
        raise InputError(f"on_error is 'stop' or 'skip', not {on_error!r}")
    for pov in (result_pov, score_pov):
        if pov is not None and pov not in POINTS_OF_VIEW:
            raise InputError(f"a point of view is one of {', '.join(POINTS_OF_VIEW)}, not {pov!r}")
    collected = rejects if rejects is not None else Rejects()
    collected.stop = on_error == "stop"
    defaults = DataSource("", format, result_pov, score_pov, score_unit)
    reading = Reading(READERS, collected, threads or default_threads(), block, check)
    return open_all(spread(sources, defaults), reading)


def open_positions(
    sources: AnySource | Iterable[AnySource], **options: Unpack[OpenOptions]
) -> Iterator[Positions]:
    """As `open_located`, without the places."""
    return (each.positions for each in open_located(sources, **options))


def read_positions(*sources: AnySource | Iterable[AnySource], **options: Unpack[OpenOptions]) -> Positions:
    """All positions of the sources in memory; the options are those of `open_located`."""
    flat = [
        each
        for source in sources
        for each in ([source] if isinstance(source, (str, Path, DataSource)) else source)
    ]
    return Positions.gather(open_positions(flat, **options))


def write_positions(
    positions: Positions | Iterable[Positions],
    path: str | Path,
    *,
    format: str | None = None,
    rejects: Rejects | None = None,
) -> int:
    """Writes positions or blocks of them, and says how many; the suffix chooses format and compression.

    The file appears whole or not at all. InputError where the format cannot hold a row, unless `rejects`
    (that of the reading) does not stop: then such rows are left out and counted there. What the format does
    not carry though it was known becomes one of its warnings.
    """
    destination = Path(path)
    blocks = [positions] if isinstance(positions, Positions) else positions
    writer = writer_of(destination, format, WRITERS)
    saving = Saving(writer, str(path), rejects or Rejects(stop=True))
    write_file(destination, lambda stream: writer.write(saving.positions(blocks), stream))
    return saving.finish()


def write_located(
    blocks: Iterable[Located], path: str | Path, *, format: str | None = None, rejects: Rejects | None = None
) -> int:
    """As `write_positions`, with source and place of every row where the format has columns for them."""
    destination = Path(path)
    writer = writer_of(destination, format, WRITERS)
    saving = Saving(writer, str(path), rejects or Rejects(stop=True))
    rows = saving.located(blocks)
    if (write := writer.write_located) is not None:
        write_file(destination, lambda stream: write(rows, stream))
    else:
        write_file(destination, lambda stream: writer.write((each.positions for each in rows), stream))
    return saving.finish()
