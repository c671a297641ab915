"""Nonlinear conjugate gradients: Polak and Ribière's, scipy's code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..objectives import Differentiable
from .base import Minimum, Observe, State, accept, one_blas_thread, require
from .library import scipy_descent

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ConjugateGradients:
    """Conjugate gradients in scaled columns: hardly any memory, more passes than quasi-Newton.

    Stops when the scaled gradient is `tolerance` times its norm at the start, or after `max_passes`.
    """

    tolerance: float = 1e-6
    max_passes: int = 3000
    requires: ClassVar[type] = Differentiable
    handles: ClassVar[tuple[str, ...]] = ()

    @one_blas_thread
    def minimize(
        self,
        objective: Any,
        start: Floats,
        *,
        rng: np.random.Generator,
        observe: Observe,
        state: State | None = None,
    ) -> Minimum:
        """See `Optimizer`. `rng` is not used."""
        require("cg", objective, Differentiable, "an objective with gradients and curvature")
        constraints = accept("cg", objective, self.handles)
        return scipy_descent(
            "CG", objective, constraints, start, state, observe,
            tolerance=self.tolerance, max_passes=self.max_passes, maxiter=self.max_passes, gtol=0.0,
        )  # fmt: skip
