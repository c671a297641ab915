"""Fits of rows of features that an engine counted itself: the same numbers as from the boards."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from evalcore.errors import InputError
from evalcore.evaluation import Evaluation, load_evaluation
from evalcore.formats import read_positions, write_positions
from evalcore.formats.svmlight import FeatureRows, write_features
from evalcore.positions import Positions
from tuner.cli import run
from tuner.sample import sample_path

ROWS = 6_000


@pytest.fixture(scope="module")
def rows() -> Positions:
    return read_positions(str(sample_path())).select(slice(0, ROWS))


def traced_file(evaluation: Evaluation, *, head: str = "") -> str:
    """The evaluation as one whose terms an engine counts."""
    lines = [head]
    for (name, labels), taper in zip(evaluation.layout.terms, evaluation.layout.tapers, strict=True):
        mg, eg = evaluation.start.of_term(name).T.tolist()
        one = len(labels) == 1
        lines += [
            "[[term]]",
            f"name = {json.dumps(name)}",
            "columns = 1" if one else f"labels = {json.dumps(labels)}",
            f"taper = {json.dumps(taper)}",
            f"mg = {json.dumps(mg[0] if one else mg)}",
            f"eg = {json.dumps(eg[0] if one else eg)}",
        ]
    return "\n".join(lines)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: Positions) -> Path:
    monkeypatch.chdir(tmp_path)
    psqt = load_evaluation("psqt")
    write_features(FeatureRows(psqt.extract(rows), rows.result, rows.game), "trace.svm")
    Path("engine.toml").write_text(traced_file(psqt))
    return tmp_path


def test_the_same_weights_as_from_boards(
    here: Path, rows: Positions, capsys: pytest.CaptureFixture[str]
) -> None:
    write_positions(rows, "rows.parquet")
    assert run(["fit", "rows.parquet", "-e", "psqt", "--out", "boards", "-q", "--no-report"]) == 0
    assert run(["fit", "trace.svm", "-e", "engine.toml", "--out", "trace", "-q"]) == 0
    for name in ("rounded.json", "losses.csv", "covariance.npz"):
        assert Path("boards", name).read_bytes() == Path("trace", name).read_bytes(), name
    kinds = {line.split(",")[0] for line in Path("trace/residuals.csv").read_text().splitlines()[1:]}
    assert kinds == {"phase"}  # nobody knows the boards
    assert Path("trace/report.html").stat().st_size > 10_000
    assert run(["fit", "trace/job.toml", "--out", "again", "-q", "--no-report"]) == 0
    assert Path("again/weights.json").read_bytes() == Path("trace/weights.json").read_bytes()
    assert run(["export", "trace", "--to", "c-header", "-o", "weights.h"]) == 0
    assert run(["study", "trace", "--contrast", "material_bishop.mg - material_knight.mg"]) == 0
    capsys.readouterr()
    for command in (["score", "rows.parquet"], ["explain", "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"]):
        assert run([*command, "--weights", "trace"]) == 2
        captured = capsys.readouterr()
        assert "counted by an engine" in captured.err and captured.out == ""


def test_columns_may_begin_at_one_and_come_in_several_files(here: Path, rows: Positions) -> None:
    psqt = load_evaluation("psqt")
    for number, part in enumerate(np.array_split(np.arange(ROWS), 2)):
        some = rows.select(part)
        write_features(FeatureRows(psqt.extract(some), some.result, some.game), f"part{number}.svm")
    text = Path("trace.svm").read_text()
    shifted = re.sub(r" (\d+):", lambda found: f" {int(found[1]) + 1}:", text)
    Path("one.svm").write_text(shifted)
    Path("one.toml").write_text(traced_file(psqt, head="first_index = 1"))
    fit = ["fit", "-q", "--no-report", "--set", "validation=0", "--set", "errors=false"]
    assert run([*fit, "trace.svm", "-e", "engine.toml", "--out", "a"]) == 0
    assert run([*fit, "one.svm", "-e", "one.toml", "--out", "b"]) == 0
    assert Path("a/rounded.json").read_bytes() == Path("b/rounded.json").read_bytes()
    assert run([*fit, "b/job.toml", "--out", "c"]) == 0
    assert run([*fit, "part0.svm", "part1.svm", "-e", "engine.toml", "--out", "d", "--set", "ridge=0"]) == 0
    games = len(np.unique(rows.game[: ROWS // 2])) + len(np.unique(rows.game[ROWS // 2 :]))
    assert json.loads(Path("d/summary.json").read_text())["games"] == games


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["fit", "trace.svm"], "terms of evaluation default are counted on boards"),
        (["fit", "rows.epd", "-e", "engine.toml"], "rows.epd: rows 'result index:count …' were expected"),
        (["fit", "-e", "engine.toml"], "name files of them"),
        (
            ["fit", "trace.svm", "-e", "engine.toml", "--objective", "comparison"],
            "features have no boards to play",
        ),
        (["fit", "trace.svm", "-e", "few.toml"], "has a feature 5, the evaluation has 0 to 1"),
        (["fit", "trace.svm", "-e", "both.toml"], "either all terms are counted by the engine or none"),
        (["fit", "trace.svm", "-e", "wrong.toml"], "one of squares, squares from a8, ranks, files"),
        (["data", "info", "trace.svm"], "no positions"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_bad_input(here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str) -> None:
    Path("rows.epd").write_text('4k3/8/8/8/8/8/8/4K2R w K - c9 "1-0";\n')
    Path("few.toml").write_text('[[term]]\nname = "a"\ncolumns = 2\nmg = 10\neg = 20\n')
    Path("both.toml").write_text('[[term]]\nname = "a"\ncolumns = 2\n[[term]]\nname = "tempo"\n')
    Path("wrong.toml").write_text('[[term]]\nname = "a"\nlabels = "square"\n')
    assert run(arguments) == 2
    assert words in capsys.readouterr().err


def test_named_labels(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text('[[term]]\nname = "a"\nlabels = "squares from a8"\n[[term]]\nname = "b"\ncolumns = 1\n')
    found = load_evaluation(path)
    assert found.traced and len(found.layout) == 65
    assert found.layout.names[0] == ("a", "a8") and found.layout.names[63] == ("a", "h1")
    assert found.layout.names[64] == ("b", "")
    with pytest.raises(InputError, match="counted by an engine"):
        found.extract(Positions.empty(1))
