"""How many files the process may have open, connections among them."""

from __future__ import annotations

import resource

OWN_FILES = 256
"""For the database, what the process has open itself, and connections that are just being refused."""


def most_files() -> int:
    """Let the process have as many open as the system ever allows it; return how many that is."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def room_for_web(files: int, wanted: int, for_mail: int) -> int:
    """How many connections the web may have, so that letters always come in.

    Args:
        files: that may be open.
        wanted: connections, by the settings.
        for_mail: connections to the doors for letters, at the most.
    """
    return max(1, min(wanted, files - for_mail - OWN_FILES))
