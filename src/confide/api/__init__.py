"""The public names, gathered in one place; each room lists its own."""

from __future__ import annotations

from confide.api import (
    assessment,
    calibration,
    data,
    errors,
    harm,
    intruder,
    kit,
    linking,
    release,
    risk,
    rumap,
    tables,
    utility,
)
from confide.api.assessment import *
from confide.api.calibration import *
from confide.api.data import *
from confide.api.errors import *
from confide.api.harm import *
from confide.api.intruder import *
from confide.api.kit import *
from confide.api.linking import *
from confide.api.release import *
from confide.api.risk import *
from confide.api.rumap import *
from confide.api.tables import *
from confide.api.utility import *

__all__ = (
    errors.__all__
    + kit.__all__
    + data.__all__
    + release.__all__
    + intruder.__all__
    + linking.__all__
    + risk.__all__
    + tables.__all__
    + harm.__all__
    + utility.__all__
    + calibration.__all__
    + assessment.__all__
    + rumap.__all__
)
