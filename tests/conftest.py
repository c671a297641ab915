"""What tests share."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def reference_data() -> Path:
    """The folder with `public/`, `pgnlearn/`, `samples/` and `selfplay/`, or the test is skipped."""
    folder = os.environ.get("EVALTUNER_REFERENCE_DATA")
    if not folder:
        pytest.skip("EVALTUNER_REFERENCE_DATA names no folder of reference data")
    return Path(folder)
