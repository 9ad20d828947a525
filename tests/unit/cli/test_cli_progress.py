"""The progress bar shows on terminals only."""

import sys

from confide.cli import progress


def test_the_bar_appears_on_a_terminal_after_a_second(monkeypatch):
    class Terminal:
        def isatty(self):
            return True

        def write(self, text):
            return len(text)

        def flush(self):
            pass

    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress.Bar("working", shown=True) as bar:
        bar(1, 10)
        assert bar.progress is None
        monkeypatch.setattr(progress, "PATIENCE", 0.0)
        bar(2, 10)
        assert bar.progress is not None
        assert bar.progress.tasks[0].completed == 2
    with progress.Bar("working", shown=False) as bar:
        bar(2, 10)
        assert bar.progress is None
