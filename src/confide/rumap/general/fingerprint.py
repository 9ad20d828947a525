"""A name for what was declared, made of its content: the same declaration has the same name in every run."""

from __future__ import annotations

import functools
import hashlib
import sys
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np

CONSTANTS = (int, float, str, tuple)
"""What functions and classes use as it stands."""


class NoFingerprint(TypeError):
    """A value whose content cannot be named; what depends on it is computed anew."""


def fingerprint(*values: Any) -> str:
    """Give a name for values: numbers, texts, arrays, mappings, declarations of confide, functions with their code.

    >>> import confide as cf
    >>> fingerprint(cf.Intruder(knows=["sex"])) == fingerprint(cf.Intruder(knows=["sex"]))
    True
    >>> fingerprint(1) == fingerprint(1.0)
    False
    """
    digest = hashlib.sha256()
    seen: set[int] = set()
    for value in values:
        _walk(value, digest.update, seen)
    return digest.hexdigest()


def _walk(value: Any, tell: Any, seen: set[int]) -> None:
    """Tell the content of a value, each part with its kind and length."""
    if value is None or isinstance(value, bool | int | float | str | bytes | complex | Path):
        _tell(tell, type(value).__name__, repr(value))
    elif isinstance(value, np.generic):
        _walk(value.item(), tell, seen)
    elif isinstance(value, np.ndarray):
        _array(value, tell, seen)
    elif isinstance(value, Enum):
        _tell(tell, type(value).__qualname__, value.name)
    elif isinstance(value, Mapping):
        _tell(tell, "mapping", str(len(value)))
        for key in sorted(value, key=repr):
            _walk(key, tell, seen)
            _walk(value[key], tell, seen)
    elif isinstance(value, set | frozenset):
        _walk(sorted(value, key=repr), tell, seen)
    elif isinstance(value, list | tuple):
        _tell(tell, "sequence", str(len(value)))
        for item in value:
            _walk(item, tell, seen)
    elif isinstance(value, type):
        _class(value, tell, seen)
    elif is_dataclass(value):
        _tell(tell, "object", type(value).__qualname__)
        _class(type(value), tell, seen)
        for field in fields(value):
            _tell(tell, "field", field.name)
            _walk(getattr(value, field.name), tell, seen)
    else:
        _function(value, tell, seen)


def _tell(tell: Any, kind: str, text: str) -> None:
    """Tell a text so that no other sequence of texts reads the same."""
    data = text.encode()
    tell(f"{kind}\x1f{len(data)}\x1f".encode() + data)


def _array(value: np.ndarray[Any, Any], tell: Any, seen: set[int]) -> None:
    """Tell an array."""
    _tell(tell, "array", f"{value.dtype.str} {value.shape}")
    if value.dtype.hasobject:
        _walk(value.tolist(), tell, seen)
    else:
        tell(np.ascontiguousarray(value).tobytes())


def _class(value: type, tell: Any, seen: set[int]) -> None:
    """Tell a class by its name, one of the user's own also by its code: a method that was changed is another method."""
    _tell(tell, "type", f"{value.__module__}.{value.__qualname__}")
    if id(value) in seen:
        return
    seen.add(id(value))
    for base in value.__mro__:
        if _root(base) == "confide" or _root(base) in sys.stdlib_module_names:
            continue
        for name, part in sorted(vars(base).items()):
            code = _behind(part)
            # what a dataclass writes by itself follows from its fields
            if isinstance(code, types.FunctionType) and code.__code__.co_filename != "<string>":
                _tell(tell, "method", name)
                _walk(code, tell, seen)
            elif isinstance(code, CONSTANTS) and not name.startswith("__"):
                _tell(tell, "constant", name)
                _walk(code, tell, seen)


def _root(value: Any) -> str:
    """Give the package that a class or a function is from."""
    return str(value.__module__).partition(".")[0]


def _behind(part: Any) -> Any:
    """Give the function behind a property, a class method or a static one."""
    if isinstance(part, property):
        return part.fget
    if isinstance(part, functools.cached_property):
        return part.func
    return part.__func__ if isinstance(part, classmethod | staticmethod) else part


def _function(value: Any, tell: Any, seen: set[int]) -> None:
    """Tell a function by its code, what it encloses and the functions and own classes of its module that it uses."""
    if isinstance(value, functools.partial):
        _walk((value.func, value.args, value.keywords), tell, seen)
        return
    if isinstance(value, types.MethodType):
        _walk((value.__func__, value.__self__), tell, seen)
        return
    if isinstance(value, types.BuiltinFunctionType):
        _tell(tell, "builtin", f"{value.__module__}.{value.__qualname__}")
        return
    if not isinstance(value, types.FunctionType):
        raise NoFingerprint(f"the content of a {type(value).__name__} cannot be named")
    if id(value) in seen:
        return
    seen.add(id(value))
    _tell(tell, "function", f"{value.__module__}.{value.__qualname__}")
    if _root(value) == "confide":
        return
    _code(value.__code__, tell, seen)
    _walk((value.__defaults__, value.__kwdefaults__), tell, seen)
    for cell in value.__closure__ or ():
        _walk(cell.cell_contents, tell, seen)
    for name in value.__code__.co_names:
        used = value.__globals__.get(name)
        own_class = isinstance(used, type) and _root(used) == _root(value)
        if own_class or isinstance(used, (types.FunctionType, *CONSTANTS)):
            _walk(used, tell, seen)


def _code(code: types.CodeType, tell: Any, seen: set[int]) -> None:
    """Tell compiled code: what it does and with which constants."""
    tell(code.co_code)
    _walk(code.co_names, tell, seen)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            _code(constant, tell, seen)
        else:
            _walk(constant, tell, seen)
