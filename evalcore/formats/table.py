"""CSV and TSV with named columns: one is the FEN, others may be result, score, mate, ply, game, weight.

Names are matched without regard to case. `_white` or `_stm` in a name says whose advantage is positive;
otherwise the options do. Scores may be mates (`#-3`, `M5`, `mate 4`) or empty, results empty. Other columns
are passed over. A line with more or fewer fields than the header is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from .. import faults as fault
from ..compiled import kernel, primitive
from ..errors import FormatError
from ..fen import Buffer, parse_spans, skip_blanks
from ..positions import NO_GAME, Positions
from .base import PointOfView, Reader, ReadOptions, Source, Writer
from .cells import read_mates, read_numbers, read_results, read_scores
from .labels import NOTE_MATE
from .lines import BYTE_ORDER_MARK, BYTES_A_ROW, Lines, Notes, parse_block, read_blocks, text_blocks
from .sniffing import head_lines
from .stored_moves import read_uci_moves
from .streams import with_newlines
from .table_writing import write, write_located, write_located_tsv, write_tsv
from .writing import FAR, NO_PROBABILITY

ROLES: Mapping[str, tuple[str, ...]] = {
    "fen": ("fen", "fens", "epd", "position", "board"),
    "result": ("result", "wdl", "outcome", "label", "game_result"),
    "score": ("score", "cp", "eval", "evaluation", "centipawns", "score_cp", "eval_cp"),
    "mate": ("mate",),
    "ply": ("ply",),
    "game": ("game", "game_id", "gameid"),
    "sample_weight": ("sample_weight", "weight"),
    "move": ("bestmove", "best_move", "move", "uci"),
}
"""What a column is for, by its name."""
POV_WORDS: Mapping[str, PointOfView] = {
    "white": "white",
    "stm": "side-to-move",
    "side_to_move": "side-to-move",
}
SEPARATORS = (",", "\t", ";")
LARGEST = {"ply": 65535.0, "game": 4294967294.0, "sample_weight": 1e9}
UNKNOWN = {"ply": 0.0, "game": float(NO_GAME), "sample_weight": 1.0}
NOTE_EMPTY_SCORE = "empty scores"
NOTE_PAWNS = "scores with decimals that look like pawns"
NOTE_NO_RESULT = "positions without a result"

_QUOTE = 34


@dataclass(frozen=True)
class Header:
    """The columns of a table: how many, what separates them, the place of each role, two of the same role."""

    width: int
    separator: str
    places: Mapping[str, int]
    povs: Mapping[str, PointOfView]
    doubled: tuple[str, str] | None = None


def column_name(text: str) -> str:
    """A name in lower case with `_` for everything else."""
    return re.sub(r"\W+", "_", text.strip().strip('"').lower()).strip("_")


def role_of(name: str) -> tuple[str | None, PointOfView | None]:
    """What a column is for, and whose view its name declares."""
    for word, pov in POV_WORDS.items():
        bare = re.sub(rf"^{word}_|_{word}$", "", name)
        if bare != name:
            role, _ = role_of(bare)
            return role, pov
    return next((role for role, names in ROLES.items() if name in names), None), None


def parse_header(line: str) -> Header | None:
    """The header a line is, or None where no column is a FEN."""
    for separator in SEPARATORS:
        names = [column_name(cell) for cell in line.rstrip("\r\n").split(separator)]
        places: dict[str, int] = {}
        povs: dict[str, PointOfView] = {}
        doubled: list[tuple[str, str]] = []
        for place, name in enumerate(names):
            role, pov = role_of(name)
            if role is None:
                continue
            if role not in places:
                places[role] = place
                if pov:
                    povs[role] = pov
            elif role != "move":  # the best one and the one played may well stand side by side
                doubled.append((names[places[role]], name))
        if "fen" in places and len(names) > 1:
            return Header(len(names), separator, places, povs, doubled[0] if doubled else None)
    return None


@primitive
def cell_end(buffer: Buffer, at: int, end: int, separator: int) -> int:
    """Where a cell ends; separators inside quotes belong to it."""
    first = at
    while first < end and buffer[first] == 32:
        first += 1
    if first >= end or buffer[first] != _QUOTE:
        while at < end and buffer[at] != separator:
            at += 1
        return at
    quoted, at = True, first + 1
    while at < end and (quoted or buffer[at] != separator):
        if buffer[at] == _QUOTE:
            quoted = not quoted
        at += 1
    return at


@kernel
def _find_cells(
    buffer: Buffer,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    separator: int,
    width: int,
    wanted: NDArray[np.int64],
    firsts: NDArray[np.int64],
    lasts: NDArray[np.int64],
    faults: NDArray[np.int64],
) -> None:
    """Spans (roles, n) of the wanted cells of each line, without quotes; `wanted` maps place to role."""
    for row in range(len(starts)):
        at, place, end = starts[row], 0, ends[row]
        # Blanks before the first word of the line may be empty cells.
        while at > 0 and buffer[at - 1] != 10:
            at -= 1
        while at <= end:
            stop = cell_end(buffer, at, end, separator)
            role = wanted[place] if place < width else -1
            if role >= 0:
                first, last = skip_blanks(buffer, at, stop), stop
                while last > first and buffer[last - 1] <= 32:
                    last -= 1
                if last - first >= 2 and buffer[first] == _QUOTE and buffer[last - 1] == _QUOTE:
                    first, last = first + 1, last - 1
                firsts[role, row], lasts[role, row] = first, last
            place += 1
            at = stop + 1
        if place != width:
            faults[row] = fault.FIELD_COUNT


def read_rows(lines: Lines, header: Header) -> tuple[dict[str, NDArray[Any]], NDArray[np.int64], Notes]:
    """The line rule of tables: board and label columns, faults, notes."""
    rows, roles = len(lines.starts), list(header.places)
    wanted = np.full(header.width, -1, np.int64)
    wanted[[header.places[role] for role in roles]] = np.arange(len(roles))
    firsts, lasts = np.zeros((2, len(roles), rows), np.int64)
    cell_faults = np.zeros(rows, np.int64)
    _find_cells(
        lines.buffer,
        lines.starts,
        lines.ends,
        ord(header.separator),
        header.width,
        wanted,
        firsts,
        lasts,
        cell_faults,
    )
    spans = {role: (firsts[number], lasts[number]) for number, role in enumerate(roles)}
    columns, rests, faults = parse_spans(lines.buffer, *spans["fen"])
    faults[(faults == 0) & (rests < spans["fen"][1])] = fault.LEFT_OVER
    faults[cell_faults != 0] = fault.FIELD_COUNT
    return columns, faults, read_labels(lines.buffer, spans, columns, faults)


def read_labels(
    buffer: Buffer,
    spans: Mapping[str, tuple[NDArray[np.int64], NDArray[np.int64]]],
    columns: dict[str, NDArray[Any]],
    faults: NDArray[np.int64],
) -> Notes:
    """Adds the label columns that the table has."""
    rows, notes = len(faults), {}
    if "result" in spans:
        columns["result"] = np.empty(rows, np.float32)
        notes[NOTE_NO_RESULT] = read_results(buffer, *spans["result"], columns["result"], faults)
    if "score" in spans:
        scores = columns["score"] = np.empty(rows, np.float32)
        mates, empty, pawns = read_scores(buffer, *spans["score"], scores, faults)
        if "mate" in spans:
            mates += read_mates(buffer, *spans["mate"], scores, faults)
        notes |= {NOTE_MATE: mates, NOTE_EMPTY_SCORE: empty, NOTE_PAWNS: pawns}
    if "move" in spans:
        columns["move"] = np.empty(rows, np.int64)
        read_uci_moves(buffer, *spans["move"], columns["move"])
    for role in LARGEST:
        if role in spans:
            numbers = np.zeros(rows, np.float64)
            read_numbers(buffer, *spans[role], LARGEST[role], UNKNOWN[role], numbers, faults)
            columns[role] = numbers
    return notes


def read_header(source: Source, stream: BinaryIO) -> tuple[Header, int]:
    """The first line that holds something, and its number; FormatError where it is no header."""
    number, line = 0, b""
    while not line.strip() or line.startswith(b"#"):
        number, line = number + 1, stream.readline()
        if not line:
            break
        line = line.removeprefix(BYTE_ORDER_MARK)
    text = line.decode("utf-8", "replace")
    header = parse_header(text)
    if header is None:
        raise FormatError(source.path, number, "a header with a column 'fen' was expected", text.strip())
    if header.doubled is not None:
        one, other = header.doubled
        reason = f"the columns {one!r} and {other!r} mean the same; give one of them another name"
        raise FormatError(source.path, number, reason, text.strip())
    return header, number


def read(source: Source, options: ReadOptions) -> Iterator[Positions]:
    """Positions of a table."""
    with source.open() as file:
        stream = with_newlines(file)
        header, line = read_header(source, stream)
        # A point of view in a column's name belongs to the data; options are about what is not said.
        options = replace(
            options,
            result_pov=header.povs.get("result", options.result_pov),
            score_pov=header.povs.get("score", options.score_pov),
        )
        blocks = text_blocks(stream, options.block * BYTES_A_ROW)
        yield from read_blocks(
            source,
            options,
            blocks,
            lambda block: parse_block(block, lambda lines: read_rows(lines, header)),
            line + 1,
        )


def sniff(head: bytes) -> float:
    """Sure where the first line names a column of FENs."""
    lines = head_lines(head)
    return 0.95 if lines and parse_header(lines[0]) else 0.0


READER = Reader("csv", "CSV or TSV with a header that names a column 'fen'", sniff, read)
LOST = ("sample_weight",)
ABOUT = "fen,result,score,ply,game,source,line with a header, White's view"
REFUSALS = (NO_PROBABILITY, FAR)
CSV = Writer("csv", ABOUT, (".csv",), write, LOST, write_located, REFUSALS)
TSV = Writer("tsv", "as csv, with tabs", (".tsv",), write_tsv, LOST, write_located_tsv, REFUSALS)
