"""Generated tables in place of those that other programs ship: the same files and columns, smaller, drawn with a fixed seed.

The code that reads, sums and protects the tables of others is so run in every clone, beside twins that work from the rows.
"""

from __future__ import annotations

import atexit
import gzip
import shutil
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl

HRC = {
    "region2": ["Nr", "@1", "@2", "Os", "@3", "@4", "@5", "Ws", "@6"],
    "nace_divisions": ["A", "@01", "@02", "B", "@05", "C", "@10", "@11"],
    "NUTS": ["1", "@01", "@@002", "@@010", "@02", "@@015", "2", "@03", "@@029"],
    "KohStatReg": ["RegA", "@01", "@02", "RegB", "@03"],
}
ACTIVITY = [("AZ", "A", "01"), ("AZ", "A", "02"), ("BE", "B", "05"), ("BE", "C", "10"), ("BE", "C", "11"), ("GI", "G", "45")]
NUTS = [("FR10", "FR101"), ("FR10", "FR102"), ("FR42", "FR421"), ("FR42", "FR422"), ("FR81", "FR811")]
SIZES, LEGAL = ("tr1", "tr2", "tr3"), ("LL", "OT")


@cache
def folder() -> Path:
    """Write all files once, into a folder that goes with the process."""
    root = Path(tempfile.mkdtemp(prefix="stand-ins-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    for name, write in (("tauargus", _tau), ("sdctable", _small), ("ssbtools", _counts), ("business_rtauargus", _business)):
        (root / name).mkdir()
        write(root / name, np.random.default_rng(7))
    return root


def save(frame: pl.DataFrame, path: Path) -> None:
    """Write a compressed CSV."""
    with gzip.open(path.with_name(f"{path.name}.csv.gz"), "wb") as file:
        frame.write_csv(file)


def leaves(name: str) -> list[str]:
    """List the codes of a hierarchy that have none below."""
    rows = [(len(line) - len(line.lstrip("@")), line.lstrip("@")) for line in HRC[name]]
    after = [*(depth for depth, _ in rows[1:]), 0]
    return [code for (depth, code), following in zip(rows, after, strict=True) if following <= depth]


def _tau(root: Path, r: np.random.Generator) -> None:
    """Write firms by industry, size and region, and enterprises of holdings."""
    for name, lines in HRC.items():
        (root / f"{name}.hrc").write_text("\n".join(lines) + "\n", encoding="utf-8")
    listed = [f"{int(x):2d},Place {x}" for x in leaves("region2")]
    (root / "region.cdl").write_text("\n".join(listed) + "\n", encoding="utf-8")
    n = 260
    firms = pl.DataFrame({
        "IndustryCode": r.choice(["34100", "34200", "29240", "29250", "29310", "28110"], n),
        "Size": r.choice([2, 4, 6, 8], n, p=[0.5, 0.3, 0.15, 0.05]),
        "Region": r.choice([int(x) for x in leaves("region2")], n),
        "Wgt": np.round(1 + r.random(n), 1),
        "Var2": np.round(np.exp(r.normal(5, 2, n)), 2),
        "Request": r.choice([0, 1], n, p=[0.6, 0.4]),
    })  # fmt: skip
    save(firms, root / "tau_testW")
    n = 90
    units = pl.DataFrame({
        "h_id": r.integers(101010000, 101010090, n),
        "act": r.choice(leaves("nace_divisions"), n),
        "product": r.choice(["01", "02", "03", "04"], n),
        "region": r.choice(leaves("KohStatReg"), n),
        "mun": r.choice(leaves("NUTS"), n),
        "turnover": np.round(np.exp(r.normal(6, 1, n)), 2),
    })  # fmt: skip
    save(units, root / "example_enterprise")


def _small(root: Path, r: np.random.Generator) -> None:
    """Write people by a few variables."""
    n = 100
    one = {"region": r.choice(list("ABCD"), n), "gender": r.choice(["male", "female"], n), "val": r.integers(1, 20, n)}
    save(pl.DataFrame(one), root / "microdata1")
    old, new = {"A": ["Aa", "Ab"], "B": ["Ba", "Bb"]}, {"A": ["Ca", "Cb", "Cc"], "B": ["Da", "Db", "Dc"]}
    top = r.choice(["A", "B"], n)
    two = {
        "region": r.choice(["R1", "R2", "R3"], n),
        "gender": r.choice(["f", "m"], n),
        "ecoOld": [str(r.choice(old[t])) for t in top],
        "ecoNew": [str(r.choice(new[t])) for t in top],
        "numVal": r.integers(1, 30, n),
    }
    save(pl.DataFrame(two), root / "microdata2")
    n = 600
    three = {
        "V1": r.choice(["A", "Ba", "Bb", "Bc", "C", "D"], n),
        "V2": r.choice(["m", "w"], n),
        "V3": r.choice(list("abcdef"), n),
        "numVal2": np.round(r.gamma(5, 10, n), 2),
        "numVal1": np.round(r.gamma(5, 10, n), 2),
    }
    save(pl.DataFrame(three), root / "vignette_microdat")


def _counts(root: Path, r: np.random.Generator) -> None:
    """Write counts of people by region, main income and months; regions are grouped in two ways that do not nest."""
    groups = {c: (i // 3 + 1, 100 * (i % 2 + 1)) for i, c in enumerate("ABCDEFGH")}
    incomes, months = ["annet", "arbeid", "soshjelp", "trygd"], {"m01m05": "M01M05", "m06m09": "M06M12", "m10m12": "M06M12"}
    z1 = pl.DataFrame([(c, h, int(x)) for c in groups for h in incomes for x in r.poisson(r.gamma(2, 4), 1)],
                      schema=["region", "hovedint", "ant"], orient="row")  # fmt: skip
    save(z1, root / "z1")
    save(z1.select(pl.all().repeat_by("ant").explode()).drop_nulls(), root / "z1micro")
    where = {"fylke": pl.Int64, "kostragr": pl.Int64}
    nested = [pl.col("region").replace_strict({c: g[k] for c, g in groups.items()}, return_dtype=t).alias(n)
              for k, (n, t) in enumerate(where.items())]  # fmt: skip
    save(z1.with_columns(nested).select("region", *where, "hovedint", "ant"), root / "z2")
    rows = [(c, *groups[c], h, m, months[m], int(r.poisson(r.gamma(2, 2)))) for c in groups for h in incomes for m in months]
    names = ["region", *where, "hovedint", "mnd", "mnd2", "ant"]
    save(pl.DataFrame(rows, schema=names, orient="row"), root / "z3")
    save(pl.DataFrame(rows, schema=names, orient="row"), root / "sosialFiktiv")


def _business(root: Path, r: np.random.Generator) -> None:
    """Write firms, tables of their turnover with all totals, and tables in which the sensitive cells are given."""
    save(pl.DataFrame(ACTIVITY, schema=["A10", "A21", "A88"], orient="row"), root / "activity_corr_table")
    save(pl.DataFrame(NUTS, schema=["NUTS2", "NUTS3"], orient="row"), root / "nuts23_fr_corr_table")
    n = 200
    act, place = r.integers(0, len(ACTIVITY), n), r.integers(0, len(NUTS), n)
    firms = pl.DataFrame({
        "A10": [ACTIVITY[i][0] for i in act], "A21": [ACTIVITY[i][1] for i in act], "A88": [ACTIVITY[i][2] for i in act],
        "SIZE": r.choice(SIZES, n, p=[0.6, 0.3, 0.1]), "CJ": r.choice(LEGAL, n),
        "NUTS1": [NUTS[i][0][:3] for i in place], "NUTS2": [NUTS[i][0] for i in place], "NUTS3": [NUTS[i][1] for i in place],
        "WEIGHT": np.round(1 + r.random(n), 2), "TURNOVER": np.round(np.exp(r.normal(5, 2, n)), 4),
    })  # fmt: skip
    save(firms, root / "indiv_dt")
    rows = {"ACTIVITY": ["A10", "A21", "A88"], "NUTS": ["NUTS2", "NUTS3"], "SIZE": ["SIZE"], "CJ": ["CJ"]}
    for name in ("act_size", "act_cj", "nuts_size", "nuts_cj"):
        by = [{"act": "ACTIVITY"}.get(x, x.upper()) for x in name.split("_")]
        save(totals(firms, {b: rows[b] for b in by}, "TURNOVER", ("N_OBS", "TOT", "MAX")), root / f"turnover_{name}")
    east = firms.filter(pl.col("NUTS2").str.starts_with("FR4"))
    three = totals(east, {k: rows[k] for k in ("ACTIVITY", "NUTS", "SIZE")}, "TURNOVER", ("N_OBS", "TOT", "MAX"))
    three = three.with_columns(pl.col("NUTS").replace("Total", "Total_EAST"))
    save(three, root / "turnover_act_nuts_size")
    four = firms.with_columns(treff="SIZE", cj="CJ", type_distrib="NUTS1")
    given = totals(four, {k: [k] for k in ("treff", "cj", "type_distrib", "A10")}, "TURNOVER",
                   ("nb_obs", "pizzas_tot", "pizzas_max"))  # fmt: skip
    few, large = pl.col("nb_obs").is_between(0, 3, closed="none"), pl.col("pizzas_max") > 0.85 * pl.col("pizzas_tot")
    save(given.with_columns(is_secret_prim=few | large), root / "datatest1")


def totals(frame: pl.DataFrame, axes: dict[str, list[str]], value: str, names: tuple[str, str, str]) -> pl.DataFrame:
    """Sum rows up in every combination of levels, row by row of the cross product: the twin of a tabulation."""
    keyed = [(axis, level) for axis, levels in axes.items() for level in [None, *levels]]
    found: dict[tuple[str, ...], list[float]] = {}
    for row in frame.iter_rows(named=True):
        choices: list[tuple[str, ...]] = [()]
        for axis in axes:
            codes = {"Total" if level is None else str(row[level]) for a, level in keyed if a == axis}
            choices = [(*c, code) for c in choices for code in sorted(codes)]
        for cell in choices:
            found.setdefault(cell, []).append(row[value])
    count, total, most = names
    rows = [(*cell, len(x), round(sum(x), 6), max(x)) for cell, x in sorted(found.items())]
    return pl.DataFrame(rows, schema=[*axes, count, total, most], orient="row")
