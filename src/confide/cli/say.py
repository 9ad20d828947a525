"""Print to the terminal: names out of files and plans never reach it raw."""

from __future__ import annotations

import typer

from confide.kit.shown import shown


def echo(text: str, *, err: bool = False) -> None:
    """Print a text, with its lines as they are and all else that would steer the terminal written as escapes.

    Args:
        text: what to print.
        err: whether to print to standard error.
    """
    typer.echo(shown(text, lines=True), err=err)
