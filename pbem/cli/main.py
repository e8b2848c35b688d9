"""The entry point: the subcommands by name, each loaded when it is asked for."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, NamedTuple

import click

from pbem.cli.output import FAILED, OutputLostError, end, guarded_output
from pbem.config import BadSetting


class _Subcommand(NamedTuple):
    """A subcommand that is not loaded yet."""

    place: str
    """Its module and its name there."""
    short_help: str
    """Its line in ``pbem --help``, the first sentence of its own help."""


SUBCOMMANDS = {
    "admin": _Subcommand("pbem.cli.admin:admin", "Run the server day to day, or see how it is doing."),
    "analyse": _Subcommand("pbem.cli.analyse:analyse", "Show what each move of a game was worth, and where it turned."),
    "check-mail": _Subcommand("pbem.cli.check_mail:check_mail", "Try the mailbox that letters come from, and report."),
    "commands": _Subcommand("pbem.cli.commands_page:commands", "Print all commands that players can mail."),
    "db": _Subcommand("pbem.cli.db:db", "Upgrade, check, back up and copy the database."),
    "deliver": _Subcommand("pbem.cli.deliver:deliver", "Deliver a letter from standard input to the server's inbox."),
    "demo": _Subcommand("pbem.cli.demo:demo", "Play a whole game over real SMTP and show the mails."),
    "diagram": _Subcommand("pbem.cli.diagram:diagram", "Explain a drawing of a position in GAME."),
    "doctor": _Subcommand("pbem.cli.doctor:doctor", "Look at everything the server depends on, and say what helps."),
    "export": _Subcommand("pbem.cli.records:export", "Print the game records of these boards, or of all boards."),
    "help": _Subcommand("pbem.cli.commands_page:help_", "Print a help page, as players get it by mail."),
    "import": _Subcommand("pbem.cli.records:import_", "Create boards from game records."),
    "replay": _Subcommand("pbem.cli.records:replay", "Check game records against the rules; print each result."),
    "send": _Subcommand("pbem.cli.send:send", "Mail COMMAND to a running server, as any mail program would."),
    "serve": _Subcommand("pbem.cli.serve:serve", "Run the server until Ctrl-C or SIGTERM."),
    "settings": _Subcommand("pbem.cli.settings:settings", "Print every setting, its value and where it comes from."),
}
"""An MTA may run one for each letter, and most need only a small part of the server's code."""


@contextmanager
def _loading() -> Iterator[None]:
    """Load modules without looking for garbage among them: they stay, and looking takes a third of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.freeze()


class _Program(click.Group):
    """The subcommands; none needs to handle an unwritable standard output."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the subcommands."""
        return sorted(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of this name; None if there is none."""
        if cmd_name not in SUBCOMMANDS:
            return None
        module, _, name = SUBCOMMANDS[cmd_name].place.partition(":")
        with _loading():
            command: click.Command = getattr(import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the lines of the subcommands into the help, and load none of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, SUBCOMMANDS[name].short_help) for name in self.list_commands(ctx)])

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
