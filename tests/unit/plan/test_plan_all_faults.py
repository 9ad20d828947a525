"""All faults of a plan are told at once."""

import pytest

from confide.errors import PlanError
from confide.plan.load import load_plan
from unit.plan.plans import DATA, GOOD, INTRUDER, method


def test_syntax_errors_name_the_line(load):
    with pytest.raises(PlanError, match="line 3"):
        load("seed = 7\nthreshold = 0.2\nx ==\n")


def test_the_good_plan_is_good(load):
    plan = load(GOOD)
    assert plan.microdata.n == 80
    assert [r.name for r in plan.releases] == ["plain"]
    assert plan.intruders[0].title == "neighbour"


def test_all_faults_of_the_file_at_once(load):
    text = (
        'sead = 1\nseed = "x"\n' + method('method = "Swap", variable = "sex", rat = 0.3') + '[limits]\nmax_perceived = "a"\n'
    )
    with pytest.raises(PlanError) as caught:
        load(text)
    assert len(caught.value.faults) == 4
    assert str(caught.value).startswith("4 faults:\n  1. ")


def test_all_faults_of_the_content_at_once(load):
    text = (
        DATA
        + '[data.roles]\nkey = ["agee"]\nsensitive = ["incom"]\n'
        + '[[release]]\nname = "a"\nmethods = [{ method = "Swap", variable = "sex", rate = 1.3 }]\n'
        + '[[release]]\nname = "b"\nmethods = [{ method = "Recode", variable = "age", width = 5 },'
        + '{ method = "Swap", variable = "sx", rate = 0.1 }]\n'
        + '[[intruder]]\nknows = ["sx", "age"]\n[[targets]]\nrows = [-1]\n[report]\nby = ["x"]\n'
    )
    with pytest.raises(PlanError) as caught:
        load(text)
    places = [f.split(":")[0] for f in caught.value.faults]
    assert places == [
        "data",
        "data",
        "release[1].methods[1] (Swap)",
        "release[2].methods[2] (Swap)",
        "intruder[1].knows[1]",
        "targets[1]",
        "report.by",
    ]


def test_faults_are_found_without_the_data_too(load):
    text = method('method = "Swap", variable = "sex", rate = 1.3').replace("people.csv", "nobody.csv")
    with pytest.raises(PlanError) as caught:
        load(text)
    assert len(caught.value.faults) == 2


def test_overrides_are_checked_as_the_plan(load):
    with pytest.raises(PlanError, match="threshold must be below 1"):
        load(GOOD, threshold=1.5)


def test_a_plan_that_is_missing_a_folder_or_no_text(tmp_path):
    (tmp_path / "plan.bin").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PlanError, match="there is no plan .* confide init"):
        load_plan(tmp_path / "none.toml")
    with pytest.raises(PlanError, match="is a folder"):
        load_plan(tmp_path)
    with pytest.raises(PlanError, match="UTF-8"):
        load_plan(tmp_path / "plan.bin")


def test_messages_show_no_values_of_records(load):
    with pytest.raises(PlanError) as caught:
        load(GOOD.replace('age = "integer"', 'sex = "integer"\nid = "continuous"'))
    assert "p0" not in str(caught.value)


def test_a_method_on_masked_values_is_checked_when_applied(load):
    first = '{ method = "Topcode", variable = "age", at = 40 }, { method = "Noise", variable = "age", sd = 1, upper = 30 }'
    plan = load(DATA + f'[[release]]\nname = "r"\nmethods = [{first}]\n' + INTRUDER)
    with pytest.raises(PlanError, match=r"release\[1\] \(r\): Noise 'age': .* outside the bounds"):
        plan.released()
