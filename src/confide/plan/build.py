"""Make the objects of confide of a plan file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from confide.data.microdata import Microdata
from confide.errors import InternalError, PlanError, repeated, unknown
from confide.intruder.intruder import Intruder
from confide.intruder.targets import Targets
from confide.kit.identity import looked_up, odd_kind
from confide.plan.build_data import build_data, build_released
from confide.plan.build_harms import build_harm, check_known
from confide.plan.build_intruders import Context, build_intruder, build_targets
from confide.plan.build_map import build_map
from confide.plan.build_measures import build_measure
from confide.plan.build_methods import build_release
from confide.plan.build_table_outputs import table_outputs
from confide.plan.faults import Faults
from confide.plan.files import Files, Output, assessed_outputs, inputs, reads
from confide.plan.holding import held_outputs, holdings, inside, study_folder
from confide.plan.key_columns import with_keys
from confide.plan.plan import Limits, Outputs, Plan
from confide.plan.schema import DataTable, LimitsTable, PlanSchema
from confide.plan.secret_path import secret_path
from confide.release.release import Release
from confide.release.released import Released

MEASURES = ("perceived", "right_links", "expected_matches", "unique_matches", "true_match_rate", "probability")


def build(schema: PlanSchema, folder: Path, *, itself: Path | None = None, also: Sequence[Output] = ()) -> Plan:
    """Make a plan of its schema; every fault is collected and all are raised together.

    Args:
        schema: the plan file.
        folder: what paths in the plan are relative to.
        itself: the plan file, which no output may replace.
        also: further files that will be written; they stand for those of the plan with the same key.
    """
    faults = Faults()
    data = schema.data
    if data is None:
        raise PlanError(["the plan has no data to assess; add [data] with path = ..., or run: confide table PLAN"])
    data = with_keys(data, schema, faults)
    source = build_data(data, folder, faults)
    context: Context = (data, source, folder)
    releases = _releases(schema, data, source, folder, faults)
    hint = "; for its tables run: confide table" if schema.table else ""
    made = [build_intruder(t, context, faults, f"intruder[{i}]") for i, t in enumerate(schema.intruder, 1)]
    intruders = [x for x in made if x is not None]
    if not schema.intruder:
        faults.add("", f"the plan has no intruder; add [[intruder]] with knows = [...], what is known about a target{hint}")
    groups = [build_targets(t, context, faults, f"targets[{i}]") for i, t in enumerate(schema.targets, 1)]
    targets = tuple(t for t in groups if isinstance(t, Targets)) or None
    harmed = [build_harm(t, source, schema.threshold, faults, f"harm[{i}]") for i, t in enumerate(schema.harm, 1)]
    harms = [h for h in harmed if h is not None]
    check_known(harmed, intruders, targets, faults)
    _check_titles("harm", [h.title for h in harms], faults)
    classical = [build_measure(t, source, faults, f"measure[{i}]") for i, t in enumerate(schema.measure, 1)]
    _check_titles("measure", [t.title for t in schema.measure], faults)
    _check_measures(schema, faults)
    likelihoods = _likelihoods(schema, faults)
    mapped = None
    if schema.map is not None and not faults.found:
        known = [m for m in classical if m is not None]
        mapped = build_map(schema.map, schema.utility, source, releases, harms, known, schema.threshold, folder, faults)
    elif schema.utility and schema.map is None:
        faults.add("utility", "uses of the data are for a map; add [map], or leave them out")
    _check_titles("release", [r.name for r in releases], faults)
    _check_titles("intruder", [i.title for i in intruders], faults)
    if len(releases) == len(schema.release) and len(intruders) == len(schema.intruder):
        _check_limits(schema.limits, releases, intruders, faults)
    for name in schema.limits.max_harm:
        if len(harms) == len(schema.harm) and name not in [h.title for h in harms]:
            faults.add("limits.max_harm", unknown("harm", name, [h.title for h in harms]))
    outputs = _outputs(schema, folder)
    for name in outputs.by:
        if source is not None and name not in source.names:
            faults.add("report.by", unknown("variable", name, source.names))
    written = {o.key: o for o in (*assessed_outputs(schema, folder), *held_outputs(schema, folder), *also)}
    Files(faults, inputs(schema, folder, itself), table_outputs(schema, folder)).check(*written.values())
    if outputs.released is not None and odd_kind(outputs.released) is None and looked_up(outputs.released) is not None:
        faults.add("output.released", f"{str(outputs.released)!r} is a file; give a folder")
    if outputs.links is not None and inside(outputs.links, study_folder(schema, folder)):
        faults.add("output.links", "links stay inside: choose a folder that is not within held/ or signed/ of the study")
    faults.raise_all()
    if source is None:
        raise InternalError("the source file is missing, yet no fault was found")
    limits, path = _limits(schema.limits), secret_path(schema, folder, itself)
    named = None if likelihoods is None else dict(zip((i.title for i in intruders), likelihoods, strict=True))
    people = tuple(releases), tuple(intruders), targets
    measures = tuple(m for m in classical if m is not None)
    return Plan(
        source, *people, schema.threshold, schema.seed, path, limits, outputs, tuple(harms), measures, mapped, named,
        path=itself, holdings=holdings(schema, folder), reads=reads(schema, folder),
    )  # fmt: skip


def _check_measures(schema: PlanSchema, faults: Faults) -> None:
    """Note limits of measures that are not taken, and a file of figures that nothing gives."""
    titles = [t.title for t in schema.measure]
    for name in schema.limits.measure:
        if name not in titles:
            faults.add("limits.measure", unknown("measure", name, titles))
    if schema.output.per_released_record is not None and not schema.measure:
        faults.add("output.per_released_record", "there is no classical measure to write; add [[measure]] or leave it out")


def _likelihoods(schema: PlanSchema, faults: Faults) -> list[float] | None:
    """Give how likely each intruder is; None where none is told."""
    told = [t.likelihood for t in schema.intruder]
    found = [x for x in told if x is not None]
    if not found:
        return None
    if len(found) < len(told):
        faults.add("intruder", "likelihood is given for some intruders only; give it for each, or for none")
    if sum(found) > 1 + 1e-9:
        faults.add("intruder", f"the likelihoods sum to {sum(found):g}; they are probabilities that sum to one at most")
    if not schema.harm:
        faults.add("intruder", "likelihood is for the harm over several intruders; add [[harm]] or leave it out")
    return found


def _releases(
    schema: PlanSchema, data: DataTable, source: Microdata | None, folder: Path, faults: Faults
) -> list[Release | Released]:
    """Make all releases."""
    releases: list[Release | Released | None] = []
    for i, table in enumerate(schema.release, 1):
        where = f"release[{i}]"
        if table.released is None:
            releases.append(build_release(table, source, folder, faults, where))
        elif source is not None:
            releases.append(build_released(table, data, source, folder, faults, where))
    if not schema.release:
        faults.add("", "the plan has no release; add [[release]], without methods to assess the file as it is")
    return [r for r in releases if r is not None]


def _check_titles(what: str, names: Sequence[str], faults: Faults) -> None:
    """Note names that would be the same in the table."""
    for name in repeated(names):
        faults.add(what, f"{names.count(name)} of them are called {name!r}; give each a name of its own")


def _limits(table: LimitsTable) -> Limits:
    """Gather the limits that are set."""
    given = [(m, getattr(table, f"max_{m}")) for m in MEASURES]
    return Limits(
        tuple((m, float(x)) for m, x in given if x is not None),
        None if table.intruders is None else tuple(table.intruders),
        None if table.releases is None else tuple(table.releases),
        tuple(table.max_harm.items()),
        tuple(table.measure.items()),
    )


def _check_limits(
    table: LimitsTable, releases: Sequence[Release | Released], intruders: Sequence[Intruder], faults: Faults
) -> None:
    """Note names in the limits that nobody has."""
    titles = [i.title for i in intruders]
    names = [r.name for r in releases]
    for name in table.intruders or ():
        if name not in titles:
            faults.add("limits.intruders", unknown("intruder", name, titles))
    for name in table.releases or ():
        if name not in names:
            faults.add("limits.releases", unknown("release", name, names))


def _outputs(schema: PlanSchema, folder: Path) -> Outputs:
    """Resolve the paths of the files to write."""

    def at(path: str | None) -> Path | None:
        return None if path is None else folder / path

    report, output = schema.report, schema.output
    return Outputs(
        report=None if report is None else at(report.path),
        by=() if report is None else tuple(report.by),
        title=None if report is None else report.title,
        json=at(output.json_),
        table=at(output.table),
        per_record=at(output.per_record),
        per_released_record=at(output.per_released_record),
        released=at(output.released),
        links=at(output.links),
        unique=tuple(output.unique),
    )
