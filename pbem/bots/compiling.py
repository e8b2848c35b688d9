"""The compiler, where it is installed and not switched off; without it the same source runs as plain Python."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, MutableSequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

try:
    import numba
    import numpy as np
except ImportError:  # the extra ``robots`` is not installed
    numba = None
if numba is not None and numba.config.DISABLE_JIT:  # numpy's integers would overflow where compiled ones wrap around
    numba = None

FunctionT = TypeVar("FunctionT", bound="Callable[..., Any]")

IS_COMPILED = numba is not None
"""`compiled` compiles; otherwise it returns the function as it is."""

_PACKAGE = Path(__file__).parent
_FOLDER = "numba-"
"""The beginning of the name of a folder of compiled functions."""


def kept_at(folders: tuple[Path, ...]) -> Path | None:
    """The folder for compiled functions, in the first of these that can be written to; None if there is none.

    It is named by all sources, since compiled code is stale as soon as a function that it calls has changed. When it is
    made, the folders of other sources are removed.
    """
    sources = b"".join(file.read_bytes() for file in sorted(_PACKAGE.rglob("*.py")))
    for folder in folders:
        found = folder / f"{_FOLDER}{blake2b(sources, digest_size=8).hexdigest()}"
        try:
            is_new = not found.exists()
            found.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(found, os.W_OK):
            if is_new:
                _remove_others(found)
            return found
    return None


def _remove_others(kept: Path) -> None:
    """Remove the folders beside one, as far as that can be done; a process that uses one makes it again if it must."""
    for each in kept.parent.glob(f"{_FOLDER}*"):
        if each != kept:
            shutil.rmtree(each, ignore_errors=True)


_CAN_KEEP = False
if numba is not None:
    if not numba.config.CACHE_DIR:
        numba.config.CACHE_DIR = str(kept_at((_PACKAGE / "__pycache__", Path("~/.cache/pbem").expanduser())) or "")
    _CAN_KEEP = bool(numba.config.CACHE_DIR)


def compiled(function: FunctionT) -> FunctionT:
    """A function of integers and sequences of integers; kept on disk once it was compiled, where that can be."""
    if numba is None:
        return function
    found: FunctionT = numba.njit(cache=_CAN_KEEP, nogil=True)(function)
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
