"""Tables from rule to what is published."""

import numpy as np
import polars as pl
import pytest

import confide as cf
from unit.tables.firms import RULE, firms, table


@pytest.fixture(scope="module")
def done():
    return cf.protect_table(table(120), RULE)


def test_sensitive_cells_are_left_out_and_proven(done):
    assert done.clean
    assert done.sensitive.sum() > 3
    assert done.suppressed[done.sensitive].all()
    assert set(done.status[done.sensitive]) == {"primary"}
    assert (done.status == "secondary").sum() > 0
    proof = cf.audit(cf.System.of_table(done.table), done.suppressed, cf.Protection.by_rule(RULE, done.table))
    assert proof.clean


def test_reasons_name_the_rules(done):
    few = cf.MinimumFrequency(3).sensitive(done.table)
    close = cf.PPercentRule(10).sensitive(done.table)
    for c in range(done.table.n):
        assert ("MinimumFrequency(n=3)" in done.reasons[c]) == few[c]
        assert ("PPercentRule(p=10)" in done.reasons[c]) == close[c]


def test_rules_that_must_agree_are_one_reason():
    both = cf.protect_table(table(120), cf.MinimumFrequency(4) & cf.PPercentRule(10))
    assert {r for r in both.reasons if r} == {"MinimumFrequency(n=4) and PPercentRule(p=10)"}


def test_published_tells_no_secret(done):
    frame = done.published()
    assert frame.columns == ["area", "trade", "turnover", "flag"]
    hidden = frame.filter(pl.col("flag") == "c")
    assert hidden.height == done.suppressed.sum()
    assert hidden["turnover"].null_count() == hidden.height
    assert frame["flag"].drop_nulls().unique().to_list() == ["c"]
    assert frame["turnover"].dtype == pl.Int64


def test_internal_tells_everything(done):
    frame = done.internal()
    assert frame["turnover"].to_list() == done.table.values.astype(int).tolist()
    assert {"published", "status", "respondents", "reason", "lower", "upper", "low", "high", "exposed"} <= set(frame.columns)
    hidden = frame.filter(pl.col("published").is_null())
    assert (hidden["low"] <= hidden["turnover"]).all()
    assert (hidden["high"] >= hidden["turnover"]).all()
    primary = frame.filter(pl.col("status") == "primary")
    assert (primary["turnover"] - primary["low"] >= primary["lower"] * (1 - 1e-5)).all()


def test_columns_of_the_same_name_are_told_apart():
    data = cf.Microdata.from_dict({"flag": ["a", "a", "b"], "status": [4, 5, 3]})
    done = cf.protect_table(cf.tabulate(data, "flag", "status"), cf.MinimumFrequency(2))
    assert done.published().columns == ["flag", "status", "flag_"]
    assert done.internal().columns[:4] == ["flag", "status", "published", "status_"]


def test_exact_audit_gives_the_true_intervals(done):
    again = done.audited()
    assert again.audit.exact
    assert again.clean
    low, high = (again.internal()[c].drop_nulls().to_numpy() for c in ("low", "high"))
    known = done.internal()
    assert (low <= known["low"].drop_nulls().to_numpy() + 1e-6).all()
    assert (high >= known["high"].drop_nulls().to_numpy() - 1e-6).all()


def test_the_same_input_gives_the_same_pattern():
    first, second = (cf.protect_table(table(120), RULE) for _ in range(2))
    assert first.status.tolist() == second.status.tolist()


def test_costs_by_count_leave_out_fewer_cells():
    by_value = cf.protect_table(table(120), RULE, method=cf.Suppression(search=cf.Exact()))
    by_count = cf.protect_table(table(120), RULE, method=cf.Suppression(search=cf.Exact(), costs=cf.EqualCosts()))
    assert by_count.suppressed.sum() <= by_value.suppressed.sum()
    assert by_value.value_share <= by_count.value_share
    assert by_value.gap == pytest.approx(0, abs=1e-6)
    assert 0 < by_value.cost_share < 1


def test_costs_given_and_by_respondents():
    t = table(120)
    ones = cf.protect_table(t, RULE, method=cf.Suppression(costs=np.ones(t.n)))
    assert ones.status.tolist() == cf.protect_table(t, RULE, method=cf.Suppression(costs=cf.EqualCosts())).status.tolist()
    assert cf.protect_table(t, RULE, method=cf.Suppression(costs=cf.RespondentCosts())).clean
    with pytest.raises(cf.TableError, match="costs, one for each cell"):
        cf.protect_table(t, RULE, method=cf.Suppression(costs=np.ones(3)))


def test_frozen_safe_and_sensitive_cells():
    t = table(120)
    free = cf.protect_table(t, RULE)
    frozen = int(np.flatnonzero(free.status == "secondary")[0])
    safe = int(np.flatnonzero(free.sensitive)[0])
    own = t.cell("S", "c")
    before = cf.APriori(safe=[safe], frozen=[frozen], sensitive=[own])
    done = cf.protect_table(t, RULE, a_priori=before)
    assert done.status[frozen] == "published"
    assert not done.sensitive[safe]
    assert done.status[own] == "primary"
    assert done.reasons[own] == "a priori"
    assert done.clean
    with pytest.raises(cf.TableError, match="sensitive and frozen at once"):
        cf.protect_table(t, RULE, a_priori=cf.APriori(frozen=[safe]))


def test_levels_and_costs_of_single_cells():
    t = table(120)
    cell = int(np.flatnonzero(cf.protect_table(t, RULE).status == "secondary")[0])
    dear = cf.protect_table(t, RULE, a_priori=cf.APriori(costs={cell: 1e9}))
    assert dear.status[cell] == "published"
    asked = cf.protect_table(t, RULE, a_priori=cf.APriori(levels={cell: (1.0, 7.0)}))
    assert asked.status[cell] == "primary"
    assert asked.protection.upper[cell] == 7


def test_only_sensitive_cells_left_out_does_not_protect():
    done = cf.protect_table(table(120), RULE, method=cf.PrimaryOnly())
    assert not done.clean
    assert "exposed" in repr(done)
    open_ = cf.protect_table(table(120), RULE, method=cf.NoProtection())
    assert len({e.cell for e in open_.exposed}) == open_.sensitive.sum()
    assert not open_.suppressed.any()


def test_linked_tables_are_protected_as_one():
    tables = [table(120), table(120, by=("trade",)), table(120, by=("area",))]
    done = cf.protect_tables(tables, RULE)
    assert [p.table for p in done] == tables
    assert all(p.clean for p in done)
    for code in "abcdef":
        assert done[0].suppressed[tables[0].cell(trade=code)] == done[1].suppressed[tables[1].cell(code)]
    with pytest.raises(cf.TableError, match="3 tables, 2 rules"):
        cf.protect_tables(tables, [RULE, RULE])


def test_a_rule_of_one_table_holds_in_all():
    tables = [table(120), table(120, by=("trade",))]
    marked = cf.GivenRule(lambda t: t.values == t.values[t.cell("b")], share=0.1)
    done = cf.protect_tables(tables, [cf.MinimumFrequency(1), marked])
    assert done[0].status[tables[0].cell(trade="b")] == "primary"
    assert done[0].reasons[tables[0].cell(trade="b")] == ""


def test_counts_are_known_to_be_whole():
    counts = table(200, value=None)
    assert counts.counts
    system = cf.System.of_table(counts)
    assert system.whole
    assert not cf.System.of_table(table(200)).whole
    done = cf.protect_table(counts, cf.MinimumFrequency(5))
    assert (done.protection.upper[done.sensitive] >= 1).all()
    exact = done.audited()
    assert exact.clean
    assert (exact.audit.low == np.round(exact.audit.low)).all()
    with pytest.raises(cf.TableError, match="whole"):
        cf.System(np.array([1.5, 1.0, 0.5]), np.array([[-1, 1, 1]]), whole=True)


def test_a_count_between_two_whole_numbers_is_known():
    system = cf.System(np.array([3.0, 2.0, 1.0]), np.array([[-1, 1, 1]]), upper=np.array([3.4, 2.9, 9.0]), whole=True)
    found = cf.audit(system, [0, 1, 2])
    assert found.interval(0)[1] == 3
    assert found.interval(1)[1] == 2
    assert cf.audit(cf.System(system.values, system.equations, upper=system.upper), [0, 1, 2]).interval(1)[
        1
    ] == pytest.approx(2.9)


def test_the_only_respondents_look():
    t = table(90)
    looking = cf.SingletonInsiders().of(t, cf.System.of_table(t), cf.Protection.by_rule(RULE, t))
    alone = np.flatnonzero((t.respondents == 1) & RULE.sensitive(t))
    assert {c for a in looking.attackers for c in a.cells} >= set(alone.tolist())
    done = cf.protect_table(t, RULE, method=cf.Suppression(attackers=[cf.SingletonInsiders()]))
    assert done.clean
    assert len(done.audit.attackers) == len(looking.attackers)
    few = cf.protect_table(t, RULE, method=cf.Suppression(attackers=[cf.SingletonInsiders(most=1)]))
    assert "1 were looked at" in few.notes[0]
    assert {"attacker", "attacker_low"} <= set(done.internal().columns)
    assert set(done.intervals()["attacker"]) >= {"external"}


def test_one_respondent_of_a_cell_and_its_total_knows_both():
    data = cf.Microdata.from_dict({"a": ["n", "s", "s", "s"], "b": ["x", "x", "y", "y"], "v": [5, 6, 7, 8]})
    t = cf.tabulate(data, ["a", "b"], "v")
    looking = cf.SingletonInsiders().of(t, cf.System.of_table(t), cf.Protection.by_rule(cf.MinimumFrequency(2), t))
    first = next(a for a in looking.attackers if t.cell("n", "x") in a.cells)
    assert set(first.cells) == {t.cell("n", "x"), t.cell("n")}


def test_contributors_know_their_amounts_everywhere():
    t = cf.tabulate(firms(90), ["area", "trade"], "turnover", holding="owner")
    levels = cf.Protection.by_rule(RULE, t)
    system = cf.System.of_table(t)
    looking = cf.ContributingInsiders().of(t, system, levels)
    for a in looking.attackers:
        for c, x in a.lower.items():
            assert x <= system.values[c] + 1e-9
            assert c in a.upper or x in t.largest[c]
    done = cf.protect_table(t, RULE, method=cf.Suppression(attackers=[cf.ContributingInsiders()]))
    assert done.clean
    assert cf.ContributingInsiders(most=2).of(t, system, levels).left_out > 0
    with pytest.raises(cf.TableError, match="largest=6"):
        cf.ContributingInsiders(5).of(t, system, levels)
    with pytest.raises(cf.TableError, match="1 or more"):
        cf.ContributingInsiders(0)


def test_aggregates_do_not_tell_who_contributes():
    cells = cf.Microdata.from_dict({"a": ["n", "s", "Total"], "v": [5, 6, 11]})
    t = cf.table_of_aggregates(cells, "a", "v")
    rule = cf.GivenRule(lambda t: t.values == 5)
    for who, message in ((cf.SingletonInsiders(), "how many respondents"), (cf.ContributingInsiders(), "who contributes")):
        with pytest.raises(cf.TableError, match=message):
            cf.protect_table(t, rule, method=cf.Suppression(attackers=[who]))


def test_a_time_limit_must_be_positive():
    with pytest.raises(cf.TableError, match="above 0"):
        cf.Suppression(time_limit=0)


def test_insiders_of_cells_that_are_called_alike_all_look():
    data = cf.Microdata.from_dict(
        {
            "a": ["1", "1", "2", "2", "2"],
            "b": ["1", "2", "2", "2", "2"],
            "c": ["2", "1", "2", "2", "2"],
            "x": [5, 6, 7, 8, 9],
        }
    )
    tables = [cf.tabulate(data, ["a", "b"], "x"), cf.tabulate(data, ["a", "c"], "x")]
    method = cf.PrimaryOnly(attackers=[cf.SingletonInsiders(), cf.SingletonInsiders()])
    done = cf.protect_tables(tables, cf.MinimumFrequency(2), method=method)
    names = [a.name for a in done[0].outcome.attackers]
    assert len(names) == len(set(names)) == 4
