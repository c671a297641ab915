"""Losses and methods of a user's own file: what they leave out, and a sentence for what they lack."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np

from evalcore.errors import InputError

from .losses import OUTCOMES, RESULTS, SCORES, Loss

FUNCTIONS = ("value", "gradient", "curvature")
"""What a loss must have, each a function of (z, target) with a number for each position."""
KINDS = (RESULTS, SCORES, OUTCOMES)


def complete_loss(name: str, kind: Any) -> type[Any]:
    """A class of losses with `name`, `compares` and `quadratic`, where the user's says nothing of them.

    Raises InputError with what it lacks.
    """
    lacking = [each for each in FUNCTIONS if not callable(getattr(kind, each, None))]
    if not isinstance(kind, type) or lacking:
        raise InputError(
            f"loss {name} is no loss: it has to be a class with value, gradient and curvature, functions of"
            f" (z, target); {_lacks(kind, lacking)}"
        )
    return _with_defaults(kind, {"name": name.rpartition(":")[2], "compares": RESULTS, "quadratic": False})


def try_loss(name: str, loss: Loss) -> None:
    """Raises InputError where a loss does not give a finite number for each of a few positions."""
    if loss.compares not in KINDS:
        raise InputError(f"loss {name}: compares has to be one of {', '.join(KINDS)}, not {loss.compares!r}")
    z, target = np.array([-1.7, -0.3, 0.0, 0.4, 2.1]), np.array([0.0, 0.5, 0.5, 1.0, 1.0])
    for function in FUNCTIONS:
        try:
            found = np.asarray(getattr(loss, function)(z, target), float)
        except Exception as error:  # whatever a user's code raises
            raise InputError(
                f"loss {name}: {function}(z, target) failed: {type(error).__name__}: {error}"
            ) from error
        if found.shape != z.shape or not np.isfinite(found).all():
            raise InputError(
                f"loss {name}: {function}(z, target) has to give a finite number for each position: of"
                f" {len(z)} positions it gave {found.tolist()}"
            )


def complete_method(name: str, kind: Any) -> type[Any]:
    """A class of methods that takes the arguments of `Optimizer.minimize`. Raises InputError."""
    import dataclasses

    minimize: Any = getattr(kind, "minimize", None)
    if not isinstance(kind, type) or not callable(minimize):
        raise InputError(f"{name} is no optimizer: it has to be a dataclass with minimize(…)")
    if not dataclasses.is_dataclass(kind):
        raise InputError(f"{name} is no optimizer: it has minimize(…), but has to be a dataclass, too")
    try:
        inspect.signature(minimize).bind(None, None, None, rng=None, observe=None, state=None)
    except TypeError as error:
        raise InputError(
            f"method {name}: minimize has to take (self, objective, start, *, rng, observe, state=None):"
            f" {error}"
        ) from error
    from .objectives import Objective

    return _with_defaults(kind, {"requires": Objective, "handles": ()})


def made(what: str, name: str, kind: type[Any], options: Mapping[str, Any]) -> Any:
    """An object of the user's class with its options. Raises InputError where it wants more than those."""
    try:
        return kind(**options)
    except TypeError as error:
        raise InputError(
            f"{what} {name} cannot be made from its options ({error}): give every field a default"
        ) from error


def _lacks(kind: Any, lacking: list[str]) -> str:
    if not isinstance(kind, type):
        return f"found {type(kind).__name__}"
    return f"{kind.__name__} lacks {' and '.join(lacking)}"


def _with_defaults(kind: type[Any], defaults: Mapping[str, Any]) -> type[Any]:
    """The class, or one beneath it with those attributes that it lacks."""
    lacking = {name: value for name, value in defaults.items() if not hasattr(kind, name)}
    return type(kind.__name__, (kind,), {**lacking, "__doc__": kind.__doc__}) if lacking else kind
