"""Where the sample set lies: in the checkout, or in the installed package."""

from pathlib import Path

from evalcore.errors import InputError

HERE = Path(__file__).resolve().parent


def sample_path() -> Path:
    """The sample positions that a fit without data uses."""
    for folder in (HERE / "datasets", HERE.parent / "datasets"):
        if (path := folder / "sample.parquet").is_file():
            return path
    raise InputError("the sample set is not installed; name your own positions with --data FILE")
