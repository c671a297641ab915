"""What writers say of what they leave behind, and columns of the board that nobody knew."""

from pathlib import Path

import chess
import numpy as np
import pytest

from evalcore.errors import InputError
from evalcore.evaluation import load_evaluation
from evalcore.formats import Rejects, open_located, read_positions, write_located, write_positions
from evalcore.positions import Positions

FENS = (
    "r3k2r/pppq1ppp/2n1bn2/3pp3/3PP3/2N1BN2/PPPQ1PPP/R3K2R b KQkq - 0 9",
    "8/1p3k2/8/p7/P1P5/8/5K2/8 w - - 3 40",
    "8/P7/8/8/3k4/8/8/K7 w - - 0 1",
)


def rows() -> Positions:
    return Positions.from_boards(
        map(chess.Board, FENS),
        result=[1.0, 0.5, 1.0],
        score=[30, np.nan, 500],
        game=[0, 1, 1],
        ply=[17, 78, 0],
        sample_weight=[1, 1, 0.5],
    )


def test_what_a_format_does_not_carry_is_said(tmp_path: Path) -> None:
    rejects = Rejects(stop=True)
    write_positions(rows(), tmp_path / "a.epd", rejects=rejects)
    (warning,) = rejects.warnings
    assert "halfmove_clock, fullmove_number, score, game, ply, sample_weight" in warning
    assert "3 positions" in warning
    rejects = Rejects(stop=True)
    write_positions(rows(), tmp_path / "a.parquet", rejects=rejects)
    assert not rejects.warnings


def test_only_what_was_known_is_lost(tmp_path: Path) -> None:
    write_positions(rows(), tmp_path / "a.epd")
    rejects = Rejects()
    write_positions(read_positions(tmp_path / "a.epd"), tmp_path / "b.epd", rejects=rejects)
    assert not rejects.warnings


def test_rows_that_do_not_fit_are_listed_with_their_places(tmp_path: Path) -> None:
    write_positions(rows(), tmp_path / "a.csv")
    with pytest.raises(InputError, match=r"1 position has no score .first at .*csv:3.*bullet format"):
        write_located(open_located(tmp_path / "a.csv"), tmp_path / "a.txt")
    assert not (tmp_path / "a.txt").exists()
    rejects = Rejects()
    blocks = open_located(tmp_path / "a.csv", on_error="skip", rejects=rejects)
    write_located(blocks, tmp_path / "a.txt", rejects=rejects)
    (left_out,) = rejects.kept
    assert left_out.place == 3 and left_out.text == FENS[1] and "no score" in left_out.reason
    assert len(read_positions(tmp_path / "a.txt")) == 2


def test_nobody_knows_who_was_to_move(tmp_path: Path) -> None:
    """bulletformat shows the mover's view; what is made from it must not pass for White to move."""
    known = rows().replace(score=[30, 0, 500])
    write_positions(known, tmp_path / "a.data")
    mixed = [read_positions(tmp_path / "a.data"), known]
    write_positions(mixed, tmp_path / "b.parquet")
    write_positions(read_positions(tmp_path / "b.parquet").select(slice(0, 4)), tmp_path / "c.parquet")
    rejects = Rejects()
    back = read_positions(tmp_path / "c.parquet", rejects=rejects)
    assert "white_to_move" in back.unknown and "pawns" not in back.unknown
    assert "white_to_move" in rejects.lost[str(tmp_path / "c.parquet")]
    with pytest.raises(InputError, match="evaluation default need: tempo"):
        load_evaluation("default").extract(back)
    assert len(load_evaluation("psqt").extract(back).phase) == 4
    assert "white_to_move" not in back.replace(white_to_move=[True] * 4).unknown


@pytest.mark.parametrize(("name", "warned"), [("a.csv", True), ("a.data", False), ("a.parquet", False)])
def test_invented_columns_are_said(name: str, warned: bool, tmp_path: Path) -> None:
    write_positions(rows().replace(score=[30, 0, 500]), tmp_path / "in.data")
    rejects = Rejects()
    write_positions(read_positions(tmp_path / "in.data"), tmp_path / name, rejects=rejects)
    assert any("the side to move" in warning for warning in rejects.warnings) is warned
