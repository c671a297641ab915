"""PGN files: every game against python-chess, every oddity that real files have, damage of any kind."""

from __future__ import annotations

import io
import random
import re
from itertools import pairwise
from pathlib import Path

import chess
import chess.pgn
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.errors import FormatError, UnknownName
from evalcore.fen import format_fens, parse_fens
from evalcore.formats import PLAYED, READERS, TERMINATIONS, DataSource, Rejects, read_positions
from evalcore.formats.base import ReadOptions, Source
from evalcore.formats.pgn_replay import FAULT, FAULTS, UNCOUNTED, replay
from evalcore.formats.pgn_scan import MOST_MOVES, scan
from evalcore.formats.pgn_words import FINE
from evalcore.moves_rows import states_of
from evalcore.positions import COLUMNS, Positions

SAMPLES = Path(__file__).parent / "data" / "formats"
ROOK_ENDING = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1"


def read_text(
    text: str | bytes, *, stop: bool = False, block: int = 1 << 17, **options: object
) -> tuple[Positions, Rejects]:
    reader, rejects = READERS["pgn"], Rejects(stop=stop)
    data = text if isinstance(text, bytes) else text.encode()
    settings_ = ReadOptions(
        "white",
        options.pop("score_pov", "side-to-move"),  # type: ignore[arg-type]
        reader.score_unit,
        rejects,
        block=block,
        **options,  # type: ignore[arg-type]
    )
    blocks = reader.read(Source(Path("some.pgn"), lambda: io.BytesIO(data)), settings_)
    return Positions.concatenate(list(blocks)), rejects


def game(moves: str, result: str = "1-0", **tags: str) -> str:
    lines = [f'[{name} "{value}"]' for name, value in {"Event": "t", "Result": result, **tags}.items()]
    return "\n".join(lines) + f"\n\n{moves} {result}\n\n"


def played(moves: str, **tags: str) -> list[str]:
    """The moves that were read, in UCI, found again from the boards before and after them."""
    rows, rejects = read_text(game(moves + " 1-0", **tags))
    assert not rejects.total(), rejects.counts
    boards = [rows.board(row) for row in range(len(rows))]
    found = []
    for before, after in pairwise(boards):
        for move in before.legal_moves:
            before.push(move)
            if before.fen() == after.fen():
                found.append(move.uci())
            before.pop()
    return found


def fens_of(game: chess.pgn.Game) -> list[str]:
    """Positions before each move of the main line, by python-chess."""
    board, fens = game.board(), []
    board.chess960 = True
    for move in game.mainline_moves():
        fens.append(board.fen(en_passant="legal"))
        board.push(move)
    return fens


def comparable(fens: list[str]) -> list[str]:
    return [chess.Board(fen, chess960=True).fen(en_passant="legal") for fen in fens]


def test_the_sample_is_what_its_text_twin_says() -> None:
    rows, rejects = read_text((SAMPLES / "games.pgn").read_bytes())
    lines = [line.split(",") for line in (SAMPLES / "positions.csv").read_text().splitlines()[1:]]
    scored = {fen: (float(cp), float(result)) for fen, cp, result in lines}
    seen = 0
    for fen, score, result in zip(format_fens(rows), rows.score, rows.result, strict=True):
        if fen in scored:
            cp, wanted = scored[fen]
            assert result == wanted
            assert np.isnan(score) if abs(cp) >= 20_000 else score == cp
            seen += 1
    assert seen >= len(lines) - 5
    assert rejects.total() == 0
    assert sorted(set(rows.game.tolist())) == [0, 1, 2, 3]
    assert rows.ply[:3].tolist() == [0, 1, 2]


def test_the_sample_replays_as_in_python_chess() -> None:
    text = (SAMPLES / "games.pgn").read_text()
    rows, _ = read_text(text)
    wanted = []
    stream = io.StringIO(text)
    while found := chess.pgn.read_game(stream):
        wanted += fens_of(found)
    assert comparable(format_fens(rows)) == comparable(wanted)


MAIN_LINE = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]


@pytest.mark.parametrize(
    "moves",
    [
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6",
        "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6",
        "1 e4 e5 2 Nf3 Nc6 3 Bb5 a6",
        "e4 e5 Nf3 Nc6 Bb5 a6",
        "1. e4 1... e5 2. Nf3 2... Nc6 3.Bb5 3...a6",
        "1.e4 e5 2.Nf3 2....Nc6 3. Bb5 a6",
        "1. e2-e4 e7e5 2. g1f3 Nb8-c6 3. Bf1b5 a7-a6",
        "1. e4! e5?! 2. Nf3!! $1 $14 Nc6 $6 3. Bb5?? a6!?",
        "1. e4{best}e5{so}2.Nf3(2.f4 exf4)Nc6 3.Bb5;Ruy Lopez 0-1\na6",
        "1. e4 e5 (1... c5 2. Nf3 (2. c3 {1-0} d5) 2... d6 {)}) 2. Nf3 {(} Nc6 3. Bb5 ( ) a6",
        "1. e4 e5\n% 2. Qh5 0-1\n2. Nf3 Nc6 3. Bb5 a6",
        "{ a { b } 1. e4 { a; b } e5 2. Nf3 Nc6 3. Bb5 +- a6 =",
        "1. e4\r\n\r\ne5\t2. Nf3\fNc6\r\n3. Bb5 \u00b1 a6 TN",
        "1. e4 N e5 D 2. Nf3 Nc6 3. Bb5 $146 a6",
    ],
)
def test_ways_to_write_a_main_line(moves: str) -> None:
    assert played(moves) == MAIN_LINE


PROMOTION = "8/P7/8/8/8/8/1k5p/4K3 w - - 0 60"


@pytest.mark.parametrize(
    ("moves", "fen", "wanted"),
    [
        ("1. 0-0 Kd7 2. Rf7+ Ke6", ROOK_ENDING, ["e1g1", "e8d7", "f1f7"]),
        ("1. O-O+ Ke7 2. Kg2 Ke6", ROOK_ENDING.replace("4k3", "5k2"), ["e1g1", "f8e7", "g1g2"]),
        ("60. a8Q Kc2 61. Qa2+ Kc3", PROMOTION, ["a7a8q", "b2c2", "a8a2"]),
        ("60. a8=N+ h1=R+ 61. Kd2 Kb1", PROMOTION, ["a7a8n", "h2h1r", "e1d2"]),
        (
            "1... d5 2. exd6 e.p. Kd7 3. Kd2 Kc6",
            "8/3p4/4k3/4P3/8/8/8/4K3 b - - 0 1",
            ["d7d5", "e5d6", "e6d7", "e1d2"],
        ),
    ],
)
def test_special_moves(moves: str, fen: str, wanted: list[str]) -> None:
    assert played(moves, FEN=fen) == wanted


def test_ply_and_clocks_go_on_from_the_fen() -> None:
    fen = "r1bq1rk1/pp2bppp/2n2n2/3p4/3P4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 5 10"
    rows, _ = read_text(game("10. Be3 Bg4 11. h3 Bh5", FEN=fen, SetUp="1"))
    assert rows.ply.tolist() == [18, 19, 20, 21]
    assert rows.fullmove_number.tolist() == [10, 10, 11, 11]
    assert rows.halfmove_clock.tolist() == [5, 6, 7, 0]


def test_chess960_starts() -> None:
    frc = "bbrknnrq/pppppppp/8/8/8/8/PPPPPPPP/BBRKNNRQ w KQkq - 0 1"
    for variant in ("fischerandom", "Chess960", "Chess 960"):
        text = game("1. Nd3 Nd6 2. Ne3 Ne6 3. O-O O-O 4. f4 f5", FEN=frc, Variant=variant)
        rows, rejects = read_text(text)
        assert not rejects.total()
        last = rows.board(7)
        assert last.board_fen().split("/")[7].endswith("RK1") or last.piece_at(chess.G1) is not None
        assert last.king(chess.WHITE) == chess.G1 and last.king(chess.BLACK) == chess.G8


@pytest.mark.parametrize(
    ("comments", "scores"),
    [
        # cutechess and fastchess: the mover's view, before the move
        (["+0.34/12 1.2s", "-0.20/11 0.9s", "0.00/10 0s", "+1.00/9 2s, n=5, pv=\"e7e5\""], [34, 20, 0, -100]),
        (["book", "", "+M13/20 0.1s", "-M12/19 0.1s"], [None, None, None, None]),
        (["+299.97/20 1s", "-0.05/8 1s", "-320.00/2 1s", "0.10/7 1s"], [None, 5, None, -10]),
        # Lichess: White's view, after the move (rows are then the positions after the moves)
        (["[%eval 0.17] [%clk 0:1:0]", "[%eval -0.3]", "[%eval #-4]", "[%eval 2.5,8]"], [17, -30, None, 250]),
        (["[%clk 0:1:0] [%eval 0.0]", "", "x [%eval 12.34] y", "[%eval 25,18]"], [0, None, 1234, None]),
        # TCEC: White's view, before the move
        (["d=26, wv=0.87, Rd=-9,", "wv=-1.20,", "d=1, wv=M13,", "wwv=9, wv=-0.05"], [87, -120, None, -5]),
        # old TCEC: numbers broken by a line end
        (["0.\r\n64/30 246 (Nxd5)", "-9. 9/9 1", " -0.70/21\n 344", "1.0 1/ 12"], [64, 990, -70, -101]),
        # no scores at all
        (["2.5", "best was 0.35/", "-/12", "12/3 4"], [None, None, None, None]),
        (["see 3.14/5", "+0.50", "1-0", "#"], [None, None, None, None]),
        # tournament scores and dates are not those of engines
        (["1.5/2 points", "10.5/2020 Smith", "0.5/1", "3.5/7, Black wins"], [None, None, None, None]),
        (["+0.34/1234", "0.34/12-1", "+0.34/12/20", "#5/x"], [None, None, None, None]),
        (["0.5/12 1.2s", "1.5/2 15ms", "+0.5/9", "+0.34/12, White mates"], [50, -150, 50, -34]),
        # both in one comment, and both in one game: [%eval] is read
        (["+0.34/12 [%eval 0.3]", "", "[%eval 0.4] +0.9/9 1s", "+0.80/9 1s"], [30, None, 40, None]),
    ],
)  # fmt: skip
def test_scores_in_comments(comments: list[str], scores: list[float | None]) -> None:
    moves = " ".join(
        f"{move} {{{comment}}}" for move, comment in zip(("e4", "e5", "Nf3", "Nc6"), comments, strict=True)
    )
    rows, _ = read_text(game(moves))
    assert [None if np.isnan(score) else round(float(score), 3) for score in rows.score] == scores
    is_after = any("eval" in comment for comment in comments)
    assert rows.ply.tolist() == ([1, 2, 3, 4] if is_after else [0, 1, 2, 3])


UNREAD = [
    *("[%eval nan]", "[%eval inf]", "[%eval ]", "[%eval", "[%eval -]", "[%eval 0.3.4]", "[%eval 1e2]"),
    *(
        "[%eval \u22120.3]",
        "[%eval 0,3]",
        "[%eval 25,18]",
        "[%eval cp 30]",
        "[%eval --0.3]",
        "[%eval 0.30 0.40]",
    ),
    *("nan/12 1.2s", "34/12 1.2s", "\u22120.34/12 0.5s", "+-0.34/12 1s", "0.3.4/12 1s", "inf/3 15ms"),
    *("d=26, wv=, h=1", "wv=null, h=1", "wv=0.3.4, h=1"),
]


@pytest.mark.parametrize("comment", UNREAD)
def test_scores_that_cannot_be_read_are_counted(comment: str) -> None:
    note = {"scores that could not be read, taken as no score": 1}
    rows, rejects = read_text(game(f"1. e4 {{{comment}}} e5"))
    assert np.isnan(rows.score).all() and dict(rejects.notes) == note
    rows, rejects = read_text(game(f"1. e4 {{[%eval 0.1]}} e5 {{{comment}}} 2. Nf3 {{[%eval 0.2]}}"))
    assert np.isnan(rows.score[1]) and rows.score[[0, 2]].tolist() == [10, 20]
    assert dict(rejects.notes) == note
    _, rejects = read_text(game(f"1. e4 {{{comment}}} {{see}} {{+0.10/9 1s}} e5"))
    assert not rejects.notes  # there is one that can be read
    _, rejects = read_text(game(f"1. e4 {{{comment}}} e5", Termination="time forfeit"))
    assert not rejects.notes  # the game is not used


def test_scores_of_engines_in_games_with_eval_are_counted() -> None:
    moves = (
        "1. e4 {+0.30/10 1s} e5 {[%eval 0.20]} 2. Nf3 {+0.35/10 1s} Nc6 {d=3, wv=0.1} 3. Bb5 {[%eval 0.10]}"
    )
    rows, rejects = read_text(game(moves) + game("1. e4 {+0.30/10 1s} e5"))
    assert [None if np.isnan(score) else score for score in rows.score] == [
        None,
        20,
        None,
        None,
        10,
        30,
        None,
    ]
    assert dict(rejects.notes) == {"scores of engines left aside in games with [%eval]": 3}


@settings(max_examples=150, deadline=None)
@given(
    st.text("0123456789.,+-#M ", max_size=7)
    | st.from_regex(r"[+-]?[0-9]{1,2}\.[0-9]{0,2}(,[0-9]+)?", fullmatch=True)
)
def test_evals_that_python_chess_reads(text: str) -> None:
    rows, rejects = read_text(game(f"1. e4 {{[%eval {text}]}} e5"))
    found = chess.pgn.read_game(io.StringIO(game(f"1. e4 {{[%eval {text}]}} e5")))
    assert found is not None
    theirs, depth = found.variations[0].eval(), found.variations[0].eval_depth()
    if theirs is None or (depth is not None and "." not in text and "#" not in text):
        # Forms that it does not know: wrapped numbers, mates with an M, decimals beyond the second.
        assert rejects.notes or re.fullmatch(r"[ +#M-]*[\d ]*\.?[\d ]*(,.*)?", text)
        return
    score = theirs.white().score()
    if score is None or abs(score) >= 20_000:
        assert np.isnan(rows.score).all()
    else:
        assert rows.score[0] == pytest.approx(score)


def test_only_the_first_score_of_the_main_line_counts() -> None:
    rows, _ = read_text(game("{+9.00/9} 1. e4 {x} {+0.10/3 1s} {+0.90/3 1s} (1. d4 {+5.00/5}) {+6.00/6} e5"))
    assert rows.score[0] == 10 and np.isnan(rows.score[1])


def test_no_row_for_a_game_that_is_over() -> None:
    text = game(
        "1. f3 {[%eval 0.0]} e5 {[%eval 0.1]} 2. g4 {[%eval -9.9]} Qh4# {[%clk 0:00:01]}", result="0-1"
    )
    rows, _ = read_text(text)
    assert rows.ply.tolist() == [1, 2, 3] and rows.result.tolist() == [0, 0, 0]


# 1.00 and more, so that every neighbouring pair says whose view it is: White is better all the time.
SHUFFLE = ["Nf3", "Nf6", "Ng1", "Ng8"] * 4


def match_game(white: str, black: str, black_view: int, plies: int = 16) -> str:
    """A game whose black engine writes scores of White (1) or its own (-1)."""
    moves = [
        f"{move} {{{(100 + ply) * (1 if ply % 2 == 0 else black_view) / 100:+.2f}/9 1s}}"
        for ply, move in enumerate(SHUFFLE[:plies])
    ]
    return game(" ".join(moves), White=white, Black=black)


def test_point_of_view_is_found_engine_by_engine() -> None:
    honest = match_game("A", "B", black_view=-1) + match_game("C", "A", black_view=-1)
    white_relative = match_game("B", "C", black_view=1) + match_game("A", "C", black_view=1)
    few = match_game("A", "C", black_view=1, plies=4) + match_game("A", "B", black_view=-1, plies=4)
    rows, rejects = read_text(honest + white_relative + few)
    assert np.array_equal(rows.score, 100 + rows.ply.astype(np.float32))
    assert not rejects.notes
    assert "in 33 of 66 decided" in rejects.seen["some.pgn"][0]


def test_a_view_that_nobody_knows_gives_no_score() -> None:
    mixed = match_game("A", "B", -1) + match_game("A", "B", 1)
    short = match_game("A", "B", -1, plies=4)
    rows, rejects = read_text(mixed + short)
    last = rows.score[-4:]
    assert np.isnan(last[[1, 3]]).all() and last[[0, 2]].tolist() == [100, 102]
    assert np.array_equal(rows.score[:32], 100 + rows.ply[:32].astype(np.float32))
    assert list(rejects.notes.values()) == [2]


def test_few_scores_are_the_movers_and_a_given_view_is_obeyed() -> None:
    text = match_game("A", "B", -1, plies=6)
    assert read_text(text)[0].score.tolist() == [100, 101, 102, 103, 104, 105]
    text = match_game("A", "B", 1)
    for view, sign in (("white", 1), ("side-to-move", -1)):
        rows, _ = read_text(text, score_pov=view, score_pov_given=True)
        assert rows.score[1] == 101 * sign and rows.score[0] == 100


MATE = "1. f3 e5 2. g4 Qh4#"


@pytest.mark.parametrize(
    ("moves", "tag", "mark", "label"),
    [
        ("1. e4 e5", "1-0", "1-0", 1.0),
        ("1. e4 e5", "0-1", "0-1", 0.0),
        ("1. e4 e5", "1/2-1/2", "1/2-1/2", 0.5),
        ("1. e4 e5", "1-0", "", 1.0),
        ("1. e4 e5", "1-0", "*", 1.0),
        ("1. e4 e5", "*", "0-1", 0.0),
        ("1. e4 e5", None, "1/2-1/2", 0.5),
        (MATE, "0-1", "0-1", 0.0),
        (MATE, "*", "*", 0.0),
        (MATE, None, "", 0.0),
        ("1. e4 e5", "*", "*", "unknown result"),
        ("1. e4 e5", "?", "", "unknown result"),
        ("1. e4 e5", None, "", "unknown result"),
        ("1. e4 e5", "1-0", "0-1", "the result tag and the mark behind the moves differ"),
        (MATE, "1-0", "1-0", "the result contradicts the final board"),
        (MATE, "*", "1/2-1/2", "the result contradicts the final board"),
        ("1. e4 e5", "White wins", "", "a result tag that is no result"),
        ("", "1-0", "1-0", "no moves"),
    ],
)
def test_results(moves: str, tag: str | None, mark: str, label: float | str) -> None:
    tags = '[Event "t"]\n' + (f'[Result "{tag}"]\n' if tag is not None else "")
    rows, rejects = read_text(f"{tags}\n{moves} {mark}\n")
    if isinstance(label, str):
        assert len(rows) == 0 and dict(rejects.counts) == {label: 1}
    else:
        assert set(rows.result.tolist()) == {label} and not rejects.total()


def test_stalemate_and_bare_kings_are_draws() -> None:
    for moves, fen in (
        ("1. Qc7", "k7/8/1K6/8/8/8/2Q5/8 w - - 0 1"),
        ("1. Kxb2", "k7/8/8/8/8/8/1q6/K7 w - - 0 1"),
    ):
        assert read_text(game(moves, result="*", FEN=fen))[0].result.tolist() == [0.5]
        assert read_text(game(moves, FEN=fen))[1].counts["the result contradicts the final board"] == 1


ENDINGS = [
    ("normal", "normal"),
    ("Normal", "normal"),
    ("A won by resignation", "normal"),
    ("CrashTime won by checkmate", "normal"),
    ("Game drawn by agreement", "normal"),
    ("Game drawn by 50-move rule", "normal"),
    ("Game drawn by insufficient material", "normal"),
    ("Draw by threefold repetition", "normal"),
    ("Fifty moves rule", "normal"),
    ("White mates", "normal"),
    ("White resigns.", "normal"),
    ("Stalemate", "normal"),
    ("", "normal"),
    ("?", "normal"),
    ("-", "normal"),
    ("3-Fold repetition", "normal"),
    ("adjudication", "adjudication"),
    ("Adjudicated by the arbiter", "adjudication"),
    ("TB position", "adjudication"),
    ("SyzygyTB", "adjudication"),
    ("TCEC draw rule", "adjudication"),
    ("adjudication: illegal move", "illegal-move"),
    ("time forfeit", "time-forfeit"),
    ("Time forfeit", "time-forfeit"),
    ("A won on time", "time-forfeit"),
    ("Game drawn by timeout vs insufficient material", "time-forfeit"),
    ("White exceeds time", "time-forfeit"),
    ("time", "time-forfeit"),
    ("flag", "time-forfeit"),
    ("abandoned", "abandoned"),
    ("forfeit", "abandoned"),
    ("lost by no-show", "abandoned"),
    ("Withdrawn", "abandoned"),
    ("A won - game abandoned", "abandoned"),
    ("emergency", "abandoned"),
    ("illegal move", "illegal-move"),
    ("rules infraction", "illegal-move"),
    ("cheating", "illegal-move"),
    ("stalled connection", "crash"),
    ("connection lost", "crash"),
    ("engine failure", "crash"),
    ("segfault", "crash"),
    ("internal error", "crash"),
    ("unterminated", "unterminated"),
    ("incomplete", "unterminated"),
    ("Manual stop", "unterminated"),
    ("user interrupted", "unterminated"),
    ("won by telepathy", "unknown"),
    ("White wins", "unknown"),
    ("normal?", "unknown"),
    ("abnormal", "unknown"),
]


@pytest.mark.parametrize(("termination", "kind"), ENDINGS)
def test_terminations(termination: str, kind: str) -> None:
    text = game("1. e4 e5", Termination=termination)
    rows, rejects = read_text(text, stop=True)
    is_used = kind in PLAYED
    reason = f"termination {kind}" if kind != "unknown" else f"termination '{termination}' not understood"
    assert dict(rejects.counts) == ({} if is_used else {reason: 1})
    assert [each.text for each in rejects.kept] == ([] if is_used else [termination])
    assert len(rows) == (2 if is_used else 0)
    kept, all_rejects = read_text(text, terminations=TERMINATIONS)
    assert len(kept) == 2 and not all_rejects.total()
    assert dict(all_rejects.notes) == ({} if kind == "normal" else {f"games kept that ended by {kind}": 1})
    assert len(read_text(text, terminations=("normal",))[0]) == (2 if kind == "normal" else 0)


def test_every_termination_is_tried_here() -> None:
    assert {kind for _, kind in ENDINGS} == set(TERMINATIONS)


COMMENTS = [
    ("+0.10/3 1s, White loses on time", "time-forfeit"),
    ("White forfeits on\ntime", "time-forfeit"),
    ("1-0 Black forfeits on time", "time-forfeit"),
    ("GuestXYZ forfeits on time", "time-forfeit"),
    ("Time forfeit", "time-forfeit"),
    ("White's flag fell.", "time-forfeit"),
    ("Black disconnects", "crash"),
    ("Black lost connection", "crash"),
    ("-0.10/3 1s, White's connection stalls", "crash"),
    ("White crashed", "crash"),
    ("0.00/0 0s, Black makes an illegal move: e7e4", "illegal-move"),
    ("illegal move by Black", "illegal-move"),
    ("Xboard: Forfeit due to invalid move: e2e5", "illegal-move"),
    ("Game aborted", "abandoned"),
    ("White forfeits", "abandoned"),
    ("Unterminated", "unterminated"),
    ("Game adjourned by mutual agreement", "unterminated"),
    ("No result", "unterminated"),
    ("+9.00/3 1s, White wins by adjudication", "adjudication"),
    ("0.00/30 1s, Draw by adjudication: SyzygyTB", "adjudication"),
    ("Arena Adjudication", "adjudication"),
    ("d=26, wv=0.87, Adjudication: Syzygy TB", "adjudication"),
    ("0.00/3 1s, Draw by 3-fold repetition", "normal"),
    ("+0.10/3 1s, Black resigns", "normal"),
    ("played just on time", "normal"),
    ("White hangs a piece", "normal"),
    ("White hangs his queen, a time forfeit comment", "normal"),
    ("Black should have stalled", "normal"),
    ("Black abandoned the pawn", "normal"),
    ("time", "normal"),
    ("TB position", "normal"),
]


@pytest.mark.parametrize(("comment", "kind"), COMMENTS)
def test_terminations_in_the_comments_on_the_last_move(comment: str, kind: str) -> None:
    first = f"1. e4 {{{'White resigns' if kind == 'time-forfeit' else 'White loses on time'}}} e5"
    for notes in (
        f"{{{comment}}}",
        f"{{x}} {{{comment}}} $1 {{see game 2}}",
        f"{{{comment}}} (1... c5 {{a}}) {{}}",
    ):
        for text in (game(f"{first} {notes}"), game(first).rstrip() + f" {notes}\n"):
            for name in TERMINATIONS:
                rows, rejects = read_text(text, terminations=(name,))
                assert len(rows) == (2 if name == kind else 0)
                assert dict(rejects.counts) == ({} if name == kind else {f"termination {kind}": 1})


@pytest.mark.parametrize(
    ("tag", "comment", "kind"),
    [
        ("normal", "White loses on time", "time-forfeit"),
        ("normal", "White wins by adjudication", "adjudication"),
        ("adjudication", "Black disconnects", "crash"),
        ("adjudication", "Black resigns", "adjudication"),
        ("time forfeit", "White wins by adjudication", "time-forfeit"),
        ("won by telepathy", "White loses on time", "time-forfeit"),
        ("won by telepathy", "White wins by adjudication", "unknown"),
        ("?", "White wins by adjudication", "adjudication"),
    ],
)
def test_tag_and_comment_together(tag: str, comment: str, kind: str) -> None:
    text = game(f"1. e4 e5 {{+0.10/3 1s, {comment}}}", Termination=tag)
    for name in TERMINATIONS:
        assert len(read_text(text, terminations=(name,))[0]) == (2 if name == kind else 0)


def test_moves_of_an_opening_book() -> None:
    """Marked ones, and those before the first score of a game that has scores; bare games have no book."""
    score = "{+0.10/3 1s}"
    games = [
        ("1. e4 {book} e5 {book, mb=+0,} 2. Nf3 {booked} Nc6 { book }", 1),
        (f"1. e4 e5 2. Nf3 {score} Nc6 3. Bb5 {{M5/9}} a6 {score}", 4),
        (f"1. e4 {{+M9/3}} e5 2. Nf3 {{book}} Nc6 {score}", 3),
        ("1. e4 e5 2. Nf3 Nc6", 4),
        ("1. e4 e5 {[%eval 0.1]} 2. Nf3 Nc6", 4),
    ]
    text = "".join(game(moves) for moves, _ in games)
    whole, rejects = read_text(text)
    assert not rejects.total()
    rows, rejects = read_text(text, skip_book=True)
    assert np.bincount(rows.game).tolist() == [count for _, count in games]
    assert dict(rejects.counts) == {"moves of an opening book": len(whole) - len(rows)}
    assert set(format_fens(rows)) <= set(format_fens(whole))
    assert rows.select(rows.game == 0).ply.tolist() == [2]


def test_other_variants_are_left_out_by_name() -> None:
    text = "".join(
        game("1. e4 c5", Variant=name)
        for name in ("Atomic", "Standard", "From Position", "Horde", "Chess960", "chess")
    )
    rows, rejects = read_text(text, stop=True)
    assert sorted(set(rows.game.tolist())) == [1, 2, 5]
    assert set(rejects.counts) == {"variant Atomic", "variant Horde", "a game of Chess960 without a FEN tag"}


def test_headers_that_break_other_readers() -> None:
    fen = f'[FEN "{ROOK_ENDING}"]'
    pieces = [
        f'[Event "t"]\n\n[White "A"]\n[Result "0-1"]\n{fen}\n\n1. Rh8+ Kd7 0-1\n\n',
        f'[Event "t"]\n[Result "1-0"]\n{fen}\n\n\n1. O-O Kd7 2. Rf7+ Ke6 1-0\n',
        '[Event "t"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n',
        f' [Event "t"]\n\t[Result "1-0"]\n[Fen "{ROOK_ENDING}"]\n  1. O-O Kd7 1-0\n',
        f'[Event "t"]\n[White "A "The Rock" B"]\n[Black]\n[Result "0-1"]\n{fen}\n\n1. Rh8+ Kd7 0-1\n',
        '[Event "t"] [Result "1-0"]\n1. e4 e5 1-0 [Event "t"]\n[Result "1-0"]\n1. d4 d5 1-0\n',
    ]
    rows, rejects = read_text("".join(pieces))
    assert not rejects.total()
    lengths = np.bincount(rows.game)
    assert lengths.tolist() == [2, 4, 4, 2, 2, 2, 2]
    starts = [
        format_fens(rows)[row].split()[0]
        for row in np.flatnonzero(np.diff(rows.game.astype(int), prepend=-1))
    ]
    rook, normal = ROOK_ENDING.split()[0], chess.STARTING_BOARD_FEN
    assert starts == [rook, rook, normal, rook, rook, normal, normal]


@pytest.mark.parametrize("lead", [b"\xef\xbb\xbf", b"", b"\n\n  \n", b"; a file\n% of games\n"])
@pytest.mark.parametrize("name", ["Nov\u00e1k".encode(), b"Nov\xe1k", b"M\xfcller \x94"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_encodings_and_line_ends(lead: bytes, name: bytes, end: bytes) -> None:
    text = b'[Event "t"]\n[White "' + name + b'"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n\n'
    rows, _ = read_text(lead + (text * 3).replace(b"\n", end), stop=True)
    assert np.bincount(rows.game).tolist() == [2, 2, 2]


def test_games_without_tags() -> None:
    rows, rejects = read_text("1. e4 e5 1-0\n\n1. d4 d5 2. c4 0-1\n1.c4 *\n", stop=True)
    assert np.bincount(rows.game).tolist() == [2, 3]
    assert rows.result.tolist() == [1, 1, 0, 0, 0]
    assert dict(rejects.counts) == {"unknown result": 1}
    assert dict(read_text("1. e4 e5 1-0 2. Nf3 Nc6 1-0")[1].counts) == {"moves after the result": 1}


WRONG = {
    "1. e4 e5 2. Ke3": ("illegal move", "Ke3"),
    "1. e4 e5 2. Nf3 Nf6 3. Nc3 Nc6 4. Nh4 Nh5 5. Ng2": ("illegal move", "Ng2"),
    "1. d4 d5 2. Nf3 Nf6 3. Nd2": ("ambiguous move", "Nd2"),
    "1. d4 d5 2. Nf3 a6 3. Bd2 a5 4. Nd4": ("illegal move", "Nd4"),
    "1. e4 c5 2. Nf3 resigns": ("text that is no move", "resigns"),
    "1. e4 { never closed e5": ("comment never closed", ""),
    "1. e4 (1. d4 { e5": ("variation never closed", ""),
    "1. e4 (1. d4 d5 ": ("variation never closed", ""),
}


@pytest.mark.parametrize("moves", WRONG)
def test_wrong_games_are_named_and_left_out_whole(moves: str) -> None:
    reason, text = WRONG[moves]
    content = game("1. d4 d5") + game(moves) + game("1. c4 c5 2. g3")
    rows, rejects = read_text(content)
    assert np.bincount(rows.game).tolist() == [2, 0, 3]
    assert dict(rejects.counts) == {reason: 1}
    assert rejects.kept[0].place == "game 2 (line 6)"
    assert text in rejects.kept[0].text
    with pytest.raises(FormatError, match=rf"some\.pgn: game 2 \(line 6\): {reason}"):
        read_text(content, stop=True)


def test_null_moves_end_the_use_of_a_game() -> None:
    rows, rejects = read_text(game("1. e4 -- 2. d4") + game("1. e4 Z0 2. d4") + game("1. e4 e5"), stop=True)
    assert rows.game.tolist() == [2, 2]
    assert dict(rejects.counts) == {"null move": 2}


def test_impossible_fen_tags() -> None:
    for fen in ("4k3/8/8/8/8/8/8/8 w - - 0 1", "x", "", f"{ROOK_ENDING} more"):
        rows, rejects = read_text(game("1. e4 e5", FEN=fen))
        assert len(rows) == 0 and next(iter(rejects.counts)).startswith("FEN tag: "), fen


NO_MOVES = ["e=4", "N=f=3", "N-f-3", "e/4", "e:4", "N/f3", "=e4", "Nf=3", "ex4", "e2--e4", "OO-", "O--O"]


@pytest.mark.parametrize("text", NO_MOVES)
def test_squares_torn_apart_are_no_moves(text: str) -> None:
    """Such text was played as moves that nobody had counted, into memory behind the columns."""
    once, rejects = read_text(game(f"1. {text} e5"))
    assert not len(once) and dict(rejects.counts) == {"text that is no move": 1}
    rows, rejects = read_text(game(f"{text} " * 3000) + game("1. e4 e5"))
    assert rows.game.tolist() == [1, 1] and rejects.total() == 1


SHUFFLES = (
    ("Nf3", "Nf6", "Ng1", "Ng8"),
    ("Ng1-f3", "Ng8:f6", "Nf3xg1", "Nf6g8"),
    ("g1f3", "g8-f6", "f3g1", "f6xg8"),
    ("Nf3=", "Nf6:", "Ng1+", "N6g8!?"),
)


@pytest.mark.parametrize("moves", SHUFFLES)
@pytest.mark.parametrize("between", [" ", "\n", "{x}", "$1", "1.", "(a)", ";x\n", "!"])
def test_every_move_that_is_played_was_counted(moves: tuple[str, ...], between: str) -> None:
    text = between.join(moves * 200)
    if between == "1.":
        text = " ".join(f"{ply // 2 + 1}.{move}" for ply, move in enumerate(moves * 200))
    scanned = scan(game(text).encode(), is_last=True)
    assert scanned.spans[MOST_MOVES, 0] >= 800
    rows, rejects = read_text(game(text))
    assert len(rows) == 800 and not rejects.total()


def test_the_replay_never_leaves_its_columns() -> None:
    """Whatever was counted."""
    states = states_of(parse_fens([chess.STARTING_FEN]))
    for counted, is_fine in ((0, False), (3, False), (4, True), (9, True)):
        scanned = scan(game("1. e4 e5 2. Nf3 Nc6").encode(), is_last=True)
        scanned.spans[MOST_MOVES] = counted
        found = replay(scanned, states.copy(), np.array([True]))
        assert found.words.shape[1] == (5 if is_fine else 0)
        assert found.reports[FAULT].tolist() == [FINE if is_fine else UNCOUNTED]


NULL_MOVES = ["0000", "--", "-", "---", "\u2013", "\u2014", "<>", "Z0", "@@@@"]


@pytest.mark.parametrize("text", NULL_MOVES)
def test_null_moves_of_all_kinds(text: str) -> None:
    """Else White's next move is played for Black; there are no numbers here to show it."""
    for moves in (f"d4 {text} d5", f"1. d4 {text} 2. d5", f"1. d4 {text}", f"1.d4 1...{text} 2.d5"):
        rows, rejects = read_text(game(moves) + game("1. e4 e5"), stop=True)
        assert rows.game.tolist() == [1, 1] and dict(rejects.counts) == {"null move": 1}, moves


MISSING = "a move number of the other side, so a move is missing"
BLACK_FIRST = ROOK_ENDING.replace(" w ", " b ")


@pytest.mark.parametrize(
    ("moves", "fen"),
    [
        ("1. d4 2. d5", None),
        ("1 d4 2 d5", None),
        ("1.d4 2.d5 d6", None),
        ("1. d4 ... 2. d5", None),
        ("1. d4 <missing> 2. d5".replace("<missing>", "\u2026"), None),
        ("1. d4 d5 2. ... c4", None),
        ("1. d4 d5 2... c4", None),
        ("... d4", None),
        ("1. d4 d5 2. Nf3 3. Nc6", None),
        ("31. d4 32. d5", None),
        ("d4 d5 Nf3 3. Nc6", None),
        ("2. Kd7 Kd2", BLACK_FIRST),
        ("1. ... Kd7 Kd2 3. Kd6", BLACK_FIRST),
    ],
)
def test_moves_that_are_missing(moves: str, fen: str | None) -> None:
    rows, rejects = read_text(game(moves, **({"FEN": fen} if fen else {})) + game("1. e4 e5"))
    assert rows.game.tolist() == [1, 1] and dict(rejects.counts) == {MISSING: 1}


@pytest.mark.parametrize(
    ("moves", "fen", "plies"),
    [
        ("31. d4 d5 32. Nf3 Nc6", None, 4),
        ("0. d4 d5 1. Nf3 Nc6", None, 4),
        ("1. d4 1. d5 2. Nf3 2. Nc6", None, 4),
        ("1.. d4 1.. d5 2.... 2. Nf3", None, 3),
        ("1. d4 ... d5 2. Nf3 ...", None, 3),
        ("1. d4 d5 2. ... {flag} 2. Nf3", None, 3),
        ("1. d4 d5 2. ... {flag}", None, 2),
        ("d4 d5 7. Nf3 Nc6 8. c4", None, 5),
        ("31. d4 ... {flag} d5 33. Nf3 33... Nc6 12. c4", None, 5),
        ("1... Kd7 2. Kd2 Kd6", BLACK_FIRST, 3),
        ("1. ... Kd7 2. Kd2 Kd6", BLACK_FIRST, 3),
        ("... Kd7 2. Kd2 Kd6", BLACK_FIRST, 3),
        ("12... Kd7 13. Kd2 Kd6", BLACK_FIRST, 3),
        ("1. Kd7 Kd2 2. Kd6", BLACK_FIRST, 3),
        ("1. Be3 Be7 2. f3", "rnbqkb1r/1p3ppp/p2ppn2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 10", 3),
        ("70000. d4 d5 70001. Nf3 Nc6", None, 4),
    ],
)
def test_numbers_that_are_odd_but_go_on(moves: str, fen: str | None, plies: int) -> None:
    rows, rejects = read_text(game(moves, **({"FEN": fen} if fen else {})), stop=True)
    assert len(rows) == plies and not rejects.total()


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_a_game_that_lost_a_move_is_never_used(seed: int) -> None:
    """Games written by python-chess from which one move or three were cut, their numbers with them."""
    rng = random.Random(seed)
    board, words = chess.Board(), []
    while len(words) < 40 and (options := list(board.legal_moves)):
        number = f"{board.fullmove_number}. " if board.turn else ""
        words.append(number + board.san(move := rng.choice(options)))
        board.push(move)
    result = board.result() if board.is_game_over() else "1-0"
    at, size = rng.randrange(len(words) // 2), rng.choice([1, 3])
    whole, _ = read_text(game(" ".join(words), result))
    assert len(whole) == len(words)
    rows, rejects = read_text(game(" ".join(words[:at] + words[at + size :]), result))
    assert not len(rows) and rejects.total() == 1


def test_two_results_behind_the_moves() -> None:
    for marks, count in (
        ("1-0 0-1", 0),
        ("* 1-0", 0),
        ("1-0 1/2-1/2", 0),
        ("1-0 1-0", 2),
        ("1/2 1/2-1/2", 2),
    ):
        rows, rejects = read_text(f'[Event "t"]\n\n1. e4 e5 {marks}\n')
        assert len(rows) == count
        assert dict(rejects.counts) == ({} if count else {"two results that differ behind the moves": 1})


def random_game(rng: random.Random) -> chess.pgn.Game:
    """A random game with comments, glyphs and variations, of either kind of chess."""
    found = chess.pgn.Game()
    if rng.random() < 0.5:
        # Not 518, the usual start: python-chess writes it as Chess960 without a FEN, which we leave out.
        number = rng.randrange(959)
        found.setup(chess.Board.from_chess960_pos(number + (number >= 518)))
    board = found.board()
    node: chess.pgn.GameNode = found
    for _ in range(rng.randrange(1, 90)):
        options = list(board.legal_moves)
        if not options:
            break
        if rng.random() < 0.1 and len(options) > 1:
            side = node.add_variation(rng.choice(options), comment=rng.choice(["", "x; y", "(", "1-0 e4"]))
            if rng.random() < 0.5 and (more := list(side.board().legal_moves)):
                side.add_variation(rng.choice(more))
        move = rng.choice(options)
        node = node.add_main_variation(move)
        board.push(move)
        if rng.random() < 0.3:
            node.comment = rng.choice(["[%clk 0:01:00]", "good } move".replace("}", ""), "1-0", "a\nb", "e5"])
        if rng.random() < 0.2:
            node.nags.add(rng.randrange(1, 140))
    said = rng.choice(["1-0", "0-1", "1/2-1/2", "*"])
    ends = board.is_checkmate() or board.is_stalemate() or board.is_insufficient_material()
    found.headers["Result"] = board.result() if ends else said
    return found


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 4))
def test_random_games_as_python_chess_writes_them(seed: int, count: int) -> None:
    rng = random.Random(seed)
    games = [random_game(rng) for _ in range(count)]
    rows, rejects = read_text("".join(f"{each}\n\n" for each in games), stop=True)
    usable = [each for each in games if each.headers["Result"] != "*" and each.variations]
    assert rejects.total() == count - len(usable)
    wanted = [fen for each in usable for fen in fens_of(each)]
    assert comparable(format_fens(rows)) == comparable(wanted)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_mangled_files_never_crash_and_never_invent(data: st.DataObject) -> None:
    text = bytearray((SAMPLES / "games.pgn").read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(text) - 1))
        kind = data.draw(st.sampled_from(["cut", "flip", "insert", "end"]))
        if kind == "cut":
            del text[at : at + data.draw(st.integers(1, 2000))]
        elif kind == "flip":
            text[at] ^= 1 << data.draw(st.integers(0, 7))
        elif kind == "insert":
            text[at:at] = data.draw(
                st.sampled_from([b"{", b"}", b"(", b")", b";", b'\n[Event "x"]\n', b"\0", b'"', b"1-0 "])
            )
        else:
            del text[max(at, 1) :]
        if not text:
            return
    rows, rejects = read_text(bytes(text))
    assert FAULTS[UNCOUNTED] not in rejects.counts
    assert np.isin(rows.result, (0, 0.5, 1)).all()
    assert (np.isnan(rows.score) | (np.abs(rows.score) < 20_000)).all()
    assert len(parse_fens(format_fens(rows))) == len(rows)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [*'[]"{}();%\n $-x/\r\0*=:', "1.", "e4", "e5", "1-0", "--", "O-O", "=Q", "[%eval ", "0.1", "wv="]
        ),
        max_size=60,
    )
)
def test_noise_never_crashes(pieces: list[str]) -> None:
    for text in ("".join(pieces), '[Event "x"]\n\n' + "".join(pieces)):
        rows, rejects = read_text(text)
        assert np.isin(rows.result, (0, 0.5, 1)).all()
        assert FAULTS[UNCOUNTED] not in rejects.counts


def test_blocks_change_nothing() -> None:
    text = (SAMPLES / "games.pgn").read_bytes() * 3
    whole, _ = read_text(text)
    for block in (1, 7, 300):
        pieces, _ = read_text(text, block=block)
        for name in COLUMNS:
            ours, theirs = getattr(pieces, name), getattr(whole, name)
            assert np.array_equal(ours, theirs, equal_nan=ours.dtype.kind == "f"), name
    broken = text + b"\n\n" + game("1. e4 e6 2. Ke3").encode()
    line = text.count(b"\n") + 3
    for block in (1 << 17, 500, 5):
        assert read_text(broken, block=block)[1].kept[0].place == f"game 13 (line {line})"


def test_found_by_content(tmp_path: Path) -> None:
    path = tmp_path / "games.bin"
    path.write_bytes((SAMPLES / "games.pgn").read_bytes())
    assert len(read_positions(path)) > 300
    path.write_text("1. e4 e5 1-0\n")
    assert len(read_positions(path)) == 2
    path.write_text(game("1. e4 e5", Termination="time forfeit"))
    assert len(read_positions(DataSource(path, terminations=("time-forfeit",)))) == 2
    with pytest.raises(UnknownName, match="no termination is called 'time'; did you mean time-forfeit"):
        DataSource(path, terminations=("time",))


PUBLIC = {
    "public/pgn/TCEC_Cup_9_Final.pgn": (4, 4, 510),
    "public/pgn/TCEC_Match_2.pgn": (48, 48, 6514),
    "public/pgn/TCEC_S17_Testing4.pgn": (6, 6, 806),
    "public/pgn/TCEC_Tournament_2.pgn": (24, 24, 3106),
    "public/pgn/chessbase-empty-line.pgn": (1, 1, 134),
    "public/pgn/cutechess-fischerrandom.pgn": (4, 4, 396),
    "public/pgn/cutechess_jackychess_example.pgn": (400, 399, 57851),
    "public/pgn/lichess_db_1000k.pgn": (438, 297, 18554),
    "public/pgn/stockfish-learning.pgn": (1, 1, 154),
    "public/pgn/twic1599_100k.pgn": (110, 109, 9810),
    "public/pgn/utf8-bom.pgn": (2, 0, 0),
    "pgnlearn/Anderssen.pgn": (681, 680, 49471),
    "pgnlearn/OpenRating.pgn": (2997, 2940, 365216),
}


@pytest.mark.parametrize("name", PUBLIC)
def test_public_files(name: str, reference_data: Path) -> None:
    data = (reference_data / name).read_bytes()
    games, used, count = PUBLIC[name]
    rows, rejects = read_text(data, stop=True)
    assert (len(np.unique(rows.game)) + rejects.total(), len(np.unique(rows.game)), len(rows)) == (
        games,
        used,
        count,
    )
    if games > 50:
        return
    stream = io.TextIOWrapper(io.BytesIO(data), "latin-1")
    fens, number = format_fens(rows), 0
    while found := chess.pgn.read_game(stream):
        ours = [fens[row] for row in np.flatnonzero(rows.game == number)]
        assert comparable(ours) in (comparable(fens_of(found)), []), number
        number += 1


def test_lichess_scores_are_of_the_position_after_the_move(reference_data: Path) -> None:
    data = (reference_data / "public/pgn/lichess_db_100k.pgn").read_text()
    rows, _ = read_text(data, terminations=TERMINATIONS)
    stream, number = io.StringIO(data), 0
    checked = 0
    while found := chess.pgn.read_game(stream):
        ours = dict(
            zip(
                np.array(format_fens(rows))[rows.game == number], rows.score[rows.game == number], strict=True
            )
        )
        for node in found.mainline():
            score = node.eval()
            if score is not None and score.white().score() is not None:
                fen = node.board().fen(en_passant="legal")
                assert ours[fen] == score.white().score()
                checked += 1
        number += 1
    assert checked > 30
