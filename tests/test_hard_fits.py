"""Real trouble of other tuners: weights that cannot be told apart, and a search that sticks on a tie."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from problems import data_objective, feature_matrix, layout, weights

from tuner.inference.errors import uncertainty
from tuner.inference.identifiability import identifiability
from tuner.objectives import DataObjective
from tuner.optimizers import OPTIMIZERS, Minimum, silent
from tuner.optimizers.local_search import STUCK
from tuner.parameters import UNSEEN, make_parameters

SCALE = 0.005756462732485115
NAMES = ("pawn", "minor", "sum", "copy", "never")
REDUNDANT = Path(__file__).parent / "data" / "redundant_features.csv"


def redundant(start: float) -> DataObjective:
    """A column that is the sum of two others, a copy, and one that never occurs; all untapered."""
    table = np.loadtxt(REDUNDANT, delimiter=",", skiprows=1)
    features = feature_matrix(table[:, :5], np.full(len(table), 24.0), block_rows=64)
    shape = layout(**dict.fromkeys(NAMES, (1, "none")))
    free = make_parameters(weights(shape, start), occurrences=features.occurrences())
    return data_objective(features, table[:, 5], scale=SCALE, parameters=free, ridge=1e-9)


def solve(method: str, objective: DataObjective, start: NDArray[np.float64]) -> Minimum:
    end: Minimum = OPTIMIZERS[method]().minimize(
        objective, start, rng=np.random.default_rng(1), observe=silent
    )
    return end


@pytest.mark.parametrize("start", [0.0, 100.0, 1000.0])
@pytest.mark.parametrize("method", ["texel", "newton", "lbfgs"])
def test_weights_that_cannot_be_told_apart(method: str, start: float) -> None:
    """The sums that the data determine come out from any start; what never occurs keeps its start."""
    objective = redundant(start)
    end = solve(method, objective, objective.parameters.start)
    assert np.isfinite(end.x).all()
    pawn, minor, both, copy, never = objective.parameters.table(end.x)[:, 0]
    assert pawn + both == pytest.approx(90.0, abs=2.0)
    assert minor + both + copy == pytest.approx(300.0, abs=2.0)
    assert never == start
    assert (objective.parameters.flags[4] == UNSEEN).all()


def test_the_rank_and_the_redundant_columns_are_reported() -> None:
    objective = redundant(0.0)
    end = solve("texel", objective, objective.parameters.start)
    found = identifiability(uncertainty(objective, end.x, np.arange(len(objective)), "position"))
    assert (found.rank, found.size, found.nullity) == (2, 4, 2)
    assert {frozenset(pair[:2]) for pair in found.duplicates} == {frozenset({"minor", "copy"})}
    assert found.unseen == ("never",)
    named = " ".join(direction.text for direction in found.null_directions)
    assert all(name in named for name in ("pawn", "minor", "sum", "copy"))


def tied() -> DataObjective:
    """Knight and bishop side by side: rows of 4 : −4 that are drawn hold them together."""
    rows = [[1, 0], [0, 1], [1, 1], [-1, 0], [0, -1], [-1, -1], *[[4, -4], [-4, 4]] * 7]
    results = [1, 1, 1, 0, 0, 0, *[0.5] * 14]
    shape = layout(knight=(1, "none"), bishop=(1, "none"))
    free = make_parameters(weights(shape, 325.0))
    features = feature_matrix(rows, np.full(20, 24.0))
    return data_objective(features, results, loss="squared", scale=SCALE, parameters=free)


def test_a_search_of_single_weights_says_that_it_is_stuck() -> None:
    objective = tied()
    start = objective.parameters.start
    for move in ([1, 0], [-1, 0], [0, 1], [0, -1]):
        assert objective.value(start + np.array(move, float)) > objective.value(start)
    assert objective.value(start + 1.0) < objective.value(start)
    end = OPTIMIZERS["local"](first_step=1.0).minimize(
        objective, start, rng=np.random.default_rng(1), observe=silent
    )
    np.testing.assert_array_equal(end.x, start)
    assert not end.converged
    assert end.message.startswith(STUCK)


@pytest.mark.parametrize("method", ["texel", "newton", "gauss-newton", "lbfgs", "cg", "spsa", "cma-es"])
def test_other_methods_move_both_together(method: str) -> None:
    objective = tied()
    end = solve(method, objective, objective.parameters.start)
    assert end.value < objective.value(objective.parameters.start)
    assert abs(end.x[0] - end.x[1]) < 2.0
    assert end.x.min() > 330.0
