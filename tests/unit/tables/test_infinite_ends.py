"""The end of an interval that is infinite is no figure in a text file."""

import polars as pl

import confide as cf
from confide.tables.write.plain import frame_bytes


def test_an_infinite_end_is_left_empty(tmp_path):
    data = cf.Microdata.from_dict({"area": ["s", "s"], "tax": [5.0, 4.0]})
    found = cf.protect_table(cf.tabulate(data, "area", "tax"), cf.MinimumFrequency(3)).audited()
    assert found.internal()["high"].to_list() == [float("inf")] * 2, "in Python it stays what it is"
    for name, sign in (("a.csv", ","), ("a.tsv", "\t")):
        found.write(tmp_path / name, internal=True)
        text = (tmp_path / name).read_text()
        assert "inf" not in text
        frame = pl.read_csv(tmp_path / name, separator=sign)
        assert frame["high"].to_list() == [None, None]
        assert frame["low"].to_list() == [0.0, 0.0]


def test_frames_without_numbers_and_with_finite_ones_are_written_as_they_are():
    frame = pl.DataFrame({"a": ["x", None], "n": [1, 2], "x": [0.5, None]})
    assert frame_bytes(frame, ".csv") == b"a,n,x\nx,1,0.5\n,2,\n"
    assert frame_bytes(pl.DataFrame({"a": ["x"]}), ".tsv") == b"a\nx\n"
