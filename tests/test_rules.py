"""Rules of a job: which weights they name, what they come to, and that a fit keeps them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playouts import random_games
from problems import layout, weights

from evalcore.errors import InputError, UnknownName
from evalcore.evaluation import load_evaluation
from evalcore.formats import write_positions
from tuner.constraints import Chain
from tuner.job import Job, make_job, read_job
from tuner.optimizers.composite import model_minimum
from tuner.parameters import make_parameters, matching
from tuner.rules import Restraints, Rule, held_notes, make_restraints, neighbours, parse_rule
from tuner.run import run

SHAPE = layout(pawn=1, table=4, table_late=(3, "eg"), plain=(2, "none"))
FREE = make_parameters(weights(SHAPE, np.arange(20.0).reshape(10, 2)))
NAMES = FREE.names()
GAMES = 50.0


def restraints(**rules: dict[str, Any]) -> Restraints:
    made = {name.replace("__", "."): Rule.model_validate(keys) for name, keys in rules.items()}
    return make_restraints(made, FREE, ridge=2.0, prior=FREE.start, games=GAMES)


def where(*names: str) -> list[int]:
    return [NAMES.index(name) for name in names]


TABLE = [f"table[{label}].{phase}" for label in range(4) for phase in ("mg", "eg")]


def test_without_rules_there_is_the_ridge_of_the_job() -> None:
    made = restraints()
    np.testing.assert_array_equal(made.ridge, np.full(FREE.size, 2.0 / GAMES))
    np.testing.assert_array_equal(made.prior, FREE.start)
    assert made.roughness is None
    assert made.constraints is None


def test_ridge_and_prior_of_single_weights() -> None:
    made = restraints(table={"ridge": 8.0, "prior": 5.0}, pawn__eg={"ridge": 0.0})
    changed = where(*TABLE)
    assert (made.ridge[changed] == 8.0 / GAMES).all()
    assert (made.prior[changed] == 5.0).all()
    assert made.ridge[where("pawn.eg")] == 0.0
    assert made.prior[where("pawn.eg")] == FREE.start[where("pawn.eg")]


def test_bounds_and_signs() -> None:
    made = restraints(pawn={"lower": -3, "upper": 9}, table={"sign": "+"}, plain={"sign": "-", "lower": -7})
    constraints = made.constraints
    assert constraints is not None
    assert constraints.lower[where("pawn.mg", *TABLE, "plain[0]")].tolist() == [-3, *[0] * 8, -7]
    assert constraints.upper[where("pawn.mg", *TABLE, "plain[0]")].tolist() == [9, *[np.inf] * 8, 0]


def test_later_rules_win() -> None:
    made = make_restraints(
        {"*": Rule(lower=0.0), "pawn": Rule(lower=-4.0), "pawn.eg": Rule(lower=-9.0)},
        FREE, ridge=1.0, prior=FREE.start, games=1.0,
    )  # fmt: skip
    assert made.constraints is not None
    assert made.constraints.lower[where("pawn.mg", "pawn.eg", "plain[1]")].tolist() == [-4, -9, 0]


def test_monotone_tables_follow_their_labels_in_each_phase() -> None:
    made = restraints(table={"monotone": "increasing"}, table_late={"monotone": "decreasing"})
    assert made.constraints is not None
    chains = [(chain.members.tolist(), chain.increasing) for chain in made.constraints.chains]
    assert chains == [
        (where(*TABLE[0::2]), True),
        (where(*TABLE[1::2]), True),
        (where(*(f"table_late[{label}].eg" for label in range(3))), False),
    ]


def test_one_phase_of_a_table_can_be_monotone() -> None:
    made = restraints(table__eg={"monotone": "increasing"})
    assert made.constraints is not None
    assert [chain.members.tolist() for chain in made.constraints.chains] == [where(*TABLE[1::2])]


def test_an_untapered_table_is_one_chain() -> None:
    made = restraints(plain={"monotone": "increasing"})
    assert made.constraints is not None
    assert [chain.members.tolist() for chain in made.constraints.chains] == [where("plain[0]", "plain[1]")]


def test_smooth_tables_have_second_differences() -> None:
    made = restraints(table={"smooth": 3.0}, table_late={"smooth": 12.0})
    dense = made.roughness.toarray()
    x = np.random.default_rng(1).normal(0, 50, FREE.size)
    wanted = 0.0
    for price, names in (
        (3.0, TABLE[0::2]),
        (3.0, TABLE[1::2]),
        (12.0, [f"table_late[{i}].eg" for i in range(3)]),
    ):
        wanted += price / GAMES * float((np.diff(x[where(*names)], 2) ** 2).sum())
    assert float(((dense @ x) ** 2).sum()) == pytest.approx(wanted)


def test_boards_are_smooth_along_ranks_and_files() -> None:
    squares = [file + rank for rank in "12345678" for file in "abcdefgh"]
    triples = [tuple(squares[place] for place in triple) for triple in neighbours(squares)]
    assert len(triples) == len(set(triples)) == 2 * 8 * 6
    assert ("a1", "b1", "c1") in triples and ("a1", "a2", "a3") in triples
    assert not any({"h1", "a2"} <= set(triple) for triple in triples)
    assert len(list(neighbours(squares[8:56]))) == 6 * 6 + 8 * 4  # pawns: six ranks


def test_lasso_prices_are_per_centipawn() -> None:
    made = restraints(table={"lasso": 5.0, "prior": 0.0}, pawn={"group": 4.0})
    constraints = made.constraints
    assert constraints is not None
    x = FREE.start.copy()
    x[where("table[1].mg")] = 100.0
    x[where(*(name for name in TABLE if name != "table[1].mg"))] = 0.0
    assert constraints.penalty(x) == pytest.approx(5.0 / GAMES)
    x[where("pawn.mg")] += 60.0
    x[where("pawn.eg")] += 80.0
    assert constraints.penalty(x) == pytest.approx(5.0 / GAMES + 4.0 / GAMES * np.sqrt(2.0))


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("table", ["table"]),
        ("table*", ["table", "table_late"]),
        ("table*.eg", ["table.eg", "table_late.eg"]),
        ("table[2].mg", ["table[2].mg"]),
        ("*", ["pawn", "table", "table_late", "plain"]),
    ],
)
def test_patterns_stand_for_terms(pattern: str, names: list[str]) -> None:
    assert matching(SHAPE, pattern) == names


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"tabel": {"lower": 0}}, "table"),
        ({"tab*x": {"lower": 0}}, "no term is called"),
        ({"pawn": {"lower": 5, "upper": 4}}, "the lower bound 5 is above the upper bound 4"),
        (
            {"pawn": {"lower": 5}, "pawn.mg": {"upper": 4}},
            r"leave pawn.mg no value: .* at least 5 .* at most 4",
        ),
        ({"pawn": {"smooth": 1}}, "smooth needs a table of at least three weights"),
        ({"table": {"monotone": "increasing"}, "table.eg": {"monotone": "decreasing"}}, "^$"),
    ],
)
def test_rules_that_cannot_be(rules: dict[str, dict[str, Any]], message: str) -> None:
    if message == "^$":  # the later rule wins, as with bounds
        made = restraints(**{name.replace(".", "__"): keys for name, keys in rules.items()})
        assert made.constraints is not None
        assert [chain.increasing for chain in made.constraints.chains] == [True, False]
        return
    with pytest.raises((InputError, UnknownName), match=message):
        restraints(**{name.replace(".", "__"): keys for name, keys in rules.items()})


def test_rules_as_text() -> None:
    assert parse_rule("passed_pawn[rank 5].mg: lower=0, monotone = increasing") == (
        "passed_pawn[rank 5].mg", {"lower": "0", "monotone": "increasing"},
    )  # fmt: skip
    with pytest.raises(UnknownName, match="lower"):
        parse_rule("pawn: lowr=0")
    for text in ("pawn", "pawn: lower", "lower=0"):
        with pytest.raises(InputError, match="expected NAME: KEY=VALUE"):
            parse_rule(text)


def test_notes_name_what_is_held() -> None:
    made = restraints(pawn={"upper": 0}, table={"monotone": "increasing"})
    x = np.zeros(FREE.size)
    notes = held_notes(made.constraints, x, NAMES)
    assert notes == [
        "weights at their upper bound: pawn.mg, pawn.eg",
        "weights equal to a neighbour, to keep tables monotone:"
        " table[1].mg, table[2].mg, table[3].mg and 3 more",
    ]
    assert held_notes(None, x, NAMES) == []


# --- in a job -----------------------------------------------------------------------------------------


def test_rules_come_from_a_file_a_setting_and_python_alike(tmp_path: Path) -> None:
    file = tmp_path / "job.toml"
    file.write_text(
        'tie = [["material_knight.mg", "material_bishop.mg"]]\n'
        '[rules."passed_pawn.mg"]\nlower = 0\nmonotone = "increasing"\n[rules."psqt_*"]\nsmooth = 0.5\n'
    )
    settings = [
        'tie=[["material_knight.mg", "material_bishop.mg"]]',
        "rules.passed_pawn.mg.lower=0",
        "rules.passed_pawn.mg.monotone=increasing",
        'rules."psqt_*".smooth=0.5',
    ]
    rules = {"passed_pawn.mg": {"lower": 0, "monotone": "increasing"}, "psqt_*": {"smooth": 0.5}}
    tie = [["material_knight.mg", "material_bishop.mg"]]
    assert read_job(file) == make_job(settings) == make_job(rules=rules, tie=tie)
    (tmp_path / "again.toml").write_text(read_job(file).to_toml())
    assert read_job(tmp_path / "again.toml") == read_job(file)
    assert read_job(file, ["rules.passed_pawn.mg.upper=50"]).rules["passed_pawn.mg"] == Rule(
        lower=0, upper=50, monotone="increasing"
    )


@pytest.mark.parametrize(
    "setting", ["rules.tempo.lowr=0", "rules.tempo.monotone=up", "rules.tempo.smooth=-1"]
)
def test_mistakes_in_rules_are_named(setting: str) -> None:
    with pytest.raises(InputError, match=r"rules\.tempo"):
        make_job([setting])


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"table": {"prior": 3.0, "ridge": 0.0}}, "rule table: nothing pulls to its prior without a ridge"),
        ({"pawn": {"monotone": "increasing"}}, "rule pawn: monotone needs a table of at least two weights"),
        ({"table[1]": {"monotone": "increasing"}}, r"rule table\[1\]: monotone needs a table"),
        ({"table_late__mg": {"lower": 0.0}}, "rule table_late.mg: all its weights are frozen or in a phase"),
    ],
)
def test_rules_that_can_have_no_effect_are_refused(rules: dict[str, dict[str, Any]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        restraints(**rules)


def test_a_prior_has_an_effect_where_anything_pulls() -> None:
    for keys in ({"lasso": 1.0}, {"group": 1.0}, {"ridge": 1.0}):
        assert (restraints(table={"ridge": 0.0, "prior": 3.0, **keys}).prior[where(*TABLE)] == 3.0).all()
    whole = {"*": {"ridge": 0.0, "prior": 3.0}}
    assert (restraints(**whole, pawn={"ridge": 1.0}).prior == 3.0).all()


def test_a_rule_of_frozen_weights_is_refused() -> None:
    frozen = make_parameters(weights(SHAPE, 0.0), freeze=["table"])
    with pytest.raises(InputError, match="rule table: all its weights are frozen"):
        make_restraints({"table": Rule(lower=0.0)}, frozen, ridge=1.0, prior=frozen.start, games=1.0)
    make_restraints({"table*": Rule(lower=0.0)}, frozen, ridge=1.0, prior=frozen.start, games=1.0)


def test_names_are_looked_up_before_the_data_are_read(tmp_path: Path) -> None:
    for setting in (
        "freeze=material_pwan",
        'tie=[["material_pwan", "tempo"]]',
        "rules.material_pwan.lower=0",
    ):
        with pytest.raises(UnknownName, match="material_pawn"):
            run(job(tmp_path / "nosuch.epd", setting))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "games.parquet"
    write_positions(random_games(), path)
    return path


def job(data: Path, *settings: str, evaluation: str = "material") -> Job:
    given = [f"evaluation={evaluation}", "threads=1", "ridge=0.01", "errors=false", *settings]
    return make_job(given, data=[str(data)])


def test_a_fit_keeps_its_rules_and_says_which_weights_they_hold(data: Path) -> None:
    free = run(job(data))
    fit = run(job(data, "rules.material_knight.upper=300", "rules.material_*.mg.lower=100"))
    assert (fit.fitted.values[:, 0] >= 100.0).all()
    assert max(fit.fitted["material_knight", ""]) <= 300.0
    assert free.fitted.values[:, 0].min() < 100.0
    assert any("weights at their upper bound: material_knight" in note for note in fit.notes)
    assert fit.minimum.converged


def test_rules_hold_for_weights_that_no_position_has(data: Path) -> None:
    plain = run(job(data, evaluation="psqt"))
    column = int(np.flatnonzero(plain.occurrences == 0)[0])
    term, label = plain.parameters.layout.names[column]
    assert plain.fitted.values[column].tolist() == plain.evaluation.start.values[column].tolist()
    fit = run(
        job(data, f"rules.{term}[{label}].upper=-70", f"rules.{term}[{label}].lower=-90", evaluation="psqt")
    )
    assert ((fit.fitted.values[column] >= -90.0) & (fit.fitted.values[column] <= -70.0)).all()
    ordered = run(job(data, "rules.psqt_king.monotone=increasing", evaluation="psqt"))
    assert (np.diff(ordered.fitted.of_term("psqt_king"), axis=0) >= -1e-9).all()
    assert ordered.minimum.converged


def test_tied_weights_are_equal_in_the_result(data: Path) -> None:
    fit = run(job(data, 'tie=[["material_knight", "material_bishop"]]'))
    assert fit.fitted["material_knight", ""] == fit.fitted["material_bishop", ""]
    assert fit.parameters.size == 8


def test_a_dear_lasso_leaves_weights_exactly_at_their_prior(data: Path) -> None:
    fit = run(job(data, "rules.*.lasso=1e6"))
    np.testing.assert_array_equal(fit.fitted.values, fit.evaluation.start.values)
    assert any("at their prior" in note for note in fit.notes)


def test_the_prior_can_be_zero(data: Path) -> None:
    fit = run(job(data, "prior=zero", "ridge=1e9"))
    np.testing.assert_allclose(fit.fitted.values, 0.0, atol=1e-3)


@pytest.mark.parametrize("loss", ["squared", "cross-entropy", "linear", "score-squared", "huber"])
def test_every_loss_runs_from_a_job(data: Path, loss: str) -> None:
    fit = run(job(data, f"loss={loss}"))
    assert fit.minimum.converged
    assert fit.losses["fitted"].train <= fit.losses["start"].train


def test_loss_options_are_checked() -> None:
    assert make_job(["loss_options.width=0.5"], loss="huber").loss_function().width == 0.5  # type: ignore[attr-defined]
    with pytest.raises(UnknownName, match="width"):
        make_job(["loss_options.widht=0.5"], loss="huber")
    with pytest.raises(InputError, match="must be above 0"):
        make_job(["loss_options.width=0"], loss="huber")


def test_chain_members_are_not_shared_between_rules() -> None:
    rules = {"table": Rule(monotone="increasing"), "table[1].mg": Rule(lower=0.0)}
    made = make_restraints(rules, FREE, ridge=1.0, prior=FREE.start, games=1.0)
    assert made.constraints is not None
    assert all(isinstance(chain, Chain) for chain in made.constraints.chains)
    assert len(made.constraints.chains) == 2


def test_the_rules_of_the_documentation_are_a_job(tmp_path: Path) -> None:
    page = (Path(__file__).parents[1] / "docs" / "fitting.md").read_text(encoding="utf-8")
    file = tmp_path / "job.toml"
    file.write_text(page.split("```toml\n")[1].split("```")[0], encoding="utf-8")
    job = read_job(file)
    start = load_evaluation("default").start
    free = make_parameters(start, freeze=job.freeze, tie=job.tie)
    made = make_restraints(job.rules, free, ridge=job.ridge, prior=free.start, games=100.0)
    assert made.constraints is not None and made.roughness is not None
    assert made.constraints.kinds() == ["bounds", "monotone tables", "lasso penalties"]
    assert len(made.constraints.groups) == 6
    end = model_minimum(np.eye(free.size), np.zeros(free.size), free.start, made.constraints)
    assert not made.constraints.broken(end.x)
