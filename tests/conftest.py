"""What tests share."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples at every run, so that a change that fails is the one that broke something.
# HYPOTHESIS_PROFILE=explore looks for new ones.
settings.register_profile("default", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None, max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(scope="session")
def reference_data() -> Path:
    """The folder with `public/`, `pgnlearn/`, `samples/` and `selfplay/`, or the test is skipped."""
    folder = os.environ.get("EVALTUNER_REFERENCE_DATA")
    if not folder:
        pytest.skip("EVALTUNER_REFERENCE_DATA names no folder of reference data")
    return Path(folder)
