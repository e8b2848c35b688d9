"""Shared parts of the subcommands of ``pbem admin``: the session, the options, and the end of a deed."""

from __future__ import annotations

import os
import pwd
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime

import click
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from pbem.bootstrap.database import using_database
from pbem.bootstrap.upkeep import open_desk
from pbem.bootstrap.wording import make_wording
from pbem.cli.arguments import Number
from pbem.cli.output import OVERTAKEN, TRY_LATER, end, read_settings, safe
from pbem.cli.settings import log_beside
from pbem.config import Settings
from pbem.domain.administration import checked_text
from pbem.errors import PlayerError
from pbem.executor import TooManyConflicts
from pbem.ids import HIGHEST_NUMBER
from pbem.workers.admin_session import AdminSession

Which = Callable[[Connection], Sequence[int]]
Change = Callable[[Connection, Sequence[int], datetime], list[int]]


ASKED_BY = "pbem.asked-by"
"""The operator who asks by the web, among what the contexts of a command share."""
NUMBER = Number(1, HIGHEST_NUMBER)
"""The type of the numbers of boards, letters, mails and reports."""
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
reason = click.option("--reason", default="", metavar="TEXT", help="The reason, mailed to the people concerned.")
noted_reason = click.option("--reason", default="", metavar="TEXT", help="The reason, recorded but mailed to nobody.")
limit = click.option("--limit", default=50, show_default=True, type=Number(1, 100_000), help="Show at most this many.")


def past_moment(_context: click.Context, _option: click.Parameter, text: str | None) -> datetime | None:
    """The moment that an option names, by date or by date and time."""
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text.strip())
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise click.BadParameter(f"{text!r} is not a date like 2026-11-01.") from None
    if moment > datetime.now(UTC):
        raise click.BadParameter(f"{text!r} is in the future.")
    return moment


@contextmanager
def at_desk(settings: Settings | None = None) -> Iterator[AdminSession]:
    """The operator's session; a problem in it ends the program with one sentence."""
    settings = settings or read_settings()
    log_beside(settings)
    try:
        with using_database(), closing(open_desk(settings, account())) as desk:
            try:
                yield desk
            except OperationalError as failed:
                if "locked" not in str(failed.orig):
                    raise
                end("the database is busy; please try again", TRY_LATER)
    except PlayerError as wrong:
        end(make_wording(settings).reason_line(wrong))
    except TooManyConflicts:
        end(OVERTAKEN, TRY_LATER)


def account() -> str:
    """The operator: their account on the machine, or who has signed in on the web."""
    context = click.get_current_context(silent=True)
    asked_by = None if context is None else context.meta.get(ASKED_BY)
    if asked_by is not None:
        return safe(asked_by)[:64]
    try:
        name = pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        name = str(os.getuid())
    behind = os.environ.get("SUDO_USER")
    return safe(f"{name} ({behind})" if behind and behind != name else name)[:64]


def checked_reason(text: str) -> str:
    """A reason that can be mailed.

    Raises:
        BadText: the text cannot be mailed.
    """
    return checked_text(text, what="reason") if text.strip() else ""


def did(sentence: str, mails: Sequence[object]) -> None:
    """Print the deed, and the number of mails about it."""
    count = len(mails)
    click.echo(
        f"{sentence}; {'no mail is' if not count else '1 mail is' if count == 1 else f'{count} mails are'} on the way"
    )


def change_rows(
    deed: str, numbers: Collection[int], which: Which, change: Change, *, everything: bool
) -> tuple[Sequence[int], Sequence[int]]:
    """Change rows that are named by their numbers, or all that can be changed, and record that if there are any.

    Args:
        deed: its name on the command line.
        numbers: the numbers of the rows.
        which: finds the rows that can be changed.
        change: changes rows; returns those that it has changed.
        everything: True if all rows are meant.

    Returns:
        The numbers that were meant, and those of changed rows.
    """
    changed: list[int] = []
    with at_desk() as desk:
        with desk.reading() as connection:
            there = which(connection)
        meant = there if everything else sorted(set(numbers))

        def write(connection: Connection, now: datetime) -> None:
            changed[:] = change(connection, meant, now)

        if set(meant) & set(there):
            desk.do(deed, " ".join(map(str, meant)), write=write)
    return meant, changed


def end_if_missing(asked: Iterable[int], done: Collection[int], why: str) -> None:
    """End the program if some of the requests could not be done; ``why`` is printed before their numbers."""
    missing = sorted(set(asked) - set(done))
    if missing:
        end(f"{why}: {', '.join(map(str, missing))}")
