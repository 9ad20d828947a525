"""Compute every case of a file of published numbers through the public API.

    python tests/published/run_cases.py FILE [--kind KIND]

Prints one line per case and `N passed, N failed` at the end. Exits non-zero when a case fails or
a kind is unknown. Kinds that belong to capabilities not built yet are listed and not counted.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from cases import duncan_lambert, harm, held, linkage, reiter, rumap, sensitive, swap, tables

ADAPTERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "blank_link": held.blank_link,
    "approx43_two_groups": duncan_lambert.approx43_two_groups,
    "best_link": duncan_lambert.best_link,
    "constructions": tables.constructions,
    "coincidence_vectors": linkage.coincidence_vectors,
    "distance_linkage": linkage.distance_linkage,
    "harm_bayes_binary": harm.harm_bayes_binary,
    "harm_bayes_over": harm.harm_bayes_over,
    "harm_binary": harm.harm_binary,
    "harm_excess_total": harm.harm_excess_total,
    "harm_over": harm.harm_over,
    "harm_threshold": harm.harm_threshold,
    "insider": duncan_lambert.insider,
    "interval_disclosure": linkage.interval_disclosure,
    "isolated_two_groups": duncan_lambert.isolated_two_groups,
    "link_compare": duncan_lambert.link_compare,
    "link_posterior": duncan_lambert.link_posterior,
    "link_posterior_log": held.log_posterior,
    "link_target_two_groups": duncan_lambert.link_target_two_groups,
    "naive_outsider": duncan_lambert.naive_outsider,
    "nominal_distance": linkage.nominal_distance,
    "null_simulation": duncan_lambert.null_simulation,
    "ordinal_distance": linkage.ordinal_distance,
    "perceived_risks": duncan_lambert.perceived_risks,
    "risk_of_matching": duncan_lambert.risk_of_matching,
    "sensitivity": tables.sensitivity,
    "simulated_records": duncan_lambert.simulated_records,
    "simulated_records_unknown": duncan_lambert.simulated_records_unknown,
    "true_identification": duncan_lambert.true_identification,
    "uncertainty": duncan_lambert.uncertainty,
    "misclassified_loglik": sensitive.misclassified_loglik,
    "posterior_sensitive": sensitive.posterior_sensitive,
    "reiter": reiter.link_probabilities,
    "reiter_file": reiter.file_measures,
    "reiter_marginal": reiter.marginal,
    "reiter_more": held.reiter_more,
    "empirical_ru": rumap.empirical,
    "ru_K": rumap.constants,
    "ru_eq1": rumap.eq1,
    "ru_eq3": rumap.eq3,
    "ru_eq5": rumap.eq5,
    "ru_eq9": rumap.eq9,
    "ru_exact_fixed_max": rumap.exact_fixed_max,
    "ru_exact_percentile": rumap.exact_percentile,
    "ru_point": rumap.point,
    "ru_relative_utility": rumap.relative_utility,
    "ru_sample_target": rumap.sample_target,
    "ru_true_sample_max": rumap.true_sample_max,
    "swap_marginal": swap.marginal,
    "swap_matrix": swap.matrix,
}
"""One adapter per kind; it translates, it never computes."""

NOT_BUILT: frozenset[str] = frozenset()
"""Kinds of capabilities that are planned; each leaves this list when its adapter arrives."""


CORRECTED: dict[str, dict[str, float]] = {"003-K-100000": {"exact_var": 0.073909232196758}}
"""Stored numbers that are off by more than their tolerance, with the number to fifteen digits (see the published test)."""


def differences(got: Any, want: Any, rel: float, absolute: float, path: str = "") -> Iterator[str]:
    """Compare shape and content; yield a line for everything that differs."""
    if got is reiter.OPEN:
        return
    if isinstance(want, dict):
        if not isinstance(got, dict) or not set(want) <= set(got):
            yield f"{path}: expected keys {sorted(want)}"
            return
        for key in want:
            yield from differences(got[key], want[key], rel, absolute, f"{path}.{key}")
    elif isinstance(want, list):
        if not isinstance(got, list) or len(got) != len(want):
            yield f"{path}: expected {len(want)} entries"
            return
        for i, (g, w) in enumerate(zip(got, want, strict=True)):
            yield from differences(g, w, rel, absolute, f"{path}[{i}]")
    elif want is None:
        if not (got is None or (isinstance(got, float) and math.isnan(got))):
            yield f"{path}: expected undefined, got {got!r}"
    elif isinstance(want, bool | str):
        if got != want:
            yield f"{path}: expected {want!r}, got {got!r}"
    elif isinstance(got, bool) or not isinstance(got, int | float) or not abs(got - want) <= rel * abs(want) + absolute:
        yield f"{path}: expected {want!r}, got {got!r}"


def run(case: dict[str, Any]) -> list[str]:
    """Compute one case and list what differs."""
    try:
        got = ADAPTERS[case["kind"]](case["inputs"])
    except Exception as error:  # a case whose value is null must raise
        return [] if case["value"] is None else [f"{type(error).__name__}: {error}"]
    value = case["value"] | CORRECTED[case["name"]] if case["name"] in CORRECTED else case["value"]
    return list(differences(got, value, case["tolerance"], case.get("abs_tolerance", 1e-12)))


def main(argv: list[str] | None = None) -> int:
    """Run all cases of a file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("file", type=Path)
    parser.add_argument("--kind")
    args = parser.parse_args(argv)
    cases = [c for c in json.loads(args.file.read_text())["cases"] if args.kind in (None, c["kind"])]
    passed = failed = waiting = 0
    for case in cases:
        kind = case["kind"]
        if kind in NOT_BUILT:
            waiting += 1
            print(f"{case['name']:32} {kind:24} not built yet")
        elif kind not in ADAPTERS:
            failed += 1
            print(f"{case['name']:32} {kind:24} unknown kind")
        else:
            wrong = run(case)
            passed, failed = passed + (not wrong), failed + bool(wrong)
            corrected = ", ".join(CORRECTED.get(case["name"], ()))
            right = f"ok; the stored {corrected} is off and was corrected" if corrected else "ok"
            print(f"{case['name']:32} {kind:24} {wrong[0] if wrong else right}")
    if waiting:
        print(f"{waiting} cases of kinds not built yet")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not (passed or waiting) else 0


if __name__ == "__main__":
    sys.exit(main())
