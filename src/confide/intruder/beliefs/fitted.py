"""Beliefs fitted to the source file: the sophisticated intruder of the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from confide.data.column import Column
from confide.data.packing import groups
from confide.errors import IntruderError
from confide.intruder.beliefs.design import Design
from confide.intruder.beliefs.multinomial import fit_multinomial, log_probabilities
from confide.intruder.beliefs.prior import LOGNORMAL, NORMAL, REPLACED, SILENT, AmountPrior, UnitPrior
from confide.intruder.beliefs.regression import AmountModel, fit_amount
from confide.typing import BoolArray, FloatArray, IntArray

MOST_COMBINATIONS = 5_000


@dataclass(frozen=True, slots=True)
class FittedBeliefs:
    """Models of the perturbed variables given the others, fitted to the source file (section 4.2).

    A multinomial regression gives the joint probabilities of all swapped categories; a regression
    of each noisy amount (of its logarithm where amounts have one sign) on the same covariates and
    the categories gives its distribution. Zeros and topcoded values are classes of their own.
    Several amounts are taken as independent given covariates and categories.
    """

    product_of_dot_products: bool = False
    """Multiply one sum per swapped variable, as the paper does to save time, instead of summing
    over their joint categories. It ignores their dependence (.2166 against .1950 in the
    reproduced example)."""

    def describe(self) -> str:
        """Say it in words."""
        how = "product of dot products (an approximation)" if self.product_of_dot_products else "joint sum"
        return f"regressions fitted to the source file, {how}"


@dataclass(frozen=True, slots=True, eq=False)
class FittedModel:
    """The fitted regressions, ready to be evaluated at any covariates."""

    design: Design
    """The covariates."""
    variables: tuple[str, ...]
    """The categorical variables, in the order of `combinations`."""
    combinations: IntArray
    """Combinations of levels that occur, combinations by variables."""
    coefficients: FloatArray | None
    """The multinomial regression, or None when there is nothing to choose from."""
    indicators: FloatArray
    """Indicators of the levels in each combination."""
    amounts: Mapping[str, AmountModel]
    """The regressions of the amounts."""
    source_columns: tuple[Column, ...]
    """The covariates of the source records."""
    source_combination: IntArray
    """The combination of each source record."""
    silent: Mapping[str, BoolArray]
    """For amounts whose class is one of the categories, in which combinations the class says all."""
    replaced: Mapping[str, FloatArray]
    """For these amounts, the number that was perturbed in each combination, where it is the same for all; else NaN."""

    def log_weights(self, columns: Sequence[Column], n: int) -> FloatArray:
        """Give the log probabilities of the combinations at the given covariates."""
        if self.coefficients is None:
            return np.zeros((n, self.combinations.shape[0]))
        return log_probabilities(self.design.matrix(columns, n), self.coefficients)

    def amount_means(self, name: str, columns: Sequence[Column], n: int) -> FloatArray:
        """Give the mean of an amount for all combinations at the given covariates."""
        model = self.amounts[name]
        x = self.design.matrix(columns, n)
        split = x.shape[1]
        base = x @ model.coefficients[:split]
        return np.asarray(base[:, None] + (self.indicators @ model.coefficients[split:])[None, :], dtype=np.float64)

    def prior(self, columns: Sequence[Column], n: int) -> UnitPrior:
        """Give the mixture for each kind of unit."""
        weight = self.log_weights(columns, n)
        amounts = {}
        for name, model in self.amounts.items():
            family = np.full(weight.shape, LOGNORMAL if model.log_scale else NORMAL, dtype=np.int64)
            if name in self.silent:
                family[:, self.silent[name]] = SILENT
            means = self.amount_means(name, columns, n)
            if name in self.replaced:
                instead = self.replaced[name]
                put = ~np.isnan(instead)
                family[:, put], means[:, put] = REPLACED, instead[put]
            amounts[name] = AmountPrior(family, means, np.full(weight.shape, model.sd), model.negative)
        categories = {v: self.combinations[None, :, k] for k, v in enumerate(self.variables)}
        return UnitPrior(weight, categories, amounts, given_class=True)


def fit_model(
    columns: Sequence[Column],
    categories: Mapping[str, IntArray],
    amounts: Mapping[str, tuple[FloatArray, BoolArray]],
    n: int,
    silent: Mapping[str, tuple[str, BoolArray, FloatArray]] | None = None,
) -> FittedModel:
    """Fit the regressions to the source file.

    Args:
        columns: the unperturbed variables (z^Ad), as released, of the source records.
        categories: the level of each source record in each swapped variable.
        amounts: the values of each noisy amount, and which records are perturbed.
        n: the number of source records.
        silent: for amounts whose class is a category, its name, which of its levels say all, and the number that was
            perturbed at each level in the place of others, or NaN.
    """
    design = Design.of(columns)
    first, pattern = groups([c.profile()[0] for c in columns], n)
    x = design.matrix([c.take(first) for c in columns], first.size)
    names = tuple(categories)
    which, y = groups([categories[v] for v in names], n)
    combinations = np.column_stack([np.zeros((which.size, 0), dtype=np.int64), *(categories[v][which] for v in names)])
    size = which.size
    if size > MOST_COMBINATIONS:
        raise IntruderError(
            f"the perturbed variables have {size} joint categories, more than {MOST_COMBINATIONS}; "
            "recode some of them or set models_others=False"
        )
    coefficients = None
    if size > 1:
        counts = np.bincount(pattern * size + y, minlength=first.size * size).reshape(first.size, size)
        coefficients = fit_multinomial(x, counts.astype(np.float64))
    indicators = _indicators(combinations.astype(np.int64))
    at, cell = groups([pattern, y], n)
    full = np.column_stack([x[pattern[at]], indicators[y[at]]])
    fitted = {}
    for name, (values, rows) in amounts.items():
        # without perturbed records the model is never asked, but it must exist
        fitted[name] = fit_amount(full, cell[rows], values[rows]) if rows.any() else fit_amount(full, cell, np.zeros(n))
    at_level = {name: combinations[:, names.index(of)] for name, (of, _, _) in (silent or {}).items()}
    quiet = {name: levels[at_level[name]] for name, (_, levels, _) in (silent or {}).items()}
    put = {name: numbers[at_level[name]] for name, (_, _, numbers) in (silent or {}).items()}
    held: IntArray = combinations.astype(np.int64)
    return FittedModel(design, names, held, coefficients, indicators, fitted, tuple(columns), y, quiet, put)


def _indicators(combinations: IntArray) -> FloatArray:
    """Give indicators of all levels but the first of each variable."""
    parts = [np.zeros((combinations.shape[0], 0))]
    for k in range(combinations.shape[1]):
        levels = np.unique(combinations[:, k])
        parts.append((combinations[:, k][:, None] == levels[None, 1:]).astype(np.float64))
    return np.column_stack(parts)
