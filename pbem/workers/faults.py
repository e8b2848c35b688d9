"""What may be written down of an exception: where it happened, never what it was about.

Messages and local variables of an exception may hold a letter's words, and a
password among them.
"""

from __future__ import annotations

import traceback
from pathlib import PurePath


def where_it_failed(failed: BaseException) -> dict[str, str]:
    """Kind and place of an exception, for a log."""
    frames = traceback.extract_tb(failed.__traceback__)
    places = [f"{PurePath(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
    return {"error": type(failed).__name__, "at": " > ".join(places[-4:])}
