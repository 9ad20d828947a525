"""Lambert 1993, section 6.2: what a released sensitive attribute says of the true one."""

from __future__ import annotations

from typing import Any

import confide as cf


def posterior_sensitive(inputs: dict[str, Any]) -> float:
    """Eq. (3)."""
    return float(cf.posterior_sensitive(inputs["x"], inputs["q"], inputs["prior"]))


def misclassified_loglik(inputs: dict[str, Any]) -> float:
    """The log likelihood of both outcomes."""
    return cf.misclassified_log_likelihood(inputs["beta"], inputs["Z"], inputs["x"], inputs["q"])
