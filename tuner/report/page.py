"""report.html: one file without a network that shows what was learned and how far it can be trusted."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalcore.errors import InputError
from evalcore.files import write_text

from ..inference.errors import quantile
from ..inference.validation import curve_through
from ..names import INFERENCE, JOB, METRICS, REPORT, SUMMARY, TABLE
from ..scale import centipawns_at
from ..tables import HELD_BY_PRIOR
from . import boards, charts
from .contents import Contents, read_contents
from .plots import piece_rows, single_rows
from .series import series_of
from .theme import css_variables

if TYPE_CHECKING:
    import pandas as pd

WORST_WEIGHTS = 24
WORST_BOARDS = 12
RESIDUALS = ("phase", "pieces", "material balance", "ply", "side to move")
TEMPLATES = Path(__file__).parent


def write_report(folder: str | Path, out: str | Path | None = None) -> Path:
    """Writes the report of a finished run (into its folder unless `out` is given) and returns its path.

    Everything on the page comes from the files of the folder. Raises InputError where there is no finished
    run, or where jinja2 or matplotlib are not installed.
    """
    contents = read_contents(folder)
    path = Path(out) if out else Path(folder) / REPORT
    write_text(path, render(contents))
    return path


def render(contents: Contents) -> str:
    """The page as text."""
    environment = _environment()
    template = environment.get_template("report.html.jinja")
    text: str = template.render(**page(contents))
    return text


def _environment() -> Any:
    try:
        import jinja2
        import matplotlib
    except ImportError as error:
        raise InputError(
            f"the report needs {error.name}: install evaluation-tuner[report], that is jinja2 and matplotlib"
        ) from error
    del matplotlib
    loader = jinja2.FileSystemLoader(TEMPLATES)
    environment = jinja2.Environment(
        loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.filters |= {
        "number": number, "signed": signed, "loss": loss, "percent": percent, "whole": whole, "p": p_value
    }  # fmt: skip
    return environment


def _job_text(contents: Contents) -> str:
    """The job as it stands in the folder, whose names are relative to it."""
    file = contents.folder / JOB if contents.folder else None
    return file.read_text("utf-8") if file is not None and file.exists() else contents.job.to_toml()


def page(contents: Contents) -> dict[str, Any]:
    """Everything the template shows."""
    everything = list(series_of(contents.weights))
    return {
        "css_light": css_variables(dark=False),
        "css_dark": css_variables(dark=True),
        "job": contents.job,
        "of_labels": contents.job.objective == "labels",
        "job_toml": _job_text(contents),
        "command": f"tuner fit {JOB} --out NEW-FOLDER",
        "data_names": [Path(name).name for name in contents.job.data] or ["the sample set"],
        "summary": contents.summary,
        "even": centipawns_at(0.75, contents.summary["k"]),
        "inference": contents.inference,
        "verdict": contents.verdict,
        "far": quantile(0.95),
        "units": contents.units,
        "few_games": charts.FEW_GAMES,
        "tables": {name: rows(table) for name, table in contents.tables.items()},
        "files": files_of(contents),
        "convergence": charts.convergence(contents.history),
        "gradient": _gradient(contents),
        "boards": [
            picture for each in everything if each.kind == "board" for picture in boards.heat_maps(each)
        ],
        "curves": [charts.curve(each) for each in everything if each.kind == "curve"],
        "weights": rows(contents.weights),
        "with_errors": contents.with_errors,
        **_with_errors(contents),
        **_made_on_demand(contents),
    }


def files_of(contents: Contents) -> list[str]:
    """The files of a run that the page is made of."""
    diagnosis = [INFERENCE] if contents.with_errors else []
    return [JOB, SUMMARY, TABLE, METRICS, *diagnosis, *(f"{name}.csv" for name in contents.tables)]


def _gradient(contents: Contents) -> Any:
    """Methods without gradients have no such picture."""
    known = contents.history["relative_gradient"].astype(float)
    return charts.gradient(contents.history) if (known > 0.0).sum() > 1 else None


def _with_errors(contents: Contents) -> dict[str, Any]:
    """What needs the diagnosis of the fit; empty without."""
    found: dict[str, Any] = dict.fromkeys(("pieces", "singles", "calibration"))
    found |= {name: [] for name in ("worst_weights", "by_prior", "residuals", "worst")}
    if not contents.with_errors:
        return found
    if len(contents.table("pieces")):
        found["pieces"] = charts.forest(piece_rows(contents), "Piece values")
    singles = single_rows(contents)
    if len(singles):
        found["singles"] = charts.forest(singles, "Single weights")
    worst = charts.worst_first(charts.weight_rows(contents.weights))
    decided = worst["from_data"] >= HELD_BY_PRIOR
    found["worst_weights"] = rows(worst[decided].head(WORST_WEIGHTS))
    found["by_prior"] = rows(worst[~decided])
    found["calibration"] = charts.calibration(contents.table("calibration"))
    table = contents.table("residuals")
    found["residuals"] = [
        charts.residuals(table, by, contents.units) for by in RESIDUALS if by in set(table["by"])
    ]
    found["worst"] = [
        {**row, "board": boards.diagram(row["fen"])}
        for row in rows(contents.table("worst").head(WORST_BOARDS))
    ]
    return found


def _made_on_demand(contents: Contents) -> dict[str, Any]:
    found: dict[str, Any] = {"learning": None, "learned": "", "penalties": None}
    if "learning_curve" in contents.tables:
        curve = curve_through(contents.table("learning_curve"))
        found["learning"] = charts.learning(curve.table, curve.start)
        found["learned"] = curve.words
    if "cross_validation" in contents.tables:
        found["penalties"] = charts.penalties(contents.table("cross_validation"))
    return found


def rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    """A table as dictionaries."""
    return [{str(key): value for key, value in row.items()} for row in table.to_dict("records")]


# --- how numbers are written --------------------------------------------------------------------------


def _minus(text: str) -> str:
    return text.replace("-", "−")


def _missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def number(value: Any, digits: int = 1) -> str:
    """`−12.3`, and a dash for what is missing."""
    if _missing(value):
        return "–"
    return "∞" if value == math.inf else _minus(f"{value:,.{digits}f}")


def whole(value: Any) -> str:
    """`1,234`."""
    return "–" if _missing(value) else _minus(f"{round(value):,}")


def signed(value: Any, digits: int = 1) -> str:
    """`+12.3`."""
    return "–" if _missing(value) else _minus(f"{value:+,.{digits}f}")


def loss(value: Any) -> str:
    """A loss, or a difference of losses, with the digits that matter."""
    return "–" if _missing(value) else _minus(f"{value:.6f}")


def percent(value: Any, digits: int = 0) -> str:
    """A share as `12 %`."""
    return "–" if _missing(value) else _minus(f"{100 * value:.{digits}f}\N{NO-BREAK SPACE}%")


def p_value(value: Any) -> str:
    """A probability: `0.03`, or `< 0.0001`."""
    if _missing(value):
        return "–"
    return "< 0.0001" if value < 1e-4 else f"{value:.4f}" if value < 0.01 else f"{value:.2f}"
