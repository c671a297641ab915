"""Every loss against fifty-digit arithmetic, and against the published tiny problems."""

from collections.abc import Callable
from decimal import Decimal, localcontext

import numpy as np
import pytest
from problems import LOSS_OPTIONS, data_objective, feature_matrix, make_loss

from tuner.losses import LOSSES, Ordinal
from tuner.scale import fit_k, slope

ZS = (-700.0, -40.0, -6.5, -1.0, -1e-9, 0.0, 0.3, 2.0, 9.0, 36.0, 700.0)
TARGETS = (0.0, 1e-7, 0.25, 0.5, 0.9, 1.0)
STEP = Decimal("1e-60")

DecimalLoss = Callable[[Decimal, Decimal], Decimal]


def probability(z: Decimal) -> Decimal:
    return 1 / (1 + (-z).exp())


def squared(z: Decimal, target: Decimal) -> Decimal:
    return (probability(z) - target) ** 2


def cross_entropy(z: Decimal, target: Decimal) -> Decimal:
    p, q = probability(z), probability(-z)
    return -target * p.ln() - (1 - target) * q.ln()


def linear(z: Decimal, target: Decimal) -> Decimal:
    return (Decimal("0.5") + z / 4 - target) ** 2


def score_squared(z: Decimal, target: Decimal) -> Decimal:
    return (z - target) ** 2


def huber(z: Decimal, target: Decimal) -> Decimal:
    far = abs(z - target)
    return far**2 if far < HUBER else 2 * HUBER * far - HUBER**2


def ordinal(z: Decimal, target: Decimal) -> Decimal:
    win, loss = probability(z - DRAW), probability(-z - DRAW)
    shares = (
        (1 - 2 * target, 2 * target, 0) if target < Decimal("0.5") else (0, 2 - 2 * target, 2 * target - 1)
    )
    return -sum(share * p.ln() for share, p in zip(shares, (loss, 1 - win - loss, win), strict=True) if share)


HUBER, DRAW = Decimal(LOSS_OPTIONS["huber"]["width"]), Decimal(LOSS_OPTIONS["ordinal"]["draw"])
EXACT: dict[str, DecimalLoss] = {
    "squared": squared,
    "cross-entropy": cross_entropy,
    "ordinal": ordinal,
    "linear": linear,
    "score-squared": score_squared,
    "huber": huber,
}


def test_every_loss_has_an_exact_definition_here() -> None:
    assert set(EXACT) == set(LOSSES)


def exact(name: str, order: int, z: float, target: float) -> float:
    """Value or derivative of order 1 or 2 by `z`, to the last digit of a float."""
    with localcontext() as context:
        context.prec = 700
        at, t, loss = Decimal(z), Decimal(target), EXACT[name]
        if order == 0:
            return float(loss(at, t))
        if order == 1:
            return float((loss(at + STEP, t) - loss(at - STEP, t)) / (2 * STEP))
        return float((loss(at + STEP, t) - 2 * loss(at, t) + loss(at - STEP, t)) / STEP**2)


@pytest.mark.parametrize("name", LOSSES)
def test_values_and_gradients_are_exact(name: str) -> None:
    z, target = (grid.ravel() for grid in np.meshgrid(ZS, TARGETS))
    loss = make_loss(name)
    for order, found in enumerate((loss.value(z, target), loss.gradient(z, target))):
        wanted = [exact(name, order, float(a), float(t)) for a, t in zip(z, target, strict=True)]
        np.testing.assert_allclose(found, wanted, rtol=1e-13, atol=3e-16)


@pytest.mark.parametrize("name", ["squared", "cross-entropy"])
def test_curvature_is_positive_and_is_the_second_derivative_at_a_perfect_prediction(name: str) -> None:
    """Gauss-Newton's curvature is exact where the residual is zero, whatever the loss."""
    z = np.array(ZS)
    loss = make_loss(name)
    perfect = 1.0 / (1.0 + np.exp(-z))
    inner = np.abs(z) < 30
    wanted = [exact(name, 2, float(a), float(t)) for a, t in zip(z[inner], perfect[inner], strict=True)]
    np.testing.assert_allclose(loss.curvature(z, perfect)[inner], wanted, rtol=1e-9)
    for target in TARGETS:
        assert (loss.curvature(z, np.full_like(z, target)) >= 0.0).all()


@pytest.mark.parametrize("name", ["cross-entropy", "ordinal", "linear", "score-squared"])
def test_convex_losses_have_their_exact_second_derivative(name: str) -> None:
    z, target = (grid.ravel() for grid in np.meshgrid(ZS, TARGETS))
    wanted = [exact(name, 2, float(a), float(t)) for a, t in zip(z, target, strict=True)]
    np.testing.assert_allclose(make_loss(name).curvature(z, target), wanted, rtol=1e-13, atol=1e-16)


@pytest.mark.parametrize("name", LOSSES)
def test_quadratic_losses_say_so(name: str) -> None:
    z, target = np.linspace(-3, 3, 7), np.full(7, 0.25)
    curvature = make_loss(name).curvature(z, target)
    assert make_loss(name).quadratic == (np.ptp(curvature) == 0.0)


def test_the_parabola_of_hubers_curvature_is_never_below_the_loss() -> None:
    """What makes a step to the minimum of the parabolas safe."""
    loss = make_loss("huber")
    z, other = np.meshgrid(np.linspace(-4, 4, 33), np.linspace(-4, 4, 41))
    target = np.full_like(z, 0.3)
    above = (
        loss.value(z, target)
        + loss.gradient(z, target) * (other - z)
        + 0.5 * loss.curvature(z, target) * (other - z) ** 2
    )
    assert (above >= loss.value(other, target) - 1e-12).all()
    assert (loss.curvature(z, target) > 0.0).all()


def test_the_three_outcomes_share_all_probability() -> None:
    z = np.linspace(-8, 8, 33)
    loss = make_loss("ordinal")
    total = sum(np.exp(-loss.value(z, np.full_like(z, outcome))) for outcome in (0.0, 0.5, 1.0))
    np.testing.assert_allclose(total, 1.0, rtol=1e-14)


def test_the_derivative_by_the_drawn_zone() -> None:
    z, target = (grid.ravel() for grid in np.meshgrid(np.linspace(-5, 5, 11), TARGETS))
    step = 1e-6
    difference = Ordinal(0.6 + step).value(z, target) - Ordinal(0.6 - step).value(z, target)
    np.testing.assert_allclose(Ordinal(0.6).by_draw(z, target), difference / (2 * step), atol=1e-8)


TINY_COUNTS, TINY_PHASE, TINY_RESULT = [[1, 0], [-1, 1], [2, -1], [0, 1]], [24, 12, 0, 6], [1, 0.5, 0, 1]
TINY_WEIGHTS = [[82.0, 94.0], [337.0, 281.0]]
TINY = {  # value; derivatives by mg pawn, mg knight, eg pawn, eg knight
    "squared": (
        0.09318678162028467,
        [-0.0003579146521035816, 6.608493357098965e-05, 0.0004471915176539946, -0.00021958749535386848],
    ),
    "cross-entropy": (
        0.4915406720213175,
        [-0.0008517454745804382, 0.00019846604235079193, 0.0008982924815608982, -0.0004799913892479178],
    ),
}


@pytest.mark.parametrize("name", TINY)
def test_four_positions_with_tapered_weights(name: str) -> None:
    """A published problem: two men, four positions, K 1.13."""
    features = feature_matrix(TINY_COUNTS, TINY_PHASE)
    np.testing.assert_allclose(features.scores(np.array(TINY_WEIGHTS)), [82, 221, -93, 295], rtol=1e-15)
    objective = data_objective(features, TINY_RESULT, loss=name, scale=slope(1.13), start=TINY_WEIGHTS)
    value, gradient = objective.value_gradient(objective.prior)
    wanted, derivatives = TINY[name]
    assert value == pytest.approx(wanted, rel=1e-12)
    np.testing.assert_allclose(gradient.reshape(2, 2).T.ravel(), derivatives, rtol=1e-11)


K_SCORES = np.array([-400, -200, -100, -50, 0, 0, 50, 100, 200, 400], float)
K_RESULTS = np.array([0, 0, 0.5, 0, 0.5, 1, 0.5, 1, 0.5, 1])
K_BEST = {
    "squared": (1.580751531269139, 0.06916798177563385),
    "cross-entropy": (1.5617054972708613, 0.49899682183764793),
}


@pytest.mark.parametrize("name", K_BEST)
def test_ten_scores_with_a_known_best_k(name: str) -> None:
    loss = LOSSES[name]()
    best, value = K_BEST[name]
    k = fit_k(K_SCORES, K_RESULTS, loss)
    assert k == pytest.approx(best, rel=1e-9)
    assert float(loss.value(slope(k) * K_SCORES, K_RESULTS).mean()) == pytest.approx(value, rel=1e-14)


def test_squared_loss_of_ten_scores_at_other_k() -> None:
    loss = LOSSES["squared"]()
    at = {k: float(loss.value(slope(k) * K_SCORES, K_RESULTS).mean()) for k in (0.0, 1.0)}
    assert at == {0.0: pytest.approx(0.15, rel=1e-15), 1.0: pytest.approx(0.07296411762057421, rel=1e-14)}


def test_the_gradient_carries_k() -> None:
    """Three positions, one weight: a gradient without the factor K would be the same step for every K."""
    features = feature_matrix([[1], [2], [-1]], [24, 24, 24])
    published = {
        0.003: -0.0002828287859199757,
        0.006: -0.0002663934934430034,
        0.012: -0.00015028781647037528,
    }
    for scale, wanted in published.items():
        objective = data_objective(features, [1, 0.5, 0], loss="squared", scale=scale, start=100.0)
        assert objective.value_gradient(objective.prior)[1][0] == pytest.approx(wanted, rel=1e-9)


def test_the_loss_is_a_mean_over_all_rows_in_any_order_and_with_any_number_of_threads() -> None:
    counts, results = np.array([4, -4, 0, 4, -4, 1]), np.array([1, 0, 0.5, 0, 1, 0.5])
    scale = 0.005756462732485115
    found = []
    for seed in range(6):
        order = np.random.default_rng(seed).permutation(6)
        features = feature_matrix(counts[order][:, None], [24] * 6, block_rows=2, threads=1 + seed % 3)
        objective = data_objective(features, results[order], loss="squared", scale=scale, start=100.0)
        found.append(objective.value(objective.prior))
    np.testing.assert_allclose(found, 0.28150661529551463, rtol=1e-14)
