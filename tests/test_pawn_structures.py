"""Set-wise pawn rules against loops over files and ranks, on 20,000 random pawn structures at once.

A structure is a (rank, file) table of booleans; the loops go square by square and treat all structures
together, so they share nothing with the bitboards they check.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from evalcore.compiled import call_set, kernel
from evalcore.positions import Positions
from evalcore.side import FIELDS, board_columns, describe
from evalcore.terms import TERMS

STRUCTURES = 20_000
Flags = NDArray[np.bool_]


class Structures(NamedTuple):
    """Pawns of both sides as (structure, rank, file); ours move toward higher ranks."""

    ours: Flags
    theirs: Flags


@cache
def positions() -> Positions:
    """Up to eight pawns a side on ranks 2-7, at random, and nothing else."""
    rng = np.random.default_rng(11)
    order = rng.permuted(np.tile(np.arange(8, 56), (STRUCTURES, 1)), axis=1).astype(np.uint64)
    bits = np.uint64(1) << order[:, :16]
    kept = rng.integers(0, 9, (2, STRUCTURES))
    sides = [bits[:, 8 * side : 8 * side + 8] * (np.arange(8) < kept[side][:, None]) for side in (0, 1)]
    white, black = (np.bitwise_or.reduce(side, axis=1) for side in sides)
    return Positions.from_columns({"pawns": white | black, "white": white})


@cache
def structures() -> Structures:
    columns = positions()
    ours = columns.pawns & columns.white
    tables = [
        np.unpackbits(pawns[:, None].view(np.uint8), axis=1, bitorder="little").reshape(-1, 8, 8).astype(bool)
        for pawns in (ours, columns.pawns ^ ours)
    ]
    return Structures(*tables)


@kernel
def marked_squares(address: int, boards: Any, white_to_move: Any, out: Any) -> None:
    """The set a rule answers for White, row by row."""
    white = np.zeros(FIELDS, np.uint64)
    black = np.zeros(FIELDS, np.uint64)
    for row in range(len(out)):
        describe(white, black, boards, white_to_move, row)
        out[row] = call_set(address, white.ctypes.data)


def by_rule(name: str) -> Flags:
    out = np.zeros(STRUCTURES, np.uint64)
    columns = positions()
    marked_squares(TERMS[name].compiled.address, board_columns(columns), columns.white_to_move, out)
    return (
        np.unpackbits(out[:, None].view(np.uint8), axis=1, bitorder="little").reshape(-1, 8, 8).astype(bool)
    )


# --- words of the loops: each is about one square of all structures ------------------------------------


def on_file(pawns: Flags, file: int, ranks: range = range(8)) -> Flags:
    """Whether there is a pawn on these ranks of a file; there is none beyond the edge."""
    found = np.zeros(STRUCTURES, bool)
    if 0 <= file < 8:
        for rank in ranks:
            if 0 <= rank < 8:
                found |= pawns[:, rank, file]
    return found


def beside(pawns: Flags, file: int, ranks: range = range(8)) -> Flags:
    """Whether there is a pawn on these ranks of either adjacent file."""
    return on_file(pawns, file - 1, ranks) | on_file(pawns, file + 1, ranks)


def at(pawns: Flags, rank: int, file: int) -> Flags:
    return on_file(pawns, file, range(rank, rank + 1))


def is_open(s: Structures, rank: int, file: int) -> Flags:
    return ~on_file(s.theirs, file, range(rank + 1, 8))


def is_isolated(s: Structures, rank: int, file: int) -> Flags:
    return ~beside(s.ours, file)


def is_half_isolated(s: Structures, rank: int, file: int) -> Flags:
    return on_file(s.ours, file - 1) != on_file(s.ours, file + 1)


def is_dominated(s: Structures, rank: int, file: int, covering: Flags) -> Flags:
    return beside(s.theirs, file, range(rank + 1, rank + 2)) & ~beside(covering, file, range(rank))


def is_backward(s: Structures, rank: int, file: int) -> Flags:
    return is_dominated(s, rank + 1, file, s.ours)


def is_straggler(s: Structures, rank: int, file: int) -> Flags:
    return is_backward(s, rank, file) & is_open(s, rank, file) & (rank in (1, 2))


def is_lever(s: Structures, rank: int, file: int) -> Flags:
    return beside(s.theirs, file, range(rank + 1, rank + 2))


def is_telestop_weak(s: Structures, rank: int, file: int, first: int = 0) -> Flags:
    return np.any([is_dominated(s, ahead, file, s.ours) for ahead in range(rank + first, 8)], axis=0)


def is_weak(s: Structures, rank: int, file: int) -> Flags:
    return ~beside(s.ours, file, range(rank + 1))


def is_passed(s: Structures, rank: int, file: int) -> Flags:
    return is_open(s, rank, file) & ~beside(s.theirs, file, range(rank + 1, 8))


def is_doubled(s: Structures, rank: int, file: int) -> Flags:
    return on_file(s.ours, file, range(rank + 1, 8))


def is_defended(s: Structures, rank: int, file: int) -> Flags:
    return beside(s.ours, file, range(rank - 1, rank))


def has_neighbour(s: Structures, rank: int, file: int) -> Flags:
    return beside(s.ours, file, range(rank, rank + 1))


def is_in_row_of(s: Structures, rank: int, file: int, length: int) -> Flags:
    found = np.zeros(STRUCTURES, bool)
    for first in range(file - length + 1, file + 1):
        row = np.all([at(s.ours, rank, each) for each in range(first, first + length)], axis=0)
        found |= row & ~at(s.ours, rank, first - 1) & ~at(s.ours, rank, first + length)
    return found


def is_sneaker(s: Structures, rank: int, file: int) -> Flags:
    hidden = at(s.theirs, rank + 1, file) & is_defended(s, rank, file) & ~is_lever(s, rank, file)
    return hidden & ~beside(s.theirs, file, range(rank + 1, 8)) & (rank in (4, 5))


def helpers_less_sentries(s: Structures, rank: int, file: int) -> NDArray[np.int64]:
    balance = np.zeros(STRUCTURES, np.int64)
    for side in (file - 1, file + 1):
        for other in range(8):
            balance += at(s.ours, other, side) if other <= rank else -1 * at(s.theirs, other, side)
    return balance


def would_be_passed(s: Structures, rank: int, file: int) -> Flags:
    return is_open(s, rank, file) & ~is_passed(s, rank, file)


def attacks_on(pawns: Flags, rank: int, file: int) -> NDArray[np.int64]:
    """How many pawns on this rank stand diagonally beside the file."""
    return at(pawns, rank, file - 1).astype(int) + at(pawns, rank, file + 1)


def is_outnumbered(s: Structures, rank: int, file: int) -> Flags:
    return attacks_on(s.theirs, rank + 1, file) > attacks_on(s.ours, rank - 1, file)


def controls_its_path(s: Structures, rank: int, file: int) -> Flags:
    lost = np.any([is_outnumbered(s, ahead, file) for ahead in range(rank + 1, 8)], axis=0)
    return would_be_passed(s, rank, file) & ~lost


def is_candidate_on_fifth(s: Structures, rank: int, file: int) -> Flags:
    attacked = attacks_on(s.theirs, rank + 2, file) > 0
    return is_open(s, rank, file) & attacked & ~is_outnumbered(s, rank + 1, file) & (rank == 4)


PAWN_RULES: dict[str, Callable[[Structures, int, int], Flags]] = {
    "isolated_pawn": is_isolated,
    "isolated_open_pawn": lambda s, r, f: is_isolated(s, r, f) & is_open(s, r, f),
    "half_isolated_pawn": is_half_isolated,
    "pawn_lacking_a_neighbour": lambda s, r, f: is_half_isolated(s, r, f) | is_isolated(s, r, f),
    "open_pawn": is_open,
    "lever": is_lever,
    "backward_pawn": is_backward,
    "straggler": is_straggler,
    "strict_straggler": lambda s, r, f: is_straggler(s, r, f) & ~is_lever(s, r, f),
    "telestop_weak_pawn": is_telestop_weak,
    "telestop_weak_pawn_strict": lambda s, r, f: is_telestop_weak(s, r, f, 1),
    "weak_pawn": is_weak,
    "passed_pawn": is_passed,
    "foremost_passed_pawn": lambda s, r, f: is_passed(s, r, f) & ~is_doubled(s, r, f),
    "protected_passed_pawn": lambda s, r, f: is_passed(s, r, f) & is_defended(s, r, f),
    "doubled_pawn": is_doubled,
    "doubled_front_pawn": lambda s, r, f: on_file(s.ours, f, range(r)),
    "defended_pawn": is_defended,
    "phalanx": has_neighbour,
    "duo": lambda s, r, f: is_in_row_of(s, r, f, 2),
    "trio": lambda s, r, f: is_in_row_of(s, r, f, 3),
    "quart": lambda s, r, f: is_in_row_of(s, r, f, 4),
    "sneaker": is_sneaker,
    "candidate_pawn": lambda s, r, f: would_be_passed(s, r, f) & (helpers_less_sentries(s, r, f) >= 0),
    "faker": lambda s, r, f: would_be_passed(s, r, f) & (helpers_less_sentries(s, r, f) < 0),
    "candidate_pawn_by_path": controls_its_path,
    "candidate_pawn_on_fifth": is_candidate_on_fifth,
}
"""Term -> whether one of our pawns on (rank, file) is marked."""


def by_loops(rule: Callable[[Structures, int, int], Flags]) -> Flags:
    s = structures()
    found = np.zeros_like(s.ours)
    for rank in range(1, 7):
        for file in range(8):
            found[:, rank, file] = s.ours[:, rank, file] & rule(s, rank, file)
    return found


@pytest.mark.parametrize("name", PAWN_RULES)
def test_the_set_equals_the_loops(name: str) -> None:
    expected = by_loops(PAWN_RULES[name])
    assert expected.any(axis=(1, 2)).sum() > 30
    assert np.array_equal(by_rule(name), expected)


def test_the_second_pass_trusts_only_pawns_that_can_move() -> None:
    s = structures()
    first = by_loops(is_backward)
    rammed = by_loops(lambda s, rank, file: at(s.theirs, rank + 1, file))
    movable = s.ours & ~first & ~rammed
    second = by_loops(lambda s, rank, file: is_dominated(s, rank + 1, file, movable))
    assert np.array_equal(by_rule("backward_pawn_second_pass"), second & ~first)


@pytest.mark.parametrize("name", ["isolated_pawn", "backward_pawn"])
def test_isolated_and_backward_pawns_are_weak(name: str) -> None:
    assert not (by_rule(name) & ~by_rule("weak_pawn")).any()


def test_the_literal_half_isolated_pawns_are_the_others_and_the_isolated() -> None:
    both = by_rule("half_isolated_pawn") | by_rule("isolated_pawn")
    assert np.array_equal(by_rule("pawn_lacking_a_neighbour"), both)


def test_as_many_pawns_are_in_front_as_behind_on_every_file() -> None:
    assert np.array_equal(by_rule("doubled_pawn").sum(1), by_rule("doubled_front_pawn").sum(1))


def test_the_wide_sense_of_telestop_adds_pawns_on_weak_squares() -> None:
    wide, strict = by_rule("telestop_weak_pawn"), by_rule("telestop_weak_pawn_strict")
    standing = by_loops(lambda s, rank, file: is_dominated(s, rank, file, s.ours))
    assert np.array_equal(wide, strict | standing)
    assert (standing & ~strict).any()


def test_candidates_and_fakers_are_the_open_pawns_that_are_not_passed() -> None:
    parts = [by_rule(name) for name in ("candidate_pawn", "faker", "passed_pawn")]
    assert np.array_equal(np.sum(parts, axis=0), by_rule("open_pawn"))
