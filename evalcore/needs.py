"""What a rule looks at: the fields of `Side` its code reads, through all functions it calls.

A format that does not carry the side to move, or castling rights, is no source for terms that need them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import CodeType
from typing import TYPE_CHECKING, Any

from .side import Side

if TYPE_CHECKING:
    from .term import Term

FIELDS_OF_COLUMN = {
    "white_to_move": frozenset({"to_move"}),
    "castling_rights": frozenset({"castling", "their_castling"}),
}
"""Columns of `Positions` that formats may lack, and the fields of `Side` that come from them."""


def fields_read(rule: Callable[..., Any]) -> frozenset[str]:
    """Names of the fields of `Side` that a rule, or a function it calls, may read."""
    names = {name for code in _codes(rule, set()) for name in code.co_names}
    return frozenset(names & set(Side._fields))


def _codes(function: Any, seen: set[int]) -> Iterator[CodeType]:
    code = getattr(function, "__code__", None)
    if code is None or id(code) in seen:
        return
    seen.add(id(code))
    for each in _nested(code):
        yield each
        for name in each.co_names:
            yield from _codes(function.__globals__.get(name), seen)
    for cell in function.__closure__ or ():
        yield from _codes(cell.cell_contents, seen)


def _nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested(constant)


def needs(term: Term, column: str) -> bool:
    """Whether a term cannot be counted without a column of `Positions`."""
    if column == "white_to_move" and term.split:
        return True
    return bool(fields_read(term.rule) & FIELDS_OF_COLUMN.get(column, frozenset()))


def terms_without(terms: Iterable[Term], lost: Iterable[str]) -> dict[str, list[str]]:
    """Column -> the terms that cannot be counted without it; only columns that matter."""
    listed = tuple(terms)
    found = {column: [term.name for term in listed if needs(term, column)] for column in lost}
    return {column: names for column, names in found.items() if names}
