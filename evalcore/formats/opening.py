"""From names of files to blocks of positions, and from positions to a file.

The only place that expands patterns, looks at what a file is, and keeps the games of several files apart.
"""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias, TypeVar, cast

import numpy as np

from ..errors import FormatError, InputError, UnknownName
from ..files import replacing
from ..positions import NO_GAME, Positions
from .base import (
    HEAD_BYTES,
    PLAYED,
    TERMINATIONS,
    Located,
    PointOfView,
    Reader,
    ReadOptions,
    Rejects,
    Source,
    Writer,
)
from .check import checked
from .compression import Content, compressor, without_compression
from .sniffing import choose_reader, refuse_strangers
from .source_list import is_source_list, read_source_list
from .stored_moves import NOTE_NOISY, noisy_moves


@dataclass(frozen=True)
class DataSource:
    """A file, folder or pattern and how to read it; None means the default of its format.

    `weight` multiplies `sample_weight`; `limit` keeps the first so many positions. Of games,
    `terminations` names the ways they may have ended (any of `TERMINATIONS`), and `skip_book` leaves
    out moves of an opening book: those marked as such, and those before the first score of a scored game.
    `quiet_moves` leaves out positions whose stored move (the best or the one played) captures or promotes,
    in formats that hold moves.
    """

    path: str | Path
    format: str | None = None
    result_pov: PointOfView | None = None
    score_pov: PointOfView | None = None
    score_unit: float | None = None
    weight: float = 1.0
    limit: int | None = None
    terminations: tuple[str, ...] = PLAYED
    skip_book: bool = False
    quiet_moves: bool = False

    def __post_init__(self) -> None:
        for option in ("weight", "limit", "score_unit"):
            if (value := getattr(self, option)) is not None and not 0 < value < float("inf"):
                raise InputError(f"{self.path}: {option} is a number above 0, not {value:g}")
        for name in self.terminations:
            if name not in TERMINATIONS:
                raise UnknownName("termination", name, TERMINATIONS)


FEATURES_FOR_SURE = 0.5
"""Share of lines that look like rows of features; no position does."""
AnySource: TypeAlias = "str | Path | DataSource"
OnError = Literal["stop", "skip"]
Entry = TypeVar("Entry")


def expand(path: str | Path) -> list[Path]:
    """The files a name stands for: itself, all of a pattern in order, or the Parquet files of a folder."""
    name = Path(path).expanduser()
    if name.is_dir():
        files = sorted(name.rglob("*.parquet"))
        if not files:
            raise InputError(f"{path} is a folder without Parquet files; name files, or a pattern in quotes")
        return files
    if name.exists():
        return [name]
    if glob.has_magic(str(name)):
        matches = sorted(glob.glob(str(name), recursive=True))  # noqa: PTH207  # absolute patterns, too
        files = [Path(each) for each in matches if not Path(each).is_dir()]
        if not files:
            raise InputError(f"no file matches {str(path)!r}")
        return files
    raise InputError(f"there is no file {str(path)!r}")


def find_name(kind: str, name: str, table: Mapping[str, Entry]) -> Entry:
    """An entry of a table, or UnknownName with the nearest choices."""
    if name not in table:
        raise UnknownName(kind, name, table)
    return table[name]


def read_head(path: Path) -> bytes:
    """The first bytes of the decompressed content; nothing of a pipe, which could not be read again."""
    return Content(path).head(HEAD_BYTES) if path.is_file() else b""


def reader_of(path: Path, head: bytes, format: str | None, readers: Mapping[str, Reader]) -> Reader:
    """The reader of a file: the one named, or the one its content asks for."""
    if format is None:
        refuse_features(path, head)
        return choose_reader(path, head, readers)
    reader = find_name("format", format, readers)
    refuse_strangers(path, head)
    return reader


def refuse_features(path: Path, head: bytes) -> None:
    """FormatError for rows that an engine counted itself: there are no positions in them."""
    from .svmlight import sniff

    if sniff(head) > FEATURES_FOR_SURE:
        raise FormatError(
            path,
            None,
            "holds rows of features that an engine counted, no positions; `tuner fit` reads them with an"
            " evaluation file that says `columns` in every term",
        )


def spread(sources: AnySource | Iterable[AnySource], defaults: DataSource) -> list[DataSource]:
    """One `DataSource` a file, with defaults filled in; a missing file is found before any is read."""
    many = [sources] if isinstance(sources, (str, Path, DataSource)) else list(sources)
    if not many:
        raise InputError("no data was named; give at least one file")
    asked = [each if isinstance(each, DataSource) else DataSource(each) for each in many]
    filled = [filled_in(each, defaults) for each in asked]
    return [
        file for each in filled for path in expand(each.path) for file in listed(replace(each, path=path))
    ]


def filled_in(source: DataSource, defaults: DataSource) -> DataSource:
    """What a source does not say is taken from the defaults."""
    return replace(
        source,
        format=source.format or defaults.format,
        result_pov=source.result_pov or defaults.result_pov,
        score_pov=source.score_pov or defaults.score_pov,
        score_unit=source.score_unit or defaults.score_unit,
    )


def listed(source: DataSource) -> list[DataSource]:
    """The files of a list of files; the source itself where it is none."""
    path = Path(source.path)
    if source.format is not None or not path.is_file() or not is_source_list(path):
        return [source]
    return [
        replace(source, path=file, result_pov=pov, limit=limit) for file, pov, limit in read_source_list(path)
    ]


@dataclass(frozen=True)
class Reading:
    """What is common to all files that are read together; see `open_positions`."""

    readers: Mapping[str, Reader]
    rejects: Rejects
    threads: int
    block: int
    check: bool


def read_file(source: DataSource, reading: Reading) -> Iterator[Located]:
    """Blocks of one file. What lies between the reader and here must pass its blocks on one by one."""
    path = Path(source.path)
    content = Content(path)
    reader = reader_of(path, content.head(HEAD_BYTES), source.format, reading.readers)
    refuse_fixed(source, reader)
    reading.rejects.formats[str(path)] = reader.name
    reading.rejects.lost[str(path)] = reader.lost
    options = ReadOptions(
        source.result_pov or reader.result_pov,
        source.score_pov or reader.score_pov,
        source.score_unit or reader.score_unit,
        reading.rejects,
        reading.threads,
        reading.block,
        source.score_pov is not None,
        source.terminations,
        source.skip_book,
        source.quiet_moves,
    )
    blocks = reader.read(Source(path, content.open), options)
    if reading.check:
        blocks = checked(path, blocks, options)
    located = (chosen(positions, source, options) for positions in blocks)
    return located if source.limit is None else limited(located, source.limit)


def refuse_fixed(source: DataSource, reader: Reader) -> None:
    """InputError for an option that would mean nothing, or what it must not, in this format."""
    for option in reader.fixed:
        given, own = getattr(source, option), getattr(reader, option)
        if given is not None and given != own:
            raise InputError(f"{source.path}: {option} of {reader.name} is always {own}, not {given}")


def chosen(positions: Positions, source: DataSource, options: ReadOptions) -> Located:
    """A block with its places and weights, without the rows that nobody asked for."""
    origin = options.places.popleft()
    if source.weight != 1:
        positions = positions.replace(sample_weight=positions.sample_weight * source.weight)
    positions = positions.without(options.rejects.lost[str(source.path)])
    block = Located(positions, str(source.path), origin.places, origin.authors)
    if not source.quiet_moves or origin.moves is None:
        return block
    noisy = noisy_moves(positions, origin.moves)
    options.rejects.drop_rows(NOTE_NOISY, int(noisy.sum()))
    return block.select(np.flatnonzero(~noisy))  # a mask would be counted again for each column


def limited(blocks: Iterable[Located], limit: int) -> Iterator[Located]:
    """The first `limit` rows; no block is read in vain."""
    for block in blocks:
        yield block.select(slice(0, limit))
        limit -= len(block.positions)
        if limit <= 0:
            return


def with_games_from(positions: Positions, first: int) -> Positions:
    """Game ids of one file made distinct from those below `first`."""
    known = positions.game != NO_GAME
    if not first or not known.any():
        return positions
    return positions.replace(game=np.where(known, positions.game + np.uint32(first), NO_GAME))


def games_end(positions: Positions, end: int) -> int:
    """One more than the largest game id so far."""
    known = positions.game[positions.game != NO_GAME]
    return max(end, int(known.max()) + 1) if len(known) else end


def open_all(sources: list[DataSource], reading: Reading) -> Iterator[Located]:
    """Blocks of all files in order; InputError when they hold not a single position."""
    rows, end = 0, 0
    for source in sources:
        first = end
        for block in read_file(source, reading):
            numbered = with_games_from(block.positions, first)
            end = games_end(numbered, end)
            rows += len(numbered)
            yield replace(block, positions=numbered)
    if not rows:
        names = ", ".join(str(each.path) for each in sources)
        reasons = ", ".join(
            f"{count:,} × {reason}" for reason, count in reading.rejects.counts.most_common(3)
        )
        left_out = f" (left out: {reasons})" if reasons else ""
        raise FormatError(names, None, f"not a single position could be used{left_out}")


def writer_of(path: Path, format: str | None, writers: Mapping[str, Writer]) -> Writer:
    """The writer named, or the one of the suffix (before that of a compression)."""
    if format is not None:
        return find_name("format to write", format, writers)
    suffix = without_compression(path).suffix.lower()
    for writer in writers.values():
        if suffix in writer.suffixes:
            return writer
    known = ", ".join(sorted(suffix for writer in writers.values() for suffix in writer.suffixes))
    raise InputError(f"{path}: the suffix names no format (known: {known}); name the format")


def write_file(path: Path, write: Callable[[BinaryIO], None]) -> None:
    """Writes through the compression that the suffix names; the file appears whole or not at all."""
    opener = compressor(path)
    with replacing(path) as file:
        if opener is None:
            write(cast(BinaryIO, file))
        else:
            with opener(file, "wb") as stream:
                write(cast(BinaryIO, stream))
