"""The entry point: the subcommands by name, each loaded when it is asked for."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import click

from pbem.cli.output import FAILED, OutputLostError, end, guarded_output
from pbem.config import BadSetting

_SUBCOMMANDS = {
    "admin": "pbem.cli.admin:admin",
    "analyse": "pbem.cli.analyse:analyse",
    "commands": "pbem.cli.commands_page:commands",
    "db": "pbem.cli.db:db",
    "deliver": "pbem.cli.deliver:deliver",
    "demo": "pbem.cli.demo:demo",
    "diagram": "pbem.cli.diagram:diagram",
    "export": "pbem.cli.records:export",
    "help": "pbem.cli.commands_page:help_",
    "import": "pbem.cli.records:import_",
    "replay": "pbem.cli.records:replay",
    "send": "pbem.cli.send:send",
    "serve": "pbem.cli.serve:serve",
    "settings": "pbem.cli.settings:settings",
}
"""The module of each. An MTA may run one for each letter, and most need only a small part of the server's code."""


class _Program(click.Group):
    """The subcommands; none needs to handle an unwritable standard output."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the subcommands."""
        return sorted(_SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of this name; None if there is none."""
        if cmd_name not in _SUBCOMMANDS:
            return None
        module, _, name = _SUBCOMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def main(self, *args: Any, **given: Any) -> Any:
        """Run a subcommand to its end; one that cannot use the settings ends with a sentence."""
        try:
            with guarded_output():
                return super().main(*args, **given)
        except BadSetting as wrong:
            end(str(wrong))
        except OutputLostError as lost:
            click.echo(f"pbem: the standard output cannot be written: {lost}", err=True)
        except BrokenPipeError:  # a reader that has seen enough needs no message
            pass
        sys.exit(FAILED)


@click.group(cls=_Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pbem")
def main() -> None:
    """Play hexagonal tile games by e-mail: the server and its tools."""
