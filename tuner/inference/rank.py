"""What of a positive semi-definite matrix is regular: its null space, and an inverse of the rest.

Everything is decided on the matrix scaled to a unit diagonal, by Cholesky with complete pivoting: columns
that are sums of those chosen before add nothing, and are left out, without anything being added to them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack, qr, solve_triangular

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

RANK_TOLERANCE = 1e-9
"""Curvature, of 1 where a weight is alone, under which a direction is null; the next ones are a million
times steeper on real positions, rounding is a million times smaller."""
TOUCHED = 1e-5
"""Share of a direction of unit length in the null space from which the direction is not determined."""


def unit_diagonal(matrix: Floats) -> tuple[Floats, Floats]:
    """The matrix scaled to ones on its diagonal (zero rows stay), and the scale of each row."""
    size = np.sqrt(np.maximum(np.diag(matrix), 0.0))
    size = np.where(size > 0.0, size, 1.0)
    return matrix / np.outer(size, size), size


def null_space(scaled: Floats) -> Floats:
    """A basis (nullity, size) of the null space of a positive semi-definite matrix of unit diagonal.

    Each vector writes one column as a sum of independent ones, which keeps whole tables together; an
    orthonormal basis would mix them all. By Cholesky with complete pivoting (LAPACK's dpstrf).
    """
    factor, order, rank = _pivoted(scaled)
    independent = np.tril(factor[:rank, :rank])
    shares = solve_triangular(independent, factor[rank:, :rank].T, lower=True, trans="T").T
    out = np.zeros((len(scaled) - rank, len(scaled)))
    out[:, order[:rank]] = -shares
    out[np.arange(len(out)), order[rank:]] = 1.0
    return out


def inverse_of_independent(matrix: Floats) -> Floats:
    """The inverse of the independent rows and columns, and zeros for the others: a generalised inverse.

    Whatever does not touch the null space has the same variance by it as by any other.
    """
    scaled, size = unit_diagonal(matrix)
    factor, order, rank = _pivoted(scaled)
    lower, _ = lapack.dpotri(np.tril(factor[:rank, :rank]), lower=1)
    below = np.tril(lower, -1)
    chosen = order[:rank]
    out = np.zeros_like(scaled)
    out[np.ix_(chosen, chosen)] = below + below.T + np.diag(np.diag(lower))
    return np.asarray(out / np.outer(size, size))


def orthonormal_null_space(scaled: Floats) -> Floats:
    """A basis (nullity, size) of unit vectors at right angles."""
    turned, _ = qr(null_space(scaled).T, mode="economic", check_finite=False)
    return np.asarray(turned.T)


def determined(null: Floats) -> Floats:
    """Orthonormal directions (n, kept) within some columns that do not touch the null space.

    `null` (nullity, n) is the part of an orthonormal basis of it in those columns.
    """
    shares, directions = np.linalg.eigh(null.T @ null)
    return np.asarray(directions[:, shares < TOUCHED**2])


def _pivoted(scaled: Floats) -> tuple[Floats, Integers, int]:
    """(factor, order of the columns, rank)."""
    factor, pivots, rank, _ = lapack.dpstrf(scaled, lower=1, tol=RANK_TOLERANCE)
    return factor, pivots - 1, rank
