"""Tables in a plan: what is read, what is linked, and that every mistake gives one clear message."""

import pytest

import confide as cf
from confide.errors import PlanError
from confide.plan.dump import plan_to_toml
from confide.plan.load import load_plan, load_tables, parse_plan
from unit.plan.plans import GOOD
from unit.tables.firms import firms

DATA = '[data]\npath = "firms.csv"\n'
RULE = '[[tables.rule]]\nrule = "PPercentRule"\np = 10\n'
TABLE = '[[table]]\nname = "first"\nby = ["area", "trade"]\nvalue = "turnover"\n'
CELLS = '[[table]]\nname = "cells"\nby = ["a"]\nvalue = "v"\ncells = "cells.csv"\n'


@pytest.fixture
def read(tmp_path):
    cf.write(firms(90), tmp_path / "firms.csv")
    (tmp_path / "area.hrc").write_text("N\n@N1\n@N2\nS\n@S1\n@S2\n")
    (tmp_path / "area.cdl").write_text("N,North\nS,South\n")
    (tmp_path / "cells.csv").write_text("a,v,n\nTotal,9,3\nx,4,1\ny,5,2\n")
    (tmp_path / "wrong.csv").write_text("a,v,n\nTotal,8,3\nx,4,1\ny,5,2\n")
    (tmp_path / "a.hst").write_text("N1;a;u\nN2;a;p\n")
    (tmp_path / "bad.hst").write_text("N1;a;?\n")
    (tmp_path / "last.csv").write_text("area,trade,turnover,flag\nN1,b,,c\n")

    def run(text, **more):
        (tmp_path / "plan.toml").write_text(text)
        return load_tables(tmp_path / "plan.toml", **more)

    return run


def only(plan):
    (group,) = plan.groups
    (table,) = group.tables
    return group, table


def test_a_table_as_it_is_declared(read):
    group, table = only(read(DATA + RULE + TABLE + "largest = 3\ntotal = 'All'\n"))
    assert table.table.by == ("area", "trade")
    assert table.table.dimensions[0].codes[0] == "All"
    assert table.table.largest.shape[1] == 3
    assert table.rule == cf.PPercentRule(10)
    assert isinstance(group.method, cf.Suppression)
    assert group.protect()[0].clean


def test_hierarchies_of_all_kinds(read):
    digits = only(read(DATA + RULE + TABLE + "[table.hierarchies]\narea = { digits = [1, 1] }\n"))[1].table
    file = only(read(DATA + RULE + TABLE + '[table.hierarchies]\narea = "area.hrc"\n'))[1].table
    both = only(read(DATA + RULE + TABLE + '[table.hierarchies]\narea = { file = "area.hrc", codelist = "area.cdl" }\n'))[1]
    several = '[table.hierarchies]\narea = [{ digits = [1, 1] }, { file = "area.hrc" }]\n'
    assert digits.dimensions[0].codes == file.dimensions[0].codes
    assert both.table.dimensions[0].texts["N"] == "North"
    assert only(read(DATA + RULE + TABLE + several))[1].table.n == digits.n


def test_rules_of_a_table_come_before_those_of_all(read):
    own = '[[table.rule]]\nrule = "MinimumFrequency"\nn = 3\n[[table.rule]]\nrule = "DominanceRule"\nn = 1\nk = 0.8\n'
    rule = only(read(DATA + RULE + TABLE + own))[1].rule
    assert rule == cf.AnyRule(cf.MinimumFrequency(3), cf.DominanceRule(1, 0.8))
    both = only(read(DATA + RULE + TABLE + 'agree = "all"\n' + own))[1].rule
    assert isinstance(both, cf.AllRules)


def test_methods(read):
    text = '[tables.method]\nsearch = "exact"\ngap = 0.01\ntime_limit = 9\ncosts = "count"\n'
    text += 'attackers = ["singletons", { who = "contributors", coalition = 2, most = 7 }]\n'
    method = only(read(DATA + RULE + TABLE + text))[0].method
    assert method.search == cf.Exact(gap=0.01)
    assert method.time_limit == 9
    assert method.costs == cf.EqualCosts()
    assert method.attackers == (cf.SingletonInsiders(), cf.ContributingInsiders(2, 7))
    assert only(read(DATA + RULE + TABLE + text, time_limit=2.5))[0].method.time_limit == 2.5
    for name in ("PrimaryOnly", "NoProtection"):
        assert type(only(read(DATA + RULE + TABLE + f'[tables.method]\nmethod = "{name}"\n'))[0].method).__name__ == name


def test_costs_by_another_variable(read):
    text = '[tables.method]\ncosts = { variable = "owner" }\n'
    group, table = only(read(DATA + RULE + TABLE + text))
    wanted = cf.tabulate(firms(90), ["area", "trade"], "owner").values
    assert group.method.costs.costs.tolist() == wanted.tolist()
    two = read(DATA + RULE + TABLE + TABLE.replace("first", "second").replace('"area", ', "") + text)
    assert two.groups[0].protect()[1].clean
    assert table.table.n == wanted.size


def test_tables_of_one_value_are_linked(read):
    second = '[[table]]\nname = "second"\nby = ["trade"]\nvalue = "turnover"\n'
    third = '[[table]]\nname = "third"\nby = ["trade"]\n'
    plan = read(DATA + RULE + TABLE + second + third)
    assert [[t.name for t in g.tables] for g in plan.groups] == [["first", "second"], ["third"]]
    assert plan.names == ("first", "second", "third")
    apart = read(DATA + RULE + "[tables]\nlinked = false\n" + TABLE + second)
    assert len(apart.groups) == 2
    assert len(read(DATA + RULE + TABLE + second + "linked = false\n").groups) == 2


def test_tables_of_cells_need_no_data(read):
    rule = '[[table.rule]]\nrule = "MinimumFrequency"\nn = 2\n'
    group, table = only(read(CELLS + 'count = "n"\n' + rule))
    assert table.table.respondents.tolist() == [3, 1, 2]
    assert group.protect()[0].suppressed.tolist() == [False, True, True]


def test_statuses_and_the_previous_pattern(read):
    table = only(read(DATA + RULE + TABLE + 'a_priori = "a.hst"\na_priori_share = 0.5\nprevious = "last.csv"\n'))[1]
    assert list(table.a_priori.sensitive) == [table.table.cell("N1", "a")]
    assert table.a_priori.share == 0.5
    assert table.a_priori.previous[table.table.cell("N1", "b")]


def test_outputs_go_where_the_plan_says_or_into_a_folder(read, tmp_path):
    text = DATA + RULE + TABLE + 'published = ["a.csv", "a.json"]\ninternal = "i.csv"\npage = "p.html"\n'
    found = only(read(text))[1].outputs
    held = tmp_path / "held" / "first"
    assert found.published == (held / "a.csv", held / "a.json")
    assert (found.page, found.internal, found.held) == (held / "p.html", tmp_path / "i.csv", held)
    (tmp_path / "out").mkdir()
    inside = only(read(text, out=tmp_path / "out"))[1].outputs
    assert inside.internal == tmp_path / "out" / "i.csv"
    named = only(read(DATA + RULE + TABLE, out=tmp_path / "out"))[1].outputs
    assert named.published == (tmp_path / "out" / "held" / "first" / "first.csv",)
    assert named.internal_page == tmp_path / "out" / "first-internal.html"


def test_a_plan_with_tables_is_written_and_read_again():
    text = DATA + RULE + '[tables.method]\nsearch = "exact"\nattackers = ["singletons"]\n' + TABLE
    text += '[table.hierarchies]\narea = { digits = [1, 1] }\n[[table.rule]]\nrule = "MinimumFrequency"\nn = 3\n'
    schema = parse_plan(text)
    assert parse_plan(plan_to_toml(schema)) == schema


def test_a_plan_may_hold_tables_and_releases(load, tmp_path):
    text = '[[table]]\nname = "t"\nby = ["sex"]\n[[tables.rule]]\nrule = "MinimumFrequency"\nn = 3\n'
    assert load(GOOD + text).releases
    assert load_tables(tmp_path / "plan.toml").names == ("t",)
    with pytest.raises(PlanError, match="for its tables run: confide table"):
        load(GOOD[: GOOD.index("[[release]]")] + text)


def test_tables_of_cells_cannot_be_assessed(tmp_path):
    (tmp_path / "plan.toml").write_text(CELLS)
    with pytest.raises(PlanError, match="no data to assess"):
        load_plan(tmp_path / "plan.toml")


def table(text, head=DATA + RULE):
    return head + TABLE + text


MISTAKES = {
    "no table": (DATA + RULE, "the plan has no table; add [[table]]"),
    "no rule": (DATA + TABLE, "table[1]: no rule says which cells are sensitive"),
    "no name": (DATA + RULE + '[[table]]\nby = ["area"]\n', "table[1]: name is missing"),
    "no by": (DATA + RULE + '[[table]]\nname = "t"\n', "table[1]: by is missing"),
    "no data": (RULE + TABLE, "data is missing"),
    "unknown key": (table('valu = "x"\n'), "table[1]: there is no key 'valu'; did you mean 'value'?"),
    "unknown variable": (
        table("").replace('"trade"', '"trad"'),
        "table[1]: there is no variable 'trad'; did you mean 'trade'?",
    ),
    "unknown value": (table("").replace('"turnover"', '"turn"'), "table[1]: there is no variable 'turn'"),
    "same names": (DATA + RULE + TABLE + TABLE, "table: 2 of them are called 'first'"),
    "unknown rule": (
        DATA + '[[tables.rule]]\nrule = "Percent"\n' + TABLE,
        "tables.rule[1]: must be a rule that is one of MinimumFrequency, DominanceRule",
    ),
    "rule without its number": (
        DATA + '[[tables.rule]]\nrule = "PPercentRule"\n' + TABLE,
        "tables.rule[1]: (PPercentRule) needs p",
    ),
    "rule with another's": (
        DATA + '[[tables.rule]]\nrule = "PPercentRule"\np = 10\nk = 2\n' + TABLE,
        "tables.rule[1]: (PPercentRule) takes p, coalition; found k",
    ),
    "percent for a fraction": (
        DATA + '[[tables.rule]]\nrule = "DominanceRule"\nn = 1\nk = 80\n' + TABLE,
        "tables.rule[1]: k is a fraction above 0 and at most 1; found 80; for 80 per cent write 0.8",
    ),
    "rule of a request": (
        table('[[table.rule]]\nrule = "RequestRule"\nfractions = { "1" = 0.7 }\n', DATA),
        "table[1]: there is no kind of request '1'",
    ),
    "unknown method": (
        DATA + RULE + '[tables.method]\nmethod = "Suppress"\n' + TABLE,
        "tables: method must be a method that is one of Suppression, PrimaryOnly, NoProtection",
    ),
    "gap of a heuristic": (DATA + RULE + "[tables.method]\ngap = 0.1\n" + TABLE, 'gap goes with search = "exact"'),
    "no time": (DATA + RULE + "[tables.method]\ntime_limit = 0\n" + TABLE, "tables: method.time_limit must be more than 0"),
    "unknown costs": (
        DATA + RULE + '[tables.method]\ncosts = "values"\n' + TABLE,
        "tables: method.costs must be 'value', 'count' or 'respondents', found 'values'",
    ),
    "unknown variable of costs": (
        DATA + RULE + '[tables.method]\ncosts = { variable = "jobs" }\n' + TABLE,
        "table[1]: there is no variable 'jobs'",
    ),
    "unknown attacker": (
        DATA + RULE + '[tables.method]\nattackers = ["spies"]\n' + TABLE,
        "attackers[1] must be 'singletons' or 'contributors', found 'spies'",
    ),
    "coalition of one": (
        DATA + RULE + '[tables.method]\nattackers = [{ who = "singletons", coalition = 2 }]\n' + TABLE,
        'coalition goes with who = "contributors"',
    ),
    "hierarchy of what": (
        table("[table.hierarchies]\nregion = { digits = [1, 1] }\n"),
        "table[1]: hierarchies: there is no dimension 'region'",
    ),
    "two kinds of hierarchy": (
        table('[table.hierarchies]\narea = { digits = [1, 1], levels = ["trade"] }\n'),
        "a hierarchy: give one of levels, digits, file; found levels, digits",
    ),
    "wrong digits": (
        table("[table.hierarchies]\narea = { digits = [1, 2] }\n"),
        "table[1]: 4 code(s) of 'area' have not 3 digits",
    ),
    "no hierarchy file": (table('[table.hierarchies]\narea = "no.hrc"\n'), "table[1]: cannot read 'no.hrc'"),
    "no a priori file": (table('a_priori = "no.hst"\n'), "table[1].a_priori: cannot read 'no.hst'"),
    "a priori with a mistake": (table('a_priori = "bad.hst"\n'), "table[1].a_priori: 'bad.hst', line 1: status '?'"),
    "no previous file": (table('previous = "no.csv"\n'), "table[1].previous: there is no file"),
    "count of records": (table('count = "n"\n'), "table[1]: count goes with a file of cells"),
    "weight of cells": (CELLS + 'weight = "w"\n' + RULE, "table[1]: weight goes with a table of records"),
    "cells without value": (CELLS.replace('value = "v"\n', "") + RULE, "table[1]: value is missing"),
    "cells that are not there": (CELLS.replace("cells.csv", "no.csv") + RULE, "table[1]: cells: there is no file"),
    "cells that do not add up": (
        CELLS.replace("cells.csv", "wrong.csv") + '[[tables.rule]]\nrule = "ZeroCells"\nleast = 1\n',
        "table[1]: 1 of 1 sums do not add up",
    ),
    "largest of cells": (CELLS + "largest = 2\n" + RULE, "largest is a number for records, and a list of columns"),
    "two methods": (
        table('[table.method]\nsearch = "exact"\n') + TABLE.replace("first", "second").replace('"area", ', ""),
        "table[1]: these tables are linked and must have one method",
    ),
    "unknown ending": (table('published = "t.xlsx"\n'), "table[1].published: must end in .sdmx.csv or .csv"),
    "internal as SDMX": (table('internal = "t.sdmx.csv"\n'), "table[1].internal: must end in .csv or .tsv or .parquet"),
    "page of text": (table('page = "t.csv"\n'), "table[1].page: must end in .html"),
    "replaces the data": (table('internal = "firms.csv"\n'), "table[1].internal: would replace 'firms.csv'"),
    "the same file": (table('internal_page = "t.html"\ninternal = "t.csv"\n') + TABLE.replace("first", "second")
        + 'internal = "t.csv"\n', "table[2].internal: is the same file as table[1].internal"),
    "no folder": (table('internal = "no/t.csv"\n'), "table[1].internal: the folder"),
    "published elsewhere": (table('published = "no/t.csv"\n'), "give the name of a file without a folder, found 'no/t.csv'"),
    "published as the manifest": (table('published = "Manifest.json"\n'), "'Manifest.json' is a file of the study itself"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_each_mistake_is_told(read, name):
    text, message = MISTAKES[name]
    with pytest.raises(PlanError) as error:
        read(text)
    found = [f for f in error.value.faults if message in f]
    assert len(found) == 1, error.value.faults
    assert len(error.value.faults) == 1, error.value.faults


def test_all_mistakes_are_told_at_once(read):
    text = table('valu = 1\npage = "x.csv"\n') + TABLE + "largest = 0\n"
    with pytest.raises(PlanError) as error:
        read(text)
    assert len(error.value.faults) == 2
    with pytest.raises(PlanError) as error:
        read(table('page = "x.csv"\na_priori = "no.hst"\nprevious = "no.csv"\n'))
    assert len(error.value.faults) == 3


def test_methods_that_change_values(read):
    def method(text, table=TABLE, **more):
        return only(read(DATA + RULE + table + "[tables.method]\n" + text, **more))[0].method

    rounding = method('method = "ControlledRounding"\nbase = 50\npower = 2\nsearch = "exact"\ngap = 0.1\njudge = true\n')
    assert rounding == cf.ControlledRounding(50, cf.OptimalRounding(gap=0.1), None, 2, (), True)
    assert method('method = "ControlledRounding"\nbase = 5\nsearch = "heuristic"\n').method == cf.FamilyRounding()
    adjusted = method('method = "TabularAdjustment"\ncosts = "value"\ntold = 0.5\nsearch = "heuristic"\n', time_limit=3)
    assert (adjusted.method, adjusted.costs, adjusted.told) == (cf.BalancedAdjustment(), cf.ValueCosts(), 0.5)
    assert adjusted.time_limit == 3
    plain = method('method = "TabularAdjustment"\n')
    assert (plain.method, plain.costs) == (None, cf.EqualCosts())
    noise = method('method = "CellKeys"\nshare = 0.3\nby = "mean"\nattackers = ["singletons"]\n')
    assert noise.noise == cf.MagnitudeNoise(0.3, cf.ByMean())
    assert noise.attackers == (cf.SingletonInsiders(),)
    counts = TABLE.replace('value = "turnover"\n', "")
    small = '[[table.rule]]\nrule = "MinimumFrequency"\nn = 3\n'
    assert method('method = "CellKeys"\nD = 4\nV = 2.0\njs = 1\n', counts + small).noise.table.small == 1


def test_amounts_of_an_adjustment_come_from_the_seed_or_the_secret(read, tmp_path):
    text = DATA + RULE + TABLE + '[tables.method]\nmethod = "TabularAdjustment"\n'
    group, declared = only(read("seed = 3\n" + text))
    assert group.method.keys == declared.keys == cf.RecordKeys(seed=3)
    assert declared.table.cell_keys is None
    by_secret = only(read(text))[0].method.keys
    assert by_secret.secret is not None
    assert by_secret.secret.key == only(read(text))[0].method.keys.secret.key
    assert (tmp_path / "plan.secret").exists()


def test_keys_of_records_come_from_the_seed_or_a_column(read):
    text = DATA + RULE + TABLE + '[tables.method]\nmethod = "CellKeys"\n'
    by_plan = only(read("seed = 3\n" + text))[1].table
    by_hand = cf.tabulate(firms(90), ["area", "trade"], "turnover", keys=cf.RecordKeys(seed=3))
    assert by_plan.cell_keys.tolist() == by_hand.cell_keys.tolist()
    assert only(read("seed = 1\n" + text, seed=3))[1].table.cell_keys.tolist() == by_hand.cell_keys.tolist()
    assert only(read(DATA + RULE + TABLE))[1].table.cell_keys is None
    with pytest.raises(PlanError, match="record keys lie from 0"):
        read(text + 'keys = "owner"\n')


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('method = "ControlledRounding"\n', "needs base"),
        ('method = "ControlledRounding"\nbase = 0\n', "base"),
        ('method = "ControlledRounding"\nbase = 5\ncosts = "value"\n', "found costs"),
        ('method = "CellKeys"\nD = 3\nV = 1.0\n', "CellKeys for values takes by, top, share"),
        ('method = "CellKeys"\nby = "mean"\ntop = 2\n', "top goes with"),
        ('method = "CellKeys"\nby = "size"\n', "by"),
        ('method = "Suppression"\nbase = 5\n', "found base"),
    ],
)
def test_mistakes_of_methods_that_change_values(read, text, message):
    with pytest.raises(PlanError, match=message):
        read(DATA + RULE + TABLE + "[tables.method]\n" + text)


def test_noise_of_counts_needs_its_table_and_records(read):
    counts = TABLE.replace('value = "turnover"\n', "") + '[[table.rule]]\nrule = "MinimumFrequency"\nn = 3\n'
    with pytest.raises(PlanError, match="needs D and V"):
        read(DATA + counts + '[tables.method]\nmethod = "CellKeys"\n')
    with pytest.raises(PlanError, match="does not hold; use another method"):
        read(RULE + CELLS + '[tables.method]\nmethod = "CellKeys"\n')
