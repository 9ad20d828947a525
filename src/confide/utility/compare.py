"""Several releases, several uses of the data: one table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from confide.errors import UtilityError, repeated, unknown
from confide.release.released import Released
from confide.utility.measure import Utility, UtilityMeasure

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True, eq=False)
class UtilityTable:
    """The utility of releases by several measures, beside that of the unmasked file."""

    releases: tuple[str, ...]
    """What the releases are called."""
    measures: tuple[UtilityMeasure, ...]
    """What was measured."""
    found: tuple[tuple[Utility, ...], ...]
    """For each release, the value of each measure."""
    unmasked: tuple[Utility, ...]
    """The values of the unmasked file."""

    def get(self, release: str, measure: str) -> Utility:
        """Give one value by the names of the release and the measure."""
        names = [m.name for m in self.measures]
        if release not in self.releases:
            raise UtilityError(unknown("release", release, self.releases))
        if measure not in names:
            raise UtilityError(unknown("measure", measure, names))
        return self.found[self.releases.index(release)][names.index(measure)]

    def to_frame(self) -> pl.DataFrame:
        """Give one row for each release and measure."""
        import polars as pl

        rows = [
            (release, u.name, u.value, u.se, best.value, u.efficiency(best), u.measure.larger_is_better)
            for release, row in zip(self.releases, self.found, strict=True)
            for u, best in zip(row, self.unmasked, strict=True)
        ]
        figures = dict.fromkeys(("value", "se", "unmasked", "efficiency"), pl.Float64)
        schema = {"release": pl.String, "measure": pl.String, **figures, "larger_is_better": pl.Boolean}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def __repr__(self) -> str:
        """Show a row for each measure, a column for each release."""
        head = ("", "better", "unmasked", *self.releases)
        rows = [head]
        for k, measure in enumerate(self.measures):
            better = "larger" if measure.larger_is_better else "smaller"
            values = [self.unmasked[k].value, *(row[k].value for row in self.found)]
            rows.append((measure.title, better, *(f"{v:.4g}" for v in values)))
        widths = [max(len(row[j]) for row in rows) for j in range(len(head))]
        return "\n".join(
            "  ".join(cell.rjust(w) if j > 1 else cell.ljust(w) for j, (cell, w) in enumerate(zip(row, widths, strict=True)))
            for row in rows
        )


def compare(released: Released | Sequence[Released], measures: UtilityMeasure | Sequence[UtilityMeasure]) -> UtilityTable:
    """Take measures of releases of one source, and of the unmasked source.

    Args:
        released: one or several released files of the same source.
        measures: one or several uses of the data.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"income": [5.5, 8.0, 20.0, 70.0]})
    >>> masked = cf.Release(cf.Topcode("income", at=20), name="topcoded").apply(data, seed=1)
    >>> print(cf.compare(masked, [cf.MeansKept(), cf.IL1s()]))
                better   unmasked  topcoded
    Means kept  larger          1    0.5916
    IL1s        smaller         0     1.175
    """
    files = [released] if isinstance(released, Released) else list(released)
    asked: list[UtilityMeasure] = [measures] if isinstance(measures, UtilityMeasure) else list(measures)
    if not files or not all(isinstance(f, Released) for f in files):
        raise UtilityError("compare needs released files; apply a Release first: release.apply(data, seed=...)")
    if not asked or any(isinstance(m, type) or not isinstance(m, UtilityMeasure) for m in asked):
        raise UtilityError("compare needs measures of utility, such as MeansKept() or Hellinger()")
    twice = repeated(f.name for f in files)
    if twice:
        raise UtilityError(f"several releases are called {', '.join(twice)}; give each a name: Release(..., name=...)")
    source = files[0].source
    if source is None or any(f.source is not source for f in files):
        raise UtilityError("compare needs releases of one source; use Released.from_files(source, released)")
    found = tuple(tuple(m.of(f) for m in asked) for f in files)
    return UtilityTable(tuple(f.name for f in files), tuple(asked), found, tuple(m.unmasked(source) for m in asked))
