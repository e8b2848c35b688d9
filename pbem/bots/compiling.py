"""The compiler, where it is installed; without it the same source runs as plain Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, MutableSequence

try:
    import numba
    import numpy as np
except ImportError:  # the extra ``robots`` is not installed
    numba = None

FunctionT = TypeVar("FunctionT", bound="Callable[..., Any]")

IS_COMPILED = numba is not None
"""Whether `compiled` compiles."""


def compiled(function: FunctionT) -> FunctionT:
    """A function of integers and sequences of integers; kept on disk once it was compiled."""
    if numba is None:
        return function
    found: FunctionT = numba.njit(cache=True, nogil=True)(function)
    return found


if IS_COMPILED:

    @compiled
    def zeros(count: int) -> MutableSequence[int]:
        """So many zeros."""
        found: MutableSequence[int] = np.zeros(count, np.int32)
        return found

else:

    def zeros(count: int) -> MutableSequence[int]:
        """So many zeros."""
        return [0] * count


def integers(values: list[int]) -> MutableSequence[int]:
    """Integers of 32 bits as compiled functions take them; lists are the fastest without a compiler."""
    found: MutableSequence[int] = np.array(values, dtype=np.int32) if IS_COMPILED else values
    return found


def floats(count: int) -> MutableSequence[float]:
    """So many zeros of 64 bits as compiled functions take them."""
    found: MutableSequence[float] = np.zeros(count, dtype=np.float64) if IS_COMPILED else [0.0] * count
    return found
