"""What was evaluated already, in a folder: every line is believed only as it was written."""

from __future__ import annotations

import os
from pathlib import Path

from confide.errors import DataError
from confide.kit.files import cannot_write
from confide.kit.journal import append_line, drop_lines, make_lines, read_lines
from confide.kit.ledger import refusal
from confide.kit.pieces import tidy
from confide.rumap.general.line import Evaluation, line_of, read_line, starts_like_one
from confide.rumap.general.store import Figures, Store

FILE = "evaluations.jsonl"


class FolderStore(Store):
    """A store whose figures outlive the process, killed or not.

    Every evaluation is one line of a file that only its owner can read. It holds figures of whole files and no
    respondent's values; masked files are kept in memory only. Figures go by the program that made them, too: another
    version evaluates anew. Each line has a checksum over what was evaluated and its figures: one that is damaged is not
    believed, and what it held is evaluated again. Several processes may use a folder at the same time.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> FolderStore(folder).put("a", {"risk": 0.5})
    >>> file = Path(folder) / "evaluations.jsonl"
    >>> FolderStore(folder).get("a")
    {'risk': 0.5}
    >>> _ = file.write_text(file.read_text().replace("0.5", "0.1"))
    >>> damaged = FolderStore(folder)
    >>> damaged.get("a"), damaged.damaged
    (None, 1)
    """

    def __init__(self, folder: str | os.PathLike[str], *, room: int = 1_000_000_000) -> None:
        """Open a folder, or make it for its owner alone.

        Args:
            folder: where the figures are kept.
            room: how many bytes of masked files to keep in memory.
        """
        super().__init__(room=room)
        self._path = Path(folder) / FILE
        self.damaged = 0
        """How many lines of the file are not as they were written; what they held is evaluated again."""
        reason = refusal(self._path)
        if reason is not None:
            raise DataError(f"{str(self._path)!r} {reason}")
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            tidy(self._path.parent)
            make_lines(self._path)
            self._read()
        except OSError as error:
            raise DataError(f"the folder {str(folder)!r} cannot be used for evaluations: {error.strerror}") from None

    @property
    def told(self) -> str:
        """What its user must know of the folder, in words; empty where all is well."""
        if not self.damaged:
            return ""
        lines, it = ("1 line", "it") if self.damaged == 1 else (f"{self.damaged:,} lines", "they")
        return f"{lines} of {str(self._path)!r} cannot be believed; what {it} held is evaluated again"

    def _read(self) -> None:
        """Read what earlier runs wrote; lines that are not as they were written are left out, and taken out if ours."""
        lines: dict[str, bytes] = {}
        wrong: set[bytes] = set()
        for line in filter(None, read_lines(self._path)):
            found = read_line(line)
            if found is None:
                wrong.add(line)
            elif lines.setdefault(found.key, line) == line and line not in wrong:
                self._figures[found.key] = found.figures
            else:  # two answers to one question
                wrong |= {line, lines[found.key]}
                self._figures.pop(found.key, None)
        self.damaged = len(wrong)
        if any(map(starts_like_one, wrong)):
            drop_lines(self._path, lambda line: line in wrong and starts_like_one(line))

    def put(self, key: str, figures: Figures) -> None:
        """Keep figures and write them down at once."""
        super().put(key, figures)
        try:
            append_line(self._path, line_of(Evaluation(key, figures)))
        except OSError as error:
            raise cannot_write(self._path, error) from None
