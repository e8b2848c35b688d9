"""The entry point: one function for each subcommand."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from pbem.bootstrap import find_games, make_wording
from pbem.cli.admin import admin
from pbem.cli.commands_page import commands_page
from pbem.cli.db import db
from pbem.cli.deliver import TryLater, deliver_letter
from pbem.cli.diagram import Diagram
from pbem.cli.exits import FAILED, MISUSE, TRY_LATER, read_settings
from pbem.cli.output import OutputLostError, guarded_output
from pbem.cli.records import export_records, import_records, replay_records
from pbem.cli.send import LetterRefused, answer_newest, send_letter
from pbem.cli.serve import serve as run_server
from pbem.config import BadSetting, Settings
from pbem.errors import PlayerError
from pbem.ids import BoardNumber
from pbem.mail_in.pipe import NeverTaken

if TYPE_CHECKING:
    from collections.abc import Callable


class _Program(click.Group):
    """The subcommands; none of them need care whether its standard output can be written."""

    def main(self, *args: Any, **given: Any) -> Any:
        """Run one of them to its end."""
        try:
            with guarded_output():
                return super().main(*args, **given)
        except OutputLostError as lost:
            click.echo(f"pbem: the standard output cannot be written: {lost}", err=True)
        except BrokenPipeError:  # a reader that has seen enough needs no message
            pass
        sys.exit(FAILED)


@click.group(cls=_Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pbem")
def main() -> None:
    """Play hexagonal tile games by e-mail: the server and its tools."""


@main.command()
def serve() -> None:
    """Run the server until it is told to end (Ctrl-C or SIGTERM)."""
    try:
        run_server(read_settings(), click.echo)
    except BadSetting as wrong:
        click.echo(f"pbem: {wrong}", err=True)
        sys.exit(FAILED)


@main.command()
def settings() -> None:
    """Print every setting, its value and where it comes from.

    Secrets are masked.
    """
    from rich.console import Console  # which takes longer to load than most subcommands take
    from rich.table import Table

    table = Table("setting", "value", "from", box=None, header_style="bold", pad_edge=False)
    for row in read_settings().rows():
        table.add_row(*row)
    console = Console()
    Console(width=max(console.width, 120) if not console.is_terminal else None).print(table)


@main.command()
def commands() -> None:
    """Print the commands that players mail, as in docs/commands.md."""
    click.echo(commands_page(), nl=False)


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
    given = read_settings()
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
@click.argument("recipient", nargs=-1)
@click.option("--sender", metavar="ADDRESS", help="The sender of the envelope; <> or nothing is the null sender.")
def deliver(recipient: tuple[str, ...], sender: str | None) -> None:
    """Take the letter that stands on the standard input.

    For procmail, .forward files and old MTAs.

    It goes straight into the inbox of the database that the settings name, whether a server is running or not; run this
    as the user that the server runs as. A line "From ..." before the letter is taken off.

    Each RECIPIENT is an address of the server; others are refused. Without any, the variables ORIGINAL_RECIPIENT and
    RECIPIENT are looked at, then the headers X-Original-To and Delivered-To, and else it is the server's own address.
    Without --sender it is what the variable SENDER says, or the header Return-Path, or the line "From ...", or From.

    The exit code is 0 if the letter is safe, 75 if it should be tried again later, 1 if it can never be taken.
    """
    try:
        deliver_letter(sender, recipient, os.environ)
    except NeverTaken as never:
        click.echo(f"pbem: the letter was not taken: {never.facts['reason']}", err=True)
        sys.exit(FAILED)
    except TryLater as later:
        click.echo(f"pbem: the letter was not taken, try again later: {later.facts['reason']}", err=True)
        sys.exit(TRY_LATER)


@main.command()
@click.option("--pause", default=0.0, help="Seconds to wait after each mail, to read along.")
def demo(pause: float) -> None:
    """Play a whole game over real SMTP, and show the mails.

    The server runs in a folder that is gone afterwards, and both players are scripted.
    """
    from rich.console import Console

    from pbem.cli.demo import play_demo

    if not play_demo(Console(highlight=False), pause):
        sys.exit(FAILED)


@main.command()
@click.argument("file", type=click.File("rb"), default="-")
def replay(file: BinaryIO) -> None:
    """Check game records by the rules, and print what each comes to.

    Reads JSON lines from FILE or, without one, from the standard input: a record of the format pbem-game/1 each. Prints
    one JSON object a line: game, ok, error (turn, reason), result (winner, reason), turns, and the last position.

    The exit code is 0 if all records are sound, 1 if some are not.
    """
    sys.exit(0 if replay_records(file) else FAILED)


def _known_game(_context: click.Context, _option: click.Parameter, word: str | None) -> str | None:
    games = sorted(find_games())
    if word is not None and word.lower() not in games:
        raise click.BadParameter(f"{word!r} is none of the games here: {', '.join(games)}.")
    return word and word.lower()


_OUT = click.Path(dir_okay=False, allow_dash=True)


@main.command()
@click.argument("game", callback=_known_game)
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: tiles, spaces, null_points, groups.")
@click.option("--render", is_flag=True, help="Print the drawing again, cropped.")
@click.option("--svg", type=_OUT, metavar="OUT", help="Write a picture as SVG; - is the standard output.")
@click.option("--png", type=_OUT, metavar="OUT", help="Write a picture as PNG; - is the standard output.")
def diagram(game: str, file: BinaryIO, svg: str | None, png: str | None, *, as_json: bool, render: bool) -> None:
    """Say what a drawing of a position of GAME shows.

    GAME is one of hexagonal tiles. Reads the drawing from FILE or, without one, from the standard input: letters as in
    the mails, with or without labels, anywhere on the lines. Prints its tiles, groups and spaces to read, unless
    something else is asked for.
    """
    if as_json + render + (svg == "-") + (png == "-") > 1:
        raise click.UsageError("Only one of --json, --render, --svg - and --png - can be printed at a time.")
    if png == "-" and sys.stdout.isatty():
        raise click.UsageError("A PNG is not for a terminal: name a file, or lead it into another program.")
    try:
        shown = Diagram(game, file)
    except PlayerError as wrong:
        click.echo(f"pbem: {' '.join(make_wording(Settings()).reason(wrong).split())}", err=True)
        sys.exit(FAILED)
    _write(svg, shown.svg)
    _write(png, shown.png)
    if as_json:
        click.echo(shown.json(), nl=False)
    elif render:
        click.echo(shown.render(), nl=False)
    elif svg is None and png is None:
        click.echo(shown.words(), nl=False)


def _write(out: str | None, make: Callable[[], bytes]) -> None:
    """Write what is made into a file, if one is named."""
    if out is None:
        return
    try:
        with click.open_file(out, "wb") as file:
            file.write(make())
    except OSError as failed:
        click.echo(f"pbem: {out} cannot be written: {failed.strerror}", err=True)
        sys.exit(FAILED)


@main.command()
@click.argument("board", type=click.IntRange(1, 999_999_999), nargs=-1)
@click.option("--game", callback=_known_game, help="Only boards of this game.")
def export(board: tuple[int, ...], game: str | None) -> None:
    """Print the game records of these boards, or of all.

    Each is a line of JSON. Challenges that were declined are no games and left out.
    """
    try:
        complete = export_records(read_settings(), [BoardNumber(number) for number in board], game)
    except BadSetting as wrong:
        click.echo(f"pbem: {wrong}", err=True)
        sys.exit(FAILED)
    sys.exit(0 if complete else FAILED)


@main.command(name="import")
@click.argument("file", type=click.File("rb"), default="-")
def import_(file: BinaryIO) -> None:
    """Make boards of game records.

    Reads JSON lines from FILE or, without one, from the standard input: a record of the format pbem-game/1 each. It is
    checked as `pbem replay` does, and taken in for itself: a bad one does not hold up the others. Nothing is rated, and
    nobody is mailed.

    A game that is here already is not taken in again, so an import can be repeated; nor is the beginning of a game that
    was imported and is still on. Of equal records in one import each needs a board of its own. A game without a turn
    counts as here only if it was imported.

    Players of finished games who have no account get one that nobody can use; their userids are then taken. Games that
    are still on are taken in only if all their players have accounts.

    The exit code is 0 if all games are here now, 1 if some were refused.
    """
    try:
        complete = import_records(read_settings(), file)
    except BadSetting as wrong:
        click.echo(f"pbem: {wrong}", err=True)
        sys.exit(FAILED)
    sys.exit(0 if complete else FAILED)


main.add_command(admin)
main.add_command(db)
