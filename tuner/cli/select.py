"""`tuner select` and `tuner ablate`: which terms are worth their place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import options

if TYPE_CHECKING:
    import pandas as pd

    from ..problem import Problem

Source = Annotated[str, typer.Argument(metavar="RUN|JOB.toml", help="A run folder or a job file.")]
Settings = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Any key of the job; may be repeated.")
]
Out = Annotated[
    Path | None, typer.Option("--out", "-o", metavar="FILE.csv", help="Write the whole table here.")
]


def select(
    source: Source,
    direction: Annotated[
        str, typer.Option(help="backward from all terms, or forward from none.")
    ] = "backward",
    least: Annotated[int, typer.Option(min=1, help="Backward: stop at so many terms.")] = 1,
    most: Annotated[int | None, typer.Option(min=1, help="Forward: stop at so many terms.")] = None,
    settings: Settings = None,
    out: Out = None,
    json: options.Json = False,
) -> None:
    """The path from all terms to few, fitted again at each step: which small set is almost as good."""
    from ..selection import telescope
    from .progress import Display

    with Display(quiet=json) as display:
        problem, x = _fitted(source, settings or [], display)
        table = telescope(
            problem, x, direction=direction, least=least, most=most, told=display.telling("selecting")
        )
    print_table(table, ["term", "terms", "weights", "train", "validation"], out, json)


def ablate(
    source: Source,
    terms: Annotated[list[str] | None, typer.Argument(metavar="[TERM]...", help="All unless named.")] = None,
    settings: Settings = None,
    out: Out = None,
    json: options.Json = False,
) -> None:
    """The loss without each term, the others fitted again: what each term is worth."""
    from ..inference.ablation import without_terms
    from .progress import Display

    with Display(quiet=json) as display:
        problem, x = _fitted(source, settings or [], display)
        for term in terms or []:
            problem.parameters.layout.columns_of(term)  # says which terms there are
        table = without_terms(problem, x, terms or [], told=display.telling("ablating"))
    print_table(table, list(table.columns), out, json)


def _fitted(source: str, settings: list[str], display: Any) -> tuple[Problem, Any]:
    """The problem of a job or run, and the free numbers at its optimum."""
    from evalcore.weights import load_weights

    from ..folder import is_finished, open_run
    from ..inference.refit import refit
    from ..job import read_job
    from ..names import WEIGHTS
    from ..problem import prepare

    path = Path(source)
    job = open_run(path, settings) if path.is_dir() else read_job(path, settings)
    problem = prepare(job, display.listen)
    if path.is_dir() and is_finished(path) and not settings:
        weights = load_weights(path / WEIGHTS, problem.evaluation.layout)
        return problem, problem.parameters.gather(weights.values)
    return problem, refit(problem, problem.objective, problem.parameters.start)


def json_of(table: pd.DataFrame) -> str:
    """A list of rows, numbers in full."""
    return table.to_json(orient="records", double_precision=15)


def print_table(table: pd.DataFrame, shown: list[str], out: Path | None, json: bool) -> None:
    """Some columns on stdout (or all of it as JSON), and the whole table into a file."""
    from evalcore.files import write_text

    from .text import table as aligned

    if out:
        write_text(out, table.to_csv(index=False, lineterminator="\n"))
    if json:
        typer.echo(json_of(table))
        return
    rows = [
        [f"{value:.6g}" if isinstance(value, float) else value for value in row]
        for row in table[shown].itertuples(index=False)
    ]
    typer.echo(aligned(rows, shown))
