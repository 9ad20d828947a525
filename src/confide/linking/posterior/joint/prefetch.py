"""Ask for memory ahead of its use, from compiled loops."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

READ, SECOND_CACHE, DATA = 0, 2, 1


def _prefetch(typing_context: Any, array: Any, at: Any) -> Any:
    """Give the type of a call, and what writes it."""
    del typing_context, at

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        place = builder.bitcast(builder.gep(data, [args[1]]), ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [place.type, number, number, number])
        insert: Any = cgutils.get_or_insert_function
        call = insert(builder.module, kind, "llvm.prefetch.p0")
        builder.call(call, [place, number(READ), number(SECOND_CACHE), number(DATA)])
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


prefetch: Any = intrinsic(_prefetch)
"""Bring the cache line of array[at] near, without waiting for it; an `at` outside the array does no harm."""
