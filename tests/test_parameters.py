"""Which weights are free, tied or fixed, and how free numbers fill the table."""

import numpy as np
import pytest
from numpy.typing import NDArray
from problems import layout, weights

from evalcore.errors import InputError, UnknownName
from tuner.parameters import FROZEN, UNSEEN, UNUSED, Parameters, find_weights, make_parameters

SHAPE = layout(pawn=1, table=3, early=(2, "mg"), late=(1, "eg"), plain=(2, "none"))
START = np.arange(18, dtype=float).reshape(9, 2)


def parameters(
    *freeze: str, occurrences: list[int] | None = None, tie: list[list[str]] | None = None
) -> Parameters:
    seen = None if occurrences is None else np.array(occurrences)
    return make_parameters(weights(SHAPE, START), freeze=freeze, occurrences=seen, tie=tie or [])


def tying_matrix(free: Parameters) -> NDArray[np.float64]:
    """The oracle: a dense (weights, free numbers) matrix of zeros and ones."""
    matrix = np.zeros((2 * len(free.layout), free.size))
    for weight, owner in enumerate(free.owner.ravel().tolist()):
        if owner >= 0:
            matrix[weight, owner] = 1.0
    return matrix


CASES = {
    "all free": parameters(),
    "a frozen term": parameters("table"),
    "an unseen column": parameters(occurrences=[5, 1, 0, 2, 3, 1, 1, 0, 4]),
    "one phase of an untapered term": parameters("plain[0].eg", "pawn.mg"),
    "ties across terms and phases": parameters(
        tie=[["pawn.mg", "late.eg"], ["early.mg", "plain.mg"], ["table[0]", "table[2]"]]
    ),
    "nothing": parameters("pawn", "table", "early", "late", "plain"),
}


def test_the_layout_decides_what_is_free() -> None:
    free = parameters()
    assert free.names() == [
        "pawn.mg", "pawn.eg", "table[0].mg", "table[0].eg", "table[1].mg", "table[1].eg",
        "table[2].mg", "table[2].eg", "early[0].mg", "early[1].mg", "late.eg", "plain[0]", "plain[1]",
    ]  # fmt: skip
    assert free.size == 13
    assert free.flags[4].tolist() == ["", UNUSED]
    assert free.flags[6].tolist() == [UNUSED, ""]


@pytest.mark.parametrize(
    ("freeze", "fixed"),
    [
        ("pawn", [(0, 0), (0, 1)]),
        ("pawn.eg", [(0, 1)]),
        ("table[1]", [(2, 0), (2, 1)]),
        ("table[2].mg", [(3, 0)]),
        ("table.eg", [(1, 1), (2, 1), (3, 1)]),
        ("early", [(4, 0), (4, 1), (5, 0), (5, 1)]),
    ],
)
def test_terms_weights_and_phases_can_be_frozen(freeze: str, fixed: list[tuple[int, int]]) -> None:
    free, before = parameters(freeze), parameters()
    assert np.argwhere(free.flags == FROZEN).tolist() == [list(place) for place in fixed]
    newly_fixed = (free.owner < 0) & (before.owner >= 0)
    assert free.size == before.size - newly_fixed.sum()
    moved = free.table(np.full(free.size, 99.0))
    np.testing.assert_array_equal(moved[free.owner < 0], START[free.owner < 0])
    np.testing.assert_array_equal(moved[free.owner >= 0], 99.0)


def test_freezing_one_phase_of_an_untapered_weight_leaves_the_other_free() -> None:
    free = CASES["one phase of an untapered term"]
    assert "plain[0].mg" in free.names()
    assert free.owner[7, 0] >= 0 > free.owner[7, 1]


def test_columns_without_positions_keep_their_start() -> None:
    free = CASES["an unseen column"]
    assert (free.flags[[2, 7]] == UNSEEN).all()
    np.testing.assert_array_equal(free.table(np.zeros(free.size))[[2, 7]], START[[2, 7]])


def test_what_is_frozen_and_unseen_is_called_frozen() -> None:
    free = parameters("table[1]", occurrences=[5, 1, 0, 2, 3, 1, 1, 0, 4])
    assert free.flags[2].tolist() == [FROZEN, FROZEN]


@pytest.mark.parametrize("case", CASES)
def test_tables_and_gradients_are_the_dense_matrix(case: str) -> None:
    free, rng = CASES[case], np.random.default_rng(1)
    matrix = tying_matrix(free)
    x, gradient = rng.normal(size=free.size), rng.normal(size=(len(SHAPE), 2))
    square = rng.normal(size=(18, 18))
    np.testing.assert_allclose(free.direction(x).ravel(), matrix @ x)
    fixed = free.owner.ravel() < 0
    np.testing.assert_allclose(free.table(x).ravel(), matrix @ x + np.where(fixed, START.ravel(), 0.0))
    np.testing.assert_allclose(free.pull_back(gradient), matrix.T @ gradient.ravel())
    np.testing.assert_allclose(free.pull_back_matrix(square), matrix.T @ square @ matrix)


@pytest.mark.parametrize("case", CASES)
def test_gather_undoes_table(case: str) -> None:
    free = CASES[case]
    x = np.random.default_rng(2).normal(size=free.size)
    np.testing.assert_array_equal(free.gather(free.table(x)), x)
    assert len(free.names()) == free.size == len(set(free.names()))


def test_ties_join_weights_one_by_one() -> None:
    free = CASES["ties across terms and phases"]
    owner = free.owner
    assert owner[0, 0] == owner[6, 1] >= 0
    assert owner[1].tolist() == owner[3].tolist()
    assert owner[4, 0] == owner[7, 0] == owner[7, 1]
    assert owner[5, 0] == owner[8, 0] == owner[8, 1]
    assert owner[4, 0] != owner[5, 0]
    assert free.size == 8


def test_ties_reach_across_several_entries() -> None:
    free = parameters(tie=[["table[0]", "table[1]"], ["table[2]", "table[1]"]])
    assert len({tuple(pair) for pair in free.owner[1:4].tolist()}) == 1


def test_a_weight_tied_to_one_that_occurs_is_free() -> None:
    seen = [1, 1, 1, 0, 1, 1, 1, 0, 0]
    free = parameters(occurrences=seen, tie=[["table[0]", "table[2]"]])
    assert free.owner[3].tolist() == free.owner[1].tolist()
    assert (free.flags[7:] == UNSEEN).all()


def test_a_frozen_weight_is_tied_to_frozen_ones_alone() -> None:
    with pytest.raises(InputError, match=r"table\[0\] is frozen and tied to what is not"):
        parameters("table[0]", tie=[["table[0]", "table[1]", "table[2]"]])
    with pytest.raises(InputError, match=r"plain\[0\] is frozen and tied to what is not"):
        parameters("plain[0].mg", tie=[["plain[0].mg", "pawn.mg"]])
    both = parameters("table[0]", "table[1]", tie=[["table[0]", "table[1]"]])
    assert (both.owner[1:3] < 0).all()
    assert (both.owner[3] >= 0).all()


def test_whole_families_are_frozen_by_a_pattern() -> None:
    free = parameters("*a*.eg")
    frozen = free.flags == FROZEN
    assert frozen[0].tolist() == [False, True]
    assert frozen[1:4].tolist() == [[False, True]] * 3
    assert not frozen[4:, 0].any()
    with pytest.raises(UnknownName, match="tabel"):
        parameters("tabel*")


def test_tied_names_have_the_same_number_of_weights() -> None:
    with pytest.raises(InputError, match="pawn has 2 weights, table has 6: they cannot be tied"):
        parameters(tie=[["pawn", "table"]])


def test_tied_weights_start_from_the_first() -> None:
    free = parameters()
    assert free.start[free.names().index("plain[1]")] == START[8, 0]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("pwn", "pawn"),
        ("table[7]", "table"),
        ("table[1", "table"),
        ("table.xg", "table"),
        ("pawn[0]", "pawn"),
    ],
)
def test_an_unknown_name_lists_what_is_near(name: str, hint: str) -> None:
    with pytest.raises(UnknownName, match=hint):
        find_weights(SHAPE, name)
