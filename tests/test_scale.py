"""K: conversions between tools, its fit, and the cases where it runs away."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize, minimize_scalar

from evalcore.errors import InputError
from tuner.losses import LOSSES, Ordinal
from tuner.scale import (
    K_LARGEST,
    K_SMALLEST,
    centipawns_at,
    fit_k,
    fit_scale,
    k_from_base_e,
    slope,
    win_probability,
)

SEVENTY_FIVE_PERCENT = [
    # tool, K in 1/(1 + 10^(-K cp/400)), centipawns of an expected result of 0.75
    ("Texel", 1.13, 169),
    ("PeSTO: base e, 102", k_from_base_e(400 / 102), 112),
    ("Weiss: base e, 2.25/400", k_from_base_e(2.25), 195),
    ("texel-tuner: base e, 2.1/400", k_from_base_e(2.1), 209),
    ("Arasan: exp(-0.75 pawns)", k_from_base_e(0.75 * 4), 146),
    ("the wiki's pawn advantage", 1.0, 191),
]


@pytest.mark.parametrize(("tool", "k", "cp"), SEVENTY_FIVE_PERCENT)
def test_published_scales_agree_on_the_score_of_a_three_quarters_result(tool: str, k: float, cp: int) -> None:
    assert round(centipawns_at(0.75, k)) == cp, tool
    assert win_probability(centipawns_at(0.75, k), k) == pytest.approx(0.75, rel=1e-14)


def test_k_is_texels() -> None:
    k, cp = 1.13, np.array([-350.0, 0.0, 12.0, 90.0])
    np.testing.assert_allclose(win_probability(cp, k), 1 / (1 + 10 ** (-k * cp / 400)), rtol=1e-14)
    assert k_from_base_e(math.log(10.0)) == pytest.approx(1.0)
    assert slope(400 / math.log(10.0)) == pytest.approx(1.0)


def simulated(k: float, rows: int = 3000, seed: int = 5) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    score = rng.normal(0, 180, rows)
    return score, (rng.random(rows) < win_probability(score, k)).astype(float)


@pytest.mark.parametrize("loss", ["squared", "cross-entropy"])
@pytest.mark.parametrize("k", [0.3, 0.9, 1.7, 4.0])
def test_a_fitted_k_is_at_the_bottom_of_the_loss(loss: str, k: float) -> None:
    score, result = simulated(k)
    pointwise = LOSSES[loss]()

    def mean(at: float) -> float:
        return float(pointwise.value(slope(at) * score, result).mean())

    found = fit_k(score, result, pointwise)
    oracle = minimize_scalar(mean, bracket=(0.5 * k, k, 1.5 * k), options={"xtol": 1e-12})
    assert found == pytest.approx(oracle.x, rel=1e-6)
    assert mean(found) <= oracle.fun * (1 + 1e-15)
    assert found == pytest.approx(k, rel=0.35)  # 3,000 coin flips


@pytest.mark.parametrize("loss", ["squared", "cross-entropy"])
def test_at_the_fitted_k_the_derivative_is_zero(loss: str) -> None:
    score, result = simulated(1.2)
    k = fit_k(score, result, LOSSES[loss]())
    slopes = LOSSES[loss]().gradient(slope(k) * score, result) * score
    assert abs(slopes.mean()) < 1e-12 * np.abs(slopes).mean()


def test_sample_weights_count_like_repeated_rows() -> None:
    score, result = simulated(1.2, rows=400)
    weight = np.random.default_rng(1).integers(0, 4, 400)
    repeated = fit_k(np.repeat(score, weight), np.repeat(result, weight), LOSSES["squared"]())
    weighted = fit_k(score, result, LOSSES["squared"](), weight.astype(float))
    assert weighted == pytest.approx(repeated, rel=1e-9)


def test_more_rows_than_the_search_looks_at_first() -> None:
    score, result = simulated(1.2, rows=70_000)
    k = fit_k(score, result, LOSSES["cross-entropy"]())
    slopes = LOSSES["cross-entropy"]().gradient(slope(k) * score, result) * score
    assert abs(slopes.mean()) < 1e-12 * np.abs(slopes).mean()


@pytest.mark.parametrize("loss", ["squared", "cross-entropy"])
def test_scores_that_say_nothing_drive_k_to_zero(loss: str) -> None:
    score, result = simulated(1.2)
    with pytest.raises(InputError, match=r"K runs away to 0: the scores .* do not predict the results"):
        fit_k(-score, result, LOSSES[loss]())
    with pytest.raises(InputError, match=r"scores that are all zero"):
        fit_k(np.zeros_like(score), result, LOSSES[loss]())


@pytest.mark.parametrize("loss", ["squared", "cross-entropy"])
def test_scores_that_predict_everything_drive_k_to_infinity(loss: str) -> None:
    score = np.array([-300.0, -20.0, -1.0, 1.0, 40.0, 500.0])
    with pytest.raises(InputError, match=r"K runs away to infinity: .* predict every result"):
        fit_k(score, (score > 0).astype(float), LOSSES[loss]())


def test_the_search_covers_every_published_scale() -> None:
    ks = [k for _, k, _ in SEVENTY_FIVE_PERCENT]
    assert min(ks) / 100 > K_SMALLEST
    assert max(ks) * 10 < K_LARGEST


# --- the drawn zone -----------------------------------------------------------------------------------


def drawn_results(k: float, draw: float, rows: int = 4000) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(6)
    score = rng.normal(0, 250, rows)
    z, u = slope(k) * score, rng.random(rows)
    win, lose = 1 / (1 + np.exp(draw - z)), 1 / (1 + np.exp(draw + z))
    return score, np.where(u < win, 1.0, np.where(u < 1 - lose, 0.5, 0.0))


def test_k_and_the_drawn_zone_are_fitted_together() -> None:
    score, result = drawn_results(1.1, 0.8)
    k, loss = fit_scale(score, result, Ordinal())
    assert isinstance(loss, Ordinal) and loss.draw is not None
    assert (k, loss.draw) == (pytest.approx(1.1, abs=0.08), pytest.approx(0.8, abs=0.08))

    def mean(at: np.ndarray) -> float:
        return float(Ordinal(float(at[1])).value(slope(float(at[0])) * score, result).mean())

    best = minimize(mean, np.array([1.0, 1.0]), method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-15})
    np.testing.assert_allclose([k, loss.draw], best.x, rtol=1e-6)
    assert mean(np.array([k, loss.draw])) <= best.fun * (1 + 1e-14)


def test_the_drawn_zone_follows_a_given_k() -> None:
    score, result = drawn_results(1.1, 0.8)
    k, loss = fit_scale(score, result, Ordinal(), k=2.0)
    assert k == 2.0
    assert isinstance(loss, Ordinal) and loss.draw is not None
    assert float(loss.by_draw(slope(2.0) * score, result).mean()) == pytest.approx(0.0, abs=1e-9)


def test_a_given_drawn_zone_is_kept() -> None:
    score, result = drawn_results(1.1, 0.8)
    k, loss = fit_scale(score, result, Ordinal(0.5))
    assert loss == Ordinal(0.5)
    assert k == fit_k(score, result, Ordinal(0.5))


def test_without_draws_there_is_no_zone_to_fit() -> None:
    score, result = simulated(1.2)
    with pytest.raises(InputError, match="the data have none; use cross-entropy"):
        fit_scale(score, result, Ordinal())
