"""Commands that documents show."""

from __future__ import annotations

import re

import click

from pbem.cli.main import main


def command_exists(words: list[str]) -> bool:
    """Return True if the words name a command of ours, with its subcommands and options."""
    command: click.Command = main
    for word in words:
        if word.startswith("-"):
            if word not in {name for each in command.get_params(click.Context(command)) for name in each.opts}:
                return False
        elif isinstance(command, click.Group):
            found = command.get_command(click.Context(command), word)
            if found is None:
                return False
            command = found
    return True


def commands_in(text: str) -> list[list[str]]:
    found = re.findall(r"(?m)(?:^|`|/bin/|\bthen )pbem((?: [a-z-]+)+)", text)
    return [words.split() for words in found]
