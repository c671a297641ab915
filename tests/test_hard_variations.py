"""The hard inputs again, changed in ways that must change nothing: kinds of trouble, not the instances.

Lines are shuffled among blank lines and comments, stand alone, change their line ends, and have their colours
exchanged; games are shuffled and stand alone. What becomes of each must move with it.
"""

from __future__ import annotations

import gzip
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_hard_inputs import CASES, FOLDER, GAMES, LINES

from evalcore.errors import FormatError
from evalcore.fen import format_fens
from evalcore.formats import Rejects, read_positions
from evalcore.formats.labels import LARGEST_SCORE
from evalcore.positions import Positions

Outcome: TypeAlias = tuple[str, ...]
"""("bad", reason) or the FEN, result, score of each row, in words."""

POV = {"40-labels-from-side-to-move.epd": "side-to-move"}
TEXT_LINES = [name for name in LINES if name.endswith(".epd")]


def rows_in_words(rows: Positions) -> list[tuple[str, ...]]:
    labels = zip(format_fens(rows), rows.result.tolist(), rows.score.tolist(), strict=True)
    return [(fen, str(result), str(score)) for fen, result, score in labels]


def line_outcomes(path: Path, name: str) -> dict[int, Outcome]:
    """What became of each line of a file that is neither blank nor a comment, by its number."""
    rejects, pov = Rejects(), POV.get(name)
    try:
        rows = read_positions(path, on_error="skip", rejects=rejects, result_pov=pov)  # type: ignore[arg-type]
    except FormatError as error:
        assert "not a single position" in str(error) or "format" in str(error)
        rows = Positions.empty()
    found: dict[int, Outcome] = {int(each.place): ("bad", each.reason) for each in rejects.kept}
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8-sig")
    used = [
        number
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip() and line.strip()[0] not in "#%" and number not in found
    ]
    if len(rows):
        found |= dict(zip(used, rows_in_words(rows), strict=True))
    return found


def lines_of(name: str) -> list[str]:
    text = (FOLDER / name).read_text("utf-8-sig")
    return [line for line in text.split("\n") if line.strip() and line.strip()[0] not in "#%"]


def expected_of(name: str) -> list[Outcome]:
    """The outcome of each line of `lines_of`, in order; `test_hard_inputs` holds them to be right."""
    found = line_outcomes(FOLDER / name, name)
    return [found[number] for number in sorted(found)]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", TEXT_LINES)
def test_lines_in_another_order_and_company(name: str, seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    order = list(zip(lines_of(name), expected_of(name), strict=True))
    rng.shuffle(order)
    end, text, expected = rng.choice(["\n", "\r\n"]), [], {}
    for line, outcome in order:
        text += rng.choices(["", "  ", "# 1-0", "% x [1.0]", "\t"], k=rng.randrange(3))
        text.append(line.rstrip("\r"))
        expected[len(text)] = outcome
    path = tmp_path / rng.choice(["a.epd", "a.gz", "a"])
    content = (rng.choice(["", "\ufeff"]) + end.join(text) + rng.choice(["", end])).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    assert line_outcomes(path, name) == expected


@pytest.mark.parametrize("name", TEXT_LINES)
def test_lines_alone(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a"
    for line, outcome in zip(lines_of(name), expected_of(name), strict=True):
        path.write_text(line)
        if outcome[0] == "bad":
            with pytest.raises(FormatError):
                read_positions(path)
        else:
            assert list(line_outcomes(path, name).values()) == [outcome]


def flipped_board(text: str) -> str:
    """The first FEN field with ranks and colours exchanged; whatever it is."""
    return "/".join(reversed(text.split("/"))).swapcase()


def flipped_line(line: str) -> str:
    """The same line for the other side: board, side to move, castling, en passant and labels."""
    lead, text = re.match(r"(\s*)(.*)", line, re.DOTALL).groups()  # type: ignore[union-attr]
    words = re.split(r"(\s+)", text)
    words[0] = flipped_board(words[0])
    changes: list[tuple[str, Callable[[str], str]]] = [
        ("[wb]", lambda word: "b" if word == "w" else "w"),
        ("[A-Ha-hKQkq]+|-(;.*)?", str.swapcase),
        (r"[a-h]\d", lambda word: word[0] + str(9 - int(word[1]))),
    ]
    place = 2
    for pattern, change in changes:
        if place < len(words) and re.fullmatch(pattern, words[place]) and "c9" not in words[place]:
            words[place] = change(words[place])
            place += 2
    rest = "".join(words[place:])
    exchanged = {'"1-0"': '"0-1"', '"0-1"': '"1-0"', "[1.0]": "[0.0]", "[0.0]": "[1.0]"}
    rest = re.sub(r'"1-0"|"0-1"|\[1\.0\]|\[0\.0\]', lambda found: exchanged[found[0]], rest)
    rest = re.sub(r"(\s)(1-0|0-1)(?=\s|$)", lambda found: found[1] + found[2][::-1], rest)
    return lead + "".join(words[:place]) + rest


COLOURS = {"white": "black", "black": "white"}


def flipped_outcome(outcome: Outcome) -> Outcome:
    """The outcome of the same line for the other side."""
    if outcome[0] == "bad":
        return ("bad", re.sub("white|black", lambda found: COLOURS[found[0]], outcome[1]))
    fen, result, score = outcome
    value = float(result)
    return (flipped_line(fen), str(1 - value), str(-float(score)) if score != "nan" else score)


def normal(outcome: Outcome) -> Outcome:
    """Castling letters in one order, zero without a sign, reasons as a set: a flip may change these."""
    if outcome[0] == "bad":
        return ("bad", *sorted(outcome[1].split("; ")))
    words = outcome[0].split(" ")
    words[2] = "".join(sorted(words[2]))
    return (" ".join(words), *(str(float(each) + 0.0) for each in outcome[1:]))


@pytest.mark.parametrize("name", TEXT_LINES)
def test_colours_exchanged(name: str, tmp_path: Path) -> None:
    """Labels of the side to move stay; all others turn."""
    path, is_white = tmp_path / "a.epd", name not in POV
    lines = lines_of(name)
    turned = [flipped_line(line) for line in lines]
    if not is_white:
        turned = [a[: a.rindex(" ")] + b[b.rindex(" ") :] for a, b in zip(turned, lines, strict=True)]
    path.write_text("\n".join(turned))
    found = line_outcomes(path, name)
    ours = [normal(found[number]) for number in sorted(found)]
    assert ours == [normal(flipped_outcome(each)) for each in expected_of(name)]


def games_of(name: str) -> list[bytes]:
    """The games of a file, cut at the lines that `expected.json` names."""
    lines = (FOLDER / name).read_bytes().removeprefix(b"\xef\xbb\xbf").splitlines(keepends=True)
    starts = [game["line"] - 1 for game in CASES[name]["games"]]
    return [b"".join(lines[a:b]) for a, b in zip(starts, [*starts[1:], None], strict=True)]


def game_outcomes(path: Path, games: int) -> list[Outcome]:
    """What became of each game: its rows in words, or why it was left out."""
    rejects = Rejects()
    try:
        rows = read_positions(path, on_error="skip", rejects=rejects)
    except FormatError as error:
        assert "not a single position" in str(error)
        rows = Positions.empty()
    left_out = {int(str(each.place).split()[1]): each.reason for each in rejects.kept}
    words = rows_in_words(rows)
    return [
        ("bad", left_out[number])
        if number in left_out
        else tuple(" ".join(words[row]) for row in np.flatnonzero(rows.game == number - 1))
        for number in range(1, games + 1)
    ]


@pytest.mark.parametrize("name", GAMES)
def test_games_in_another_order_and_company(name: str, tmp_path: Path) -> None:
    games, path = games_of(name), tmp_path / "a.pgn"
    expected = game_outcomes(FOLDER / name, len(games))
    assert all(expected)
    for seed in range(4):
        rng = random.Random(seed)
        order = rng.sample(range(len(games)), len(games))
        text = b"\n".join(games[number].rstrip() + b"\n" for number in order)
        text = text.replace(b"\n", rng.choice([b"\n", b"\r\n"]))
        path.write_bytes(rng.choice([b"", b"\xef\xbb\xbf", b"\n\n", b"% x\n"]) + text)
        assert game_outcomes(path, len(games)) == [expected[number] for number in order]
    for game, outcome in zip(games, expected, strict=True):
        path.write_bytes(game)
        assert game_outcomes(path, 1) == [outcome]


BOARD = "8/5k2/4p3/3pP3/3P1K2/8/8/8 w - -"
QUOTED = st.text(st.characters(codec="utf-8", exclude_characters='"\n\r\x00'), max_size=30)


@settings(max_examples=100, deadline=None)
@given(before=QUOTED, after=QUOTED, result=st.sampled_from(["1-0", "0-1", "1/2-1/2"]))
def test_quotes_protect_everything(
    tmp_path_factory: pytest.TempPathFactory, before: str, after: str, result: str
) -> None:
    path = tmp_path_factory.mktemp("quoted") / "a.epd"
    path.write_text(f'{BOARD} id "{before}"; c9 "{result}"; c3 ".{after}";\n' * 2, "utf-8")
    rows = read_positions(path)
    assert rows.result.tolist() == [{"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}[result]] * 2


@settings(max_examples=100, deadline=None)
@given(score=st.integers(-(10**12), 10**12) | st.integers(-40_000, 40_000))
def test_no_number_beyond_the_largest_is_a_score(
    tmp_path_factory: pytest.TempPathFactory, score: int
) -> None:
    path, rejects = tmp_path_factory.mktemp("scores") / "a.csv", Rejects()
    path.write_text(f"fen,score_white,result\n{BOARD} 0 1,{score},0.5\n")
    found = read_positions(path, rejects=rejects).score[0]
    usable = abs(score) < LARGEST_SCORE
    assert found == score if usable else np.isnan(found)
    assert sum(rejects.notes.values()) == (not usable)


@pytest.mark.parametrize("comment", ["2020.01.05", "3/5", "-", "1-O", "1/2-0", "12-0", "l-0 (time)"])
def test_what_is_no_result_matters_only_where_no_other_is(comment: str, tmp_path: Path) -> None:
    path = tmp_path / "a.epd"
    for digit in range(9):
        path.write_text(f'{BOARD} c{digit} "{comment}"; c9 "0-1";\n')
        assert read_positions(path).result.tolist() == [0.0]
    path.write_text(f'{BOARD} c0 "{comment}";\n')
    with pytest.raises(FormatError, match="the result is not one of"):
        read_positions(path)
    path.write_text(f'{BOARD} c3 "{comment}";\n')
    assert np.isnan(read_positions(path).result).all()
