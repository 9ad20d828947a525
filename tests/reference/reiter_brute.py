"""Reiter (2005), eq. (1)-(5), written out in plain Python: one sum or one quad at a time.

It follows the paper and conventions 8 and 9 of the reproduced numbers, shares no code with the
package, and is slow. A variable is a dict {"name", "mask"}; a mask is a dict with a "kind":

- none: z = y
- recode: "breaks"; z = index k with b_k <= y < b_{k+1}
- topcode: "cut"; z = "top" when y > cut
- swap: "levels", "matrix" with rows Pr(z | y)
- noise: "sd", "lower", "upper", "keep_zero", "integer", "topcode"

What is known about a variable of a target is a number or level (exactly), or a dict: {"between": (lo, hi)},
{"oneof": levels, "prior": counts}, {"normal": (mean, sd)}, {"lognormal": (mean, sd)}, {"uniform": (lo, hi)}.
Beliefs are lists of atoms (weight, {name: value or dict with a distribution}).
"""

from __future__ import annotations

import itertools
import math
from typing import Any

from scipy.integrate import quad

INF = math.inf


class norm:
    """The normal distribution, in plain Python for speed."""

    @staticmethod
    def pdf(x: float, mean: float, sd: float) -> float:
        d = (x - mean) / sd
        return math.exp(-0.5 * d * d) / (sd * math.sqrt(2 * math.pi)) if abs(d) < 38 else 0.0

    @staticmethod
    def cdf(x: float, mean: float, sd: float) -> float:
        return 0.5 * math.erfc((mean - x) / (sd * math.sqrt(2)))


def is_known_exactly(known: Any) -> bool:
    return not isinstance(known, dict)


def bounds(mask: dict[str, Any]) -> tuple[float, float]:
    lower, upper = mask.get("lower"), mask.get("upper")
    return -INF if lower is None else lower, INF if upper is None else upper


def noisy_class(mask: dict[str, Any], value: Any) -> str:
    """The class of a true or of a released value of a noisy variable."""
    if value == "top" or (mask.get("topcode") is not None and isinstance(value, int | float) and value > mask["topcode"]):
        return "top"
    return "zero" if mask["keep_zero"] and value == 0 else "moved"


def moved_range(mask: dict[str, Any]) -> tuple[float, float]:
    """Where true values that are perturbed lie."""
    lower, upper = bounds(mask)
    return lower, min(upper, INF if mask.get("topcode") is None else mask["topcode"])


def noise(mask: dict[str, Any], z: float, y: float) -> float:
    """Pr(z | y) of 3.2.2: truncated normal density, or the mass within one half (convention 8)."""
    lower, upper = bounds(mask)
    s = mask["sd"]
    inside = norm.cdf(upper, y, s) - norm.cdf(lower, y, s)
    if not mask["integer"]:
        return float(norm.pdf(z, y, s) / inside) if lower <= z <= upper else 0.0
    a, b = z - 0.5, z + 0.5
    if mask["keep_zero"]:
        a, b = (0.0 if z == 1 else a), (0.0 if z == -1 else b)
    a, b = max(a, lower), min(b, upper)
    return float((norm.cdf(b, y, s) - norm.cdf(a, y, s)) / inside) if a < b else 0.0


def density(belief: dict[str, Any], y: float) -> float:
    """The density of a distribution about a number."""
    ((family, (first, second)),) = belief.items()
    if family == "normal":
        return float(norm.pdf(y, first, second))
    if family == "lognormal":
        return float(norm.pdf(math.log(y), first, second) / y) if y > 0 else 0.0
    return 1 / (second - first) if first <= y <= second else 0.0


def support(belief: dict[str, Any], low: float, high: float) -> tuple[float, float]:
    """The part of low..high where a distribution has mass worth adding up."""
    ((family, (first, second)),) = belief.items()
    if family == "normal":
        a, b = first - 12 * second, first + 12 * second
    elif family == "lognormal":
        a, b = math.exp(first - 12 * second), math.exp(first + 12 * second)
    else:
        a, b = first, second
    return max(a, low), min(b, high)


def mass(belief: Any, low: float, high: float) -> float:
    """The probability of low..high under a belief (closed interval)."""
    if not isinstance(belief, dict):
        return 1.0 if low <= belief <= high else 0.0
    if low >= high:
        return 0.0
    ((family, (first, second)),) = belief.items()
    if family == "normal":
        return float(norm.cdf(high, first, second) - norm.cdf(low, first, second))
    if family == "lognormal":
        a, b = (math.log(x) if x > 0 else -INF for x in (low, high))
        return float(norm.cdf(b, first, second) - norm.cdf(a, first, second))
    return max(min(high, second) - max(low, first), 0.0) / (second - first)


def integral(mask: dict[str, Any], z: float, belief: dict[str, Any], low: float, high: float) -> float:
    """The integral of Pr(z | y) times the density of y over low..high."""
    a, b = support(belief, low, high)
    if a >= b:
        return 0.0
    s = mask["sd"]
    ((family, (first, second)),) = belief.items()
    centre = math.exp(first) if family == "lognormal" else first
    marks = {z + k * s for k in (-9, -3, -1, 0, 1, 3, 9)} | {centre}
    if family == "normal":
        marks |= {first + k * second for k in (-4, -1, 1, 4)}
    if family == "lognormal":
        marks |= {math.exp(first + k * second) for k in (-6, -4, -2, -1, 1, 2, 4)}
    points = [a, *sorted(m for m in marks if a < m < b), b]
    return sum(
        quad(lambda y: noise(mask, z, y) * density(belief, y), p, q, epsabs=1e-14, epsrel=1e-9, limit=60)[0]
        for p, q in itertools.pairwise(points)
    )


def consistent(mask: dict[str, Any], z: Any, known: Any) -> bool:
    """3.1: whether a released value may belong to the target, as far as z^Ad goes."""
    kind = mask["kind"]
    if kind == "swap":
        return True
    if kind == "noise":
        if is_known_exactly(known):
            return noisy_class(mask, z) == noisy_class(mask, known)
        return True
    if is_known_exactly(known):
        return z == push(mask, known)
    if "oneof" in known:
        return any(z == push(mask, level) for level in known["oneof"])
    if not {"between", "bounds"} & set(known):
        return True
    low, high = known.get("between", known.get("bounds"))
    if kind == "recode":
        return mask["breaks"][z] <= high and mask["breaks"][z + 1] > low
    if kind == "topcode" and z == "top":
        return high > mask["cut"]
    return low <= z <= high


def push(mask: dict[str, Any], y: Any) -> Any:
    """The released value of a true one under a deterministic mask."""
    if mask["kind"] == "recode":
        return next(k for k in range(len(mask["breaks"]) - 1) if mask["breaks"][k] <= y < mask["breaks"][k + 1])
    if mask["kind"] == "topcode":
        return "top" if y > mask["cut"] else y
    return y


def likelihood(mask: dict[str, Any], z: Any, known: Any) -> float:
    """3.2 (and 3.3 for what is known only as a distribution): Pr(z | what is known)."""
    kind = mask["kind"]
    if kind == "swap":
        levels = known["oneof"] if isinstance(known, dict) else [known]
        prior = known.get("prior", [1.0] * len(levels)) if isinstance(known, dict) else [1.0]
        place = mask["levels"].index
        terms = [p * mask["matrix"][place(y)][place(z)] for y, p in zip(levels, prior, strict=True)]
        return sum(terms) / sum(prior)
    if kind == "noise":
        if noisy_class(mask, z) != "moved":
            return 1.0
        if is_known_exactly(known):
            return noise(mask, z, known)
        low, high = moved_range(mask)
        if "between" in known:
            known = {"uniform": (max(known["between"][0], low), min(known["between"][1], high))}
        return integral(mask, z, known, low, high) / mass(known, low, high)
    if isinstance(known, dict) and not {"between", "bounds", "oneof"} & set(known):
        return density(known, z) if kind == "none" else mass(known, mask["breaks"][z], mask["breaks"][z + 1])
    return 1.0


def within_bounds(
    mask: dict[str, Any], z: Any, bounds: tuple[float, float], name: str, atoms: list[tuple[float, dict[str, Any]]]
) -> float:
    """3.3: Pr(z | the true value lies within bounds), the true value having the beliefs about the record."""
    if noisy_class(mask, z) != "moved":
        return 1.0
    low, high = moved_range(mask)
    low, high = max(low, bounds[0]), min(high, bounds[1])
    top = bottom = 0.0
    for weight, values in atoms:
        y = values[name]
        share = mass(y, low, high)
        bottom += weight * share
        if share:
            top += weight * (integral(mask, z, y, low, high) if isinstance(y, dict) else noise(mask, z, y))
    return top / bottom if bottom else 0.0


def unit_marginal(
    variables: list[dict[str, Any]], record: dict[str, Any], atoms: list[tuple[float, dict[str, Any]]]
) -> float:
    """3.4: Pr(z^C_j | z^Ad_j), given the visible classes of noisy variables."""
    top = bottom = 0.0
    for weight, values in atoms:
        value = share = weight
        for variable in variables:
            mask, z = variable["mask"], record[variable["name"]]
            if variable["name"] not in values:
                continue
            y = values[variable["name"]]
            if mask["kind"] == "swap":
                value *= mask["matrix"][mask["levels"].index(y)][mask["levels"].index(z)]
            elif mask["kind"] == "noise":
                inside, joint = class_parts(mask, z, y)
                value *= joint
                share *= inside
        top += value
        bottom += share
    return top / bottom if bottom else 0.0


def class_parts(mask: dict[str, Any], z: Any, y: Any) -> tuple[float, float]:
    """The probability of the class of z under a belief, and that of the class and z together."""
    group = noisy_class(mask, z)
    if not isinstance(y, dict):
        low, high = moved_range(mask)
        fits = noisy_class(mask, y) == group and (group != "moved" or low <= y <= high)
        return float(fits), (noise(mask, z, y) if group == "moved" else 1.0) * fits
    if group == "zero":
        return 0.0, 0.0
    if group == "top":
        above = mass(y, mask["topcode"], INF)
        return above, above
    low, high = moved_range(mask)
    return mass(y, low, high), integral(mask, z, y, low, high)


def link(
    variables: list[dict[str, Any]],
    records: list[dict[str, Any]],
    target: dict[str, Any],
    *,
    atoms: list[list[tuple[float, dict[str, Any]]]] | None = None,
    weights: list[float] | None = None,
    people: float | None = None,
    beliefs: list[list[tuple[float, dict[str, Any]]]] | None = None,
) -> dict[str, Any]:
    """Eq. (1), with the products of eq. (5) cancelled: probabilities of all records and of the null link.

    `atoms` None: eq. (4) is set to one. `weights` or `people`: the target may be outside the file.
    `beliefs`: what bounds on a noisy number are applied to, also where eq. (4) is set to one.
    """
    beliefs = beliefs or atoms or []
    known = [v for v in variables if v["name"] in target]
    fits = [all(consistent(v["mask"], r[v["name"]], target[v["name"]]) for v in known) for r in records]
    n_t = sum(fits)
    big_n = float(n_t)
    if people is not None:
        big_n = max(people, n_t)
    elif weights is not None:
        big_n = max(sum(w for w, f in zip(weights, fits, strict=True) if f), n_t)
    score = []
    for j, (record, fit) in enumerate(zip(records, fits, strict=True)):
        value = 0.0
        if fit:
            value = 1.0
            for v in known:
                mask, z, about = v["mask"], record[v["name"]], target[v["name"]]
                if mask["kind"] == "noise" and isinstance(about, dict) and "bounds" in about:
                    value *= within_bounds(mask, z, about["bounds"], v["name"], beliefs[j])
                else:
                    value *= likelihood(mask, z, about)
            if atoms is not None and value:
                value /= unit_marginal(known, record, atoms[j])
        score.append(value)
    outside = big_n - n_t
    total = sum(score) + outside
    if sum(score) == 0:
        return {"p": [0.0] * len(records), "null": 1.0, "n_t": n_t, "N_t": big_n}
    return {"p": [s / total for s in score], "null": outside / total, "n_t": n_t, "N_t": big_n}
