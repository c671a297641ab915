"""Imports point one way: evalcore knows nothing of tuner, and the command line starts light."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HEAVY = ("numpy", "scipy", "pandas", "numba", "pyarrow", "matplotlib", "chess")


def imported_packages(path: Path) -> set[str]:
    """Top-level names of all absolute imports of a file, wherever they stand in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.partition(".")[0])
    return names


def test_evalcore_does_not_know_the_tuner() -> None:
    files = list((ROOT / "evalcore").rglob("*.py"))
    assert len(files) > 20
    guilty = [str(path) for path in files if imported_packages(path) & {"tuner", "benchmarks", "tests"}]
    assert guilty == []


def test_relative_imports_stay_inside_their_package() -> None:
    for package in ("evalcore", "tuner"):
        for path in (ROOT / package).rglob("*.py"):
            depth = len(path.relative_to(ROOT).parts) - 1
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom):
                    assert node.level <= depth, f"{path}:{node.lineno}"


def test_the_tuner_does_not_import_tests_or_benchmarks() -> None:
    for path in (ROOT / "tuner").rglob("*.py"):
        assert not imported_packages(path) & {"tests", "benchmarks"}, path


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["fit", "--help"], ["data", "--help"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    """What makes `tuner --help` answer in a third of a second."""
    script = (
        "import sys; from tuner.cli import run; code = run(sys.argv[1:]);"
        f"heavy = [name for name in {HEAVY!r} if name in sys.modules];"
        "print('heavy:', heavy, 'modules:', len(sys.modules), 'code:', code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, cwd=ROOT, check=True
    )
    last = done.stdout.strip().splitlines()[-1]
    assert "heavy: []" in last and "code: 0" in last
    assert int(last.split("modules: ")[1].split()[0]) < 700
