"""A synthetic file of household heads with the published features of a census survey extract.

THE FILE IS SYNTHETIC.  It is generated from the facts that Reiter (2005, Estimating Risks of
Identification Disclosure in Microdata) prints about his extract of the March 2000 Current
Population Survey, and from rounded aggregate shares.  It holds no real respondent: every record,
the four named units of that article included, is made up to agree with printed counts.

The steps: cell counts by sex, race, marital status and age are drawn and nudged to the printed
numbers of occupied and single cells; the people are laid out; education, income, ownership, taxes
and the two kinds of payment follow from scores with noise, the amounts being dealt out by rank so
that their printed totals hold exactly; at last taxes are exchanged between people until the
neighbourhoods of the named units are as printed.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from confide.data import cps_tables as tables
from confide.data.cps_tables import BIG_I, BIG_P, EVERYMAN, UNIQUE, Unit

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Columns = dict[str, Ints]
Named = dict[Unit, int]


def cps_arrays() -> dict[str, np.ndarray]:
    """Return the synthetic household file, one array for each column.

    >>> cps_arrays()["age"].size
    51016
    """
    rng = np.random.Generator(np.random.PCG64(tables.SEED))
    people = _people(_cell_counts(rng), rng)
    named = {unit: _first(people, unit) for unit in (EVERYMAN, UNIQUE, BIG_I, BIG_P)}
    people["education"] = _education(people, rng)
    income = _income(people, named, rng)
    tax = _tax(people, income, named, rng)
    return {
        **{name: people[name] for name in ("sex", "race", "marital", "education", "age")},
        "child_support": _child_support(people, rng),
        "social_security": _social_security(people, income, rng),
        "property_tax": tax,
        "income": income,
        "weight": _weights(people, named, rng),
    }


def _noise(rng: np.random.Generator, size: int) -> Floats:
    """Logistic noise with variance one."""
    uniform = np.clip(rng.random(size), 1e-12, 1.0 - 1e-12)
    return _logit(uniform)


def _logit(share: Floats) -> Floats:
    """Log odds on the scale of the noise."""
    return np.asarray(np.log(share / (1.0 - share)) * (np.sqrt(3.0) / np.pi))


def _top(score: Floats, count: int) -> Ints:
    """Find the places of the highest scores, lowest of them first."""
    return np.asarray(np.argsort(score, kind="stable")[score.size - count :])


def _amounts(count: int, amounts: Sequence[float], at: Sequence[float] = tables.QUANTILES) -> Ints:
    """List evenly spaced quantiles of a distribution with log-linear pieces, both ends included."""
    logs = np.interp(np.linspace(0.0, 1.0, count), at, np.log(amounts))
    return np.rint(np.exp(logs)).astype(np.int64)


def _draw(shares: Floats, count: int, rng: np.random.Generator) -> Ints:
    """Places drawn with the given shares."""
    total = np.cumsum(shares)
    places = np.searchsorted(total, rng.random(count) * total[-1], side="right")
    return np.asarray(np.minimum(places, shares.size - 1))


def _deal(places: Ints, score: Floats, amounts: Ints) -> Ints:
    """Fill a column with increasing amounts at the places by order of score, zero elsewhere."""
    column = np.zeros(tables.PEOPLE, dtype=np.int64)
    column[places[np.argsort(score, kind="stable")]] = amounts
    return column


def _age_group(age: Ints) -> Ints:
    return np.asarray((age - tables.AGE_MIN) // 5)


def _grouped_counts(expected: Floats, rng: np.random.Generator) -> Ints:
    """Numbers of people with age in fives."""
    shares = np.add.reduceat(expected, np.arange(0, tables.AGES, 5), axis=3)
    block = np.broadcast_to(np.arange(56).reshape(2, 4, 7, 1), shares.shape).copy()
    fixed = np.zeros(shares.shape, dtype=np.int64)
    for unit, _, people in tables.FIXED_CELLS:
        sex, race, status, age = unit.cell
        shares[sex, race, status, age // 5] = 0.0
        block[sex, race, status, age // 5] = -1
        fixed[sex, race, status, age // 5] = people
    drawn = _draw(shares.ravel(), tables.PEOPLE - int(fixed.sum()), rng)
    counts = np.bincount(drawn, minlength=shares.size) + fixed.ravel()
    return tables.GROUPED_CELLS.reach(counts, block.ravel(), rng)


def _cell_counts(rng: np.random.Generator) -> Ints:
    """Numbers of people by sex, race, marital status and single year of age, flattened."""
    expected = tables.expected_people()
    grouped = _grouped_counts(expected, rng).reshape(2, 4, 7, tables.AGE_GROUPS)
    fives = _age_group(np.arange(tables.AGES) + tables.AGE_MIN)
    block = np.arange(56).reshape(2, 4, 7, 1) * tables.AGE_GROUPS + fives
    fixed = np.zeros(tables.SHAPE, dtype=np.int64)
    for unit, people, _ in tables.FIXED_CELLS:
        sex, race, status, age = unit.cell
        expected[sex, race, status, age] = 0.0
        block[sex, race, status, fives == age // 5] = -1
        fixed[sex, race, status, age] = people
        grouped[sex, race, status, age // 5] -= people
    group = np.repeat(np.arange(grouped.size), grouped.ravel())
    total = np.concatenate(([0.0], np.cumsum(expected.ravel())))
    first = group // tables.AGE_GROUPS * tables.AGES + group % tables.AGE_GROUPS * 5
    last = np.where(group % tables.AGE_GROUPS == tables.AGE_GROUPS - 1, first, first + 4)
    level = total[first] + rng.random(group.size) * (total[last + 1] - total[first])
    place = np.clip(np.searchsorted(total, level, side="right") - 1, first, last)
    counts = np.bincount(place, minlength=fixed.size) + fixed.ravel()
    return tables.EXACT_CELLS.reach(counts, block.ravel(), rng)


def _people(counts: Ints, rng: np.random.Generator) -> Columns:
    """Lay out the people of the cells in random order."""
    cells = np.repeat(np.arange(counts.size), counts)
    cells = cells[np.argsort(rng.random(cells.size), kind="stable")]
    columns = np.unravel_index(cells, tables.SHAPE)
    lowest = {"sex": 1, "race": 1, "marital": 1, "age": tables.AGE_MIN}
    return {
        name: np.asarray(column, dtype=np.int64) + low for (name, low), column in zip(lowest.items(), columns, strict=True)
    }


def _alike(people: Columns, unit: Unit) -> Bools:
    """Whether people share sex, race and marital status with a unit."""
    same = (people["sex"] == unit.sex) & (people["race"] == unit.race)
    return np.asarray(same & (people["marital"] == unit.marital))


def _first(people: Columns, unit: Unit) -> int:
    return int(np.flatnonzero(_alike(people, unit) & (people["age"] == unit.age))[0])


def _education(people: Columns, rng: np.random.Generator) -> Ints:
    """Levels dealt out by rank; the old and some minorities have less, the young are capped."""
    age, size = people["age"], tables.PEOPLE
    score = _noise(rng, size) - 0.02 * np.maximum(age - 45, 0)
    score -= 0.25 * np.isin(people["race"], (2, 3))
    edges = np.cumsum(tables.EDUCATION) * size // sum(tables.EDUCATION)
    levels = 31 + np.searchsorted(edges, np.arange(size), side="right")
    education = _deal(np.arange(size), score, levels)
    education = np.where(age < 25, np.minimum(education, 43), education)
    return np.where(age < 21, np.minimum(education, 40), education)


def _income(people: Columns, named: Named, rng: np.random.Generator) -> Ints:
    """Incomes: a few lose or earn nothing, the rest rank by schooling, age and marriage."""
    size, losses, nothing = tables.PEOPLE, tables.NEGATIVE_INCOMES, tables.ZERO_INCOMES
    decades = (people["age"] - 50) / 10.0
    score = 0.112 * (people["education"] - 39) - 0.015 * decades - 0.041 * decades**2
    score += 0.59 * (people["marital"] <= 2) - 0.1 * (people["sex"] == 2)
    score += 0.75 * _noise(rng, size)
    without = rng.random(size) + 0.1 * score
    without[list(named.values())] = 9.0
    idle = np.argsort(without, kind="stable")[: losses + nothing]
    score[idle] = -99.0
    score[named[BIG_I]] = 99.0
    positive = _amounts(size - losses - nothing - 1, tables.INCOMES)
    round_to = np.where(rng.random(positive.size) < 0.5, 1000, 100)
    rounded = (positive + round_to // 2) // round_to * round_to
    heaped = (rng.random(positive.size) < 0.28) & (positive > 5_000) & (positive < 600_000)
    positive = np.sort(np.where(heaped, rounded, positive))
    income = np.zeros(size, dtype=np.int64)
    income[_top(score, positive.size + 1)] = [*positive.tolist(), tables.TOP_INCOME]
    income[idle[:losses]] = -_amounts(losses, tables.NEGATIVE_AMOUNTS)
    for unit, place in named.items():
        income[place] = unit.income
    return income


def _child_support(people: Columns, rng: np.random.Generator) -> Ints:
    """Payments mostly to women who live apart from the father, of the ages with children."""
    share = np.array(tables.CHILD_SUPPORT_SHARE)[people["sex"] - 1, people["marital"] - 1]
    distance = np.maximum(np.abs(people["age"] - 37) - 8, 0) / 6.0
    score = _logit(share) - 0.5 * distance**2 + _noise(rng, tables.PEOPLE)
    paid = _top(score, tables.CHILD_SUPPORT_PEOPLE)
    level = rng.random(paid.size) + 0.05 * people["education"][paid]
    return _deal(paid, level, _amounts(paid.size, tables.CHILD_SUPPORT_AMOUNTS))


def _social_security(people: Columns, income: Ints, rng: np.random.Generator) -> Ints:
    """Payments mostly from the age of 62, larger for couples and for higher incomes."""
    share = np.interp(people["age"], tables.SOCIAL_SECURITY_AGES, tables.SOCIAL_SECURITY_SHARE)
    paid = _top(_logit(share) + _noise(rng, tables.PEOPLE), tables.SOCIAL_SECURITY_PEOPLE)
    level = 0.8 * (people["marital"][paid] <= 2) + 0.3 * np.log(np.maximum(income[paid], 500))
    amounts = _amounts(paid.size, tables.SOCIAL_SECURITY_AMOUNTS)
    return _deal(paid, level + 0.6 * _noise(rng, paid.size), amounts)


def _tax_band(band: tables.TaxBand, rng: np.random.Generator) -> Ints:
    """Taxes of a band, reported up to a round figure or up to one of a few odd figures."""
    low, high, size = band.span
    exact = np.clip(_amounts(size, band.amounts, band.at), low + 1, high)
    donors = np.sort(exact[(rng.random(band.donors) * size).astype(np.int64)])
    reported = donors[np.minimum(np.searchsorted(donors, exact), donors.size - 1)]
    edges = np.cumsum([share for _, share in band.heaps])
    choice = np.searchsorted(edges, rng.random(size), side="right")
    for place, (unit, _) in enumerate(band.heaps):
        rounded = np.minimum(-(-exact // unit) * unit, high)
        reported = np.where(choice == place, rounded, reported)
    return reported


def _tax_values(rng: np.random.Generator) -> Ints:
    """All positive taxes in increasing order."""
    drawn = np.concatenate([_tax_band(band, rng) for band in tables.TAX_BANDS])
    counts = np.bincount(drawn, minlength=tables.TOP_TAX + 1)
    counts[tables.TOP_TAX] = 4
    counts[EVERYMAN.tax + 5] += counts[EVERYMAN.tax] - tables.EVERYMAN_TAX_PEOPLE
    counts[EVERYMAN.tax] = tables.EVERYMAN_TAX_PEOPLE
    lows = [band.span[0] for band in tables.TAX_BANDS]
    cut = tables.TAX_BANDS[3].span[0] + 1
    block = np.searchsorted(lows, np.arange(cut), side="left")
    block[[0, EVERYMAN.tax]] = -1
    targets = tables.TAX_VALUES.without(counts[cut:])
    counts[:cut] = targets.reach(counts[:cut], block, rng)
    return np.repeat(np.arange(counts.size), counts)


def _tax(people: Columns, income: Ints, named: Named, rng: np.random.Generator) -> Ints:
    """Taxes of the owners, by rank of a score of income and age."""
    money = np.log(np.maximum(income, 500)) - 10.0
    decades = (people["age"] - 50) / 10.0
    married, widowed = people["marital"] <= 2, people["marital"] == 4
    owns = 0.72 * money + 0.4 * decades - 0.1 * decades**2
    owns += 0.97 * married + 0.65 * widowed - 0.54 * (people["race"] > 1)
    owns = owns * (np.sqrt(3.0) / np.pi) + _noise(rng, tables.PEOPLE)
    for unit, place in named.items():
        owns[place] = 99.0 if unit.tax else -99.0
    owners = _top(owns, tables.TAXED_PEOPLE)
    level = 0.49 * money + 0.046 * decades - 0.06 * married + 1.06 * _noise(rng, money.size)
    tax = _deal(owners, level[owners], _tax_values(rng))
    _settle_named(tax, people, named)
    return tax


def _hold(tax: Ints, members: Bools, pool: Bools, span: tuple[int, int], count: int) -> None:
    """Exchange taxes with the pool so that ``count`` members are above and up to the span."""
    inside, below = (tax > span[0]) & (tax <= span[1]), (tax > 0) & (tax <= span[0])
    excess = int((members & inside).sum()) - count
    losers, winners = (members, pool) if excess > 0 else (pool, members)
    high, low = np.flatnonzero(losers & inside)[: abs(excess)], np.flatnonzero(winners & below)
    low = low[np.argsort(-tax[low], kind="stable")][: abs(excess)]
    tax[high], tax[low] = tax[low], tax[high]


def _settle_named(tax: Ints, people: Columns, named: Named) -> None:
    """Give the named units their taxes and the printed numbers of neighbours."""
    age, white = people["age"], people["race"] == 1
    free = np.ones(tax.size, dtype=np.bool_)
    free[list(named.values())] = False
    husbands, old = _alike(people, EVERYMAN), _age_group(age) == _age_group(np.array(BIG_P.age))
    forties = husbands & (_age_group(age) == _age_group(np.array(EVERYMAN.age)))
    partners = husbands & (age == BIG_I.age)
    pool = free & ~forties & ~partners & ~old
    for unit in (EVERYMAN, BIG_I, BIG_P):
        place, other = named[unit], int(np.flatnonzero(pool & (tax == unit.tax))[0])
        tax[place], tax[other] = tax[other], tax[place]
    same = (EVERYMAN.tax - 1, EVERYMAN.tax)
    _hold(tax, free & forties & (age == EVERYMAN.age), pool, same, 1)
    _hold(tax, free & forties & (age != EVERYMAN.age), pool, same, 0)
    _hold(tax, free & white & ~forties, free & ~white, same, 6)
    _hold(tax, free & partners, pool, (BIG_I.tax - 1, BIG_I.tax), 6)
    _hold(tax, free & ~white, pool & white, (BIG_P.tax - 1, BIG_P.tax), 0)
    women = people["sex"] == BIG_P.sex
    _hold(tax, free & old & ~women, pool, (39_997, BIG_P.tax), 0)
    for low, high, count in tables.BIG_P_NEIGHBOURS:
        _hold(tax, free & old & women, pool, (low, high), count)


def _weights(people: Columns, named: Named, rng: np.random.Generator) -> Floats:
    """Weights in whole hundredths, a little skewed, that add up to the population."""
    raw = np.exp(np.clip(0.4 * _noise(rng, tables.PEOPLE), -1.6, 1.6))
    raw[_alike(people, BIG_I) & (people["age"] == BIG_I.age)] *= tables.BIG_I_CELL_WEIGHT
    raw[named[UNIQUE]] = 0.0
    left = round((tables.POPULATION - tables.UNIQUE_WEIGHT) * 100)
    hundredths = np.floor(raw * (left / raw.sum())).astype(np.int64)
    short = left - int(hundredths.sum())
    hundredths[np.flatnonzero(raw > 0.0)[:short]] += 1
    hundredths[named[UNIQUE]] = round(tables.UNIQUE_WEIGHT * 100)
    return np.asarray(hundredths / 100.0)
