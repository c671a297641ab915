"""Charts of a run: convergence, calibration, residuals, weights with intervals, curves, learning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..inference.errors import quantile
from ..tables import HELD_BY_PRIOR
from .series import Series
from .theme import BAD, GOOD, INK, MUTED, ONE, TWO, Picture, finished, legend, new_figure

if TYPE_CHECKING:
    import pandas as pd

PHASE_COLOURS = {"mg": ONE, "eg": TWO, "both": ONE}
PHASE_NAMES = {"mg": "midgame", "eg": "endgame", "both": "all phases"}
FAR = quantile(0.95)
FEW_GAMES = 10
"""Means over fewer games have an error that is itself a guess, and none is shown."""
ROW = 21.0
"""Height of a row in pictures with one row a weight or group."""


def convergence(history: pd.DataFrame) -> Picture:
    """Loss on training and held-out positions against passes over the data."""
    figure, axes = new_figure()
    for column, colour, name in (("train", ONE, "training"), ("validation", TWO, "held-out")):
        if history[column].notna().any():
            axes.plot(history["passes"], history[column].astype(float), color=colour, label=name, marker=".")
    axes.set_xlabel("passes over the data")
    axes.set_ylabel("loss")
    axes.locator_params(axis="x", integer=True)
    axes.ticklabel_format(axis="y", useOffset=False)
    legend(axes)
    return finished(figure, "Loss by passes")


def gradient(history: pd.DataFrame) -> Picture:
    """How far the gradient has fallen: the distance from the optimum."""
    figure, axes = new_figure()
    axes.semilogy(history["passes"], history["relative_gradient"], color=ONE, marker=".")
    axes.set_xlabel("passes over the data")
    axes.set_ylabel("gradient, of 1 at the start")
    axes.locator_params(axis="x", integer=True)
    axes.yaxis.set_major_formatter(
        lambda value, _place: f"{value:.0e}".replace("e-0", "e−").replace("e-", "e−")
    )
    return finished(figure, "Gradient by passes")


def calibration(table: pd.DataFrame) -> Picture:
    """Mean result against mean prediction; intervals are clustered by game."""
    figure, axes = new_figure(height=360)
    axes.plot([0, 100], [0, 100], color=MUTED, linewidth=1, linestyle=(0, (4, 3)))
    shown = table[table["set"] == ("validation" if (table["set"] == "validation").any() else "train")]
    train = table[table["set"] == "train"]
    if len(shown) != len(table):
        axes.plot(100 * train["predicted"], 100 * train["result"], color=TWO, linewidth=1.2, label="training")
    name = "held-out" if shown["set"].iloc[0] == "validation" else "training"
    low, high = shown["result"] - shown["result_low"], shown["result_high"] - shown["result"]
    axes.errorbar(
        100 * shown["predicted"], 100 * shown["result"], yerr=[100 * low, 100 * high], fmt="o", markersize=4,
        color=ONE, elinewidth=1.3, label=f"{name}, 95 % interval",
    )  # fmt: skip
    axes.set(xlim=(-2, 102), ylim=(-2, 102), xlabel="predicted score, %", ylabel="actual score, %")
    legend(axes, loc="upper left")
    return finished(figure, "Calibration")


def residuals(table: pd.DataFrame, by: str, units: str = "games") -> Picture:
    """How the side that the evaluation prefers scores, against what was predicted, by kind of position.

    At the right how many games (or other `units`) have such positions; groups of few have no interval and no
    colour.
    """
    rows = table[table["by"] == by].iloc[::-1]
    figure, axes = new_figure(height=78 + ROW * len(rows))
    axes.axvline(0, color=MUTED, linewidth=1)
    aside: dict[str, Any] = {"va": "center", "size": 11, "color": MUTED}
    aside["transform"] = axes.get_yaxis_transform()
    for place, (_, row) in enumerate(rows.iterrows()):
        middle, reach = 100 * row["favourite"], 100 * FAR * row["favourite_se"]
        told = row["games"] >= FEW_GAMES and reach == reach
        colour = MUTED if not told else INK if abs(middle) <= reach else GOOD if middle > 0 else BAD
        error = [[reach], [reach]] if told else None
        fill = "full" if told else "none"
        axes.errorbar([middle], [place], xerr=error, fmt="o", markersize=4.5, color=colour, fillstyle=fill)
        axes.text(1.02, place, f"{int(row['games']):,}", **aside)
    axes.text(1.02, len(rows), units.partition(" ")[0], **aside)
    axes.set_yticks(range(len(rows)), rows["group"])
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.set_xlabel("score of the side ahead, less the prediction, %")
    return finished(figure, f"Residuals by {by}")


def forest(rows: pd.DataFrame, title: str) -> Picture:
    """How far weights moved from their start (the line), with 95 % intervals, and from what to what.

    `rows` has the columns name, phase (mg, eg, both), start, value, se.
    """
    rows = rows.iloc[::-1]
    figure, axes = new_figure(height=62 + ROW * len(rows))
    axes.axvline(0, color=MUTED, linewidth=1)
    start, value, reach = rows[["start", "value", "se"]].to_numpy(float).T * [[1.0], [1.0], [FAR]]
    for place, phase in enumerate(rows["phase"]):
        axes.errorbar(
            [value[place] - start[place]], [place], xerr=[[reach[place]], [reach[place]]], fmt="o",
            markersize=4.5, color=PHASE_COLOURS[phase],
        )  # fmt: skip
        told = f"{start[place]:.0f} → {value[place]:.0f}".replace("-", "−")
        axes.text(1.02, place, told, transform=axes.get_yaxis_transform(), va="center", color=INK, size=11)
    axes.set_yticks(range(len(rows)), rows["name"])
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.set_xlabel("change from the start, centipawns")
    return finished(figure, title)


def curve(series: Series) -> Picture:
    """A table of weights by label: lines with 95 % bands, dashes for the start.

    Where the prior decides there are rings and the band is faint: it says how little the data moved a weight.
    """
    figure, axes = new_figure()
    rows = series.rows
    place = np.arange(len(rows))
    for phase in series.phases:
        column, colour = "mg" if phase == "both" else phase, PHASE_COLOURS[phase]
        value = rows[column].to_numpy()
        if f"{column}_se" in rows:
            reach = FAR * rows[f"{column}_se"].to_numpy(float)  # NaN, no band, where it has no error
            for shown, alpha in ((np.ones(len(rows), bool), 0.07), (_decided(rows, column), 0.13)):
                low, high = value - reach, value + reach
                axes.fill_between(place, low, high, where=shown, color=colour, alpha=alpha, linewidth=0)
        axes.plot(place, rows[f"{column}_start"], color=colour, linewidth=1, linestyle=(0, (4, 3)))
        axes.plot(place, value, color=colour, label=PHASE_NAMES[phase])
        decided = _decided(rows, column)
        axes.plot(place[decided], value[decided], "o", color=colour, markersize=3.5)
        axes.plot(place[~decided], value[~decided], "o", color=colour, markersize=5.5, fillstyle="none")
    axes.set_ylabel("centipawns")
    _label_places(axes, rows["label"].tolist())
    legend(axes)
    return finished(figure, series.title)


def _decided(rows: pd.DataFrame, column: str) -> NDArray[np.bool_]:
    """Which weights the data decide, rather than the prior; all where that is not known."""
    if f"{column}_from_data" not in rows:
        return np.ones(len(rows), bool)
    return np.asarray(rows[f"{column}_from_data"].fillna(0.0) >= HELD_BY_PRIOR)


def _label_places(axes: object, labels: list[str]) -> None:
    """As many labels as fit; a word they share goes under the axis."""
    words = {label.rpartition(" ")[0] for label in labels}
    shared = words.pop() if len(words) == 1 else ""
    short = [label.removeprefix(shared).strip() for label in labels]
    step = max(1, -(-sum(len(label) + 1 for label in short) // 48))
    axes.set_xticks(range(0, len(labels), step), short[::step])  # type: ignore[attr-defined]
    axes.set_xlabel(shared or "number")  # type: ignore[attr-defined]


def learning(table: pd.DataFrame, start: float) -> Picture:
    """Loss of fits on growing numbers of games."""
    figure, axes = new_figure()
    axes.axhline(start, color=MUTED, linewidth=1, linestyle=(0, (4, 3)), label="starting weights, held-out")
    axes.plot(table["games"], table["train"], color=ONE, marker="o", markersize=4, label="training")
    axes.plot(table["games"], table["validation"], color=TWO, marker="o", markersize=4, label="held-out")
    axes.set_xscale("log")
    axes.set_xticks(table["games"], [f"{games:,}" for games in table["games"]])
    axes.minorticks_off()
    axes.set(xlabel="games in training", ylabel="loss")
    legend(axes)
    return finished(figure, "Loss by number of games")


def penalties(table: pd.DataFrame) -> Picture:
    """Cross-validated gain on the starting weights, by the strength of the prior."""
    rows = table[np.isfinite(table["ridge"])]
    figure, axes = new_figure()
    axes.axhline(0, color=MUTED, linewidth=1)
    axes.errorbar(
        rows["ridge"], rows["start_gain"], yerr=FAR * rows["start_gain_se"],
        color=TWO, marker="o", markersize=4,
    )  # fmt: skip
    axes.set_xscale("log")
    axes.set_xticks(rows["ridge"], [f"{ridge:g}" for ridge in rows["ridge"]])
    axes.minorticks_off()
    axes.set(xlabel="ridge: strength of the prior", ylabel="loss below that of the start")
    return finished(figure, "Gain by strength of the prior")


def weight_rows(weights: pd.DataFrame) -> pd.DataFrame:
    """One row a free number: name, phase (mg, eg, both), start, value, se, naive_se, from_data, count, flags.

    In the order of the evaluation, midgame before endgame. A weight that is the same number in both phases
    has one row.
    """
    import pandas as pd

    parts = []
    labels = weights["label"].where(weights["label"] == "", "[" + weights["label"] + "]")
    one = _untapered(weights)
    for phase in ("mg", "eg"):
        parts.append(
            pd.DataFrame(
                {
                    "name": weights["term"] + labels + np.where(one, "", f".{phase}"),
                    "phase": np.where(one, "both", phase),
                    "start": weights[f"{phase}_start"],
                    "value": weights[phase],
                    "se": weights[f"{phase}_se"],
                    "naive_se": weights[f"{phase}_naive_se"],
                    "from_data": weights[f"{phase}_from_data"],
                    "count": weights["count"],
                    "flags": [_of_phase(flags, phase) for flags in weights["flags"]],
                }
            )
        )
    parts[1] = parts[1][~one]
    rows = pd.concat(parts).sort_index(kind="stable")
    return rows[rows["se"].notna()].reset_index(drop=True)


def _untapered(weights: pd.DataFrame) -> pd.Series[bool]:
    """Which weights are one number for both phases: all that is known of the two is the same."""
    same = weights["mg_se"].notna()
    for name in ("", "_start", "_se", "_naive_se", "_from_data"):
        same &= weights[f"mg{name}"] == weights[f"eg{name}"]
    return same


def worst_first(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of weights by the standard error that the data alone would give (se/from_data), largest first."""
    alone = rows["se"] / rows["from_data"].clip(lower=1e-6)
    return rows.loc[alone.sort_values(ascending=False, kind="stable").index].reset_index(drop=True)


def _of_phase(flags: str, phase: str) -> str:
    """The flags of one phase: those without a phase, and its own."""
    other = {"mg": "eg ", "eg": "mg "}[phase]
    kept = [flag.removeprefix(f"{phase} ") for flag in flags.split("; ") if not flag.startswith(other)]
    return "; ".join(flag for flag in kept if flag)
