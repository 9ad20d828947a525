"""N_t from models: the prior of link probabilities, against populations whose truth is known."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf

KEYS = ["job", "town", "age", "sex"]


def population(seed: int, n: int = 30_000, *, follows: float = 0.0) -> dict[str, list[str]]:
    """Draw people whose keys have rare levels, job and sex being dependent; a share has the town that goes with the job."""
    draw = np.random.default_rng(seed)

    def zipf(levels: int) -> np.ndarray:
        p = 1 / np.arange(1, levels + 1) ** 1.2
        return draw.choice(levels, n, p=p / p.sum())

    job, town, age = zipf(50), zipf(40), zipf(40)
    town = np.where(draw.random(n) < follows, (job * 7) % 40, town)
    sex = draw.random(n) < np.where(job % 2, 0.9, 0.1)
    codes = {"job": job, "town": town, "age": age, "sex": sex.astype(int)}
    return {k: [f"{k}{x}" for x in v] for k, v in codes.items()}


def sampled(seed: int, share: float, *, follows: float = 0.0) -> tuple[cf.Microdata, np.ndarray]:
    """Give a sample with weights, and the true 1/F of each record."""
    people = population(seed, follows=follows)
    n = len(people["job"])
    _, of, size = np.unique(
        ["|".join(x) for x in zip(*people.values(), strict=True)], return_inverse=True, return_counts=True
    )
    rows = np.random.default_rng(seed + 1).choice(n, int(n * share), replace=False)
    data = {k: [v[i] for i in rows] for k, v in people.items()}
    file = cf.Microdata.from_dict({**data, "w": [1 / share] * rows.size})
    return file.declare(weight="w", kinds={"w": "continuous"}), 1 / size[of[rows]]


def unsure(model: object = None, **changes: object) -> cf.Intruder:
    return cf.Intruder(knows=KEYS, target_in_file=False, population=model, **changes)


def test_weights_understate_sample_uniques_and_models_do_not():
    """Twenty times too low with weights, five times with the negative binomial model; the log-linear model is right."""
    file, truth = sampled(1, 0.02)
    released = cf.Release().apply(file, seed=1)
    links = {
        "weights": cf.link(released, unsure()),
        "negative": cf.link(released, unsure(cf.NegativeBinomialPopulation())),
        "loglinear": cf.link(released, unsure(cf.LogLinearPopulation())),
        "pitman": cf.link(released, unsure(cf.PitmanPopulation())),
    }
    unique = links["weights"].sample_matches == 1
    risky = int((truth > 0.2).sum())
    stated = {k: int((x.best > 0.2).sum()) for k, x in links.items()}
    means = {k: float(x.own[unique].mean()) for k, x in links.items()}
    assert (stated["weights"], stated["negative"]) == (0, 0)
    assert risky > 100
    assert 0.7 * risky < stated["loglinear"] < 1.3 * risky
    assert means["weights"] < truth[unique].mean() / 10
    assert means["negative"] < truth[unique].mean() / 3
    assert means["loglinear"] == pytest.approx(truth[unique].mean(), rel=0.2)
    assert means["pitman"] == pytest.approx(truth[unique].mean(), rel=0.3)
    # it tells the records apart: those it says are at risk are
    chosen = links["loglinear"].own > 0.5
    assert truth[chosen].mean() == pytest.approx(links["loglinear"].own[chosen].mean(), abs=0.1)


def test_no_model_is_safe_by_itself():
    """Where keys of many levels depend on each other, the log-linear model follows their sparse margin."""
    file, truth = sampled(1, 0.02, follows=0.5)
    released = cf.Release().apply(file, seed=1)
    low, pitman = (cf.link(released, unsure(model)) for model in (cf.LogLinearPopulation(), cf.PitmanPopulation()))
    unique = low.sample_matches == 1
    assert low.own[unique].mean() < 0.8 * truth[unique].mean()
    assert "no misfit shows" in low.people_notes[1]
    assert pitman.own[unique].mean() == pytest.approx(truth[unique].mean(), rel=0.1)


def test_the_model_reads_the_released_coding():
    file, _ = sampled(2, 0.05)
    released = cf.Release().apply(file, seed=1)
    model = cf.LogLinearPopulation(cf.MainEffects(), fraction=0.05)
    links = cf.link(released, unsure(model))
    risk = cf.loglinear_risk(file, KEYS, cf.MainEffects(), fraction=0.05)
    unique = links.sample_matches == 1
    assert links.own[unique] == pytest.approx(risk.per_record[unique])
    want = cf.poisson_frequency(links.sample_matches, risk.mean / 0.05, 0.05).harmonic
    assert links.population_matches == pytest.approx(want)


def test_perturbed_variables_do_not_enter_the_key():
    file, _ = sampled(3, 0.05)
    released = cf.Release(cf.Swap("town", rate=0.4)).apply(file, seed=1)
    links = cf.link(released, unsure(cf.PitmanPopulation()))
    frequency = cf.population_uniques(file, ["job", "age", "sex"]).fitted
    alone = links.sample_matches == 1
    assert alone.any()
    assert links.population_matches[alone] == pytest.approx(1 / frequency.inverse)
    assert links.null[links.sample_matches > 0].min() > 0


class Recorded:
    """A model of one's own: everybody is one of twice as many."""

    def __init__(self) -> None:
        self.asked: list[cf.ReleasedCells] = []

    def people(self, cells: cf.ReleasedCells) -> cf.ModelledPeople:
        self.asked.append(cells)
        f = cells.f.astype(float)
        return cf.ModelledPeople(cf.PopulationFrequency(2 * f, 0 * f, 1 / (2 * f)), ("twice as many",))

    def describe(self) -> str:
        return "twice the records"


def test_a_model_of_ones_own_gives_the_prior():
    file = cf.Microdata.from_dict({"job": list("aabc"), "town": list("xxyy"), "age": list("1112"), "sex": list("ffff")})
    released = cf.Release().apply(file, seed=1)
    others = cf.Microdata.from_dict({"job": ["a", "z"], "town": ["x", "x"], "age": ["1", "1"], "sex": ["f", "f"]})
    model = Recorded()
    assert isinstance(model, cf.PopulationModel)
    links = cf.link(released, unsure(model), cf.Targets.of_records(others))
    (asked,) = model.asked
    assert sorted(asked.f.tolist()) == [1, 1, 2]
    assert asked.keys == tuple(KEYS)
    assert links.row(0).p.tolist() == pytest.approx([0.25, 0.25, 0, 0])
    assert links.null.tolist() == pytest.approx([0.5, 1.0])
    # without a consistent record nothing is said of N_t, and the null link is certain
    assert links.population_matches[0] == 4
    assert np.isnan(links.population_matches[1])
    assert "0 consistent records, an unknown number of people" in repr(links.row(1))
    assert links.people_notes == ("twice as many",)
    assert "twice the records" in " ".join(unsure(model).describe())


def test_mixing_over_people_is_right_and_plugging_in_is_too_low():
    """The posterior of one target by simulation: draw N_t given n_t, then whether the target is among the records."""
    rng = np.random.default_rng(5)
    f, people, pi = 2, 5.0, 0.3
    likelihood = {True: [0.6, 0.4], False: [0.1, 0.9]}
    total = rng.poisson(people, 2_000_000)
    records = rng.binomial(total, pi)
    total = total[(records == f)]
    whose = rng.integers(0, total)  # the target is one of the people; those below f have records
    shown = np.array([rng.random(total.size) < likelihood[False][0] for _ in range(f)])
    for j in range(f):
        shown[j] = np.where(whose == j, rng.random(total.size) < likelihood[True][0], shown[j])
    seen = shown[0] & ~shown[1]
    want = np.array([(whose[seen] == j).mean() for j in range(f)])
    error = 4 * np.sqrt(0.25 / seen.sum())
    evidence = [likelihood[True][0] / likelihood[False][0], likelihood[True][1] / likelihood[False][1]]
    p, null = cf.look_alike_posterior(evidence, lambda n: cf.poisson_frequency(n, people, pi))
    assert np.abs(p - want).max() < error
    assert p.sum() + null == pytest.approx(1)
    low, _ = cf.look_alike_posterior(evidence, lambda n: cf.poisson_frequency(n, people, pi), cf.PlugInPeople())
    assert want[0] - low[0] > 3 * error


def test_a_single_target_without_consistent_record_does_not_ask_the_model():
    p, null = cf.look_alike_posterior([], lambda n: cf.poisson_frequency(n, 5.0, 0.3))
    assert (p.size, null) == (0, 1.0)


def test_all_terms_impossible_is_an_error():
    with pytest.raises(cf.LikelihoodError, match="likelihood of 0"):
        cf.look_alike_posterior([0.0, 0.0], lambda n: cf.poisson_frequency(n, 5.0, 1.0))
    with pytest.raises(cf.IntruderError, match="finite and 0 or more"):
        cf.look_alike_posterior([np.nan], lambda n: cf.poisson_frequency(n, 5.0, 1.0))


def test_one_of_several_levels_is_a_coarser_variable_for_a_model():
    file, _ = sampled(4, 0.02)
    whose, model = cf.Targets.where(town="town0"), cf.PitmanPopulation()
    town = ["either" if x in ("town0", "town1") else x for x in file.column("town").values()]
    coarser = cf.Microdata.from_dict({**{k: file.column(k).values() for k in file.names}, "town": town})
    partly = unsure(model).but(knows=["job", cf.OneOf("town", ["town0", "town1"])])
    found = cf.link(cf.Release().apply(file, seed=1), partly, whose)
    rows = [i for i, x in enumerate(file.column("town").values()) if x == "town0"]
    exact = cf.link(
        cf.Release().apply(coarser.declare(weight="w", kinds={"w": "continuous"}), seed=1),
        unsure(model).but(knows=["job", "town"]),
        cf.Targets.of_rows(rows),
    )
    assert found.own == pytest.approx(exact.own, rel=1e-9)
    assert found.population_matches == pytest.approx(exact.population_matches, rel=1e-9)


def test_what_a_model_cannot_say_is_refused():
    file, _ = sampled(4, 0.02)
    plain, model = cf.Release().apply(file, seed=1), cf.PitmanPopulation()
    pay = cf.Microdata.from_dict({**{k: file.column(k).values() for k in file.names}, "pay": [1.5] * file.n})
    pay = pay.declare(weight="w", kinds={"w": "continuous", "pay": "continuous"})
    with pytest.raises(cf.IntruderError, match="known only partly"):
        cf.link(cf.Release().apply(pay, seed=1), unsure(model).but(knows=["job", cf.Between("pay", 1, 2)]))
    with pytest.raises(cf.IntruderError, match="simulated"):
        cf.link(cf.Release(cf.Simulate(n=5)).apply(file, seed=1), unsure(model))
    swapped = cf.Release(*(cf.Swap(k, rate=0.2) for k in KEYS)).apply(file, seed=1)
    with pytest.raises(cf.IntruderError, match="everybody is like the target"):
        cf.link(swapped, unsure(model))
    with pytest.raises(cf.IntruderError, match="more than E"):
        cf.link(plain, unsure(model, matching=cf.WithoutReplacement()))
    bare = cf.Release().apply(file.without(["w"]), seed=1)
    with pytest.raises(cf.DeclarationError, match="population_size"):
        cf.link(bare, unsure(model))
    with pytest.raises(cf.IntruderError, match="fraction"):
        cf.link(bare, unsure(cf.LogLinearPopulation()))
    with pytest.raises(cf.IntruderError, match="survey weights"):
        cf.link(bare, unsure(cf.NegativeBinomialPopulation()))
    with pytest.raises(cf.ModelError, match="cannot be fitted"):
        cf.link(plain, unsure(model).but(knows=["job"]))
    with pytest.raises(cf.IntruderError, match="found Pitman"):
        unsure(cf.Pitman())


def test_one_target_without_replacement_is_equation_1_with_a_model_too():
    file, _ = sampled(4, 0.02)
    released, intruder = cf.Release().apply(file, seed=1), unsure(cf.PitmanPopulation())
    for row in (0, 5):
        one = cf.link(released, intruder, cf.Targets.of_rows([row]))
        joint = cf.link(released, intruder.but(matching=cf.WithoutReplacement()), cf.Targets.of_rows([row]))
        assert joint.row(0).p == pytest.approx(one.row(0).p)


def test_a_model_that_does_not_fit_says_so():
    file, _ = sampled(1, 0.1)
    released = cf.Release().apply(file, seed=1)
    (_, main) = cf.link(released, unsure(cf.LogLinearPopulation(cf.MainEffects()))).people_notes
    assert "underfits, and the probabilities are overstated" in main
    (_, blind) = cf.link(released, unsure(cf.LogLinearPopulation(cf.MainEffects(), test=False))).people_notes
    assert "not tested" in blind
    (pitman,) = cf.link(released, unsure(cf.PitmanPopulation())).people_notes
    assert "standard error" in pitman
