"""A step that changes the values of one variable without randomness."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from confide.data.codebook import Kind
from confide.kit.keyed import Draws
from confide.release.channel import Channel, Deterministic
from confide.release.method import Draft


@dataclass(frozen=True, slots=True, eq=False)
class ColumnStep:
    """Push one column through a deterministic channel."""

    variable: str
    """The variable that is masked."""
    channel: Deterministic
    """What is done to it."""
    kind: Kind | None = None
    """The kind it has afterwards, if another one."""

    @property
    def channels(self) -> Mapping[str, Channel]:
        """The one channel of the step."""
        return {self.variable: self.channel}

    def apply(self, draft: Draft, stream: Draws) -> Draft:
        """Mask the column; nothing is random."""
        del stream
        column = self.channel.push(draft.data.columns[self.variable])
        kinds = {self.variable: self.kind} if self.kind else {}
        data = draft.data.with_columns({self.variable: column}, kinds)
        return Draft(data, draft.parent, draft.keys)
