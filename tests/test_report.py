"""report.html and the pictures: every number is in a file of the run, no network, no change."""

import builtins
import json
import re
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pandas as pd
import pytest
from playouts import random_games

from evalcore.errors import FormatError, InputError, UnknownName
from evalcore.evaluation import load_evaluation
from evalcore.formats import write_positions
from evalcore.positions import NO_GAME
from tuner import cli
from tuner.cli.summary import summary
from tuner.inference.ablation import without_terms
from tuner.inference.sources import source_influence
from tuner.inference.validation import cross_validate
from tuner.job import make_job
from tuner.opened import open_fit
from tuner.problem import prepare
from tuner.report import boards, charts, theme
from tuner.report.charts import weight_rows, worst_first
from tuner.report.compare import compare_runs, compare_weights
from tuner.report.contents import contents_of, read_contents, read_table
from tuner.report.page import write_report
from tuner.report.series import series_of
from tuner.run import Fit, run
from tuner.selection import telescope
from tuner.study import choose_ridge, open_study


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "games.parquet"
    write_positions(random_games(), path)
    return path


@pytest.fixture(scope="module")
def fit(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Fit:
    folder = tmp_path_factory.mktemp("runs") / "default"
    return run(make_job(data=[str(data)], threads=1, validation=0.3), folder)


@pytest.fixture(scope="module")
def folder(fit: Fit) -> Path:
    assert fit.folder is not None
    return fit.folder


@pytest.fixture(scope="module")
def page(folder: Path) -> str:
    return write_report(folder).read_text(encoding="utf-8")


class Tables(HTMLParser):
    """The cells of all tables of a page, by the id of the section they are in."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: dict[str, list[list[list[str]]]] = {}
        self.words: list[str] = []
        self.ids: list[str] = []
        self._section, self._cell = "", None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        if known.get("id"):
            self.ids.append(str(known["id"]))
        if tag == "section":
            self._section = str(known["id"])
        elif tag == "table":
            self.found.setdefault(self._section, []).append([])
        elif tag == "tr":
            self.found[self._section][-1].append([])
        elif tag in ("td", "th"):
            self.found[self._section][-1][-1].append("")
            self._cell = tag

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._cell = None

    def handle_data(self, data: str) -> None:
        if self._cell:
            self.found[self._section][-1][-1][-1] += data
        else:
            self.words.append(data)


def number(text: str) -> float:
    return float(text.replace("−", "-").replace(",", "").replace("%", "").replace("∞", "inf"))


# --- the page -----------------------------------------------------------------------------------------


def test_the_page_needs_no_network(page: str) -> None:
    without_names = re.sub(r'xmlns(:\w+)?="[^"]*"', "", page)
    assert "http:" not in without_names
    assert "https:" not in without_names
    assert not re.search(r"<(script|link|img|iframe|object|embed)\b", page)
    assert not re.search(r"@import|url\((?!#)", page)


def test_the_page_fits_phones_and_both_themes(page: str) -> None:
    assert 'name="viewport" content="width=device-width' in page
    assert "prefers-color-scheme:dark" in page
    for name, light, dark in theme.COLOURS.values():
        assert f"--{name}:{light};" in page
        assert f"--{name}:{dark};" in page
    assert not any(colour in page for colour in theme.COLOURS)


def test_ids_of_pictures_are_their_own(page: str) -> None:
    ids = Tables(re.sub(r"<figure><svg role.*?</svg>", "", page, flags=re.DOTALL)).ids
    assert len(ids) == len(set(ids))
    for link in re.findall(r'href="#([^"]*)"', page):
        assert link in ids or f'id="{link}"' in page


def test_every_picture_is_well_formed(page: str) -> None:
    pictures = re.findall(r"<svg .*?</svg>", page, flags=re.DOTALL)
    assert len(pictures) > 30
    for picture in pictures:
        root = ET.fromstring(picture)
        assert root.get("role") == "img"
        assert root.get("aria-label")


def test_losses_on_the_page_are_those_of_the_summary(page: str, folder: Path) -> None:
    summary = json.loads((folder / "summary.json").read_text())
    rows = Tables(page).found["loss"][0][1:]
    for row, name in zip(rows, ("start", "fitted", "rounded"), strict=True):
        losses = summary["loss"][name]
        assert number(row[1]) == pytest.approx(losses["train"], abs=5e-7)
        assert number(row[2]) == pytest.approx(losses["validation"], abs=5e-7)


def test_all_weights_on_the_page_are_those_of_the_table(page: str, folder: Path) -> None:
    table = read_table(folder / "weights.csv")
    rows = Tables(page).found["weights"][-1][1:]
    assert len(rows) == len(table)
    for row, known in zip(rows, table.to_dict("records"), strict=True):
        assert row[:2] == [known["term"], known["label"]]
        assert number(row[2]) == pytest.approx(known["mg"], abs=0.051)
        assert number(row[5]) == pytest.approx(known["eg"], abs=0.051)
        if row[3] != "–":
            assert number(row[3]) == pytest.approx(1.95996 * known["mg_se"], abs=0.051)


def test_terms_and_calibration_on_the_page_are_those_of_the_files(page: str, folder: Path) -> None:
    found = Tables(page).found
    terms = read_table(folder / "terms.csv")
    assert [row[0] for row in found["terms"][0][1:]] == terms["term"].tolist()
    for row, known in zip(found["terms"][0][1:], terms.to_dict("records"), strict=True):
        assert int(row[4]) == known["zero_df"]
        assert (
            row[3] == "–"
            if not known["zero_df"] or np.isnan(known["zero_chi2"])
            else number(row[3]) == pytest.approx(known["zero_chi2"], abs=0.051)
        )
    calibration = read_table(folder / "calibration.csv")
    judged = calibration[calibration["set"] == "validation"]
    rows = found["calibration"][0][1:]
    assert [number(row[1]) for row in rows] == pytest.approx(100 * judged["result"], abs=0.051)
    assert [number(row[3]) for row in rows] == judged["rows"].tolist()


def test_words_and_boards(page: str, folder: Path) -> None:
    worst = read_table(folder / "worst.csv")
    for fen in worst["fen"].head(12):
        assert fen in page
    inference = json.loads((folder / "inference.json").read_text())
    for direction in inference["null_directions"]:
        assert direction["text"] in page
    assert (folder / "job.toml").read_text().strip() in page.replace("&#34;", '"')
    assert "tuner fit" in page


def test_the_page_is_the_same_every_time_and_needs_only_the_folder(
    folder: Path, page: str, tmp_path: Path
) -> None:
    copied = tmp_path / folder.name
    shutil.copytree(folder, copied)
    (copied / "report.html").unlink()
    again = write_report(copied).read_text(encoding="utf-8")
    assert again == page


def test_whole_weights_after_steps_are_on_the_page(data: Path, tmp_path: Path) -> None:
    job = make_job(data=[str(data)], threads=1, evaluation="material", validation=0.3, polish=True)
    fit = run(job, tmp_path / "run")
    rows = Tables(write_report(tmp_path / "run").read_text(encoding="utf-8")).found["loss"][0]
    assert number(rows[4][1]) == pytest.approx(fit.losses["polished"].train, abs=5e-7)
    assert "±" in rows[4][3]


def test_a_run_without_errors_has_a_shorter_page(data: Path, tmp_path: Path) -> None:
    bare = run(
        make_job(data=[str(data)], threads=1, errors=False, evaluation="psqt", validation=0),
        tmp_path / "bare",
    )
    assert bare.diagnosis is None
    found = Tables(write_report(tmp_path / "bare").read_text(encoding="utf-8"))
    assert set(found.found) == {"loss", "weights"}
    assert "errors = true" in "".join(found.words)
    with pytest.raises(InputError, match="errors = false"):
        bare.plot.weights()
    with pytest.raises(InputError, match="errors = false"):
        bare.plot.calibration()
    with pytest.raises(InputError, match="errors = false"):
        bare.contrast("psqt_king[e1].mg")


def test_no_report_of_what_is_no_run(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(InputError, match="is no run folder"):
        write_report(tmp_path)
    unfinished = tmp_path / "unfinished"
    shutil.copytree(folder, unfinished)
    (unfinished / "weights.json").unlink()
    with pytest.raises(InputError, match="has not ended"):
        write_report(unfinished)


@pytest.mark.parametrize("missing", ["jinja2", "matplotlib"])
def test_what_to_install(folder: Path, missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **options: Any) -> Any:
        if name.partition(".")[0] == missing:
            raise ModuleNotFoundError(f"No module named {missing!r}", name=missing)
        return real(name, *args, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(InputError, match=rf"{missing}.*install evaluation-tuner\[report\]"):
        write_report(folder)


def test_the_verdict(folder: Path) -> None:
    contents = read_contents(folder)
    losses = contents.table("losses").copy()
    fitted = (losses["set"] == "validation") & (losses["weights"] == "fitted")
    for gain, kind in ((0.01, "better"), (-0.01, "worse"), (0.001, "unclear")):
        losses.loc[fitted, ["gain", "gain_se"]] = [gain, 0.001]
        told = replace(contents, tables={"losses": losses}).verdict
        assert told is not None
        assert (told.kind, told.gain) == (kind, gain)
        assert ("cross-validate" in told.remedy) == (kind != "better")
    losses.loc[fitted, "games"] = 1
    single = replace(contents, tables={"losses": losses}).verdict
    assert single is not None
    assert single.kind == "unclear"
    assert "the only game it has not seen" in single.text and "a single game says nothing" in single.text
    assert "95 %" not in single.text and "nan" not in single.text
    assert replace(contents, tables={}).verdict is None


def test_where_the_page_comes_from(ranked: Fit, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bare = replace(ranked, folder=tmp_path)
    assert f"with pictures: tuner report {tmp_path}" in summary(bare)
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    assert f"pip install matplotlib jinja2, then tuner report {tmp_path}" in summary(bare)


def test_a_page_of_data_without_games_speaks_of_boards(tmp_path: Path) -> None:
    positions = random_games()
    lone = replace(positions, game=np.full(len(positions), NO_GAME, positions.game.dtype))
    write_positions(lone, tmp_path / "lone.parquet")
    job = make_job(data=[str(tmp_path / "lone.parquet")], threads=1, evaluation="material", validation=0.3)
    fit = run(job, tmp_path / "run")
    text = write_report(tmp_path / "run").read_text(encoding="utf-8")
    assert "boards it has not seen" in text and "boards as units" in summary(fit) + text
    assert "boards" in Tables(text).found["calibration"][0][0]


def test_a_split_by_position_says_nothing_about_games_not_seen(data: Path, tmp_path: Path) -> None:
    job = make_job(data=[str(data)], threads=1, evaluation="default", validation=0.3, split="position")
    fit = run(job, tmp_path / "run")
    text = write_report(tmp_path / "run").read_text(encoding="utf-8")
    for told in (text, summary(fit), fit._repr_html_()):
        assert "not seen" not in told and "warning" not in told
        assert "hides over-fitting" in told


def test_the_terminal_says_when_the_start_was_no_worse(fit: Fit) -> None:
    assert fit.diagnosis is not None
    losses = fit.diagnosis.losses.copy()
    fitted = (losses["set"] == "validation") & (losses["weights"] == "fitted")

    def told(gain: float) -> str:
        losses.loc[fitted, ["gain", "gain_se"]] = [gain, 0.001]
        assert fit.diagnosis is not None
        return summary(replace(fit, diagnosis=replace(fit.diagnosis, losses=losses)))

    assert "warning" not in told(0.01)
    worse, unclear = told(-0.01), told(0.001)
    assert "predicts worse" in worse and "rose by 0.010000 ± 0.001960" in worse
    assert "cannot be told from the starting weights" in unclear
    assert "--ridge cross-validate" in worse and "--ridge cross-validate" in unclear
    start = fit.losses["start"]
    rose = replace(start, validation=(start.validation or 0.0) + 0.5)
    bare = replace(fit, diagnosis=None, losses=fit.losses | {"fitted": rose})
    assert "warning: the validation loss rose by 0.500000" in summary(bare)


# --- pictures -----------------------------------------------------------------------------------------


def cells(picture: theme.Picture) -> Iterator[tuple[str, float, float, str]]:
    """(square by its place, its number, its tooltip) of a heat map."""
    root = ET.fromstring(picture.svg)
    space = {"s": "http://www.w3.org/2000/svg"}
    for group in root.findall("s:g", space):
        rect, text, title = (group.find(f"s:{name}", space) for name in ("rect", "text", "title"))
        assert rect is not None and text is not None and title is not None
        file = (float(str(rect.get("x"))) - boards.EDGE) / boards.CELL
        rank = 7 - (float(str(rect.get("y"))) - boards.CAPTION) / boards.CELL
        yield (
            chess.square_name(chess.square(int(file), int(rank))),
            number(str(text.text)),
            rank,
            str(title.text),
        )


def test_squares_are_where_they_belong_on_a_board(fit: Fit) -> None:
    midgame, endgame = fit.plot.psqt("knight")
    assert midgame._repr_html_().count("psqt_knight, midgame<") == 1
    for picture, column in ((midgame, 0), (endgame, 1)):
        found = list(cells(picture))
        assert len(found) == 64
        for square, shown, _, title in found:
            weight = fit.fitted["psqt_knight", square][column]
            assert shown == pytest.approx(weight, abs=0.501)
            assert title.startswith(f"{square}: ")


def test_pawn_boards_leave_the_last_ranks_empty(fit: Fit) -> None:
    ranks = {rank for _, _, rank, _ in cells(next(iter(fit.plot.psqt("pawn"))))}
    assert ranks == {1, 2, 3, 4, 5, 6}


def test_kinds_of_series(fit: Fit) -> None:
    kinds = {each.title: each.kind for each in series_of(contents_of(fit).weights)}
    assert kinds["psqt_king"] == "board"
    assert kinds["knight_mobility"] == "curve"
    assert kinds["tempo"] == "single"


def test_a_split_term_has_two_series() -> None:
    rows = [
        {
            "term": "t",
            "label": f"{side}, {square}",
            "mg": 1.0,
            "eg": 2.0,
            "mg_start": 0.0,
            "eg_start": 0.0,
            "flags": "",
        }
        for side in ("own", "opponent")
        for square in ("a1", "b1", "c1")
    ]
    found = list(series_of(pd.DataFrame(rows)))
    assert [each.title for each in found] == ["t, own", "t, opponent"]
    assert found[0].rows["label"].tolist() == ["a1", "b1", "c1"]
    assert found[0].phases == ["mg", "eg"]


def test_an_untapered_term_has_one_series_for_all_phases() -> None:
    row = {"term": "t", "label": "", "mg": 1.0, "eg": 1.0, "mg_start": 0.0, "eg_start": 0.0, "flags": ""}
    assert next(series_of(pd.DataFrame([row]))).phases == ["both"]


def test_pictures_of_a_fit(fit: Fit) -> None:
    plots = fit.plot
    assert len(plots.psqt()) == 12
    assert {picture.title for picture in plots.curves("knight_mobility", "passed_pawn")} == {
        "knight_mobility", "passed_pawn",
    }  # fmt: skip
    for picture in (
        plots.weights(), plots.pieces(), plots.convergence(), plots.gradient(), plots.calibration(),
        plots.residuals("pieces"),
    ):  # fmt: skip
        assert picture._repr_html_().count(f">{picture.title}<") == 1
        ET.fromstring(picture.svg)
    with pytest.raises(UnknownName, match="psqt_knight"):
        plots.psqt("knigt")
    with pytest.raises(UnknownName, match="knight_mobility"):
        plots.curves("knight_mobilty")
    with pytest.raises(UnknownName, match="phase"):
        plots.residuals("phases")


def test_only_groups_of_enough_games_are_coloured() -> None:
    rows = [
        ("many", 100, 0.1, 0.01),
        ("few", 3, 0.1, 0.01),
        ("one", 1, -0.2, np.nan),
        ("even", 100, 0.0, 0.1),
    ]
    columns = ["group", "games", "favourite", "favourite_se"]
    table = pd.DataFrame(rows, columns=columns).assign(by="kind")

    def coloured(these: list[str]) -> bool:
        picture = charts.residuals(table[table["group"].isin(these)], "kind").svg
        drawn = picture.partition(">")[2]  # the opening tag defines all colours
        return "--picture-good" in drawn or "--picture-bad" in drawn

    assert coloured(["many"])
    assert not coloured(["few", "one", "even"])
    assert ">100<" in charts.residuals(table, "kind").svg


def test_a_saved_picture_stands_alone(fit: Fit, tmp_path: Path) -> None:
    path = fit.plot.convergence().save(tmp_path / "convergence.svg")
    text = path.read_text(encoding="utf-8")
    ET.fromstring(text)
    assert "prefers-color-scheme:dark" in text
    with pytest.raises(InputError, match=r"saved as \.svg"):
        fit.plot.convergence().save(tmp_path / "convergence.png")


def test_a_diagram_shows_the_position() -> None:
    fen = "8/5k2/8/8/8/8/3K4/7Q b - - 0 1"
    text = boards.diagram(fen)
    ET.fromstring(text)
    assert fen in text
    assert text.count("<use") >= 3
    assert "fill-rule" in text


def test_a_weight_for_all_phases_is_listed_once(data: Path) -> None:
    plain = run(make_job(data=[str(data)], threads=1, evaluation="shannon"))
    rows = weight_rows(contents_of(plain).weights)
    assert rows["name"].tolist() == plain.parameters.names()
    assert "material_pawn" in rows["name"].tolist() and set(rows["phase"]) == {"both"}


def test_weights_are_listed_worst_first(fit: Fit) -> None:
    rows = weight_rows(contents_of(fit).weights)
    assert len(rows) == fit.parameters.size
    assert rows["name"].tolist() == fit.parameters.names()
    alone = worst_first(rows)
    order = (alone["se"] / alone["from_data"].clip(lower=1e-6)).to_numpy()
    assert (np.diff(order) <= 0).all()


# --- fits from their folder ---------------------------------------------------------------------------


def test_a_fit_opened_from_its_folder_is_the_fit(fit: Fit, folder: Path) -> None:
    opened = open_fit(folder)
    np.testing.assert_array_equal(opened.fitted.values, fit.fitted.values)
    np.testing.assert_array_equal(opened.rounded.values, fit.rounded.values)
    assert opened.losses == fit.losses
    assert (opened.k, opened.games, opened.positions, opened.notes) == (
        fit.k,
        fit.games,
        fit.positions,
        fit.notes,
    )
    assert opened.minimum.converged
    pd.testing.assert_frame_equal(opened.weights, fit.weights, rtol=1e-6)
    asked, known = (each.contrast("bishop_pair.eg - bishop_pair.mg") for each in (opened, fit))
    assert asked.value == pytest.approx(known.value)
    assert asked.error == pytest.approx(known.error, rel=1e-5)
    assert opened.diagnosis is not None and fit.diagnosis is not None
    assert opened.diagnosis.identifiability.summary() == fit.diagnosis.identifiability.summary()
    assert opened.diagnosis.identifiability.null_directions
    known_gains = fit.diagnosis.losses["gain"].to_numpy()
    np.testing.assert_allclose(opened.diagnosis.losses["gain"], known_gains, rtol=1e-6)
    assert opened._repr_html_() == fit._repr_html_()


def test_what_needs_the_positions_says_so(folder: Path) -> None:
    opened = open_fit(folder)
    assert opened.diagnosis is not None
    with pytest.raises(InputError, match="open_study"):
        opened.diagnosis.uncertainty.data_alone()


def test_damaged_folders(folder: Path, tmp_path: Path) -> None:
    copied = tmp_path / "run"
    shutil.copytree(folder, copied)
    (copied / "covariance.npz").write_bytes(b"no archive")
    with pytest.raises(FormatError, match="holds no covariances"):
        open_fit(copied)
    (copied / "weights.csv").write_bytes(b"")
    with pytest.raises(FormatError, match="cannot be read as a table"):
        read_contents(copied)


# --- studies ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def studied(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("studied") / "material"
    run(make_job(data=[str(data)], threads=1, validation=0.3, evaluation="material"), folder)
    return folder


def test_what_a_study_finds_is_in_the_next_report(studied: Path) -> None:
    study = open_study(studied)
    study.cross_validate((1.0, 10.0), folds=2)
    curve = study.learning_curve((0.5, 1.0))
    study.without_terms()
    study.contrasts(["material_bishop.mg - material_knight.mg"])
    half = (np.arange(len(study.problem.data.positions)) % 2).astype(int)
    study.sources(half, ["even", "odd"])
    written = {path.stem for path in studied.glob("*.csv")}
    assert {"cross_validation", "learning_curve", "ablation", "contrasts", "sources"} <= written
    page = write_report(studied).read_text(encoding="utf-8")
    for words in (
        curve.words[1:],
        "Loss by number of games",
        "Gain by strength of the prior",
        "without the term",
        "even",
        "odd",
    ):
        assert words in page
    assert "material_bishop.mg - material_knight.mg" in page
    named = page.partition("Every number on this page")[2]
    assert written == {name.removesuffix(".csv") for name in re.findall(r"\w+\.csv", named)}
    with pytest.raises(InputError, match="one file"):
        study.sources()


def test_a_study_needs_the_same_data(studied: Path, data: Path, tmp_path: Path) -> None:
    copied = tmp_path / "run"
    shutil.copytree(studied, copied)
    summary = json.loads((copied / "summary.json").read_text())
    (copied / "summary.json").write_text(json.dumps(summary | {"data": "0" * 32}))
    with pytest.raises(InputError, match="the data have changed"):
        open_study(copied)


@pytest.fixture(scope="module")
def ranked(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Fit:
    """A fit of the order of positions."""
    job = make_job(data=[str(data)], threads=1, validation=0.3, evaluation="material", objective="ranking")
    return run(job, tmp_path_factory.mktemp("ranked") / "material")


def test_a_fit_of_an_order_is_not_studied_as_one_of_labels(ranked: Fit, studied: Path) -> None:
    assert ranked.folder is not None
    for fit in (ranked, ranked.folder):
        with pytest.raises(InputError, match="objective = ranking"):
            open_study(fit)
    with pytest.raises(InputError, match="objective = ranking"):
        choose_ridge(ranked.job)
    problem = prepare(ranked.job)
    known = open_study(studied).uncertainty
    for ask in (
        lambda: cross_validate(problem, (1.0,), folds=2),
        lambda: telescope(problem, known.x),
        lambda: without_terms(problem, known.x),
        lambda: source_influence(problem, known, np.zeros(len(problem.data.positions), int), ["all"]),
    ):
        with pytest.raises(InputError, match="objective = ranking"):
            ask()


def test_commands_refuse_a_fit_of_an_order(ranked: Fit, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(ranked.folder)
    for command in (
        ["study", folder, "--contrast", "material_pawn.mg"],
        ["select", folder],
        ["select", folder, "--set", "ridge=2"],
        ["ablate", f"{folder}/job.toml"],
    ):
        assert cli.run(command) == 2
        assert "objective = ranking" in capsys.readouterr().err


def test_what_a_fit_of_an_order_says_and_shows(ranked: Fit) -> None:
    for ask in (lambda: ranked.contrast("material_pawn.mg"), ranked.plot.weights, ranked.plot.calibration):
        with pytest.raises(InputError, match="its objective is ranking"):
            ask()
    assert ranked.folder is not None
    found = Tables(write_report(ranked.folder).read_text(encoding="utf-8"))
    assert set(found.found) == {"loss", "weights"}
    words = "".join(found.words)
    assert "objective ranking" in words and "was not minimised" in words
    assert "errors = true" not in words.partition("job.toml")[0]
    assert "tuner study" not in words


def test_one_file_keeps_no_other_question_from_its_answer(
    studied: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["study", str(studied), "--sources", "--contrast", "material_pawn.mg", "--json"]) == 0
    told = capsys.readouterr()
    assert list(json.loads(told.out)) == ["contrasts"]
    assert "the data are one file, so no sources are compared" in told.err
    assert cli.run(["study", str(studied), "--sources"]) == 2
    assert "the data are one file" in capsys.readouterr().err


def test_ablation_of_a_run_goes_to_its_folder(studied: Path, tmp_path: Path) -> None:
    copied = tmp_path / "run"
    shutil.copytree(studied, copied)
    (copied / "ablation.csv").unlink(missing_ok=True)
    assert cli.run(["ablate", str(copied), "material_pawn"]) == 0
    assert read_table(copied / "ablation.csv")["term"].tolist() == ["material_pawn"]
    summary = json.loads((copied / "summary.json").read_text())
    (copied / "summary.json").write_text(json.dumps(summary | {"data": "0" * 32}))
    assert cli.run(["select", str(copied)]) == 2, "the data have changed"


# --- comparing ----------------------------------------------------------------------------------------


def test_runs_side_by_side(folder: Path, studied: Path, tmp_path: Path) -> None:
    table = compare_runs([folder, studied])
    assert table.index.tolist() == [str(folder), str(studied)]
    assert table["data"].tolist() == ["A", "A"]
    assert table["evaluation"].tolist() == ["default", "material"]
    other = tmp_path / "other"
    shutil.copytree(studied, other)
    text = (other / "job.toml").read_text(encoding="utf-8")
    (other / "job.toml").write_text(text.replace("seed = 1", "seed = 2"), encoding="utf-8")
    assert compare_runs([folder, studied, other])["data"].tolist() == ["A", "A", "B"], "another split"
    summary = json.loads((folder / "summary.json").read_text())
    assert table["validation_fitted"].iloc[0] == summary["loss"]["fitted"]["validation"]
    assert table["gap"].iloc[0] == summary["gap"] < 1e-10
    with pytest.raises(InputError, match="is no run folder"):
        compare_runs([folder, folder.parent])


def test_weights_side_by_side(folder: Path, studied: Path, fit: Fit) -> None:
    table = compare_weights(folder, studied)
    assert set(table.index) == {
        f"material_{p}.{phase}"
        for p in ("pawn", "knight", "bishop", "rook", "queen")
        for phase in ("mg", "eg")
    }
    row = table.loc["material_pawn.mg"]
    assert row["one"] == pytest.approx(fit.fitted["material_pawn", ""][0])
    assert row["z"] == pytest.approx(row["difference"] / row["se"])
    assert table["z"].abs().is_monotonic_decreasing


def test_every_preset_with_squares_has_boards() -> None:
    layout = load_evaluation("psqt").layout
    assert {"psqt_king", "psqt_pawn"} <= set(layout.slices)
