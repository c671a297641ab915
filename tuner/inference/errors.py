"""How far each fitted number can be trusted: covariances, standard errors, intervals.

Positions of one game share its result, so they are not independent: counted one by one they look like
far more evidence than they are. The covariance here is the sandwich `H⁻¹·M·H⁻¹`: H is the Gauss-Newton
matrix of the objective at the optimum, and M adds up, over games, the outer products of the derivative of
the loss of a whole game. The naive one takes every row for a game of its own. K is taken as known.

The prior (ridge) is part of the estimator: the covariance is that of the penalised optimum if the games
were played again, and `from_data` says how much of a weight the data, rather than the prior, decide.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cholesky, lapack
from threadpoolctl import threadpool_limits

from evalcore.errors import InputError

from ..constraints import Constraints
from ..objectives import PENALTY_UNIT, DataObjective
from ..parameters import Parameters
from .grouped import group_gram
from .rank import inverse_of_independent

Floats = NDArray[np.float64]

SINGULAR = 1e-10
"""A scaled matrix is singular where a pivot of its Cholesky factor is smaller; its null space is held."""
HOLD = 1e-6
"""Added to the diagonal to hold a null space: rounding is lost in it, and all else hardly moves."""
SHOW = 1e-9
"""Added where null directions are to stand out instead: a billion times the variance of a weight alone."""
SAME = 1e-9
"""Neighbours in a monotone table that differ by less (cp) are held together."""


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """Covariances of the free numbers of a fit at `x` (size,); all matrices are (size, size).

    `curvature` is the Gauss-Newton matrix with the penalty, `information` the data's part of it.
    `clustered` treats games as independent, `naive` rows. `from_data` (size,) is 1 for a number the data
    decide alone, 0 for one that stays at its prior. `pull` (size,) is the gradient of the penalty at `x`,
    `slope` (size,) that of the mean loss, `scatter` the outer products of its parts from single games.
    `kind` says what the groups are. `held` (size,) marks numbers at a bound or set to their prior by a lasso:
    they count as known, have no error, and the others' errors are given that they stay there.
    `effective_parameters` is how many numbers the data decide: the trace of H⁻¹ times the data's part of H.
    """

    parameters: Parameters
    x: Floats
    curvature: Floats
    information: Floats
    clustered: Floats
    naive: Floats
    from_data: Floats
    pull: Floats
    slope: Floats
    scatter: Floats
    held: NDArray[np.bool_]
    effective_parameters: float
    rows: int
    groups: int
    kind: str

    @property
    def errors(self) -> Floats:
        """Standard errors of the free numbers, clustered (size,); NaN for held ones."""
        return np.where(self.held, np.nan, np.sqrt(np.maximum(np.diag(self.clustered), 0.0)))

    @property
    def naive_errors(self) -> Floats:
        """Standard errors that would hold if all rows were independent (size,)."""
        return np.where(self.held, np.nan, np.sqrt(np.maximum(np.diag(self.naive), 0.0)))

    def data_alone(self) -> tuple[Floats, Floats]:
        """One Newton step from `x` to the optimum of the mean loss alone, and its clustered covariance.

        Neither penalties nor constraints have a part in it. Both are arbitrary along null directions.
        """
        self.require_curvature()
        inverse = inverse_of_independent(self.information)
        return self.x - inverse @ self.slope, _sandwich(inverse, self.scatter)

    def turned(self, matrix: Floats, base: Floats) -> Uncertainty:
        """The same of `matrix @ x`, which may be singular; `base` (width, 2) holds the fixed weights.

        The share that data decide is that of the sum of old numbers which a new one is. The curvature of the
        new numbers is not known.
        """
        penalty = self.curvature - self.information
        pulled = ((matrix @ inverted(self.curvature) @ penalty) * matrix).sum(axis=1)
        share = 1.0 - pulled / np.maximum((matrix**2).sum(axis=1), np.finfo(float).tiny)
        same = (matrix == np.eye(len(matrix))).all(axis=1)
        held: NDArray[np.bool_] = np.abs(matrix) @ ~self.held == 0.0
        return replace(
            self,
            parameters=replace(self.parameters, base=base),
            x=matrix @ self.x,
            curvature=np.zeros((0, 0)),
            information=np.zeros((0, 0)),
            scatter=np.zeros((0, 0)),
            clustered=matrix @ self.clustered @ matrix.T,
            naive=matrix @ self.naive @ matrix.T,
            from_data=np.where(same, self.from_data, np.clip(share, 0.0, 1.0)),
            held=held,
        )

    def require_curvature(self) -> None:
        """Raises InputError where this was read from a run folder, which does not hold the curvature."""
        if len(self.information) != len(self.x):
            raise InputError("this needs the positions of the fit: ask a study of it (open_study)")

    def interval(self, level: float = 0.95) -> Floats:
        """Lower and upper end of the confidence interval of each free number (size, 2)."""
        return np.column_stack([self.x, self.x]) + np.outer(self.errors, [-1.0, 1.0]) * quantile(level)

    def as_table(self, free: Floats) -> Floats:
        """Something per free number as a (width, 2) table of weights, NaN for fixed ones."""
        owner = self.parameters.owner
        return np.where(owner >= 0, free[np.maximum(owner, 0)], np.nan)


def quantile(level: float) -> float:
    """How many standard errors lie between the middle and the end of an interval: 1.96 for 0.95."""
    return NormalDist().inv_cdf(0.5 + level / 2.0)


def uncertainty(objective: DataObjective, x: Floats, groups: NDArray[np.int64], kind: str) -> Uncertainty:
    """Covariances at the optimum `x`; `groups` (rows,) numbers the game of each row of the objective.

    The clustered covariance has the usual factor G/(G−1)·(N−1)/(N−P) for G games, N rows and P effective
    parameters, the naive one N/(N−P).
    """
    parameters = objective.parameters
    with threadpool_limits(1, "blas"):  # one thread: the same bits on every machine
        alone = replace(objective, ridge=np.zeros_like(objective.ridge), roughness=None, constraints=None)
        # of the data themselves: less the penalty again, it would have lost the digits that tell null
        # directions from weak ones
        information, penalty = alone.curvature_matrix(x), objective.penalty_matrix()
        curvature = information + penalty
        inverse, held = _inverse_within(curvature, objective.constraints, x)
        from_data = np.where(held, 0.0, np.clip(1.0 - (inverse * penalty).sum(axis=1), 0.0, 1.0))
        slopes, scaled = _slopes(objective, x)
        rows, count = len(objective), len(np.unique(groups))
        effective = float((inverse * information).sum())
        freedom = max(rows - effective, 1.0)
        singles = parameters.pull_back_matrix(objective.features.gram(slopes**2, parameters.table(x)))
        games = singles
        if count < rows:
            games = parameters.pull_back_matrix(group_gram(objective.features, scaled, groups))
        pull = 2.0 * objective.ridge * objective.prior / PENALTY_UNIT**2
        few = count / max(count - 1, 1) * (rows - 1) / freedom
        return Uncertainty(
            parameters, x, curvature, information, _sandwich(inverse, games) * few,
            _sandwich(inverse, singles) * (rows / freedom),
            from_data, penalty @ x - pull, alone.value_gradient(x)[1], games * few,
            held, effective, rows, count, kind,
        )  # fmt: skip


def _inverse_within(
    curvature: Floats, constraints: Constraints | None, x: Floats
) -> tuple[Floats, NDArray[np.bool_]]:
    """Inverse of the curvature in the directions that constraints leave open, and which numbers are held.

    Neighbours that a monotone table keeps equal move together.
    """
    held = np.zeros(len(x), bool)
    if not constraints:
        return inverted(curvature), held
    together = np.arange(len(x))
    for chain in constraints.chains:
        for one, next_one in pairwise(chain.members.tolist()):
            if abs(x[next_one] - x[one]) <= SAME:
                together[together == together[next_one]] = together[one]
    others = replace(constraints, chains=())
    held[[index for index, _ in others.active(x)]] = True
    held = np.isin(together, together[held])
    _, column = np.unique(together, return_inverse=True)
    open_directions = np.zeros((len(x), int(column.max()) + 1))
    open_directions[np.arange(len(x)), column] = ~held
    open_directions = open_directions[:, open_directions.any(axis=0)]
    if not open_directions.size:
        return np.zeros_like(curvature), held
    inside = inverted(open_directions.T @ curvature @ open_directions)
    return open_directions @ inside @ open_directions.T, held


def inverted(matrix: Floats, jitter: float = 0.0) -> Floats:
    """Inverse of a positive semi-definite matrix, with `jitter` added where it has been scaled to ones.

    A singular matrix is inverted across its null space, along which the inverse is large but harmless.
    """
    size = np.sqrt(np.diag(matrix))
    size = np.where(size > 0.0, size, 1.0)
    scaled = matrix / np.outer(size, size)
    while True:
        try:
            factor = cholesky(scaled + jitter * np.eye(len(scaled)), lower=True, check_finite=False)
            if np.diag(factor).min() ** 2 >= SINGULAR:
                break
        except np.linalg.LinAlgError:
            pass
        jitter = max(10.0 * jitter, HOLD)
    lower, _ = lapack.dpotri(factor, lower=1)
    below = np.tril(lower, -1)
    symmetric: Floats = (below + below.T + np.diag(np.diag(lower))) / np.outer(size, size)
    return symmetric


def _slopes(objective: DataObjective, x: Floats) -> tuple[Floats, Floats]:
    """Derivative of the objective by the score of each row, after and before the scaling rules (rows,)."""
    features = objective.features
    raw = replace(features, factors=None).scores(objective.parameters.table(x))
    factor = features.factors_for(raw)  # by the raw score: a factor of 0 leaves no side ahead
    slopes = objective.row_weight * objective.scale * objective.loss.gradient(
        objective.scale * raw * factor, objective.target
    )  # fmt: skip
    return slopes, slopes * factor


def _sandwich(inverse: Floats, middle: Floats) -> Floats:
    both = inverse @ middle @ inverse
    return 0.5 * (both + both.T)
