"""Look at the released file as an intruder does: what is known of each variable, and what was done to it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from confide.data.column import Column
from confide.data.microdata import Microdata
from confide.errors import IntruderError, LikelihoodError, unknown
from confide.intruder.beliefs.about import AboutTargets, GivenRecords
from confide.intruder.beliefs.fitted import FittedModel
from confide.intruder.beliefs.supplied import Atom, SuppliedBeliefs
from confide.intruder.blanks import Blanks, NotTold
from confide.intruder.distribution import possibilities
from confide.intruder.intruder import Intruder, Regression
from confide.intruder.knowledge import Distributed, Exactly, Knowledge, OneOf
from confide.intruder.population import KnownChance
from confide.linking.absent import composed
from confide.linking.altered import Part, coded_part, fitted_parts, stated_part
from confide.linking.beliefs import Free, in_stratum, possible_levels, stated_beliefs
from confide.linking.blank import with_blanks
from confide.linking.category import Strata, level_codes, swapped_piece, true_levels
from confide.linking.compose import Composite, compose
from confide.linking.deterministic import blocks_of, deterministic, holds_numbers, levels_column
from confide.linking.joint_noise import correlated, joint_piece
from confide.linking.noisy_number import noisy_number
from confide.linking.pieces import BeliefPiece, CatPiece, Piece
from confide.linking.possible import as_mixture, numbers_mixture, one_of, with_probabilities
from confide.linking.strata import stratum_part, weighed_strata
from confide.linking.view import View
from confide.release.channel import Discrete, JointKernel, Kernel
from confide.release.method import Step
from confide.release.released import Released
from confide.typing import IntArray, Label


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What is held against the targets."""

    pieces: list[Piece] = field(default_factory=list)
    """The evidence of variables whose true value, or a range of it, is known."""
    free: list[Free] = field(default_factory=list)
    """Altered variables of which several values are possible, as probable as they are common."""
    stated: list[BeliefPiece] = field(default_factory=list)
    """Altered variables about which the intruder holds distributions."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """An intruder looking at a released file for some targets."""

    intruder: Intruder
    """Who looks."""
    released: Released
    """The released file."""
    targets: Microdata
    """The targets' values, as far as they are known."""
    steps: Sequence[Step]
    """What the intruder believes was done."""
    left_out: Collection[str] = ()
    """Variables that are known, were swapped within, and are not released: taken as recoded to one value."""

    @property
    def blanks(self) -> Blanks:
        """How blanks are read; who takes released values at face value learns nothing from them."""
        return self.intruder.blanks if self.intruder.understands_masking else NotTold()

    def view(self, name: str) -> View:
        """Look at one variable from all sides."""
        source = self.released.source.columns.get(name) if self.released.source is not None else None
        target = self.targets.columns.get(name)
        if target is None:
            target = Column.of_labels([None] * self.targets.n)
        told = [c.take(np.flatnonzero(~c.is_missing)) for c in (target, source, self._believed(name)) if c is not None]
        composite = composed(self.steps, name, self.released, told, random=self.intruder.understands_masking)
        if isinstance(composite.core, JointKernel) and self._alone(name, composite.core):
            composite = replace(composite, core=composite.core.of(name))
        exact = frozenset(item.variable for item in self.intruder.items if isinstance(item, Exactly))
        kept = frozenset(n for n in exact & set(self.released.data.columns) if not _is_altered(self.steps, n))
        partly = {i.variable: frozenset(map(str, i.levels)) for i in self.intruder.items if isinstance(i, OneOf)}
        return View(composite, self.released.data.columns[name], target, source, self.released.data, exact, kept, partly)

    def _alone(self, name: str, core: JointKernel) -> bool:
        """Say whether this is the only one of the numbers with correlated noise that is looked at, and not known exactly."""
        items, unavailable = self.intruder.items, self.intruder.unavailable
        believed: Iterable[str] = () if unavailable is None else self.released.data.names
        if isinstance(unavailable, AboutTargets | GivenRecords):
            believed = unavailable.variables
        elif isinstance(unavailable, Mapping):
            believed = unavailable
        used = {i.variable for i in items} | set(believed)
        exact = any(i.variable == name and isinstance(i, Exactly) for i in items)
        return not exact and set(core.variables) & used & set(self.released.data.names) == {name}

    def _believed(self, name: str) -> Column | None:
        """Give the levels that supplied beliefs name; None: they are coded by the release, or there are none."""
        beliefs = self.intruder.beliefs
        if not isinstance(beliefs, SuppliedBeliefs) or compose(self.steps, name).before:
            return None
        said = {x for unit in beliefs.units for atom in unit if isinstance(x := atom.values.get(name), str)}
        return Column.of_labels(sorted(said)) if said else None

    def known(self, items: Sequence[Knowledge]) -> Found:
        """Hold what is known against the records."""
        views = {item.variable: self.view(item.variable) for item in items}
        strata = weighed_strata(items, views)
        found, grouped = Found(), dict[int, list[View]]()
        for item in items:
            view = views[item.variable]
            core = view.composite.core
            if isinstance(core, JointKernel) and isinstance(item, Exactly):
                grouped.setdefault(id(core), []).append(view)
            elif isinstance(item, Distributed) and isinstance(core, Discrete) and _within(view) in strata:
                # the true stratum picks the matrix, so that levels are weighed together with it
                part = swapped_piece(view, core, strata, self.blanks)
                found.free.append(with_probabilities(view, part, item.distribution))
            elif isinstance(item, OneOf) and isinstance(core, Kernel):
                found.stated.append(self.belief(view, numbers_mixture(view, item), strata, known=True))
            elif isinstance(item, Distributed):
                found.stated.append(self.belief(view, item.distribution, strata, known=True))
            elif isinstance(core, Discrete) or item.variable in strata or (core is None and self._weighed(item)):
                self._category(found, view, item, strata)
            elif isinstance(core, Kernel):
                found.pieces.extend(noisy_number(view, core, item))
            elif core is None:
                found.pieces.extend(deterministic(view, item))
            else:
                raise LikelihoodError(correlated(view.name))
        recoded = frozenset(name for name, view in views.items() if view.composite.before)
        face_value = not self.intruder.understands_masking
        pieces = with_blanks(found.pieces, self.blanks, recoded=recoded, face_value=face_value)
        return replace(found, pieces=[*pieces, *(joint_piece(group) for group in grouped.values())])

    def _weighed(self, item: Knowledge) -> bool:
        """Say whether a variable that is not altered is weighed by stated beliefs, too: the chance of presence is known."""
        intruder = self.intruder
        chance = isinstance(intruder.population, KnownChance) and isinstance(intruder.beliefs, SuppliedBeliefs)
        return chance and isinstance(item, Exactly | OneOf)

    def _category(self, found: Found, view: View, item: Knowledge, strata: Strata) -> None:
        """Weigh a category by its true level, or by the levels one of which is true."""
        if not isinstance(item, Exactly | OneOf):
            number = holds_numbers(view)
            raise IntruderError(
                f"{type(item).__name__} {view.name!r}: its values were swapped, so that each is a level of its own; use "
                + ("its name, OneOf with the numbers that are possible, or Distributed" if number else "its name or OneOf")
            )
        core, way = view.composite.core, Composite(view.name)
        if view.name in strata:
            part, way = stratum_part(view, strata, self.blanks)
        elif isinstance(core, Discrete):
            part, way = swapped_piece(view, core, strata, self.blanks), replace(view.composite, core=None)
        else:
            part = coded_part(view, self._levels(view), self.blanks)
        if isinstance(item, Exactly):
            levels = true_levels(way.push(view.target), part.levels, view.name)
            whole = not (view.released.is_missing.any() or view.target.is_missing.any())
            if core is None and view.name in strata and whole and view.name not in self.left_out:
                # a stratum that is recoded after the swap within it decides on consistency all the same
                found.pieces.extend(replace(p, covariate=False) for p in blocks_of(view))
                part = replace(part, visible=True)
            found.pieces.append(self._with_stratum(part, view, levels, strata))
            return
        chosen = levels_column(view, item, part.levels)
        places = level_codes(way.push(chosen), part.levels)
        prior = None
        if item.probabilities is not None:
            prior = np.zeros(len(part.levels))
            np.add.at(prior, places, np.asarray(item.probabilities))
        allowed = np.isin(np.arange(len(part.levels)), places)
        found.free.append(Free(view.name, (part,), (part,), allowed, prior, known=True))

    def _levels(self, view: View) -> tuple[Label, ...]:
        """Give the levels of a category that the beliefs speak of."""
        beliefs = self.intruder.beliefs
        assert isinstance(beliefs, SuppliedBeliefs)
        said = [atom.values.get(view.name) for unit in beliefs.units for atom in unit]
        if not all(isinstance(x, str | int | float) for x in said):
            raise IntruderError(
                f"KnownChance: every Atom of the supplied beliefs must give a level of {view.name!r}, which is known and "
                "released as it is"
            )
        named = not holds_numbers(view) and bool(view.target.labels or view.released.labels)
        labels = [str(x) if named else x for x in said]
        return tuple(dict.fromkeys((*labels, *view.target.labels)))  # type: ignore[arg-type]

    def _with_stratum(
        self, part: CatPiece, view: View, levels: np.ndarray[tuple[int], np.dtype[np.int64]], strata: Strata
    ) -> CatPiece:
        """Give each target its row: that of its true level, in its true stratum."""
        stratum, row = view.composite.stratum, levels
        if part.stratum is not None and stratum is not None and part.stratum in self.targets.columns:
            # where the stratum is one of several, the row is not read
            weighed = strata[part.stratum]
            mine = level_codes(stratum.push(self.targets.columns[part.stratum], 0, weighed.done), weighed.levels)
            row = np.maximum(mine, 0) * len(part.levels) + levels
        return replace(part, target=row, rows=part.channel)

    def belief(self, view: View, belief: Any, strata: Strata, *, known: bool) -> BeliefPiece:
        """Weigh a variable by a distribution, a mixture or levels."""
        atoms = [Atom(w, {view.name: x}) for w, x in possibilities(belief)]
        return self._stated([view], [atoms], strata, known=known)

    def _stated(
        self,
        views: Sequence[View],
        units: Sequence[Sequence[Atom]],
        strata: Strata,
        *,
        by_record: bool = False,
        known: bool = False,
    ) -> BeliefPiece:
        """Weigh variables by stated possibilities."""
        said = {v.name: [x for u in units for a in u if isinstance(x := a.values.get(v.name), str)] for v in views}
        parts = [stated_part(v, strata, self.blanks, said[v.name]) for v in views]
        fitted = not isinstance(self.intruder.beliefs, SuppliedBeliefs) and self.intruder.models_others
        strangers = [p for v in views for p in self._fitted(v, strata)] if fitted else parts
        n = self.released.data.n
        found = stated_beliefs(parts, strangers, units, self.targets.n, n, by_record=by_record, known=known)
        within = {p.stratum: v for p, v in zip(parts, views, strict=True) if isinstance(p, CatPiece) and p.stratum}
        for name in within.keys() - {v.name for v in views}:
            found = in_stratum(found, name, self._stratum_of_targets(within[name], name, strata))
        return found

    def _stratum_of_targets(self, view: View, name: str, strata: Strata) -> IntArray:
        """Give the level of each target in the stratum within which a variable was swapped."""
        exact = any(isinstance(i, Exactly) and i.variable == name for i in self.intruder.items)
        stratum = view.composite.stratum
        if not exact or stratum is None or name not in self.targets.columns:
            raise LikelihoodError(
                f"{view.name!r} was swapped within {name!r}, which was masked afterwards, and beliefs about it do not say "
                f"in which {name!r} they hold; let the intruder know {name!r} exactly, or leave it out of knows"
            )
        weighed = strata[name]
        return true_levels(stratum.push(self.targets.columns[name], 0, weighed.done), weighed.levels, name)

    def _fitted(self, view: View, strata: Strata) -> tuple[Part, ...]:
        """Look at a variable as the regressions speak of it."""
        if view.source is None:
            raise IntruderError(
                f"beliefs about others' {view.name!r} are fitted to the source file, which does not hold it; "
                "give beliefs=SuppliedBeliefs(...)"
            )
        return fitted_parts(view, strata, self.blanks)

    def others(self, items: Sequence[Knowledge]) -> Found:
        """Hold what is believed about altered variables that are not known (section 3.3)."""
        unavailable, found, known = self.intruder.unavailable, Found(), {item.variable for item in items}
        if unavailable is None or not self.intruder.understands_masking:
            return found
        altered = {n: self.view(n) for n in self.released.data.names if n not in known and _is_altered(self.steps, n)}
        strata = weighed_strata(items, {**altered, **{i.variable: self.view(i.variable) for i in items}})
        if isinstance(unavailable, AboutTargets | GivenRecords):
            self._check(unavailable.variables)
            views = [altered[n] for n in unavailable.variables if n in altered]
            if views:
                by_record = isinstance(unavailable, GivenRecords)
                found.stated.append(self._stated(views, unavailable.units, strata, by_record=by_record))
            return found
        models: Mapping[str, Any] = unavailable if isinstance(unavailable, Mapping) else dict.fromkeys(altered, unavailable)
        self._check(models)
        for name, how in models.items():
            # a variable that this release leaves as it is says nothing (section 3.3)
            if name in altered and isinstance(how, Regression):
                if isinstance(altered[name].composite.core, JointKernel):
                    raise LikelihoodError(correlated(name))
                parts = self._fitted(altered[name], strata)
                supplied = isinstance(self.intruder.beliefs, SuppliedBeliefs)
                strangers = (stated_part(altered[name], strata, self.blanks),) if supplied else parts
                found.free.append(Free(name, parts, strangers))
            elif name in altered and isinstance(how, OneOf) and how.prior is None:
                found.free.append(one_of(altered[name], how, strata, self.blanks))
            elif name in altered:
                belief = as_mixture(altered[name], how) if isinstance(how, OneOf) else how
                found.stated.append(self.belief(altered[name], belief, strata, known=False))
        return found

    def _check(self, names: Sequence[str] | Mapping[str, Any]) -> None:
        """Raise on variables that are nowhere."""
        source = self.released.source
        have = {*self.released.data.names, *(source.names if source is not None else ())}
        for name in names:
            if name not in have:
                raise IntruderError(f"unavailable: {unknown('variable', name, sorted(have))}")

    def believed(self, known: Found, others: Found, model: FittedModel | None) -> tuple[list[Piece], list[Piece]]:
        """Weigh what is believed; gives the pieces of what is known that stay, and the new ones."""
        out: list[Piece] = [*known.stated, *others.stated]
        given = [f for f in known.free if f.prior is not None]
        common = [f for f in (*known.free, *others.free) if f.prior is None]
        both = _strata_of(given) & _strata_of(common)
        groups = [given, common] if not (both or any(f.known for f in common)) else [[*given, *common]]
        pieces = list(known.pieces)
        for group in groups:
            if group:
                piece = possible_levels(group, pieces, model, self.targets.n)
                names = {p.name for p in piece.parts}
                pieces = [p for p in pieces if not (isinstance(p, CatPiece) and p.name in names)]
                out.append(piece)
        return pieces, out


def _within(view: View) -> str:
    """Name the variable within which one was swapped; empty: none, or several."""
    return "" if view.composite.stratum is None else view.composite.stratum.only


def _strata_of(free: Sequence[Free]) -> set[str]:
    """Name the categories within whose true levels variables were swapped."""
    return {p.stratum for f in free for p in f.parts if isinstance(p, CatPiece) and p.stratum is not None}


def _is_altered(steps: Sequence[Step], name: str) -> bool:
    """Say whether anything is done to a variable."""
    return any(name in step.channels for step in steps)
