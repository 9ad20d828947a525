"""Text files and the mistakes in them."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confide.data.codebook import Kind
from confide.data.microdata import Microdata
from confide.data.readers import read
from confide.errors import DataError

Reader = Callable[..., Microdata]


@pytest.fixture
def load(tmp_path: Path) -> Reader:
    """Read a text as if it were a file."""

    def inner(content: str | bytes, name: str = "a.csv", **options: Any) -> Microdata:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read(path, **options)

    return inner


def test_numbers_text_and_missing_values(load: Reader) -> None:
    data = load("sex,age, x\nf,43, 1.5\nm,NA,-2e3\n,39,\n")
    assert data.names == ("sex", "age", "x")
    assert data.name == "a.csv"
    assert data.columns["sex"].values() == ["f", "m", None]
    assert data.columns["age"].values() == [43, None, 39]
    assert data.columns["x"].values() == [1.5, -2000.0, None]
    assert data.variables["x"].kind is Kind.CONTINUOUS


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbfa,b\n1,x\n2,y\n",
        b"a,b\r\n1,x\r\n2,y\r\n",
        b"a,b\r1,x\r2,y\r",
        b"a,b\n1,x\r2,y\r\n",
        b"\na,b\n\n1,x\n\n2,y\n\n\n",
        b'"a","b"\n"1","x"\n2,y',
        b"a,b\n 1 , x \n2,y",
    ],
    ids=["bom", "crlf", "cr", "mixed", "blank lines", "quotes", "spaces"],
)
def test_harmless_variants_read_alike(load: Reader, content: bytes) -> None:
    data = load(content)
    assert data.columns["a"].values() == [1, 2]
    assert data.columns["b"].values() == ["x", "y"]


def test_quoted_delimiters_marks_and_line_ends(load: Reader) -> None:
    data = load('a,b\n"x,y","1"\n"line\nend",2\n"say ""hi""",3\n5" pipe,4\n')
    assert data.columns["a"].values() == ["x,y", "line\nend", 'say "hi"', '5" pipe']
    assert data.columns["b"].values() == [1, 2, 3, 4]


def test_delimiters_encodings_and_gzip(load: Reader) -> None:
    assert load("a\tb\n1\tx\n", "a.tsv").names == ("a", "b")
    assert load("a;b\n1;x\n", delimiter=";").names == ("a", "b")
    assert load(gzip.compress(b"a,b\n1,x\n"), "a.csv.gz").names == ("a", "b")
    assert load("a,b\n1,é\n".encode("latin-1"), encoding="latin-1").columns["b"].values() == ["é"]
    assert load("a,b\n1,é\n".encode("utf-16"), encoding="utf-16").columns["b"].values() == ["é"]


def test_leading_zeros_and_long_digits_stay_text(load: Reader) -> None:
    data = load("zip,account,amount\n01234,12345678901234567,1e20\n99999,5,0.5\n")
    assert data.columns["zip"].values() == ["01234", "99999"]
    assert data.columns["account"].values() == ["12345678901234567", "5"]
    assert data.columns["amount"].values() == [1e20, 0.5]


def test_missing_texts_are_exact_and_empty_cells_always_missing(load: Reader) -> None:
    content = "x\n1\n-9\n-99\nNA\n"
    assert load(content, missing=["-9", "NA"]).columns["x"].values() == [1, None, -99, None]
    assert load("x,y\nNA,\nb,2\n", missing="b").columns["x"].values() == ["NA", None]
    assert load("x,y\nNA,\nb,2\n", missing="b").columns["y"].values() == [None, 2]
    assert load("x\n1\n\n2\n").columns["x"].values() == [1, None, 2]


def test_text_keeps_a_column_as_it_stands(load: Reader) -> None:
    content = "x\n" + "1\n" * 19 + "secret\n"
    data = load(content, text="x")
    assert data.columns["x"].labels == ("1", "secret")
    assert load("x,y\n1,2\n2,3\n", text=["x"]).columns["x"].labels == ("1", "2")


def test_mostly_numbers_is_refused_without_showing_the_cell(load: Reader) -> None:
    content = 'x,y\n1,"a\nb"\n' + "1,a\n" * 18 + "secret,a\n"
    with pytest.raises(DataError, match=r"column 'x': 19 of 20 cells are numbers and 1 are not.*line 22") as caught:
        load(content)
    assert "secret" not in str(caught.value)
    assert "text=['x']" in str(caught.value)
    assert load("x,y\n1,2\n2,3\nfew,4\n").columns["x"].labels == ("1", "2", "few")


@pytest.mark.parametrize("cell", ["nan", "inf", "1_000", "1,000", "0x10", "1e999"])
def test_what_is_no_number(load: Reader, cell: str) -> None:
    with pytest.raises(DataError, match="10 of 11 cells are numbers"):
        load("x,y\n" + "1,2\n" * 10 + f'"{cell}",2\n')


MISTAKES: dict[str, tuple[str | bytes, dict[str, Any], str]] = {
    "empty": ("", {}, "'a.csv' is empty"),
    "only blank lines": ("\n\n", {}, "has no header"),
    "header only": ("a,b\n", {}, "has a header but no records"),
    "header and blanks": ("a,b\n\n\n", {}, "has a header but no records"),
    "name twice": ("a,b,a\n1,2,3\n", {}, r"the name 'a' more than once \(columns 1, 3\)"),
    "no name": (",b,c\n1,2,3\n", {}, "column 1 of 'a.csv' has no name.*R or pandas"),
    "no header": (
        "39,State-gov,77516\n50,Private,83311\n",
        {},
        "2 of 3 names .* are numbers.*seems to be a record",
    ),
    "short line": ("a,b\n1,2\n3\n", {}, r"line 3 of 'a.csv' has 1 cell\(s\) where the header has 2"),
    "first line short": ("a,b\n1\n3,4\n", {}, r"line 2 of 'a.csv' has 1 cell"),
    "long line": ("a,b\n1,2\n3,4,5\n", {}, r"line 3 of 'a.csv' has 3 cell\(s\) where the header has 2"),
    "short after quotes": ('a,b\n"1\n,",2\n3\n', {}, "line 4 of"),
    "short after blank": ("a,b\n\n1,2\n\n3\n", {}, "line 5 of"),
    "not closed": ('a,b\n1,2\n3,"x\n4,5\n', {}, "starts on line 3 .* a quotation mark in it is not closed"),
    "text after mark": ('a,b\n"x" y,2\n', {}, "starts on line 2 .* followed by text"),
    "mark inside quotes": ('a,b\n1,"x" y"\n', {}, "starts on line 2 .*write a mark inside a cell twice"),
    "header not closed": ('"a,b\n1,2\n', {}, "the header of 'a.csv' has a quotation mark"),
    "latin-1": ("a,b\n1,é\n".encode("latin-1"), {}, r"not written in utf-8 \(byte 6 of 8\).*latin-1.*utf-16"),
    "utf-16": ("a,b\n1,é\n".encode("utf-16"), {}, "pass encoding='utf-16'"),
    "utf-16 without mark": ("a,b\n1,2\n".encode("utf-16-le"), {}, "NUL bytes, the first on line 1"),
    "nul": (b"a,b\n1,\0\n", {}, "NUL bytes, the first on line 2"),
    "no such encoding": ("a\n1\n", {"encoding": "utf-88"}, "there is no encoding 'utf-88'"),
    "semicolons": ("a;b\n1;2\n", {}, "header holds ';'; pass delimiter=';'"),
    "tabs": ("a\tb\n1\t2\n", {}, r"pass delimiter='\\t'"),
    "commas": ("a,b\n1,2\n", {"delimiter": ";"}, "pass delimiter=','"),
    "long delimiter": ("a,b\n1,2\n", {"delimiter": "::"}, "delimiter must be one character"),
    "unknown text column": ("age,b\n1,2\n", {"text": ["agee"]}, "no column 'agee'; did you mean 'age'"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes(load: Reader, mistake: str) -> None:
    content, options, message = MISTAKES[mistake]
    with pytest.raises(DataError, match=message):
        load(content, **options)


def test_mistakes_with_paths(load: Reader, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"there is no file .*b\.csv'$"):
        read(tmp_path / "b.csv")
    with pytest.raises(DataError, match="the folder .* does not exist either"):
        read(tmp_path / "no" / "b.csv")
    with pytest.raises(DataError, match="ends in '.xlsx', which cannot be read; known suffixes: .csv"):
        read(tmp_path / "b.xlsx")
    with pytest.raises(DataError, match="has no suffix"):
        read(tmp_path / "b")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(DataError, match="is a folder"):
        read(tmp_path / "folder.csv")
    with pytest.raises(DataError, match="not a gzip file or is cut short"):
        load(gzip.compress(b"a,b\n1,x\n")[:-9], "a.csv.gz")


def test_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a\n1\n")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(DataError, match="cannot be opened: Permission denied"):
        read(path)


@given(body=st.text(st.sampled_from('ab1,"\n '), min_size=1, max_size=20), width=st.integers(1, 3))
def test_any_text_is_read_as_the_csv_module_does_or_refused(
    tmp_path_factory: pytest.TempPathFactory, body: str, width: int
) -> None:
    names = list("xyz"[:width])
    content = ",".join(names) + "\n" + body
    path = tmp_path_factory.mktemp("any") / "a.csv"
    path.write_bytes(content.encode())
    try:
        rows = list(csv.reader(io.StringIO(content.rstrip("\n"), newline=""), strict=True))
    except csv.Error:
        rows = []
    rows = [row or [""] for row in rows if row or width == 1]
    if len(rows) < 2 or any(len(row) != width for row in rows):
        with pytest.raises(DataError):
            read(path, text=names)
    else:
        columns = read(path, text=names).columns
        expected = [[row[j].strip() or None for row in rows[1:]] for j in range(width)]
        assert [columns[name].values() for name in names] == expected


CELL = st.text(st.sampled_from('ab1,"\n'), max_size=5)


@given(rows=st.lists(st.tuples(CELL, CELL), min_size=1, max_size=6))
def test_whatever_is_quoted_comes_back(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]) -> None:
    path = tmp_path_factory.mktemp("cells") / "a.csv"
    quoted = [",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows]
    path.write_bytes("\n".join(["x,y", *quoted]).encode())
    data = read(path, text=["x", "y"])
    expected = [tuple(cell.strip() or None for cell in row) for row in rows]
    assert list(zip(data.columns["x"].values(), data.columns["y"].values(), strict=True)) == expected
