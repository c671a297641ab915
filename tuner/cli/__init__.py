"""The command line: parse, call the library, print. Heavy imports happen inside the commands."""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated

import typer

from evalcore import __version__
from evalcore.errors import InputError

from . import data, explain, export, fit, options, report, score, select, terms

DONE, NO, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

app = typer.Typer(
    name="tuner",
    help="Fits the weights of a chess engine's evaluation to labelled positions, to the true optimum.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tuner {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


app.command("fit")(fit.fit)
app.command("resume")(fit.resume)
app.command("export")(export.export)
app.command("score")(score.score)
app.command("explain")(explain.explain)
app.command("report")(report.report)
app.command("compare")(report.compare)
app.command("study")(report.study)
app.command("methods")(report.methods)
app.command("select")(select.select)
app.command("ablate")(select.ablate)
app.command("terms")(terms.terms)
app.add_typer(data.app, name="data")


def main() -> None:
    """Runs the command line and exits: 0 done, 1 the answer is no, 2 bad input (one line on stderr)."""
    # small triangular solves gain nothing from threads, and one thread gives the same bits everywhere
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("MKL_NUM_THREADS", "1")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal may not know an arrow or a dash
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """The exit code of one call."""
    from typer.main import get_command

    try:
        return get_command(app).main(arguments, prog_name="tuner", standalone_mode=False) or DONE
    except InputError as error:
        return _fail(str(error))
    except options.Interrupted as stop:
        return _fail(str(stop), INTERRUPTED)
    except typer.Exit as stop:
        return _fail("interrupted", INTERRUPTED) if stop.exit_code == INTERRUPTED else stop.exit_code
    except (KeyboardInterrupt, typer.Abort):
        return _fail("interrupted", INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except MemoryError:
        return _fail("not enough memory; fit fewer positions or terms, or free some")
    except Exception as error:
        if hasattr(error, "format_message"):  # a usage error of the parser
            message = error.format_message().replace("\n", " ")
            return _fail(message) if message else BAD_INPUT
        if isinstance(error, OSError) and error.strerror:
            where = f"{error.filename}: " if error.filename else ""
            return _fail(f"{where}{error.strerror}")
        raise


def _fail(message: str, code: int = BAD_INPUT) -> int:
    print(f"tuner: {message}", file=sys.stderr)  # noqa: T201
    return code
