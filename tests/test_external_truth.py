"""Numbers that no one here computed: certified, published, or made by another tool."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dense import DenseLogistic, DenseSquares
from medvedev import every_row, medvedev_rows
from numpy.typing import NDArray
from problems import data_objective, feature_matrix, layout, weights

from evalcore.evaluation import load_evaluation
from evalcore.formats import read_positions
from evalcore.weights import from_terms
from tuner.losses import LOSSES
from tuner.objectives import PENALTY_UNIT, DataObjective
from tuner.optimizers import OPTIMIZERS, Minimum, silent
from tuner.parameters import make_parameters
from tuner.scale import fit_k, k_from_base_e, slope

Floats = NDArray[np.float64]

CONVEX = ("texel", "newton", "gauss-newton", "lbfgs")


def solve(method: str, objective: Any, start: Floats, **options: Any) -> Minimum:
    end: Minimum = OPTIMIZERS[method](**options).minimize(
        objective, start, rng=np.random.default_rng(1), observe=silent
    )
    return end


# --- certified regressions ----------------------------------------------------------------------------

LONGLEY = np.array([
    [60323, 83.0, 234289, 2356, 1590, 107608, 1947], [61122, 88.5, 259426, 2325, 1456, 108632, 1948],
    [60171, 88.2, 258054, 3682, 1616, 109773, 1949], [61187, 89.5, 284599, 3351, 1650, 110929, 1950],
    [63221, 96.2, 328975, 2099, 3099, 112075, 1951], [63639, 98.1, 346999, 1932, 3594, 113270, 1952],
    [64989, 99.0, 365385, 1870, 3547, 115094, 1953], [63761, 100.0, 363112, 3578, 3350, 116219, 1954],
    [66019, 101.2, 397469, 2904, 3048, 117388, 1955], [67857, 104.6, 419180, 2822, 2857, 118734, 1956],
    [68169, 108.4, 442769, 2936, 2798, 120445, 1957], [66513, 110.8, 444546, 4681, 2637, 121950, 1958],
    [68655, 112.6, 482704, 3813, 2552, 123366, 1959], [69564, 114.2, 502601, 3931, 2514, 125368, 1960],
    [69331, 115.7, 518173, 4806, 2572, 127852, 1961], [70551, 116.9, 554894, 4007, 2827, 130081, 1962],
])  # fmt: skip
LONGLEY_COEFFICIENTS = [
    -3482258.63459582, 15.0618722713733, -0.0358191792925910, -2.02022980381683,
    -1.03322686717359, -0.0511041056535807, 1829.15146461355,
]  # fmt: skip
LONGLEY_ERRORS = [
    890420.383607373, 84.9149257747669, 0.0334910077722432, 0.488399681651699,
    0.214274163161675, 0.226073200069370, 455.478499142212,
]  # fmt: skip


def with_one(columns: Floats) -> Floats:
    return np.column_stack([np.ones(len(columns)), columns])


def test_longley_by_linear_regression() -> None:
    """NIST StRD Longley: columns so nearly dependent that plain normal equations lose all digits."""
    objective = DenseSquares(with_one(LONGLEY[:, 1:]), LONGLEY[:, 0])
    end = solve("linear", objective, np.zeros(7))
    np.testing.assert_allclose(end.x, LONGLEY_COEFFICIENTS, rtol=1e-6)
    variance = end.value / (16 - 7)
    assert math.sqrt(variance) == pytest.approx(304.854073561965, rel=1e-9)
    covariance = 2.0 * variance * np.linalg.inv(objective.curvature_matrix(end.x))
    np.testing.assert_allclose(np.sqrt(np.diag(covariance)), LONGLEY_ERRORS, rtol=1e-4)
    spread = LONGLEY[:, 0] - LONGLEY[:, 0].mean()
    assert 1.0 - end.value / float(spread @ spread) == pytest.approx(0.995479004577296, rel=1e-12)


@pytest.mark.parametrize(("scale", "digits"), [(1.0, 1e-7), (0.1, 1e-8)])
def test_wampler_by_linear_regression(scale: float, digits: float) -> None:
    """NIST StRD Wampler 1 and 2: polynomials of the fifth degree with a residual of zero."""
    powers = np.arange(21.0)[:, None] ** np.arange(6)
    truth = scale ** np.arange(6.0)
    end = solve("linear", DenseSquares(powers, powers @ truth), np.zeros(6))
    np.testing.assert_allclose(end.x, truth, rtol=digits)


SPECTOR = np.array([
    [2.66, 20, 0, 0], [2.89, 22, 0, 0], [3.28, 24, 0, 0], [2.92, 12, 0, 0], [4.00, 21, 0, 1],
    [2.86, 17, 0, 0], [2.76, 17, 0, 0], [2.87, 21, 0, 0], [3.03, 25, 0, 0], [3.92, 29, 0, 1],
    [2.63, 20, 0, 0], [3.32, 23, 0, 0], [3.57, 23, 0, 0], [3.26, 25, 0, 1], [3.53, 26, 0, 0],
    [2.74, 19, 0, 0], [2.75, 25, 0, 0], [2.83, 19, 0, 0], [3.12, 23, 1, 0], [3.16, 25, 1, 1],
    [2.06, 22, 1, 0], [3.62, 28, 1, 1], [2.89, 14, 1, 0], [3.51, 26, 1, 0], [3.54, 24, 1, 1],
    [2.83, 27, 1, 1], [3.39, 17, 1, 1], [2.67, 24, 1, 0], [3.65, 21, 1, 1], [4.00, 23, 1, 1],
    [3.10, 21, 1, 0], [2.39, 19, 1, 1],
])  # fmt: skip
TEMPERATURE = np.array([
    66, 70, 69, 68, 67, 72, 73, 70, 57, 63, 70, 78, 67, 53, 67, 75, 70, 81, 76, 79, 75, 76, 58,
])  # fmt: skip
FAILED = np.array([0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1])
LOGISTIC = {
    "spector": (
        DenseLogistic(with_one(SPECTOR[:, :3]), SPECTOR[:, 3]),
        [-13.0213468581157, 2.82611259488932, 0.0951576613179093, 2.37868765509335],
        [4.93132421360276, 1.26294107562909, 0.141554205673695, 1.06456425449713],
        -12.8896342221314,
    ),
    "challenger": (
        DenseLogistic(with_one(TEMPERATURE.astype(float)), FAILED.astype(float)),
        [15.0429016477024, -0.232162744218596],
        [7.37863638491657, 0.108236521649285],
        -10.1575963439334,
    ),
}


@pytest.mark.parametrize("name", LOGISTIC)
@pytest.mark.parametrize("method", CONVEX)
def test_published_logistic_regressions(method: str, name: str) -> None:
    """Spector and Mazzeo's students, and the O-rings of the Challenger."""
    objective, coefficients, errors, likelihood = LOGISTIC[name]
    end = solve(method, objective, np.zeros(len(coefficients)), tolerance=1e-10)
    rtol = 2e-4 if method == "lbfgs" else 1e-8
    np.testing.assert_allclose(end.x, coefficients, rtol=rtol)
    assert -end.value == pytest.approx(likelihood, rel=1e-9 if method == "lbfgs" else 1e-13)
    if method != "lbfgs":
        found = np.sqrt(np.diag(np.linalg.inv(objective.curvature_matrix(end.x))))
        np.testing.assert_allclose(found, errors, rtol=1e-7)


# --- SPSA on Spall's skewed quartic -------------------------------------------------------------------


class SkewedQuartic:
    """Spall's test function of ten variables, with additive noise."""

    size = 10

    def __init__(self, noise: float, rng: np.random.Generator) -> None:
        self._rows = np.triu(np.ones((10, 10))) / 10.0
        self._noise, self._rng = noise, rng

    def exact(self, x: Floats) -> float:
        y = self._rows @ x
        return float(y @ y + 0.1 * (y**3).sum() + 0.01 * (y**4).sum())

    def value(self, x: Floats) -> float:
        return self.exact(x) + (self._noise * float(self._rng.normal()) if self._noise else 0.0)


def test_the_quartic_is_typed_without_mistake() -> None:
    assert SkewedQuartic(0.0, np.random.default_rng(1)).exact(np.ones(10)) == pytest.approx(
        4.177833, abs=5e-7
    )


@pytest.mark.parametrize(
    ("noise", "a", "c", "steps", "mean"),
    [(0.0, 0.5, 0.01, 500, 0.00414), (0.1, 0.1, 0.1, 500, 0.03546), (0.1, 0.2, 0.1, 500, 0.00930)],
)
def test_spsa_ends_as_near_as_published(noise: float, a: float, c: float, steps: int, mean: float) -> None:
    ends = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        quartic = SkewedQuartic(noise, rng)
        options = {"steps": steps, "a": a, "c": c, "batch": 0}
        end = OPTIMIZERS["spsa"](**options).minimize(quartic, np.ones(10), rng=rng, observe=silent)
        ends.append(quartic.exact(end.x) / quartic.exact(np.ones(10)))
    assert np.mean(ends) == pytest.approx(mean, abs=3.0 * np.std(ends) / math.sqrt(len(ends)) + 0.01 * mean)


# --- piece values and the tools of others -------------------------------------------------------------

MEDVEDEV: dict[str, dict[str, Any]] = {
    # printed on the wiki (for Anderssen by his tool); θ and loss at the optimum, by an independent Newton
    # iteration; rows with and without draws; how near to print
    "Anderssen": {
        "printed": [285.741, 288.611, 531.038, 1013.63],
        "optimum": [0.233053, 0.66592699, 0.67261648, 1.23760002, 2.36228673],
        "loss": 0.67311193, "rows": 3620, "decisive": 3262, "within": 5e-3,
    },
    "OpenRating": {
        "printed": [288, 345, 480, 1077],
        "optimum": [0.74775146, 2.16196444, 2.58374568, 3.59207661, 8.05914563],
        "loss": 0.46922026, "rows": 20215, "decisive": 17957, "within": 1.2,
    },
    "Carlsen": {
        "printed": [213, 243, 352, 786],
        "optimum": [0.56178307, 1.19516857, 1.36482904, 1.9773993, 4.41242281],
        "loss": 0.64743871, "rows": 8030, "decisive": 5043, "within": 1.2,
    },
    "Anand": {
        "printed": [216, 230, 355, 762],
        "optimum": [0.61207693, 1.32325003, 1.41019686, 2.17728073, 4.67014628],
        "loss": 0.64359618, "rows": 12207, "decisive": 6794, "within": 1.2,
    },
}  # fmt: skip


def medvedev_objective(rows: Floats) -> DataObjective:
    """Cross-entropy of decisive rows plus 1e-6·Σθ², with θ in log-odds: 100 cp are one unit here."""
    decisive = rows[np.isin(rows[:, 5], (0.0, 1.0))]
    men = dict.fromkeys(("pawn", "knight", "bishop", "rook", "queen"), (1, "none"))
    parameters = make_parameters(weights(layout(**men)))
    features = feature_matrix(decisive[:, :5], np.zeros(len(decisive)), block_rows=4096)
    ridge = 1e-6 * 0.01**2 * PENALTY_UNIT**2
    return data_objective(features, decisive[:, 5], scale=0.01, parameters=parameters, ridge=ridge)


@pytest.mark.parametrize("player", MEDVEDEV)
def test_medvedevs_piece_values(reference_data: Path, player: str) -> None:
    """Chess Programming Wiki, "Point Value by Regression Analysis"."""
    published = MEDVEDEV[player]
    path = reference_data / "pgnlearn" / f"{player}.pgn"
    assert len(every_row(path)) == published["rows"]
    objective = medvedev_objective(medvedev_rows(path))
    assert len(objective) == published["decisive"]
    end = solve("texel", objective, objective.prior, tolerance=1e-10)
    theta, optimum = 0.01 * end.x, np.array(published["optimum"])
    np.testing.assert_allclose(theta, optimum, atol=2e-7)
    assert end.value == pytest.approx(published["loss"], abs=5e-9)
    values, best = (100.0 * found[1:] / found[0] for found in (theta, optimum))
    np.testing.assert_allclose(values, best, atol=1e-3)
    np.testing.assert_allclose(values, published["printed"], atol=published["within"])


INCUMBENT_START = np.array([100.0, 300.0, 300.0, 500.0, 900.0, 25.0])
INCUMBENT_MG = [-34.08224263, -31.12449991, -37.56655855, -145.62498382, 113.75896088, 56.10412038]
INCUMBENT_EG = [253.25928821, 683.20660072, 686.56974559, 1198.2530866, 2276.51124244, 253.65846904]


def incumbent_rows(reference_data: Path) -> tuple[Any, Floats]:
    """The rows texel-tuner was given: games without a result count as draws there."""
    rows = every_row(reference_data / "pgnlearn" / "OpenRating.pgn")
    features = feature_matrix(np.column_stack([rows[:, :5], rows[:, 8]]), rows[:, 7], block_rows=4096)
    return features, np.nan_to_num(rows[:, 5], nan=0.5)


def test_texel_tuners_k(reference_data: Path) -> None:
    features, result = incumbent_rows(reference_data)
    assert len(result) == 20_215
    scores = features.scores(np.column_stack([INCUMBENT_START, INCUMBENT_START]))
    k = fit_k(scores, result, LOSSES["squared"]())
    assert k * math.log(10.0) == pytest.approx(2.5949285011429923, abs=1e-6)
    loss = LOSSES["squared"]().value(slope(k) * scores, result).mean()
    assert loss == pytest.approx(0.1483311530834115, rel=1e-12)


@pytest.mark.parametrize("method", ["texel", "newton", "gauss-newton", "lbfgs"])
def test_texel_tuners_twelve_weights(reference_data: Path, method: str) -> None:
    """The incumbent's own evaluation and K; the weights are the optimum of its loss by another solver."""
    features, result = incumbent_rows(reference_data)
    start = np.column_stack([INCUMBENT_START, INCUMBENT_START])
    scale = slope(k_from_base_e(2.59475))
    objective = data_objective(features, result, loss="squared", scale=scale, start=start)
    end = solve(method, objective, objective.prior, tolerance=1e-9)
    assert end.value == pytest.approx(0.13732413028338286, rel=1e-11)
    tolerance = 0.05 if method == "lbfgs" else 0.01
    np.testing.assert_allclose(
        end.x.reshape(6, 2), np.column_stack([INCUMBENT_MG, INCUMBENT_EG]), atol=tolerance
    )


def pesto_scores(positions: Any) -> Floats:
    """PeSTO's tables in our psqt evaluation."""
    evaluation = load_evaluation("psqt")
    data = json.loads((Path(__file__).parent / "data" / "pesto.json").read_text())["pieces"]
    values: dict[str, Any] = {}
    for piece, numbers in data.items():
        tables = []
        for phase in ("mg", "eg"):
            board = np.array(numbers[f"{phase}_table"]).reshape(8, 8)[::-1]  # a1 first
            labels = [label for term, label in evaluation.layout.names if term == f"psqt_{piece}"]
            tables.append([float(board[int(label[1]) - 1, ord(label[0]) - ord("a")]) for label in labels])
        values[f"psqt_{piece}"] = tables
        if piece != "king":
            values[f"material_{piece}"] = (numbers["mg"], numbers["eg"])
    scores: Floats = evaluation.score(positions, from_terms(evaluation.layout, values))
    return scores


def test_the_zurichess_extract(reference_data: Path) -> None:
    """1,000 lines of quiet-labeled.epd: counts, and the K of PeSTO's tables with its published error."""
    positions = read_positions(reference_data / "public" / "epd" / "quiet-labeled_debug.epd")
    counts = [int((positions.result == outcome).sum()) for outcome in (1.0, 0.5, 0.0)]
    assert counts == [378, 258, 364]
    scores, result = pesto_scores(positions), positions.result.astype(float)
    squared = LOSSES["squared"]()
    k = fit_k(scores, result, squared)
    assert 1.48 < k < 1.88
    assert k == pytest.approx(1.680, abs=5e-4)
    assert squared.value(slope(k) * scores, result).mean() == pytest.approx(0.06461, abs=5e-6)
    assert fit_k(scores, result, LOSSES["cross-entropy"]()) == pytest.approx(1.699, abs=5e-4)
