"""Fit one model to the source and to the release, and say how close they are."""

from __future__ import annotations

import numpy as np

from confide.data.microdata import Microdata
from confide.errors import HarmError, raise_all, unknown
from confide.harm.model.categories import fit_categories
from confide.harm.model.closeness import squared_distance
from confide.harm.model.coding import in_released_coding
from confide.harm.model.design import PairedDesign, pair_design
from confide.harm.model.fit import Fit, check_size
from confide.harm.model.formula import ModelFormula
from confide.harm.model.given import GivenModel
from confide.harm.model.linear import fit_linear
from confide.harm.model.predictions import PredictionCloseness, compare_amounts, compare_categories, predicted
from confide.harm.model.records import Records, gather, without_logarithm
from confide.harm.model.response import Response, recoded, response_of
from confide.harm.model.result import CoefficientPair, ModelDisclosure
from confide.release.released import Released
from confide.typing import FloatArray

SOURCE, RELEASED = "source file", "released file"


def model_disclosure(
    released: Released,
    model: str | ModelFormula | GivenModel,
    *,
    wanted: bool | None = None,
    weights: bool = False,
) -> ModelDisclosure:
    """Say how close a model fitted to the release is to the one fitted to the source.

    Palley and Simonoff (1986) call it model disclosure where the model is confidential, such as the tax
    agency's model of compliance (Duncan and Lambert 1987, section 2). Where the model is what the file is
    released for, the same closeness is utility. Which of them it is must be declared with `wanted`.

    Amounts are explained by linear regression, two categories by logistic, more by multinomial regression.
    Terms that are categories enter as indicators. Both models are fitted to complete records. Values that the
    release writes in categories have coefficients of their own; these are not compared, but predictions are.

    Args:
        released: the release, with its source.
        model: a formula such as "income ~ age + education + log(tax)", or a GivenModel.
        wanted: True where closeness is wanted, False where the model is confidential, None where it is open.
        weights: whether records count by their survey weights; standard errors are then those of the sandwich.

    >>> import confide as cf
    >>> cps = cf.examples.cps()
    >>> masked = cf.Release(cf.Noise("age", sd=20)).apply(cps, seed=1)
    >>> found = cf.model_disclosure(masked, "income ~ age + sex", wanted=False)
    >>> [c.name for c in found.coefficients]
    ['(intercept)', 'age', 'sex[2]']
    >>> abs(found.coefficient("age").released) < abs(found.coefficient("age").source)
    True
    """
    source = _source(released)
    if wanted is not None and not isinstance(wanted, bool | np.bool_):
        raise HarmError(f"wanted must be True, False or None, found {type(wanted).__name__}")
    wanted = None if wanted is None else bool(wanted)
    if isinstance(model, GivenModel):
        if weights:
            raise HarmError("weights=True is for formulas; a given model's function weights the records itself")
        return _given(released, source, model, wanted=wanted)
    if isinstance(model, str):
        model = ModelFormula.parse(model)
    if not isinstance(model, ModelFormula):
        raise HarmError(
            f"a model is a formula such as 'income ~ age + sex', or GivenModel(...); found {type(model).__name__}"
        )
    return _formula(released, source, model, wanted=wanted, weighted=bool(weights))


def _source(released: Released) -> Microdata:
    """Give the source, or say that it is needed."""
    if not isinstance(released, Released):
        raise HarmError(
            f"a Released file is needed, found {type(released).__name__}; use Release(...).apply(data, seed=1) or "
            "Released.from_files(source, released)"
        )
    if released.source is None:
        raise HarmError("the release came without its source, so that models cannot be compared; use Released.from_files")
    return released.source


def _formula(
    released: Released, source: Microdata, formula: ModelFormula, *, wanted: bool | None, weighted: bool
) -> ModelDisclosure:
    """Compare two fits of a formula."""
    _check(released, source, formula)
    name = formula.response.variable
    response = response_of(str(formula.response), source.columns[name])
    _check_response(released, source, formula, response)
    own = gather(source, formula, SOURCE, amount=response.amount, weighted=weighted)
    other = gather(released.data, formula, RELEASED, amount=response.amount, weighted=weighted)
    if not response.amount:
        response = response_of(response.text, own.columns[formula.response])
    design = pair_design(released, source, formula, own, other)
    check_size(len(design.source_names) * max(len(response.levels) - 1, 1))
    check_size(len(design.released_names) * max(len(response.levels) - 1, 1))
    a = _fit(own, design.source, design.source_names, formula, response, weighted=weighted)
    b = _fit(other, design.released, design.released_names, formula, response, weighted=weighted)
    pairs = _pairs(response, design, a, b)
    prediction, left = _predictions(own, design, formula, response, a, b)
    how = response.title + (", survey weights, sandwich standard errors" if weighted else "")
    return ModelDisclosure(
        str(formula),
        how,
        released.name,
        wanted,
        pairs,
        _distance(response, design, a, b),
        prediction,
        (own.rows.size, own.total),
        (other.rows.size, other.total),
        (*own.notes, *other.notes, *design.notes, *left),
    )


def _check(released: Released, source: Microdata, formula: ModelFormula) -> None:
    """Collect every unknown variable and every logarithm that does not exist."""
    faults = [
        f"model {formula}: {unknown('variable', x, source.names)}" for x in formula.variables if x not in source.columns
    ]
    for term in (formula.response, *formula.terms):
        if not term.log or term.variable not in source.columns:
            continue
        column = source.columns[term.variable]
        bad = without_logarithm(column)
        if not column.is_number.any():
            kind = source.variables[term.variable].kind.value
            faults.append(f"{term}: {term.variable!r} is {kind} and holds no numbers; leave log() out")
        elif bad:
            faults.append(
                f"{term}: {bad:,} of {source.n:,} source values are zero or negative and have no logarithm; leave log() "
                f"out, or release the positive ones only: data.take(numpy.flatnonzero(data.column({term.variable!r})"
                ".numbers > 0))"
            )
    if formula.response.variable not in released.data.columns and formula.response.variable in source.columns:
        faults.append(
            f"the response {formula.response.variable!r} is not in the release, so that the model cannot be fitted to it; "
            "name a response that is released"
        )
    raise_all(faults, HarmError)


def _check_response(released: Released, source: Microdata, formula: ModelFormula, response: Response) -> None:
    """Raise where the release writes the response in other categories."""
    name = formula.response.variable
    column, given = source.columns[name], released.data.columns[name]
    if response.amount:
        if not given.is_number.any():
            raise HarmError(recoded(response.text))
        return
    coded = in_released_coding(released, column, name)
    labels = tuple(dict.fromkeys((*column.labels, *coded.labels)))
    a, b = column.relabelled(labels).codes, coded.relabelled(labels).codes
    if bool(np.any((a != b) & ~coded.is_missing)):
        raise HarmError(recoded(response.text))


def _fit(
    records: Records,
    x: FloatArray,
    names: tuple[str, ...],
    formula: ModelFormula,
    response: Response,
    *,
    weighted: bool,
) -> Fit:
    """Fit the model to one file."""
    column, w, file = records.columns[formula.response], records.weights, records.file
    if response.amount:
        return fit_linear(x, column.numbers, w, names, file, weighted=weighted)
    y = response.classes(column, file)
    return fit_categories(x, y, len(response.levels), w, names, file, weighted=weighted)


def _pairs(response: Response, design: PairedDesign, a: Fit, b: Fit) -> tuple[CoefficientPair, ...]:
    """Set the coefficients of both files side by side."""
    own = {n: k for k, (n, _) in enumerate(response.names(design.source_names))}
    other = {n: k for k, (n, _) in enumerate(response.names(design.released_names))}
    column = dict(response.names((*design.source_names, *design.released_names)))
    pairs = []
    for name in dict.fromkeys((*own, *other)):
        i, j = own.get(name), other.get(name)
        here = None if i is None else (float(a.estimates[i]), float(a.se[i]))
        there = None if j is None else (float(b.estimates[j]), float(b.se[j]))
        pairs.append(CoefficientPair.of(name, here, there, compared=column[name] in design.shared))
    return tuple(pairs)


def _distance(response: Response, design: PairedDesign, a: Fit, b: Fit) -> float | None:
    """Give the distance of the coefficients that are compared."""
    named, others = response.names(design.source_names), response.names(design.released_names)
    other = {n: k for k, (n, _) in enumerate(others)}
    i = [k for k, (_, column) in enumerate(named) if column in design.shared]
    if not i:
        return None
    j = [other[named[k][0]] for k in i]
    return float(np.sqrt(squared_distance(b.estimates[j] - a.estimates[i], a.covariance[np.ix_(i, i)])))


def _predictions(
    own: Records, design: PairedDesign, formula: ModelFormula, response: Response, a: Fit, b: Fit
) -> tuple[PredictionCloseness | None, tuple[str, ...]]:
    """Compare predictions of the source records; say how many the released model cannot predict."""
    rows = np.flatnonzero(design.covered)
    unknown_rows = int(design.covered.size - rows.size)
    notes = (f"{unknown_rows:,} source record(s) have values that the released model does not know",) if unknown_rows else ()
    if rows.size == 0:
        return None, (*notes, "no source record can be predicted by the released model")
    w, amount = own.weights[rows], response.amount
    column = own.columns[formula.response]
    y = column.numbers[rows] if amount else response.classes(column, SOURCE)[rows]
    if bool(np.all(y == y[0])):
        return None, (*notes, "the response is constant among those that the released model can predict")
    mine, theirs = predicted(a, design.source[rows], amount=amount), predicted(b, design.coded[rows], amount=amount)
    if amount:
        assert a.sd is not None
        return compare_amounts(y.astype(np.float64), mine, theirs, w, a.sd), notes
    return compare_categories(y.astype(np.int64), mine, theirs, w), notes


def _given(released: Released, source: Microdata, model: GivenModel, *, wanted: bool | None) -> ModelDisclosure:
    """Compare the estimates of a given function."""
    own, other = model.fit(source, SOURCE), model.fit(released.data, RELEASED)
    pairs = tuple(
        CoefficientPair.of(n, own.get(n), other.get(n), compared=n in own and n in other)
        for n in dict.fromkeys((*own, *other))
    )
    alone = [p.name for p in pairs if not p.compared]
    notes = [f"{', '.join(alone[:5])}{', ...' if len(alone) > 5 else ''}: given for one file only"] if alone else []
    notes.append("a given model has no covariance and no predictions, so there is no distance and no comparison of them")
    n, m = source.n, released.data.n
    how = "a given function"
    return ModelDisclosure(model.name, how, released.name, wanted, pairs, None, None, (n, n), (m, m), tuple(notes))
