"""Tables that are protected by changed values: rounded, adjusted, with noise."""

import json

import numpy as np
import polars as pl
import pytest

import confide as cf
from unit.tables.firms import RULE, firms, table

KEYS = cf.RecordKeys(seed=5)
NOISE = cf.CountNoise(cf.PerturbationTable.of(4, 3.0))
METHODS = [cf.ControlledRounding(2000), cf.TabularAdjustment(keys=KEYS), cf.CellKeys(cf.MagnitudeNoise(0.3))]


def made(method, rule=RULE, **more):
    return cf.protect_table(table(120, keys=KEYS), rule, method=method, **more)


@pytest.fixture(scope="module", params=METHODS, ids=["rounded", "adjusted", "perturbed"])
def done(request):
    return made(request.param)


def test_everything_is_published(done):
    assert not done.suppressed.any()
    assert done.published()["flag"].null_count() == done.table.n
    assert set(done.status) == {done.changes}
    assert f"all {done.changes}; " in repr(done)
    assert "left out" not in repr(done)
    assert done.outcome.told
    assert any("distance" in note for note in done.notes)


def test_what_is_lost_is_the_change(done):
    inner = done.table.inner
    lost = np.abs(done.values - done.table.values)
    assert done.value_share == pytest.approx(lost[inner].sum() / done.table.values[inner].sum())
    assert 0 < done.cost_share < 1
    assert (done.gap is None) == (done.changes == "perturbed")


def test_the_audit_is_that_of_the_values(done):
    assert done.judged
    exact = done.audited()
    assert exact.audit.exact
    assert exact.clean == done.clean
    assert {e.cell for e in exact.exposed} == {e.cell for e in done.exposed}
    frame = exact.internal()
    assert (frame["low"] <= frame["turnover"] + 1e-6).all()
    assert (frame["high"] >= frame["turnover"] - 1e-6).all()
    assert exact.intervals().height == done.table.n


def test_files_say_that_values_are_free(done, tmp_path):
    lines = pl.read_csv(done.write(tmp_path / "t.sdmx.csv"))
    assert set(lines["OBS_STATUS"]) == {"A"}
    assert set(lines["CONF_STATUS"]) == {"F"}
    assert lines["OBS_VALUE"].to_numpy() == pytest.approx(done.values)
    data = json.loads(done.write(tmp_path / "t.json").read_text())
    assert data["note"][-len(done.outcome.told) :] == list(done.outcome.told)
    assert data["status"] == {}
    assert done.write(tmp_path / "t.csv").read_bytes() == made(done.method).write(tmp_path / "u.csv").read_bytes()


def test_rounded_and_adjusted_tables_add_up():
    for method in METHODS[:2]:
        done = made(method)
        assert np.abs(done.table.equations() @ done.values).max() < 1e-6
    rounded = made(METHODS[0])
    assert (rounded.values % 2000 == 0).all()
    assert rounded.clean
    found = cf.round_table(cf.System.of_table(rounded.table), 2000)
    assert rounded.values.tolist() == found.values.tolist()
    assert rounded.gap == pytest.approx(found.gap)


def test_a_small_base_exposes_cells():
    done = made(cf.ControlledRounding(5))
    assert not done.clean
    assert "exposed" in repr(done)


def test_adjusted_cells_go_as_far_as_asked():
    done = made(cf.TabularAdjustment())
    moved = np.abs(done.values - done.table.values)
    p = done.protection
    s = np.flatnonzero(done.sensitive)
    assert (moved[s] >= np.minimum(p.lower[s], p.upper[s]) * (1 - 1e-6)).all()
    absolute = made(cf.TabularAdjustment(costs=cf.ValueCosts()))
    assert np.abs(absolute.values - absolute.table.values).sum() <= moved.sum() * (1 + 1e-6)
    with pytest.raises(cf.TableError, match="cannot be told"):
        made(cf.TabularAdjustment(told=0.0001))


def test_adjusted_counts_say_that_they_are_not_whole():
    counts = cf.tabulate(firms(120), ["area", "trade"])
    done = cf.protect_table(counts, cf.MinimumFrequency(4), method=cf.TabularAdjustment())
    assert any("not kept whole" in note for note in done.notes)


def test_cell_keys_give_the_same_records_the_same_noise():
    first = cf.tabulate(firms(200), ["area", "trade"], keys=KEYS)
    second = cf.tabulate(firms(200), "trade", keys=KEYS)
    one, two = cf.protect_tables([first, second], cf.MinimumFrequency(3), method=cf.CellKeys(NOISE))
    for code in "abcdef":
        assert one.values[first.cell(trade=code)] == two.values[second.cell(trade=code)]
    alone = cf.protect_table(first, cf.MinimumFrequency(3), method=cf.CellKeys(NOISE))
    assert alone.values.tolist() == one.values.tolist()
    same = cf.perturb_cells(firms(200), ["area", "trade"], noise=NOISE, keys=KEYS)
    assert alone.values.tolist() == same.values.tolist()
    other = cf.tabulate(firms(200), ["area", "trade"], keys=cf.RecordKeys(seed=6))
    assert cf.protect_table(other, cf.MinimumFrequency(3), method=cf.CellKeys(NOISE)).values.tolist() != same.values.tolist()


def test_frozen_cells_are_kept_or_refused():
    t = table(120, keys=KEYS)
    top = int(np.flatnonzero(~made(METHODS[1]).sensitive)[0])
    adjusted = made(METHODS[1], a_priori=cf.APriori(frozen=[top], previous=[3]))
    assert adjusted.values[top] == t.values[top]
    assert adjusted.status[top] == "published"
    assert adjusted.audit.system.lower[top] == adjusted.audit.system.upper[top] == t.values[top]
    assert any("previous pattern" in note for note in adjusted.notes)
    with pytest.raises(cf.TableError, match="no multiples of 2000"):
        made(METHODS[0], a_priori=cf.APriori(frozen=[top]))
    by_one = made(cf.ControlledRounding(1), a_priori=cf.APriori(frozen=[top]))
    assert by_one.status[top] == "published"
    with pytest.raises(cf.TableError, match="every cell has the noise of its records"):
        made(METHODS[2], a_priori=cf.APriori(frozen=[top]))


def test_large_tables_are_judged_when_asked(monkeypatch):
    monkeypatch.setattr("confide.tables.changing.JUDGED", 10)
    done = made(METHODS[0])
    assert done.audit is None
    assert not done.judged
    assert not done.clean
    assert "not judged" in repr(done)
    assert any("judge=True" in note for note in done.notes)
    assert "low" not in done.internal().columns
    assert done.audited(exact=False).clean
    assert made(cf.ControlledRounding(2000, judge=True)).clean
    assert made(METHODS[0], cf.MinimumFrequency(1)).clean


def test_insiders_learn_no_less():
    few = table(60, keys=KEYS)
    plain, seen = (
        cf.protect_table(few, RULE, method=cf.ControlledRounding(300, attackers=who))
        for who in ((), [cf.SingletonInsiders()])
    )
    assert len(seen.audit.attackers) > 1
    assert {e.cell for e in plain.exposed} <= {e.cell for e in seen.exposed}


def test_noise_must_fit_the_table():
    counts = cf.tabulate(firms(90), "area", keys=KEYS)
    for one, method, message in (
        (counts, METHODS[2], "needs CountNoise"),
        (table(90, keys=KEYS), cf.CellKeys(NOISE), "needs MagnitudeNoise"),
        (cf.tabulate(firms(90), "area"), cf.CellKeys(NOISE), "does not hold the keys"),
    ):
        with pytest.raises(cf.TableError, match=message):
            cf.protect_table(one, cf.MinimumFrequency(2), method=method)


def test_a_table_of_one_cell():
    one = cf.tabulate(firms(3), [], "turnover", keys=KEYS)
    done = cf.protect_table(one, cf.MinimumFrequency(2), method=cf.ControlledRounding(10))
    assert done.values[0] % 10 == 0
    assert done.clean
