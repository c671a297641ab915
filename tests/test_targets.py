"""What a fit is asked to predict, and what is said where that cannot be told from the data."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from playouts import random_games

from evalcore.errors import InputError
from evalcore.positions import Positions
from tuner.job import make_job
from tuner.targets import make_targets


@pytest.fixture(scope="module")
def positions() -> Positions:
    made = random_games(games=20)
    scores = np.random.default_rng(1).normal(0.0, 100.0, len(made)).astype(made.score.dtype)
    return replace(made, score=scores)


def with_results(positions: Positions, value: float) -> Positions:
    return replace(positions, result=np.full_like(positions.result, value))


def test_positions_with_scores_alone_are_told_how_to_use_them(positions: Positions) -> None:
    scored = with_results(positions, np.nan)
    with pytest.raises(
        InputError, match=r"none .* has a result, .*; .* have a score: take --loss score-squared"
    ):
        make_targets(scored, 1.0)
    assert make_targets(scored, 0.0, 1.0).left_out == 0  # the other remedy of the sentence
    assert make_targets(scored, 1.0, compares="scores").left_out == 0
    bare = replace(scored, score=np.full_like(scored.score, np.nan))
    with pytest.raises(InputError, match=r"so there is nothing to fit to$"):
        make_targets(bare, 1.0)


def test_the_k_of_scores_can_be_given_where_all_results_are_alike(positions: Positions) -> None:
    drawn = with_results(positions, 0.5)
    with pytest.raises(
        InputError, match=r"results are draws, so the K of the scores .*: set score_k to a number"
    ):
        make_targets(drawn, 0.0)
    assert make_targets(drawn, 0.0, 1.0).score_k == 1.0


@pytest.mark.parametrize("key", ["k", "score_k"])
@pytest.mark.parametrize("value", ["1e-9", "1e9", "0", "-1", "nan", "true"])
def test_a_k_out_of_every_scale_is_refused(key: str, value: str) -> None:
    with pytest.raises(InputError, match=f"{key}.*expected 'fit' or a number from 0.01 to 100"):
        make_job([f"{key}={value}", "result_share=0.5"])


@pytest.mark.parametrize("setting", ["ridge=1e300", "rules.tempo.ridge=1e300", "rules.tempo.lasso=1e300"])
def test_a_price_without_bounds_is_refused(setting: str) -> None:
    with warnings.catch_warnings(), pytest.raises(InputError, match=r"1e.?0?9|1000000000"):
        warnings.simplefilter("error")
        make_job([setting])
