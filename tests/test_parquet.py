"""Our own Parquet files: what pandas sees in them, blocks and threads, damage."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalcore.errors import FormatError
from evalcore.formats import Rejects, open_positions, read_positions, write_positions
from evalcore.formats.parquet import HARDLY_REPEATED
from evalcore.positions import COLUMNS, Positions

SAMPLE = Path(__file__).parent / "data" / "formats" / "stockfish.binpack"


@pytest.fixture(scope="module")
def rows() -> Positions:
    return read_positions(SAMPLE)


@pytest.fixture(scope="module")
def written(rows: Positions, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("parquet") / "rows.parquet"
    write_positions(rows, path)
    return path


def assert_same(found: Positions, expected: Positions) -> None:
    for name in COLUMNS:
        assert getattr(found, name).tobytes() == getattr(expected, name).tobytes(), name


def test_pandas_reads_the_columns_as_they_are(rows: Positions, written: Path) -> None:
    pd.testing.assert_frame_equal(pd.read_parquet(written), rows.to_frame())
    assert_same(read_positions(written), rows)


def test_no_cell_can_be_empty_and_few_values_have_a_dictionary(written: Path) -> None:
    schema = pq.read_schema(written)
    assert schema.names == list(COLUMNS) and not any(field.nullable for field in schema)
    group = pq.ParquetFile(written).metadata.row_group(0)
    columns = [group.column(number) for number in range(group.num_columns)]
    without = {each.path_in_schema for each in columns if not each.has_dictionary_page}
    assert without - {"white_to_move"} == set(HARDLY_REPEATED)  # a bit needs none
    assert {each.compression for each in columns} == {"ZSTD"}


@pytest.mark.parametrize(("threads", "block"), [(1, 50), (2, 50), (2, 1000)])
@pytest.mark.parametrize("nullable", [False, True])
def test_blocks_threads_and_row_groups_change_nothing(
    threads: int, block: int, nullable: bool, rows: Positions, written: Path, tmp_path: Path
) -> None:
    """The files of pandas have cells that may be empty, ours have not."""
    path = written
    if nullable:
        path = tmp_path / "x.parquet"
        rows.to_frame().to_parquet(path, row_group_size=70)
    found = list(open_positions(path, threads=threads, block=block))
    assert max(map(len, found)) <= block and sum(map(len, found)) == len(rows)
    assert_same(Positions.concatenate(found), rows)


def test_a_name_of_a_column_that_is_no_text(written: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "x.parquet"
    damaged.write_bytes(written.read_bytes().replace(b"castling_rights", b"castling\xe8rights"))
    with pytest.raises(FormatError, match=r"x\.parquet: the Parquet file cannot be read"):
        read_positions(damaged)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_flipped_bits_and_cut_files(data: st.DataObject, written: Path, tmp_path: Path) -> None:
    content = bytearray(written.read_bytes())
    for place in data.draw(st.lists(st.integers(0, 8 * len(content) - 1), min_size=1, max_size=6)):
        content[place >> 3] ^= 1 << (place & 7)
    size = data.draw(st.sampled_from([len(content), len(content) // 2]))
    path = tmp_path / "x.parquet"
    path.write_bytes(content[:size])
    try:
        found = Positions.gather(open_positions(path, format="parquet", on_error="skip", check=False))
    except FormatError:
        return
    assert size == len(content) and len(found) <= 336
    assert (np.bitwise_count(found.kings) == 2).all()
    assert (np.isnan(found.result) | ((found.result >= 0) & (found.result <= 1))).all()


def changed(rows: Positions, path: Path, **columns: object) -> Path:
    """The first rows as a file from elsewhere, with other values in front."""
    frame = rows.select(slice(0, 6)).to_frame()
    for name, values in columns.items():
        first = np.asarray(values)
        frame[name] = np.concatenate([first, frame[name].to_numpy(first.dtype)[len(first) :]])
    # Not by pandas, which would make empty cells of NaN.
    pq.write_table(pa.table({name: pa.array(frame[name].to_numpy()) for name in frame}), path)
    return path


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_mates_and_sentinels_from_elsewhere_are_no_scores(
    dtype: str, rows: Positions, tmp_path: Path
) -> None:
    values = np.array([32002, -32002, np.inf, -np.inf, 1e9 if dtype == "float32" else 1e300], dtype)
    rejects = Rejects()
    found = read_positions(changed(rows, tmp_path / "a.parquet", score=values), rejects=rejects)
    assert np.isnan(found.score[:5]).all() and found.score[5] == rows.score[5]
    assert list(rejects.notes.values()) == [5]
    write_positions(found, tmp_path / "a.csv")
    assert np.array_equal(read_positions(tmp_path / "a.csv").score, found.score, equal_nan=True)


@pytest.mark.parametrize("weight", [-1, np.nan, np.inf])
def test_weights_that_are_none(weight: float, rows: Positions, tmp_path: Path) -> None:
    path = changed(rows, tmp_path / "a.parquet", sample_weight=np.array([0, weight], np.float32))
    with pytest.raises(FormatError, match=r"a\.parquet: row 1: a sample weight that is not a finite number"):
        read_positions(path)
    assert read_positions(path, on_error="skip").sample_weight.tolist() == [0, 1, 1, 1, 1]


@pytest.mark.parametrize("result", [-1, 2, 100])
def test_results_in_another_coding(result: float, rows: Positions, tmp_path: Path) -> None:
    path = changed(rows, tmp_path / "a.parquet", result=np.array([0, result], np.float32))
    with pytest.raises(FormatError, match=r"a\.parquet: row 1: .* codes its results in another way"):
        read_positions(path, on_error="skip")


@pytest.mark.parametrize("result", [1.5, np.inf, 7])
def test_results_that_are_none(result: float, rows: Positions, tmp_path: Path) -> None:
    path = changed(rows, tmp_path / "a.parquet", result=np.array([0, result], np.float32))
    with pytest.raises(FormatError, match=r"a\.parquet: row 1: a result that is not between 0 and 1"):
        read_positions(path)
    assert read_positions(path, on_error="skip").result[0] == 0


def test_two_columns_of_one_name(written: Path, tmp_path: Path) -> None:
    table = pq.read_table(written)
    twice = table.append_column("result", table["result"])
    pq.write_table(twice, tmp_path / "a.parquet")
    with pytest.raises(FormatError, match="2 columns are called result"):
        read_positions(tmp_path / "a.parquet")
