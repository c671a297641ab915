"""Binary formats: samples against their text twins, damage of every kind, writers byte for byte."""

from __future__ import annotations

import io
import random
from collections import Counter
from pathlib import Path

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.errors import FormatError, InputError
from evalcore.fen import format_fens, parse_fens
from evalcore.formats import READERS, Rejects, bulletformat, marlinformat, read_positions, write_positions
from evalcore.formats.base import HEAD_BYTES, STOCKFISH_UNITS, ReadOptions, Source
from evalcore.formats.binpack_bits import signed
from evalcore.formats.games import number_games
from evalcore.formats.sniffing import choose_reader
from evalcore.positions import COLUMNS, NO_GAME, Positions

SAMPLES = Path(__file__).parent / "data" / "formats"
FILES = {
    "marlinformat": "marlinformat.bin",
    "bulletformat": "bulletformat.data",
    "stockfish-bin": "stockfish.bin",
    "viriformat": "viriformat.vf",
    "binpack": "stockfish.binpack",
}
RECORD = {"marlinformat": 32, "bulletformat": 32, "stockfish-bin": 40}
GAME_LENGTHS = [65, 105, 68, 98]
BOARD_NAMES = [name for name in COLUMNS if name not in ("result", "score", "game", "ply", "sample_weight")]


def content(name: str) -> bytes:
    return (SAMPLES / FILES[name]).read_bytes()


def read_bytes(
    name: str, data: bytes, *, stop: bool = True, threads: int = 1, block: int = 1 << 17
) -> tuple[Positions, Rejects]:
    reader, rejects = READERS[name], Rejects(stop=stop)
    options = ReadOptions(
        reader.result_pov, reader.score_pov, reader.score_unit, rejects, threads=threads, block=block
    )
    blocks = reader.read(Source(Path("some.file"), lambda: io.BytesIO(data)), options)
    return Positions.concatenate(list(blocks)), rejects


def assert_same(one: Positions, other: Positions, names: list[str]) -> None:
    assert len(one) == len(other)
    for name in names:
        ours, theirs = getattr(one, name), getattr(other, name)
        assert np.array_equal(ours, theirs, equal_nan=ours.dtype.kind == "f"), name


@pytest.fixture(scope="module")
def twins() -> Positions:
    """The same 300 positions from text, scores as stored in the binary files."""
    lines = [line.split(",") for line in (SAMPLES / "positions.csv").read_text().splitlines()[1:]]
    scores = np.array([float(line[1]) for line in lines])
    scores[np.abs(scores) >= 20_000] = np.nan
    rows = Positions.from_boards(chess.Board(line[0]) for line in lines)
    plies = [chess.Board(line[0]).ply() for line in lines]
    return rows.replace(result=[float(line[2]) for line in lines], score=scores, ply=plies)


@pytest.mark.parametrize("name", ["marlinformat", "viriformat", "stockfish-bin", "binpack"])
def test_the_same_positions_as_in_text(name: str, twins: Positions) -> None:
    rows, rejects = read_bytes(name, content(name))
    assert len(rows) == (300 if name in RECORD else sum(GAME_LENGTHS))
    rows = rows.select(slice(0, 300))
    unit = np.float32(STOCKFISH_UNITS if name in ("stockfish-bin", "binpack") else 1)
    assert_same(rows, twins, [*BOARD_NAMES, "result", "ply"])
    np.testing.assert_allclose(rows.score, twins.score * unit, rtol=1e-6)
    assert rejects.total() == 0
    lengths = list(Counter(rows.game.tolist()).values())
    assert lengths == ([300] if name == "marlinformat" else [65, 105, 68, 62])
    assert (rows.game[0] == NO_GAME) == (name == "marlinformat")


def test_bulletformat_is_the_board_of_the_mover(twins: Positions) -> None:
    rows, _ = read_bytes("bulletformat", content("bulletformat"))
    for row in range(0, 300, 7):
        board, seen = twins.board(row), rows.board(row)
        wanted = board if board.turn else board.mirror()
        assert seen.board_fen() == wanted.board_fen()
    turned = ~twins.white_to_move
    assert rows.white_to_move.all()
    assert rows.result.tolist() == np.where(turned, 1 - twins.result, twins.result).tolist()
    assert np.array_equal(rows.score, np.where(turned, -twins.score, twins.score), equal_nan=True)
    assert {"white_to_move", "castling_rights", "ep_square"} <= set(READERS["bulletformat"].lost)


@pytest.mark.parametrize("name", ["bulletformat", "marlinformat"])
def test_written_bytes_are_those_of_the_sample(name: str, twins: Positions) -> None:
    lines = (SAMPLES / "positions.csv").read_text().splitlines()[1:]
    stored = twins.replace(score=[float(line.split(",")[1]) for line in lines])
    encode = {"bulletformat": bulletformat.encode, "marlinformat": marlinformat.encode}[name]
    assert encode(stored).tobytes() == content(name)


@pytest.mark.parametrize("name", list(FILES))
def test_found_by_content_alone(name: str, tmp_path: Path) -> None:
    data = content(name)
    for piece in (data, data[:HEAD_BYTES], data[: RECORD.get(name, 200)], data * 20):
        assert choose_reader(Path("x.bin"), piece[:HEAD_BYTES], READERS).name == name
    path = tmp_path / "positions.epd"
    path.write_bytes(data)
    assert len(read_positions(path)) == (300 if name in RECORD else 336)


@pytest.mark.parametrize("name", ["positions.csv", "zurichess.epd", "bullet.txt", "stockfish.plain"])
def test_text_is_no_binary_format(name: str) -> None:
    head = (SAMPLES / name).read_bytes()[:HEAD_BYTES]
    assert [READERS[each].sniff(head) for each in FILES] == [0.0] * len(FILES)


def test_noise_is_no_binary_format() -> None:
    noise = random.Random(1).randbytes(HEAD_BYTES)
    for head in (noise, bytes(4000), b"\xff" * 4000, bytes(range(256)) * 40, b"\0", b"\0" * 40):
        assert [READERS[each].sniff(head) for each in FILES] == [0.0] * len(FILES)


@pytest.mark.parametrize("name", list(FILES))
def test_blocks_and_threads_change_nothing(name: str) -> None:
    whole, _ = read_bytes(name, content(name) * 3)
    for threads, block in ((1, 50), (2, 50), (2, 7)):
        pieces, _ = read_bytes(name, content(name) * 3, threads=threads, block=block)
        names = [each for each in COLUMNS if each != "game"]
        assert_same(pieces, whole, names)


def random_board(seed: int, chess960: bool) -> chess.Board:
    rng = random.Random(seed)
    board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board(chess960=True)
    for _ in range(rng.randrange(150)):
        options = list(board.legal_moves)
        if not options:
            break
        board.push(rng.choice(options))
    return board


BOARDS = [random_board(seed, chess960=seed % 2 == 0) for seed in range(150)]


def labelled_boards() -> Positions:
    rng = np.random.default_rng(3)
    scores, results = rng.integers(-19_999, 20_000, len(BOARDS)), rng.integers(0, 3, len(BOARDS)) / 2
    return Positions.from_boards(BOARDS, score=scores, result=results)


def test_what_marlinformat_writes_it_reads(tmp_path: Path) -> None:
    rows = labelled_boards()
    path = tmp_path / "rows.bin"
    write_positions(rows, path, format="marlinformat")
    assert_same(read_positions(path), rows, [*BOARD_NAMES, "result", "score"])


def test_what_bulletformat_writes_it_reads(tmp_path: Path) -> None:
    rows = labelled_boards()
    path = tmp_path / "rows.data"
    write_positions(rows, path)
    back = read_positions(path)
    for row, board in enumerate(BOARDS):
        wanted = board if board.turn else board.mirror()
        assert back.board(row).board_fen() == wanted.board_fen()
    mover = np.where(rows.white_to_move, 1, -1)
    assert back.score.tolist() == (rows.score * mover).tolist()
    assert back.result.tolist() == (0.5 + (rows.result - 0.5) * mover).tolist()


@pytest.mark.parametrize("name", ["bulletformat", "marlinformat"])
@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ({"score": np.nan}, "no score"),
        ({"result": np.nan}, "no result"),
        ({"result": 0.6}, "between win, draw and loss"),
        ({"score": 19_999.6}, "a score of 20,000 or more"),
        ({"score": -np.inf}, "a score of 20,000 or more"),
    ],
)
def test_writers_refuse_what_cannot_be_said(
    name: str, labels: dict[str, float], words: str, tmp_path: Path
) -> None:
    row = labelled_boards().select(slice(0, 1))
    row = row.replace(**{column: [value] for column, value in labels.items()})
    with pytest.raises(InputError, match=words):
        write_positions(row, tmp_path / "x", format=name)
    assert not (tmp_path / "x").exists()
    rejects = Rejects()
    good = labelled_boards().select(slice(1, 2))
    write_positions([row, row, good], tmp_path / "x", format=name, rejects=rejects)
    assert (tmp_path / "x").stat().st_size == 32 and rejects.total() == 2


def test_mates_and_sentinels_are_no_scores() -> None:
    data = bytearray(content("stockfish-bin")[: 5 * 40])
    for row, score in enumerate((32002, -32001, 20_000, -19_999, 0)):
        data[40 * row + 32 : 40 * row + 34] = score.to_bytes(2, "little", signed=True)
    rows, rejects = read_bytes("stockfish-bin", bytes(data))
    black = [-1 if not turn else 1 for turn in rows.white_to_move]
    assert np.isnan(rows.score[:3]).all()
    np.testing.assert_allclose(rows.score[3:], [-19_999 * STOCKFISH_UNITS * black[3], 0], rtol=1e-6)
    assert list(rejects.notes.values()) == [3]


def test_numbers_with_the_sign_in_the_lowest_bit() -> None:
    def stored(value: int) -> int:
        word = value & 0xFFFF
        if word & 0x8000:
            word ^= 0x7FFF
        return ((word << 1) | (word >> 15)) & 0xFFFF

    assert [signed(stored(value)) for value in range(-32768, 32768)] == list(range(-32768, 32768))
    assert [stored(value) for value in (0, -1, 1, -2)] == [0, 1, 2, 3]


def test_one_bad_record_is_named_and_left_out() -> None:
    for name, size in RECORD.items():
        data = bytearray(content(name))
        data[10 * size : 10 * size + 8] = b"\xff" * 8
        with pytest.raises(FormatError, match=r"some\.file: record 11: "):
            read_bytes(name, bytes(data))
        rows, rejects = read_bytes(name, bytes(data), stop=False)
        whole, _ = read_bytes(name, content(name))
        assert_same(rows, whole.select(np.arange(300) != 10), [*BOARD_NAMES, "result", "score"])
        assert [reject.place for reject in rejects.kept] == ["record 11"]


def test_a_result_that_is_none_is_an_error() -> None:
    for name, place, value in (
        ("marlinformat", 30, 3),
        ("bulletformat", 26, 3),
        ("stockfish-bin", 38, 2),
        ("stockfish-bin", 38, 128),  # whose absolute value is negative in a byte
    ):
        data = bytearray(content(name))
        data[place] = value
        with pytest.raises(FormatError, match="result is none of"):
            read_bytes(name, bytes(data))
    data = bytearray(content("binpack"))
    data[8 + 28] |= 0xC0
    with pytest.raises(FormatError, match="block 1, chain 1: the result is none of"):
        read_bytes("binpack", bytes(data))


def test_one_illegal_move_and_the_whole_game_is_left_out() -> None:
    data = bytearray(content("viriformat"))
    second = 32 + 4 * 66
    data[second + 32 + 4 * 50 : second + 32 + 4 * 50 + 2] = (12 | 28 << 6 | 3 << 14).to_bytes(2, "little")
    with pytest.raises(FormatError, match=r"game 2: illegal move, number 51 of the game"):
        read_bytes("viriformat", bytes(data))
    rows, rejects = read_bytes("viriformat", bytes(data), stop=False)
    assert Counter(rows.game.tolist()) == {0: 65, 2: 68, 3: 98}
    assert rejects.total() == 1


def test_a_broken_chain_takes_its_block_along() -> None:
    data = bytearray(content("binpack"))
    data[162 + 20] ^= 0xFF  # men of the second chain's stem
    with pytest.raises(
        FormatError, match=r"block 1, chain 2: .*; the chain before it and the rest of the block are"
    ):
        read_bytes("binpack", bytes(data))
    rows, _ = read_bytes("binpack", bytes(data) + content("binpack"), stop=False)
    assert len(rows) == 336


def keys(rows: Positions) -> list[tuple[object, ...]]:
    names = [name for name in BOARD_NAMES if name != "fullmove_number"]
    columns = [getattr(rows, name).tolist() for name in [*names, "result"]]
    return list(zip(*columns, np.nan_to_num(rows.score, nan=-1e9).tolist(), strict=True))


@pytest.mark.parametrize("name", list(FILES))
def test_nothing_is_invented_where_bytes_are_missing_or_too_many(name: str) -> None:
    """Whole records that are missing leave no trace; everything else does."""
    whole, rng = content(name), random.Random(name)
    written, size, outcomes = set(keys(read_bytes(name, whole)[0])), RECORD.get(name, 4), Counter[str]()
    for _ in range(60):
        # Near the end of a file the part of a record there may look like one that was cut off.
        at, count = rng.randrange(len(whole) - 100), rng.choice([1, 2, 3, 5, 7, 9, 18, 21, 33, 41, 67])
        if count % size == 0:
            continue
        added = whole[:at] + rng.randbytes(count) + whole[at:]
        for data in (added, whole[:at] + whole[at + count :]):
            try:
                rows, rejects = read_bytes(name, data, stop=False)
            except FormatError as error:
                outcomes["stopped"] += 1
                assert "can be trusted" in str(error) or "no block of a binpack" in str(error)
                continue
            outcomes["read"] += 1
            assert rejects.total()
            assert written.issuperset(keys(rows))
    assert outcomes["stopped"] > 50, outcomes


@pytest.mark.parametrize("name", list(RECORD))
def test_a_file_behind_a_part_of_itself(name: str) -> None:
    whole, size = content(name), RECORD[name]
    with pytest.raises(FormatError, match=r"record 100: 3 of 8 records are wrong .* lost or added"):
        read_bytes(name, whole[: 100 * size - 4] + whole, stop=False)
    # Bytes that are lost in two places: the length of the file says nothing.
    with pytest.raises(FormatError, match="lost or added"):
        read_bytes(name, whole[: 50 * size + 3] + whole[50 * size + 20 : -(size - 17)], stop=False)


def test_damage_here_and_there_does_not_stop() -> None:
    for name, size in RECORD.items():
        data = bytearray(content(name))
        for record in range(0, 300, 4):
            data[record * size : record * size + 8] = b"\xff" * 8
        rows, rejects = read_bytes(name, bytes(data), stop=False)
        assert len(rows) == 225 and rejects.total() == 75
        rows, rejects = read_bytes(name, bytes(data) + content(name)[: 12 * size - 1], stop=False)
        assert len(rows) == 236 and rejects.total() == 76


def test_bits_behind_a_board_are_a_fault() -> None:
    data = bytearray(content("stockfish-bin"))
    data[31] |= 0x80
    with pytest.raises(FormatError, match="record 1: bits behind the board where zeros belong"):
        read_bytes("stockfish-bin", bytes(data))


@pytest.mark.parametrize("name", list(FILES))
@settings(max_examples=30, deadline=None)
@given(st.data())
def test_cut_off_files(name: str, data: st.DataObject) -> None:
    whole = content(name)
    cut = data.draw(st.integers(1, len(whole) - 1))
    rows, rejects = read_bytes(name, whole[:cut], stop=False)
    full, _ = read_bytes(name, whole)
    assert_same(rows, full.select(slice(0, len(rows))), [*BOARD_NAMES, "result", "score"])
    if cut % RECORD.get(name, 1 << 20):
        ends_with_game = name == "viriformat" and whole[cut - 4 : cut] == bytes(4) and not rejects.total()
        assert rejects.total() or ends_with_game
        if not ends_with_game:
            with pytest.raises(FormatError):
                read_bytes(name, whole[:cut])
    else:
        assert len(rows) == cut // RECORD[name]


def assert_sound(rows: Positions) -> None:
    """Legal boards and labels that exist."""
    assert np.isin(rows.result, (0, 0.5, 1)).all()
    assert (np.isnan(rows.score) | (np.abs(rows.score) < 20_000)).all()
    assert len(parse_fens(format_fens(rows))) == len(rows)


@pytest.mark.parametrize("name", list(FILES))
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_flipped_bits(name: str, data: st.DataObject) -> None:
    damaged = bytearray(content(name))
    places = data.draw(st.lists(st.integers(0, 8 * len(damaged) - 1), min_size=1, max_size=8))
    for place in places:
        damaged[place >> 3] ^= 1 << (place & 7)
    try:
        rows, rejects = read_bytes(name, bytes(damaged), stop=False)
    except FormatError as error:
        # Where nothing says how to go on, or several of the hits lie together.
        assert name in ("binpack", "viriformat") or "can be trusted" in str(error)
        return
    assert_sound(rows)
    if name in RECORD:
        assert len(rows) + rejects.total() == 300
        hit = {place // (8 * RECORD[name]) for place in places}
        whole, _ = read_bytes(name, content(name))
        named = {int(str(reject.place).split()[1]) - 1 for reject in rejects.kept}
        assert named <= hit
        kept = np.array([row for row in range(300) if row not in named])
        sound = np.array([row not in hit for row in kept])
        assert_same(rows.select(sound), whole.select(kept[sound]), [*BOARD_NAMES, "result", "score"])


@pytest.mark.parametrize("name", list(FILES))
@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=400), st.booleans())
def test_noise_never_crashes(name: str, noise: bytes, as_block: bool) -> None:
    if name == "binpack" and as_block:
        noise = b"BINP" + len(noise).to_bytes(4, "little") + noise
    try:
        rows, _ = read_bytes(name, noise, stop=False)
    except FormatError:
        return
    assert_sound(rows)


def test_games_are_runs_of_plies_and_shuffled_rows_have_none() -> None:
    plies, results = np.arange(400) % 50, np.repeat([1, 0.5, 0, 0.5], 100)
    rows = Positions.from_columns({"ply": plies, "result": results})
    halves = [rows.select(slice(0, 230)), rows.select(slice(230, 400))]
    games = np.concatenate([block.game for block in number_games(halves)])
    assert games.tolist() == (np.arange(400) // 50).tolist()
    shuffled = rows.select(np.random.default_rng(0).permutation(400))
    assert (next(number_games([shuffled])).game == NO_GAME).all()


def test_public_viriformat(reference_data: Path) -> None:
    rows = read_positions(reference_data / "public" / "viriformat" / "test-vf.bin")
    assert len(rows) == 1093 and rows.game.max() == 8
    assert rows.board(0).chess960


def test_public_binpacks(reference_data: Path) -> None:
    rows = read_positions(reference_data / "public" / "binpack" / "ep1.binpack")
    board = rows.board(0)
    for row, uci in ((1, "c2c4"), (2, "d4d3")):
        board.push_uci(uci)
        assert rows.board(row).fen() == board.fen(en_passant="legal")
        # The pawn that could capture is pinned, so the move has one index less to choose from.
        assert row == 2 or (board.has_pseudo_legal_en_passant() and not board.has_legal_en_passant())
    rows = read_positions(reference_data / "public" / "binpack" / "small.binpack")
    assert len(rows) == 434_921
    for row in range(0, len(rows) - 1, 5000):
        board, following = rows.board(row), rows.board(row + 1)
        assert board.is_valid()
        if rows.ply[row + 1] == rows.ply[row] + 1 and rows.game[row] == rows.game[row + 1]:
            children = set()
            for move in board.legal_moves:
                board.push(move)
                children.add(board.board_fen())
                board.pop()
            assert following.board_fen() in children


@pytest.mark.parametrize("name", ["marlinformat", "viriformat", "stockfish-bin", "binpack", "bulletformat"])
def test_all_samples(name: str, reference_data: Path) -> None:
    rows = read_positions(reference_data / "samples" / FILES[name])
    assert len(rows) == 3896
    assert int(np.isnan(rows.score).sum()) == 90
