"""`tuner explain`: where the score of a position comes from."""

from __future__ import annotations

import dataclasses
import json as json_module
from typing import Annotated

import typer

from . import options


def explain(
    fen: Annotated[list[str], typer.Argument(metavar="FEN", help="A position; quotes are not needed.")],
    evaluation: options.EvaluationName = None,
    weights: Annotated[str | None, typer.Option(help="A weights file or a run folder.")] = None,
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
    if json:
        content = {
            "evaluation": chosen.name,
            "fen": " ".join(fen),
            "phase": explanation.phase,
            "score": explanation.total.total,
            "terms": [dataclasses.asdict(share) for share in explanation.terms],
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
    typer.echo(f"\nphase {phase}; score {explanation.total.total:+.1f} cp for White ({chosen.name})")
