"""Blocks of a binpack in batches and threads: the same rows, games, places and faults however it is cut."""

from __future__ import annotations

import io
import random
from pathlib import Path

import chess
import numpy as np
import pytest

from evalcore.errors import FormatError
from evalcore.formats import READERS, Reject, Rejects, binpack
from evalcore.formats.base import ReadOptions, Source
from evalcore.formats.binpack_bits import index_bits, read_bits
from evalcore.positions import COLUMNS, Positions

BLOCK = (Path(__file__).parent / "data" / "formats" / "stockfish.binpack").read_bytes()
ROWS = 336
EMPTY_BLOCK = b"BINP" + bytes(4)
CHAIN_COUNT = 8 + 32
"""Offset of the number of moves of the first chain of a block."""


def read(
    data: bytes, *, stop: bool = False, threads: int = 1, rows: int = 1 << 17
) -> tuple[list[Positions], list[int], list[Reject], FormatError | None]:
    """The blocks of positions, the places of all rows, what was left out, and the error at the end."""
    reader, rejects = READERS["binpack"], Rejects(stop=stop)
    options = ReadOptions(
        reader.result_pov, reader.score_pov, reader.score_unit, rejects, threads=threads, block=rows
    )
    found, error = [], None
    try:
        for block in reader.read(Source(Path("some.file"), lambda: io.BytesIO(data)), options):
            found.append(block)  # what came before an error counts, too
    except FormatError as raised:
        error = raised
    places = [int(place) for origin in options.places for place in origin.places]
    return found, places, rejects.kept, error


def same_rows(one: list[Positions], other: list[Positions]) -> bool:
    ours, theirs = Positions.concatenate(one), Positions.concatenate(other)
    return len(ours) == len(theirs) and all(
        getattr(ours, name).tobytes() == getattr(theirs, name).tobytes() for name in COLUMNS
    )


def damaged() -> bytes:
    """Six blocks and an empty one; the second breaks off in its second chain and so loses the first, too, and
    behind the last is noise."""
    data = bytearray(BLOCK * 4 + EMPTY_BLOCK + BLOCK * 2 + b"no block")
    data[len(BLOCK) + 162 + 20] ^= 0xFF
    return bytes(data)


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("batch", [1, 2000, 1 << 18])
def test_batches_and_threads_change_nothing(
    batch: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, places, faults, error = read(damaged())
    monkeypatch.setattr(binpack, "BATCH", batch)
    monkeypatch.setattr(binpack, "PIECES_AHEAD", 1)
    found, found_places, found_faults, found_error = read(damaged(), threads=threads)
    assert same_rows(found, whole)
    assert sum(map(len, found)) == 5 * ROWS
    assert found_places == places == list(range(1, 5 * ROWS + 1))
    assert found_faults == faults and [each.place for each in faults] == ["block 2, chain 2"]
    assert str(found_error) == str(error) and "block 8: no block of a binpack begins here" in str(error)


@pytest.mark.parametrize("threads", [1, 2])
def test_the_first_fault_is_the_one_that_stops(threads: int) -> None:
    _, _, _, error = read(damaged(), stop=True, threads=threads)
    assert "block 2, chain 2: " in str(error)


def test_a_long_block_is_read_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows of one large block are those of the same chains in small ones."""
    monkeypatch.setattr("evalcore.formats.binpack.LONGEST_CHAIN", 200)
    chains = BLOCK[8:] * 40
    large = b"BINP" + len(chains).to_bytes(4, "little") + chains
    whole, *_ = read(BLOCK * 40)
    for threads in (1, 2):
        pieces, places, faults, error = read(large * 2, threads=threads, rows=300)
        assert max(map(len, pieces)) <= 500 and len(pieces) > 2 * 40 * ROWS // 500
        assert same_rows([Positions.concatenate(pieces).select(slice(0, 40 * ROWS))], whole)
        assert len(places) == 2 * 40 * ROWS
        assert not faults and error is None


def test_a_chain_longer_than_its_block_hides_no_other_fault() -> None:
    data = bytearray(BLOCK[:300])
    data[CHAIN_COUNT : CHAIN_COUNT + 2] = b"\xff\xff"
    _, _, faults, _ = read(bytes(data))
    assert [each.place for each in faults] == ["block 1", "block 1, chain 1"]
    assert faults[0].reason == "the file ends inside a block"


def test_a_reader_that_is_left_early_reads_no_further() -> None:
    reader, reads = READERS["binpack"], []

    class Counting(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            reads.append(size)
            return super().read(size)

    options = ReadOptions(
        reader.result_pov, reader.score_pov, reader.score_unit, Rejects(stop=True), threads=2
    )
    size = binpack.BATCH // len(BLOCK) + 1
    blocks = reader.read(Source(Path("some.file"), lambda: Counting(BLOCK * size * 20)), options)
    assert len(next(blocks)) == size * ROWS
    del blocks
    assert len(reads) < 2 * size * 5


def test_bits_of_numbers() -> None:
    rng = random.Random(2)
    data = rng.randbytes(40)
    text = "".join(f"{byte:08b}" for byte in data)
    for _ in range(200):
        at, count = rng.randrange(300), rng.randrange(1, 9)
        assert read_bits(np.frombuffer(data, np.uint8).astype(int), at, count) == int(
            text[at : at + count], 2
        )
    assert [index_bits(choices) for choices in range(1, 200)] == [
        (choices - 1).bit_length() for choices in range(1, 200)
    ]


def test_the_positions_of_a_chain_follow_from_its_moves(reference_data: Path) -> None:
    """Every row of a stretch of a real file is reached from the row before by the move that it holds."""
    path = reference_data / "public" / "binpack" / "small.binpack"
    reader = READERS["binpack"]
    options = ReadOptions(
        reader.result_pov, reader.score_pov, reader.score_unit, Rejects(), threads=2, quiet_moves=True
    )
    rows = next(iter(reader.read(Source(path, lambda: path.open("rb")), options)))
    moves = options.places[0].moves
    assert moves is not None
    followed = 0
    for row in range(1000):
        board, move = rows.board(row), int(moves[row])
        following = rows.board(row + 1)
        played = [
            each
            for each in board.legal_moves
            if each.from_square == move & 63 and target_of(board, each) == move >> 6
        ]
        assert played
        if rows.ply[row + 1] == rows.ply[row] + 1:
            children = [board.copy(stack=False) for _ in played]
            for child, each in zip(children, played, strict=True):
                child.push(each)
            assert following.fen(en_passant="legal") in [child.fen(en_passant="legal") for child in children]
            followed += 1
    assert followed > 500


def target_of(board: chess.Board, move: chess.Move) -> int:
    """The square of the rook for castling; boards here are Chess960 or not."""
    if not board.is_castling(move):
        return move.to_square
    rooks = board.castling_rights & chess.BB_RANKS[chess.square_rank(move.from_square)]
    long = chess.square_file(move.to_square) < chess.square_file(move.from_square)
    return chess.lsb(rooks) if long else chess.msb(rooks)
