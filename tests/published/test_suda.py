"""SUDA and DIS-SUDA of the ten records in Benschop, Machingauta and Welch, Statistical disclosure control: a practice guide.

The chapter on measuring risk prints the minimal sample uniques of records 5 and 8, the scores for sets of at most three of
the four keys, and DIS-SUDA scores. The latter are those of sdcMicro before it took Elliot's scores: superset scores and a
sampling fraction of 0.01.
"""

from __future__ import annotations

import pytest

import confide as cf

KEYS = ["residence", "gender", "education", "labour"]


@pytest.fixture
def ten() -> cf.Microdata:
    urban, women = [True] * 4 + [False] + [True] * 5, [1, 1, 1, 0, 1, 0, 1, 0, 1, 1]
    return cf.Microdata.from_dict({
        "residence": ["urban" if u else "rural" for u in urban],
        "gender": ["female" if w else "male" for w in women],
        "education": ["some secondary", "some secondary", "some primary", "secondary", "secondary", "secondary", "primary",
                      "more", "some secondary", "some secondary"],
        "labour": ["employed", "employed", "none", "employed", "unemployed", "employed", "none", "unemployed", "none",
                   "none"],
    }).declare(key=KEYS)  # fmt: skip


def test_minimal_sample_uniques(ten):
    found = cf.minimal_uniques(ten)
    fifth = [("residence",), ("gender", "education"), ("gender", "labour"), ("education", "labour")]
    assert found.of(4) == fifth
    assert found.of(7) == [("education",), ("residence", "labour"), ("gender", "labour")]


def test_suda_scores(ten):
    assert cf.suda(ten, max_size=3).per_record.tolist() == [0, 0, 6, 0, 12, 0, 6, 10, 0, 0]


def test_dis_suda_scores(ten):
    found = cf.dis_suda(ten, None, 0.01, cf.SupersetScore()).per_record
    assert found.round(4).tolist() == [0, 0, 0.0051, 0, 0.0107, 0, 0.0051, 0.0088, 0, 0]


def test_the_special_uniques_are_the_sample_uniques(ten):
    assert cf.special_uniques(ten).per_record.nonzero()[0].tolist() == [2, 4, 6, 7]
    assert cf.sample_uniques(ten).count == 4
