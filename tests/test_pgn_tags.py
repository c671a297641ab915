"""Tag sections that are broken, torn, repeated or contradict themselves: all of a game is used or nothing."""

from __future__ import annotations

import io
from pathlib import Path

import chess.pgn
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_pgn import ROOK_ENDING, game, read_text

from evalcore.errors import FormatError
from evalcore.fen import format_fens
from evalcore.formats import TERMINATIONS, read_positions
from evalcore.formats.pgn import sniff
from evalcore.positions import COLUMNS

FEN_TAG = f'[FEN "{ROOK_ENDING}"]'
SOUND = game("1. d4 d5 2. c4")
TAGS = ('[Event "x"]', '[White "A"]', FEN_TAG, '[Result "1-0"]')
LATER = "\n\n1. e4 Kd7 2. e5 1-0\n\n"


def fens_of(text: str) -> list[str]:
    """All positions that are read, in order, whatever is left out."""
    return format_fens(read_text(text)[0])


BROKEN = [
    f'[FEN "{ROOK_ENDING}]',
    f"[FEN {ROOK_ENDING}]",
    f"[FEN '{ROOK_ENDING}']",
    f'[FEN "{ROOK_ENDING}"',
    f'[FEN-x "{ROOK_ENDING}"]',
    "[FEN",
    "[fen]",
    f'[Annotator x] [FEN "{ROOK_ENDING}"]',
    f"[Annotator] [FEN {ROOK_ENDING}]",
    '[Variant "Atomic]',
    "[Variant Atomic]",
    "[VARIANT",
    '[Termination "time forfeit]',
    "[Termination time forfeit]",
    "[Result 0-1]",
    '[Result "0-1]',
    '[Result"',
    "[Setup 1]",
]


@pytest.mark.parametrize("tag", BROKEN)
def test_broken_tags_that_matter_make_an_error(tag: str) -> None:
    """The moves would be played from the usual start, or a game be used that should be left out."""
    broken = f'[Event "t"]\n{tag}\n[White "A"]\n\n1. e4 e5 1-0\n\n'
    rows, rejects = read_text(SOUND + broken + SOUND)
    assert rows.game.tolist() == [0, 0, 0, 2, 2, 2]
    assert dict(rejects.counts) == {"a broken tag": 1}
    assert (rejects.kept[0].place, rejects.kept[0].text) == ("game 2 (line 6)", tag)
    with pytest.raises(FormatError, match=r"game 2 \(line 6\): a broken tag: "):
        read_text(SOUND + broken, stop=True)


@pytest.mark.parametrize("tag", ["[Annotator]", '[Annotator "x]', "[Black 'A']", "[Elo 12", "[Date 2020.01]"])
def test_other_broken_tags_are_passed_over(tag: str) -> None:
    for place in range(len(TAGS) + 1):
        lines = [*TAGS[:place], tag, *TAGS[place:]]
        rows, rejects = read_text("\n".join(lines) + LATER)
        assert not rejects.total()
        assert format_fens(rows)[0] == ROOK_ENDING and len(rows) == 3


@pytest.mark.parametrize(
    "line",
    [
        f'[Annotator "x [FEN "{ROOK_ENDING}"]',
        f'[Annotator "x]" [FEN "{ROOK_ENDING}"]',
        f'[Annotator "x\\"] [FEN "{ROOK_ENDING}"]',
        '[Annotator "x [ variant  "Atomic"]',
    ],
)
def test_a_tag_swallowed_by_another_one(line: str) -> None:
    rows, rejects = read_text(f'[Event "t"]\n{line}\n\n1. e4 e5 1-0\n\n{SOUND}')
    assert set(rows.game.tolist()) <= {1} or format_fens(rows)[0] == ROOK_ENDING
    assert rejects.total() == 1


def test_quotes_and_brackets_within_values() -> None:
    names = ['A "The Rock" B', "a] b", "a [b] c", "[x", '"', "", "a [Event", "[%eval 0.1]", "{", ";", "1. e4"]
    for name in names:
        rows, rejects = read_text(f'[Event "t"]\n[White "{name}"]\n{FEN_TAG}{LATER}')
        assert format_fens(rows)[0] == ROOK_ENDING and not rejects.total(), name


ASIDES = ["{generated}", "{a\nb}", "$1", "; [FEN x]", "% 1. e4 1-0", "", "  \n\n", "{a} $7 {b}", "\t"]


@pytest.mark.parametrize("aside", ASIDES)
def test_tags_are_one_section_whatever_stands_between(aside: str) -> None:
    for place in range(len(TAGS) + 1):
        text = "\n".join([*TAGS[:place], aside, *TAGS[place:]]) + LATER
        rows, rejects = read_text(text + SOUND)
        assert not rejects.total()
        assert format_fens(rows)[0] == ROOK_ENDING and np.bincount(rows.game).tolist() == [3, 3], text


@pytest.mark.parametrize("tag", ['[Variant "Atomic"]', '[Termination "time forfeit"]'])
@pytest.mark.parametrize("aside", ASIDES)
def test_games_to_leave_out_are_left_out_whole(tag: str, aside: str) -> None:
    text = f'[Event "x"]\n{tag}\n{aside}\n[Result "1-0"]\n\n1. e4 e5 1-0\n\n'
    rows, rejects = read_text(text + SOUND, stop=True)
    assert set(rows.game.tolist()) == {1} and rejects.total() == 1


JUNK = ["*", "1-0", "0-1", "junk", "1. e4", "e4 e5", "(x)", "[", "}", ")", "1.", "[]", "--", "?", "...", "{"]


@pytest.mark.parametrize("junk", [*JUNK, "[1 x]", '[Event "y"]', '[White "B"]'])
def test_a_torn_tag_section_is_never_half_used(junk: str) -> None:
    """No position comes from the usual start, whatever stands between the tags of a game with a FEN."""
    for between in ("\n", "\n\n", " "):
        for place in range(junk == "{", len(TAGS)):  # an open comment at the very start takes all
            text = between.join([*TAGS[:place], junk, *TAGS[place:]]) + LATER
            rows, rejects = read_text(text + SOUND)
            starts = [format_fens(rows.select(rows.game == each))[0] for each in np.unique(rows.game)]
            assert starts.pop() == chess.STARTING_FEN, text
            assert starts == [ROOK_ENDING] or (starts == [] and rejects.total() >= 1), text


def test_a_game_without_moves_needs_an_empty_line_behind_it() -> None:
    """Else nobody knows whether its FEN is that of the moves to come."""
    begun = f'[Event "x"]\n{FEN_TAG}\n'
    again = '[Event "y"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n'
    rows, rejects = read_text(begun + again)
    assert not len(rows) and dict(rejects.counts) == {"the tags begin again before any move": 1}
    for end in ("\n", "\r\n", "\r"):
        for gap in ("\n", "  \n", "\t\n\n", "{cut off}\n\n", "\n{cut off}\n"):
            rows, rejects = read_text((begun + gap + again).replace("\n", end))
            assert len(rows) == 2 and dict(rejects.counts) == {"no moves": 1}
    for gap in ("{cut off}\n", " ; x\n", "  "):
        rows, rejects = read_text(begun + gap + again)
        assert not len(rows) and rejects.total() == 1


def test_moves_without_tags_after_a_game_with_tags() -> None:
    """They might be played from its FEN or by the rules of its variant, so the game is an error."""
    for tag in ('[Variant "Atomic"]', FEN_TAG, '[White "A"]'):
        for mark in ("1-0", "*"):
            rows, rejects = read_text(f'[Event "x"]\n{tag}\n{mark}\n1. e4 e5 1-0\n')
            assert not len(rows) and rejects.total() == 1
    rows, rejects = read_text(SOUND.rstrip() + "\n1. e4 e5 0-1\n")
    assert not len(rows) and dict(rejects.counts) == {"moves after the result": 1}


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("Result", ("0-1", "1-0")),
        ("Result", ("*", "1-0")),
        ("FEN", (ROOK_ENDING, ROOK_ENDING.replace("4P3", "3P4"))),
        ("Variant", ("Standard", "Atomic")),
        ("Termination", ("normal", "time forfeit")),
        ("SetUp", ("0", "1")),
    ],
)
def test_tags_that_differ(name: str, values: tuple[str, str]) -> None:
    one, two = values
    for first, second, spelt in ((one, two, name), (two, one, name.upper()), (one, two, name.lower())):
        text = f'[Event "t"]\n[{name} "{first}"]\n{{x}}\n[White "A"]\n[{spelt} "{second}"]\n\n1. e4 Kd7 *\n'
        rows, rejects = read_text(text)
        assert not len(rows) and dict(rejects.counts) == {f"two {name} tags that differ": 1}
        assert rejects.kept[0].text == second


def test_equal_tags_are_harmless() -> None:
    tags = f'{FEN_TAG * 2}\n[Result "1-0"]\n[Result "1-0"]\n[White "A"]\n[White "B"]'
    rows, rejects = read_text(f'[Event "t"]\n{tags}\n\n1. e4 Kd7\n', stop=True)
    assert len(rows) == 2 and not rejects.total() and format_fens(rows)[0] == ROOK_ENDING


def test_a_set_up_needs_its_board() -> None:
    rows, rejects = read_text(game("1. e4 e5", SetUp="1") + game("1. e4 e5", SetUp="0"))
    assert rows.game.tolist() == [1, 1] and dict(rejects.counts) == {"a SetUp tag without a FEN tag": 1}


@pytest.mark.parametrize("moves", ["1. e4 } e5", "1. e4 e5 }", "1. e4 ) e5", "} 1. e4", "1. e4 (1. d4 }) e5"])
def test_stray_brackets(moves: str) -> None:
    """Text may have lost its opening bracket, and then these are no moves of the game."""
    rows, rejects = read_text(game(moves) + SOUND)
    assert set(rows.game.tolist()) == {1}
    assert dict(rejects.counts) == {"a closing bracket without an opening one": 1}


def test_a_comment_that_holds_a_tag_line() -> None:
    text = f'{FEN_TAG}\n[Result "1-0"]\n\n{{\n[Event "x"]\n}} 1. e4 e5 1-0\n\n{SOUND}'
    rows, rejects = read_text(text)
    assert set(rows.game.tolist()) == {1} and dict(rejects.counts) == {"comment never closed": 1}
    text = f'[Event "y"]\n[Result "1-0"]\n\n1. e4 {{\n[Event "x"]\n}} 1. e4 e5 1-0\n\n{SOUND}'
    rows, rejects = read_text(text)
    assert set(rows.game.tolist()) == {2} and rejects.total() == 2


WAYS = [
    '[ Event "a" ]\n[ Result "0-1" ]\n[ FEN "{}" ]\n\n',
    '\t[Event\t"a"]\n  [Result "0-1"  ]\n[FEN\t\t"{}"]\n\n',
    '[Event\n "a"]\n[Result\n"0-1"]\n[FEN\n\n"{}"]\n\n',
    '[\nEvent "a"\n]\n[Result "0-1"\n]\n[FEN "{}"\n]\n\n',
    '[Event\r\n"a"\r\n]\r\n[Result\r\n"0-1"]\r\n[FEN\r\n"{}"]\r\n',
]


@pytest.mark.parametrize("tags", WAYS)
def test_white_space_within_tags(tags: str, tmp_path: Path) -> None:
    text = tags.format(ROOK_ENDING) + "1. e4 Kd7 0-1\n"
    assert sniff(text.encode()) > 0.9
    path = tmp_path / "a"
    path.write_bytes(text.encode())
    rows = read_positions(path)
    assert rows.result.tolist() == [0, 0] and format_fens(rows)[0] == ROOK_ENDING


PIECES = [
    *TAGS,
    *('[Event "y"]', '[Result "0-1"]', '[White "WhiteElo"]', '[WhiteElo "1"]', "[FEN", '[Result "', "[Wh"),
    *("\n", "\n", "\n\n", " ", "{", "}", "{c}", "*", "1-0", "1. e4", "Kd7", "e5", "$1"),
    *(";", "%", "[", '"', "]", "(", ")"),
]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=25), st.integers(1, 6))
def test_pieces_of_tags_read_in_pieces(pieces: list[str], block: int) -> None:
    """What is found does not depend on where the text is cut as it is read, and it ends."""
    text = "".join(pieces) + "\n\n" + SOUND
    (whole, told), (parts, told_too) = read_text(text), read_text(text, block=block)
    assert told.kept == told_too.kept
    for name in COLUMNS:
        ours, theirs = getattr(parts, name), getattr(whole, name)
        assert np.array_equal(ours, theirs, equal_nan=ours.dtype.kind == "f"), name


@settings(max_examples=60, deadline=None)
@given(
    st.permutations([*TAGS[1:], '[Site "?"]', '[Termination "normal"]', '[White "A"]', "[Black]"]),
    st.lists(st.sampled_from(["\n", "\r\n"]), min_size=7, max_size=7),
)
def test_sections_that_python_chess_reads(tags: list[str], ends: list[str]) -> None:
    """Tags in any order, one a line, against python-chess."""
    text = '[Event "x"]\n' + "".join(map("".join, zip(tags, ends, strict=True))) + LATER
    rows, rejects = read_text(text, terminations=TERMINATIONS)
    found = chess.pgn.read_game(io.StringIO(text))
    assert found is not None and found.headers["Result"] == "1-0" and not rejects.total()
    assert format_fens(rows)[0] == found.board().fen()
