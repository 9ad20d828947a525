"""Every mistake in data and releases gives one clear message."""

import re

import pytest

from confide.errors import PlanError
from unit.plan.plans import DATA, GOOD, INTRUDER, RELEASE, method

MISTAKES = {
    "unknown key": ("sead = 3\n" + GOOD, "there is no key 'sead'; did you mean 'seed'?"),
    "unknown table": (GOOD + "[outputs]\n", "there is no key 'outputs'; did you mean 'output'?"),
    "unknown key of data": (
        DATA.replace("path", 'pth = "x"\npath') + RELEASE + INTRUDER,
        "data: there is no key 'pth'; did you mean 'path'?",
    ),
    "unknown role": (
        DATA + '[data.roles]\nkeys = ["sex"]\n' + RELEASE + INTRUDER,
        "data.roles: there is no key 'keys'; did you mean 'key'?",
    ),
    "no data": (RELEASE + INTRUDER, "data is missing"),
    "no path": ("[data]\n" + RELEASE + INTRUDER, "data: path is missing"),
    "no release": (DATA + INTRUDER, "the plan has no release"),
    "no intruder": (DATA + RELEASE, "the plan has no intruder"),
    "seed of text": ('seed = "7"\n' + GOOD, "seed must be a whole number, found '7'"),
    "threshold above one": ("threshold = 20\n" + GOOD, "threshold must be below 1.0, found 20"),
    "no such data file": (GOOD.replace("people.csv", "nobody.csv"), "data: there is no file"),
    "encoding": (GOOD.replace('"people.csv"', '"people.csv"\nencoding = "utf-99"', 1), "utf-99"),
    "unknown kind": (
        GOOD.replace('"integer"', '"whole"'),
        "data: kinds.age must be 'nominal', 'ordinal', 'integer', 'continuous' or 'text', found 'whole'",
    ),
    "unknown variable in roles": (
        DATA + '[data.roles]\nkey = ["agee"]\n' + RELEASE + INTRUDER,
        "data: role key: there is no variable 'agee'; did you mean 'age'?",
    ),
    "two roles": (
        DATA + '[data.roles]\nkey = ["age"]\nsensitive = ["age"]\n' + RELEASE + INTRUDER,
        "declared both key and sensitive",
    ),
    "coded without kind": (
        DATA + '[data.coded]\nsex = ["x"]\n' + RELEASE + INTRUDER,
        "data.coded: 'sex' has categories among numbers",
    ),
    "order leaves out a level": (
        DATA + '[data.order]\nsex = ["m"]\n' + RELEASE + INTRUDER,
        "data: the order of 'sex' leaves out 1 of its levels",
    ),
    "an empty path": (GOOD.replace("people.csv", ""), "data: path must be the path of a file or folder"),
    "ragged covariance": (
        method('method = "CorrelatedNoise", names = ["age", "income"], covariance = [[1, 0], [1]]'),
        "release[1].methods[1] (CorrelatedNoise): the covariance must be a square matrix",
    ),
    "no method name": (method('variable = "age"'), "release[1].methods[1]: say which method it is"),
    "unknown method": (
        method('method = "Swop", variable = "age"'),
        "release[1].methods[1]: there is no method 'Swop'; did you mean 'Swap'?",
    ),
    "unknown argument": (
        method('method = "Swap", variable = "sex", rat = 0.3'),
        "release[1].methods[1] (Swap): there is no key 'rat'; did you mean 'rate'?",
    ),
    "missing argument": (method('method = "Noise", variable = "age"'), "release[1].methods[1] (Noise): sd is missing"),
    "rate of text": (
        method('method = "Swap", variable = "sex", rate = "0.3"'),
        "release[1].methods[1] (Swap): rate must be a number, found '0.3'",
    ),
    "within a number": (
        method('method = "Swap", variable = "sex", rate = 0.3, within = 3'),
        "release[1].methods[1] (Swap): within must be a list in square brackets, found 3",
    ),
    "within itself": (
        method('method = "Swap", variable = "sex", rate = 0.3, within = ["age", "sex"]'),
        "release[1].methods[1] (Swap): swapping within equal values of the variable itself changes nothing",
    ),
    "within nothing": (
        method('method = "Swap", variable = "sex", rate = 0.3, within = ["age", "agee"]'),
        "release[1].methods[1] (Swap): there is no variable 'agee'; did you mean 'age'?",
    ),
    "rate above one": (
        method('method = "Swap", variable = "sex", rate = 1.3'),
        "release[1].methods[1] (Swap): rate is a share of the records between 0 and 1, found 1.3",
    ),
    "swap of nothing": (
        method('method = "Swap", variable = "sexx", rate = 0.3'),
        "release[1].methods[1] (Swap): there is no variable 'sexx'; did you mean 'sex'?",
    ),
    "swap within nothing": (
        method('method = "Swap", variable = "sex", rate = 0.3, within = "agee"'),
        "(Swap): there is no variable 'agee'",
    ),
    "masking an identifier": (
        method('method = "Recode", variable = "id", mapping = { a = "b" }'),
        "(Recode): variable 'id' is gone",
    ),
    "two forms of recode": (
        method('method = "Recode", variable = "age", width = 5, breaks = [0, 9]'),
        "(Recode): give one of width, breaks, mapping, hierarchy; found width, breaks",
    ),
    "no hierarchy file": (
        method('method = "Recode", variable = "sex", hierarchy = "h.csv"'),
        "(Recode): hierarchy: there is no file",
    ),
    "noise on text": (
        method('method = "Noise", variable = "sex", sd = 1'),
        "release[1].methods[1] (Noise): Noise needs numbers",
    ),
    "topcode below all": (
        method('method = "Topcode", variable = "age", at = 3'),
        "(Topcode): the cut 3 lies below all values",
    ),
    "noise choice": (
        method('method = "Noise", variable = "age", sd = 1, relative_to = "some"'),
        "(Noise): relative_to must be 'all' or 'positive', found 'some'",
    ),
    "times_above of text": (
        method('method = "Noise", variable = "age", sd = 1, times_above = { old = 2 }'),
        "times_above: 'old' is not a number",
    ),
    "matrix word": (
        method('method = "Swap", variable = "sex", rate = 0.1, matrix = "exakt"'),
        '(Swap): matrix must be "exact"',
    ),
    "matrix for masking": (
        method('method = "Swap", variable = "sex", matrix = { levels = ["m", "f"], rows = [[1, 0], [0, 1]] }'),
        "to mask a file give a rate",
    ),
    "matrix of columns": (
        method('method = "Swap", variable = "sex", matrix = { levels = ["m", "f"], rows = [[1, 0], [1, 1]] }'),
        "each ROW (true level) sums to one",
    ),
    "ragged matrix": (
        method('method = "Swap", variable = "sex", matrix = { levels = ["m", "f"], rows = [[1, 0], [1]] }'),
        "needs rows of 2 numbers",
    ),
    "sample too large": (method('method = "Sample", n = 1000'), "(Sample): 1000 records were asked for, the file holds 80"),
    "parent without file": (
        DATA + '[[release]]\nparent = "row"\n' + INTRUDER,
        "release[1]: parent is for a released file that someone else made",
    ),
    "released and methods": (
        DATA + '[[release]]\nreleased = "masked.csv"\nmethods = [{ method = "Drop", names = "sex" }]\n' + INTRUDER,
        "release[1]: has both methods and released",
    ),
    "released of other length": (
        DATA + '[[release]]\nreleased = "masked.csv"\nsame_order = true\n' + INTRUDER,
        "release[1]: same_order=True, but the released file has 2 records, the source file 80",
    ),
    "unknown parent": (
        DATA + '[[release]]\nreleased = "masked.csv"\nparent = "raw"\n' + INTRUDER,
        "release[1]: parent: there is no column 'raw'; did you mean 'row'?",
    ),
    "two releases of a name": (DATA + RELEASE + RELEASE + INTRUDER, "release: 2 of them are called 'plain'"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_one_mistake_gives_one_clear_message(load, name):
    text, message = MISTAKES[name]
    with pytest.raises(PlanError, match=re.escape(message)) as caught:
        load(text)
    assert len(caught.value.faults) == 1, caught.value.faults
