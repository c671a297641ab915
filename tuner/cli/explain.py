"""`tuner explain`: where the score of a position comes from."""

from __future__ import annotations

import dataclasses
import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evalcore.errors import InputError, UnknownName

from . import options

if TYPE_CHECKING:
    from evalcore.evaluation import Evaluation
    from evalcore.positions import Positions


def explain(
    fen: Annotated[list[str], typer.Argument(metavar="FEN", help="A position; quotes are not needed.")],
    evaluation: options.EvaluationName = None,
    weights: Annotated[str | None, typer.Option(help="A weights file or a run folder.")] = None,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the board into this file.")] = None,
    term: Annotated[str | None, typer.Option(metavar="NAME", help="Mark the squares of this term.")] = None,
    json: options.Json = False,
) -> None:
    """Prints what each term adds to the score: White, Black, midgame, endgame, total."""
    from evalcore.explain import explain as explain_row
    from evalcore.fen import parse_fen

    from .text import table
    from .weights import evaluation_and_weights

    positions = parse_fen(" ".join(fen))
    chosen, values = evaluation_and_weights(evaluation, weights)
    explanation = explain_row(chosen, positions, values)
    if term and not svg:
        raise InputError("--term marks squares in a picture: give --svg FILE, too")
    if svg:
        _draw(positions, chosen, term, svg)
    if json:
        content = {
            "evaluation": chosen.name,
            "fen": " ".join(fen),
            "phase": explanation.phase,
            "score": explanation.score,
            "terms": [dataclasses.asdict(share) for share in explanation.terms],
            "scaling": [dataclasses.asdict(scaled) for scaled in explanation.scaling],
        }
        typer.echo(json_module.dumps(content))
        return
    rows = [
        (share.term, *(f"{value:.1f}" for value in dataclasses.astuple(share)[1:]))
        for share in (*explanation.terms, explanation.total)
    ]
    typer.echo(f"{positions.board(0)}\n")
    typer.echo(table(rows, ("term (cp)", "White", "Black", "midgame", "endgame", "total")))
    phase = f"{explanation.phase:g} of {explanation.phase_maximum:g}"
    for scaled in explanation.scaling:
        typer.echo(f"scaling {scaled.rule} ({scaled.case}): × {scaled.factor:g}")
    typer.echo(f"\nphase {phase}; score {explanation.score:+.1f} cp for White ({chosen.name})")


def _draw(positions: Positions, evaluation: Evaluation, name: str | None, path: Path) -> None:
    """The board as SVG, with the squares of a term of the evaluation (or of the vocabulary) marked."""
    from evalcore.drawing import Marks, marks, svg_board
    from evalcore.files import write_text
    from evalcore.terms import TERMS

    known = {**TERMS, **{each.name: each for each in evaluation.terms}}
    if name is not None and name not in known:
        raise UnknownName("term", name, known)
    found = marks(known[name], positions) if name else Marks(0, 0, 0, 0)
    write_text(path, svg_board(positions, 0, found))
