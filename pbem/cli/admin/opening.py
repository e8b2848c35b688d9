"""What the subcommands of ``pbem admin`` share: the desk, how a deed ends, and tables."""

from __future__ import annotations

import json
import os
import pwd
from contextlib import closing, contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text
from sqlalchemy.exc import OperationalError

from pbem.bootstrap.database import using_database
from pbem.bootstrap.desk import open_desk
from pbem.bootstrap.wording import make_wording
from pbem.cli.exits import TRY_LATER, end, read_settings
from pbem.config import BadSetting
from pbem.domain.bulletins import checked_text
from pbem.errors import PlayerError
from pbem.usecases.ports import Conflict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pbem.config import Settings
    from pbem.workers.desk import Desk

_NARROWEST = 120
"""Columns of a table that goes into a file."""

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
reason = click.option("--reason", default="", metavar="TEXT", help="Why; those concerned are told so.")
noted_reason = click.option("--reason", default="", metavar="TEXT", help="Why; it is noted, and told to nobody.")
limit = click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 100_000), help="At most so many.")


@contextmanager
def at_desk(settings: Settings | None = None) -> Iterator[Desk]:
    """The desk; trouble at it ends the program with one sentence."""
    settings = settings or read_settings()
    try:
        with using_database(), closing(open_desk(settings, account())) as desk:
            try:
                yield desk
            except OperationalError as failed:
                if "locked" not in str(failed.orig):
                    raise
                end("the database is busy; please try again", TRY_LATER)
    except BadSetting as wrong:
        end(str(wrong))
    except PlayerError as wrong:
        end(" ".join(make_wording(settings).reason(wrong).split()))
    except Conflict:
        end("the server was quicker again and again; please try again", TRY_LATER)


def account() -> str:
    """Who sits at the machine."""
    try:
        name = pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        name = str(os.getuid())
    behind = os.environ.get("SUDO_USER")
    return safe(f"{name} ({behind})" if behind and behind != name else name)[:64]


def checked_reason(text: str) -> str:
    """A reason that can be mailed.

    Raises:
        BadText: it cannot.
    """
    return checked_text(text) if text.strip() else ""


def did(sentence: str, mails: Sequence[object]) -> None:
    """Say what was done, and how many are told of it."""
    count = len(mails)
    click.echo(
        f"{sentence}; {'no mail is' if not count else '1 mail is' if count == 1 else f'{count} mails are'} on the way"
    )


def safe(text: object) -> str:
    """A text that steers no terminal, on one line."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in str(text))


def show(
    rows: Sequence[dict[str, Any]], columns: Sequence[str], *, as_json: bool, nothing: str = "There is nothing."
) -> None:
    """Print rows as a table, or as a JSON list of objects."""
    if as_json:
        click.echo(json.dumps(rows, default=_plain))
        return
    if not rows:
        click.echo(nothing)
        return
    table = Table(*columns, box=None, header_style="bold", pad_edge=False)
    for row in rows:
        table.add_row(*(Text(_cell(row[column])) for column in columns))
    console = Console()
    Console(width=max(console.width, _NARROWEST) if not console.is_terminal else None).print(table)


def show_one(facts: dict[str, Any], *, as_json: bool) -> None:
    """Print the facts of one thing, a line each, or as a JSON object."""
    if as_json:
        click.echo(json.dumps(facts, default=_plain))
        return
    width = max(map(len, facts))
    for name, value in facts.items():
        lines = [_cell(each) for each in value] if isinstance(value, list | tuple) else _cell(value).split("\n")
        for number, line in enumerate(lines or [""]):
            click.echo(f"{name if number == 0 else '':{width}}  {line}".rstrip())


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, dict):
        return "  ".join(_cell(each) for each in value.values() if each not in (None, ""))
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(value, list | tuple):
        return ", ".join(map(_cell, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "\n".join(safe(line) for line in str(value).split("\n"))


def _plain(value: object) -> Any:
    return value.isoformat() if isinstance(value, datetime) else str(value)
