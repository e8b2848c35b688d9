"""The commands of ``pbem admin`` for the page /admin, which are run as programs beside the server."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from os import environ

import click

from pbem.cli.admin import admin
from pbem.web.admin_commands import AdminCommand, AdminCommands, CommandField, CommandResult, FieldKind

_SHOWING = ("list", "show", "letters", "deeds")
"""The last words of commands that only show something."""
_NOT_THERE = ("sign-in",)
"""Commands that make no sense for who has signed in."""
_LONGEST_SECONDS = 60
_MOST_PRINTED = 200_000
"""Characters."""
_TOO_LONG = f"pbem: stopped after {_LONGEST_SECONDS} seconds; run it on the server machine instead\n"


def admin_commands() -> AdminCommands:
    """All of them."""
    found = (_described(words, command) for words, command in _leaves(admin, ()))
    return AdminCommands({"/".join(each.words): each for each in found if each.name not in _NOT_THERE}, _run)


def _leaves(group: click.Group, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    for name, command in sorted(group.commands.items()):
        if isinstance(command, click.Group):
            yield from _leaves(command, (*words, name))
        else:
            yield (*words, name), command


def _described(words: tuple[str, ...], command: click.Command) -> AdminCommand:
    fields = [_field(each) for each in command.params if each.name != "as_json"]
    return AdminCommand(words, command.help or "", fields, words[-1] not in _SHOWING)


def _field(parameter: click.Parameter) -> CommandField:
    if isinstance(parameter, click.Option):
        if isinstance(parameter.type, click.Choice):
            choices = [str(each) for each in parameter.type.choices]
            return CommandField(parameter.opts[0], parameter.help or "", FieldKind.CHOICE, choices=choices)
        kind = FieldKind.FLAG if parameter.is_flag else FieldKind.WORD
        return CommandField(parameter.opts[0], parameter.help or "", kind)
    name = parameter.metavar or (parameter.name or "").upper()
    kind = FieldKind.TEXT if name == "FILE" else FieldKind.WORD if parameter.nargs == 1 else FieldKind.WORDS
    return CommandField(name, "", kind, is_required=parameter.required)


def _run(arguments: Sequence[str], text: str, operator: str) -> CommandResult:
    words = [sys.executable, "-m", "pbem", "admin", "--by", f"{operator}, on the web", *arguments]
    try:
        ended = subprocess.run(  # noqa: S603 - this very program, without a shell
            words,
            input=text.encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environ | {"COLUMNS": "100"},
            timeout=_LONGEST_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        printed = (late.stdout or b"").decode(errors="replace")[:_MOST_PRINTED]
        return CommandResult(is_done=False, printed=f"{printed}{_TOO_LONG}")
    return CommandResult(ended.returncode == 0, ended.stdout.decode(errors="replace")[:_MOST_PRINTED])
