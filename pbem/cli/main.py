"""The entry point: one function for each subcommand."""

from __future__ import annotations

import os
import sys

import click
from rich.console import Console
from rich.table import Table

from pbem.cli.demo import play_demo
from pbem.cli.send import LetterRefused, answer_newest, send_letter
from pbem.cli.serve import serve as run_server
from pbem.config import BadSetting, Settings

FAILED, MISUSE, TRY_LATER = 1, 2, 75
"""Exit codes; the last is EX_TEMPFAIL of sysexits.h."""


def _settings() -> Settings:
    try:
        return Settings.read(os.environ)
    except BadSetting as wrong:
        click.echo(f"pbem: {wrong}", err=True)
        sys.exit(MISUSE)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pbem")
def main() -> None:
    """Play hexagonal tile games by e-mail: the server and its tools."""


@main.command()
def serve() -> None:
    """Run the server until it is told to end (Ctrl-C or SIGTERM)."""
    try:
        run_server(_settings(), click.echo)
    except BadSetting as wrong:
        click.echo(f"pbem: {wrong}", err=True)
        sys.exit(FAILED)


@main.command()
def settings() -> None:
    """Print every setting, its value and where it comes from; secrets are masked."""
    table = Table("setting", "value", "from", box=None, header_style="bold", pad_edge=False)
    for row in _settings().rows():
        table.add_row(*row)
    console = Console()
    Console(width=max(console.width, 120) if not console.is_terminal else None).print(table)


@main.command()
@click.argument("command")
@click.option("--as", "sender", required=True, help="The address that the letter comes from.")
@click.option("--body", default="", help="Text below the command; for the opponent where there is one.")
@click.option("--to", "recipient", help="Another address of the server, such as the Reply-To of a mail.")
@click.option(
    "--reply",
    is_flag=True,
    help="Answer the newest mail to this sender in the Maildir; COMMAND is the answer.",
)
def send(command: str, sender: str, body: str, recipient: str | None, *, reply: bool) -> None:
    """Mail COMMAND to a running server, as any mail program would."""
    given = _settings()
    try:
        if reply:
            answer_newest(given, sender, "\n".join(filter(None, [command, body])))
        else:
            send_letter(given, sender, recipient or given.address, command, body)
    except ValueError as wrong:
        click.echo(f"pbem: this is no letter: {wrong}", err=True)
        sys.exit(MISUSE)
    except LetterRefused as refused:
        click.echo(f"pbem: the letter was not taken: {refused}", err=True)
        sys.exit(FAILED if refused.for_good else TRY_LATER)
    except OSError as failed:
        click.echo(f"pbem: the letter was not taken: {failed}", err=True)
        sys.exit(TRY_LATER)
    except LookupError as nothing:
        click.echo(f"pbem: {nothing.args[0]}", err=True)
        sys.exit(FAILED)
    click.echo("sent")


@main.command()
@click.option("--pause", default=0.0, help="Seconds to wait after each mail, to read along.")
def demo(pause: float) -> None:
    """Play a whole game between two scripted players over real SMTP, and show their mails."""
    if not play_demo(Console(highlight=False), pause):
        sys.exit(FAILED)
