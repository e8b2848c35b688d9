"""The permissions that the commands declare."""

from __future__ import annotations

from pbem.commands.command import Need
from pbem.commands.verbs import COMMANDS
from pbem.usecases.dispatcher import HANDLERS
from tests.commands.declared import TABLES, declarations


def test_verbs_and_commands_are_declared_as_in_the_tables() -> None:
    """Whoever changes a declaration changes declarations.txt, too, so that a reviewer sees it."""
    assert declarations() == TABLES.read_text(), "If this is meant: python -m tests.commands.declared"


def test_every_command_has_a_handler() -> None:
    assert [each for each in COMMANDS if each not in HANDLERS] == []


def test_commands_that_need_nothing_are_few_and_public() -> None:
    """A command for which a forged letter is enough shows what is public, or asks back at an address on record."""
    assert {each.form for each in COMMANDS if each.needs is Need.NOTHING} == {
        *("signup", "forgot", "help", "list", "who", "puzzle", "seek", "robot", "standings", "history"),
        *("explore", "preview", "show", "games", "export", "tournament", "study"),
    }
