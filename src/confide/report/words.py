"""The answer, the assumptions and the warnings in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from confide.assessment.assessment import Scenario
from confide.assessment.notes import notes_of_all
from confide.assessment.noticed import contradicted_note
from confide.assessment.show import no_better_than_chance
from confide.assessment.truth_notes import truth_notes_of_all
from confide.calibration.reasons import BOUND, WEIGHTS
from confide.intruder.acting import describe_acts
from confide.intruder.population import AtLeast
from confide.linking.pieces import NumPiece
from confide.release.marks import banner, marked
from confide.release.released import Released
from confide.report.grid import Grid, acting, expected, expected_share, guess, per_target, right
from confide.report.table import DASH, count, per_cent


@dataclass(frozen=True, slots=True)
class Tile:
    """A figure that stands out."""

    figure: str
    """The figure."""
    name: str
    """What it is."""
    detail: str
    """The same as a count."""
    where: str
    """The release and the intruder."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A name and the lines said about it."""

    name: str
    """What is spoken of."""
    lines: tuple[str, ...]
    """What is said."""


def answer(grid: Grid) -> tuple[Markup, ...]:
    """Say in one or two sentences how many respondents an intruder can find."""
    worst = grid.riskiest()
    release, intruder = grid.names(worst)
    where = Markup("")
    if len(grid.cells) > 1:
        where = Markup("Under the riskiest scenario (release <em>{}</em>, intruder <em>{}</em>), ").format(release, intruder)
    sure = " and that the target is in the file" if worst.intruder.target_in_file else ""
    knows = Markup("{} intruder who knows {}{}").format(
        "an" if where else "An", listing([i.describe() for i in worst.intruder.items]), sure
    )
    found, share, chance = expected(worst), expected_share(worst), guess(worst)
    if found is None or share is None or chance is None:
        why = worst.summary.why_unknown
        text = Markup("{} looks for {}; how many links are right is <strong>not known</strong>: {}.").format
        return (where + text(knows, people(worst), why), *_acts(worst))
    first = where + Markup("{} can expect <strong>{}</strong> among {} ({}); a random guess: {}.").format(
        knows, matches(found), people(worst), per_cent(share), count(chance, whole=chance == 1)
    )
    best = grid.most_protective()
    left, part = expected(best), expected_share(best)
    if best is worst or grid.names(best)[0] == release or left is None or part is None:
        return first, *_acts(worst)
    release, intruder = grid.names(best)
    second = Markup(
        "The most protective release, <em>{}</em>, leaves <strong>{}</strong> ({}) to the intruder it protects least against"
        " (<em>{}</em>)."
    ).format(release, matches(left), per_cent(part), intruder)
    return first, *_acts(worst), second


def _acts(scenario: Scenario) -> tuple[Markup, ...]:
    """Say what becomes of an intruder who links only where there is reason to."""
    rule, found = acting(scenario), right(scenario)
    made = int(rule.acted(scenario.summary).sum())
    links = f"{made:,} link{'' if made == 1 else 's'}"
    told = Markup("how many of them are right is not known") if found is None else None
    told = told or Markup("<strong>{}</strong> of them can be expected to be right").format(_count(found or 0.0))
    return (Markup("One who {} makes {}; {}.").format(describe_acts(rule.acts), links, told),)


def tiles(grid: Grid) -> tuple[Tile, ...]:
    """Give the figures of the answer."""
    worst, best = grid.riskiest(), grid.most_protective()
    shown = [(worst, "riskiest scenario" if len(grid.cells) > 1 else "expected matches")]
    if grid.names(best)[0] != grid.names(worst)[0]:
        shown.append((best, "most protective release"))
    where = "release {}, intruder {}"
    found = [Tile(_share(expected_share(s)), name, matches(expected(s)), where.format(*grid.names(s))) for s, name in shown]
    chance = guess(worst)
    share = _share(per_target(chance, worst))
    return (*found, Tile(share, "random guess", matches(chance), "a record picked at random for each target"))


def matches(value: float | None) -> str:
    """Write a number of correct matches."""
    return "not known" if value is None else f"{_count(value)} correct match{'' if value == 1 else 'es'}"


def _count(value: float) -> str:
    """Write a number that may be an expectation."""
    return count(value, whole=abs(value - round(value)) < 5e-7)


def _share(value: float | None) -> str:
    """Write a share in per cent; a dash where it is not known."""
    return DASH if value is None else per_cent(value)


def people(scenario: Scenario) -> str:
    """Say among how many the intruder looks; values that picked the targets are not shown."""
    n = scenario.summary.n
    if all(t.records is None and t.rows is None and not t.condition for t in scenario.targets):
        return f"{n:,} {_respondents(n)}"
    return f"{n:,} target{'' if n == 1 else 's'}"


def _respondents(n: int) -> str:
    """Give the word for one or several."""
    return "respondent" if n == 1 else "respondents"


def listing(names: Sequence[str]) -> str:
    """Join names as in a sentence.

    >>> listing(["sex", "race", "age"])
    'sex, race and age'
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def releases_stated(grid: Grid) -> tuple[Stated, ...]:
    """Say how each release was made."""
    found = []
    for row, name in enumerate(grid.releases):
        released = next(s.released for (r, _), s in grid.cells.items() if r == row)
        found.append(Stated(name, _masking(released)))
    return tuple(found)


def _masking(released: Released) -> tuple[str, ...]:
    """Say line by line how a release was made."""
    if released.methods:
        lines = [*released.describe()]
    elif released.made_here:
        lines = ["nothing is masked; identifiers are left out"]
    else:
        lines = ["made elsewhere; how it was masked is not known"]
    if released.simulated_share > 0:
        lines.append(f"{per_cent(released.simulated_share)} of the records belong to nobody")
    return tuple(lines)


def banner_of(grid: Grid) -> str:
    """Give what stands first on the page where a release was made with a seed; empty where none was."""
    return banner(*(s.released.seed for s in grid.cells.values()))


def attacker_stated(grid: Grid) -> tuple[str, ...]:
    """Say what an attacker may know of the masking, and what the figures take for granted."""
    files = list({s.released.name: s.released for s in grid.cells.values()}.values())
    seeded, random = [f.name for f in files if f.seed is not None], [f for f in files if f.fingerprint is not None]
    lines = [
        (
            "He may know the list of methods in their order, all their parameters, this software, and everything that "
            "is published. An intruder who understands the masking uses them; the figures are his."
        )
    ]
    if random:
        lines.append(
            "He does not know the secret, and cannot guess it: the figures assume that the random numbers of the masking "
            "are unknown to him. They do not hold for one who has the secret, or the link from released to source records."
        )
    if seeded:
        lines.append(
            f"The figures take the random numbers as unknown to him, too, which is not so for {listing(seeded)}: whoever "
            "guesses the seed takes the masking away, and these figures do not hold."
        )
    lines.append(
        "What was published before of the same people is known to him only as far as an intruder is said to know it."
    )
    return tuple(lines)


def intruders_stated(grid: Grid) -> tuple[Stated, ...]:
    """Say what each intruder is assumed to know, believe and understand."""
    found = []
    for column, name in enumerate(grid.intruders):
        scenario = next(s for (_, c), s in grid.cells.items() if c == column)
        lines = [*scenario.intruder.describe(), "looks for " + "; ".join(_looked_for(scenario))]
        found.append(Stated(name, tuple(lines)))
    return tuple(found)


def _looked_for(scenario: Scenario) -> list[str]:
    """Say who the targets are, without the values that picked them."""
    found = []
    for targets, links in zip(scenario.targets, scenario.links, strict=True):
        if targets.records is not None:
            text = targets.describe()
        elif targets.rows is not None:
            text = f"{links.n:,} chosen {_respondents(links.n)}"
        elif targets.condition:
            text = f"{links.n:,} {_respondents(links.n)} chosen by {listing([k for k, _ in targets.condition])}"
        else:
            text = f"all {links.n:,} respondents"
        if targets.knows is not None:
            known = [k if isinstance(k, str) else k.describe() for k in targets.knows]
            text += f" (about them, the intruder knows {listing(known)})"
        found.append(text)
    return found


def matched_stated(grid: Grid) -> tuple[Stated, ...]:
    """Say how scenarios without replacement were matched, and how far to trust them; none: all with replacement."""
    return tuple(Stated(" / ".join(grid.names(s)), s.matched) for s in grid.cells.values() if s.matched)


def noticed(grid: Grid) -> tuple[str, ...]:
    """List what should make a reader careful."""
    found: list[str] = []
    scenarios = list(grid.cells.values())
    found += marked(list(dict.fromkeys(s.released for s in scenarios)))
    wrong = contradicted_note(scenarios)
    found += [wrong] if wrong else []
    found += truth_notes_of_all(scenarios)
    found += [f"{text} No limit that needs what is undefined holds." for text in undefined(grid)]
    weak = [s for s in scenarios if no_better_than_chance(s.summary)]
    if weak:
        found.append(f"In {_some(len(weak), scenarios)}, the intruder does no better than twice a random guess.")
    if any(_several_amounts(s) for s in scenarios):
        found.append(
            "Several noisy amounts are known to an intruder. They are taken as independent given the other variables, "
            "so the figures may be off where the amounts move together."
        )
    ignored = sorted({name for s in scenarios for links in s.links for name in links.evidence.ignored})
    if ignored:
        found.append(f"Known variables that a release does not hold could not be used there: {', '.join(ignored)}.")
    joint = [links.matched for s in scenarios for links in s.links if links.matched is not None]
    if any(not m.is_exact for m in joint):
        found.append(
            "Matching without replacement could not be answered exactly everywhere; the largest error of a probability "
            f"is estimated at {max(m.largest_error for m in joint):.2g}."
        )
    if any(m.tolerance_met is False for m in joint):
        found.append("The tolerance asked for was not met in every scenario without replacement; give the solver more time.")
    people = notes_of_all(scenarios)
    found += people
    told = {BOUND, *([WEIGHTS] if people else [])}
    for reason in dict.fromkeys(r for s in scenarios for r in s.failing_assumptions if r not in told):
        named = sum(reason in s.failing_assumptions for s in scenarios)
        found.append(f"In {_some(named, scenarios)}, probabilities need not come true as often as stated: {reason}.")
    if any(isinstance(s.intruder.population, AtLeast) for s in scenarios):
        found.append("Where the number of people like a target is only bounded, the probabilities are upper limits.")
    if any(not s.released.methods and not s.released.made_here for s in scenarios):
        found.append("A release was made elsewhere; unless a masking is supposed, its values are taken at face value.")
    return tuple(found)


def undefined(grid: Grid) -> list[str]:
    """Say which figures are undefined because the truth is not known, and why; a line for each scenario."""
    found = []
    for s in grid.cells.values():
        where = "Release {}, intruder {}".format(*grid.names(s))
        titles = [m.title for m in s.measures if s.why_undefined(m.name)] if s.summary.why_unknown else []
        found += [f"{where}: {', '.join(titles)}: undefined, for {s.summary.why_unknown}."] if titles else []
        for h in s.harms:
            what = "its outcomes are undefined" if h.is_defined else "undefined"
            found += [f"{where}: harm {h.harm.title}: {what}, for {h.reason}."] if h.reason else []
            found += [f"{where}: harm {h.harm.title}: {h.why_untold}."] if h.is_defined and h.why_untold else []
    return found


def _several_amounts(scenario: Scenario) -> bool:
    """Say whether several numbers with noise of their own are compared."""
    for links in scenario.links:
        noisy = [p for p in links.evidence.pieces if isinstance(p, NumPiece) and p.kernel is not None]
        if len(noisy) > 1:
            return True
    return False


def _some(part: int, scenarios: Sequence[Scenario]) -> str:
    """Say in how many of the scenarios."""
    return "the scenario" if len(scenarios) == 1 else f"{part} of {len(scenarios)} scenarios"
