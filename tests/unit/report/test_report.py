"""The report: one page, nothing fetched, no respondent's values."""

from __future__ import annotations

import builtins
import datetime as dt
import re
import stat
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import confide as cf
from confide.errors import DataError, IntruderError
from confide.report.html import render, write_report
from confide.report.record import checksum, record

DATE = dt.date(2026, 1, 31)
HOSTILE = '<script>alert("x")</script>'


def source(n: int = 120) -> cf.Microdata:
    rng = np.random.default_rng(3)
    income = [float(x) for x in rng.integers(100, 9000, n)]
    income[5] = 987654321.0
    region = [str(x) for x in rng.choice(["north", "south", "west"], n)]
    region[5] = "markerlevel"
    data = cf.Microdata.from_dict(
        {
            "name": [f"person-{i}-qqq" for i in range(n)],
            "sex": [str(x) for x in rng.choice(["f", "m"], n)],
            "region": region,
            "income": income,
        }
    )
    return data.declare(identifier="name", key=["sex", "region", "income"])


def assessment(data: cf.Microdata | None = None) -> cf.Assessment:
    data = data or source()
    releases = [
        cf.Release(name="plain").apply(data, seed=7),
        cf.Release(cf.Swap("sex", rate=0.3), cf.Noise("income", sd=50), name="masked").apply(data, seed=7),
    ]
    knows = ["sex", "region"]
    banker = cf.Intruder(knows=[*knows, "income"], name="banker")
    return cf.assess(releases, [cf.Intruder(knows=knows, name="stranger"), banker])


@pytest.fixture(scope="module")
def page() -> str:
    return render(assessment(), date=DATE, by=["sex", "region", "income"])


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append((tag, dict(attrs)))


def tags(page: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = Tags()
    parser.feed(page)
    return parser.tags


def test_nothing_is_fetched(page: str) -> None:
    assert not re.search(r"https?://", re.sub(r'xmlns(:\w+)?="[^"]*"', "", page))
    found = tags(page)
    assert not {t for t, _ in found} & {"script", "link", "img", "iframe", "object", "embed", "base", "form"}
    for _, attributes in found:
        for name in ("src", "href", "xlink:href", "data", "action"):
            assert (attributes.get(name) or "#").startswith("#")
        assert not any(name.startswith("on") for name in attributes)
    assert "@import" not in page
    assert not re.search(r"url\((?!#)", page)
    assert "default-src 'none'" in page


def test_no_values_of_respondents(page: str) -> None:
    for planted in ("987654321", "987,654,321", "9.87", "markerlevel", "qqq"):
        assert planted not in page
    assert "north" in page


def test_targets_chosen_by_a_value_do_not_show_it() -> None:
    data = source()
    released = cf.Release(name="plain").apply(data, seed=1)
    text = render(cf.assess(released, cf.Intruder(knows=["sex"]), cf.Targets.where(region="markerlevel")), date=DATE)
    assert "markerlevel" not in text
    assert "1 respondent chosen by region" in text


def test_accessible(page: str) -> None:
    found = tags(page)
    assert ("html", {"lang": "en"}) in found
    assert all("scope" in a for t, a in found if t == "th")
    charts = [a for t, a in found if t == "svg" and a.get("class") != "swatch"]
    assert len(charts) == 4 + 2 + 3
    assert all(a.get("role") == "img" and a.get("aria-label") for a in charts)
    ids = [a["id"] for _, a in found if "id" in a]
    assert len(ids) == len(set(ids))
    defined = set(ids)
    assert set(re.findall(r"url\(#([^)]*)\)", page)) <= defined
    assert set(re.findall(r'href="#([^"]*)"', page)) <= defined


def test_the_answer_comes_first(page: str) -> None:
    text = re.sub(r"<[^>]*>", "", page)
    assert "Under the riskiest scenario (release plain, intruder banker), an intruder who knows sex, region and in" in text
    assert page.index("Under the riskiest scenario") < page.index("<table")
    order = ["The scenarios", "How the prob", "Who is at risk", "What was noticed", "How to read", "What was assumed"]
    places = [page.index(f"<h2>{o}") for o in order]
    assert places == sorted(places)


def test_complete_grid_has_one_column_per_measure_and_intruder(page: str) -> None:
    assert page.count('scope="colgroup"') == 6
    assert '<th scope="col" class="name">Intruder</th>' not in page


def test_incomplete_grid_is_flat() -> None:
    part = cf.Assessment(assessment().scenarios[:3])
    text = render(part, date=DATE)
    assert "colgroup" not in text
    assert '<th scope="col" class="name">Intruder</th>' in text
    assert text.count('<th scope="row">masked</th>') == 2


def test_same_bytes_for_the_same_date(page: str) -> None:
    assert render(assessment(), date=DATE, by=["sex", "region", "income"]) == page


def test_hostile_names_are_text() -> None:
    bad = "<b>&$x^2$ \"'"
    data = cf.Microdata.from_dict({bad: [HOSTILE, "$\\frac"] * 20, "kön": ["男", "女"] * 20})
    released = [cf.Release(name=HOSTILE + n).apply(data, seed=1) for n in "ab"]
    people = [cf.Intruder(knows=[bad], name=HOSTILE), cf.Intruder(knows=[bad, "kön"], name="</svg><img src=x onerror=y>")]
    text = render(cf.assess(released, people), date=DATE, title=HOSTILE, by=[bad, "kön"])
    assert "<script" not in text
    assert "<img" not in text
    assert bad not in text
    assert "男" in text
    assert not {t for t, _ in tags(text)} & {"script", "img"}


def test_undefined_measure_is_a_dash() -> None:
    data = cf.Microdata.from_dict({"sex": ["f", "m"] * 10})
    text = render(cf.assess(cf.Release().apply(data, seed=1), cf.Intruder(knows=["sex"])), date=DATE)
    assert '<td class="">\N{EN DASH}</td>' in text


def test_single_scenario_and_equal_probabilities() -> None:
    data = cf.Microdata.from_dict({"sex": ["f"] * 40})
    text = render(cf.assess(cf.Release().apply(data, seed=1), cf.Intruder(knows=["sex"])), date=DATE)
    assert "Under the riskiest" not in text
    assert "An intruder who knows sex" in text
    assert "In the scenario, the intruder does no better than twice a random guess." in text


def test_single_target() -> None:
    released = cf.Release().apply(source(), seed=1)
    text = render(cf.assess(released, cf.Intruder(knows=["sex", "region"]), cf.Targets.of_rows([5])), date=DATE)
    assert "too few targets" in text
    assert "every group has fewer than 10 targets" in text
    assert "among 1 target (" in text


def test_several_noisy_amounts_are_noticed() -> None:
    rng = np.random.default_rng(1)
    data = cf.Microdata.from_dict({"a": list(rng.normal(size=60)), "b": list(rng.normal(size=60)), "s": ["x", "y"] * 30})
    released = cf.Release(cf.Noise("a", sd=0.1), cf.Noise("b", sd=0.1)).apply(data, seed=1)
    text = render(cf.assess(released, cf.Intruder(knows=["a", "b", "s"])), date=DATE)
    assert "Several noisy amounts" in text


def test_measures_without_expected_matches() -> None:
    data = cf.Microdata.from_dict({"sex": ["f", "m"] * 10})
    released = cf.Release().apply(data, seed=1)
    text = render(cf.assess(released, cf.Intruder(knows=["sex"]), measures=[cf.UniqueMatches()]), date=DATE)
    assert "2 correct matches" in text


def test_file_is_private_whole_and_not_replaced_unasked(tmp_path: Path) -> None:
    small = cf.Microdata.from_dict({"sex": ["f", "m"] * 10})
    answer = cf.assess(cf.Release().apply(small, seed=1), cf.Intruder(knows=["sex"]))
    path = write_report(answer, tmp_path / "new" / "report.html", date=DATE)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.iterdir()) == [path]
    with pytest.raises(DataError, match="overwrite=True"):
        write_report(answer, path)
    write_report(answer, path, overwrite=True, title="Again", date=DATE)
    assert "<title>Again</title>" in path.read_text(encoding="utf-8")
    with pytest.raises(DataError, match="is a folder"):
        write_report(answer, tmp_path)
    with pytest.raises(DataError, match="cannot make the folder"):
        write_report(answer, path / "below" / "report.html")


def test_unknown_variable_and_empty_assessment() -> None:
    with pytest.raises(IntruderError, match="did you mean 'sex'"):
        render(assessment(), by=["sexx"])
    with pytest.raises(IntruderError, match="no scenario"):
        render(cf.Assessment(()))


def test_missing_matplotlib_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.partition(".")[0] == "matplotlib":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(cf.UserMistake, match=r"pip install 'confide\[report\]'"):
        render(assessment(), date=DATE)


def test_record_holds_what_was_run() -> None:
    found = record(assessment(), date=dt.datetime(2026, 1, 31, 12, tzinfo=dt.UTC), plan_sha256="abc").to_dict()
    assert found["date"] == "2026-01-31T12:00:00+00:00"
    assert found["plan_sha256"] == "abc"
    assert found["thresholds"] == [0.2]
    assert [f["seed"] for f in found["released_files"]] == [7, 7]  # type: ignore[attr-defined]
    assert {"confide", "numpy", "polars", "python"} <= set(found["versions"])  # type: ignore[call-overload]


def test_checksum_changes_with_every_value_and_name() -> None:
    base = cf.Microdata.from_dict({"a": ["x", "y"], "b": [0.0, None]})
    others = [
        cf.Microdata.from_dict({"a": ["x", "x"], "b": [0.0, None]}),
        cf.Microdata.from_dict({"a": ["x", "y"], "b": [0.0, 0.0]}),
        cf.Microdata.from_dict({"c": ["x", "y"], "b": [0.0, None]}),
    ]
    assert len({checksum(m) for m in (base, *others)}) == 4
    assert checksum(base) == checksum(cf.Microdata.from_dict({"a": ["x", "y"], "b": [-0.0, None]}))


def test_matching_without_replacement_is_said(page: str) -> None:
    assert "without replacement" not in page
    data = source()
    released = cf.Release(cf.Swap("sex", rate=0.3), cf.Noise("income", sd=5000), name="masked").apply(data, seed=7)
    alone = cf.Intruder(knows=["sex", "region", "income"], name="alone")
    joint = alone.but(matching=cf.WithoutReplacement(), name="jointly")
    both = render(cf.assess(released, [alone, joint]), date=DATE)
    assert "Unless it says without replacement, each target is matched by itself" in both
    assert "About matching without replacement" in both
    assert re.search(r"masked / jointly</h4>\s*<ul>\s*<li>without replacement: .* by .*; largest error", both)
    assert "the largest error of a probability is estimated at" in both
    only = render(cf.assess(cf.Release().apply(data, seed=7), alone.but(matching=cf.WithoutReplacement())), date=DATE)
    assert "is matched by itself" not in only
    assert "all released records compete for all targets" in only
    assert "; exact</li>" in only
