"""Ways to protect a table on one map."""

import pytest

import confide as cf
from unit.tables.firms import RULE, table

WAYS = {
    "nothing": cf.TableCandidate(method=cf.NoProtection()),
    "primary": cf.TableCandidate(method=cf.PrimaryOnly()),
    "one rule": cf.TableCandidate(cf.MinimumFrequency(3)),
    "both": cf.TableCandidate(),
    "fewest": cf.TableCandidate(method=cf.Suppression(costs=cf.EqualCosts())),
}


@pytest.fixture(scope="module")
def found():
    return cf.table_map(table(100), RULE, WAYS, attackers=[cf.SingletonInsiders()])


def test_risk_is_the_share_of_sensitive_cells_within_ten_per_cent(found):
    nothing, primary, one, both, fewest = found.points("everybody")
    assert (nothing.risk, nothing.utility) == (1.0, 1.0)
    assert 0 < primary.risk <= 1
    assert 0 < one.risk < 1
    exact = cf.audit(cf.System.of_table(found.table), found["both"].suppressed, cf.Protection.by_rule(RULE, found.table))
    assert both.risk == exact.share_within(0.1)
    assert both.risk <= one.risk <= primary.risk
    assert primary.utility > both.utility > 0
    cells = found.on("cells_kept").points("everybody")
    assert cells[3].utility == 1 - found["both"].suppressed.mean()
    assert cells[4].utility >= cells[3].utility
    assert fewest.utility <= both.utility


def test_insiders_deduce_no_less_than_everybody(found):
    assert found.intruders == ("everybody", "the closest insider")
    for a, b in zip(found.points("everybody"), found.points("the closest insider"), strict=True):
        assert b.risk >= a.risk
    assert found.points() == found.points("the closest insider")


def test_the_frontier_and_the_frame(found):
    best = found.frontier("everybody")
    assert best[-1].settings == {"protection": "nothing", "method": "no protection"}
    frame = found.to_frame()
    assert frame.height == 2 * len(WAYS)
    assert {"protection", "method", "intruder", "share_deducible", "value_kept", "cells_kept", "on_frontier"} == set(
        frame.columns
    )
    assert "nothing: risk 1, kept 1, on the frontier" in repr(found)
    assert found.efficiency(best[0]) == best[0].utility


def test_pictures_and_pages_are_those_of_every_map(found, tmp_path):
    pytest.importorskip("matplotlib")
    svg = found.plot(tmp_path / "map.svg", max_risk=0.1).read_text()
    assert "Share of sensitive cells deducible within 10 per cent" in svg
    assert found.plot(tmp_path / "by.svg", by="protection").exists()
    page = found.plot(tmp_path / "map.html").read_text()
    assert page.count('id="row-') == 2 * len(WAYS)


def test_nothing_sensitive_is_no_risk():
    assert cf.table_map(table(100), cf.MinimumFrequency(1), {"a": cf.TableCandidate()}).points()[0].risk == 0


def test_mistakes(found):
    for call, message in (
        (lambda: cf.table_map(table(100), RULE, {}), "needs candidates"),
        (lambda: cf.table_map(table(100), RULE, WAYS, share=0), "share must be above 0"),
        (lambda: found.on("cells"), "there is no utility 'cells'"),
        (lambda: found.points("nobody"), "there is no intruder 'nobody'"),
        (lambda: found["x"], "there is no candidate 'x'"),
    ):
        with pytest.raises(cf.MapError, match=message):
            call()


def test_changed_values_stand_on_the_same_map(tmp_path):
    cells = table(100, keys=cf.RecordKeys(seed=2))
    ways = {
        "nothing": cf.TableCandidate(method=cf.NoProtection()),
        "left out": cf.TableCandidate(),
        "base 5": cf.TableCandidate(method=cf.ControlledRounding(5)),
        "base 2000": cf.TableCandidate(method=cf.ControlledRounding(2000)),
        "adjusted": cf.TableCandidate(method=cf.TabularAdjustment()),
        "noise": cf.TableCandidate(method=cf.CellKeys(cf.MagnitudeNoise(0.3))),
    }
    found = cf.table_map(cells, RULE, ways)
    risk = {p.settings["protection"]: p.risk for p in found.points()}
    assert risk["base 2000"] < risk["base 5"] < risk["nothing"] == 1
    assert risk["adjusted"] == 0
    low, high = cf.round_table(cf.System.of_table(cells), 5).intervals()
    s, x = RULE.sensitive(cells), cells.values
    assert risk["base 5"] == ((low >= 0.9 * x - 1e-6) & (high <= 1.1 * x + 1e-6))[s].mean()
    kept = {p.settings["protection"]: p.utility for p in found.points()}
    done = found["base 2000"]
    assert kept["base 2000"] == pytest.approx(1 - abs(done.values - x).sum() / x.sum())
    near = {p.settings["protection"]: p.utility for p in found.on("cells_kept").points()}
    assert near["base 5"] == (abs(found["base 5"].values - x) <= 0.1 * x * (1 + 1e-9)).mean()
    assert near["left out"] == 1 - found["left out"].suppressed.mean()
    assert [p.settings["method"] for p in found.points()] == [
        "no protection", "suppression", "rounding", "rounding", "adjustment", "noise by cell keys",
    ]  # fmt: skip
    svg = found.plot(tmp_path / "map.svg").read_text()
    assert "rounding: frontier" in svg
