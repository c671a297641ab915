"""Keys of a job that contradict each other, or would have no effect: refused before any data are read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from evalcore.errors import InputError

from .constraints import BOUNDS, LASSO, MONOTONE
from .losses import LOSSES, SCORES, Loss
from .objectives import Objective, Quadratic
from .optimizers import OPTIMIZERS
from .optimizers.limits import without_effect

if TYPE_CHECKING:
    from .job import Job
    from .rules import Rule

PAIRED = ("ranking", "comparison")
"""Objectives over pairs."""
VALUES_ONLY = tuple(name for name, kind in OPTIMIZERS.items() if kind.requires is Objective)
"""Methods that need no gradients."""
QUADRATIC = tuple(name for name, kind in LOSSES.items() if kind.quadratic)


def refuse_conflicts(job: Job, loss: Loss, optimizer: Any) -> None:
    """Raises InputError with the first conflict, as one sentence with what would do."""
    for sentence in (
        *_goal_and_method(job, loss, optimizer),
        *_rules_and_method(job, optimizer),
        *_order(job, loss),
        *_targets(job, loss),
        *_idle(job),
        *without_effect(optimizer, job.options),
        *_ties(job),
    ):
        raise InputError(sentence)


def _goal_and_method(job: Job, loss: Loss, optimizer: Any) -> Iterator[str]:
    needs = getattr(optimizer, "requires", Objective)
    quadratic = needs is Quadratic
    if job.objective == "concordance" and needs is not Objective:
        yield (
            f"objective concordance counts pairs and has no gradient, which method {job.method} needs: take"
            f" --method {', '.join(VALUES_ONLY[:-1])} or {VALUES_ONLY[-1]},"
            " or --objective ranking, its smooth form"
        )
    if quadratic and job.objective != "labels":
        yield (
            f"method {job.method} solves quadratic losses of labels, and objective {job.objective} is none:"
            " leave the objective out, or take --method texel"
        )
    if quadratic and not loss.quadratic:
        yield (
            f"method {job.method} solves quadratic losses, and {job.loss} is none: take --loss"
            f" {' or '.join(QUADRATIC)}, or --method texel"
        )


def _rules_and_method(job: Job, optimizer: Any) -> Iterator[str]:
    for name, rule in job.rules.items():
        for kind in _kinds(rule):
            if kind not in getattr(optimizer, "handles", (kind,)):
                able = [method for method, other in OPTIMIZERS.items() if kind in other.handles]
                yield f"method {job.method} cannot keep {kind} (rule {name}): take one of {', '.join(able)}"


def _kinds(rule: Rule) -> Iterator[str]:
    if rule.lower is not None or rule.upper is not None or rule.sign is not None:
        yield BOUNDS
    if rule.monotone is not None:
        yield MONOTONE
    if rule.lasso or rule.group:
        yield LASSO


def _order(job: Job, loss: Loss) -> Iterator[str]:
    """Objectives of an order take K alone from a loss, and K is fitted to results."""
    if job.objective == "labels":
        return
    if loss.compares == SCORES:
        yield (
            f"loss {job.loss} compares scores and fits no K, and K is all that objective {job.objective}"
            " takes from a loss: leave it out (result_share = 0 then orders by scores), or take objective"
            " labels"
        )
    elif job.k != "fit" and job.loss != type(job).model_fields["loss"].default:
        yield (
            f"loss {job.loss} would have no effect: objective {job.objective} takes only K from a loss, and k"
            f" is {job.k:g}; leave the loss or k out"
        )


def _targets(job: Job, loss: Loss) -> Iterator[str]:
    if loss.compares == SCORES:
        if job.result_share != 1.0:
            yield (
                f"loss {job.loss} compares scores alone, so result_share {job.result_share:g} would have no"
                " effect: leave it out, or take --loss squared or cross-entropy, which blend both"
            )
        if job.k != "fit":
            yield (
                f"loss {job.loss} compares scores with scores, so k would have no effect: set score_k, or"
                " leave it out"
            )
    elif job.result_share == 1.0 and job.score_k != "fit":
        yield (
            "score_k is the K of the data's scores, which a result_share of 1 does not use: set result_share"
            " below 1, or leave score_k out (the K of the fit is k)"
        )


def _idle(job: Job) -> Iterator[str]:
    if job.objective not in PAIRED and job.pairs != type(job).model_fields["pairs"].default:
        yield f"pairs is about objectives {' and '.join(PAIRED)}; objective {job.objective} has none"
    if job.split != "game" and job.validation == 0.0:
        yield f"nothing is held out (validation 0), so split {job.split} would have no effect"
    if job.prior != "start" and job.ridge == 0.0 and not any(map(_pulls, job.rules.values())):
        yield (
            f"prior {job.prior} would have no effect: nothing pulls there with ridge 0 and no rule with"
            " ridge, lasso or group"
        )


def _pulls(rule: Rule) -> bool:
    return bool(rule.ridge or rule.lasso or rule.group)


def _ties(job: Job) -> Iterator[str]:
    for names in job.tie:
        if len(set(names)) < 2:
            yield f"tie {', '.join(names) or 'of nothing'}: a tie needs two different names"
