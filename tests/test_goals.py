"""Goals other than labels, polished whole weights and centred tables, from a job to the end of a run."""

import re
from pathlib import Path

import numpy as np
import pytest
from playouts import random_games

from evalcore.errors import InputError, UnknownName
from evalcore.formats import write_positions
from evalcore.positions import Positions
from tuner.cli.summary import summary
from tuner.goals import GOALS
from tuner.job import Job, make_job
from tuner.opened import open_fit
from tuner.polish import polished
from tuner.problem import goals_of, prepare
from tuner.run import run
from tuner.study import open_study


@pytest.fixture(scope="module")
def positions() -> Positions:
    return random_games(games=80)


@pytest.fixture(scope="module")
def data(positions: Positions, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "games.parquet"
    write_positions(positions, path)
    return path


def job(data: Path, *settings: str, evaluation: str = "material") -> Job:
    given = [f"evaluation={evaluation}", "threads=1", "ridge=0.01", "errors=false", *settings]
    return make_job(given, data=[str(data)])


def test_every_goal_of_a_job_is_in_the_table() -> None:
    assert set(GOALS) == set(Job.model_json_schema()["properties"]["objective"]["enum"])


def test_ranking_and_comparison_run_from_a_job(data: Path) -> None:
    for objective in ("ranking", "comparison"):
        fit = run(job(data, f"objective={objective}", "pairs=3"))
        assert fit.minimum.converged
        assert any("pairs the better one has the higher score" in note for note in fit.notes)
        assert any("Kendall's tau" in note for note in fit.notes) == (objective == "ranking")
        again = run(job(data, f"objective={objective}", "pairs=3"))
        np.testing.assert_array_equal(again.fitted.values, fit.fitted.values)


def test_concordance_runs_with_methods_that_need_values(data: Path) -> None:
    fit = run(job(data, "objective=concordance", "method=local", "options.max_passes=300"))
    note = next(note for note in fit.notes if "Kendall's tau" in note)
    before, after = (float(part.split()[0]) for part in note.split(": ")[1].split(", "))
    assert after > before
    assert any("cannot be told without gradients: stuck" in n or "stopped after" in n for n in fit.notes)
    assert "Ended after" in summary(fit) and "nan" not in summary(fit)
    with pytest.raises(InputError, match="which method texel needs"):
        run(job(data, "objective=concordance"))


def test_fewer_pairs_than_weights_are_said(positions: Positions, tmp_path: Path) -> None:
    first = np.flatnonzero((positions.ply == 20) | (positions.ply == 21))[:40]
    chosen = np.union1d(first, np.flatnonzero(positions.ply == 40))
    write_positions(positions.select(chosen), tmp_path / "few.parquet")
    fit = run(job(tmp_path / "few.parquet", "objective=comparison", evaluation="psqt"))
    assert any(
        re.match(
            r"\d+ pairs cannot teach \d{2,} weights, so most stay near their prior .* convert a PGN", note
        )
        for note in fit.notes
    )
    enough = run(job(tmp_path / "few.parquet", "objective=ranking", "pairs=3"))
    assert not any("cannot teach" in note for note in enough.notes)


def test_goals_have_no_standard_errors(data: Path) -> None:
    fit = run(job(data, "objective=ranking", "errors=true"))
    assert fit.diagnosis is None
    assert any("standard errors belong to fits of labels" in note for note in fit.notes)


# --- polish -------------------------------------------------------------------------------------------


def test_polished_weights_are_whole_and_no_single_step_improves_them(data: Path) -> None:
    fit = run(job(data, "polish=true", "ridge=0"))
    assert set(fit.losses) == {"start", "fitted", "rounded", "polished"}
    assert fit.losses["fitted"].train <= fit.losses["polished"].train <= fit.losses["rounded"].train
    assert fit.rounded.values.dtype == np.int64
    objective = prepare(fit.job).objective
    table = fit.rounded.values.astype(float)
    value = objective.table_loss(table)
    for place in np.ndindex(*table.shape):
        for step in (1.0, -1.0):
            moved = table.copy()
            moved[place] += step
            assert objective.table_loss(moved) >= value


def test_polish_keeps_ties_rules_and_fixed_weights(data: Path) -> None:
    settings = (
        'tie=[["material_knight", "material_bishop"]]', "freeze=material_pawn",
        "rules.material_rook.upper=400.5",
    )  # fmt: skip
    fit = run(job(data, "polish=true", *settings))
    knight, bishop = fit.rounded["material_knight", ""], fit.rounded["material_bishop", ""]
    assert knight == bishop
    assert fit.rounded["material_pawn", ""] == fit.evaluation.start["material_pawn", ""]
    assert max(fit.rounded["material_rook", ""]) <= 400


def test_polishing_what_cannot_be_better_changes_nothing(data: Path) -> None:
    fit = run(job(data, "polish=true"))
    objective = prepare(fit.job).objective
    assert polished(objective, fit.rounded) is fit.rounded


@pytest.mark.parametrize(
    ("objective", "method"), [("ranking", "texel"), ("comparison", "texel"), ("concordance", "local")]
)
def test_polish_follows_what_was_minimised(data: Path, objective: str, method: str) -> None:
    fit = run(job(data, "polish=true", f"objective={objective}", f"method={method}"))
    goal = goals_of(prepare(fit.job))[0]
    free = fit.parameters.gather(fit.rounded.values.astype(float))
    value = goal.value(free)
    for index in range(len(free)):
        for step in (1.0, -1.0):
            moved = free.copy()
            moved[index] += step
            assert goal.value(moved) >= value - 1e-14


# --- centring -----------------------------------------------------------------------------------------


def test_centred_tables_have_the_same_scores_and_a_mean_of_zero(data: Path, positions: Positions) -> None:
    plain = run(job(data, evaluation="psqt"))
    fit = run(job(data, "centre=psqt_*", evaluation="psqt"))
    evaluation = fit.evaluation
    np.testing.assert_allclose(
        evaluation.score(positions, fit.fitted), evaluation.score(positions, plain.fitted), atol=1e-9
    )
    for piece in ("pawn", "knight", "bishop", "rook", "queen", "king"):
        columns = fit.evaluation.layout.columns_of(f"psqt_{piece}")
        count = fit.occurrences[columns]
        np.testing.assert_allclose(count @ fit.fitted.values[columns] / count.sum(), 0.0, atol=1e-9)
    assert sum("was centred by" in note for note in fit.notes) == 6
    assert fit.losses["fitted"] == plain.losses["fitted"] or fit.losses["fitted"].train == pytest.approx(
        plain.losses["fitted"].train, rel=1e-12
    )


@pytest.mark.parametrize("settings", [[], ["polish=true"]])
def test_errors_of_centred_weights_are_those_of_what_they_are_now(
    data: Path, settings: list[str], tmp_path: Path
) -> None:
    """A centred material weight is the old one plus the mean of its squares, and so is its error."""
    plain = run(job(data, "ridge=1", "errors=true", evaluation="psqt"))
    fit = run(
        job(data, "ridge=1", "errors=true", "centre=psqt_*", *settings, evaluation="psqt"), tmp_path / "run"
    )
    assert plain.diagnosis is not None and fit.diagnosis is not None
    known = plain.diagnosis.pieces.set_index(["what", "phase"])
    columns = fit.evaluation.layout.columns_of("psqt_knight")
    share = plain.occurrences[columns] / plain.occurrences[columns].sum()
    squares = dict(zip(fit.evaluation.layout.names[columns], share, strict=True))
    mean = "".join(f" - {each:.12f} {term}[{label}].eg" for (term, label), each in squares.items() if each)
    opened = open_fit(tmp_path / "run")
    for each in (fit, opened):
        for piece in ("pawn", "knight", "queen"):
            asked = each.contrast(f"material_{piece}.mg")
            assert asked.value == pytest.approx(fit.fitted[f"material_{piece}", ""][0])
            assert asked.value == pytest.approx(known.loc[(piece, "mg"), "value"], rel=1e-6)
            assert asked.error == pytest.approx(known.loc[(piece, "mg"), "se"], rel=1e-5)
        row = each.weights.set_index(["term", "label"]).loc[("psqt_knight", "f3")]
        square = plain.contrast("psqt_knight[f3].eg" + mean)
        assert (row["eg"], row["eg_se"]) == (
            pytest.approx(square.value, abs=1e-6),
            pytest.approx(square.error, rel=1e-4),
        )
    losses = fit.diagnosis.losses[fit.diagnosis.losses["set"] == "train"].set_index("weights")["loss"]
    assert losses.to_dict() == pytest.approx({name: each.train for name, each in fit.losses.items()})
    study = open_study(tmp_path / "run").contrasts(["material_knight.mg"])
    assert study["se"][0] == pytest.approx(known.loc[("knight", "mg"), "se"], rel=1e-5)
    assert study["value"][0] == pytest.approx(fit.fitted["material_knight", ""][0], rel=1e-6)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (["freeze=material_knight"], "frozen"),
        (['tie=[["psqt_knight[a1]", "psqt_bishop[a1]"]]'], "tied"),
        (["rules.material_knight.upper=100"], "a rule would be broken"),
    ],
)
def test_a_table_that_cannot_be_centred_is_left_alone_and_named(
    data: Path, settings: list[str], reason: str
) -> None:
    fit = run(job(data, "centre=psqt_knight", *settings, evaluation="psqt"))
    assert any(note.startswith("psqt_knight was not centred") and reason in note for note in fit.notes)


def test_a_table_whose_constant_goes_nowhere_is_named(data: Path) -> None:
    fit = run(job(data, "centre=passed_pawn", evaluation="default"))
    assert any(
        "passed_pawn was not centred: a constant does not go into material_pawn" in n for n in fit.notes
    )


def test_unknown_tables_are_refused_before_the_data_are_read(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="psqt_knight"):
        run(job(tmp_path / "nosuch.epd", "centre=psqt_knigth", evaluation="psqt"))
    with pytest.raises(InputError, match="is no whole term"):
        run(job(tmp_path / "nosuch.epd", "centre=psqt_knight.mg", evaluation="psqt"))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (["objective=ranking"], "with the logistic loss of pairs (objective ranking)"),
        (["objective=concordance", "method=local", "options.max_passes=50"], "concordance, (1 − τ)/2"),
        ([], "with the squared loss."),
    ],
)
def test_the_page_names_the_loss_that_was_minimised(
    data: Path, tmp_path: Path, settings: list[str], words: str
) -> None:
    from tuner.report.page import write_report

    run(job(data, *settings), tmp_path / "run")
    page = write_report(tmp_path / "run").read_text(encoding="utf-8")
    assert words in page
