"""Print a calibration as small tables."""

from __future__ import annotations

import math

from confide.calibration.reliability import Reliability
from confide.calibration.result import Calibrated, Calibration, Compared


def show(found: Calibration) -> str:
    """Give stated against true matches of each intruder, and by bins of the probability."""
    rows = [["intruder", "targets", "stated", "true", "true - stated (95 % interval)", "worst group"]]
    for c in found.intruders:
        m, targets = c.matches, c.best.count.sum(axis=1).mean()
        rows.append([c.intruder.title, f"{targets:,.0f}", f"{m.stated:,.1f}", f"{m.true:,.1f}", interval(m), worst(c)])
    lines = [found.banner] if found.banner else []
    lines += [f"{found.release}: masked {found.times} times; matches per release", *_aligned(rows)]
    for c in found.intruders:
        lines += ["", f"{c.intruder.title}: where the record that fits best has probability p, is it the target's?"]
        lines += _bins(c.best, "targets")
        lines += ["", f"{c.intruder.title}: where a record has probability p, is it the target's?"]
        lines += _bins(c.pairs, "pairs")
        if c.null is not None:
            lines += ["", f"{c.intruder.title}: where the null link has probability p, has the target no record?"]
            lines += _bins(c.null, "targets")
        lines += notes(c)
    return "\n".join(lines)


def interval(m: Compared) -> str:
    """Write a difference with its interval.

    >>> interval(Compared(10.0, 12.0, 1.0, 3.0))
    '+2.0 (+1.0 to +3.0)'
    >>> interval(Compared(10.0, 12.0, float("nan"), float("nan")))
    '+2.0 (nothing varied)'
    """
    if not m.varied:
        return f"{round(m.difference, 1) + 0.0:+,.1f} (nothing varied)"
    return f"{m.difference:+,.1f} ({m.low:+,.1f} to {m.high:+,.1f})"


def worst(c: Calibrated) -> str:
    """Name the worst group."""
    group = c.worst_group
    if group is None:
        return "-"
    return f"{group.variable} {group.group}: {interval(group.matches)} of {group.targets:,.0f} targets"


def notes(c: Calibrated) -> list[str]:
    """Say what was not compared, and which assumptions are known to fail."""
    lines = []
    if c.given_in_file:
        lines.append(
            "Probabilities are those given that the target has a record. The null link was not compared: the source file "
            "does not say who is missing from it (everyone=True if it holds all people the intruder could mean)."
        )
    if not c.matches.varied:
        lines.append(
            "Nothing varied between the times: the release leaves these links nothing to chance, so that there is no error "
            "to measure and no fit was shown. What is compared are averages over these very people."
        )
    if c.broken:
        targets = c.best.count.sum(axis=1).mean()
        lines.append(
            f"{c.broken:,.4g} of {targets:,.0f} targets fit no record, or not their own, on average. They count as 0 stated "
            "and 0 true, which no comparison shows: what the intruder supposes, believes or knows is not what was done."
        )
    return lines + off(c) + [f"Not calibrated by assumption: {reason}." for reason in c.assumptions]


def off(c: Calibrated) -> list[str]:
    """Say by how much what is stated is off, and what is likely to cause it, where the interval does not hold 0."""
    m = c.matches
    if not m.varied or m.agrees:
        return []
    way, how = ("fewer", "too high") if m.difference < 0 else ("more", "too low, so that the risk is understated")
    share = f", {100 * abs(m.difference) / m.stated:.2g} per cent of what is stated" if m.stated else ""
    unknown = "No assumption is known to fail; the worst group may show why"
    line = (
        f"What is stated is off: {abs(m.difference):,.1f} {way} matches are true{share}; the 95 % interval ({m.low:+,.1f} "
        f"to {m.high:+,.1f}) does not hold 0. The probabilities are {how}. "
    )
    return [line + ("The likely cause is named below." if c.assumptions else f"{unknown}.")]


def _bins(found: Reliability, what: str) -> list[str]:
    """Give the table of the bins that are not empty."""
    rows = [["p", what, "mean p", "share true", "95 % interval of the share"]]
    half = found.half_width()
    for k, name in enumerate(found.names):
        count = found.count[:, k].mean()
        if count > 0:
            p, share, width = found.stated[:, k].mean() / count, found.true[:, k].mean() / count, half[k] / count
            ends = f"{max(share - width, 0.0):.4g} to {min(share + width, 1.0):.4g}"
            ends = "nothing varied" if math.isnan(width) else ends
            rows.append([name, f"{count:,.4g}" if count < 100 else f"{count:,.0f}", f"{p:.4g}", f"{share:.4g}", ends])
    return _aligned(rows, left=1)


def _aligned(rows: list[list[str]], left: int = 1) -> list[str]:
    """Pad cells to columns: text to the left, figures to the right; the last column is not padded to the right."""
    widths = [max(len(r[c]) for r in rows) for c in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(w) if c < left or c == len(r) - 1 else cell.rjust(w)
            for c, (cell, w) in enumerate(zip(r, widths, strict=True))
        ).rstrip()
        for r in rows
    ]
