"""``pbem deliver``: a letter on the standard input, an exit code for the MTA."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import click

from pbem.bootstrap.database import check_key, engine_of, existing_path, key_file, signer_of, using_database
from pbem.cli.output import TRY_LATER, end
from pbem.cli.settings import log_beside
from pbem.config import BadSetting, Settings
from pbem.domain.letters import InboxFull
from pbem.errors import PbemError
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.pipe import NeverTaken, NotForUs, envelope_and_letter, read_letter
from pbem.storage.inbox import Inbox
from pbem.workers.intake import Intake


class _Misuse(click.UsageError):
    """Misuse, with the exit code that MTAs know."""

    exit_code = os.EX_USAGE


class _ForMtas(click.Command):
    """A command that also ends with the exit code of MTAs when misused."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as wrong:
            raise _Misuse(wrong.message, wrong.ctx) from None


@click.command(cls=_ForMtas)
@click.argument("recipient", nargs=-1)
@click.option("--sender", metavar="ADDRESS", help="Envelope sender; <> or an empty word is the null sender.")
def deliver(recipient: tuple[str, ...], sender: str | None) -> None:
    """Deliver a letter from standard input to the server's inbox.

    For procmail, .forward files and old MTAs.

    The letter goes straight into the inbox of the configured database, even if no server is running. Run this as the
    same user as the server. A line "From ..." before the letter is removed.

    Each RECIPIENT must be an address of the server; others are refused. If there is none, pbem looks at the variables
    ORIGINAL_RECIPIENT and RECIPIENT, then at the headers X-Original-To and Delivered-To, and finally uses the server's
    own address. Without --sender it uses the variable SENDER, the header Return-Path, the line "From ..." or From.

    The exit code is 0 if the letter is safe, otherwise one that MTAs know from sysexits.h: 75 (EX_TEMPFAIL) if it
    should be tried again later, 67 (EX_NOUSER) if none of the addresses is the server's, 65 (EX_DATAERR) if the letter
    is empty, too large or from an impossible address, 64 (EX_USAGE) if an option does not exist.
    """
    try:
        deliver_letter(sender, recipient, os.environ)
    except NeverTaken as never:
        code = os.EX_NOUSER if isinstance(never, NotForUs) else os.EX_DATAERR
        end(f"the letter was not accepted: {never.facts['reason']}", code)
    except TryLater as later:
        end(f"the letter was not accepted, try again later: {later.facts['reason']}", TRY_LATER)


class TryLater(PbemError):
    """The letter is not stored because of a problem of ours: its sender should keep it."""

    reason: str


def deliver_letter(sender: str | None, recipients: Sequence[str], environ: Mapping[str, str]) -> None:
    """Store the letter on the standard input in the inbox of the configured database; on return it is safe.

    Raises:
        NeverTaken: it can never be taken.
        TryLater: it cannot be taken now.
    """
    os.umask(0o077)  # what SQLite puts beside its database holds letters
    try:
        settings = Settings.read(environ)
        log_beside(settings)
        raw = read_letter(sys.stdin.buffer, settings.max_letter_bytes)
        envelope, letter = envelope_and_letter(raw, sender, recipients, environ, OwnAddress(settings.address))
        with using_database(), _open_intake(settings) as intake:
            intake.store([(envelope, letter, datetime.now(UTC))])
    except NeverTaken:
        raise
    except InboxFull:
        raise TryLater("too many letters are waiting") from None
    except BadSetting as wrong:
        raise TryLater("; ".join(str(wrong).splitlines())) from None
    except (Exception, KeyboardInterrupt) as failed:  # noqa: BLE001 - whatever it was, the letter must not bounce
        raise TryLater(f"unexpected error: {type(failed).__name__}") from None


@contextmanager
def _open_intake(settings: Settings) -> Iterator[Intake]:
    """The way into the inbox, beside whatever server is running on the same database.

    Raises:
        BadSetting: the database or its key has not been made yet, or is lost.
    """
    path = existing_path(settings)
    if path is not None and (missing := check_key(settings)):
        raise BadSetting("PBEM_SECRET_KEY", f"there is no key {key_file(path).absolute()}: {missing}")
    engine = engine_of(settings)
    try:
        yield Intake(Inbox(engine, "", timedelta()), signer_of(settings), settings.max_waiting_letters)
    finally:
        engine.dispose()
