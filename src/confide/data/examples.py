"""Example files that are made by code: no download, no real respondent."""

from __future__ import annotations

from confide.data.codebook import Kind, Role, Variable
from confide.data.column import Column
from confide.data.convert import as_kind
from confide.data.cps import cps_arrays
from confide.data.microdata import Microdata
from confide.data.teachers import teacher_incomes

_KINDS = {
    "sex": Kind.NOMINAL,
    "race": Kind.NOMINAL,
    "marital": Kind.NOMINAL,
    "education": Kind.ORDINAL,
    "weight": Kind.CONTINUOUS,
}
_ROLES = {
    **dict.fromkeys(("sex", "race", "marital", "age", "property_tax"), Role.KEY),
    "income": Role.SENSITIVE,
    "weight": Role.WEIGHT,
}
_LABELS: dict[str, tuple[tuple[int, str], ...]] = {
    "sex": ((1, "male"), (2, "female")),
    "race": ((1, "white"), (2, "black"), (3, "American Indian"), (4, "Asian")),
    "marital": (
        (1, "married, spouse present"),
        (2, "married, spouse in armed forces"),
        (3, "married, spouse absent"),
        (4, "widowed"),
        (5, "divorced"),
        (6, "separated"),
        (7, "never married"),
    ),
}


def cps() -> Microdata:
    """Give a synthetic file of 51,016 household heads.

    It follows everything Reiter (2005) publishes of his extract of the March 2000 Current
    Population Survey: ranges, counts, the four units he studies and their cells. It is generated
    by code from a fixed seed and holds no real respondent.

    >>> data = cps()
    >>> data.n, round(float(data.weights.sum()))
    (51016, 104781947)
    """
    variables, columns = {}, {}
    for name, values in cps_arrays().items():
        kind = _KINDS.get(name, Kind.INTEGER)
        columns[name] = as_kind(Column.of_numbers(values.astype("float64")), kind, name)
        variables[name] = Variable(name, kind, _ROLES.get(name, Role.UNAVAILABLE), _LABELS.get(name, ()))
    return Microdata(variables, columns, "synthetic CPS")


def teachers() -> Microdata:
    """Give 177 made-up household incomes with the summary that Duncan, Keller-McNulty and Stokes print in Table 1.

    The survey's own incomes are confidential. Mean, standard deviation, minimum, maximum and the printed percentiles agree;
    what lies between them is a smooth curve of ours.

    >>> data = teachers()
    >>> data.n, float(data.column("income").numbers.max())
    (177, 95200.0)
    """
    column = as_kind(Column.of_numbers(teacher_incomes()), Kind.CONTINUOUS, "income")
    return Microdata({"income": Variable("income", Kind.CONTINUOUS, Role.SENSITIVE)}, {"income": column}, "made-up teachers")
