"""How a fit shows itself in a notebook: what it is, its losses, and its worst determined weights."""

from __future__ import annotations

from html import escape

from .contents import Contents


def summary_html(contents: Contents) -> str:
    """A few lines and one table of HTML."""
    summary = contents.summary
    games = f" of {summary['games']:,} games" if summary["games"] else ""
    state = "at the optimum" if summary["converged"] else "not converged"
    what = (
        f"{summary['parameters']:,} weights of {summary['terms']} terms, {summary['positions']:,} positions"
    )
    how = f"K = {summary['k']:.4f}; {summary['passes']:.1f} passes, {state}"
    head = f"<b>{escape(summary['evaluation'])}</b>: {what}{games}; {how}"
    rows = "".join(_row(name, losses) for name, losses in summary["loss"].items())
    header = "".join(f"<th>{title}</th>" for title in ("", "training", "held out"))
    verdict = contents.verdict
    judged = f"<div>{escape(verdict.text)}.</div>" if verdict else ""
    notes = "".join(f"<div>{escape(note)}</div>" for note in summary["notes"])
    table = f"<table><thead><tr>{header}</tr></thead><tbody>{rows}</tbody></table>"
    return f"<div>{head}{table}{judged}{notes}</div>"


def _row(name: str, losses: dict[str, float | None]) -> str:
    cells = "".join(
        f"<td>{'–' if value is None else f'{value:.6f}'}</td>"
        for value in (losses["train"], losses["validation"])
    )
    return f"<tr><td>{name}</td>{cells}</tr>"
