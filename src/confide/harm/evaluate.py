"""From links to harm: what is inferred about whom, and what it costs (Lambert 1993, section 6.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from confide.data.codebook import Kind, Role, Variable
from confide.data.column import Column
from confide.data.microdata import Microdata
from confide.errors import HarmError, unknown
from confide.harm.amount_costs import AmountCosts
from confide.harm.belief.point import PointBelief
from confide.harm.belief.shared import SharedBelief
from confide.harm.cases import Cases, Tied, blocks, enough, spread, ties
from confide.harm.harm import Harm
from confide.harm.protocol import CategoryCosts, NumberCosts
from confide.harm.reading.reading import Amounts
from confide.harm.result import Harmed
from confide.harm.sensitive import Sensitive, sensitive_of
from confide.harm.tally import Tally
from confide.harm.using import AllCandidates
from confide.intruder.acting import acted
from confide.intruder.exceeds import exceeds
from confide.linking.links import Links
from confide.linking.pairs import LinkedGroups, linked_groups
from confide.typing import BoolArray, FloatArray, IntArray

FEW = 4
"""So many tied records are looked at one by one; more are summed up for all targets that share them."""


def harm_of(links: Any, harm: Harm, *, parent: Any = None, true: Any = None, told: Any = None) -> Harmed:
    """Give the harm that an intruder does to every target.

    Where it is not known which record is a target's, harm that depends on it is undefined. The true values of respondents
    are those of the source file; of targets from elsewhere who are not found there, those of their own file, and where that
    tells none, harm to those to whom a record is linked is undefined.

    Args:
        links: what `link` gave; or `JointLinks` or a table of probabilities of any model, records by respondents.
        harm: the attribute, how it is inferred and what that costs.
        parent: for a table, the respondent each record belongs to, counted from 0; -1: nobody's.
        true: for a table, the attribute's true value for each respondent.
        told: for a table, its value on each released record.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["m", "f", "f"], "hiv": ["yes", "no", "no"]})
    >>> links = cf.link(cf.Release().apply(data, seed=1), cf.Intruder(knows=["sex"]))
    >>> harm_of(links, Harm("hiv", cf.Outcomes(tt=10.0, ft=4.0), acts=0.4)).per_target.tolist()
    [10.0, 7.0, 7.0]
    """
    amount = isinstance(harm.costs, AmountCosts)
    if isinstance(links, Links):
        found, attribute, weights = linked_groups(links), sensitive_of(links, harm.attribute), _weights(links, harm)
        known = links.evidence.truth_known
        told = attribute.value_known
    else:
        found = linked_groups(links, _needed(parent, "parent", "the respondent of each record"))
        attribute = _given(found, harm, true, told, amount=amount)
        weights, known, told = np.ones(found.n), np.ones(found.n, dtype=np.bool_), None
    flow = _Flow(found, harm, attribute, Tally(found.n, amount=amount))
    flow.run()
    return flow.tally.result(harm, weights, flow.linked, flow.has_value, known, told)


def _needed(value: Any, name: str, what: str) -> Any:
    """Raise where a table of probabilities comes without what `Links` know by themselves."""
    if value is None:
        raise HarmError(f"a table of probabilities knows no file; give {name}=..., {what}")
    return value


def _given(found: LinkedGroups, harm: Harm, true: Any, told: Any, *, amount: bool) -> Sensitive:
    """Take an attribute whose values were given one by one."""
    if harm.weight is not None:
        raise HarmError("weight names a variable of a file; a table of probabilities has none: multiply the harm yourself")
    columns = []
    for value, name, what, n in (
        (true, "true", "the true value for each respondent", found.n),
        (told, "told", "the value on each released record", found.records),
    ):
        values = list(_needed(value, name, what))
        if len(values) != n:
            raise HarmError(f"{name} must hold {what}: {n} are needed, found {len(values)}")
        plain: list[Any] = [v.item() if hasattr(v, "item") else v for v in values]
        missing = [None if v is None or v != v else v for v in plain]  # noqa: PLR0124  NaN
        numbers = [np.nan if v is None else float(v) for v in missing] if amount else []
        columns.append(Column.of_numbers(numbers) if amount else Column.of_labels(missing))
    kind = Kind.CONTINUOUS if amount else Kind.NOMINAL
    records = Microdata({harm.attribute: Variable(harm.attribute, kind, Role.SENSITIVE)}, {harm.attribute: columns[1]})
    return Sensitive(harm.attribute, records, columns[0], (), random=False)


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
        self.linked = acted(self.harm.acts, self.found.best, self.found.null)
        if isinstance(self.harm.costs, AmountCosts):
            y = self.attribute.true_numbers
            if np.isnan(y).all() and not self.attribute.truth.is_missing.all():
                raise HarmError(
                    f"{self.harm.attribute!r} holds categories, no amounts; give costs for categories, as Outcomes(tt=1)"
                )
            self.has_value = ~np.isnan(y)
            told = self.harm.reading.amounts(self.attribute)
            for tied in ties(self.found, self.linked):
                if not isinstance(self.harm.using, AllCandidates):
                    self._amounts_linked(tied, y, told)
                elif self.harm.bayesian:
                    self._amounts_posterior(tied, y, told)
                else:
                    self._amounts_mean(tied, y, told)
        else:
            truth = self.attribute.true_codes
            self.has_value = truth >= 0
            posterior = self.harm.reading.categories(self.attribute)
            for tied in ties(self.found, self.linked):
                valued = self.has_value[tied.members]
                self._nothing_told(tied.some(~valued))
                if isinstance(self.harm.using, AllCandidates):
                    self._categories_mixed(tied.some(valued), truth, posterior)
                else:
                    self._categories_linked(tied.some(valued), truth, posterior)

    def _nothing_told(self, tied: Tied) -> None:
        """Add links to targets about whom nothing can be inferred."""
        for which, weight in ((1, tied.share), (0, 1 - tied.share)):
            self.tally.add(tied.members, weight, which, 0.0, 0.0, np.zeros(tied.members.size))

    def _amounts_linked(self, tied: Tied, y: FloatArray, told: Amounts) -> None:
        """Infer from the linked record."""
        points = not self.harm.bayesian or isinstance(told.belief, PointBelief)
        few = (tied.count <= FEW) | (not points)
        for case in tied.some(few).crossed():
            self._add_amounts(case.target, case.weight, case.correct, *self._read(case, y, told))
        many = tied.some(~few)
        if not many.members.size:
            return
        # all tied records as if they were somebody else's; then the own one is put right
        weight = 1.0 / many.count
        self._shared_amounts(
            many, (0,), (np.ones(weight.size),), y, told, (many.start, many.record, np.ones(many.record.size))
        )
        own = many.own >= 0
        mine = many.members[own], many.own[own], weight[own]
        for which, sign in ((1, 1.0), (0, -1.0)):
            case = Cases(*mine, np.full(mine[0].size, which))
            self._add_amounts(case.target, sign * case.weight, case.correct, *self._read(case, y, told))

    def _read(self, case: Cases, y: FloatArray, told: Amounts) -> tuple[BoolArray, FloatArray]:
        """Say where a record tells anything, and give the harm."""
        costs, has, true = self.amount_costs, told.known[case.record], np.nan_to_num(y[case.target])
        if self.harm.bayesian:
            return has, costs.expected(case.correct, true, told.belief.take(case.record), has)
        return has, costs.harm(case.correct, true, told.estimate[case.record])

    def _shared_amounts(
        self, tied: Tied, ways: tuple[int, ...], chances: tuple[FloatArray, ...], y: FloatArray, told: Amounts, table: Any
    ) -> None:
        """Add, for every target, the average over records that many targets share."""
        start, record, weights = table
        w = np.where(told.known[record], weights, 0.0)
        belief = SharedBelief.of(start, np.nan_to_num(told.estimate[record]), w, tied.group)
        sums = [np.add.reduceat(np.append(x, 0.0), start[:-1]) * (np.diff(start) > 0) for x in (w, weights)]
        share = (sums[0] / np.where(sums[1] > 0, sums[1], 1.0))[tied.group]
        if isinstance(self.harm.using, AllCandidates):
            share = (share > 0).astype(np.float64)
        true, some, valued = np.nan_to_num(y[tied.members]), share > 0, self.has_value[tied.members]
        for which, chance in zip(ways, chances, strict=True):
            correct = np.full(tied.members.size, which)
            silent = self.amount_costs.harm(correct, true, np.full(true.size, np.nan))
            harm = share * self.amount_costs.expected(correct, true, belief, some) + np.where(some, 1 - share, 1.0) * silent
            harm = np.where(some, harm, silent)
            self.tally.add(tied.members, chance, which, share * valued, 0.0, np.where(valued, harm, 0.0))

    def _amounts_mean(self, tied: Tied, y: FloatArray, told: Amounts) -> None:
        """Infer the mean over all candidates: Reiter's sum of z_j Pr(J = j)."""
        values = np.column_stack([np.where(told.known, told.estimate, 0.0), told.known])
        sums = tied.part.weighted(values)[tied.group]
        with np.errstate(invalid="ignore", divide="ignore"):
            guess = sums[:, 0] / sums[:, 1]
        true = np.nan_to_num(y[tied.members])
        for which, weight in ((1, tied.share), (0, 1 - tied.share)):
            correct = np.full(true.size, which)
            harm = self.amount_costs.harm(correct, true, guess)
            self._add_amounts(tied.members, weight, correct, ~np.isnan(guess), harm)

    def _amounts_posterior(self, tied: Tied, y: FloatArray, told: Amounts) -> None:
        """Keep the mixture of the candidates' posteriors."""
        part = tied.part
        many = (np.diff(part.start)[tied.group] > FEW) & isinstance(told.belief, PointBelief)
        shared = tied.some(many)
        if shared.members.size:
            chances = shared.share, 1 - shared.share
            self._shared_amounts(shared, (1, 0), chances, y, told, (part.start, part.record, part.p))
        tied = tied.some(~many)
        told_p, all_p = part.weighted(np.column_stack([told.known, np.ones(told.known.size)]))[tied.group].T
        # where no candidate tells anything, nothing is inferred from any of them
        silent = told_p == 0
        total, count = np.where(silent, all_p, told_p), np.diff(part.start)[tied.group]
        enough(count)
        for here in blocks(count):
            who, place = spread(part.start[:-1][tied.group[here]], count[here])
            targets, record = tied.members[here][who], part.record[place]
            active = told.known[record]
            share = part.p[place] * (active | silent[here][who]) / total[here][who]
            chance = tied.share[here][who]
            for which, weight in ((1, chance), (0, 1 - chance)):
                correct = np.full(targets.size, which)
                harm = self.amount_costs.expected(correct, np.nan_to_num(y[targets]), told.belief.take(record), active)
                self._add_amounts(targets, share * weight, correct, active, harm)

    def _add_amounts(
        self, target: IntArray, weight: FloatArray, correct: IntArray, has: BoolArray, harm: FloatArray
    ) -> None:
        """Add inferences of amounts, and links from which nothing is inferred."""
        valued = self.has_value[target]
        self.tally.add(target, weight, correct, has & valued, 0.0, np.where(valued, harm, 0.0))

    def _categories_linked(self, tied: Tied, truth: IntArray, posterior: FloatArray) -> None:
        """Infer from the linked record."""
        few = tied.count <= FEW
        for case in tied.some(few).crossed():
            read = self._read_categories(case.correct, truth[case.target], posterior[case.record])
            self.tally.add(case.target, case.weight, case.correct, *read)
        many = tied.some(~few)
        if not many.members.size:
            return
        # targets that share their records and their true category share what is inferred from records of others
        key, rep = np.unique(many.group * len(self.attribute.levels) + truth[many.members], return_inverse=True)
        group, code = np.divmod(key, len(self.attribute.levels))
        count = np.diff(many.start)[group]
        sums = np.zeros((3, key.size))
        for here in blocks(count):
            who, place = spread(many.start[:-1][group[here]], count[here])
            read = self._read_categories(np.zeros(who.size, np.int64), code[here][who], posterior[many.record[place]])
            weight = 1.0 / count[here][who]
            sums[:, here] = [np.bincount(who, weights=weight * x, minlength=count[here].size) for x in read]
        self.tally.add(many.members, np.ones(rep.size), 0, *sums[:, rep])
        own = many.own >= 0
        target, record, weight = many.members[own], many.own[own], 1.0 / many.count[own]
        for which, sign in ((1, 1.0), (0, -1.0)):
            read = self._read_categories(np.full(target.size, which), truth[target], posterior[record])
            self.tally.add(target, sign * weight, which, *read)

    def _categories_mixed(self, tied: Tied, truth: IntArray, posterior: FloatArray) -> None:
        """Infer from all candidates."""
        mixed = tied.part.weighted(posterior)[tied.group]
        told = mixed.sum(axis=1, keepdims=True)
        mixed = np.divide(mixed, told, out=np.zeros_like(mixed), where=told > 0)
        for which, weight in ((1, tied.share), (0, 1 - tied.share)):
            read = self._read_categories(np.full(weight.size, which), truth[tied.members], mixed)
            self.tally.add(tied.members, weight, which, *read)

    def _read_categories(
        self, correct: IntArray, true: IntArray, rows: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Infer the category that is probable enough, or keep all: the chance of an inference, of a right one, and harm."""
        costs, levels = cast("CategoryCosts", self.harm.costs), self.attribute.levels
        has, at = rows.sum(axis=1) > 0, np.arange(true.size)
        if self.harm.bayesian:
            return has.astype(np.float64), rows[at, true], costs.expected(correct, true, rows, levels, has)
        guess = rows.argmax(axis=1) if rows.shape[1] else np.zeros(true.size, dtype=np.int64)
        top = rows[at, guess] if rows.shape[1] else np.zeros(true.size)
        sure = has & exceeds(top, self.harm.sure)
        harm = costs.harm(correct, true, np.where(sure, guess, -1), levels)
        return sure.astype(np.float64), (sure & (guess == true)).astype(np.float64), harm


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
