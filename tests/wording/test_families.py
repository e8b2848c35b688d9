"""The families of games are known to whoever words anything."""

from __future__ import annotations

import subprocess
import sys

_PAGE = (
    "from pbem.bootstrap.wording import make_wording\n"
    "from pbem.config import Settings\n"
    "print(make_wording(Settings()).help.page('mambo').text)"
)


def test_boards_are_drawn_in_a_process_that_has_imported_nothing_else() -> None:
    shown = subprocess.run([sys.executable, "-c", _PAGE], capture_output=True, text=True, check=True).stdout
    assert "`--" in shown
    assert "Position(" not in shown
