"""Keys of a job that contradict each other or would have no effect are refused before anything is read."""

import pytest

from evalcore.errors import InputError
from tuner.job import Job, make_job
from tuner.optimizers import OPTIMIZERS

CONFLICTS: list[tuple[list[str], str]] = [
    (["method=linear"], "squared is none: take --loss linear or score-squared, or --method texel"),
    (["method=linear", "loss=huber"], "huber is none: take --loss linear or score-squared"),
    (["method=linear", "loss=linear", "objective=ranking"], "objective ranking is none: leave the objective"),
    (["objective=concordance"], "which method texel needs: take --method local, spsa, rspsa, evolution"),
    (["objective=concordance", "method=sgd"], "or --objective ranking, its smooth form"),
    (["method=cg", "rules.tempo.lower=0"], "cg cannot keep bounds .rule tempo.: take one of texel, newton"),
    (["method=cg", "rules.tempo.sign=+"], "cannot keep bounds"),
    (["method=lbfgs", "rules.passed_pawn.monotone=increasing"], "lbfgs cannot keep monotone tables"),
    (
        ["method=sgd", "rules.tempo.lasso=1"],
        "sgd cannot keep lasso penalties .rule tempo.: take one of texel",
    ),
    (["method=adam", "rules.tempo.group=1"], "cannot keep lasso penalties"),
    (["loss=score-squared", "result_share=0.5"], "compares scores alone, so result_share 0.5 would have no"),
    (["loss=huber", "result_share=0"], "result_share 0 would have no effect"),
    (["loss=huber", "k=1.2"], "k would have no effect: set score_k"),
    (
        ["objective=comparison", "loss=huber"],
        "huber compares scores and fits no K, and K is all that objective",
    ),
    (["objective=ranking", "loss=score-squared"], "leave it out .*, or take objective labels"),
    (["objective=concordance", "method=local", "loss=huber"], "objective concordance takes from a loss"),
    (
        ["objective=ranking", "loss=linear", "k=1"],
        "linear would have no effect: objective ranking takes only K",
    ),
    (["score_k=1.1"], "a result_share of 1 does not use: set result_share below 1"),
    (["pairs=8"], "objective labels has none"),
    (["pairs=8", "objective=concordance", "method=local"], "objective concordance has none"),
    (["validation=0", "split=position"], "split position would have no effect"),
    (["prior=zero", "ridge=0"], "prior zero would have no effect: nothing pulls there with ridge 0"),
    (['tie=[["tempo"]]'], "tie tempo: a tie needs two different names"),
    (['tie=[["tempo", "tempo"]]'], "a tie needs two different names"),
    (["tie=[[]]"], "tie of nothing: a tie needs two different names"),
]


@pytest.mark.parametrize(("settings", "sentence"), CONFLICTS, ids=lambda each: " ".join(each)[:60])
def test_a_conflict_is_one_sentence_with_a_way_out(settings: list[str], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as raised:
        make_job(settings)
    assert "\n" not in str(raised.value)


ALLOWED = [
    ["method=linear", "loss=linear"],
    ["method=linear", "loss=score-squared", "score_k=1.2"],
    ["method=linear", "loss=linear", "rules.tempo.lower=0", "rules.tempo.lasso=1"],
    ["objective=concordance", "method=spsa"],
    ["objective=ranking", "pairs=8"],
    ["objective=ranking", "loss=cross-entropy"],
    ["objective=ranking", "k=1"],
    ["objective=ranking", "result_share=0", "score_k=1"],
    ["objective=comparison", "pairs=8", "method=lbfgs"],
    ["result_share=0.5", "score_k=1.1"],
    ["method=cg", "rules.tempo.ridge=3", "rules.passed_pawn.smooth=3"],
    ["prior=zero", "ridge=0", "rules.tempo.lasso=1"],
    ["prior=zero", "ridge=0", "rules.tempo.ridge=1"],
    ["validation=0"],
]


@pytest.mark.parametrize("settings", ALLOWED, ids=" ".join)
def test_what_goes_together_is_allowed(settings: list[str]) -> None:
    assert isinstance(make_job(settings), Job)


def test_the_defaults_of_every_key_are_no_conflict() -> None:
    """A job that is written out with all its defaults is the same job."""
    whole = make_job().model_dump()
    assert make_job(**whole) == make_job()


@pytest.mark.parametrize("method", OPTIMIZERS)
def test_methods_without_gradients_are_those_that_concordance_offers(method: str) -> None:
    needs_gradients = method in (
        "texel", "newton", "gauss-newton", "lbfgs", "cg", "linear", "sgd", "adagrad", "adam", "online-lbfgs",
    )  # fmt: skip
    settings = ["objective=concordance", f"method={method}", "loss=linear"]
    if needs_gradients:
        with pytest.raises(InputError, match="objective concordance"):
            make_job(settings)
    else:
        make_job(settings)
