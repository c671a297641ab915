"""Exporters: each one read back, the program texts compiled, and what must be refused."""

import csv
import dataclasses
import io
import json
import re
import shutil
import subprocess
from pathlib import Path

import chess
import numpy as np
import pytest

from evalcore.errors import InputError, UnknownName
from evalcore.evaluation import Evaluation, Phase, load_evaluation, make_evaluation, preset_names
from evalcore.forms import form
from evalcore.integer import integer_scores
from evalcore.positions import Positions
from evalcore.term import Term
from evalcore.terms import TERMS
from evalcore.weights import Layout, RoundedWeights, Weights, load_weights
from tuner.export import EXPORTERS, export, find_exporter, options_of

SIGNS = ((1, -1), (-1, 1), (-1, -1), (1, 1))


def every_shape() -> Evaluation:
    """Single weights, boards (whole, of pawns, folded), series, a split term, and all four tapers."""
    uses = [
        (TERMS["material_pawn"], "tapered"),
        (TERMS["psqt_pawn"], "tapered"),
        (TERMS["psqt_knight"], "tapered"),
        (form(TERMS["psqt_king"], by="folded square"), "tapered"),
        (form(TERMS["psqt_rook"], called="psqt_rook_late"), "eg"),
        (TERMS["isolated_pawn"], "tapered"),
        (TERMS["passed_pawn"], "mg"),
        (TERMS["knight_mobility"], "tapered"),
        (TERMS["bishop_mobility"], "none"),
        (form(TERMS["phalanx"], split="side to move"), "tapered"),
        (TERMS["rook_on_open_file"], "mg"),
        (TERMS["rook_on_seventh"], "eg"),
        (TERMS["tempo"], "none"),
    ]
    return make_evaluation("every shape", [(*use, 0, 0) for use in uses], Phase((0, 1, 1, 2, 4, 0), 24))


def distinct_weights(evaluation: Evaluation) -> RoundedWeights:
    """Another number for every weight, with all pairs of signs and the ends of 16 bits."""
    layout = evaluation.layout
    values = np.array(
        [[a * (1000 + 2 * i), b * (1001 + 2 * i)] for i in range(len(layout)) for a, b in [SIGNS[i % 4]]],
        np.int64,
    )
    first = layout["psqt_knight", "a1"]
    values[first : first + 4] = [[32767, -32768], [-32768, 32767], [-1, 1], [-32768, -32768]]
    for name, taper in layout.taper_of.items():
        span = layout.columns_of(name)
        if taper == "none":
            values[span, 1] = values[span, 0]
        elif taper in ("mg", "eg"):
            values[span, ("eg", "mg").index(taper)] = 0
    return RoundedWeights(layout, values)


EVALUATION = every_shape()
WEIGHTS = distinct_weights(EVALUATION)


def edited(name: tuple[str, str], mg: int, eg: int) -> RoundedWeights:
    values = WEIGHTS.values.copy()
    values[WEIGHTS.layout[name]] = mg, eg
    return RoundedWeights(WEIGHTS.layout, values)


# --- the contract, over the whole table ------------------------------------------------------------------


@pytest.mark.parametrize("to", EXPORTERS)
def test_every_exporter_writes_every_weight(to: str, tmp_path: Path) -> None:
    text = export(WEIGHTS, EVALUATION, to, tmp_path / "weights")
    assert (tmp_path / "weights").read_bytes() == text.encode()
    assert text == export(WEIGHTS, EVALUATION, to)
    assert text.endswith("\n") and "\r" not in text and not re.search(r"[ \t]+$", text, re.MULTILINE)
    written = set(map(int, re.findall(r"(?<![\w.])-?\d+", text)))
    assert set(WEIGHTS.values.ravel().tolist()) - {0} <= written


@pytest.mark.parametrize("to", EXPORTERS)
def test_no_exporter_takes_weights_that_are_not_rounded(to: str) -> None:
    unrounded = Weights(WEIGHTS.layout, WEIGHTS.values + 0.5)
    disguised = RoundedWeights(WEIGHTS.layout, WEIGHTS.values.astype(float))
    for given in (unrounded, disguised):
        with pytest.raises(TypeError, match="rounded"):
            export(given, EVALUATION, to)  # type: ignore[arg-type]


@pytest.mark.parametrize("to", EXPORTERS)
def test_every_exporter_refuses_weights_that_contradict_the_taper(to: str) -> None:
    for name, mg, eg in (
        (("tempo", ""), 3, 4),
        (("passed_pawn", "rank 4"), 3, 4),
        (("rook_on_seventh", ""), 3, 4),
    ):
        with pytest.raises(InputError, match=name[0]):
            export(edited(name, mg, eg), EVALUATION, to)


@pytest.mark.parametrize("to", EXPORTERS)
def test_every_exporter_names_its_options(to: str) -> None:
    with pytest.raises(InputError, match="nosuch"):
        export(WEIGHTS, EVALUATION, to, nosuch="1")
    for name, default in options_of(find_exporter(to)).items():
        assert isinstance(default, str), f"option {name} of {to} cannot be given on a command line"
    assert dataclasses.is_dataclass(find_exporter(to))


@pytest.mark.parametrize("to", EXPORTERS)
def test_every_exporter_works_without_an_evaluation(to: str) -> None:
    written = set(map(int, re.findall(r"(?<![\w.])-?\d+", export(WEIGHTS, None, to))))
    assert set(WEIGHTS.values.ravel().tolist()) - {0} <= written


@pytest.mark.parametrize("preset", preset_names())
def test_every_preset_can_be_exported_everywhere(preset: str, tmp_path: Path) -> None:
    evaluation = load_evaluation(preset)
    weights = evaluation.start.rounded()
    texts = {to: export(weights, evaluation, to) for to in EXPORTERS}
    assert all(texts.values())
    compile_c(tmp_path, texts["c-header"], "int main(void) { return 0; }", "c")


def test_weights_of_another_evaluation_are_refused() -> None:
    with pytest.raises(InputError, match="evaluation default"):
        export(WEIGHTS, load_evaluation("default"), "json")


def test_an_unknown_exporter_lists_the_choices() -> None:
    with pytest.raises(UnknownName, match="c-header"):
        export(WEIGHTS, EVALUATION, "c-heder")


OWN = """
from dataclasses import dataclass
@dataclass(frozen=True)
class Lines:
    separator: str = " "
    def write(self, weights, out):
        for term, label, mg, eg in weights.rows():
            out.write(self.separator.join((term, label, str(mg), str(eg))) + "\\n")
NOTHING = 3
"""


def test_an_exporter_of_a_users_own_file(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(OWN)
    text = export(WEIGHTS, EVALUATION, f"{tmp_path}/mine.py:Lines", separator="|")
    assert "tempo||" in text and len(text.splitlines()) == len(WEIGHTS.layout)
    with pytest.raises(InputError, match="no exporter"):
        export(WEIGHTS, EVALUATION, f"{tmp_path}/mine.py:NOTHING")
    with pytest.raises(InputError, match="no such file"):
        export(WEIGHTS, EVALUATION, f"{tmp_path}/other.py:Lines")


# --- JSON, CSV, TOML -------------------------------------------------------------------------------------


def test_json_is_read_back_by_load_weights(tmp_path: Path) -> None:
    text = export(WEIGHTS, EVALUATION, "json", tmp_path / "w.json")
    read = load_weights(tmp_path / "w.json", EVALUATION.layout)
    assert np.array_equal(read.rounded().values, WEIGHTS.values)
    assert json.loads(text)["terms"]["psqt_knight"]["mg"][:2] == [32767, -32768]


def test_csv_has_a_row_a_weight() -> None:
    rows = list(csv.reader(io.StringIO(export(WEIGHTS, EVALUATION, "csv"))))
    assert rows[0] == ["term", "label", "mg", "eg"]
    assert [(term, label) for term, label, *_ in rows[1:]] == list(WEIGHTS.layout.names)
    assert [[int(mg), int(eg)] for *_, mg, eg in rows[1:]] == WEIGHTS.values.tolist()


def rule_of(term: Term) -> tuple[object, ...]:
    """What tells rules apart: the function, and the options that are compiled into it."""
    options = [cell.cell_contents for cell in term.rule.__closure__ or ()]
    return term.rule.__module__, term.rule.__qualname__, *options


def same_evaluation(read: Evaluation, given: Evaluation, weights: RoundedWeights) -> None:
    assert read.layout == given.layout
    assert read.phase == given.phase
    assert read.scaling == given.scaling
    for a, b in zip(read.terms, given.terms, strict=True):
        assert (rule_of(a), a.partition, a.split) == (rule_of(b), b.partition, b.split)
    assert np.array_equal(read.start.values, weights.values)


def test_toml_is_an_evaluation(tmp_path: Path) -> None:
    forms = """
    [phase]
    knight = 1.5
    maximum = 20
    [[term]]
    name = "psqt_king"
    as = "king \\"board\\""
    by = "folded square"
    [[term]]
    name = "phalanx"
    split = "side to move"
    [[term]]
    name = "passed_pawn"
    taper = "eg"
    [[term]]
    name = "tempo"
    taper = "none"
    """
    (tmp_path / "forms.toml").write_text(forms)
    evaluation = load_evaluation(tmp_path / "forms.toml")
    values = np.arange(2 * len(evaluation.layout)).reshape(-1, 2) - 20
    values[evaluation.layout.columns_of("passed_pawn"), 0] = 0
    values[-1] = 7
    weights = RoundedWeights(evaluation.layout, values)
    export(weights, evaluation, "toml", tmp_path / "fitted.toml")
    same_evaluation(load_evaluation(tmp_path / "fitted.toml"), evaluation, weights)


@pytest.mark.parametrize("preset", preset_names())
def test_every_preset_survives_toml(preset: str, tmp_path: Path) -> None:
    evaluation = load_evaluation(preset)
    weights = evaluation.start.rounded()
    export(weights, evaluation, "toml", tmp_path / "again.toml")
    same_evaluation(load_evaluation(tmp_path / "again.toml"), evaluation, weights)


def test_toml_knows_everything_an_evaluation_has() -> None:
    """A new field of Evaluation has to reach the exporter, or fitted evaluations would silently lose it."""
    known = {"name", "terms", "tapers", "phase", "start", "scaling", "first_index"}
    assert {field.name for field in dataclasses.fields(Evaluation)} == known


OWN_TERM = """
from evalcore.term import WHOLE, term
@term(WHOLE, page="-")
def battery(us):
    return us.rooks
"""


def test_toml_finds_a_users_own_term_again(tmp_path: Path) -> None:
    (tmp_path / "terms").mkdir()
    (tmp_path / "terms" / "mine.py").write_text(OWN_TERM)
    (tmp_path / "mine.toml").write_text('[[term]]\nname = "terms/mine.py:battery"\nmg = 3\n')
    evaluation = load_evaluation(tmp_path / "mine.toml")
    inside = export(evaluation.start.rounded(), evaluation, "toml", tmp_path / "out.toml")
    assert 'name = "terms/mine.py:battery"' in inside
    (tmp_path / "elsewhere").mkdir()
    export(evaluation.start.rounded(), evaluation, "toml", tmp_path / "elsewhere" / "out.toml")
    for path in ("out.toml", "elsewhere/out.toml"):
        assert load_evaluation(tmp_path / path).start["battery", ""] == (3, 0)


# --- program texts ---------------------------------------------------------------------------------------


def board(name: str, orientation: str, weights: RoundedWeights = WEIGHTS) -> list[tuple[int, int]]:
    """The 64 pairs of a table, square by square with python-chess, zeros where there is no label."""
    pairs = {}
    for term_name, label, mg, eg in weights.rows():
        if term_name == name:
            for file in label[:-1].split("/"):
                pairs[chess.parse_square(file + label[-1])] = (int(mg), int(eg))
    order = [chess.square_mirror(square) if orientation == "a8" else square for square in chess.SQUARES]
    return [pairs.get(square, (0, 0)) for square in order]


def expected(orientation: str) -> dict[str, list[tuple[int, int]]]:
    """Upper-case name to pairs: what every program text has to hold."""
    tables: dict[str, list[tuple[int, int]]] = {}
    for name, label, mg, eg in WEIGHTS.rows():
        side = label.split(", ")[0].upper()
        key = f"{name.upper()}_{side}" if side in ("OWN", "OPPONENT") else name.upper()
        tables.setdefault(key, []).append((int(mg), int(eg)))
    for name in ("psqt_pawn", "psqt_knight", "psqt_king", "psqt_rook_late"):
        tables[name.upper()] = board(name, orientation)
    return tables


UNTAPERED = ("BISHOP_MOBILITY", "TEMPO")


def parsed(text: str) -> dict[str, list[int]]:
    """Name to numbers of every `name … = value;` outside comments: a parser for all three languages."""
    bare = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
    found = re.finditer(r"(\w+)\s*(?:\[\d+\]|: (?:\[.*?\]|\(.*?\)|\w+))?\s*=\s*([^=;>]+);", bare)
    return {match[1]: list(map(int, re.findall(r"-?\b\d+", match[2]))) for match in found}


def flat(pairs: list[tuple[int, int]]) -> list[int]:
    return [number for pair in pairs for number in pair]


def same_numbers(found: dict[str, list[int]], orientation: str, split: bool) -> None:
    for name, pairs in expected(orientation).items():
        if name in UNTAPERED:
            assert found[name] == [mg for mg, _ in pairs], name
        elif split:
            assert found[f"{name}_MG"] == [mg for mg, _ in pairs], name
            assert found[f"{name}_EG"] == [eg for _, eg in pairs], name
        else:
            assert found[name] == flat(pairs), name


LANGUAGES = {"c-header": ("pairs", "arrays"), "rust": ("tuples", "packed", "arrays"),
             "csharp": ("tuples", "packed", "arrays")}  # fmt: skip
VARIANTS = [
    (to, style, side) for to, styles in LANGUAGES.items() for style in styles for side in ("a8", "a1")
]


@pytest.mark.parametrize(("to", "style", "orientation"), VARIANTS)
def test_program_texts_hold_the_numbers_in_the_stated_order(to: str, style: str, orientation: str) -> None:
    text = export(WEIGHTS, EVALUATION, to, style=style, orientation=orientation)
    found = parsed(text)
    if to == "csharp":
        found = {
            re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper(): numbers for name, numbers in found.items()
        }
    same_numbers(found, orientation, style == "arrays")
    assert found["PHASE_QUEEN"] == [4] and found["PHASE_MAX"] == [24]
    assert f"table[0] is {orientation}" in text and "every shape" in text and "centipawns" in text


@pytest.mark.parametrize("to", LANGUAGES)
def test_names_are_prefixed(to: str) -> None:
    names = parsed(export(WEIGHTS, EVALUATION, to, prefix="Tuned_"))
    assert names and all(name.startswith("Tuned_") for name in names)


def test_packed_pairs_refuse_what_16_bits_cannot_hold() -> None:
    for to, style in (("c-header", "pairs"), ("rust", "packed"), ("csharp", "packed")):
        for mg, eg in ((32768, 0), (0, -32769)):
            wide = edited(("isolated_pawn", "file a/h"), mg, eg)
            with pytest.raises(InputError, match=r"isolated_pawn\[file a/h\]"):
                export(wide, EVALUATION, to, style=style)
            assert str(max(mg, -eg)) in export(wide, EVALUATION, to, style="arrays")
    with pytest.raises(InputError, match="32 bits"):
        export(edited(("isolated_pawn", "file a/h"), 2**31, 0), EVALUATION, "c-header", style="arrays")


@pytest.mark.parametrize("to", LANGUAGES)
def test_wrong_options_are_refused(to: str) -> None:
    for options, message in (
        ({"style": "paris"}, "style"),
        ({"orientation": "h1"}, "orientation"),
        ({"prefix": "1 "}, "prefix"),
    ):
        with pytest.raises(InputError, match=message):
            export(WEIGHTS, EVALUATION, to, **options)


def awkward(names: list[str]) -> RoundedWeights:
    layout = Layout(tuple((name, ("",)) for name in names), ("tapered",) * len(names))
    return RoundedWeights(layout, np.ones((len(names), 2), np.int64))


@pytest.mark.parametrize("to", LANGUAGES)
def test_names_that_are_no_identifiers(to: str) -> None:
    text = export(awkward(["läufer paar", "2nd", "int", "x.y-z"]), None, to)
    names = {name.upper().replace("_", "") for name in parsed(text)}
    assert names == {"LAUFERPAAR", "T2ND", "INT", "XYZ"}
    for clash in (["a b", "a_b"], ["phase_max"], ["s"]):
        with pytest.raises(InputError, match="called"):
            export(awkward(clash), None, to)


def test_comments_cannot_be_ended_by_a_name(tmp_path: Path) -> None:
    name = 'x */ int y; /* "\\'
    layout = Layout(((name, ("a", "*/\n#error", "c\\")),), ("tapered",))
    evaluation = dataclasses.replace(EVALUATION, name=name)
    text = export(RoundedWeights(layout, np.ones((3, 2), np.int64)), None, "c-header")
    compile_c(tmp_path, text, "int main(void) { return X_INT_Y[0] != S(1, 1); }", "c")
    text = export(WEIGHTS, evaluation, "c-header")
    compile_c(tmp_path, text, "int main(void) { return 0; }", "c")


# --- compilers -------------------------------------------------------------------------------------------


def run(*command: str | Path, folder: Path) -> str:
    done = subprocess.run(
        list(map(str, command)), cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def compile_c(folder: Path, header: str, program: str, language: str) -> str:
    """Compiles with all warnings as errors and returns what the program prints."""
    compiler = shutil.which({"c": "gcc", "c++": "g++"}[language])
    if not compiler:
        pytest.skip(f"there is no GNU compiler for {language}")
    source = folder / {"c": "main.c", "c++": "main.cpp"}[language]
    (folder / "weights.h").write_text(header)
    source.write_text(f'#include <stdio.h>\n#include "weights.h"\n#include "weights.h"\n{program}\n')
    run(
        compiler,
        "-Wall",
        "-Wextra",
        "-Wpedantic",
        "-Werror",
        "-O1",
        "-o",
        "program",
        source.name,
        folder=folder,
    )
    return run(folder / "program", folder=folder)


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("style", ["pairs", "arrays"])
@pytest.mark.parametrize("orientation", ["a8", "a1"])
def test_the_c_header_compiles_to_its_numbers(
    tmp_path: Path, language: str, style: str, orientation: str
) -> None:
    header = export(WEIGHTS, EVALUATION, "c-header", style=style, orientation=orientation)
    lines = []
    for name, pairs in expected(orientation).items():
        for i in range(len(pairs)):
            item = name if re.search(rf"{name}(_MG)? = ", header) else f"{name}[{i}]"
            mg, eg = f"MG_OF({item})", f"EG_OF({item})"
            if name in UNTAPERED:
                mg = eg = item
            elif style == "arrays":
                mg, eg = item.replace(name, f"{name}_MG"), item.replace(name, f"{name}_EG")
            lines.append(f'printf("{name} %d %d\\n", {mg}, {eg});')
    printed = compile_c(tmp_path, header, f"int main(void) {{ {' '.join(lines)} return 0; }}", language)
    wanted = [f"{name} {mg} {eg}" for name, pairs in expected(orientation).items() for mg, eg in pairs]
    assert printed.splitlines() == wanted


@pytest.mark.parametrize("language", ["c", "c++"])
def test_sums_of_packed_pairs_are_packed_sums(tmp_path: Path, language: str) -> None:
    header = export(WEIGHTS, EVALUATION, "c-header")
    program = """int main(void) {
        int sum = 7 * S(-300, 250) - 3 * S(21, -17) + S(-1, 1);
        printf("%d %d\\n", MG_OF(sum), EG_OF(sum));
        return 0;
    }"""
    assert compile_c(tmp_path, header, program, language).split() == ["-2164", "1802"]


ENGINE = """
static const int *boards[6] = {PSQT_PAWN, PSQT_KNIGHT, PSQT_BISHOP, PSQT_ROOK, PSQT_QUEEN, PSQT_KING};
int main(void) {
    const int values[6] = {MATERIAL_PAWN, MATERIAL_KNIGHT, MATERIAL_BISHOP, MATERIAL_ROOK, MATERIAL_QUEEN, 0};
    const int phases[6] = {PHASE_PAWN, PHASE_KNIGHT, PHASE_BISHOP, PHASE_ROOK, PHASE_QUEEN, 0};
    for (unsigned row = 0; row < sizeof men / sizeof *men; row++) {
        int sum = 0, phase = 0;
        for (int square = 0; square < 64; square++) {
            int man = men[row][square], white = man > 0, kind = (man > 0 ? man : -man) - 1;
            if (man == 0) continue;
            int value = values[kind] + boards[kind][FLIP(white) ? square ^ 56 : square];
            sum += white ? value : -value;
            phase += phases[kind];
        }
        if (phase > PHASE_MAX) phase = PHASE_MAX;
        printf("%d\\n", (MG_OF(sum) * phase + EG_OF(sum) * (PHASE_MAX - phase)) / PHASE_MAX);
    }
    return 0;
}
"""


def random_boards(count: int) -> list[chess.Board]:
    """Ends of random games of 20 to 180 plies."""
    rng = np.random.default_rng(11)
    boards = []
    while len(boards) < count:
        board = chess.Board()
        for _ in range(int(rng.integers(20, 180))):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(moves[int(rng.integers(len(moves)))])
        boards.append(board)
    return boards


@pytest.mark.parametrize(("orientation", "flip"), [("a8", "(white)"), ("a1", "!(white)")])
def test_an_engine_with_the_header_has_the_evaluations_own_scores(
    tmp_path: Path, orientation: str, flip: str
) -> None:
    evaluation, boards = load_evaluation("psqt"), random_boards(60)
    drawn = np.random.default_rng(12).normal(evaluation.start.values, 40)
    weights = Weights(evaluation.layout, drawn).rounded()
    rows = []
    for board in boards:
        pieces = [board.piece_at(square) for square in chess.SQUARES]
        row = [p.piece_type * (1 if p.color else -1) if p else 0 for p in pieces]
        rows.append(f"{{{', '.join(map(str, row))}}}")
    program = f"static const int men[][64] = {{{', '.join(rows)}}};\n#define FLIP(white) {flip}\n{ENGINE}"
    header = export(weights, evaluation, "c-header", orientation=orientation)
    printed = compile_c(tmp_path, header, program, "c").split()
    scores = integer_scores(evaluation, Positions.from_boards(boards), weights)
    assert list(map(int, printed)) == scores.tolist()
    assert min(scores) < 0 < max(scores)


def test_an_engines_own_pair_type(tmp_path: Path) -> None:
    header = export(WEIGHTS, EVALUATION, "c-header", type="Score", storage="constexpr", guard="MY_GUARD")
    own = "struct Score { int mg, eg; };\n#define S(mg, eg) Score{(mg), (eg)}\n"
    program = 'int main() { printf("%d %d\\n", PSQT_KNIGHT[56].mg, PSQT_KNIGHT[56].eg); }'
    (tmp_path / "own.h").write_text(own)
    printed = compile_c(
        tmp_path, f'#ifndef OWN\n#define OWN\n#include "own.h"\n#endif\n{header}', program, "c++"
    )
    assert printed.split() == ["32767", "-32768"]


@pytest.mark.parametrize("style", LANGUAGES["rust"])
def test_the_rust_module_compiles_to_its_numbers(tmp_path: Path, style: str) -> None:
    rustc = shutil.which("rustc")
    if not rustc:
        pytest.skip("there is no Rust compiler")
    orientation = "a1" if style == "packed" else "a8"
    module = export(WEIGHTS, EVALUATION, "rust", style=style, orientation=orientation)
    (tmp_path / "weights.rs").write_text(module)
    reads = {"tuples": ("{}.0", "{}.1"), "packed": ("mg_of({})", "eg_of({})"), "arrays": ("{}", "{}")}[style]
    lines = []
    for name, pairs in expected(orientation).items():
        names = [name, name] if name in UNTAPERED or style != "arrays" else [f"{name}_MG", f"{name}_EG"]
        index = "" if re.search(rf"const {names[0]}: (i32|\(i32, i32\)) =", module) else "[i]"
        mg, eg = ("{}", "{}") if name in UNTAPERED else reads
        values = mg.format(names[0] + index), eg.format(names[1] + index)
        lines.append(
            f'for i in 0..{len(pairs)} {{ let _ = i; println!("{name} {{}} {{}}", {", ".join(values)}); }}'
        )
    use = "#[allow(unused_imports)] mod weights; use weights::*;"
    (tmp_path / "main.rs").write_text(f"{use}\nfn main() {{\n{chr(10).join(lines)}\n}}\n")
    run(rustc, "-D", "warnings", "--edition", "2021", "main.rs", folder=tmp_path)
    wanted = [f"{name} {mg} {eg}" for name, pairs in expected(orientation).items() for mg, eg in pairs]
    assert run(tmp_path / "main", folder=tmp_path).splitlines() == wanted


@pytest.mark.parametrize("style", LANGUAGES["csharp"])
def test_the_csharp_class_compiles_to_its_numbers(tmp_path: Path, style: str) -> None:
    compiler, runtime = shutil.which("mcs"), shutil.which("mono")
    if not compiler or not runtime:
        pytest.skip("there is no C# compiler (mcs with mono)")
    (tmp_path / "Weights.cs").write_text(
        export(WEIGHTS, EVALUATION, "csharp", style=style, namespace="Engine.Tuned")
    )
    reads = {
        "tuples": 'PsqtKnight[56].Mg + " " + PsqtKnight[56].Eg + " " + MaterialPawn.Mg',
        "packed": 'MgOf(PsqtKnight[56]) + " " + EgOf(PsqtKnight[56]) + " " + MgOf(MaterialPawn)',
        "arrays": 'PsqtKnightMg[56] + " " + PsqtKnightEg[56] + " " + MaterialPawnMg',
    }[style]
    program = f"static class Program {{ static void Main() {{ System.Console.WriteLine({reads}); }} }}"
    (tmp_path / "Program.cs").write_text(f"using static Engine.Tuned.EvaluationWeights;\n{program}\n")
    run(compiler, "-warnaserror", "-out:program.exe", "Weights.cs", "Program.cs", folder=tmp_path)
    assert run(runtime, "program.exe", folder=tmp_path).split() == ["32767", "-32768", "1000"]
