"""Weights by name: layouts, rounding, files, and files that are none."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.errors import FormatError, InputError, UnknownName
from evalcore.evaluation import load_evaluation
from evalcore.weights import Layout, RoundedWeights, Weights, from_terms, load_weights

LAYOUT = Layout(
    (("pawn", ("",)), ("passed", ("rank 2", "rank 3")), ("tempo", ("",))), ("tapered", "tapered", "none")
)
VALUES = np.array([[100.25, 110], [0.1, -3e-9], [1e7, -1 / 3], [12, 12]])
WEIGHTS = Weights(LAYOUT, VALUES)


def test_columns_have_names() -> None:
    assert len(LAYOUT) == 4
    assert LAYOUT["passed", "rank 3"] == 2
    assert LAYOUT.columns_of("passed") == slice(1, 3)
    assert WEIGHTS["passed", "rank 3"] == (1e7, -1 / 3)
    assert WEIGHTS.of_term("passed").shape == (2, 2)
    assert next(WEIGHTS.rows()) == ("pawn", "", 100.25, 110)


def test_unknown_names_are_errors_with_the_nearest_names() -> None:
    with pytest.raises(UnknownName, match=r"passed\[rank 3\]"):
        LAYOUT["passed", "rank 33"]
    with pytest.raises(UnknownName, match="passed"):
        LAYOUT.columns_of("pased")


def test_another_number_of_weights_than_columns_is_refused() -> None:
    with pytest.raises(ValueError, match="shape"):
        Weights(LAYOUT, VALUES[:3])


def test_rounding_goes_to_the_nearest_integer_and_halves_to_even() -> None:
    rounded = Weights(LAYOUT, np.array([[0.5, 1.5], [-0.5, -1.5], [2.49, -2.51], [7, 7]])).rounded()
    assert isinstance(rounded, RoundedWeights)
    assert rounded.values.dtype == np.int64
    assert rounded.values.tolist() == [[0, 2], [0, -2], [2, -3], [7, 7]]


def test_a_frame_has_the_same_numbers_and_names() -> None:
    frame = WEIGHTS.to_frame()
    assert list(frame.columns) == ["mg", "eg"]
    assert frame.loc[("passed", "rank 2")].tolist() == [0.1, -3e-9]


def test_weights_from_terms_take_a_number_for_all_labels_or_one_a_label() -> None:
    weights = from_terms(LAYOUT, {"passed": ([1, 2], 5), "tempo": (9, 9)})
    assert weights.values.tolist() == [[0, 0], [1, 5], [2, 5], [9, 9]]


# --- files -----------------------------------------------------------------------------------------------


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=6, max_size=6))
def test_a_file_keeps_every_bit(tmp_path_factory: pytest.TempPathFactory, numbers: list[float]) -> None:
    values = np.array([*numbers, 3.5, 3.5]).reshape(4, 2)
    path = tmp_path_factory.mktemp("bits") / "w.json"
    Weights(LAYOUT, values).save(path)
    read = load_weights(path, LAYOUT)
    assert read.layout == LAYOUT
    assert read.values.tobytes() == values.tobytes()


def test_a_file_is_read_by_name_not_by_order(tmp_path: Path) -> None:
    WEIGHTS.save(tmp_path / "w.json")
    other = Layout(tuple(reversed(LAYOUT.terms)), tuple(reversed(LAYOUT.tapers)))
    read = load_weights(tmp_path / "w.json", other)
    assert read.layout == other
    assert all(read[name] == WEIGHTS[name] for name in LAYOUT.names)


def test_saving_into_no_folder_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        WEIGHTS.save(tmp_path / "nosuch" / "w.json")


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "w.json").write_text("old")
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(InputError, match="No space left"):
        WEIGHTS.save(tmp_path / "w.json")
    assert [path.name for path in tmp_path.iterdir()] == ["w.json"]
    assert (tmp_path / "w.json").read_text() == "old"


def test_weights_of_another_evaluation_are_refused_by_name(tmp_path: Path) -> None:
    WEIGHTS.save(tmp_path / "w.json")
    with pytest.raises(
        FormatError, match=r"missing: material_bishop.*and \d+ more; unknown: passed\[rank 2\]"
    ):
        load_weights(tmp_path / "w.json", load_evaluation("material").layout)


def test_weights_against_the_taper_are_refused_by_name(tmp_path: Path) -> None:
    WEIGHTS.save(tmp_path / "w.json")
    for taper, message in (
        ("none", "pawn is untapered"),
        ("mg", "pawn is mg only"),
        ("eg", "pawn is eg only"),
    ):
        with pytest.raises(FormatError, match=message):
            load_weights(tmp_path / "w.json", Layout(LAYOUT.terms, (taper, "tapered", "none")))


def entry(**changes: Any) -> dict[str, Any]:
    return {"labels": ["x", "y"], "mg": [1, 2], "eg": [3, 4]} | changes


def file_of(**terms: Any) -> str:
    return json.dumps({"terms": terms})


BROKEN: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", "is no weights file"),
    "binary": (b"\x89PNG\r\n\x1a\n\x00\xff\xfe", "not text"),
    "truncated": (WEIGHTS.to_json()[:-20], "is no weights file"),
    "deep": ("[" * 100_000, "is no weights file"),
    "no object": ("3", "is no weights file"),
    "no terms": ("{}", "is no weights file"),
    "empty terms": ('{"terms": {}}', "is no weights file"),
    "another unit": ('{"unit": "pawns", "terms": {"a": {}}}', "another unit.*pawns"),
    "entry": (file_of(a=3), "term a needs lists"),
    "scalar": (file_of(a=entry(mg=1)), "term a needs lists"),
    "labels": (file_of(a=entry(labels="xy")), "term a needs lists"),
    "repeated label": (file_of(a=entry(labels=["x", "x"])), "term a needs labels"),
    "repeated term": ('{"terms": {"a": {}, "a": {}}}', "'a' occurs twice"),
    "taper": (file_of(a=entry(taper="late")), "'late'; expected one of tapered"),
    "too short": (file_of(a=entry(mg=[1])), "term a has 2 labels but 1 mg weights"),
    "too long": (file_of(a=entry(eg=[1, 2, 3])), "term a has 2 labels but 3 eg weights"),
    "shifted": (file_of(a=entry(labels=["x"]), b=entry(labels=["x", "y", "z"])), "term a has 1 labels"),
    "nested": (file_of(a=entry(mg=[[1], [2]])), "no finite number"),
    "text": (file_of(a=entry(mg=["1", "2"])), "no finite number"),
    "boolean": (file_of(a=entry(mg=[True, 2])), "no finite number"),
    "null": (file_of(a=entry(mg=[None, 2])), "no finite number"),
    "NaN": (file_of(a=entry(mg=[float("nan"), 2])), "no finite number"),
    "infinite": (file_of(a=entry(eg=[1, float("-inf")])), "no finite number"),
    "huge": (file_of(a=entry(eg=[1, 10**400])), "no finite number"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_file_is_one_sentence(tmp_path: Path, kind: str) -> None:
    content, message = BROKEN[kind]
    path = tmp_path / "w.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(FormatError, match=message) as caught:
        load_weights(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_a_folder_and_a_missing_file_are_one_sentence(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nosuch.json"):
        with pytest.raises(FormatError, match="cannot be read"):
            load_weights(path)
