"""Harm in the report: beside the risk, never added to it, and without any respondent's loss as it is."""

from __future__ import annotations

import datetime as dt
import re
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import confide as cf
from confide.errors import HarmError
from confide.report.html import render
from confide.report.record import record
from confide.report.table import DASH

DATE = dt.date(2026, 1, 31)
PLANTED = 987654321.0
KNOWN = cf.Harm("income", cf.AmountCosts(cf.Close(0.1)), name="income known")
ILL = cf.Harm("ill", cf.Outcomes(tt=10.0, tf=6.0, ft=3.0, ff=5.0, tn=2.0, fn=1.0), name="illness")
NONE = cf.Harm("ill", cf.Outcomes(), name="costs nothing")


def source(n: int = 120) -> cf.Microdata:
    rng = np.random.default_rng(3)
    income = [float(x) for x in rng.integers(100, 9000, n)]
    income[5] = PLANTED
    region = [str(x) for x in rng.choice(["north", "south", "west"], n)]
    region[5] = "markerlevel"
    columns = {
        "sex": [str(x) for x in rng.choice(["f", "m"], n)],
        "region": region,
        "age": [int(x) for x in rng.integers(20, 60, n)],
        "ill": [str(x) for x in rng.choice(["yes", "no"], n, p=[0.2, 0.8])],
        "income": income,
    }
    return cf.Microdata.from_dict(columns).declare(key=["sex", "region", "age"])


def assessment(*harms: cf.Harm, data: cf.Microdata | None = None) -> cf.Assessment:
    data = data or source()
    releases = [
        cf.Release(name="plain").apply(data, seed=7),
        cf.Release(cf.Swap("sex", rate=0.3), name="masked").apply(data, seed=7),
    ]
    knows = ["sex", "region"]
    people = [cf.Intruder(knows=knows, name="stranger"), cf.Intruder(knows=[*knows, "age"], name="neighbour")]
    return cf.assess(releases, people, harms=harms)


def words(page: str) -> str:
    """Give the text of a page, without tags and with single spaces."""
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


class Tables(HTMLParser):
    """Read the tables of a page by the label of their region."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, list[list[str]]] = {}
        self.label, self.cell = "", False
        self.marked: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        given = dict(attrs)
        self.tags.append((tag, given))
        if given.get("role") == "region":
            self.label = given["aria-label"]
            self.found[self.label] = []
        if tag == "tr" and self.label:
            self.found[self.label].append([])
        if tag in ("th", "td") and self.label:
            self.found[self.label][-1].append("")
            self.cell = True
            if "riskiest" in (given.get("class") or ""):
                self.marked.append(self.label)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("th", "td"):
            self.cell = False
        if tag == "table":
            self.label = ""

    def handle_data(self, data: str) -> None:
        if self.cell:
            self.found[self.label][-1][-1] += data


@pytest.fixture(scope="module")
def answer() -> cf.Assessment:
    return assessment(KNOWN, ILL)


@pytest.fixture(scope="module")
def page(answer: cf.Assessment) -> str:
    return render(answer, date=DATE, by=["sex", "region"], likelihoods={"stranger": 0.5, "neighbour": 0.2})


def test_no_harm_no_section() -> None:
    text = render(assessment(), date=DATE)
    assert "<h2>Harm" not in text
    assert "Harm is a loss" not in text
    assert "About the harm" not in text
    with pytest.raises(HarmError, match=r"give assess\(..., harms=\[Harm\(...\)\]\) first"):
        render(assessment(), likelihoods={"stranger": 0.5, "neighbour": 0.2})


def test_the_section_follows_the_risk_and_says_what_harm_is(page: str) -> None:
    places = [page.index(f"<h2>{title}") for title in ("Who is at risk", "Harm", "What was noticed")]
    assert places == sorted(places)
    text = words(page)
    assert "judgement, made before anything was computed; they are not a result." in text
    assert "This report does not add harm to the risk figures and does not trade one against the other." in text
    assert "harm from what is inferred about ill" in text
    assert "Harms: income known, illness." in text


def test_totals_are_those_of_the_assessment(answer: cf.Assessment, page: str) -> None:
    tables = Tables(page)
    rows = tables.found["Harm by release and intruder: illness"]
    assert rows[0] == ["Release", "Total harm", "Harm per target", "No loss above", "Harmed"]
    for row, release in zip(rows[2:], ("plain", "masked"), strict=True):
        harmed = [answer.scenario(release, i).harm("illness") for i in ("stranger", "neighbour")]
        assert row[0] == release
        for text, h in zip(row[1:3], harmed, strict=True):
            assert float(text.replace(",", "")) == h.told.total
            assert h.total <= h.told.total < h.total + h.told.step
        for text, h in zip(row[3:5], harmed, strict=True):
            assert float(text) == pytest.approx(h.told.total / 120, rel=0.005)
        assert row[5:7] == [f"{h.told.step:g}" for h in harmed] == ["20", "20"]
        assert row[7:9] == [str(h.bearers.harmed) for h in harmed]


def test_the_largest_total_is_marked_once_for_each_harm(page: str) -> None:
    marked = Tables(page).marked
    assert sorted(marked) == [
        "Harm by release and intruder: illness",
        "Harm by release and intruder: income known",
        "Table of scenarios",
    ]


def test_outcomes_are_counts_of_targets(answer: cf.Assessment, page: str) -> None:
    rows = Tables(page).found["Outcomes: illness"]
    assert rows[0] == ["Release", "Intruder", "Not re-identified", "False re-identification", "True re-identification"]
    assert rows[1] == ["no record linked", *["nothing inferred", "inferred wrongly", "inferred correctly"] * 2]
    for row in rows[2:]:
        assert sum(map(float, row[2:])) == pytest.approx(120, abs=0.4)
    counted = answer.scenario("plain", "neighbour").harm("illness").outcomes
    assert float(rows[3][-1]) == pytest.approx(counted["true re-identification, inferred correctly"], abs=0.05)
    assert Tables(page).found["Outcomes: income known"][1] == [
        "no record linked",
        *["nothing inferred", "amount inferred"] * 2,
    ]


def test_who_bears_it(answer: cf.Assessment, page: str) -> None:
    tables = Tables(page)
    rows = tables.found["Who bears the harm: illness"]
    assert rows[0] == ["Release", "Share harmed", "Half is borne by", "The top 1 % bear", "Gini"]
    bearers = answer.scenario("masked", "neighbour").harm("illness").bearers
    assert rows[3][4] == (DASH if bearers.harmed < 100 else str(bearers.half))
    assert rows[3][8] == (DASH if bearers.harmed < 100 else f"{bearers.gini:.1f}")
    assert float(rows[3][2].split()[0]) == pytest.approx(100 * bearers.share_harmed, abs=0.05)
    groups = tables.found["Groups that bear most harm: illness"]
    assert {row[0] for row in groups[1:]} == {"sex", "region"}
    assert all(int(row[3]) >= 10 for row in groups[1:])


def test_harm_over_intruders(answer: cf.Assessment, page: str) -> None:
    rows = Tables(page).found["Harm over several intruders: illness"]
    assert rows[1] == ["stranger (likelihood 0.5)", "neighbour (likelihood 0.2)", "expected", "worst case"]
    totals = [answer.scenario("plain", i).harm("illness").total for i in ("stranger", "neighbour")]
    assert float(rows[2][3]) == pytest.approx(0.5 * totals[0] + 0.2 * totals[1] + 10, abs=10)
    assert float(rows[2][3]) % 20 == 0
    assert rows[2][4].endswith(" (neighbour)")
    assert "With likelihood 0.3 nobody tries." in words(page)
    assert "Over several intruders" not in render(answer, date=DATE)
    with pytest.raises(HarmError, match="give one for each intruder"):
        render(answer, likelihoods={"stranger": 0.5})


def test_one_sentence_for_each_harm_stands_at_the_top(answer: cf.Assessment, page: str) -> None:
    top = words(page[: page.index("<h2>")])
    assert top.count("Harm is a loss and no part of these figures.") == 2
    totals = {(s.released.name, s.intruder.title): s.harm("illness").total for s in answer.scenarios}
    release, intruder = max(totals, key=lambda k: totals[k])
    assert f"with release {release} and intruder {intruder}" in top
    assert page.index("Under the riskiest scenario") < page.index("Harm is a loss")


def test_no_respondents_loss_shows_as_it_is() -> None:
    """A harm that is the income itself: the planted one is most of the total."""
    paid = cf.Harm("ill", cf.Outcomes(tt=1.0, ft=1.0, tf=1.0, ff=1.0), name="paid", acts=0.0, weight="income")
    text = render(assessment(paid), date=DATE, by=["region"], likelihoods={"stranger": 0.5, "neighbour": 0.5})
    assert not re.search(r"9[,.]?8[,.]?7", re.sub(r'<svg.*?</svg>|"[^"]*"', "", text, flags=re.DOTALL))
    assert not any("987" in (a.get("aria-label") or "") for _, a in Tables(text).tags)
    rows = Tables(text).found["Harm by release and intruder: paid"]
    assert rows[2][1] == "2,000,000,000"
    assert "markerlevel" not in text


def test_accessible(page: str) -> None:
    tags = Tables(page).tags
    assert all("scope" in a for t, a in tags if t == "th")
    pictures = [a for t, a in tags if t == "svg" and a.get("class") != "swatch"]
    assert len(pictures) == 4 + 2 + 2 + 2 * 2
    assert all(a.get("role") == "img" and a.get("aria-label") for a in pictures)
    ids = [a["id"] for _, a in tags if "id" in a]
    assert len(ids) == len(set(ids))
    defined = set(ids)
    assert set(re.findall(r"url\(#([^)]*)\)", page)) <= defined
    assert set(re.findall(r'href="#([^"]*)"', page)) <= defined
    assert {a["aria-describedby"] for t, a in tags if t == "table"} <= defined
    assert not {t for t, _ in tags} & {"script", "link", "img", "iframe"}


def test_the_axes_name_what_they_are(page: str) -> None:
    assert page.count("Risk: expected matches (a count)") == 2
    assert "Harm: illness" in page
    assert page.count("(a loss)") >= 4


def test_same_bytes(answer: cf.Assessment, page: str) -> None:
    assert render(answer, date=DATE, by=["sex", "region"], likelihoods={"stranger": 0.5, "neighbour": 0.2}) == page


def test_incomplete_grid_is_flat(answer: cf.Assessment) -> None:
    rows = Tables(render(cf.Assessment(answer.scenarios[:3]), date=DATE)).found["Harm by release and intruder: illness"]
    assert rows[0] == ["Release", "Intruder", "Total harm", "Harm per target", "No loss above", "Harmed"]
    assert [row[:2] for row in rows[1:]] == [["plain", "stranger"], ["plain", "neighbour"], ["masked", "stranger"]]


def test_no_costs_no_harm() -> None:
    text = render(assessment(NONE), date=DATE, by=["sex"])
    assert "For costs nothing , nobody is harmed in any scenario." in words(text)
    tables = Tables(text)
    assert tables.marked == ["Table of scenarios"]
    assert tables.found["Who bears the harm: costs nothing"][2][5:] == ["\N{EN DASH}"] * 4
    assert "Groups that bear most harm: costs nothing" not in tables.found


@pytest.mark.parametrize("targets", [None, cf.Targets.of_rows([5])])
def test_single_scenario(targets: cf.Targets | None) -> None:
    released = cf.Release().apply(source(), seed=1)
    found = cf.assess(released, cf.Intruder(knows=["sex", "region"]), targets, harms=[KNOWN])
    text = render(found, date=DATE)
    told = r"For income known , the total is \S+ \." if targets is None else r"harm income known: a figure on fewer than 10"
    assert re.search(told, words(text))
    assert "Shaded: the largest total" not in text
    assert "The order of the releases" not in text
    assert "987" not in re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL)


def test_targets_without_a_value_are_said() -> None:
    data = cf.Microdata.from_dict({"sex": ["f", "m"] * 20, "pay": [*(10.5 * k for k in range(37)), None, None, None]})
    found = cf.assess(
        cf.Release().apply(data, seed=1),
        cf.Intruder(knows=["sex"]),
        harms=cf.Harm("pay", cf.AmountCosts(cf.Close(0.1)), acts=0),
    )
    assert "For 3 targets the true value is not known; what is inferred about them does no harm." in render(found, date=DATE)


def test_hostile_names_are_text() -> None:
    bad = '</svg><script>alert("x")</script>$x^2$'
    harm = cf.Harm("ill", cf.Outcomes(tt=1.0), name=bad)
    text = render(assessment(harm), date=DATE)
    assert not {t for t, _ in Tables(text).tags} & {"script"}


def test_harms_of_one_name_that_differ_are_told_apart() -> None:
    first, other = assessment(KNOWN), assessment(cf.Harm("ill", cf.Outcomes(tt=1.0), name="income known"))
    mixed = cf.Assessment((*first.scenarios[:2], *other.scenarios[2:]))
    found = Tables(render(mixed, date=DATE)).found
    assert "Harm by release and intruder: income known (2)" in found
    assert found["Harm by release and intruder: income known"][3][1:] == ["\N{EN DASH}"] * 8


def test_record_names_the_harms(answer: cf.Assessment) -> None:
    assert record(answer, date=DATE).to_dict()["harms"] == ["income known", "illness"]
