"""The common part of processes that start children: the reader of letters, and the robots' search."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec


def keep_main_out() -> None:
    """Let children import what they need and no more.

    A spawned child imports the script that its parent was started by, and with it the whole
    server, but never the ``__main__`` of a package; so a script says that it is one.
    """
    main = sys.modules["__main__"]
    if main.__spec__ is None:
        main.__spec__ = ModuleSpec("pbem.__main__", None)
