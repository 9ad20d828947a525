"""The public names of `confide.errors`: what can go wrong."""

from __future__ import annotations

from confide.errors import (
    ConfideError,
    DataError,
    DeclarationError,
    HarmError,
    InternalError,
    IntruderError,
    LikelihoodError,
    MapError,
    ModelError,
    PlanError,
    ReleaseError,
    TableError,
    Unprotectable,
    UserMistake,
    UtilityError,
)

__all__ = [
    "ConfideError",
    "DataError",
    "DeclarationError",
    "HarmError",
    "InternalError",
    "IntruderError",
    "LikelihoodError",
    "MapError",
    "ModelError",
    "PlanError",
    "ReleaseError",
    "TableError",
    "Unprotectable",
    "UserMistake",
    "UtilityError",
]
