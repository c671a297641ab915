"""Timings with checked answers: `python -m benchmarks`."""
