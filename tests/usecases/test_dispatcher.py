"""The table of contents of the server."""

from __future__ import annotations

import pytest

from pbem.commands import deeds
from pbem.commands.deeds import AccountDeed
from pbem.commands.model import Command
from pbem.usecases.dispatcher import HANDLERS
from pbem.usecases.proof.needs import NEEDS

DEEDS = [
    each
    for each in vars(deeds).values()
    if isinstance(each, type) and issubclass(each, Command) and each not in (Command, AccountDeed)
]


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.__name__)
def test_what_nobody_writes_in_a_letter_has_a_handler_and_no_form(deed: type[Command]) -> None:
    assert deed in HANDLERS
    assert not hasattr(deed, "form")
    assert deed not in NEEDS


def test_every_other_command_with_a_handler_has_a_form() -> None:
    assert [each for each in HANDLERS if not hasattr(each, "form") and each not in DEEDS] == []
