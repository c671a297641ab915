"""The compiled loop from positions to sparse counts.

A `Plan` says which rules run and where their columns lie. Rules are called through an array of
addresses, so one compiled loop serves every selection of terms; the batch extraction and the
evaluation of one position use the same loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .bitboards import lowest, popcount, without_lowest
from .compiled import call_count, call_piece, call_set, kernel
from .side import FIELDS, TO_MOVE, describe
from .term import COUNT, PIECE, PIECES, SUM, TABLE, Term

OVERFLOW = -1


class Plan(NamedTuple):
    """The selected terms as arrays, one entry a term; `tables` is (terms, 64).

    `opponents` is what to add to the base of a split term for the side that is not to move, else 0.
    """

    addresses: NDArray[np.int64]
    kinds: NDArray[np.int8]
    pieces: NDArray[np.int8]
    modes: NDArray[np.int8]
    sizes: NDArray[np.int64]
    bases: NDArray[np.int64]
    tables: NDArray[np.int16]
    opponents: NDArray[np.int64]


def plan_of(terms: Sequence[Term]) -> Plan:
    """Compiles the rules (or loads them) and lays their columns out one after another."""
    widths = np.array([len(term.labels) for term in terms], np.int64)
    sizes = np.array([len(term.partition.labels) for term in terms], np.int64)
    tables = np.zeros((len(terms), 64), np.int16)
    for row, term in enumerate(terms):
        if term.partition.table is not None:
            tables[row] = term.partition.table
    return Plan(
        np.array([term.compiled.address for term in terms], np.int64),
        np.array([term.kind for term in terms], np.int8),
        np.array([PIECES.index(term.each) if term.each else 0 for term in terms], np.int8),
        np.array([term.partition.mode for term in terms], np.int8),
        sizes,
        np.concatenate([[0], np.cumsum(widths)[:-1]]).astype(np.int64),
        tables,
        widths - sizes,
    )


@kernel
def add(column: int, amount: int, counts: Any, touched: Any) -> None:
    """Adds to one column of a dense row and remembers that it was touched."""
    counts[column] += amount
    touched[column >> 6] |= np.uint64(1) << np.uint64(column & 63)


@kernel
def add_squares(squares: int, term: int, base: int, plan: Plan, sign: int, counts: Any, touched: Any) -> None:
    """Adds the squares a rule returned, as the term's partition says, to the columns from `base` on."""
    if plan.modes[term] == TABLE:
        while squares:
            column = plan.tables[term, lowest(squares)]
            squares = without_lowest(squares)
            if column >= 0:
                add(base + column, sign, counts, touched)
    else:
        add_number(popcount(squares), term, base, plan, sign, counts, touched)


@kernel
def add_number(number: int, term: int, base: int, plan: Plan, sign: int, counts: Any, touched: Any) -> None:
    """Adds a number: to the one column of the term, or one to the column of that number."""
    if plan.modes[term] == SUM:
        if number != 0:
            add(base, sign * number, counts, touched)
    else:
        add(base + min(max(number, 0), plan.sizes[term] - 1), sign, counts, touched)


@kernel
def count_side(side: Any, plan: Plan, sign: int, counts: Any, touched: Any) -> None:
    """Runs all rules for one side; `sign` is 1 for White and -1 for Black."""
    record = side.ctypes.data
    for term in range(len(plan.addresses)):
        address = plan.addresses[term]
        kind = plan.kinds[term]
        base = plan.bases[term] + (0 if side[TO_MOVE] else plan.opponents[term])
        if kind == PIECE:
            rest = side[plan.pieces[term]]
            while rest:
                squares = call_piece(address, record, lowest(rest))
                rest = without_lowest(rest)
                add_squares(squares, term, base, plan, sign, counts, touched)
        elif kind == COUNT:
            add_number(call_count(address, record), term, base, plan, sign, counts, touched)
        else:
            add_squares(call_set(address, record), term, base, plan, sign, counts, touched)


@kernel
def phase_of(boards: Any, row: int, weights: Any, maximum: float) -> float:
    """Sum of the phase weights of all men (P N B R Q K) on the board, at most `maximum`."""
    total = 0.0
    for piece in range(6):
        total += weights[piece] * popcount(boards[piece][row])
    return min(total, maximum)


@kernel
def extract_rows(
    boards: Any,
    white_to_move: Any,
    rows: Any,
    plan: Plan,
    width: int,
    phase_weights: Any,
    phase_maximum: float,
    indptr: Any,
    columns: Any,
    counts: Any,
    phase: Any,
) -> tuple[int, int]:
    """Fills one block: for each of `rows` the non-zero columns in ascending order, their counts, the phase.

    Returns (rows done, 0); fewer rows than asked when `columns` is full, (row, OVERFLOW - column) when a
    count does not fit into eight bits.
    """
    white = np.zeros(FIELDS, np.uint64)
    black = np.zeros(FIELDS, np.uint64)
    dense = np.zeros(width, np.int64)
    touched = np.zeros((width + 63) // 64, np.uint64)
    used = 0
    indptr[0] = 0
    for done in range(len(rows)):
        row = rows[done]
        describe(white, black, boards, white_to_move, row)
        count_side(white, plan, 1, dense, touched)
        count_side(black, plan, -1, dense, touched)
        if used + width > len(columns):
            return done, 0
        for word in range(len(touched)):
            bits = touched[word]
            touched[word] = 0
            while bits:
                column = 64 * word + lowest(bits)
                bits = without_lowest(bits)
                count = dense[column]
                dense[column] = 0
                if count < -128 or count > 127:
                    return row, OVERFLOW - column
                if count != 0:
                    columns[used] = column
                    counts[used] = count
                    used += 1
        indptr[done + 1] = used
        phase[done] = phase_of(boards, row, phase_weights, phase_maximum)
    return len(rows), 0


@kernel
def fill_phases(boards: Any, weights: Any, maximum: float, out: Any) -> None:
    """The phase of every row."""
    for row in range(len(out)):
        out[row] = phase_of(boards, row, weights, maximum)
