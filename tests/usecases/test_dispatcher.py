"""The table of contents of the server."""

from __future__ import annotations

import pytest

from pbem.commands import internal
from pbem.commands.command import BoardCommand, Command, Need
from pbem.commands.internal import AccountDeed
from pbem.usecases.dispatcher import HANDLERS

UNWRITTEN = [
    each
    for each in vars(internal).values()
    if isinstance(each, type) and issubclass(each, Command) and each not in (Command, BoardCommand, AccountDeed)
]


@pytest.mark.parametrize("kind", UNWRITTEN, ids=lambda kind: kind.__name__)
def test_what_nobody_writes_in_a_letter_has_a_handler_and_no_form(kind: type[Command]) -> None:
    assert kind in HANDLERS
    assert not hasattr(kind, "form")
    assert kind.needs is (Need.PROOF if issubclass(kind, BoardCommand) else Need.NOTHING)


def test_every_other_command_with_a_handler_has_a_form() -> None:
    assert [each for each in HANDLERS if not hasattr(each, "form") and each not in UNWRITTEN] == []
