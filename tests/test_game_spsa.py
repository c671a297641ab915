"""SPSA of engine options by games: published vectors, real trouble, and theory against simulation."""

import math

import numpy as np
import pytest
from scipy.stats import chi2

from evalcore.errors import FormatError, InputError, UnknownName
from tuner.game_spsa import (
    Parameter,
    Schedule,
    at_bounds,
    check,
    faults,
    hand_out,
    learn,
    steps_of,
    with_values,
)
from tuner.game_spsa_files import read_parameters, write_openbench
from tuner.optimizers.gains import Gains, by_the_end

# --- published vectors --------------------------------------------------------------------------------


def test_fishtests_line_and_its_gains() -> None:
    (parameter,) = read_parameters("Tempo,1,0,2,0.5,0.1", "fishtest")
    assert parameter == Parameter("Tempo", 1, 0, 2, 0.5, 0.1)
    assert steps_of(500) == 250
    gains = Schedule(250, 25).gains(parameter)
    assert gains.c == pytest.approx(0.8732969536786795, rel=1e-14)
    assert gains.a == pytest.approx(0.7352216553570176, rel=1e-14)
    assert gains.spread(249) == pytest.approx(0.5, rel=1e-14)  # the values at the end are as named
    assert gains.rate(249) == pytest.approx(0.1, rel=1e-14)


def test_fishtests_step() -> None:
    gains = Gains(a=0.2, c=1.6, stability=25)
    assert gains.spread(2) == pytest.approx(1.4319595029708212, rel=1e-14)
    assert gains.rate(2) == pytest.approx(0.013121376251623981, rel=1e-14)


def test_fishtests_update() -> None:
    """Value 10, R 0.5, c 2, wins minus losses 3, flip +1: 13."""
    parameter = Parameter("x", 10, 0, 100, 2.0, 0.5, whole=False)
    schedule = Schedule(1, 0, alpha=0.0, gamma=0.0)
    for seed in range(4):
        pair = hand_out(np.array([10.0]), [parameter], schedule, 0, np.random.default_rng(seed))
        assert learn(np.array([10.0]), [parameter], pair, 3, 0) == pytest.approx(10 + 3 * pair.flips)


def test_zamars_gains() -> None:
    gains = by_the_end(100.0, 0.002, 50_000, 5_000)
    assert gains.c == pytest.approx(298.260657, abs=5e-7)
    assert gains.a == pytest.approx(14280.004186, abs=5e-7)


# --- files of other tools -----------------------------------------------------------------------------


def test_forms_of_parameter_lists() -> None:
    assert read_parameters(
        "# mine\nA, int, 10, 0, 20, 2, 0.002\n\nB, float, 1.5, 0, 3, .25, .002", "openbench"
    ) == [
        Parameter("A", 10, 0, 20, 2, 0.002),
        Parameter("B", 1.5, 0, 3, 0.25, 0.002, whole=False),
    ]
    assert read_parameters("A,10,0,20,2,0.002,1.5", "zamar") == [
        Parameter("A", 10, 0, 20, 2, 0.002, whole=False)
    ]
    weather = '{"T": {"value": 100, "min_value": 50, "max_value": 150, "step": 10}}'
    assert read_parameters(weather, "weather-factory") == [Parameter("T", 100, 50, 150, 10, 0.002)]


@pytest.mark.parametrize(
    ("tool", "text", "message"),
    [
        ("fishtest", "A,1,0,2,0.5", "parameters:1: expected 6 columns: name,start,min,max,c_end,r_end"),
        ("fishtest", "A,1,0,2,0.5,0.1\nB,1,0,two,0.5,0.1", "parameters:2: expected a number: 'two'"),
        ("openbench", "A, whole, 1, 0, 2, 1, 1", "expected int or float"),
        ("weather-factory", "{", "is no JSON"),
        ("weather-factory", '{"A": {"value": 1}}', "A: expected a number"),
        ("weather-factory", "[]", "expected an object"),
    ],
)
def test_mistakes_name_the_line(tool: str, text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_parameters(text, tool)


def test_an_unknown_form_lists_the_others() -> None:
    with pytest.raises(UnknownName, match="fishtest"):
        read_parameters("", "fishtst")


def test_what_openbench_prints_at_the_end() -> None:
    ends = [Parameter("A", 10.4, 0, 20, 2, 0.002), Parameter("B", 1.25, 0, 3, 1, 0.002, whole=False)]
    assert write_openbench(ends) == "A, 10\nB, 1.25\n"


# --- real trouble -------------------------------------------------------------------------------------

C_ZERO = """{"parameters": {
 "P1": {"start": 50, "min": 0, "max": 100, "c": 0, "r": 0.002},
 "P2": {"start": 50, "min": 0, "max": 100, "c": -4, "r": 0.002},
 "P3": {"start": 150, "min": 0, "max": 100, "c": 5, "r": 0.002},
 "P4": {"start": 50, "min": 100, "max": 0, "c": 5, "r": 0.002},
 "P5": {"start": 50, "min": 0, "max": 100, "c": 80, "r": 0.002},
 "P6": {"start": "50", "min": 0, "max": 100, "c": "nan", "r": 0.002},
 "P7": {"start": 50, "min": 0, "max": 100, "c": 5, "r": 0.002}}}"""


def test_all_mistakes_are_listed_before_any_game() -> None:
    found = faults(read_parameters(C_ZERO, "json"), Schedule(1000, 100))
    assert found == [
        "P1: c 0 must be above 0",
        "P2: c -4 must be above 0",
        "P3: the start 150 is outside 0 … 100",
        "P4: the minimum 100 is above the maximum 0",
        "P5: c 80 leaves no room in 0 … 100",
        "P6: a value that is no finite number",
    ]
    with pytest.raises(InputError, match=r"P1.*P2.*P3.*P4.*P5.*P6"):
        check(read_parameters(C_ZERO, "json"), Schedule(1000, 100))
    assert faults([], Schedule(0, 0)) == ["there are no parameters", "0 steps are too few"]
    assert faults([Parameter("A", 1, 0, 2, 1, 1)] * 2, Schedule(9, 1)) == ["A: is named 2 times"]


ROUNDING = {"A": (15.25, 0.5), "B": (15.25, 0.2), "C": (15.0, 0.49), "D": (15.25, 3.0)}


def rounding(name: str) -> Parameter:
    value, spread = ROUNDING[name]
    return Parameter(name, value, 0, 100, spread, 0.002)


def test_a_spread_that_is_too_small_for_whole_numbers_is_warned_of() -> None:
    warnings = check([rounding(name) for name in ROUNDING], Schedule(1000, 100))
    assert [warning.split(":")[0] for warning in warnings] == ["A", "B", "C"]
    assert "both sides may play the same value" in warnings[0]
    assert all("say nothing" in warning for warning in warnings[1:])
    floats = [Parameter(name, 15.0, 0, 100, 0.2, 0.002, whole=False) for name in ROUNDING]
    assert check(floats, Schedule(1000, 100)) == []


@pytest.mark.parametrize("name", ROUNDING)
def test_equal_numbers_on_both_sides_move_nothing(name: str) -> None:
    """15.25 and a spread of 0.5: both sides play 15 with probability 0.75·0.25 = 0.1875."""
    parameter, rng, theta = rounding(name), np.random.default_rng(1), np.array([ROUNDING[name][0]])
    schedule = Schedule(1, 0, alpha=0.0, gamma=0.0)
    equal = 0
    for _ in range(4000):
        pair = hand_out(theta, [parameter], schedule, 0, rng)
        moved = learn(theta, [parameter], pair, 2, 0)
        if pair.plus == pair.minus:
            equal += 1
            np.testing.assert_array_equal(moved, theta)
        else:
            assert moved != theta
        assert pair.plus % 1 == 0 == pair.minus % 1
    chance = {
        "A": 0.25 * 0.75,  # 15.75 and 14.75 both become 15
        "B": 0.55 * 0.95 + 0.45 * 0.05,  # 15.45 and 15.05 both become 15, or both 16
        "C": 0.51 * 0.51,
        "D": 0.0,
    }[name]
    assert equal / 4000 == pytest.approx(chance, abs=4 * math.sqrt(0.25 / 4000))


def test_rounding_is_fair_below_zero_too() -> None:
    parameter = Parameter("A", -0.7, -10, 10, 1e-9, 0.002)
    schedule, rng = Schedule(1, 0, alpha=0.0, gamma=0.0), np.random.default_rng(1)
    played = [hand_out(np.array([-0.7]), [parameter], schedule, 0, rng).plus[0] for _ in range(4000)]
    assert set(played) == {-1.0, 0.0}
    assert np.mean(played) == pytest.approx(-0.7, abs=0.03)


def test_a_side_cut_off_by_a_bound_counts_its_real_distance() -> None:
    """Value 2, c 5, minimum 0: the sides are 7 and 0, seven apart and not ten."""
    parameter = Parameter("P", 2.0, 0, 100, 5.0, 0.01, whole=False)
    schedule = Schedule(1, 0, alpha=0.0, gamma=0.0)
    pair = hand_out(np.array([2.0]), [parameter], schedule, 0, np.random.default_rng(1))
    assert sorted([float(pair.plus[0]), float(pair.minus[0])]) == [0.0, 7.0]
    assert pair.moves[0] == pytest.approx(0.01 * 5.0 * 10.0 / 7.0)
    inner = hand_out(np.array([50.0]), [parameter], schedule, 0, np.random.default_rng(1))
    assert inner.moves[0] == pytest.approx(0.01 * 5.0)


def test_a_parameter_that_ends_at_a_bound_is_flagged() -> None:
    parameter, schedule = Parameter("P", 50, 0, 100, 5.0, 0.01), Schedule(100, 10)
    assert at_bounds(np.array([96.0]), [parameter], schedule) == [
        "P ended at 96, within c of its maximum 100"
    ]
    assert at_bounds(np.array([4.0]), [parameter], schedule) == ["P ended at 4, within c of its minimum 0"]
    assert at_bounds(np.array([50.0]), [parameter], schedule) == []
    assert with_values([parameter], np.array([96.0]))[0].value == 96.0


def test_a_batch_cut_short_counts_the_games_it_played() -> None:
    """64 games were asked for, 11 + 12 + 11 were played: the result is −1, not −1 of 64."""
    parameter = Parameter("P", 50, 0, 100, 5.0, 0.01, whole=False)
    schedule = Schedule(1, 0, alpha=0.0, gamma=0.0)
    pair = hand_out(np.array([50.0]), [parameter], schedule, 0, np.random.default_rng(1))
    wins, losses, draws = 11, 12, 11
    assert steps_of(wins + losses + draws) == 17
    moved = learn(np.array([50.0]), [parameter], pair, wins, losses)
    assert moved == pytest.approx(50.0 - 0.01 * 5.0 * pair.flips)


def test_theta_stays_in_its_range() -> None:
    parameter = Parameter("P", 99, 0, 100, 5.0, 10.0, whole=False)
    pair = hand_out(np.array([99.0]), [parameter], Schedule(1, 0), 0, np.random.default_rng(1))
    ends = {float(learn(np.array([99.0]), [parameter], pair, *score)[0]) for score in ((9, 0), (0, 9))}
    assert ends == {0.0, 100.0}


# --- theory -------------------------------------------------------------------------------------------

ELO = 800.0 / math.log(10.0)
"""Elo of a unit of log-odds, doubled: the constant C of the theory."""


def elo_to_score(elo: np.ndarray) -> np.ndarray:
    return 1.0 / (1.0 + 10.0 ** (-elo / 400.0))


def test_the_published_tune_of_four_parameters() -> None:
    """Constant gains, precision 0.5 Elo in 95 % of tunes, a draw ratio of 0.61."""
    n, draws, reach = 4, 0.61, 100.0
    rate = 0.5 * 8.0 / (ELO * chi2.ppf(0.95, n) * (1.0 - draws))
    assert rate == pytest.approx(0.003111, abs=5e-7)
    assert -ELO * n * (1.0 - draws) * rate / 8.0 == pytest.approx(-0.210799, abs=5e-7)
    # a parameter at the end of its range costs 2 Elo, and the spread is a sixth of the range
    spread = 2.0 * reach / 6.0
    curvature = 2.0 * 2.0 / reach**2
    decay = ELO / (2.0 * rate * spread**2 * curvature)  # e(t) falls as exp(−2t/decay)
    assert decay * math.log(2.0) / 2.0 == pytest.approx(43537.498565, rel=1e-9)


def simulated_tunes(tunes: int, games: int, rate: float, draws: float, start: float) -> np.ndarray:
    """Elo below the optimum at the end of many tunes of four parameters, side by side; constant gains."""
    rng = np.random.default_rng(5)
    n, spread, curvature = 4, 100.0 / 3.0, 4.0 / 100.0**2
    gains = Gains(rate * spread**2, spread, 0.0, alpha=0.0, gamma=0.0)
    theta = np.full((tunes, n), start)
    for step in range(games // 2):
        flips = rng.choice(np.array([-1.0, 1.0]), (tunes, n))
        sides = [-0.5 * curvature * ((theta + side * spread * flips) ** 2).sum(1) for side in (1.0, -1.0)]
        score = elo_to_score(sides[0] - sides[1])
        result = np.zeros(tunes)
        for _ in range(2):
            luck = rng.random(tunes)
            win = score - draws / 2.0
            result += (luck < win).astype(float) - (luck > win + draws)
        theta = theta + gains.rate(step) * gains.spread(step) * result[:, None] * flips
    return -0.5 * curvature * (theta**2).sum(1)


def test_tunes_end_as_far_below_the_optimum_as_theory_says() -> None:
    """E = −C·n·(1 − d)·r/8, and −C·χ²(n, 95 %)·(1 − d)·r/8 in 95 of 100 tunes."""
    draws, rate, tunes = 0.61, 0.03, 600
    ends = simulated_tunes(tunes, 24_000, rate, draws, 0.0)
    unit = ELO * (1.0 - draws) * rate / 8.0
    assert ends.mean() == pytest.approx(-4 * unit, abs=3.0 * ends.std() / math.sqrt(tunes) + 0.03 * 4 * unit)
    within = float((ends >= -chi2.ppf(0.95, 4) * unit).mean())
    assert within == pytest.approx(0.95, abs=3.0 * math.sqrt(0.95 * 0.05 / tunes) + 0.005)


def test_zamars_simulation_of_one_variable() -> None:
    """50,000 steps from 100 with gains that fall: mean 1.997 and deviation 30.725 by linear theory."""
    tunes, rng = 300, np.random.default_rng(3)
    parameter = Parameter("x", 100, -1e9, 1e9, 100.0, 0.002, whole=False)
    gains = Schedule(50_000, 5_000).gains(parameter)
    theta = np.full(tunes, 100.0)
    for step in range(50_000):
        spread = gains.spread(step)
        flips = np.where(rng.integers(0, 2, tunes) > 0, 1.0, -1.0)
        # an Elo is lost at 100, and the loss is quadratic
        score = elo_to_score(-((theta + spread * flips) ** 2 - (theta - spread * flips) ** 2) / 100.0**2)
        luck = rng.random((2, tunes)) < score
        theta += gains.rate(step) * spread * (2.0 * luck.sum(0) - 2.0) * flips
    assert theta.mean() == pytest.approx(1.997, abs=3.0 * 30.725 / math.sqrt(tunes))
    assert theta.std(ddof=1) == pytest.approx(30.725, abs=3.0 * 30.725 / math.sqrt(2.0 * tunes))
