"""What a run tells a listener while it goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .optimizers import Step


@dataclass(frozen=True)
class Losses:
    """Mean losses, without the penalty; `validation` None where nothing was held out.

    `tau` is Kendall's τ_b between scores and targets of the held-out rows (else of the training rows): how
    well the order of positions is told, whatever the loss. None while a fit goes on.
    """

    train: float
    validation: float | None
    tau: float | None = None


@dataclass(frozen=True, eq=False)
class Progress:
    """What a listener is told: a `stage`, how many of `total` units are done, or a step of the fit."""

    stage: str
    done: int = 0
    total: int | None = None
    step: Step | None = None
    losses: Losses | None = None


Listener = Callable[[Progress], None]


def ignore(_told: object) -> None:
    """A listener that does not listen."""
