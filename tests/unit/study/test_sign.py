"""Only a pass is signed: every refusal by its words, and what is held does not move."""

import json
import os
import shutil
import stat
import subprocess
import sys
from dataclasses import replace

import pytest

import confide as cf
from confide.cli.main import main
from confide.errors import ReleaseError
from confide.kit.secret import Secret
from confide.plan.load import load_plan
from confide.study import again
from confide.study import sign as sign_module
from confide.study.folder import Study
from confide.study.manifest import read_manifest
from unit.study.conftest import PEOPLE, PLAN, THEIRS, everything
from unit.tables.firms import firms

NOT_SAME = "is not what plan, source and secret make, byte by byte"
ALTERED = "the manifest in 'held/coarse' is not as it was written: somebody altered it"


def sign(*more, release="Coarse", by="Ada"):
    return main(["sign", "plan.toml", release, "--by", by, "--on", "2026-12-01", *more])


def test_a_pass_is_moved_with_its_signature(held, capsys):
    (held / "held" / "coarse" / "signature.json").write_text("{}")  # what a run left that ended before the move
    (held / "held" / "coarse" / "signature.json").chmod(0o600)
    before = (held / "held" / "coarse" / "coarse.csv").read_bytes()
    assert sign() == 0
    assert "expected matches" in capsys.readouterr().out
    signed = held / "signed" / "2026-12-01-coarse"
    assert not (held / "held" / "coarse").exists()
    assert sorted(p.name for p in signed.iterdir()) == ["coarse.csv", "manifest.json", "signature.json"]
    assert (signed / "coarse.csv").read_bytes() == before
    found = json.loads((signed / "signature.json").read_text())
    assert (found["by"], found["on"], found["release"]) == ("Ada", "2026-12-01", "Coarse")
    assert found["made_with"] == Secret.read(held / "plan.secret").fingerprint
    assert set(found["files"]) == {"coarse.csv", "manifest.json"}
    assert all(v["kept"] for v in found["verdict"])
    paths = [held / "signed", *(held / "signed").rglob("*")]
    assert {stat.S_IMODE(p.stat().st_mode) for p in paths if p.is_dir()} == {0o700}
    assert {stat.S_IMODE(p.stat().st_mode) for p in paths if p.is_file()} == {0o600}


@pytest.mark.parametrize("by", ["Ada\udc80", "A\0da", "Ada\nsigned", "\u202eadA"])
def test_a_name_that_cannot_be_printed_signs_nothing(held, refused, by):
    before = everything(held)
    (reason,) = refused(by=by)
    assert reason.startswith("the name of who signs holds characters that cannot be printed")
    assert everything(held) == before


@pytest.mark.parametrize("place", ["nowhere", "people.csv", "x" * 3000])
def test_a_study_that_is_no_folder_is_refused(held, capsys, place):
    assert sign("--study", place) == 2
    assert f"there is no folder {place!r}; --study is the folder with held/ and signed/" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["Coarse", "coarse", "COARSE", "Cöarse"])
def test_a_draft_is_found_by_its_name_or_folder(held, name):
    assert sign(release=name) == 0


def test_an_exceeded_limit_is_not_signed(held, refused):
    before = everything(held)
    (reason,) = refused(release="as it is")
    assert reason == "expected matches is 120, at most 10 is allowed (release 'as it is', intruder 'neighbour')"
    assert everything(held) == before


def test_an_undefined_figure_is_not_signed(study, refused):
    (study / "known.csv").write_text("sex,race,age\nm,w,20\n")
    (study / "plan.toml").write_text(PLAN + '[[targets]]\nfile = "known.csv"\n')
    main(["assess", "plan.toml", "--quiet"])
    (reason,) = refused()
    assert "expected matches is undefined, so that its limit cannot be held" in reason


@pytest.mark.parametrize("limits", ["", '[limits]\nmax_expected_matches = 120\nreleases = ["as it is"]'])
def test_without_a_limit_nothing_is_signed(study, refused, limits):
    (study / "plan.toml").write_text(PLAN[: PLAN.index("[limits]")] + limits)
    main(["assess", "plan.toml", "--quiet"])
    assert refused() == ["no limit on a risk is set for it, so that nothing says it may go out; add [limits] to the plan"]


def test_a_limit_on_harm_alone_is_no_limit_on_risk(study, refused):
    harm = '[[harm]]\nname = "h"\nattribute = "income"\ncosts = { cost = "Close", within = 0.1, loss = 1 }\n'
    (study / "plan.toml").write_text(PLAN[: PLAN.index("[limits]")] + "[limits]\nmax_harm = { h = 1e9 }\n" + harm)
    main(["assess", "plan.toml", "--quiet"])
    assert refused()[-1].startswith("no limit on a risk is set")


def test_what_was_made_with_a_seed_is_not_signed(study, refused):
    main(["assess", "plan.toml", "--quiet", "--seed", "7"])
    (reason,) = refused()
    assert reason.startswith("made with a seed that anyone can guess")
    (study / "plan.toml").write_text("seed = 7\n" + PLAN)
    main(["assess", "plan.toml", "--quiet"])
    (reason,) = refused()
    assert reason.startswith("made with a seed that anyone can guess")


def test_the_mark_of_a_seed_cannot_be_wiped_off(study, refused):
    main(["assess", "plan.toml", "--quiet", "--seed", "7"])
    secret = Secret.kept(study / "plan.secret")
    path = study / "held" / "coarse" / "manifest.json"
    path.write_text(path.read_text().replace("reproducible: not for publication", secret.fingerprint))
    sealed, *more = refused()
    assert ALTERED in sealed
    assert any(NOT_SAME in reason for reason in more)


@pytest.mark.parametrize(("old", "new"), [
    ("swap", "replace"), ('"figure": ', '"figure": 9'), ('"kept": true', '"kept": false'), ("0.1.0", "9.9"),
    ('"edition": 1', '"edition": 3'), ('"made": "20', '"made": "19'),
])  # fmt: skip
def test_words_and_figures_altered_in_the_manifest_are_not_signed(held, refused, old, new):
    path = held / "held" / "coarse" / "manifest.json"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    assert any(ALTERED in reason for reason in refused())


@pytest.mark.parametrize(("old", "new", "told"), [
    ("swap", "replace", "tells of methods what is not so"), ('"figure": ', '"figure": 9', "tells of verdict"),
    ("0.1.0", "9.9", "says that confide '9.9' made it"),
])  # fmt: skip
def test_a_manifest_that_its_owner_sealed_is_held_against_what_is_made_again(held, refused, old, new, told):
    path = held / "held" / "coarse" / "manifest.json"
    altered = read_manifest(path.read_text().replace(old, new))
    path.write_text(altered.sealed(Secret.read(held / "study.key")).to_json())
    (reason,) = refused()
    assert told in reason


def test_nobody_can_try_out_what_was_read_against_the_checksums_that_go_out(held):
    import hashlib

    sign()
    out = b"".join(everything(held / "signed").values()).decode()
    for name in ("people.csv", "plan.toml"):
        assert hashlib.sha256((held / name).read_bytes()).hexdigest() not in out
    assert stat.S_IMODE((held / "study.key").stat().st_mode) == 0o600
    assert Secret.read(held / "study.key").fingerprint not in out


def test_without_the_key_of_the_study_nothing_is_signed_and_none_is_made(held, refused):
    (held / "study.key").unlink()
    (reason,) = refused()
    assert reason.startswith("the key of the study is gone (study.key)")
    assert not (held / "study.key").exists()


def test_all_reasons_are_told_together(held, refused):
    (held / "held" / "as-it-is" / "more.txt").write_text("x")
    (held / "held" / "as-it-is" / "more.txt").chmod(0o644)
    reasons = refused(release="as it is", by=" ")
    assert [r.split()[0] for r in reasons] == ["nobody", "'more.txt'", "others", "expected"]


def test_one_digit_changed_is_told(held, refused):
    path = held / "held" / "coarse" / "coarse.csv"
    text = path.read_text()
    at = max(i for i, c in enumerate(text) if c.isdigit())
    path.write_text(text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1 :])
    before = everything(held)
    reasons = refused()
    assert reasons[0] == "'coarse.csv' is not as it was written: somebody altered it; make the release anew"
    assert reasons[1] == f"'coarse.csv' {NOT_SAME}: line 121 differs"
    assert everything(held) == before


@pytest.mark.parametrize("change", ["rows", "row", "end"])
def test_a_file_that_fits_its_manifest_is_held_against_what_the_plan_makes(held, refused, change):
    import hashlib

    path, manifest = (held / "held" / "coarse" / n for n in ("coarse.csv", "manifest.json"))
    head, *rows = path.read_text().splitlines(keepends=True)
    k = next(i for i in range(119) if rows[i] != rows[i + 1])
    if change == "rows":
        rows[k], rows[k + 1] = rows[k + 1], rows[k]
    elif change == "row":
        rows.pop()
    else:
        rows[-1] = rows[-1].rstrip("\n")
    old = hashlib.sha256(path.read_bytes()).hexdigest()
    path.write_text(head + "".join(rows))
    manifest.write_text(manifest.read_text().replace(old, hashlib.sha256(path.read_bytes()).hexdigest()))
    sealed, reason = refused()
    assert ALTERED in sealed
    assert reason.startswith(f"'coarse.csv' {NOT_SAME}")
    assert reason.endswith({"rows": f"line {k + 2} differs", "row": "after line 120", "end": "line 121 differs"}[change])


def test_an_added_a_removed_and_a_linked_file_are_told(held, refused):
    folder = held / "held" / "coarse"
    (folder / "extra.csv").write_text("x")
    (folder / "extra.csv").chmod(0o600)
    assert refused() == ["'extra.csv' in 'held/coarse' was not written there by confide; remove it"]
    (folder / "extra.csv").unlink()
    (folder / "coarse.csv").rename(held / "elsewhere.csv")
    assert "'coarse.csv' is gone from 'held/coarse'; make the release anew" in refused()
    (folder / "coarse.csv").symlink_to(held / "elsewhere.csv")
    assert "'coarse.csv' in 'held/coarse' is no plain file; remove it, or make the release anew" in refused()


@pytest.mark.parametrize("where", ["held", "held/coarse"])
def test_a_linked_folder_is_not_signed(held, refused, where):
    (held / where).rename(held / "elsewhere")
    (held / where).symlink_to(held / "elsewhere")
    (reason,) = refused()
    assert reason == f"{where!r} is a link; what is signed must lie in the study itself"


@pytest.mark.parametrize("name", ["held", "held/coarse", "held/coarse/coarse.csv", "held/coarse/manifest.json"])
def test_what_others_can_get_at_is_not_signed(held, refused, name):
    (held / name).chmod(0o750)
    (reason,) = refused()
    assert reason == "others can read or alter what lies in 'held'; take their rights away: chmod -R go= held"


def test_signed_files_do_not_go_where_others_can_alter_them(held, refused):
    (held / "signed").mkdir(mode=0o777)
    (held / "signed").chmod(0o777)
    (reason,) = refused()
    assert reason == "others can read or alter what lies in 'signed'; take their rights away: chmod -R go= signed"
    (held / "signed").rmdir()
    (held / "elsewhere").mkdir()
    (held / "signed").symlink_to(held / "elsewhere")
    assert "is a link; what is signed must lie in the study itself" in refused()[0]


def test_what_is_marked_otherwise_is_not_signed(held, refused, monkeypatch):
    monkeypatch.setattr(again, "marks", lambda _: ("numbers are written with all their digits",))
    assert refused() == ["numbers are written with all their digits"]


def test_a_secret_that_cannot_be_destroyed_is_told_beside_the_signature(held, capsys, monkeypatch):
    def fail(*_):
        raise ReleaseError("no")

    monkeypatch.setattr(sign_module, "destroy", fail)
    assert sign("--destroy-secret", "--yes", "--giving-up", "as it is") == 2
    printed = capsys.readouterr()
    assert printed.out.startswith("signed: 'Coarse'")
    assert "signed, but the secret is still there: no" in printed.err


def test_a_folder_that_cannot_be_moved_is_still_held(held, capsys, monkeypatch):
    def fail(*_):
        raise OSError(18, "Invalid cross-device link")

    monkeypatch.setattr(sign_module.Path, "rename", fail)
    assert sign() == 2
    assert "cannot be moved" in capsys.readouterr().err
    assert (held / "held" / "coarse" / "coarse.csv").exists()
    assert not list((held / "signed").iterdir())


@pytest.mark.parametrize("name", ["plan.toml", "people.csv"])
def test_a_plan_or_source_that_changed_is_told(held, refused, name):
    with (held / name).open("a") as file:
        file.write("# more\n" if name == "plan.toml" else "f,w,30,1\n")
    (reason,) = refused()
    what = "the plan 'plan.toml'" if name == "plan.toml" else "'people.csv', which the plan reads,"
    assert reason == f"{what} has changed since; run it again, and sign what it makes then"


def test_a_secret_that_is_gone_or_another_is_told_and_none_is_made(held, refused):
    mine = Secret.read(held / "plan.secret").fingerprint
    (held / "plan.secret").unlink()
    (reason,) = refused()
    assert reason.startswith(f"the secret {mine} is gone")
    assert not (held / "plan.secret").exists()
    other = Secret.fresh()
    other.write(held / "plan.secret")
    assert refused() == [f"it was made with the secret {mine}, that of the plan is {other.fingerprint}; make it anew"]


def test_the_order_of_the_source_must_be_asked_for(study, refused, capsys):
    (study / "masked.csv").write_text(PEOPLE)
    (study / "plan.toml").write_text(THEIRS.replace("= 10", "= 1000"))
    assert main(["assess", "plan.toml", "--quiet"]) == 0
    (reason,) = refused(release="theirs")
    assert reason.startswith("records are in the order of the source file, which tells whose they are; leave it to chance")
    assert sign("--keep-order", release="theirs") == 0
    out = capsys.readouterr().out
    assert "someone else made the file: there is nothing to make again" in out
    assert "records are in the order of the source file" in out
    assert (study / "signed" / "2026-12-01-theirs" / "masked.csv").read_text() == PEOPLE


def test_a_name_is_signed_once_and_a_higher_edition_follows(held, refused):
    assert sign() == 0
    words = "was signed before, on 2026-12-01 by Ada; give the release another name, or edition = 2, and make it anew"
    assert refused() == [f"'Coarse' {words}"]
    for name in ("COARSE", "Cöarse", " coarse!"):
        (held / "plan.toml").write_text(PLAN.replace("Coarse", name))
        shutil.rmtree(held / "held")
        assert main(["assess", "plan.toml", "--quiet"]) == 3
        (reason,) = refused(release=name)
        assert reason == f"{name!r} " + words.replace("before,", "before as 'Coarse',")
    (held / "plan.toml").write_text(PLAN.replace('"Coarse"', '"Coarse"\nedition = 2'))
    assert main(["assess", "plan.toml", "--quiet"]) == 3
    assert sign() == 0
    assert (held / "signed" / "2026-12-01-coarse-edition-2").is_dir()


def again_signed_elsewhere(study):
    with (study / "people.csv").open("a") as file:
        file.write("f,w,30,1\n")
    main(["assess", "plan.toml", "--quiet"])


def test_a_name_is_not_free_when_its_folder_is_handed_over(held, refused):
    assert sign() == 0
    shutil.move(held / "signed" / "2026-12-01-coarse", held / "elsewhere")
    again_signed_elsewhere(held)
    (held / "plan.secret.signed").unlink()
    assert refused()[0].startswith("'Coarse' was signed before, on 2026-12-01 by Ada")


def test_a_name_is_not_free_in_another_study_of_the_same_secret(held, refused):
    assert sign() == 0
    (held / "plan.toml").write_text(PLAN.replace('released = "."', 'released = "corrected"'))
    again_signed_elsewhere(held)
    (reason,) = refused()
    assert reason.startswith("'Coarse' was signed before, on 2026-12-01 by Ada")
    assert not (held / "corrected" / "signed").exists()
    assert stat.S_IMODE((held / "plan.secret.signed").stat().st_mode) == 0o600


def test_a_name_is_not_free_when_the_log_is_emptied(held, refused):
    assert sign() == 0
    shutil.rmtree(held / "signed")
    (held / "log.jsonl").write_text("")
    again_signed_elsewhere(held)
    assert refused()[0].startswith("'Coarse' was signed before")


@pytest.mark.parametrize("change", ["alter", "cut", "first"])
def test_what_is_kept_beside_the_secret_cannot_be_altered_or_cut_unseen(held, refused, change):
    assert sign() == 0
    (held / "plan.toml").write_text(PLAN.replace('"Coarse"', '"Coarse"\nedition = 2'))
    main(["assess", "plan.toml", "--quiet"])
    assert sign() == 0
    (held / "plan.toml").write_text(PLAN.replace('"Coarse"', '"Coarse"\nedition = 3'))
    main(["assess", "plan.toml", "--quiet"])
    path = held / "plan.secret.signed"
    one, two = path.read_text().splitlines(keepends=True)
    path.write_text({"alter": one.replace("Coarse", "Other") + two, "cut": one, "first": two}[change])
    (reason,) = refused()
    assert reason.startswith("'plan.secret.signed' ")
    assert ("holds 1 signature(s) of this secret, where there were 2" in reason) == (change == "cut")


@pytest.mark.parametrize("name", ["log.jsonl", "plan.secret.signed"])
def test_a_pipe_does_not_hang_signing(held, refused, name):
    os.mkfifo(held / name)
    reasons = refused()
    assert any(name in reason for reason in reasons)


def test_an_assessment_says_that_a_draft_cannot_be_signed(held, capsys):
    sign()
    capsys.readouterr()
    main(["assess", "plan.toml", "--quiet"])
    assert "this draft cannot be signed: 'Coarse' was signed before" in capsys.readouterr().err


def test_unknown_names_and_days_are_mistakes(held, refused):
    (reason,) = refused(release="coars", code=2)
    assert "there is no held release 'coars'; did you mean 'Coarse'?" in reason
    (reason,) = refused("--on", "yesterday", code=2)
    assert "--on is a day such as 2026-12-31, found 'yesterday'" in reason


def test_a_limit_that_choose_was_given_is_judged_at_signing(study, refused):
    more = (
        '[[utility]]\nutility = "Hellinger"\nvariables = ["race"]\n[map]\nrelease = "Coarse"\nrisk = "expected_matches"\n'
        'verify = 2\n[[map.vary]]\nname = "rate"\nmethod = 2\nargument = "rate"\nvalues = [0.4, 0.5]\n'
    )
    (study / "plan.toml").write_text(PLAN + more)
    assert main(["choose", "plan.toml", "--out", ".", "--quiet", "--max-risk", "0.2"]) == 0
    (folder,) = (study / "held").iterdir()
    path = folder / "manifest.json"
    text = path.read_text()
    tighter = read_manifest(text.replace('"limit": 0.2', '"limit": 1e-9')).sealed(Secret.read(study / "study.key"))
    path.write_text(tighter.to_json())
    (reason,) = refused(release=folder.name)
    assert "at most 1e-09 is allowed" in reason
    path.write_text(text)
    assert sign(release=folder.name) == 0
    found = json.loads((study / "signed" / f"2026-12-01-{folder.name}" / "signature.json").read_text())
    assert [(v["what"], v["limit"]) for v in found["verdict"]] == [
        ("expected matches", 10), ("Expected matches per target", 0.2)
    ]  # fmt: skip


def test_a_column_that_numbers_the_persons_is_not_signed(study, refused):
    head, *rows = PEOPLE.splitlines()
    text = f"lfdnr,{head}\n" + "".join(f"{i},{row}\n" for i, row in enumerate(rows, 1))
    (study / "people.csv").write_text(text)
    main(["assess", "plan.toml", "--quiet"])
    (reason,) = refused()
    assert reason.startswith("no value of 'lfdnr' stands twice, and no step masks it")
    (study / "plan.toml").write_text(PLAN.replace('["income"]', '["income", "lfdnr"]'))
    main(["assess", "plan.toml", "--quiet"])
    assert sign() == 0


def test_a_held_file_with_a_second_name_is_not_signed(held, refused):
    os.link(held / "held" / "coarse" / "coarse.csv", held / "elsewhere.csv")
    (reason,) = refused()
    assert "'coarse.csv' in 'held/coarse' has another name elsewhere (a hard link)" in reason


def verified(capsys):
    capsys.readouterr()
    code = main(["verify", "."])
    return code, capsys.readouterr().err


def test_what_was_signed_is_verified(held, capsys):
    assert verified(capsys)[0] == 2
    assert sign() == 0
    assert verified(capsys) == (0, "")
    folder = held / "signed" / "2026-12-01-coarse"
    for name in ("coarse.csv", "manifest.json", "signature.json"):
        before = (folder / name).read_text()
        (folder / name).write_text(before.replace("2", "3", 1))
        assert verified(capsys)[0] == 3, name
        (folder / name).write_text(before)
    os.link(folder / "coarse.csv", held / "elsewhere.csv")
    code, said = verified(capsys)
    assert (code, "hard link" in said) == (3, True)
    (held / "elsewhere.csv").unlink()
    assert verified(capsys) == (0, "")
    folder.rename(held / "handed")
    code, said = verified(capsys)
    assert (code, "was signed, and is not in 'signed' any more" in said) == (3, True)


def test_a_chosen_release_is_made_again_from_its_settings(study, refused):
    pytest.importorskip("matplotlib")
    more = (
        '[[utility]]\nutility = "Hellinger"\nvariables = ["race"]\n[map]\nrelease = "Coarse"\nRISK\nverify = 2\n'
        '[[map.vary]]\nname = "rate"\nmethod = 2\nargument = "rate"\nvalues = [0.4, 0.5]\n'
    )
    (study / "plan.toml").write_text(PLAN + more.replace("RISK", 'risk = "expected_matches"\nmax_risk = 0.2'))
    assert main(["choose", "plan.toml", "--out", ".", "--quiet"]) == 0
    (folder,) = (study / "held").iterdir()
    assert sign(release=folder.name) == 0
    found = json.loads((study / "signed" / f"2026-12-01-{folder.name}" / "signature.json").read_text())
    assert [v["what"] for v in found["verdict"]] == ["expected matches", "Expected matches per target"]
    assert main(["choose", "plan.toml", "--out", ".", "--quiet"]) == 0
    plan, draft = load_plan(study / "plan.toml"), Study(study).draft(folder.name)
    released, _ = again._release_again(plan, draft)
    lines, faults = again._judged(replace(plan, map=replace(plan.map, max_risk=0.0)), draft, released, lambda *_: None)
    assert [v.kept for v in lines] == [True, False, True]  # the limit of the plan now, and that it was chosen under
    assert "at most 0 is allowed (intruder 'neighbour', limit of the map)" in faults[0]


TABLES = """
[data]
path = "firms.csv"
[[tables.rule]]
rule = "MinimumFrequency"
n = 3
[[table]]
name = "turnover"
by = ["area", "trade"]
value = "turnover"
published = ["t.csv", "t.json"]
page = "t.html"
internal = "t-internal.csv"
"""


@pytest.fixture
def tables(study):
    cf.write(firms(120), study / "firms.csv")
    (study / "plan.toml").write_text(TABLES)
    return study


def test_a_table_is_signed_when_its_audit_is_clean(tables, capsys):
    assert main(["table", "plan.toml", "--quiet"]) == 0
    assert sign(release="turnover") == 0
    assert "exposed cells 0, limit 0: kept" in capsys.readouterr().out
    names = sorted(p.name for p in (tables / "signed" / "2026-12-01-turnover").iterdir())
    assert names == ["manifest.json", "signature.json", "t.csv", "t.html", "t.json"]
    assert (tables / "t-internal.csv").exists()


def test_an_exposed_or_unjudged_table_is_not_signed(tables, refused, monkeypatch):
    (tables / "plan.toml").write_text(TABLES + '[tables.method]\nmethod = "PrimaryOnly"\n')
    assert main(["table", "plan.toml", "--quiet"]) == 3
    (reason,) = refused(release="turnover")
    assert "sensitive cell(s) are exposed" in reason
    (tables / "plan.toml").write_text(TABLES + '[tables.method]\nmethod = "ControlledRounding"\nbase = 5\njudge = false\n')
    assert main(["table", "plan.toml", "--quiet"]) == 0
    (reason,) = refused(release="turnover")
    assert reason.startswith("what can be deduced from it was not judged")


def test_cell_keys_from_a_seed_are_not_signed(tables, refused, capsys):
    (tables / "plan.toml").write_text(TABLES + "[tables.method]\nmethod = 'CellKeys'\nshare = 0.3\nspread = 0.6\n")
    main(["table", "plan.toml", "--quiet", "--seed", "5"])
    assert any(r.startswith("made with a seed that anyone can guess") for r in refused(release="turnover"))
    main(["table", "plan.toml", "--quiet"])
    found = json.loads((tables / "held" / "turnover" / "manifest.json").read_text())
    assert found["made_with"] == Secret.read(tables / "plan.secret").fingerprint
    capsys.readouterr()
    code, said = sign(release="turnover"), capsys.readouterr().err
    # whether a cell is exposed hangs on the secret, which is a fresh one
    assert said == "" if code == 0 else all("sensitive cell(s) are exposed" in line for line in said.splitlines())


def test_an_altered_table_is_told(tables, refused):
    main(["table", "plan.toml", "--quiet"])
    path = tables / "held" / "turnover" / "t.html"
    path.write_text(path.read_text() + "<!-- -->")
    assert [r.split()[0] for r in refused(release="turnover")] == ["'t.html'", "'t.html'"]


def test_a_table_in_a_study_elsewhere(tables):
    assert main(["table", "plan.toml", "--out", "other", "--quiet"]) == 0
    assert sign("--study", "other", release="turnover") == 0
    assert (tables / "other" / "signed" / "2026-12-01-turnover" / "t.csv").exists()


def test_a_link_is_for_its_owner_and_stays_inside(held, refused, capsys):
    (reason,) = refused("--link", "signed/link-confidential.csv", code=2)
    assert "links stay inside" in reason
    (reason,) = refused("--link", "link.csv", code=2)
    assert "tells whose each row is; name it so, such as link-confidential.csv" in reason
    (reason,) = refused("--link", "people.csv", code=2)
    assert sign("--link", "link-confidential.csv") == 0
    assert "which is confidential" in capsys.readouterr().err
    link = held / "link-confidential.csv"
    assert stat.S_IMODE(link.stat().st_mode) == 0o600
    assert len(link.read_text().splitlines()) == 121


def test_the_secret_is_destroyed_when_asked_and_confirmed(held, refused, capsys):
    (reason,) = refused("--destroy-secret", code=2)
    assert "say --yes as well" in reason
    for word in ("undo its masking", "backups", "SSDs"):
        assert word in reason
    (reason,) = refused("--destroy-secret", "--yes")
    words = "sign them first, or say that they may never be signed: --giving-up 'as it is'"
    assert reason == f"'as it is' hang on the same secret and are held: {words}"
    secret = Secret.read(held / "plan.secret")
    link = held / "second-name"
    os.link(held / "plan.secret", link)
    assert "is a link, so that the secret has another name, too" in refused("--destroy-secret", "--yes")[-1]
    link.unlink()
    assert sign("--destroy-secret", "--yes", "--giving-up", "As it is") == 0
    assert "destroyed plan.secret" in capsys.readouterr().err
    assert not (held / "plan.secret").exists()
    assert not any(secret.key.hex().encode() in text for text in everything(held).values())
    assert secret.fingerprint in (held / "log.jsonl").read_text()
    assert "is gone" in refused(release="as it is")[0]


def test_no_new_secret_takes_the_place_of_a_destroyed_one_unasked(held, capsys):
    assert sign("--destroy-secret", "--yes", "--giving-up", "as it is") == 0
    what = [json.loads(line)["what"] for line in (held / "log.jsonl").read_text().splitlines()]
    assert what == ["signed", "secret to be destroyed", "secret destroyed"]
    capsys.readouterr()
    assert main(["assess", "plan.toml", "--quiet"]) == 2
    assert "was destroyed, and a new one would make other noise than what is out" in capsys.readouterr().err
    assert not (held / "plan.secret").exists()
    (held / "plan.secret.destroyed").unlink()
    assert main(["assess", "plan.toml", "--quiet"]) == 3


def test_that_the_secret_is_to_be_destroyed_is_written_before(held, monkeypatch):
    def die(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(sign_module, "destroy", die)
    assert sign("--destroy-secret", "--yes", "--giving-up", "as it is") == 130
    last = json.loads((held / "log.jsonl").read_text().splitlines()[-1])
    assert last["what"] == "secret to be destroyed"


def test_what_stood_in_the_secret_is_overwritten_before_it_is_removed(tmp_path, monkeypatch):
    from confide.kit import secret as secret_module

    mine, path = Secret.fresh(), tmp_path / "plan.secret"
    mine.write(path)
    monkeypatch.setattr(secret_module.Path, "unlink", lambda *_: None)
    secret_module.destroy(path, mine.fingerprint)
    assert mine.key.hex().encode() not in path.read_bytes()
    assert len(path.read_bytes()) == 82


def test_another_secret_is_not_destroyed(tmp_path):
    from confide.errors import ReleaseError
    from confide.kit.secret import destroy

    Secret.fresh().write(tmp_path / "plan.secret")
    before = (tmp_path / "plan.secret").read_bytes()
    with pytest.raises(ReleaseError, match="holds another secret"):
        destroy(tmp_path / "plan.secret", Secret.fresh().fingerprint)
    assert (tmp_path / "plan.secret").read_bytes() == before


def test_the_secret_of_what_was_signed_is_destroyed_later(held, refused):
    shutil.rmtree(held / "held" / "as-it-is")
    assert sign() == 0
    assert sign("--destroy-secret", "--yes") == 0
    assert not (held / "plan.secret").exists()
    assert "there is no secret at" in refused("--destroy-secret", "--yes")[0]


def test_the_log_tells_every_signature_and_a_changed_line_is_found(held, refused):
    assert sign() == 0
    (line,) = (held / "log.jsonl").read_text().splitlines()
    assert json.loads(line)["before"] == "0" * 64
    assert json.loads(line)["by"] == "Ada"
    (held / "plan.toml").write_text(PLAN.replace('"Coarse"', '"Coarse"\nedition = 2'))
    main(["assess", "plan.toml", "--quiet"])
    assert sign() == 0
    lines = (held / "log.jsonl").read_text().splitlines()
    assert len(lines) == 2
    (held / "log.jsonl").write_text(lines[0].replace("Ada", "Eve") + f"\n{lines[1]}\n")
    (held / "plan.toml").write_text(PLAN.replace('"Coarse"', '"Coarse"\nedition = 3'))
    main(["assess", "plan.toml", "--quiet"])
    (reason,) = refused()
    assert reason == "'log.jsonl' is not as confide wrote it; keep it elsewhere, and a new one begins"
    (held / "log.jsonl").unlink()
    assert sign() == 0
    assert len((held / "log.jsonl").read_text().splitlines()) == 3


STEPS = ["write_text_whole", "make_folder", "rename", "note_signed"]
KILL = """
import os, signal, sys
from pathlib import Path
from confide.cli.main import main
from confide.study import sign
step, when = sys.argv[1:]
def dying(function):
    def run(*args, **more):
        if when == "after":
            function(*args, **more)
        os.kill(os.getpid(), signal.SIGKILL)
    return run
if step == "rename":
    Path.rename = dying(Path.rename)
else:
    setattr(sign, step, dying(getattr(sign, step)))
main(["sign", "plan.toml", "coarse", "--by", "Ada", "--on", "2026-12-01"])
"""


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", STEPS)
def test_a_kill_between_steps_leaves_it_held_or_signed(held, capsys, step, when):
    done = subprocess.run([sys.executable, "-c", KILL, step, when], capture_output=True, check=False)
    assert done.returncode == -9
    is_held, is_signed = ((held / n).is_dir() for n in ("held/coarse", "signed/2026-12-01-coarse"))
    assert is_held != is_signed
    assert is_signed == (STEPS.index(step) + (when == "after") > STEPS.index("rename"))
    where = held / ("held/coarse" if is_held else "signed/2026-12-01-coarse")
    assert {"coarse.csv", "manifest.json"} <= {p.name for p in where.iterdir()}
    if is_signed:
        assert json.loads((where / "signature.json").read_text())["by"] == "Ada"
    assert sign() == (0 if is_held else 3)
    # the next act writes the line of a signature that has none
    (held / "plan.toml").write_text(PLAN.replace('"Coarse"', '"Coarse"\nedition = 2'))
    main(["assess", "plan.toml", "--quiet"])
    assert sign() == 0
    lines = [json.loads(x) for x in (held / "log.jsonl").read_text().splitlines()]
    assert [(x["release"], x["edition"]) for x in lines] == [("Coarse", 1), ("Coarse", 2)]
    assert not list(held.rglob(".confide-*"))


def test_of_two_who_sign_at_once_one_wins(held):
    command = [sys.executable, "-m", "confide", "sign", "plan.toml", "coarse", "--on", "2026-12-01", "--by"]
    both = [subprocess.Popen([*command, who], stdout=subprocess.PIPE, stderr=subprocess.PIPE) for who in ("Ada", "Eve")]
    said = [p.communicate() for p in both]
    assert sorted(p.returncode for p in both) == [0, 3], said
    loser = next(err.decode() for p, (_, err) in zip(both, said, strict=True) if p.returncode == 3)
    assert "meanwhile" in loser or "was signed before" in loser
    assert len(list((held / "signed").iterdir())) == 1
    assert len((held / "log.jsonl").read_text().splitlines()) == 1


def test_what_changes_while_it_is_looked_at_is_not_signed(held, monkeypatch, refused):
    made = sign_module.made_again

    def and_alter(*args, **more):
        found = made(*args, **more)
        with (held / "held" / "coarse" / "coarse.csv").open("a") as file:
            file.write("x")
        return found

    monkeypatch.setattr(sign_module, "made_again", and_alter)
    (reason,) = refused()
    assert "is not as it was written" in reason

    def and_remove(*args, **more):
        found = made(*args, **more)
        shutil.rmtree(held / "held" / "coarse")
        return found

    main(["assess", "plan.toml", "--quiet"])
    monkeypatch.setattr(sign_module, "made_again", and_remove)
    assert refused() == [sign_module.MEANWHILE]


def test_signing_needs_no_readable_manifest_of_others(held):
    (held / "held" / "as-it-is" / "manifest.json").write_text("{broken")
    assert sign() == 0
