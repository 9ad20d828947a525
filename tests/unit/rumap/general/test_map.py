"""The map of a family of releases: its points, its frontier, what is kept and what is drawn."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

import confide as cf
from confide.errors import IntruderError, MapError, ReleaseError
from confide.rumap.general.curves import Shown
from confide.rumap.general.program import digest_of
from unit.rumap.general.people import FAR, NEAR, family, mapped, people


def test_every_setting_meets_every_intruder():
    found = mapped()
    assert len(found.rows) == 6
    assert found.intruders == ("far", "near")
    frame = found.to_frame()
    assert frame.shape[0] == 12
    assert set(frame.columns) >= {"age", "noise", "intruder", "expected_matches", "means_kept", "on_frontier"}
    far = frame.filter((frame["intruder"] == "far") & (frame["age"] == 5))
    assert far["expected_matches"].n_unique() == 1  # noise on pay does not matter to whom pay is unknown


def test_a_point_is_what_an_assessment_says():
    found = mapped()
    point = found.points("near")[3]
    assessment = found.assessment(point.settings)
    near = next(s for s in assessment.scenarios if s.intruder.title == "near")
    assert point.risk == pytest.approx(near.expected_matches / people().n, abs=1e-15)
    masked = family().at(point.settings).apply(people(), seed=7)
    assert point.utility == pytest.approx(cf.MeansKept("pay").of(masked).value, abs=1e-15)


def test_no_point_beats_one_of_the_frontier():
    found = mapped()
    points, best = found.points(), found.frontier()
    assert best
    assert all(not (p.risk < b.risk and p.utility > b.utility) for p in points for b in best)
    assert [p.risk for p in best] == sorted(p.risk for p in best)
    worst = {tuple(p.settings.items()): p.risk for p in points}
    for name in found.intruders:
        assert all(worst[tuple(p.settings.items())] >= p.risk for p in found.points(name))


def test_replicates_give_standard_errors_and_share_their_seeds():
    found = mapped(replicates=3)
    point = found.points("near")[0]
    assert point.risk_error is not None
    assert point.utility_error > 0
    again = mapped(replicates=3)
    assert [p.risk for p in again.points()] == [p.risk for p in found.points()]
    assert mapped().points()[0].risk_error is None


def test_a_method_without_chance_has_no_error():
    release = cf.Release(cf.Round("pay", to=cf.vary("to", 30, 70)))
    found = cf.ru_map(people(), release, NEAR, risk=cf.ExpectedMatches(), utility=cf.MeansKept("pay"), seed=7, replicates=3)
    assert {(p.risk_error, p.utility_error) for p in found.points()} == {(0.0, 0.0)}


def _only(found):
    """Name the one scenario."""
    (one,) = found.scenarios
    return one.released.name, one.intruder.title


def test_other_axes_of_the_same_map():
    harm = cf.Harm("pay", cf.AmountCosts(cf.Close(0.05)), name="pay known")
    found = cf.ru_map(
        people(), family(), FAR, seed=7,
        risk=[cf.ExpectedMatches(), harm, cf.FileMeasure(cf.k_anonymity), cf.WorstGroup(cf.ExpectedMatches(), "sex"),
              cf.RiskOf("largest", lambda s: float(s.summary.own.max()))],
        utility=[cf.MeansKept("pay"), cf.Hellinger(["sex"])],
    )  # fmt: skip
    first = found.on("harm pay known").points()[0]
    exact = found.assessment(first.settings).scenario(*_only(found.assessment(first.settings))).harm("pay known")
    assert exact.mean == pytest.approx(0.0211111, abs=1e-6)
    # a map tells harm upwards on a step, over the number of targets
    assert first.risk == exact.told.total / exact.n
    assert exact.mean < first.risk <= exact.mean + exact.told.step / exact.n
    assert first.risk * exact.n == pytest.approx(round(first.risk * exact.n / exact.told.step) * exact.told.step)
    k = found.on("k_anonymity")
    assert not k.risk.larger_is_riskier
    assert k.frontier()[0].risk == max(p.risk for p in k.points())
    by_group, overall = found.on("expected_matches by sex").points(), found.points()
    assert all(a.risk >= b.risk for a, b in zip(by_group, overall, strict=True))
    assert all(0 < p.risk <= 1 for p in found.on("largest").points())
    assert found.on(utility="hellinger").utility.name == "hellinger"
    with pytest.raises(MapError, match="there is no risk 'harm'"):
        found.on("harm")
    with pytest.raises(MapError, match="there is no utility 'mean'"):
        found.on(utility="mean")


def test_the_efficiency_is_relative_to_the_file_as_it_is():
    found = mapped()
    assert found.unmasked == {"means_kept": 1.0}
    assert found.efficiency(found.points()[0]) == found.points()[0].utility


def test_changing_one_intruder_does_not_mask_again():
    store = cf.Store()
    mapped(store=store)
    assert store.masked == 6
    kept = len(store)
    other = cf.Intruder(knows=["age", "pay"], name="other")
    cf.ru_map(people(), family(), [FAR, other], risk=cf.ExpectedMatches(), utility=cf.MeansKept("pay"), seed=7, store=store)
    assert store.masked == 6
    assert len(store) == kept + 6  # the new intruder's risks alone


def test_only_what_is_masked_takes_room():
    column = 8 * people().n
    room = 6 * 5 * column  # of each of six files: age and pay, as numbers and codes, and the parents
    for bytes_, masked in ((room, 6), (room - 1, 12)):
        store = cf.Store(room=bytes_)
        for intruder in (FAR, NEAR):
            asked = {"risk": cf.ExpectedMatches(), "utility": cf.MeansKept("pay"), "seed": 7, "workers": 1}
            cf.ru_map(people(), family(), intruder, store=store, **asked)
        assert (store.masked == 6) == (masked == 6)


def test_a_folder_keeps_figures_when_the_process_ends(tmp_path):
    first = mapped(store=cf.FolderStore(tmp_path / "kept"))
    file = tmp_path / "kept" / "evaluations.jsonl"
    assert file.stat().st_mode & 0o077 == 0
    store = cf.FolderStore(tmp_path / "kept")
    again = mapped(store=store)
    assert store.masked == 0
    assert [p.risk for p in again.points()] == [p.risk for p in first.points()]
    text = file.read_bytes()
    file.write_bytes(text[:-20])  # a line that was cut off by a kill
    mended = cf.FolderStore(tmp_path / "kept")
    assert len(mended) == len(store) - 1
    mapped(store=mended)
    assert mended.masked == 1
    assert len(cf.FolderStore(tmp_path / "kept")) == len(store)


def test_a_folder_filled_by_another_program_is_not_believed(tmp_path, monkeypatch):
    monkeypatch.setattr("confide.rumap.general.evaluate.program", lambda: "an older one")
    first = mapped(store=cf.FolderStore(tmp_path / "kept"))
    monkeypatch.undo()
    store = cf.FolderStore(tmp_path / "kept")
    size = len(store)
    again = mapped(store=store)
    assert store.masked == 6
    assert len(store) == 2 * size
    assert [p.risk for p in again.points()] == [p.risk for p in first.points()]


def test_the_name_of_a_program_is_that_of_all_its_sources(tmp_path):
    folder = tmp_path / "program"
    (folder / "room").mkdir(parents=True)
    (folder / "room" / "one.py").write_text("x = 1")
    name = digest_of(folder)
    assert digest_of(folder) == name
    (folder / "room" / "notes.txt").write_text("no source")
    assert digest_of(folder) == name
    (folder / "room" / "one.py").write_text("x = 2")
    assert digest_of(folder) != name
    (folder / "room" / "one.py").write_text("x = 1")
    (folder / "room" / "one.py").rename(folder / "one.py")
    assert digest_of(folder) != name
    assert digest_of(tmp_path / "nowhere") != digest_of(tmp_path / "nowhere")


def test_a_folder_that_cannot_be_used(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(cf.DataError, match="cannot be used for evaluations"):
        cf.FolderStore(tmp_path / "file")


def test_the_map_can_be_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    found = mapped(replicates=2)
    svg = found.plot(tmp_path / "map.svg", max_risk=0.5).read_text()
    ET.fromstring(svg)
    assert "limit 0.5" in svg
    assert found.plot(tmp_path / "map.svg", max_risk=0.5, overwrite=True).read_text() == svg
    assert found.plot(tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(cf.DataError, match="is there already"):
        found.plot(tmp_path / "map.png")
    with pytest.raises(cf.DataError, match="drawn as SVG, PNG or PDF"):
        found.plot(tmp_path / "map.gif")


def test_the_page_tells_the_settings_of_every_mark(tmp_path):
    pytest.importorskip("matplotlib")
    page = mapped().plot(tmp_path / "map.html").read_text()
    svg = page[page.index("<svg") : page.index("</svg>") + 6]
    marks = [a for a in ET.fromstring(svg).iter() if a.tag.endswith("}a")]
    assert len(marks) == 12
    rows = {f"#row-{k}-{i}" for k in range(2) for i in range(6)}
    assert {a.get("href") for a in marks} == rows
    assert all(f'<tr id="{r[1:]}">' in page for r in rows)
    assert "<title>near: age 5, noise 10; risk " in page
    assert "<script" not in page
    assert "http-equiv" in page
    with pytest.raises(cf.DataError, match="is there already"):
        mapped().plot(tmp_path / "map.html")


def test_who_knows_more_is_above_everywhere_and_no_frontiers_cross():
    found = mapped()
    assert (len(found.frontier("far")), len(found.frontier("near"))) == (1, 3)
    assert found.crossings("far", "near") == ()
    assert len(found.crossings("near", "near")) == 2  # a frontier runs together with itself from end to end


def test_an_undefined_figure_leaves_its_point_out():
    found = mapped(risk=cf.RiskOf("none", lambda _: None))
    assert found.points() == ()
    assert found.to_frame()["none"].null_count() == 12
    with pytest.raises(MapError, match="no setting has all figures"):
        found.choose(max_risk=1)


MISTAKES = {
    "no intruder": ({"intruders": []}, IntruderError, "needs one Intruder or a list"),
    "risk": ({"risk": "expected"}, IntruderError, "a risk is a measure such as ExpectedMatches"),
    "utility": ({"utility": "means"}, MapError, "utility takes measures of utility"),
    "no risk": ({"risk": []}, MapError, "needs a risk and a utility"),
    "twice": ({"intruders": [FAR, FAR]}, MapError, "several intruders are called 'far'"),
    "risk twice": ({"risk": [cf.ExpectedMatches()] * 2}, MapError, "several risks are called 'expected_matches'"),
    "replicates": ({"replicates": 0}, MapError, "replicates must be 1 or more"),
    "settings": ({"settings": [{"age": 5}]}, ReleaseError, "noise is left open"),
    "no settings": ({"settings": []}, MapError, "there is no setting to evaluate"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes(name):
    more, kind, message = MISTAKES[name]
    asked = {"intruders": [FAR, NEAR], "risk": cf.ExpectedMatches(), "utility": cf.MeansKept("pay"), "seed": 7} | more
    with pytest.raises(kind, match=message):
        cf.ru_map(people(), family(), asked.pop("intruders"), **asked)


def by_method(**more):
    release = cf.Release(
        cf.vary(
            "method",
            noise=cf.Noise("pay", sd=cf.vary("sd", 10.0, 100.0)),
            rounding=cf.Round("pay", to=cf.vary("to", 50, 500, 1000)),
        )
    )
    asked = {"risk": cf.FileMeasure(cf.distance_linkage), "utility": cf.MeansKept("pay"), "seed": 7} | more
    return cf.ru_map(people(), release, [FAR, NEAR], **asked)


def test_a_curve_for_each_value_of_an_axis(tmp_path):
    pytest.importorskip("matplotlib")
    found = by_method()
    svg = found.plot(tmp_path / "map.svg", by="method", intruder="near").read_text()
    assert "noise: frontier" in svg
    assert "rounding: frontier" in svg
    assert "near: frontier" not in svg
    assert "Risk and utility, intruder: near" in svg
    worst = found.plot(tmp_path / "worst.svg", by="method").read_text()
    assert "the worst at each setting" in worst
    one = found.plot(tmp_path / "one.svg", intruder="near").read_text()
    assert "near: frontier" in one
    assert "far: frontier" not in one


def test_the_page_by_an_axis(tmp_path):
    pytest.importorskip("matplotlib")
    page = by_method().plot(tmp_path / "map.html", by="method", intruder="near").read_text()
    assert page.count("<tr id=") == 5
    assert "<th>method</th>" in page
    assert "<title>rounding: method rounding, to 50; risk " in page
    assert 'href="#row-1-2"' in page


def test_the_curves_of_an_axis():
    found = by_method()
    curves = Shown(by="method", intruder="near").curves(found)
    assert [(c.name, len(c.points)) for c in curves] == [("noise", 2), ("rounding", 3)]
    assert sum((c.points for c in curves), ()) == found.points("near")
    nested = Shown(by="to").curves(found)
    assert [c.name for c in nested] == ["without to", "to 50", "to 500", "to 1000"]
    assert [c.name for c in Shown(by="sd").curves(found)] == ["sd 10", "sd 100", "without sd"]
    with pytest.raises(MapError, match="there is no axis 'methods'"):
        Shown(by="methods").curves(found)
    with pytest.raises(MapError, match="there is no intruder 'nobody'"):
        Shown(by="method", intruder="nobody").curves(found)


def test_a_map_without_points_is_drawn_without_a_legend(tmp_path):
    pytest.importorskip("matplotlib")
    found = mapped(risk=cf.RiskOf("none", lambda _: None))
    ET.fromstring(found.plot(tmp_path / "map.svg").read_text())
