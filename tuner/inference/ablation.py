"""What is each term worth? The fit repeated without it: held-out loss, and a likelihood-ratio test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError

from .errors import Uncertainty, uncertainty
from .rank import inverse_of_independent
from .refit import Held, game_losses, refit, scaled_ridge
from .terms import Tested
from .validation import Told, silence

if TYPE_CHECKING:
    import pandas as pd

    from ..problem import Problem

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

WEAK = 1e-2
"""Share of the ridge under which likelihood ratios are taken: a full prior would argue for its weights."""


def without_terms(
    problem: Problem, x: Floats, terms: Sequence[str] = (), *, told: Told = silence
) -> pd.DataFrame:
    """One row a term (all unless named): the fit with all its weights at zero against the fit with it.

    `x` is where the search for the optima begins: the end of the fit, which need not be quite at the optimum.

    Columns: term, df, train_change, validation_change, validation_change_se (losses without the term less
    losses with it, under the job's own penalty; positive where the term helps), lr (likelihood ratio: twice
    the fall of the loss, in units in which chance gives df), lr_p. The ratio is taken under a hundredth of
    the penalty and judged by its distribution for clustered data, a weighted sum of χ². Terms that others
    can replace entirely (df 0) have no numbers: what the prior does about them says nothing about chess.
    """
    import pandas as pd

    weak = scaled_ridge(problem.objective, WEAK)
    if problem.objective.constraints:
        raise InputError(
            "terms cannot be left out of a fit with bounds, monotone tables or lasso penalties: fit without"
            " these rules and ask there, or fit with --freeze TERM from a start where the term is zero, and"
            " compare the two runs"
        )
    x, full = refit(problem, problem.objective, x), refit(problem, weak, x)
    train_groups = problem.data.groups.of_row[problem.data.train]
    # at the end of the fit, as in `terms_table`: the same directions, and no curvature of runaway weights
    found = uncertainty(problem.objective, x, train_groups, problem.data.groups.kind)
    evidence = _Evidence(found)
    rows = []
    for term, members in found.parameters.of_terms().items():
        if not len(members) or (terms and term not in terms):
            continue
        freedom = evidence.freedom(members)
        if not freedom:
            rows.append((term, 0, *[np.nan] * 5))
            continue
        bare = _without(problem, weak, full, members)
        deviance = 2.0 * (weak.data_loss(bare) - weak.data_loss(full))
        change = _changes(problem, x, _without(problem, problem.objective, x, members))
        rows.append((term, freedom, *change, *evidence.test(members, deviance)))
        told(term)
    names = ["term", "df", "train_change", "validation_change", "validation_change_se", "lr", "lr_p"]
    return pd.DataFrame(rows, columns=names)


def _without(problem: Problem, objective: object, x: Floats, members: Integers) -> Floats:
    """The optimum with some free numbers at zero."""
    rest = np.setdiff1d(np.arange(len(x)), members)
    whole = x.copy()
    whole[members] = 0.0
    held = Held(objective, rest, whole)  # type: ignore[arg-type]
    return held.embed(refit(problem, held, whole[rest]))


def _changes(problem: Problem, x: Floats, bare: Floats) -> tuple[float, float, float]:
    objective, held_out = problem.objective, problem.held_out
    train = objective.data_loss(bare) - objective.data_loss(x)
    if held_out is None:
        return train, float("nan"), float("nan")
    game = problem.data.groups.of_row[problem.data.validation]
    count = int(game.max()) + 1
    with_it, without = (
        game_losses(held_out, objective.parameters.table(each), game, count) for each in (x, bare)
    )
    return train, without.mean - with_it.mean, without.error(with_it)


class _Evidence:
    """Reference distributions of the fall of a mean loss when weights are set free.

    Twice the fall is distributed as Σ λ·χ²₁, with λ the eigenvalues of the curvature of the loss in the
    freed weights (all others at their best) times their covariance.
    """

    def __init__(self, found: Uncertainty) -> None:
        self.tested = Tested(found)
        self.spread = inverse_of_independent(found.information)

    def freedom(self, members: Integers) -> int:
        """In how many directions the data can tell these weights from the others."""
        return len(self.tested.directions(members))

    def test(self, members: Integers, deviance: float) -> tuple[float, float]:
        """(the fall on the scale of its degrees of freedom, p), by matched moments."""
        from scipy.stats import chi2

        turned = self.tested.directions(members)
        # the covariance of these directions is one, so that the curvature alone has the eigenvalues
        shares = 1.0 / np.linalg.eigvalsh(turned @ self.spread[np.ix_(members, members)] @ turned.T)
        mean, spread = float(shares.sum()), float((shares**2).sum())
        freedom = mean**2 / spread
        p = float(chi2.sf(deviance * freedom / mean, freedom))
        return max(deviance, 0.0) * len(turned) / mean, p
