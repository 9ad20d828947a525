"""FEBRL and RLdata: known duplicates, found at least as well as by splink 5 with the same blocks and levels.

The peer's figures are those of benchmarks/probabilistic.py, pairs from a match probability of 0.5 on.
"""

import csv
import gzip

import numpy as np

import confide as cf
from outside import others

TEXTS = ["given_name", "surname", "address_1", "suburb", "date_of_birth", "soc_sec_id"]
FEBRL = [*(cf.TextAgreement(v) for v in TEXTS), *(cf.ExactAgreement(v) for v in ("street_number", "postcode", "state"))]
FEBRL_BLOCKS = [["given_name"], ["surname"], ["date_of_birth"], ["soc_sec_id"], ["postcode"]]
RLDATA = [cf.TextAgreement("fname_c1"), cf.TextAgreement("lname_c1"), *(cf.ExactAgreement(v) for v in ("by", "bm", "bd"))]
RL_BLOCKS = [["by", "bm"], ["bm", "bd"], ["by", "bd"], ["fname_c1", "lname_c1"]]


def read(path):
    """Give a file as columns of texts."""
    with gzip.open(others(path), "rt", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    return {k: [r[k].strip() or None for r in rows] for k in rows[0]}


def best_precision(found, recall):
    """Give the best precision at a recall or above, over all limits."""
    order = np.argsort(-found.probability, kind="stable")
    good = np.cumsum(found.right[order])
    return float((good / np.arange(1, order.size + 1))[good >= recall * found.true_pairs - 1e-9].max())


def test_febrl4():
    a, b = read("febrl/febrl4a.csv.gz"), read("febrl/febrl4b.csv.gz")
    place = {r.split("-")[1]: i for i, r in enumerate(a["rec_id"])}
    parent = [place[r.split("-")[1]] for r in b["rec_id"]]
    released = cf.Released.from_files(cf.Microdata.from_dict(a), cf.Microdata.from_dict(b), parent=parent)
    found = cf.probabilistic_linkage(released, FEBRL, block=FEBRL_BLOCKS)
    assert found.precision == 1.0  # splink 0.9994
    assert found.recall == 1.0  # splink 1.0
    np.testing.assert_allclose(np.asarray(found.table.p.sum(axis=0)).ravel() + found.table.null, 1.0, atol=1e-9)


def test_duplicates_of_febrl():
    for name, precision, recall in (("febrl1", 1.0, 0.998), ("febrl2", 1.0, 0.99844), ("febrl3", 1.0, 0.99785)):
        data = read(f"febrl/{name}.csv.gz")
        who = [r.split("-")[1] for r in data["rec_id"]]
        found = cf.find_duplicates(cf.Microdata.from_dict(data), FEBRL, block=FEBRL_BLOCKS, truth=who)
        assert best_precision(found, recall) >= precision
        assert found.precision > 0.999
        assert found.recall >= recall


def test_duplicates_of_rldata():
    for name, precision, recall in (("RLdata500", 1.0, 0.98), ("RLdata10000", 0.9482, 0.989)):
        data = read(f"rldata/{name}.csv.gz")
        found = cf.find_duplicates(cf.Microdata.from_dict(data), RLDATA, block=RL_BLOCKS, truth=data["identity"])
        assert best_precision(found, recall) >= precision
        assert found.precision > 0.99
