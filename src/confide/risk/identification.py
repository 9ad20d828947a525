"""Who could have been released as what: Lambert's Table 1 with its risks, in one call (Lambert 1993, section 5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from scipy import sparse

from confide.errors import IntruderError
from confide.intruder.appearance.appearance import Appearance
from confide.intruder.appearance.dense import log_densities
from confide.intruder.appearance.lognormal import LognormalAppearance
from confide.intruder.appearance.normal import NormalAppearance
from confide.intruder.appearance.uniform import UniformAppearance
from confide.intruder.distribution import Distribution, Normal, Uniform
from confide.linking.posterior.joint.result import JointLinks
from confide.linking.posterior.joint.solve import link_probabilities
from confide.risk.distances import AbsoluteDistance, Distance
from confide.risk.linkage import PerceivedRisks, TrueIdentification, perceived_risks, true_identification
from confide.risk.matching import MatchingRisk, both_files, risk_of_matching
from confide.typing import FloatArray

SHOWN = 12
"""So many records and respondents are written."""

Mask: TypeAlias = Distribution | Appearance | JointLinks | Callable[[FloatArray, FloatArray], Any]
"""What the intruder believes was done to the source."""


@dataclass(frozen=True, slots=True, eq=False)
class IdentificationTable:
    """Link probabilities of released records and source records, and the risks of the file."""

    released: FloatArray
    """The released numbers, one row for each record."""
    source: FloatArray
    """The source numbers, one row for each respondent."""
    links: JointLinks
    """The probability that each record is each respondent's, and the null link."""
    perceived: PerceivedRisks
    """D, D_average, D_total and D_tau."""
    true: TrueIdentification | None = None
    """The risk of true identification; None where the parents were not given."""
    matching: MatchingRisk | None = None
    """The risk of matching; None where the parents were not given."""

    def __repr__(self) -> str:
        """Write the table as Lambert prints it, with the null link and the risks below."""
        n, wide = len(self.released), len(self.source)
        rows, columns = range(min(n, SHOWN)), range(min(wide, SHOWN))
        p = self.links.p[: len(rows), : len(columns)]
        p = np.asarray(p.todense() if sparse.issparse(p) else p)
        heads = [_shown(self.source[i]) for i in columns]
        names = [_shown(self.released[j]) for j in rows]
        width, left = max(5, *map(len, heads)) + 2, max(12, *map(len, names))
        lines = ["".join(["released".ljust(left), *(h.rjust(width) for h in heads)])]
        lines += ["".join([names[j].ljust(left), *(f"{x:.3f}".rjust(width) for x in p[j])]) for j in rows]
        lines += ["".join(["not released".ljust(left), *(f"{self.links.null[i]:.3f}".rjust(width) for i in columns)])]
        if n > SHOWN or wide > SHOWN:
            lines.append(f"... {n:,} records and {wide:,} respondents in all")
        risks = self.perceived
        lines.append(
            f"perceived identification: D {risks.worst:.3f}, D_average {risks.average:.3f}, D_total {risks.total:.3f}, "
            f"at {risks.threshold:g} or more: {risks.at_or_above}"
        )
        if self.true is not None and self.matching is not None:
            lines.append(f"true identification {self.true.share:.3f}, matching {self.matching.value:.3f}")
        return "\n".join(lines)


def identification_table(
    released: Any,
    source: Any,
    mask: Mask,
    *,
    log: bool = False,
    parent: Any = None,
    threshold: float = 0.5,
    act_at: float = 0.5,
    distance: Distance = AbsoluteDistance(),  # noqa: B008  frozen
    sampling_fraction: float = 1.0,
) -> IdentificationTable:
    """Say who an intruder who knows the source takes each released record for, and how risky the file is.

    Lambert's Table 1: all records compete for all respondents, eq. (1).

    Args:
        released: released numbers, one row for each record; a list for one variable.
        source: source numbers, one row for each respondent.
        mask: what the intruder believes was done to the source. For one variable: `Lognormal`, every number
            was multiplied by such a factor; `Normal` or `Uniform`, such a number was added. In general: an appearance; a
            function of released and source records that gives their densities, records by respondents; or links that
            `link_probabilities` gave.
        log: whether the function gives log densities.
        parent: the source row each record comes from, counted from 0; needed for the last two risks.
        threshold: what D_tau counts from.
        act_at: the probability from which the intruder acts; for the risk of true identification.
        distance: for the risk of matching.
        sampling_fraction: for the risk of matching, multiplied by it.

    >>> from confide.intruder.distribution import Lognormal
    >>> identification_table([32, 35], [15.0, 30.0, 40.7], Lognormal(0, 0.5), parent=[0, 1])
    released       15.0   30.0   40.7
    32.0          0.212  0.415  0.372
    35.0          0.157  0.404  0.439
    not released  0.630  0.181  0.189
    perceived identification: D 0.439, D_average 0.355, D_total 1.066, at 0.5 or more: 0
    true identification 0.000, matching 0.500
    """
    z, y = both_files(released, source)
    links = mask if isinstance(mask, JointLinks) else _linked(z, y, mask, log=log)
    if links.p.shape != (len(z), len(y)):
        raise IntruderError(
            f"links of {links.p.shape[0]} records and {links.p.shape[1]} respondents for {len(z)} released "
            f"and {len(y)} source records"
        )
    perceived = perceived_risks(links, threshold)
    if parent is None:
        return IdentificationTable(z, y, links, perceived)
    true = true_identification(links, parent, act_at)
    return IdentificationTable(z, y, links, perceived, true, risk_of_matching(z, y, parent, distance, sampling_fraction))


def _linked(z: FloatArray, y: FloatArray, mask: Any, *, log: bool) -> JointLinks:
    """Link under the densities that the mask gives."""
    if isinstance(mask, Distribution):
        mask = _appearance(y, mask)
    if isinstance(mask, Appearance):
        return link_probabilities(log_densities(mask, z), log=True)
    if not callable(mask):
        raise IntruderError(
            "mask must be a Lognormal, Normal or Uniform, an appearance, a function that gives densities, or links; "
            f"found {type(mask).__name__}"
        )
    f = mask(z, y)
    if np.shape(f) != (len(z), len(y)):
        raise IntruderError(f"the mask gave densities of shape {np.shape(f)}; it must give {len(z)} by {len(y)}")
    return link_probabilities(f, log=log)


def _appearance(y: FloatArray, mask: Distribution) -> Appearance:
    """Say how the records of respondents would appear behind a mask."""
    if y.shape[1] != 1:
        raise IntruderError(
            f"{type(mask).__name__} masks one variable, these records have {y.shape[1]}; give an appearance, or a function "
            "of released and source records that gives their densities"
        )
    if isinstance(mask, Normal):
        return NormalAppearance(y + mask.mean, sd=mask.sd)
    if isinstance(mask, Uniform):
        return UniformAppearance(y + mask.low, y + mask.high)
    if not bool(np.all(y > 0)):
        raise IntruderError("a Lognormal factor needs positive source numbers; take Normal or a function")
    return LognormalAppearance(np.log(y) + mask.mean, sd=mask.sd)


def _shown(values: FloatArray) -> str:
    """Write one record's numbers."""
    return ", ".join(str(float(f"{x:.6g}")) for x in values)
