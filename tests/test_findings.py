"""What a fit says about itself: separable labels, weights that run away, draws, ends short of the optimum."""

from dataclasses import replace

import numpy as np
import pytest
from problems import data_objective, feature_matrix, planted

from tuner.findings import extreme_scale, findings, separated
from tuner.objectives import DataObjective
from tuner.optimizers import OPTIMIZERS, Minimum, silent
from tuner.scale import slope


def separable(*, through_zero: bool) -> DataObjective:
    """Results that a line decides; with `through_zero`, scores of zero are won as well."""
    rng = np.random.default_rng(1)
    dense = rng.integers(-2, 3, (300, 3))
    margin = dense @ np.array([3, 2, 1])
    dense, margin = dense[margin != 0], margin[margin != 0]
    if through_zero:
        dense, margin = np.vstack([dense, np.zeros((9, 3), int)]), np.append(margin, np.ones(9))
    return data_objective(feature_matrix(dense, [24] * len(dense)), (margin > 0).astype(float))


def solve(made: DataObjective, method: str = "texel", **options: object) -> Minimum:
    end: Minimum = OPTIMIZERS[method](**options).minimize(
        made, made.prior, rng=np.random.default_rng(1), observe=silent
    )
    return end


@pytest.mark.parametrize("method", ["texel", "newton", "gauss-newton", "lbfgs"])
def test_separable_labels_are_named_and_not_iterated_on(method: str) -> None:
    made = separable(through_zero=False)
    end = solve(made, method)
    assert np.isfinite(end.x).all()
    assert end.passes <= 250
    assert separated(made, end)
    assert any("separate all won from all lost positions" in note for note in findings(made, end))


def test_labels_that_are_separable_but_for_even_scores() -> None:
    made = separable(through_zero=True)
    end = solve(made)
    assert not separated(made, end)
    assert any("ran away beyond 30 pawns: term[0].mg" in note for note in findings(made, end))


def test_a_ridge_holds_separable_labels() -> None:
    made = separable(through_zero=True)
    held = DataObjective(**{**vars(made), "ridge": np.full(made.size, 1e-2)})
    end = solve(held)
    assert end.converged
    assert np.abs(end.x).max() < 3000.0
    assert not any("ran away" in note for note in findings(held, end))


@pytest.mark.parametrize("ridge", [0.0, 1e-9])
def test_weights_beyond_any_piece_are_named_where_nothing_holds_them(ridge: float) -> None:
    """Short of the thirty pawns beyond which no ridge excuses them."""
    made = separable(through_zero=True)
    made = DataObjective(**{**vars(made), "ridge": np.full(made.size, ridge)})
    end = replace(solve(made), x=np.where(np.arange(made.size) == 0, 1537.0, 0.0), converged=True)
    told = [note for note in findings(made, end) if "ran away" in note]
    assert [note.split(";")[0] for note in told] == (
        [] if ridge else ["weights ran away beyond 15 pawns: term[0].mg"]
    )


def test_usual_fits_have_nothing_to_say() -> None:
    simulated = planted()
    made = data_objective(simulated.features, simulated.result, scale=simulated.scale)
    assert list(findings(made, solve(made))) == []


def test_an_end_short_of_the_optimum_is_said() -> None:
    simulated = planted()
    made = data_objective(simulated.features, simulated.result, scale=simulated.scale)
    (note,) = findings(made, solve(made, "adam", epochs=2))
    assert note.startswith("the fit did not reach the optimum: stopped after 2 epochs; about")


def test_the_drawn_zone_is_said() -> None:
    simulated = planted()
    made = data_objective(simulated.features, simulated.result, loss="ordinal", scale=simulated.scale)
    (note,) = findings(made, solve(made))
    assert note == "the drawn zone of the ordinal loss is 0.6000 log-odds, 100 cp to either side"


def test_a_fitted_scale_that_means_nothing_is_said() -> None:
    simulated = planted()
    noise = np.random.default_rng(2).permutation(simulated.result)
    made = data_objective(simulated.features, noise, scale=slope(0.0064))
    assert any(
        "K is 0.0064: the scores of the starting weights hardly" in n
        for n in findings(made, solve(made), fitted_k=True)
    )
    assert not any("hardly" in note for note in findings(made, solve(made)))
    assert list(extreme_scale(0.5)) == list(extreme_scale(2.0)) == []
    (note,) = extreme_scale(95.0)
    assert note.startswith("K is 95: the scores of the starting weights decide nearly every result")
