"""``pbem db``: the database brought up to date, checked and backed up, also while a server is running on it."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

import click

from pbem.bootstrap.database import using_database
from pbem.bootstrap.upkeep import open_database
from pbem.cli.exits import FAILED, MISUSE, end, read_settings
from pbem.config import BadSetting
from pbem.storage.upkeep import NoBackup


@click.group()
def db() -> None:
    """Look after the database, also while a server is running on it."""


@db.command()
def upgrade() -> None:
    """Bring the schema up to date, as each start of the server does."""
    try:
        with using_database(), open_database(read_settings()) as database:
            before, now = database.upgrade()
    except BadSetting as wrong:
        end(str(wrong))
    click.echo(f"schema: {now}" + ("" if before == now else f", was {before or 'empty'}"))


@db.command()
def check() -> None:
    """Say whether the database is sound, up to date and writable.

    The exit code is 0 if all is well, 1 if anything is not.
    """
    try:
        with open_database(read_settings()) as database:
            findings = list(database.check())
    except BadSetting as wrong:
        end(str(wrong))
    for finding in findings:
        click.echo(f"{finding.what}: {finding.said}")
    sys.exit(0 if all(finding.is_well for finding in findings) else FAILED)


@db.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def backup(file: Path) -> None:
    """Copy an SQLite database as it is at this moment to FILE, and the secret key to FILE.key.

    Whoever has them can answer for every player, so nobody else may read the files. A key that stands in the settings
    is not copied: without it no reply address of a mail is believed any more.
    """
    settings = read_settings()
    try:
        with open_database(settings) as database:
            made = database.back_up(file)
    except NoBackup as wrong:
        end(str(wrong), MISUSE)
    except BadSetting as wrong:
        end(str(wrong))
    except (OSError, sqlite3.Error) as failed:
        end(f"no backup was made: {failed}")
    for each in made:
        click.echo(f"written: {each}")
    if settings.secret_key is not None:
        click.echo("not copied: PBEM_SECRET_KEY stands in the settings; keep it, too")
