"""The public names of `confide.calibration`: stated probabilities against the truth."""

from __future__ import annotations

from confide.calibration.calibrate import calibrate
from confide.calibration.reasons import failing_assumptions
from confide.calibration.reliability import Reliability
from confide.calibration.result import Calibrated, Calibration, Compared, FurthestGroup

__all__ = [
    "Calibrated",
    "Calibration",
    "Compared",
    "FurthestGroup",
    "Reliability",
    "calibrate",
    "failing_assumptions",
]
