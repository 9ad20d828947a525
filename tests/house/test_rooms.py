"""The house: rooms import only leftward along the data flow, files and functions stay small."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "confide"
FLOW = """kit data release intruder linking risk tables harm utility calibration assessment rumap report
plan study cli""".split()
"""Each room may import from the rooms before it."""
EVERYWHERE = {"errors", "seeds", "sorting", "typing", "__version__"}
FILES = sorted(SOURCE.rglob("*.py"))


def imports(path: Path) -> set[str]:
    """Name the rooms and modules of confide that a file imports, wherever in the file."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            names = [f"{node.module}.{a.name}" for a in node.names] if node.module == "confide" else [node.module]
        elif isinstance(node, ast.Import):
            names = [a.name for a in node.names]
        found |= {n.split(".")[1] if "." in n else "confide" for n in names if n.split(".")[0] == "confide"}
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_rooms_import_only_leftward(path):
    room = path.relative_to(SOURCE).parts[0]
    if room in ("api", "__init__.py", "__main__.py"):
        return
    if room not in FLOW:
        assert imports(path) <= EVERYWHERE, f"{path.name} is used everywhere and may import no room"
        return
    # the command line speaks the public API; the others name the room they need
    allowed = set(FLOW[: FLOW.index(room) + 1]) | EVERYWHERE | ({"confide", "api"} if room in ("plan", "cli") else set())
    assert imports(path) <= allowed, f"{path.relative_to(SOURCE)} imports {sorted(imports(path) - allowed)}"


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_files_hold_one_idea(path):
    text = path.read_text()
    assert len(text.splitlines()) <= 400, "would it still be one idea?"
    if path.name == "__init__.py" and path.parent != SOURCE:
        body = ast.parse(text).body
        assert all(isinstance(n, ast.Expr | ast.ImportFrom | ast.Assign) for n in body), "no code in __init__.py"


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_public_functions_have_docstrings_and_are_short(path):
    tree = ast.parse(path.read_text())
    outer = [*tree.body, *(x for c in tree.body if isinstance(c, ast.ClassDef) for x in c.body)]
    for node in outer:
        if isinstance(node, ast.FunctionDef):
            assert ast.get_docstring(node) or node.name.startswith("_"), f"{node.name} has no docstring"
            lines = (node.end_lineno or 0) - node.body[0].lineno + 1
            doc = ast.get_docstring(node, clean=False)
            assert lines - (len(doc.splitlines()) if doc else 0) <= 75, f"{node.name} has {lines} lines"


SORTS = {"argsort", "median", "nanmedian", "partition", "percentile", "quantile", "searchsorted", "sort", "unique"}


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_compiled_loops_use_no_generated_sort(path):
    """Generated sorts of two cached modules may share a symbol, and one is called for the other."""
    for function in ast.walk(ast.parse(path.read_text())):
        if isinstance(function, ast.FunctionDef) and any("njit" in ast.unparse(d) for d in function.decorator_list):
            called = [c.func for c in ast.walk(function) if isinstance(c, ast.Call)]
            found = {f.attr for f in called if isinstance(f, ast.Attribute)} & SORTS
            assert not found, f"{function.name}: sort before the loop, or use confide.sorting"


@pytest.mark.parametrize("path", sorted((SOURCE / "api").glob("[a-z]*.py")), ids=lambda p: p.stem)
def test_each_room_lists_its_own_public_names(path):
    assert imports(path) == {path.stem}


def test_every_masking_method_is_public_and_documented():
    import confide.api as api

    folder = SOURCE / "release" / "methods"
    methods = {
        node.name
        for path in folder.glob("*.py")
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.ClassDef) and any(isinstance(x, ast.FunctionDef) and x.name == "bind" for x in node.body)
    }
    assert methods <= set(api.__all__)
    assert all(isinstance(getattr(api, m), type) for m in methods)
    pages = (Path(__file__).parents[2] / "docs" / "masking.md").read_text()
    assert not [m for m in sorted(methods) if m not in pages]
    contract = (Path(__file__).parents[1] / "contracts" / "test_methods.py").read_text()
    assert not [m for m in sorted(methods) if f"cf.{m}(" not in contract]


def test_public_names_are_sorted_and_exist():
    import confide as cf
    import confide.api as api

    assert sorted(api.__all__) == sorted(set(api.__all__))
    page = (Path(__file__).parents[2] / "docs" / "reference.md").read_text()
    assert not [n for n in api.__all__ if f".{n}\n" not in page], "every public name has its place in the reference"
    for name in api.__all__:
        assert getattr(cf, name) is getattr(api, name)
    assert "examples" in dir(cf)
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = cf.nonsense


def test_importing_confide_is_light():
    import subprocess
    import sys

    code = "import sys, confide; print([m for m in ('numpy', 'polars', 'numba', 'pydantic', 'scipy') if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_the_project_speaks_of_itself_alone():
    root = Path(__file__).parents[2]
    files = [
        p
        for folder in ("src", "docs", "examples", "benchmarks", "scripts", "tests", "requirements")
        for p in (root / folder).rglob("*")
    ]
    files += [root / "README.md", root / "CHANGELOG.md", root / "pyproject.toml"]
    words = ["/" + "work/", "/" + "root/", "py" + "pi.org", "pythonhosted" + ".org", "file" + "server"]
    for path in files:
        if (
            path.is_file()
            and path.suffix in {".py", ".md", ".txt", ".toml", ".j2", "", ".sh"}
            and "_build" not in path.parts
        ):
            text = path.read_text(errors="ignore")
            assert not [w for w in words if w in text], path
