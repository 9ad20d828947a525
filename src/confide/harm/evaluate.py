"""From links to harm: what is inferred about whom, and what it costs (Lambert 1993, section 6.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from confide.errors import HarmError, unknown
from confide.harm.acting import acted
from confide.harm.amount_costs import AmountCosts
from confide.harm.cases import blocks, cases, parts_with_targets, spread
from confide.harm.harm import Harm
from confide.harm.outcomes import outcome_codes
from confide.harm.protocol import CategoryCosts, NumberCosts
from confide.harm.result import Harmed
from confide.harm.sensitive import Sensitive, sensitive_of
from confide.harm.using import AllCandidates
from confide.linking.links import Links
from confide.linking.pairs import LinkedGroups, linked_groups
from confide.typing import BoolArray, FloatArray, IntArray

OUTCOMES = (
    "not re-identified",
    "false re-identification, nothing inferred",
    "true re-identification, nothing inferred",
    "false re-identification, inferred wrongly",
    "false re-identification, inferred correctly",
    "true re-identification, inferred wrongly",
    "true re-identification, inferred correctly",
)
AMOUNT_OUTCOMES = (*OUTCOMES[:3], "false re-identification, amount inferred", "true re-identification, amount inferred")


def harm_of(links: Links, harm: Harm) -> Harmed:
    """Give the harm that an intruder does to every target.

    Args:
        links: what `link` gave.
        harm: the attribute, how it is inferred and what that costs.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["m", "f", "f"], "hiv": ["yes", "no", "no"]})
    >>> links = cf.link(cf.Release().apply(data, seed=1), cf.Intruder(knows=["sex"]))
    >>> harm_of(links, Harm("hiv", cf.Outcomes(tt=10.0, ft=4.0), acts=0.4)).per_target.tolist()
    [10.0, 7.0, 7.0]
    """
    attribute = sensitive_of(links, harm.attribute)
    flow = _Flow(linked_groups(links), harm, attribute, Tally(links.n, amount=isinstance(harm.costs, AmountCosts)))
    flow.run()
    per_target = flow.tally.harm * _weights(links, harm)
    return flow.tally.result(harm, per_target, flow.linked, flow.has_value)


class Tally:
    """What is added up over the links that are made."""

    def __init__(self, n: int, *, amount: bool) -> None:
        self.amount = amount
        self.harm, self.correct, self.inferred, self.right = (np.zeros(n) for _ in range(4))
        self.outcomes = np.zeros(len(OUTCOMES))

    def add(self, target: IntArray, weight: FloatArray, correct: IntArray, inferred: IntArray, harm: FloatArray) -> None:
        """Add links: `inferred` is -1 where nothing is, 1 where the right thing is, else 0."""
        n = self.harm.size
        self.harm += np.bincount(target, weights=weight * harm, minlength=n)
        self.correct += np.bincount(target, weights=weight * correct, minlength=n)
        self.inferred += np.bincount(target, weights=weight * (inferred >= 0), minlength=n)
        self.right += np.bincount(target, weights=weight * (inferred == 1), minlength=n)
        self.outcomes += np.bincount(outcome_codes(correct, inferred), weights=weight, minlength=len(OUTCOMES))

    def result(self, harm: Harm, per_target: FloatArray, linked: Any, has_value: Any) -> Harmed:
        """Give what was added up."""
        o = self.outcomes.copy()
        o[0] = float(np.sum(~linked))
        counted = dict(zip(OUTCOMES, o.tolist(), strict=True))
        if self.amount:
            counted = dict(zip(AMOUNT_OUTCOMES, (*o[:3].tolist(), float(o[3] + o[4]), float(o[5] + o[6])), strict=True))
        right = None if self.amount else np.minimum(self.right, 1.0)
        correct, inferred = np.minimum(self.correct, 1.0), np.minimum(self.inferred, 1.0)
        return Harmed(harm, per_target, linked, correct, inferred, right, has_value, counted)


@dataclass(slots=True, eq=False)
class _Flow:
    """One intruder, one attribute."""

    found: LinkedGroups
    harm: Harm
    attribute: Sensitive
    tally: Tally
    linked: Any = None
    has_value: Any = None

    @property
    def amount_costs(self) -> NumberCosts:
        """The costs of an amount."""
        return cast("NumberCosts", self.harm.costs)

    def run(self) -> None:
        """Go through all links that are made.

        Targets without a true value are not harmed: what is inferred about them is neither right nor wrong.
        """
        self.linked = acted(self.harm.acts, self.found)
        if isinstance(self.harm.costs, AmountCosts):
            y = self.attribute.true_numbers
            if np.isnan(y).all() and not self.attribute.truth.is_missing.all():
                raise HarmError(
                    f"{self.harm.attribute!r} holds categories, no amounts; give costs for categories, as Outcomes(tt=1)"
                )
            self.has_value = ~np.isnan(y)
            told = self.harm.reading.amounts(self.attribute)
            known = told.known
            if not isinstance(self.harm.using, AllCandidates):
                self._amounts_linked(y, told, known)
            elif self.harm.bayesian:
                self._amounts_posterior(y, told, known)
            else:
                self._amounts_mean(y, told.estimate, known)
        else:
            truth = self.attribute.true_codes
            self.has_value = truth >= 0
            posterior = self.harm.reading.categories(self.attribute)
            for target, weight, correct, rows in self._category_rows(posterior):
                valued = self.has_value[target]
                self._add_categories(truth, target[valued], weight[valued], correct[valued], rows[valued])
                self._add_nothing(target[~valued], weight[~valued], correct[~valued])

    def _amounts_linked(self, y: FloatArray, told: Any, known: Any) -> None:
        """Infer from the linked record."""
        costs = self.amount_costs
        for case in cases(self.found, self.linked):
            has, true = known[case.record], np.nan_to_num(y[case.target])
            if self.harm.bayesian:
                harm = costs.expected(case.correct, true, told.belief.take(case.record), has)
            else:
                harm = costs.harm(case.correct, true, told.estimate[case.record])
            self._add_amounts(case.target, case.weight, case.correct, has, harm)

    def _amounts_mean(self, y: FloatArray, estimate: FloatArray, known: Any) -> None:
        """Infer the mean over all candidates: Reiter's sum of z_j Pr(J = j)."""
        values = np.column_stack([np.where(known, estimate, 0.0), known])
        for part, members in parts_with_targets(self.found, self.linked):
            sums = part.weighted(values)[self.found.group[members] - part.first]
            with np.errstate(invalid="ignore", divide="ignore"):
                self._both_ways(members, y, sums[:, 0] / sums[:, 1])

    def _both_ways(self, members: IntArray, y: FloatArray, guess: FloatArray) -> None:
        """Add an estimate that is the same whether or not the linked record is the target's own."""
        true, own = np.nan_to_num(y[members]), self._own_share(members)
        for which, weight in ((1, own), (0, 1 - own)):
            correct = np.full(members.size, which)
            self._add_amounts(members, weight, correct, ~np.isnan(guess), self.amount_costs.harm(correct, true, guess))

    def _amounts_posterior(self, y: FloatArray, told: Any, known: Any) -> None:
        """Keep the mixture of the candidates' posteriors."""
        for part, members in parts_with_targets(self.found, self.linked):
            group = self.found.group[members] - part.first
            own, count = self._own_share(members), np.diff(part.start)[group]
            told_p, all_p = part.weighted(np.column_stack([known, np.ones(known.size)]))[group].T
            # where no candidate tells anything, nothing is inferred from any of them
            silent = told_p == 0
            total = np.where(silent, all_p, told_p)
            for here in blocks(count):
                who, place = spread(part.start[:-1][group[here]], count[here])
                targets, record = members[here][who], part.record[place]
                active = known[record]
                share = part.p[place] * (known[record] | silent[here][who]) / total[here][who]
                chance = own[here][who]
                for which, weight in ((1, chance), (0, 1 - chance)):
                    correct = np.full(targets.size, which)
                    harm = self.amount_costs.expected(correct, np.nan_to_num(y[targets]), told.belief.take(record), active)
                    self._add_amounts(targets, share * weight, correct, active, harm)

    def _add_amounts(
        self, target: IntArray, weight: FloatArray, correct: IntArray, has: BoolArray, harm: FloatArray
    ) -> None:
        """Add inferences of amounts, and links from which nothing is inferred."""
        valued = self.has_value[target]
        self.tally.add(target, weight, correct, np.where(has & valued, 0, -1), np.where(valued, harm, 0.0))

    def _add_nothing(self, target: IntArray, weight: FloatArray, correct: IntArray) -> None:
        """Add links to targets about whom nothing can be inferred."""
        self.tally.add(target, weight, correct, np.full(target.size, -1), np.zeros(target.size))

    def _own_share(self, members: IntArray) -> FloatArray:
        """Give the chance that the record linked to each target is its own."""
        acts = np.zeros(self.found.n, dtype=np.bool_)
        acts[members] = True
        own = np.zeros(self.found.n)
        for case in cases(self.found, acts):
            own += np.bincount(case.target, weights=case.weight * case.correct, minlength=self.found.n)
        return np.minimum(own[members], 1.0)

    def _category_rows(self, posterior: FloatArray) -> Iterator[tuple[IntArray, FloatArray, IntArray, FloatArray]]:
        """Give targets, chances, correctness and the probabilities of the categories."""
        if not isinstance(self.harm.using, AllCandidates):
            for case in cases(self.found, self.linked):
                yield case.target, case.weight, case.correct, posterior[case.record]
            return
        for part, members in parts_with_targets(self.found, self.linked):
            mixed = part.weighted(posterior)[self.found.group[members] - part.first]
            told = mixed.sum(axis=1, keepdims=True)
            mixed = np.divide(mixed, told, out=np.zeros_like(mixed), where=told > 0)
            own = self._own_share(members)
            yield members, own, np.ones(members.size, dtype=np.int64), mixed
            yield members, 1 - own, np.zeros(members.size, dtype=np.int64), mixed

    def _add_categories(
        self, truth: IntArray, target: IntArray, weight: FloatArray, correct: IntArray, rows: FloatArray
    ) -> None:
        """Infer the category that is probable enough, or keep all of them."""
        costs, levels = cast("CategoryCosts", self.harm.costs), self.attribute.levels
        has, true = rows.sum(axis=1) > 0, truth[target]
        guess = rows.argmax(axis=1) if rows.shape[1] else np.zeros(target.size, dtype=np.int64)
        if self.harm.bayesian:
            harm = costs.expected(correct, true, rows, levels, has)
            right = rows[np.arange(target.size), true]
            self.tally.add(target, weight * right, correct, np.where(has, 1, -1), harm)
            self.tally.add(target, weight * (1 - right), correct, np.where(has, 0, -1), harm)
            return
        top = rows[np.arange(target.size), guess] if rows.shape[1] else np.zeros(target.size)
        sure = has & (top > self.harm.sure)
        harm = costs.harm(correct, true, np.where(sure, guess, -1), levels)
        self.tally.add(target, weight, correct, np.where(sure, (guess == true).astype(np.int64), -1), harm)


def _weights(links: Links, harm: Harm) -> FloatArray:
    """Give what each respondent's harm is multiplied by."""
    targets = links.evidence.targets
    if harm.weight is None:
        return np.ones(links.n)
    if harm.weight not in targets.columns:
        raise HarmError(f"Harm {harm.attribute!r}, weight: {unknown('variable of the targets', harm.weight, targets.names)}")
    w = targets.columns[harm.weight].numbers
    bad = int(np.sum(~(np.isfinite(w) & (w >= 0))))
    if bad:
        raise HarmError(
            f"Harm {harm.attribute!r}: weight {harm.weight!r} is missing, infinite or negative for {bad} of {w.size} targets"
        )
    return w
