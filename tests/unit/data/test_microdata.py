"""Declarations and their faults."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from confide.data.codebook import Kind, Role
from confide.data.microdata import Microdata
from confide.errors import DataError, DeclarationError


@pytest.fixture
def data() -> Microdata:
    return Microdata.from_dict(
        {
            "sex": ["M", "F", "F"],
            "grade": ["low", "high", None],
            "wt": [1.5, 2.0, 0.5],
            "x": [-1.5, 2.0, None],
        }
    )


def test_declare_sets_roles_and_forgets_guesses(data: Microdata) -> None:
    declared = data.declare(key="sex", sensitive=["x"], weight="wt", labels={"sex": {"M": "male"}})
    assert declared.with_role(Role.KEY) == ("sex",)
    assert declared.variables["x"].inferred == ("kind",)
    assert declared.weights is not None
    assert declared.weights.tolist() == [1.5, 2.0, 0.5]
    assert declared.variables["sex"].label_of("M") == "male"
    assert data.variables["sex"].inferred == ("kind", "role")


def test_order_makes_ordinal(data: Microdata) -> None:
    declared = data.declare(order={"grade": ["low", "high"]})
    assert declared.variables["grade"].kind is Kind.ORDINAL
    assert declared.columns["grade"].codes.tolist() == [0, 1, -2]


def test_a_new_weight_replaces_the_old(data: Microdata) -> None:
    other = Microdata.from_dict({"wt": [1.5, 2.5], "other": [1.5, 2.5]}).declare(weight="other")
    assert other.with_role(Role.WEIGHT) == ("other",)


def test_take_without_and_with_columns(data: Microdata) -> None:
    assert data.take(np.array([2, 0])).columns["sex"].values() == ["F", "M"]
    assert data.without(["sex", "x"]).names == ("grade", "wt")
    assert data.to_frame().columns == list(data.names)


MISTAKES: dict[str, tuple[dict[str, Any], str]] = {
    "unknown name": ({"key": ["sexx"]}, "role key: there is no variable 'sexx'; did you mean 'sex'"),
    "two roles": ({"key": "sex", "sensitive": "sex"}, "'sex' is declared both key and sensitive"),
    "unknown kind": ({"kinds": {"sex": "nominl"}}, "there is no kind 'nominl'; did you mean 'nominal'"),
    "kind of unknown": ({"kinds": {"q": "nominal"}}, "kinds: there is no variable 'q'"),
    "order of unknown": ({"order": {"q": ["a"]}}, "order: there is no variable 'q'"),
    "labels of unknown": ({"labels": {"q": {1: "a"}}}, "labels: there is no variable 'q'"),
    "order but nominal": ({"order": {"sex": ["M", "F"]}, "kinds": {"sex": "nominal"}}, "has an order but is"),
    "order leaves out": ({"order": {"sex": ["M"]}}, "leaves out 1 of its levels"),
    "text as number": ({"kinds": {"sex": "integer"}}, r"3 record\(s\) hold text"),
    "fractions as whole": ({"kinds": {"x": "integer"}}, "holds fractions and cannot be an integer"),
    "weight is text": ({"weight": "sex"}, "variable 'sex' cannot be numeric: 3 record"),
    "weight is missing": (
        {"weight": "x"},
        "weight 'x' is missing or infinite for 1 of 3 records",
    ),
    "several": ({"key": ["a1", "b1"], "kinds": {"c1": "text"}}, "(?s)3 faults:.*a1.*b1.*c1"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes(data: Microdata, mistake: str) -> None:
    arguments, message = MISTAKES[mistake]
    with pytest.raises(DeclarationError, match=message):
        data.declare(**arguments)


def test_negative_and_zero_weights() -> None:
    with pytest.raises(DeclarationError, match="negative for 1 of 2 records"):
        Microdata.from_dict({"x": [-1.5, 2.0]}).declare(weight="x")
    with pytest.raises(DeclarationError, match="zero for every record"):
        Microdata.from_dict({"x": [0.0, 0.0]}).declare(weight="x", kinds={"x": "continuous"})


def test_other_mistakes(data: Microdata) -> None:
    with pytest.raises(DeclarationError, match="there is no variable 'agee'"):
        data.column("agee")
    with pytest.raises(DataError, match="has no columns"):
        Microdata.from_dict({})
