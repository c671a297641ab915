"""Telescoping: the path, its losses, and terms that are known to be worth nothing."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evalcore.errors import UnknownName
from tuner.cli import run
from tuner.inference.ablation import without_terms
from tuner.inference.refit import Held, refit
from tuner.job import make_job
from tuner.problem import Problem, prepare
from tuner.selection import members_of_terms, telescope


@pytest.fixture(scope="module")
def problem() -> Problem:
    return prepare(make_job(evaluation="material"))


def test_backward_path_starts_with_all_and_ends_with_the_queen_or_rook(problem: Problem) -> None:
    x = refit(problem, problem.objective, problem.parameters.start)
    path = telescope(problem, x)
    assert path["terms"].tolist() == [5, 4, 3, 2, 1] and path["weights"].tolist() == [10, 8, 6, 4, 2]
    assert (np.diff(path["train"]) > 0).all(), "fewer terms fit worse"
    assert path["set"].iloc[-1] in ("material_rook", "material_queen")
    assert np.isclose(path["train"].iloc[0], problem.objective.data_loss(x), rtol=1e-9)


def test_every_step_is_the_optimum_of_its_set(problem: Problem) -> None:
    x = refit(problem, problem.objective, problem.parameters.start)
    row = telescope(problem, x, least=4).iloc[-1]
    members = members_of_terms(problem)
    free = np.sort(np.concatenate([members[term] for term in row["set"].split()]))
    held = Held(problem.objective, free, np.zeros_like(x))
    best = held.embed(refit(problem, held, x[free]))
    assert np.isclose(problem.objective.data_loss(best), row["train"], rtol=1e-8)


def test_forward_path_is_greedy(problem: Problem) -> None:
    path = telescope(problem, problem.parameters.start, direction="forward", most=2)
    assert path["terms"].tolist() == [1, 2]
    members = members_of_terms(problem)
    alone = {}
    for term, free in members.items():
        held = Held(problem.objective, free, np.zeros(problem.objective.size))
        alone[term] = problem.objective.data_loss(
            held.embed(refit(problem, held, problem.parameters.start[free]))
        )
    assert alone[path["term"][0]] <= sorted(alone.values())[1], "among the two best single terms"


def test_how_many_to_keep_is_chosen_on_held_out_games(problem: Problem) -> None:
    x = refit(problem, problem.objective, problem.parameters.start)
    path = telescope(problem, x)
    held_out, data = problem.held_out, problem.data
    assert held_out is not None
    np.testing.assert_allclose(path["validation"].iloc[0], held_out.data_loss(x))
    best = path["validation"].idxmin()
    assert path["above"].tolist() == (path["validation"] - path["validation"][best]).tolist()
    within = path[path["above"] <= path["above_se"]]
    assert path["kept"].tolist() == (path["terms"] == within["terms"].min()).tolist()
    # the error of a difference by the loop over games, of all terms against the best
    members = members_of_terms(problem)
    row = path.iloc[2]
    free = np.sort(np.concatenate([members[term] for term in row["set"].split()]))
    held = Held(problem.objective, free, np.zeros_like(x))
    few = held.embed(refit(problem, held, x[free]))
    losses = [
        held_out.loss.value(
            held_out.scale * held_out.features.scores(problem.parameters.table(each)), held_out.target
        )
        for each in (few, x)
    ]
    assert best == 0
    apart = losses[0] - losses[1] - (losses[0] - losses[1]).mean()
    games = data.groups.of_row[data.validation]
    sums = np.array([apart[games == game].sum() for game in np.unique(games)])
    expected = np.sqrt((sums**2).sum() * len(sums) / (len(sums) - 1)) / len(apart)
    assert row["above_se"] == pytest.approx(expected, rel=1e-4)


def test_without_held_out_games_no_number_is_chosen(problem: Problem) -> None:
    path = telescope(replace(problem, held_out=None), problem.parameters.start, direction="forward", most=2)
    assert not path["kept"].any() and path["validation"].isna().all()


@pytest.mark.parametrize("method", ["linear", "spsa"])
def test_terms_are_told_whatever_the_method(problem: Problem, method: str) -> None:
    """Methods that stop before the optimum, or that solve one kind of problem only, do not matter."""
    other = replace(problem, job=problem.job.model_copy(update={"method": method}))
    path, known = (telescope(each, each.parameters.start, least=3) for each in (other, problem))
    assert path["term"].tolist() == known["term"].tolist()
    np.testing.assert_allclose(path["train"], known["train"], rtol=1e-8)
    told, expected = (
        without_terms(each, each.parameters.start, ["material_queen"]) for each in (other, problem)
    )
    np.testing.assert_allclose(told["train_change"], expected["train_change"], rtol=1e-6)


def test_unknown_direction(problem: Problem) -> None:
    with pytest.raises(UnknownName, match="sideways"):
        telescope(problem, problem.parameters.start, direction="sideways")


def test_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["fit", "-e", "material", "--out", "run", "-q"]) == 0
    assert run(["select", "run", "-o", "path.csv", "--least", "3"]) == 0
    path = pd.read_csv("path.csv")
    assert path["terms"].tolist() == [5, 4, 3]
    told = capsys.readouterr().out
    assert f"keep {path['terms'][path['kept']].iloc[0]} terms, the fewest whose validation loss" in told
    assert "their number from the validation loss" in told
    assert run(["ablate", "run", "material_pawn", "-o", "ablation.csv"]) == 0
    assert pd.read_csv("ablation.csv")["term"].tolist() == ["material_pawn"]
    assert run(["ablate", "run", "material_pwn"]) == 2
    assert "material_pawn" in capsys.readouterr().err
