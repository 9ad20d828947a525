"""Columns with the keys of records undo the noise of tables: they are released with nothing, and used for nothing else."""

import numpy as np
import pytest

import confide as cf
from confide.errors import PlanError
from confide.plan.load import load_plan, load_tables

DATA = '[data]\npath = "people.csv"\n'
ROLES = '[data.roles]\nkey = ["sex"]\n'
TABLE = '[[table]]\nname = "counts"\nby = ["sex"]\n[[table.rule]]\nrule = "MinimumFrequency"\nn = 2\n'
METHOD = '[tables.method]\nmethod = "CellKeys"\nD = 3\nV = 1.5\nkeys = "rkey"\n'
ASSESSED = '[[release]]\nname = "micro"\n[[intruder]]\nname = "n"\nknows = ["sex"]\n'


@pytest.fixture
def plan(tmp_path):
    keys = np.random.default_rng(1).random(40).tolist()
    people = {"sex": ["f", "m"] * 20, "income": list(range(1000, 1040)), "rkey": keys}
    cf.write(cf.Microdata.from_dict(people), tmp_path / "people.csv")

    def write(text):
        (tmp_path / "plan.toml").write_text(text)
        return tmp_path / "plan.toml"

    return write


def test_keys_of_records_were_released_with_the_microdata(plan):
    path = plan(DATA + ROLES + TABLE + METHOD + ASSESSED)
    found = load_plan(path)
    assert found.microdata.variables["rkey"].role.value == "identifier"
    released = found.releases[0].apply(found.microdata)
    assert "rkey" not in released.data.names
    assert load_tables(path).names == ("counts",)


def test_keys_of_one_table_count_too(plan):
    own = METHOD.replace("[tables.method]", "[table.method]")
    assert load_plan(plan(DATA + TABLE + own + ASSESSED)).microdata.variables["rkey"].role.value == "identifier"


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (DATA + '[data.roles]\nsensitive = ["rkey"]\n' + TABLE + METHOD + ASSESSED, "data.roles.sensitive"),
        (DATA + '[data.roles]\nweight = "rkey"\n' + TABLE + METHOD + ASSESSED, "data.roles.weight"),
        (DATA + TABLE.replace('["sex"]', '["sex", "rkey"]') + METHOD + ASSESSED, "table[1].by"),
        (DATA + TABLE + METHOD + ASSESSED.replace('["sex"]', '["sex", "rkey"]'), "intruder[1].knows"),
        (DATA + TABLE + METHOD + ASSESSED.replace('"micro"\n', '"micro"\nmethods = [{ method = "Noise", variable = "rkey", '
         'sd = 0.1 }]\n'), "rkey"),
    ],
)  # fmt: skip
def test_every_other_use_is_refused(plan, text, where):
    with pytest.raises(PlanError) as error:
        load_plan(plan(text))
    assert any(where in f for f in error.value.faults), error.value.faults
