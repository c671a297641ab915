"""Weights put into an engine's own source: the right numbers change, and nothing else does."""

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.errors import FormatError, InputError
from evalcore.evaluation import load_evaluation
from evalcore.forms import PARTITIONS
from evalcore.term import SQUARES
from evalcore.weights import Layout, RoundedWeights, Weights
from tuner.cli import run
from tuner.export import export
from tuner.export.source import patch_source

LAYOUT = Layout(
    (
        ("pawn", ("",)),
        ("knight", ("",)),
        ("rook", ("",)),
        ("passed", tuple(f"rank {rank}" for rank in range(2, 8))),
        ("psqt_pawn", SQUARES[8:56]),
        ("psqt_knight", SQUARES),
        ("psqt_king", PARTITIONS["folded square"].labels),
        ("mobility", tuple(map(str, range(9)))),
        ("tempo", ("",)),
        ("shield", ("",)),
    ),
    ("tapered",) * 8 + ("none", "mg"),
)


def weights_from(seed: int, largest: int = 400) -> RoundedWeights:
    values = np.random.default_rng(seed).integers(-largest, largest, (len(LAYOUT), 2))
    values[LAYOUT["tempo", ""], 1] = values[LAYOUT["tempo", ""], 0]
    values[LAYOUT["shield", ""], 1] = 0
    return RoundedWeights(LAYOUT, values)


def small(**values: tuple[int, int]) -> RoundedWeights:
    """Weights of terms of one column."""
    layout = Layout(tuple((name, ("",)) for name in values), ("tapered",) * len(values))
    return RoundedWeights(layout, np.array(list(values.values())))


def patched(folder: Path, source: str, plan: str, weights: RoundedWeights, name: str = "eval.c") -> str:
    (folder / name).write_bytes(source.encode())
    (folder / "map.toml").write_text(plan)
    patch_source(weights, folder / name, folder / "map.toml")
    return (folder / name).read_bytes().decode()


def refused(folder: Path, source: str, plan: str, weights: RoundedWeights, name: str = "eval.c") -> str:
    """The message; the file must be as it was."""
    with pytest.raises(InputError) as caught:
        patched(folder, source, plan, weights, name)
    assert (folder / name).read_bytes().decode() == source
    assert "\n" not in str(caught.value)
    return str(caught.value)


# --- an engine -------------------------------------------------------------------------------------------

PAIRS = ", ".join(["S(  0,   0)"] * 8)
ENGINE = f"""\
// A small engine; 12 numbers in comments and "strings" 34 stay: PawnValue = 56.
#include <stdio.h>
#define S(mg, eg) ((int)((unsigned int)(eg) << 16) + (mg))
#define MG(s) ((short)(unsigned short)(s))
#define EG(s) ((short)(unsigned short)(((unsigned)(s) + 0x8000) >> 16))
#define ROOK_VALUE S(477, 512) /* rooks */
enum {{ WHITE = 0, BLACK = 1, TEMPO = 10 }};
extern const int PassedPawn[8];
const int PawnValue = S( 82,  94), KnightValue = S(337, 281);   // PawnValue = 3

const int PassedPawn[8] = {{
    S(  0,   0), S(  5,  10), S(  5,  10), S( 10,  20), // "rank" 1 to 4
    S( 20,  40), S( 40,  80), S( 80, 160), S(  0,   0),
}};
static const int psqt[2][64] = {{
  {{ /* tune: pawns */
    {PAIRS},
    {PAIRS},
    {PAIRS},
    {PAIRS},
    {PAIRS},
    {PAIRS},
    {PAIRS},
    S(-77, 777), {", ".join(["S(  1,   2)"] * 7)},
  }},
  /* tune: knights */
  {{{", ".join(["S(0,0)"] * 64)}}},
}};
int mobility_mg[] = {{-38,-25,-12,0,12,25,38,38,38}};
int mobility_eg[9]
  = {{ -30, -20, -10, 0, 10, 15, 20, 22, 24 }};
static struct {{ int shield, malus; }} parameters = {{ .shield = 12, .malus = 7 }};
int main(void) {{
    printf("%d %d %d %d %d %d ", MG(PawnValue), EG(PawnValue), MG(KnightValue), EG(KnightValue),
           MG(ROOK_VALUE), EG(ROOK_VALUE));
    for (int i = 0; i < 8; i++) printf("%d %d ", MG(PassedPawn[i]), EG(PassedPawn[i]));
    for (int i = 0; i < 128; i++) printf("%d %d ", MG(psqt[i / 64][i % 64]), EG(psqt[i / 64][i % 64]));
    for (int i = 0; i < 9; i++) printf("%d %d ", mobility_mg[i], mobility_eg[i]);
    printf("%d %d %d\\n", TEMPO, parameters.shield, parameters.malus);
    return WHITE;
}}
"""
PLAN = """
squares = "a8"
[[patch]]
term = "pawn"
identifier = "PawnValue"
[[patch]]
term = "knight"
identifier = "KnightValue"
[[patch]]
term = "rook"
identifier = "ROOK_VALUE"
[[patch]]
weights = [2, "passed", 2]
identifier = "PassedPawn"
[[patch]]
term = "psqt_pawn"
marker = "tune: pawns"
[[patch]]
term = "psqt_knight"
marker = "tune: knights"
[[patch]]
term = "mobility"
phase = "mg"
identifier = "mobility_mg"
[[patch]]
term = "mobility"
phase = "eg"
identifier = "mobility_eg"
[[patch]]
term = "tempo"
identifier = "TEMPO"
[[patch]]
term = "shield"
identifier = ".malus"
negate = true
"""


def engine_prints(weights: RoundedWeights) -> list[int]:
    """What the patched engine must print, by names and python arithmetic only."""
    numbers: list[int] = []
    for name in ("pawn", "knight", "rook"):
        numbers += map(int, weights[name, ""])
    passed = weights.of_term("passed").ravel().tolist()
    numbers += [0, 0, *passed, 0, 0]
    kept = [(0, 0)] * 8, [(-77, 777)] + [(1, 2)] * 7
    for rank in range(8, 0, -1):
        for index, file in enumerate("abcdefgh"):
            edge = kept[0 if rank == 8 else 1][index] if rank in (1, 8) else None
            numbers += edge or map(int, weights["psqt_pawn", f"{file}{rank}"])
    for rank in range(8, 0, -1):
        for file in "abcdefgh":
            numbers += map(int, weights["psqt_knight", f"{file}{rank}"])
    numbers += weights.of_term("mobility").ravel().tolist()
    return [*numbers, int(weights["tempo", ""][0]), 12, -int(weights["shield", ""][0])]


def skeleton(text: str) -> str:
    """What must not change: everything but numbers and blanks."""
    return re.sub(r"-?\d+|[ ]+", "", text)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_patched_engine_prints_the_weights(tmp_path: Path, seed: int) -> None:
    compiler = shutil.which("gcc")
    if not compiler:
        pytest.skip("there is no C compiler")
    weights = weights_from(seed)
    source = patched(tmp_path, ENGINE, PLAN, weights)
    assert skeleton(source) == skeleton(ENGINE)
    command = [compiler, "-Wall", "-Wextra", "-Werror", "-o", "engine", "eval.c"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=60)
    printed = subprocess.run(
        [tmp_path / "engine"], capture_output=True, text=True, check=True, timeout=60
    ).stdout
    assert list(map(int, printed.split())) == engine_prints(weights)


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    weights = weights_from(3)
    once = patched(tmp_path, ENGINE, PLAN, weights)
    before = (tmp_path / "eval.c").stat().st_mtime_ns
    again = patch_source(weights, tmp_path / "eval.c", tmp_path / "map.toml")
    assert not again.changed and again.numbers == 0 and again.diff() == ""
    assert (tmp_path / "eval.c").read_text() == once
    assert (tmp_path / "eval.c").stat().st_mtime_ns == before


def test_a_dry_run_shows_the_change_and_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "eval.c").write_text("a;\nint x = S(1, 2);\r\nint y = 3;")
    (tmp_path / "map.toml").write_text('[[patch]]\nterm = "pawn"\nidentifier = "x"\n')
    patch = patch_source(
        small(pawn=(1, 5), rook=(0, 0)), tmp_path / "eval.c", tmp_path / "map.toml", dry_run=True
    )
    assert (tmp_path / "eval.c").read_bytes() == b"a;\nint x = S(1, 2);\r\nint y = 3;"
    lines = patch.diff().split("\n")
    assert lines[2:6] == ["@@ -1,3 +1,3 @@", " a;", "-int x = S(1, 2);\r", "+int x = S(1, 5);\r"]
    assert lines[6:] == [" int y = 3;", "\\ No newline at end of file", ""]
    assert (patch.numbers, patch.unmapped) == (1, ("rook",))


def test_mode_and_link_of_the_file_stay(tmp_path: Path) -> None:
    real, link = tmp_path / "real.py", tmp_path / "eval.py"
    real.write_text("X = 1\n")
    real.chmod(0o750)
    link.symlink_to(real)
    (tmp_path / "map.toml").write_text('[[patch]]\nterm = "pawn"\nphase = "eg"\nidentifier = "X"\n')
    patch_source(small(pawn=(1, 5)), link, tmp_path / "map.toml")
    assert link.is_symlink() and real.read_text() == "X = 5\n" and real.stat().st_mode & 0o777 == 0o750


# --- forms of source text --------------------------------------------------------------------------------

A = 'term = "a"'
MG = 'term = "a"\nphase = "mg"'
AB = 'weights = ["a", "b"]'
NAMED = 'identifier = "X"'
MARKED = 'marker = "m"'
FORMS = [
    # suffix, source, what, where, result for a = (11, -2), b = (3, 400)
    (".c", "#define X S(1, 2)\nint y;", A, NAMED, "#define X S(11, -2)\nint y;"),
    (".c", "#define X S(1, \\\n  2)\n3;", A, NAMED, "#define X S(11, \\\n  -2)\n3;"),
    (".c", "# define X 5 // 6\n", MG, NAMED, "# define X 11 // 6\n"),
    (".cpp", "constexpr Score X{1, 2};", A, NAMED, "constexpr Score X{11, -2};"),
    (".cpp", "std::array<Score, 2> X{{ {1, 2}, {3, 4} }};", AB, NAMED,
     "std::array<Score, 2> X{{ {11, -2}, {3, 400} }};"),
    (".cpp", "const int X[2] = { S(1, 2) , S(3, 4) };", AB, NAMED,
     "const int X[2] = { S(11, -2) , S(3, 400) };"),
    (".cpp", "struct X { int a = 7; }; auto X = make<2>(1, 2);", A, NAMED,
     "struct X { int a = 7; }; auto X = make<2>(11, -2);"),
    (".cpp", "int X[] = {[KNIGHT_2] = 1, [3] = 2};", A, NAMED, "int X[] = {[KNIGHT_2] = 11, [3] = -2};"),
    (".cpp", "int XX = 9, X = S(1,2), AX = 8; if (X == 3 || X <= 4) X2 = 5;", A, NAMED,
     "int XX = 9, X = S(11,-2), AX = 8; if (X == 3 || X <= 4) X2 = 5;"),
    (".cpp", 'auto s = R"x(X = 4;)x"; char c = \'"\'; int X = /* 7 */ S(1, 2); char d = \'"\';', A, NAMED,
     'auto s = R"x(X = 4;)x"; char c = \'"\'; int X = /* 7 */ S(11, -2); char d = \'"\';'),
    (".c", "int X = 1u;", MG, NAMED, "int X = 11u;"),
    (".c", "int X = - 1;", MG, NAMED, "int X = 11;"),
    (".c", "int X = +1;", MG, NAMED, "int X = +11;"),
    (".rs", "pub const X: [(i32, i32); 2] = [(1, 2), (3, 4)];", AB, NAMED,
     "pub const X: [(i32, i32); 2] = [(11, -2), (3, 400)];"),
    (".rs", "fn f<'a>(x: &'a str) {}\nstatic mut X: i16 = 1i16;", MG, NAMED,
     "fn f<'a>(x: &'a str) {}\nstatic mut X: i16 = 11i16;"),
    (".rs", "// m\npub const Y: [[i32; 2]; 1] = [[1, 2]];", A, MARKED,
     "// m\npub const Y: [[i32; 2]; 1] = [[11, -2]];"),
    (".rs", "E { /* m */ pawn: S(1, 2), knight: S(3, 4) }", A, MARKED,
     "E { /* m */ pawn: S(11, -2), knight: S(3, 4) }"),
    (".cs", "int[] X = new int[4] { 1, 2, 3, 4 };", AB, NAMED, "int[] X = new int[4] { 11, -2, 3, 400 };"),
    (".cs", "int[] X =\n    new[]\n    {\n        1, 2\n    };", A, NAMED,
     "int[] X =\n    new[]\n    {\n        11, -2\n    };"),
    (".go", "var X = [2]int{1, 2}\nvar y = 5\n", A, NAMED, "var X = [2]int{11, -2}\nvar y = 5\n"),
    (".go", "X := []int{1, 2}\n", A, NAMED, "X := []int{11, -2}\n"),
    (".py", "X = (1, 2)  # X = (5, 6)\nY = 3\n", A, NAMED, "X = (11, -2)  # X = (5, 6)\nY = 3\n"),
    (".py", "X: list[int] = [\n    1,\n    2,\n]\n", A, NAMED, "X: list[int] = [\n    11,\n    -2,\n]\n"),
    (".py", '"""\nX = 3\n"""\nX = 1\nY = 2\n', MG, NAMED, '"""\nX = 3\n"""\nX = 11\nY = 2\n'),
    (".py", "d = {  # m\n    'pawn': (1, 2),\n    'knight': (3, 4),\n}\n", A, MARKED,
     "d = {  # m\n    'pawn': (11, -2),\n    'knight': (3, 4),\n}\n"),
    (".py", "# m\nY = [1, 2]\nZ = 3\n", A, MARKED, "# m\nY = [11, -2]\nZ = 3\n"),
    (".c", "// m\nconst int y[1] = { S(1, 2) }, z = 3;", A, MARKED,
     "// m\nconst int y[1] = { S(11, -2) }, z = 3;"),
    (".c", "/* m */\n#define Y S(1, 2)\n#define Z 3", A, MARKED, "/* m */\n#define Y S(11, -2)\n#define Z 3"),
    (".c", "f(0, /* m */ 1, 2);", A, MARKED, "f(0, /* m */ 11, -2);"),
    (".c", "{ /* m */ S(1, 2), .x = S(3, 4) }", A, MARKED, "{ /* m */ S(11, -2), .x = S(3, 4) }"),
    (".c", "{ /* m */ .x = S(1, 2), .y = S(3, 4) }", A, MARKED, "{ /* m */ .x = S(11, -2), .y = S(3, 4) }"),
    (".c", "{ /* m */ S(1, 2), S(3, 4) }", AB, MARKED, "{ /* m */ S(11, -2), S(3, 400) }"),
    (".c", "{ { 0, 9 }, /* m */ { 1, 2 }, { 3, 4 } }", A, MARKED,
     "{ { 0, 9 }, /* m */ { 11, -2 }, { 3, 4 } }"),
    (".c", "TUNE(/* m */ 1 /* mg */, 2 /* m2 */); // mm", A, MARKED,
     "TUNE(/* m */ 11 /* mg */, -2 /* m2 */); // mm"),
    (".c", "/* m */ constexpr std::array<int, 2> y{1, 2};", A, MARKED,
     "/* m */ constexpr std::array<int, 2> y{11, -2};"),
    (".c", "int é = 1; int X = S(1, 2); // ß", A, NAMED, "int é = 1; int X = S(11, -2); // ß"),
    (".c", "int é = S(1, 2);", A, 'identifier = "é"', "int é = S(11, -2);"),
    (".c", "\ufeffint X = S(1, 2);\r\nint y;\r\n", A, NAMED, "\ufeffint X = S(11, -2);\r\nint y;\r\n"),
    (".c", "int X[2] = {S(1, 2), S(3, 4)};", 'weights = ["a", "-a"]', NAMED,
     "int X[2] = {S(11, -2), S(-11, 2)};"),
    (".c", "p.X = 5; int .X; q = { .X = S(1, 2) };", A, 'identifier = ".X"', None),
]  # fmt: skip


@pytest.mark.parametrize("form", FORMS, ids=[f"{form[0]} {form[1][:30]}" for form in FORMS])
def test_numbers_are_found_in_many_forms(tmp_path: Path, form: tuple[str, str, str, str, str | None]) -> None:
    suffix, source, what, where, wanted = form
    weights = small(a=(11, -2), b=(3, 400))
    plan = f"[[patch]]\n{what}\n{where}\n"
    if wanted is None:
        assert "lines 1, 1" in refused(tmp_path, source, plan, weights, f"eval{suffix}")
        return
    assert patched(tmp_path, source, plan, weights, f"eval{suffix}") == wanted
    assert patched(tmp_path, wanted, plan, weights, f"eval{suffix}") == wanted


def test_markers_end_where_another_marker_begins(tmp_path: Path) -> None:
    source = "int x[] = { /* m1 */ 1, 2, /* m2 */ 3, 4, 5 };"
    plan = '[[patch]]\nterm = "a"\nmarker = "m1"\n[[patch]]\nweights = ["b", 1]\nmarker = "m2"\n'
    wanted = "int x[] = { /* m1 */ 11, -2, /* m2 */ 3, 400, 5 };"
    assert patched(tmp_path, source, plan, small(a=(11, -2), b=(3, 400))) == wanted


BOARDS = [("a8", 64), ("a1", 64), ("a8", 48), ("a1", 48)]


@pytest.mark.parametrize(("squares", "count"), BOARDS)
def test_boards_in_both_orders_padded_or_not(tmp_path: Path, squares: str, count: int) -> None:
    weights = weights_from(5)
    source = f"x = {{{', '.join(['7'] * count)}}};"
    plan = f'[[patch]]\nterm = "psqt_pawn"\nphase = "eg"\nsquares = "{squares}"\nidentifier = "x"\n'
    found = list(map(int, re.findall(r"-?\d+", patched(tmp_path, source, plan, weights))))
    ranks = range(8, 0, -1) if squares == "a8" else range(1, 9)
    every = [f"{file}{rank}" for rank in ranks for file in "abcdefgh" if count == 64 or 1 < rank < 8]
    wanted = [7 if name[1] in "18" else int(weights["psqt_pawn", name][1]) for name in every]
    assert found == wanted


@pytest.mark.parametrize("count", [64, 32])
def test_boards_with_files_folded(tmp_path: Path, count: int) -> None:
    weights = weights_from(6)
    source = f"x = {{{', '.join(['0'] * count)}}};"
    plan = '[[patch]]\nterm = "psqt_king"\nphase = "mg"\nsquares = "a1"\nidentifier = "x"\n'
    found = list(map(int, re.findall(r"-?\d+", patched(tmp_path, source, plan, weights))))
    halves = [[f"{left}/{right}{rank}" for left, right in ("ah", "bg", "cf", "de")] for rank in range(1, 9)]
    rows = [row + row[::-1] if count == 64 else row for row in halves]
    assert found == [int(weights["psqt_king", label][0]) for row in rows for label in row]


def test_a_term_of_one_phase_may_stand_as_one_number_or_as_a_pair(tmp_path: Path) -> None:
    weights = weights_from(7)
    shield, tempo = int(weights["shield", ""][0]), int(weights["tempo", ""][0])
    source = "a = 1; b = S(1, 2); c = 3; d = S(4, 5);"
    names = zip(("shield", "shield", "tempo", "tempo"), "abcd", strict=True)
    plan = "".join(f'[[patch]]\nterm = "{term}"\nidentifier = "{name}"\n' for term, name in names)
    wanted = f"a = {shield}; b = S({shield}, 0); c = {tempo}; d = S({tempo}, {tempo});"
    assert patched(tmp_path, source, plan, weights) == wanted


# --- layout ----------------------------------------------------------------------------------------------

LAYOUTS = [
    ("S( 82,  94)", "S( -5, 144)", (-5, 144)),
    ("S(100, 5)", "S(7, 144)", (7, 144)),
    ("S(  1,   2)", "S(-12345,  -3)", (-12345, -3)),
    ("{ 100, 5 }", "{ 7, 144 }", (7, 144)),
    ("S(   1,-200)", "S(-100,  30)", (-100, 30)),
    ("{ 100,    5 }", "{   7,  144 }", (7, 144)),
]


@pytest.mark.parametrize(("before", "after", "weight"), LAYOUTS)
def test_padding_shrinks_and_grows(tmp_path: Path, before: str, after: str, weight: tuple[int, int]) -> None:
    plan = '[[patch]]\nterm = "a"\nidentifier = "x"\n'
    assert patched(tmp_path, f"x = {before};", plan, small(a=weight)) == f"x = {after};"


def test_a_column_without_a_space_after_the_comma_may_stay_so(tmp_path: Path) -> None:
    source = "x = {\n    S( -83,-101), S(  -4, -20),\n    S(   7,  -8), S(  14,   8),\n};\n"
    weights = small(a=(5, -100), b=(1, 2), c=(-100, -888), d=(0, 0))
    plan = '[[patch]]\nweights = ["a", "b", "c", "d"]\nidentifier = "x"\n'
    wanted = "x = {\n    S(   5,-100), S(   1,   2),\n    S(-100,-888), S(   0,   0),\n};\n"
    assert patched(tmp_path, source, plan, weights) == wanted


def test_columns_stay_in_line_and_become_wider_where_they_must(tmp_path: Path) -> None:
    source = "x = {\n    10,  20, // low\n    30, -40, // high\n};\n"
    plan = '[[patch]]\nweights = ["a", "b"]\nidentifier = "x"\n'
    wanted = "x = {\n     5, 2000, // low\n    30,   -4, // high\n};\n"
    assert patched(tmp_path, source, plan, small(a=(5, 2000), b=(30, -4))) == wanted


STYLES = {"c-header": ("pairs", "arrays"), "rust": ("tuples", "packed", "arrays"),
          "csharp": ("tuples", "packed", "arrays")}  # fmt: skip
LANGUAGES = [(to, style) for to, styles in STYLES.items() for style in styles]
SUFFIX = {"c-header": ".h", "rust": ".rs", "csharp": ".cs"}


@pytest.mark.parametrize(("to", "style"), LANGUAGES)
def test_patching_an_export_is_exporting_again(tmp_path: Path, to: str, style: str) -> None:
    evaluation = load_evaluation("default")
    drawn = np.random.default_rng(8).normal(0, 90, evaluation.start.values.shape)
    other = Weights(evaluation.layout, drawn).rounded()
    before, after = (export(w, evaluation, to, style=style) for w in (evaluation.start.rounded(), other))
    plan = ['squares = "a8"']
    for term, labels in evaluation.layout.terms:
        name = term.upper() if to != "csharp" else "".join(part.capitalize() for part in term.split("_"))
        suffixes = {"mg": "_MG", "eg": "_EG"} if to != "csharp" else {"mg": "Mg", "eg": "Eg"}
        for phase in suffixes if style == "arrays" else [""]:
            plan += ["[[patch]]", f'term = "{term}"', f'identifier = "{name}{suffixes.get(phase, "")}"']
            plan += [f'phase = "{phase}"'] if phase else []
        assert labels
    result = patched(tmp_path, before, "\n".join(plan), other, f"eval{SUFFIX[to]}")
    assert result.count("\n") == after.count("\n") == before.count("\n")
    assert result.replace(" ", "") == after.replace(" ", "")


@given(
    numbers=st.lists(st.integers(-9999, 9999), min_size=1, max_size=12),
    gaps=st.lists(st.sampled_from(["", " ", "  ", "\n    ", " /* 3 */ ", "\t"]), min_size=24, max_size=24),
    before=st.lists(st.integers(-999, 999), min_size=12, max_size=12),
)
def test_any_layout_takes_any_numbers(
    tmp_path_factory: pytest.TempPathFactory, numbers: list[int], gaps: list[str], before: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("layout")
    parts = [f"{a}{n}{b}" for n, a, b in zip(before[: len(numbers)], gaps, gaps[12:], strict=False)]
    source = f"int y = 5, x[12] = {{{','.join(parts)}}}, z = 6;"
    names = [f"w{i}" for i in range(len(numbers))]
    weights = small(**{name: (n, 0) for name, n in zip(names, numbers, strict=True)})
    plan = f'[[patch]]\nweights = {names}\nphase = "mg"\nidentifier = "x"\n'
    result = patched(folder, source, plan, weights)
    bare = re.sub(r"/\*.*?\*/", "", result)
    assert list(map(int, re.findall(r"-?\d+", bare)))[2:-1] == numbers
    assert skeleton(result) == skeleton(source)
    assert patched(folder, result, plan, weights) == result


# --- what is refused -------------------------------------------------------------------------------------

REFUSED = [
    ("x = {1, 2, 3};", "holds 3 numbers, expected 2 for a"),
    ("x = 1;", "holds 1 numbers, expected 2 for a; phase"),
    ("y = S(1, 2);", "'x' is given no value"),
    ("extern int x[2]; // x = 3", "'x' is given no value"),
    ("x = S(1, 2);\nx = S(3, 4);", "found in lines 1, 2"),
    ("x = S(1.5, 2);", "eval.c:1: expected a plain decimal integer: '1.5'"),
    ("x = S(.5, 2);", "expected a plain decimal integer"),
    ("\nx = S(0x10, 2);", "eval.c:2: expected a plain decimal integer: '0x10'"),
    ("x = S(010, 2);", "plain decimal integer: '010'"),
    ("x = S(1e2, 2);", "plain decimal integer: '1e2'"),
    ("x = -S(1, 2);", "found an expression"),
    ("x = S(1 - 2);", "found an expression"),
    ("x = S(1, 2) * 3;", "found an expression"),
    ("x = S(-y, 2);", "found an expression"),
    ("x = S(1, 2 << 3);", "found an expression"),
    ("x = {\n#ifdef A\n 1, 2\n#else\n 3, 4\n#endif\n};", "eval.c:2: a preprocessor directive"),
    ("x = {1, 2", None),
    ("", "given no value"),
]


@pytest.mark.parametrize(("source", "message"), REFUSED)
def test_what_is_no_list_of_numbers_is_refused(tmp_path: Path, source: str, message: str | None) -> None:
    plan = '[[patch]]\nterm = "a"\nidentifier = "x"\n'
    if message is None:
        patched(tmp_path, source, plan, small(a=(1, 2)))
        return
    assert message in refused(tmp_path, source, plan, small(a=(1, 22)))


MAPS = [
    ('[[patch]]\nterm = "a"\n', "identifier or a marker"),
    ('[[patch]]\nterm = "a"\nidentifier = "x"\nmarker = "m"\n', "identifier or a marker"),
    ('[[patch]]\nidentifier = "x"\n', "needs a term or weights"),
    ('[[patch]]\nterm = "a"\nweights = ["a"]\nidentifier = "x"\n', "needs a term or weights"),
    ('[[patch]]\nterm = "a"\nidentifer = "x"\n', "patch.0.identifer: is no known key"),
    ('[[patch]]\nterm = "a"\nidentifier = "x"\nphase = "endgame"\n', "patch.0.phase"),
    ('[[patch]]\nweights = ["a", 0]\nidentifier = "x"\n', "patch.0.weights"),
    ('[[patch]]\nweights = ["a", true]\nidentifier = "x"\n', "patch.0.weights"),
    ("patch = []\n", "patch"),
    ("[[patch]\n", "no valid TOML"),
    ('[[patch]]\nterm = "pawns"\nidentifier = "x"\n', "no term of this evaluation is called 'pawns'"),
    ('[[patch]]\nterm = "a[b].mg"\nidentifier = "x"\n', "no weight is called"),
    ('[[patch]]\nterm = "a]"\nidentifier = "x"\n', "names no weight"),
    ('[[patch]]\nterm = "a"\nmarker = "m"\n', "no comment holds 'm'"),
    (
        '[[patch]]\nterm = "a"\nidentifier = "x"\n[[patch]]\nterm = "b"\nidentifier = "x"\n',
        "the same numbers: '1'",
    ),
]


@pytest.mark.parametrize(("plan", "message"), MAPS)
def test_a_wrong_map_is_one_sentence(tmp_path: Path, plan: str, message: str) -> None:
    assert message in refused(tmp_path, "x = S(1, 2);", plan, small(a=(11, 22), b=(3, 4)))


def test_all_mistakes_are_in_one_error(tmp_path: Path) -> None:
    plan = '[[patch]]\nterm = "a"\nidentifier = "y"\n[[patch]]\nterm = "c"\nidentifier = "x"\n'
    message = refused(tmp_path, "x = S(1, 2);", plan, small(a=(11, 22)))
    assert "patch 1: " in message and "'y' is given no value" in message and "patch 2: no term" in message


def test_a_board_needs_the_order_of_its_squares(tmp_path: Path) -> None:
    plan = '[[patch]]\nterm = "psqt_knight"\nidentifier = "x"\n'
    assert 'squares = "a8"' in refused(tmp_path, "x = {1, 2};", plan, weights_from(1))


def test_pairs_must_fit_into_16_bits(tmp_path: Path) -> None:
    plan = '[[patch]]\nterm = "a"\nidentifier = "x"\n'
    assert "a has the eg weight 40000" in refused(tmp_path, "x = S(1, 2);", plan, small(a=(1, 40000)))
    single = '[[patch]]\nterm = "a"\nphase = "eg"\nidentifier = "x"\n'
    assert patched(tmp_path, "x = 1;", single, small(a=(1, 40000))) == "x = 40000;"


def test_unreadable_sources_and_unrounded_weights(tmp_path: Path) -> None:
    (tmp_path / "map.toml").write_text('[[patch]]\nterm = "a"\nidentifier = "x"\n')
    (tmp_path / "eval.o").write_bytes(b"\x7fELF\0x = S(1, 2);")
    with pytest.raises(FormatError, match="zero bytes"):
        patch_source(small(a=(1, 2)), tmp_path / "eval.o", tmp_path / "map.toml")
    for name in ("nosuch.c", "."):
        with pytest.raises(FormatError, match="cannot be read"):
            patch_source(small(a=(1, 2)), tmp_path / name, tmp_path / "map.toml")
    with pytest.raises(FormatError, match="cannot be read"):
        patch_source(small(a=(1, 2)), tmp_path / "eval.o", tmp_path / "nosuch.toml")
    unrounded = Weights(small(a=(1, 2)).layout, np.array([[0.5, 1.0]]))
    with pytest.raises(TypeError, match="rounded"):
        patch_source(unrounded, tmp_path / "eval.o", tmp_path / "map.toml")  # type: ignore[arg-type]


# --- the command -----------------------------------------------------------------------------------------


def test_the_command_patches_a_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evaluation = load_evaluation("material")
    evaluation.start.rounded().save(tmp_path / "w.json")
    (tmp_path / "eval.c").write_text("int Pawn = S( 1, 2);\n")
    (tmp_path / "map.toml").write_text('[[patch]]\nterm = "material_pawn"\nidentifier = "Pawn"\n')
    call = ["export", f"{tmp_path}/w.json", "-e", "material", "--into", f"{tmp_path}/eval.c"]
    mg, eg = evaluation.start["material_pawn", ""]
    assert run([*call, "--map", f"{tmp_path}/map.toml", "--dry-run"]) == 0
    printed = capsys.readouterr()
    assert f"+int Pawn = S({mg:.0f}, {eg:.0f});" in printed.out.splitlines()
    assert "2 numbers would change" in printed.err and "not in the map: material_knight" in printed.err
    assert (tmp_path / "eval.c").read_text() == "int Pawn = S( 1, 2);\n"
    assert run([*call, "--map", f"{tmp_path}/map.toml"]) == 0
    assert (tmp_path / "eval.c").read_text() == f"int Pawn = S({mg:.0f}, {eg:.0f});\n"


def test_the_command_refuses_half_a_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evaluation = load_evaluation("material")
    evaluation.start.rounded().save(tmp_path / "w.json")
    call = ["export", f"{tmp_path}/w.json", "-e", "material"]
    for arguments, message in (
        (["--into", "eval.c"], "--map"),
        (["--map", "map.toml"], "--into"),
        (["--to", "csv", "--dry-run"], "--into"),
        (["--to", "csv", "--into", "eval.c", "--map", "map.toml"], "not both"),
        (["--into", "eval.c", "--map", "map.toml", "-o", "x"], "--into keeps"),
        ([], "c-header"),
        (["--to", "toml", "--set", "style=arrays"], "no options"),
    ):
        assert run([*call, *arguments]) == 2
        error = capsys.readouterr().err
        assert message in error and error.count("\n") == 1
