"""A play-by-e-mail game server.

Here is what concerns the package as a whole: its files that are not Python, and what its child processes import.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """The folder ``templates`` or ``migrations``: beside the package in a checkout, inside it in a wheel.

    Raises:
        FileNotFoundError: this installation does not carry it.
    """
    for parent in (_PACKAGE, _PACKAGE.parent):
        if (parent / name).is_dir():
            return parent / name
    raise FileNotFoundError(name)


def keep_main_out() -> None:
    """Let children import what they need and no more: those that read letters, and those that search for robots.

    A spawned child imports the script that its parent was started by, and with it the whole
    server, but never the ``__main__`` of a package; so a script says that it is one.
    """
    main = sys.modules["__main__"]
    if main.__spec__ is None:
        main.__spec__ = ModuleSpec("pbem.__main__", None)
