"""What a term is: one pure rule, and a partition that says which column each square falls in.

A rule is one of three kinds, all written for "us" (see `Side`):

* a set rule `(us) -> squares`;
* a piece rule `(us, square) -> squares`, run for each of our pieces of one kind (`each="knights"`);
* a count rule `(us) -> int` (`number=True`).

The count of a column is White's minus Black's. Compiled rules and the Python body are the same function.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from numba import types

from .compiled import SOURCES, compile_rule
from .errors import InputError
from .side import SIDE, Side

SET, PIECE, COUNT = 0, 1, 2
KINDS = ("set", "piece", "count")
SUM, TABLE, BUCKET = 0, 1, 2

SPLIT_SIDES = ("own", "opponent")
"""Prefixes of the labels of a split term: the side to move, the other one."""
PIECES = ("pawns", "knights", "bishops", "rooks", "queens", "king")
FILES = "abcdefgh"
SQUARES = tuple(f"{file}{rank}" for rank in range(1, 9) for file in FILES)


@dataclass(frozen=True)
class Partition:
    """How squares, or their number, fall into the columns of a term.

    `table` maps each square (a1 = 0, our view) to a column, -1 for squares that are not counted. Without a
    table the number of squares is what counts: it is added up where there is one column, and picks the
    column (the last one for larger numbers) where there are several.
    """

    name: str
    labels: tuple[str, ...]
    table: tuple[int, ...] | None = None

    @property
    def mode(self) -> int:
        if self.table is not None:
            return TABLE
        return SUM if len(self.labels) == 1 else BUCKET

    def folded(self) -> Partition:
        """Files a-d and h-e share columns: `a/h`, `b/g` …"""
        if self.table is None:
            raise ValueError("only partitions of squares can be folded")
        kept = [self.table[8 * (square // 8) + min(square % 8, 7 - square % 8)] for square in range(64)]
        columns = sorted({column for column in kept if column >= 0})
        labels = tuple(_folded_label(self.labels[column]) for column in columns)
        table = tuple(columns.index(column) if column >= 0 else -1 for column in kept)
        return Partition(f"{self.name}, files folded", labels, table)

    def within(self, squares: int, name: str) -> Partition:
        """The same columns, but only those of the given set of squares."""
        if self.table is None:
            raise ValueError("only partitions of squares can be restricted")
        kept = [column if squares >> square & 1 else -1 for square, column in enumerate(self.table)]
        columns = sorted({column for column in kept if column >= 0})
        labels = tuple(self.labels[column] for column in columns)
        return Partition(name, labels, tuple(columns.index(c) if c >= 0 else -1 for c in kept))


def _folded_label(label: str) -> str:
    file = label.removeprefix("file ")[0]
    return label.replace(file, f"{file}/{FILES[7 - FILES.index(file)]}", 1)


WHOLE = Partition("whole", ("",))
BY_FILE = Partition("file", tuple(f"file {file}" for file in FILES), tuple(s % 8 for s in range(64)))
BY_RANK = Partition("rank", tuple(f"rank {rank}" for rank in range(1, 9)), tuple(s // 8 for s in range(64)))
BY_SQUARE = Partition("square", SQUARES, tuple(range(64)))
_PAWN_RANKS = 0x00FF_FFFF_FFFF_FF00
BY_PAWN_RANK = BY_RANK.within(_PAWN_RANKS, "rank 2-7")
BY_PAWN_SQUARE = BY_SQUARE.within(_PAWN_RANKS, "square, ranks 2-7")
BY_FOLDED_FILE = BY_FILE.folded()


@cache
def BY_COUNT(columns: int) -> Partition:
    """One column a number 0, 1 … columns-1; larger numbers fall into the last."""
    return Partition(f"count 0-{columns - 1}", tuple(str(number) for number in range(columns)))


@dataclass(frozen=True)
class Term:
    """One evaluation idea: a name, a rule and a partition.

    `page` is the wiki page or paper of the definition. `each` names the piece kind of a piece rule.
    `expensive` marks rules that cost more than 3 microseconds a position. `split` gives the side to move
    and its opponent columns of their own (asymmetric evaluation). `spec` holds the keys and values by which
    an evaluation file asked for this form of the term, for files written from it.
    """

    name: str
    rule: Callable[..., int] = field(repr=False)
    partition: Partition
    page: str
    kind: int = SET
    each: str = ""
    expensive: bool = False
    concept: tuple[str, ...] = ()
    split: bool = False
    spec: tuple[tuple[str, Any], ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels of the columns; a split term has them twice, for the side to move and for its opponent."""
        labels = self.partition.labels
        if not self.split:
            return labels
        return tuple(", ".join(filter(None, (side, label))) for side in SPLIT_SIDES for label in labels)

    @property
    def definition(self) -> str:
        return inspect.cleandoc(self.rule.__doc__ or "")

    @cached_property
    def compiled(self) -> Any:
        """The machine-code form; its `.address` is what the extraction and the search call."""
        inside = Path(self.rule.__code__.co_filename).is_relative_to(SOURCES)
        try:
            return compile_rule(self.rule, _SIGNATURES[self.kind], cached=inside)
        except Exception as error:
            reason = _last_line(error)
            raise InputError(f"the rule of term {self.name} cannot be compiled: {reason}") from error

    def squares(self, us: Side) -> int:
        """The plain Python body on one side: squares, or the number of a count rule."""
        if self.kind != PIECE:
            return self.rule(us)
        raise TypeError("a piece rule needs a square: call .rule(us, square)")


_SIGNATURES = (types.uint64(SIDE), types.uint64(SIDE, types.int64), types.int64(SIDE))


def _last_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [line for line in lines if "rror" in line or "nknown" in line]
    return (telling or lines or [repr(error)])[0]


def term(
    partition: Partition,
    *,
    page: str,
    each: str = "",
    number: bool = False,
    expensive: bool = False,
    concept: str = "",
) -> Callable[[Callable[..., int]], Term]:
    """Makes a term of a rule; the term is named as the function.

    `each` = one of pawns, knights, bishops, rooks, queens, king makes it a piece rule; `number` a count rule.
    `concept` holds one row of the table of concepts, or several: "C5 C3".
    """
    if each and each not in PIECES:
        raise ValueError(f"each={each!r} is no piece kind; choose from {', '.join(PIECES)}")
    if number and partition.mode == TABLE:
        raise ValueError("a count rule returns no squares: its partition is WHOLE or BY_COUNT(n)")
    kind = COUNT if number else PIECE if each else SET

    def decorate(rule: Callable[..., int]) -> Term:
        return Term(rule.__name__, rule, partition, page, kind, each, expensive, tuple(concept.split()))

    return decorate


def no_term(reference: str, folder: Path) -> NoReturn:
    """Raises InputError: the file has no such term."""
    file, _, name = reference.partition(":")
    advice = "decorate a function with @term(partition, page=...)"
    raise InputError(f"{folder / file}: has no term called {name!r}; {advice}")


def load_object(reference: str, folder: Path) -> object:
    """What `file.py:name` names, or None where the file has nothing of that name."""
    file, _, name = reference.partition(":")
    path = (folder / file).resolve()
    if not path.is_file():
        raise InputError(f"{path}: no such file; a term of your own is written file.py:name")
    return getattr(_load_module(path), name, None)


def _load_module(path: Path) -> ModuleType:
    name = f"user_terms_{path.stem}_{hashlib.sha256(path.read_bytes()).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise InputError(f"{path}: cannot be loaded: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(str(path.parent))
    return module
