"""Pictures that fit any page: SVG whose colours follow the reader's light or dark theme.

Charts are drawn by matplotlib in stand-in colours, which become CSS variables with a fallback each, so
that the same picture is legible in a report, in a notebook and on its own.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalcore.errors import InputError
from evalcore.files import write_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, MUTED, LINE, ONE, TWO, GOOD, BAD = (f"#0{number}0{number}0{number}" for number in range(1, 8))
"""Stand-in colours: text, secondary text, grid, two series (midgame and endgame), more and less than zero."""

COLOURS: Mapping[str, tuple[str, str, str]] = {
    INK: ("ink", "#1f2328", "#e6e8eb"),
    MUTED: ("muted", "#59636e", "#9aa4b2"),
    LINE: ("line", "#d5dae0", "#363d47"),
    ONE: ("one", "#1f63c6", "#79aefc"),
    TWO: ("two", "#b4540a", "#f2a45c"),
    GOOD: ("good", "#1a7f4b", "#4fc38a"),
    BAD: ("bad", "#b02a6f", "#ee7fb4"),
}
"""Stand-in colour: CSS variable, light and dark value."""
NOTEBOOK = {
    "ink": "--jp-content-font-color1",
    "muted": "--jp-content-font-color2",
    "line": "--jp-border-color2",
}
"""JupyterLab's own variables, used where a page does not set ours."""


WIDTH = 370.0
"""Natural width of charts in CSS pixels: that of a phone, so that text keeps its size there."""


@dataclass(frozen=True)
class Picture:
    """An SVG picture with a title, which notebooks show above it unless it is `drawn` in the picture."""

    title: str
    svg: str = field(repr=False)
    drawn: bool = False

    def _repr_html_(self) -> str:
        title = "" if self.drawn else f"<b>{escape(self.title)}</b>"
        return f'<div style="max-width:{_width(self.svg)}px">{title}{self.svg}</div>'

    def save(self, path: str | Path) -> Path:
        """Writes a file of its own, which follows the theme of whoever looks at it."""
        path = Path(path)
        if path.suffix != ".svg":
            raise InputError(f"{path}: pictures are saved as .svg")
        write_text(path, self.svg.replace(">", f">{_style()}", 1) + "\n")
        return path


@dataclass(frozen=True)
class Gallery:
    """Several pictures, side by side where there is room."""

    pictures: tuple[Picture, ...]

    def _repr_html_(self) -> str:
        inside = "".join(picture._repr_html_() for picture in self.pictures)
        return f'<div style="display:flex;flex-wrap:wrap;gap:1rem">{inside}</div>'

    def __iter__(self) -> Any:
        return iter(self.pictures)

    def __len__(self) -> int:
        return len(self.pictures)


def variable(colour: str) -> str:
    """A stand-in colour as CSS, inside of a picture."""
    return f"var(--picture-{COLOURS[colour][0]})"


def _root_style() -> str:
    """Each colour of a picture: the page's variable, or the notebook's, or the light value."""
    colours = []
    for name, light, _ in COLOURS.values():
        fallback = f"var({NOTEBOOK[name]},{light})" if name in NOTEBOOK else light
        colours.append(f"--picture-{name}:var(--{name},{fallback})")
    return ";".join(["width:100%", "height:auto", "stroke-linejoin:round", *colours])


def css_variables(dark: bool) -> str:
    """`--ink:#…;` for all colours of one theme."""
    return "".join(f"--{name}:{values[dark]};" for name, *values in COLOURS.values())


def _style() -> str:
    light, dark = css_variables(False), css_variables(True)
    return f"<style>svg{{{light}}}@media(prefers-color-scheme:dark){{svg{{{dark}}}}}</style>"


def new_figure(width: float = WIDTH, height: float = 265.0) -> tuple[Figure, Axes]:
    """A figure with one axes, sizes in CSS pixels. Raises InputError where matplotlib is not installed."""
    figure_class = _matplotlib()
    figure = figure_class(figsize=(width / 72.0, height / 72.0), layout="constrained")
    axes = figure.add_subplot()
    dress(axes)
    return figure, axes


def _matplotlib() -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise InputError(
            "pictures need matplotlib: install evaluation-tuner[report], or matplotlib itself"
        ) from error
    return Figure


def dress(axes: Axes) -> None:
    """Quiet axes: no frame but the two axes, a thin grid, our colours."""
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(LINE)
    axes.grid(True, color=LINE, linewidth=0.7)
    axes.set_axisbelow(True)
    axes.tick_params(colors=MUTED, labelcolor=MUTED, labelsize=11, length=3)
    axes.xaxis.label.set(color=MUTED, size=11.5)
    axes.yaxis.label.set(color=MUTED, size=11.5)


def legend(axes: Axes, **options: Any) -> None:
    """The legend, without a frame."""
    axes.legend(frameon=False, fontsize=11, labelcolor=INK, **options)


def finished(figure: Figure, title: str) -> Picture:
    """The figure as a picture."""
    import matplotlib

    buffer = io.StringIO()
    settings: dict[Any, Any] = {
        "svg.fonttype": "none",
        "svg.hashsalt": title,
        "font.family": "sans-serif",
        "font.size": 11.5,
    }
    with matplotlib.rc_context(settings):
        metadata = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(buffer, format="svg", transparent=True, metadata=metadata)
    width, height = 72.0 * figure.get_size_inches()
    return Picture(title, _cleaned(buffer.getvalue(), title, float(width), float(height)))


def opening(title: str, width: float, height: float) -> str:
    """The opening tag of a picture that is as wide as its place."""
    names = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    box = f'viewBox="0 0 {width:g} {height:g}"'
    return f'<svg {names} {box} role="img" aria-label="{escape(title)}" style="{_root_style()}">'


def _cleaned(text: str, title: str, width: float, height: float) -> str:
    """Only what is drawn: theme colours, ids of its own, no more digits than a screen shows."""
    text = text[text.index(">", text.index("<svg")) + 1 :].strip()
    text = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->|<style.*?</style>", "", text, flags=re.DOTALL)
    text = re.sub(r'<g id="[^"]*"', "<g", text)
    for colour in COLOURS:
        text = text.replace(colour, variable(colour))
    prefix = re.sub(r"\W+", "-", title.lower())
    text = re.sub(r'\bid="', f'id="{prefix}-', text)
    text = re.sub(r'(url\(|href=")#', rf"\1#{prefix}-", text)
    text = re.sub(r"font-family: [^;\"]*", "font-family: system-ui, sans-serif", text)
    text = re.sub(r"<[^>]*>", lambda tag: re.sub(r"(\d\.\d\d)\d+", r"\1", tag[0]), text)
    text = re.sub(r' transform="rotate\(-?0 [^"]*"', "", text)
    text = re.sub(r"\s*\n\s*(?=[A-Za-z\"])", " ", text)
    return opening(title, width, height) + re.sub(r"\n\s*", "\n", text)


def _width(svg: str) -> int:
    match = re.search(r'viewBox="0 0 ([\d.]+)', svg)
    return round(float(match[1])) if match else round(WIDTH)
