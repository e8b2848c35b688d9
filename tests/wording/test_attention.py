"""The words for things that need the operator."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem import folder
from pbem.usecases import attention
from pbem.usecases.attention import Attention
from pbem.wording.templates import Wording

WHATS = re.findall(r'"([a-z]+_[a-z_]+)"', Path(attention.__file__).read_text())


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("what", sorted(set(WHATS)))
def test_everything_that_can_be_judged_has_a_sentence(what: str, count: int) -> None:
    wording = Wording(folder("templates"), {})
    found = [Attention(what, "pbem admin x", count=count, since=datetime(2026, 3, 1, tzinfo=UTC))]
    sentence, command = wording.tool("attention", {"found": found}).rstrip("\n").split("\n")
    assert re.match(r"[A-Z0-9].*\. Since 2026-03-01 00:00\.$", sentence), sentence
    assert command == "  pbem admin x"


def test_at_least_those_are_found() -> None:
    assert {"relay_fails", "mails_wait", "letters_shunted", "disk_short"} <= set(WHATS)
