"""L-BFGS-B: Byrd, Lu, Nocedal and Zhu's limited-memory quasi-Newton method with bounds, scipy's code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..constraints import BOUNDS
from ..objectives import Differentiable
from .base import Minimum, Observe, State, accept, one_blas_thread, require
from .library import scipy_descent

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Lbfgs:
    """L-BFGS-B with `corrections`, in scaled columns.

    Stops when the scaled gradient is `tolerance` times its norm at the start, or after `max_passes`.
    """

    corrections: int = 50
    tolerance: float = 1e-6
    max_passes: int = 2000
    requires: ClassVar[type] = Differentiable
    handles: ClassVar[tuple[str, ...]] = (BOUNDS,)

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
        require("lbfgs", objective, Differentiable, "an objective with gradients and curvature")
        constraints = accept("lbfgs", objective, self.handles)
        return scipy_descent(
            "L-BFGS-B", objective, constraints, start, state, observe,
            tolerance=self.tolerance, max_passes=self.max_passes,
            maxcor=self.corrections, maxiter=self.max_passes, maxfun=self.max_passes + 1, ftol=0.0, gtol=0.0,
        )  # fmt: skip
