"""`tuner select` and `tuner ablate`: which terms are worth their place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import options

if TYPE_CHECKING:
    import pandas as pd

    from ..problem import Problem
    from ..study import Study

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
    """The path from all terms to few, fitted again at each step: which small set is almost as good.

    Terms go in the order that costs the training loss least; how many to keep is chosen on held-out games.
    """
    from ..selection import telescope
    from .progress import Display

    with Display(quiet=json) as display:
        problem, x, _ = _fitted(source, settings or [], display)
        table = telescope(
            problem, x, direction=direction, least=least, most=most, told=display.telling("selecting")
        )
    shown = ["term", "terms", "weights", "train", "validation", "above", "above_se"]
    print_table(table, shown, out, json)
    if not json:
        typer.echo("\n" + _choice(table))


def _choice(path: pd.DataFrame) -> str:
    """Which step of the path to keep, and what that was chosen on."""
    kept = path[path["kept"]]
    if not len(kept):
        return "nothing was held out, so the path does not say how many terms to keep"
    best = path.sort_values("validation", kind="stable").iloc[0]
    return (
        f"keep {kept['terms'].iloc[0]} terms, the fewest whose validation loss is within one standard error"
        f" of the best ({best['terms']} terms):\n{kept['set'].iloc[0]}\n"
        "The order of the terms comes from the training loss, their number from the validation loss: only"
        " other games can judge the choice."
    )


def ablate(
    source: Source,
    terms: Annotated[list[str] | None, typer.Argument(metavar="[TERM]...", help="All unless named.")] = None,
    settings: Settings = None,
    out: Out = None,
    json: options.Json = False,
) -> None:
    """The loss without each term, the others fitted again: what each term is worth.

    Of a finished run the table also goes to its folder, for its report.
    """
    from ..inference.ablation import without_terms
    from .progress import Display

    with Display(quiet=json) as display:
        problem, x, study = _fitted(source, settings or [], display)
        for term in terms or []:
            problem.parameters.layout.columns_of(term)  # says which terms there are
        told = display.telling("ablating")
        if study is not None:
            table = study.without_terms(terms or [], told=told)
        else:
            table = without_terms(problem, x, terms or [], told=told)
    print_table(table, list(table.columns), out, json)


def _fitted(source: str, settings: list[str], display: Any) -> tuple[Problem, Any, Study | None]:
    """The problem of a job or run, where to look for its optimum, and the study of a finished run."""
    from ..folder import is_finished, open_run
    from ..inference.refit import refuse_other_goals
    from ..job import read_job
    from ..problem import prepare
    from ..study import open_study

    path = Path(source)
    if path.is_dir() and is_finished(path) and not settings:
        study = open_study(path, display.listen)
        return study.problem, study.x, study
    job = open_run(path, settings) if path.is_dir() else read_job(path, settings)
    refuse_other_goals(job)
    problem = prepare(job, display.listen)
    return problem, problem.parameters.start, None


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
        ["" if value != value else f"{value:.6g}" if isinstance(value, float) else value for value in row]
        for row in table[shown].itertuples(index=False)
    ]
    typer.echo(aligned(rows, shown))
