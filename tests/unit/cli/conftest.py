"""What the tests of the command line share."""

import sys
import types

import pytest


@pytest.fixture
def report(monkeypatch):
    """Stand in for the report, so that these tests do not depend on how it is drawn."""
    calls = []

    def write_report(assessment, path, *, title=None, by=(), overwrite=False, plan_sha256=None, likelihoods=None):
        calls.append((title, by, overwrite))
        assert plan_sha256 is None or len(plan_sha256) == 64
        path.write_text("<html></html>")
        return path

    module = types.ModuleType("confide.report.html")
    module.write_report = write_report
    monkeypatch.setitem(sys.modules, "confide.report.html", module)
    return calls
