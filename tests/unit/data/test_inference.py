"""Guesses of kinds and roles."""

from __future__ import annotations

import polars as pl
import pytest

from confide.data.codebook import Kind, Role
from confide.data.describe import describe
from confide.data.frames import from_frame
from confide.data.inference import Facts, infer_kind, infer_role, split_name


def text(n: int, distinct: int) -> Facts:
    return Facts(n, 0, distinct, is_number=False, is_whole=True, nonnegative=False)


def number(n: int, distinct: int, *, whole: bool = True) -> Facts:
    return Facts(n, 0, distinct, is_number=True, is_whole=whole, nonnegative=True)


@pytest.mark.parametrize(
    ("facts", "kind"),
    [
        (text(100, 50), Kind.NOMINAL),
        (text(100, 51), Kind.TEXT),
        (text(10_000, 500), Kind.NOMINAL),
        (text(10_000, 501), Kind.TEXT),
        (number(100, 12), Kind.NOMINAL),
        (number(100, 13), Kind.INTEGER),
        (number(100, 2, whole=False), Kind.CONTINUOUS),
        (Facts(5, 5, 0, is_number=False, is_whole=True, nonnegative=False), Kind.NOMINAL),
        (Facts(100, 0, 80, is_number=False, is_whole=True, nonnegative=False, has_levels=True), Kind.NOMINAL),
    ],
)
def test_kinds(facts: Facts, kind: Kind) -> None:
    assert infer_kind(facts) is kind


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("age", Role.KEY),
        ("AGE", Role.KEY),
        ("Marital.Status", Role.KEY),
        ("birthDate", Role.KEY),
        ("zip_code", Role.KEY),
        ("educ2", Role.KEY),
        ("postcode", Role.KEY),
        ("income", Role.SENSITIVE),
        ("HIV_status", Role.SENSITIVE),
        ("age_at_diagnosis", Role.SENSITIVE),
        ("proptax", Role.SENSITIVE),
        ("household_income", Role.SENSITIVE),
        ("hh_id", Role.HOUSEHOLD),
        ("SERIALNO", Role.HOUSEHOLD),
        ("shoesize", Role.UNAVAILABLE),
        ("message", Role.UNAVAILABLE),
        ("video", Role.UNAVAILABLE),
    ],
)
def test_roles_by_name(name: str, role: Role) -> None:
    assert infer_role(name, number(100, 90)) is role


def test_identifiers_need_distinct_values() -> None:
    assert infer_role("person_id", number(100, 100)) is Role.IDENTIFIER
    assert infer_role("person_id", number(100, 99)) is Role.UNAVAILABLE
    assert infer_role("state_id", number(100, 99)) is Role.KEY
    assert infer_role("surname", text(100, 50)) is Role.IDENTIFIER
    assert infer_role("surname", text(100, 49)) is Role.UNAVAILABLE
    assert infer_role("id", number(100, 100, whole=False)) is Role.UNAVAILABLE


def test_one_weight_the_best_and_never_as_categories() -> None:
    data = from_frame(pl.DataFrame({"rep_wt": [1, 2], "fnlwgt": [1, 2], "wt": [1.0, 2.5]}))
    assert data.with_role(Role.WEIGHT) == ("fnlwgt",)
    assert data.variables["fnlwgt"].kind is Kind.INTEGER
    assert data.variables["rep_wt"].kind is Kind.NOMINAL


@pytest.mark.parametrize(
    "columns",
    [
        {"wt": [1.0, None]},
        {"wt": [1.0, -2.0]},
        {"wt": [0.0, 0.0]},
        {"wt": ["a", "b"]},
        {"weight": [70.5, 80.5], "height": [1.7, 1.8]},
        {"birth_weight": [3.1, 3.4]},
        {"overweight": [0, 1]},
    ],
)
def test_what_is_no_weight(columns: dict[str, list[object]]) -> None:
    assert from_frame(pl.DataFrame(columns)).with_role(Role.WEIGHT) == ()


def test_names_are_split_into_words() -> None:
    assert split_name("A_FNLWGT") == ("a", "fnlwgt")
    assert split_name("householdID") == ("household", "id")
    assert split_name("Größe 2") == ("größe",)
    assert split_name("收入") == ("收入",)


def test_describe_shows_counts_and_stars_but_no_values() -> None:
    data = from_frame(pl.DataFrame({"sex": ["secret", None], "pay": [1.5, 2.5]}), name="people")
    shown = describe(data.declare(key="sex"))
    assert shown.splitlines()[0] == "people: 2 records, 2 variables"
    assert "sex       nominal*     key                  1        1" in shown
    assert "pay       continuous*  unavailable*         2        0" in shown
    assert ".declare(" in shown
    assert "secret" not in shown
    assert "1.5" not in shown
    sure = data.declare(key="sex", unavailable="pay", kinds={"sex": "nominal", "pay": "continuous"})
    assert "inferred" not in repr(sure)
