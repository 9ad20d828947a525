"""No output of a plan replaces what the plan reads, under whatever name and by whatever key."""

import os
from typing import get_args, get_origin

import pytest
from pydantic import BaseModel

from confide.errors import PlanError
from confide.kit.ledger import forget
from confide.plan.files import inputs
from confide.plan.load import load_plan, load_tables, parse_plan
from confide.plan.schema import PlanSchema
from confide.plan.table import InputText, OutputText
from unit.plan.plans import GOOD, PEOPLE

POPULATION = "sex,age,count\n" + "".join(f"{s},{a},50\n" for s in "mf" for a in range(20, 60))
MAPPED = (
    '[[utility]]\nutility = "MeansKept"\nvariables = ["income"]\n'
    '[[map.vary]]\nname = "noise"\nmethod = 1\nargument = "sd"\nvalues = [10, 20]\n'
)
NOISY = '[[release]]\nname = "noisy"\nmethods = [{ method = "Noise", variable = "income", sd = 10 }]\n'
READS = {
    "people.csv": "",
    "plan.toml": "",
    "masked.csv": '[[release]]\nname = "theirs"\nreleased = "masked.csv"\n',
    "known.csv": '[[targets]]\nfile = "known.csv"\n',
    "pop.csv": '[[intruder]]\nname = "other"\nknows = ["sex", "age"]\n'
    'target_in_file = false\npopulation = { table = "pop.csv", count = "count" }\n',
    "sexes.csv": '[[release]]\nname = "coarse"\n'
    'methods = [{ method = "Recode", variable = "sex", hierarchy = "sexes.csv", level = 1 }]\n',
    "areas.hrc": "",
    "cells.csv": "",
}
TABLES = (
    '[[tables.rule]]\nrule = "MinimumFrequency"\nn = 1\n'
    '[[table]]\nname = "t"\nby = ["area"]\nvalue = "v"\ncells = "cells.csv"\nhierarchies = { area = "areas.hrc" }\n'
    'count = "n"\n'
)
ASSESSED = {
    "report.path": ("[report]\npath = {}\n", ".html"),
    "output.json": ("[output]\njson = {}\n", ".json"),
    "output.table": ("[output]\ntable = {}\n", ".csv"),
    "output.per_record": ("[output]\nper_record = {}\n", ".csv"),
    "map.table": ("[map]\nrelease = 'noisy'\ntable = {}\n" + MAPPED, ".csv"),
    "map.picture": ("[map]\nrelease = 'noisy'\npicture = {}\n" + MAPPED, ".svg"),
    "map.page": ("[map]\nrelease = 'noisy'\npage = {}\n" + MAPPED, ".html"),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    forget()
    files = {
        "people.csv": PEOPLE, "masked.csv": "sex,age\n" + "f,30\n" * 80, "known.csv": "sex,age\nm,20\n",
        "pop.csv": POPULATION, "sexes.csv": "m,a\nf,b\n", "areas.hrc": "n\n@ n1\n@ n2\ns\n",
        "cells.csv": "area,v,n\nn1,3,2\nn2,4,2\ns,5,3\nn,7,4\nTotal,12,7\n",
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    forget()


def everything(folder):
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}


def refused(folder, text, load=load_plan, **more):
    (folder / "plan.toml").write_text(text)
    before = everything(folder)
    with pytest.raises(PlanError) as error:
        load(folder / "plan.toml", **more)
    assert everything(folder) == before
    return error.value.faults


@pytest.mark.parametrize("name", [n for n in READS if n not in {"areas.hrc", "cells.csv"}])
@pytest.mark.parametrize("key", ASSESSED)
def test_no_output_of_an_assessment_replaces_what_the_plan_reads(folder, key, name):
    text, ending = ASSESSED[key]
    for target in (name, name.upper(), f"./there/{name}"):
        (folder / "there").unlink(missing_ok=True)
        (folder / "there").symlink_to(folder)
        faults = refused(folder, GOOD + NOISY + READS[name] + text.format(repr(target)))
        assert any(f.startswith(key) and f"{name!r}, which" in f for f in faults), faults
    soft, hard = folder / f"soft{ending}", folder / f"hard{ending}"
    soft.symlink_to(name)
    os.link(folder / name, hard)
    for link in (soft, hard):
        (fault,) = refused(folder, GOOD + NOISY + READS[name] + text.format(repr(link.name)))
        assert fault.startswith(f"{key}: is the same file as {name!r}, which"), fault


@pytest.mark.parametrize("name", ["cells.csv", "areas.hrc", "plan.toml"])
@pytest.mark.parametrize("key", ["internal", "internal_page"])
def test_no_table_replaces_what_the_plan_reads(folder, key, name):
    ending = ".html" if "page" in key else ".csv"
    (folder / f"soft{ending}").symlink_to(name)
    for target in (name, name.upper(), f"soft{ending}"):
        faults = refused(folder, TABLES + f"{key} = {target!r}\n", load_tables)
        assert any(f.startswith(f"table[1].{key}: ") and f"{name!r}, which the plan reads" in f for f in faults), faults


@pytest.mark.parametrize(("key", "name"), [("published", "cells.csv"), ("page", "t.html")])
def test_what_is_published_of_a_table_is_held_and_replaces_nothing_that_is_read(folder, key, name):
    (folder / "plan.toml").write_text(TABLES + f"{key} = {name!r}\n")
    outputs = load_tables(folder / "plan.toml").groups[0].tables[0].outputs
    path = folder / "held" / "t" / name
    assert (*outputs.published, outputs.page)[0] == path
    path.parent.mkdir(parents=True)
    (folder / "cells.csv").rename(path)
    faults = refused(folder, TABLES.replace('"cells.csv"', f"'held/t/{name}'") + f"{key} = {name!r}\n", load_tables)
    assert any(f.startswith(f"table[1].{key}: would replace {name!r}, which the plan reads") for f in faults), faults


def test_an_assessment_does_not_replace_what_only_the_tables_of_the_plan_read(folder):
    faults = refused(folder, GOOD + TABLES + '[output]\ntable = "cells.csv"\n')
    assert faults == ("output.table: would replace 'cells.csv', which the plan reads; choose another name",)
    faults = refused(folder, GOOD + TABLES + 'internal = "people.csv"\n', load_tables)
    assert faults == ("table[1].internal: would replace 'people.csv', which the plan reads; choose another name",)


def test_a_release_that_is_named_like_the_data_does_not_replace_them(folder):
    release = '[[release]]\nname = "{}"\nmethods = [{{ method = "Noise", variable = "income", sd = 10 }}]\n'
    held = folder / "held" / "people" / "people.csv"
    held.parent.mkdir(parents=True)
    held.write_text(PEOPLE)
    good = GOOD.replace('"people.csv"', '"held/people/people.csv"')
    for name in ("people", "PEOPLE", " People! "):
        (fault,) = refused(folder, good + release.format(name) + '[output]\nreleased = "."\n')
        assert fault == (
            f"output.released (release {name!r}): would replace 'people.csv', which the plan reads; choose another name"
        )
    (folder / "held" / "plain").mkdir()
    (folder / "held" / "plain" / "plain.csv").symlink_to("../../people.csv")
    assert "is the same file as 'people.csv'" in refused(folder, GOOD + '[output]\nreleased = "."\n')[0]


def test_derived_names_are_those_that_are_written(folder):
    from confide.plan.holding import held_outputs

    text = (
        GOOD
        + NOISY
        + NOISY.replace('"noisy"', '"Noisy!"')
        + NOISY.replace('name = "noisy"\n', "")
        + '[output]\nreleased = "x"\n'
    )
    (folder / "plan.toml").write_text(text + READS["masked.csv"])
    plan = load_plan(folder / "plan.toml")
    assert [h.name for h in plan.holdings] == [r.name for r in plan.released()]
    checked = [o.path for o in held_outputs(parse_plan(text + READS["masked.csv"]), folder)]
    assert checked == [folder / "x" / "held" / h.stem / h.file for h in plan.holdings]
    assert [p.name for p in checked] == ["plain.csv", "noisy.csv", "noisy-2.csv", "noise.csv", "masked.csv"]


def test_a_release_and_a_table_of_the_same_name_are_two_files(folder):
    (folder / "held" / "plain").mkdir(parents=True)
    text = GOOD + '[output]\nreleased = "."\ntable = "Held/plain/Plain.csv"\n'.replace("Held", "held")
    (fault,) = refused(folder, text)
    assert fault == "output.released (release 'plain'): is the same file as output.table; choose another name"


def test_outputs_that_differ_in_case_alone_or_by_a_link_are_one_file(folder):
    (fault,) = refused(folder, GOOD + '[output]\ntable = "a.csv"\nper_record = "A.CSV"\n')
    assert fault == "output.per_record: is the same file as output.table; choose another name"
    (folder / "there").symlink_to(folder)
    (fault,) = refused(folder, GOOD + '[output]\ntable = "a.csv"\nper_record = "there/a.csv"\n')
    assert fault == "output.per_record: is the same file as output.table; choose another name"
    (fault,) = refused(folder, TABLES + 'published = ["a.csv", "A.csv"]\n', load_tables)
    assert fault == "table[1].published[2]: is the same file as table[1].published[1]; choose another name"


def test_two_commands_of_one_plan_do_not_write_one_file(folder):
    tables = TABLES + 'internal = "a.csv"\n'
    assert "is the same file as table[1].internal" in refused(folder, GOOD + tables + '[output]\ntable = "a.csv"\n')[0]
    assert (
        "is the same file as output.table" in refused(folder, GOOD + tables + '[output]\ntable = "a.csv"\n', load_tables)[0]
    )


def test_the_store_of_a_map_is_no_file_of_the_plan(folder):
    (folder / "kept").mkdir()
    os.link(folder / "people.csv", folder / "kept" / "evaluations.jsonl")
    (fault,) = refused(folder, GOOD + NOISY + "[map]\nrelease = 'noisy'\nstore = 'kept'\n" + MAPPED)
    assert fault == "map.store: is the same file as 'people.csv', which the plan reads; choose another name"


def test_files_of_a_map_have_the_endings_of_their_kind(folder):
    faults = refused(folder, GOOD + NOISY + "[map]\nrelease = 'noisy'\ntable = 'm.txt'\npage = 'm.svg'\n" + MAPPED)
    assert faults == (
        "map.page: must end in .html, found 'm.svg'",
        "map.table: must end in .csv, found 'm.txt'",
    )


def test_faults_of_outputs_stand_beside_all_others(folder):
    text = GOOD.replace('knows = ["sex", "age"]', 'knows = ["sez"]')
    faults = refused(folder, text + '[output]\ntable = "PEOPLE.csv"\njson = "no/x.json"\n')
    assert len(faults) == 3
    assert "sez" in faults[0]
    assert "no/x.json" not in faults[1]
    assert "does not exist; make it first" in faults[1]
    assert "is the same file as 'people.csv'" in faults[2]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_that_nothing_can_be_written_into_is_told_beforehand(folder):
    (folder / "closed").mkdir(mode=0o500)
    (fault,) = refused(folder, GOOD + '[output]\ntable = "closed/a.csv"\n')
    assert "check its permissions" in fault


def models(annotation, seen):
    """Find all kinds of tables a plan may hold."""
    if isinstance(annotation, type) and get_origin(annotation) is None and issubclass(annotation, BaseModel):
        if annotation not in seen:
            seen.add(annotation)
            for field in annotation.model_fields.values():
                models(field.annotation, seen)
        return
    for part in get_args(annotation):
        models(part, seen)


WRITTEN = {
    "ReportTable.path", "OutputTable.json_", "OutputTable.table", "OutputTable.per_record",
    "OutputTable.per_released_record", "OutputTable.released", "OutputTable.links",
    "MapTable.store", "MapTable.picture", "MapTable.page", "MapTable.table",
    "TableTable.published", "TableTable.internal", "TableTable.page", "TableTable.internal_page",
}  # fmt: skip
READ = {
    "PlanSchema.secret",
    "DataTable.path", "ReleaseTable.released", "TargetsTable.file", "NumbersTable.table", "TableTable.cells",
    "TableTable.a_priori", "TableTable.previous", "TableTable.hierarchies", "NestingTable.file", "NestingTable.codelist",
    "RecodeTable.hierarchy",
}  # fmt: skip


def test_every_path_of_a_plan_is_known_as_read_or_written():
    """A new key with a path belongs into one of the two lists; one that is written into `assessed_outputs` as well."""
    seen = set()
    models(PlanSchema, seen)
    marks = {"read": get_args(InputText)[1].func, "written": get_args(OutputText)[1].func}
    found = {"read": set(), "written": set()}

    def holds(part, mark):
        metadata = getattr(part, "__metadata__", ())
        return any(getattr(m, "func", None) is mark for m in metadata) or any(holds(p, mark) for p in get_args(part))

    for model in seen:
        for name, field in model.model_fields.items():
            for which, mark in marks.items():
                if any(getattr(m, "func", None) is mark for m in field.metadata) or holds(field.annotation, mark):
                    found[which].add(f"{model.__name__}.{name}")
    assert found == {"read": READ, "written": WRITTEN}


def test_all_that_is_read_is_found_wherever_it_stands(tmp_path):
    text = (
        GOOD + READS["masked.csv"] + READS["known.csv"] + READS["pop.csv"] + READS["sexes.csv"] + TABLES
        + 'a_priori = "a.hst"\nprevious = "old.csv"\n[[table]]\nname = "u"\nby = ["area"]\n'
        + '[table.hierarchies]\narea = [{ file = "b.hrc", codelist = "b.cdl" }, { digits = [1] }]\n'
    )  # fmt: skip
    found = [p.name for p in inputs(parse_plan(text), tmp_path, tmp_path / "plan.toml")]
    assert sorted(found) == sorted([*READS, "plan.secret", "a.hst", "old.csv", "b.hrc", "b.cdl"])


def test_the_secret_is_not_written_over(folder):
    (fault,) = refused(folder, GOOD + '[output]\ntable = "plan.secret"\n')
    assert "plan.secret" in fault
    (fault,) = refused(folder, 'secret = "mine.csv"\n' + GOOD + '[output]\ntable = "mine.csv"\n')
    assert "would replace 'mine.csv'" in fault
    (fault,) = refused(folder, 'secret = "mine.csv"\nseed = 3\n' + GOOD)
    assert "seed and secret: give one" in fault
