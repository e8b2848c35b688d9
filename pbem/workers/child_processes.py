"""Child processes for long work, which letters must not wait for."""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import signal
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import wait
from pathlib import Path
from threading import Thread

from pbem import keep_main_out

NICENESS = 10
"""Letters go first."""
_EXPENDABLE = "500"
"""If memory is short the system ends a child rather than its parent."""


def child_process() -> ProcessPoolExecutor:
    """One child process, which does one thing at a time; it starts with the first."""
    keep_main_out()
    return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _begin)


def kill(child: ProcessPoolExecutor) -> None:
    """End a child, whatever it is doing."""
    for process in tuple((child._processes or {}).values()):  # noqa: SLF001 - its executor would wait for it
        with contextlib.suppress(OSError):
            process.kill()


def _begin() -> None:
    """Prepare a child."""
    logging.disable(logging.CRITICAL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches it, too, but its parent decides
    os.nice(NICENESS)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(_EXPENDABLE, encoding="ascii")
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Let no child go on for a server that was killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
