"""The runner of published cases: exit codes, tolerance rule, what it prints."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from published import run_cases

CASE = {
    "name": "dot",
    "kind": "swap_marginal",
    "inputs": {"prior": [0.82, 0.12, 0.01, 0.05], "column": [0.05, 0.75, 0.10, 0.10]},
    "value": 0.137,
    "tolerance": 1e-9,
}


def run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *cases: dict[str, Any], options: tuple[str, ...] = ()
) -> tuple[int, str]:
    path = tmp_path / "cases.json"
    path.write_text(json.dumps({"cases": cases}), encoding="utf-8")
    code = run_cases.main([str(path), *options])
    return code, capsys.readouterr().out.splitlines()[-1]


def test_a_right_value_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, capsys, CASE) == (0, "1 passed, 0 failed")


def test_a_wrong_value_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, capsys, CASE, {**CASE, "value": 0.138}) == (1, "1 passed, 1 failed")


def test_an_unknown_kind_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, capsys, CASE, {**CASE, "kind": "nonsense"}) == (1, "1 passed, 1 failed")


def test_a_kind_not_built_yet_is_not_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_cases, "NOT_BUILT", {"coming": "later"})
    assert run(tmp_path, capsys, CASE, {**CASE, "kind": "coming"}) == (0, "1 passed, 0 failed")


def test_no_case_of_the_kind_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, capsys, CASE, options=("--kind", "reiter"))[0] == 1


def test_a_kind_is_chosen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = {**CASE, "kind": "nonsense"}
    assert run(tmp_path, capsys, CASE, other, options=("--kind", "swap_marginal")) == (0, "1 passed, 0 failed")


def test_an_error_fails_unless_undefined_is_expected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = {**CASE, "inputs": {"prior": [1.0], "column": [0.5, 0.5]}}
    assert run(tmp_path, capsys, broken)[0] == 1
    assert run(tmp_path, capsys, {**broken, "value": None}) == (0, "1 passed, 0 failed")


@pytest.mark.parametrize(
    ("got", "want", "rel", "absolute", "passes"),
    [
        (1.0, 1.0, 0, 0, True),
        (1.0 + 1e-6, 1.0, 1e-6, 1e-12, True),
        (1.0 + 2e-6, 1.0, 1e-6, 1e-12, False),
        (1e-13, 0.0, 1e-6, 1e-12, True),
        (1e-11, 0.0, 1e-6, 1e-12, False),
        ([1.0, 2.0], [1.0, 2.0], 0, 0, True),
        ([1.0], [1.0, 2.0], 0, 0, False),
        ({"a": 1.0}, {"a": 1.0}, 0, 0, True),
        ({"b": 1.0}, {"a": 1.0}, 0, 0, False),
        (True, True, 0, 0, True),
        (1, True, 0, 0, True),
        (True, 1, 0, 0, False),
        ("x", "x", 0, 0, True),
        ("x", "y", 0, 0, False),
        (math.nan, None, 0, 0, True),
        (1.0, None, 0, 0, False),
        (math.nan, 1.0, 1, 1, False),
        ("1", 1.0, 1, 1, False),
    ],
)
def test_tolerance_rule(got: Any, want: Any, rel: float, absolute: float, passes: bool) -> None:
    assert (not list(run_cases.differences(got, want, rel, absolute))) == passes


def test_every_kind_is_built_or_listed_but_not_both() -> None:
    assert not set(run_cases.ADAPTERS) & run_cases.NOT_BUILT
