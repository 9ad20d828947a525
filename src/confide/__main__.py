"""Run the command line as `python -m confide`."""

from __future__ import annotations

from confide.cli.main import run

if __name__ == "__main__":
    run()
