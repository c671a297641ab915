"""Progress on stderr: bars on a terminal, nothing elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..progress import Progress


class Display:
    """Shows what a run reports; silent when quiet or when stderr is no terminal."""

    def __init__(self, *, quiet: bool) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bars

        console = Console(stderr=True)
        self._bars = Bars(
            SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[note]}"),
            TimeElapsedColumn(), console=console, transient=True, disable=quiet or not console.is_terminal,
        )  # fmt: skip
        self._tasks: dict[str, Any] = {}

    def __enter__(self) -> Display:
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()

    def telling(self, stage: str) -> Callable[[object], None]:
        """What work that tells of each of its parts is given: one more of this stage."""
        from ..progress import Progress

        return lambda _part: self.listen(Progress(stage, 1))

    def listen(self, progress: Progress) -> None:
        """Shows one report."""
        if progress.stage not in self._tasks:
            for task in self._tasks.values():
                self._bars.stop_task(task)
            self._tasks[progress.stage] = self._bars.add_task(progress.stage, total=progress.total, note="")
        task = self._tasks[progress.stage]
        if progress.step:
            self._bars.update(task, note=_note(progress))
        else:
            self._bars.update(task, advance=progress.done)
            count = int(self._bars._tasks[task].completed)
            self._bars.update(task, note=f"{count:,} positions" if count else "")


def _note(progress: Progress) -> str:
    assert progress.step is not None and progress.losses is not None
    train, validation = progress.losses.train, progress.losses.validation
    held_out = f"  validation {validation:.6f}" if validation is not None else ""
    slope = progress.step.relative_gradient
    gradient = f"  gradient {slope:.0e}" if slope == slope else ""  # NaN: the method knows no gradient
    return f"step {progress.step.number}  train {train:.6f}{held_out}{gradient}"
