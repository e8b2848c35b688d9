"""Tables of the command line, and progress on a terminal."""

from __future__ import annotations

import io
import sys
from typing import Any

import pytest

from pbem.cli.progress import progress_of
from pbem.cli.tables import show


def test_columns_are_as_wide_as_their_widest_cell_and_every_line_of_a_cell_is_shown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows: list[dict[str, Any]] = [
        {"userid": "alice", "why": "two\nlines", "since": True},
        {"userid": "bob", "why": None, "since": False},
    ]
    show(rows, ("userid", "why", "since"), as_json=False)
    assert capsys.readouterr().out.splitlines() == [
        "userid  why    since",
        "alice   two    yes",
        "        lines",
        "bob            no",
    ]


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_on_a_terminal_reaches_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress_of("copying") as told:
        told(1, 4)
        told(4, 4)
        shown = terminal.getvalue()
    assert "copying" in shown
    assert "100%" in shown


def test_nothing_is_shown_where_no_terminal_is(monkeypatch: pytest.MonkeyPatch) -> None:
    no_terminal = io.StringIO()
    monkeypatch.setattr(sys, "stderr", no_terminal)
    with progress_of("copying") as told:
        told(4, 4)
    assert no_terminal.getvalue() == ""
