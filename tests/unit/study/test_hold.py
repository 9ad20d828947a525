"""What is written is held: a folder with its manifest, whole or not at all, for its owner alone."""

import hashlib
import hmac
import json
import os
import stat
import subprocess
import sys

import pytest

import confide as cf
from confide.cli.demo import demo_plan
from confide.cli.main import main
from confide.errors import DataError
from confide.kit import folders
from confide.kit.folders import scratch_folder, whole_folder
from confide.kit.ledger import forget
from confide.kit.pieces import _host
from confide.kit.secret import Secret
from confide.plan.load import load_plan
from unit.study.conftest import PEOPLE, PLAN, THEIRS, everything


def sha(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def keyed(folder, name):
    """The documented digest, built anew: HMAC-SHA256 with the key of the study, each part with its length before it."""
    parts = (b"confide", b"digest", b"file", sha(folder / name).encode())
    told = b"".join(len(x).to_bytes(8, "big") + x for x in parts)
    return hmac.new(Secret.read(folder / "study.key").key, told, hashlib.sha256).hexdigest()


def manifest(folder, name="coarse"):
    return json.loads((folder / "held" / name / "manifest.json").read_text())


def test_a_manifest_says_what_is_held_and_how_it_was_made(held):
    found = manifest(held)
    assert found["format"] == 1
    assert (found["kind"], found["release"], found["edition"]) == ("release", "Coarse", 1)
    assert found["made_with"] == Secret.read(held / "plan.secret").fingerprint
    assert found["files"] == {"coarse.csv": sha(held / "held/coarse/coarse.csv")}
    assert found["plan"] == {"plan.toml": keyed(held, "plan.toml")}
    assert found["read"] == {"people.csv": keyed(held, "people.csv")}
    assert found["methods"] == ["recode age in intervals of width 20", "swap race for 0.5 of the records"]
    assert found["confide"] == cf.__version__
    (one,) = found["verdict"]
    assert (one["what"], one["whom"], one["limit"], one["kept"]) == ("expected matches", "neighbour", 10, True)
    (other,) = manifest(held, "as-it-is")["verdict"]
    assert (other["figure"], other["kept"]) == (120, False)


def test_a_manifest_tells_no_harm_which_may_be_an_amount(study):
    more = '[[harm]]\nname = "h"\nattribute = "income"\ncosts = { cost = "Close", within = 0.1, loss = 77777.7 }\n'
    text = PLAN.replace("[limits]", "[limits]\nmax_harm = { h = 1e12 }") + more
    (study / "plan.toml").write_text(text)
    main(["assess", "plan.toml", "--quiet"])
    (harm,) = (v for v in manifest(study)["verdict"] if v["what"].startswith("harm"))
    assert (harm["figure"], harm["kept"]) == (None, True)


def test_what_is_held_is_for_its_owner_alone(held):
    paths = [held / "held", *(held / "held").rglob("*")]
    assert {stat.S_IMODE(p.stat().st_mode) for p in paths if p.is_dir()} == {0o700}
    assert {stat.S_IMODE(p.stat().st_mode) for p in paths if p.is_file()} == {0o600}


def test_a_seed_marks_what_is_held(study):
    assert main(["assess", "plan.toml", "--quiet", "--seed", "7"]) == 3
    assert manifest(study)["made_with"] == "reproducible: not for publication"


def test_what_a_demo_would_hold_is_marked(study):
    text = demo_plan().replace("[output]", '[output]\nreleased = "."').replace('json = "assessment.json"', "")
    text = text[: text.index("[report]")] + text[text.index("[output]") :]
    (study / "plan.toml").write_text(text)
    cf.write(cf.examples.cps().take(range(300)), study / "cps.csv")
    assert main(["assess", "plan.toml", "--quiet"]) == 0
    assert len(list((study / "held").iterdir())) == 6
    marks = {manifest(study, p.name)["made_with"] for p in (study / "held").iterdir()}
    assert marks == {"reproducible: not for publication"}


def test_a_draft_is_replaced_as_a_whole(held):
    before = manifest(held)
    (held / "plan.toml").write_text(PLAN.replace("rate = 0.5", "rate = 0.6"))
    assert main(["assess", "plan.toml", "--quiet"]) == 3
    assert sorted(p.name for p in (held / "held" / "coarse").iterdir()) == ["coarse.csv", "manifest.json"]
    assert manifest(held)["files"] != before["files"]
    assert sorted(p.name for p in (held / "held").iterdir()) == ["as-it-is", "coarse"]


def test_nothing_that_confide_did_not_write_is_removed_with_a_draft(held, capsys):
    (held / "held" / "coarse" / "notes.txt").write_text("mine")
    before = everything(held)
    assert main(["assess", "plan.toml", "--quiet"]) == 2
    assert "'held/coarse/notes.txt' was not written there by confide, and is not removed" in capsys.readouterr().err
    assert everything(held) == before


def test_a_folder_of_someone_else_is_not_replaced(study, capsys):
    (study / "held" / "coarse").mkdir(parents=True)
    (study / "held" / "coarse" / "thesis.txt").write_text("mine")
    before = everything(study)
    assert main(["assess", "plan.toml", "--quiet"]) == 2
    assert "'held/coarse' is no draft that confide wrote, and is not replaced" in capsys.readouterr().err
    assert {k: v for k, v in everything(study).items() if k != "plan.secret"} == before


def test_a_draft_of_another_name_in_the_same_folder_is_not_replaced(held, capsys):
    (held / "plan.toml").write_text(PLAN.replace('"as it is"', '"as-it is, 2"').replace("Coarse", "As it is 2"))
    assert main(["assess", "plan.toml", "--quiet"]) == 3  # two names with one folder: the second is numbered
    assert [manifest(held, n)["release"] for n in ("as-it-is-2", "as-it-is-2-2")] == ["as-it is, 2", "As it is 2"]
    (held / "plan.toml").write_text(PLAN.replace('name = "as it is"', 'name = "as it is ²"').replace("Coarse", "As it is"))
    capsys.readouterr()
    (held / "held" / "as-it-is").rename(held / "held" / "kept")
    (held / "held" / "coarse").rename(held / "held" / "as-it-is")
    assert main(["assess", "plan.toml", "--quiet"]) == 2
    assert "holds the draft of another release, 'Coarse'; move it away" in capsys.readouterr().err


def test_a_draft_that_the_plan_reads_is_not_replaced(held):
    (held / "other.toml").write_text(PLAN.replace('"people.csv"', '"held/coarse/coarse.csv"'))
    before = everything(held)
    assert main(["assess", "other.toml", "--quiet"]) == 2
    assert everything(held) == before


@pytest.mark.parametrize("where", ["held", "held/coarse"])
def test_what_is_held_does_not_follow_links(study, tmp_path_factory, capsys, where):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (study / where).parent.mkdir(exist_ok=True)
    (study / where).symlink_to(elsewhere)
    assert main(["assess", "plan.toml", "--quiet"]) == 2
    assert "is a link; what is held must lie in the study itself" in capsys.readouterr().err
    assert list(elsewhere.iterdir()) == []


def test_the_file_of_someone_else_is_held_as_it_is(study):
    (study / "masked.csv").write_text(PEOPLE)
    (study / "plan.toml").write_text(THEIRS)
    main(["assess", "plan.toml", "--quiet"])
    assert (study / "held" / "theirs" / "masked.csv").read_bytes() == (study / "masked.csv").read_bytes()
    assert manifest(study, "theirs")["kind"] == "release of someone else"
    assert manifest(study, "theirs")["made_with"] == "made by someone else"


def test_the_column_that_tells_whose_records_are_is_not_held(study):
    head, *rows = PEOPLE.splitlines()
    (study / "masked.csv").write_text("\n".join([f"{head},who", *(f"{r},{i}" for i, r in enumerate(rows))]) + "\n")
    (study / "plan.toml").write_text(THEIRS.replace("same_order = true", 'parent = "who"'))
    main(["assess", "plan.toml", "--quiet"])
    assert (study / "held" / "theirs" / "theirs.csv").read_text() == PEOPLE


def test_links_stay_inside(study, capsys):
    (study / "plan.toml").write_text(PLAN.replace("[limits]", 'links = "inside"\n[limits]'))
    assert main(["assess", "plan.toml", "--quiet"]) == 3
    link = study / "inside" / "coarse-links-confidential.csv"
    assert stat.S_IMODE(link.stat().st_mode) == 0o600
    source = (study / "people.csv").read_text().splitlines()[1:]
    released = (study / "held" / "coarse" / "coarse.csv").read_text().splitlines()[1:]
    pairs = [tuple(map(int, x.split(","))) for x in link.read_text().splitlines()[1:]]
    assert all(released[i].split(",")[-1] == source[j].split(",")[-1] for i, j in pairs)
    assert [j for _, j in pairs] != sorted(j for _, j in pairs)
    for folder in ("held", "signed/x", "Held/x", "./held/coarse"):
        (study / "plan.toml").write_text(PLAN.replace("[limits]", f'links = "{folder}"\n[limits]'))
        assert main(["assess", "plan.toml", "--quiet"]) == 2
        assert "output.links: links stay inside" in capsys.readouterr().err


def test_editions_share_no_noise_and_no_folder(held):
    text = PLAN.replace('name = "Coarse"', 'name = "Coarse"\nedition = 2')
    (held / "plan.toml").write_text(text)
    assert main(["assess", "plan.toml", "--quiet"]) == 3
    first, second = (held / "held" / n / f"{n}.csv" for n in ("coarse", "coarse-edition-2"))
    assert first.read_bytes() != second.read_bytes()
    secret = Secret.read(held / "plan.secret")
    data = cf.read(held / "people.csv")
    release = load_plan(held / "plan.toml").releases[1]
    cf.write(release.apply(data, secret=secret, edition=2).data, held / "again.csv")
    assert (held / "again.csv").read_bytes() == second.read_bytes()


KILL = """
import os, signal, sys
from pathlib import Path
from confide.cli.main import main
rename, left = Path.rename, [int(sys.argv[1])]
def dying(self, target):
    left[0] -= 1
    if left[0] == 0 and sys.argv[2] == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    done = rename(self, target)
    if left[0] == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return done
Path.rename = dying
main(["assess", "plan.toml", "--quiet"])
"""


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", [1, 2, 3, 4])
def test_a_kill_while_drafts_are_replaced_leaves_whole_ones_or_none(held, step, when):
    (held / "plan.toml").write_text(PLAN.replace("rate = 0.5", "rate = 0.6"))
    done = subprocess.run([sys.executable, "-c", KILL, str(step), when], capture_output=True, check=False)
    assert done.returncode == -9
    for folder in (p for p in (held / "held").iterdir() if not p.name.startswith(".")):
        assert manifest(held, folder.name)["files"] == {f"{folder.name}.csv": sha(folder / f"{folder.name}.csv")}
    assert main(["assess", "plan.toml", "--quiet"]) == 3
    assert sorted(p.name for p in (held / "held").iterdir()) == ["as-it-is", "coarse"]
    assert main(["sign", "plan.toml", "coarse", "--by", "Ada"]) == 0


def half(folder, error):
    with whole_folder(folder) as new:
        (new / "half").write_text("half")
        raise error


def test_a_folder_that_fails_leaves_the_old_one_and_nothing_else(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "old").write_text("old")
    for error in (KeyboardInterrupt, RuntimeError):
        with pytest.raises(error):
            half(tmp_path / "a", error)
    assert everything(tmp_path) == {"a/old": b"old"}


def test_a_folder_that_cannot_take_its_place_gives_the_old_one_back(tmp_path, monkeypatch):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "old").write_text("old")
    rename, calls = folders.Path.rename, []

    def failing(self, target):
        calls.append(target)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        return rename(self, target)

    monkeypatch.setattr(folders.Path, "rename", failing)
    with pytest.raises(DataError, match="No space left"), whole_folder(tmp_path / "a") as new:
        (new / "new").write_text("new")
    assert everything(tmp_path) == {"a/old": b"old"}


def test_what_a_killed_run_left_is_removed_and_what_a_living_one_holds_is_not(tmp_path):
    forget()
    dead = tmp_path / f".confide-{_host()}-{2**22 + 1}-{'0' * 16}"
    dead.mkdir()
    (dead / "masked.csv").write_text("half")
    mine = tmp_path / f".confide-{_host()}-{os.getppid()}-{'0' * 16}"
    mine.mkdir()
    with scratch_folder(tmp_path):
        assert not dead.exists()
        assert mine.exists()
