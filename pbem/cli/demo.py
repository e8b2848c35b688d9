"""demo"""

from __future__ import annotations

from typing import Any


def play_demo(console: Any, pause: float) -> None: ...
