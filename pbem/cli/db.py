"""``pbem db``: upgrades, checks and backups of the database, also while a server is running on it."""

from __future__ import annotations

import sqlite3
import sys
from itertools import chain
from pathlib import Path

import click
from sqlalchemy.exc import SQLAlchemyError

from pbem.bootstrap.database import using_database
from pbem.bootstrap.upkeep import (
    back_up,
    complaint,
    copy_database,
    count_openings,
    key_finding,
    open_database,
    wrong_boards,
)
from pbem.cli.output import FAILED, MISUSE, end, read_settings
from pbem.cli.progress import progress_of
from pbem.cli.settings import log_beside
from pbem.config import Settings
from pbem.domain.administration import Level
from pbem.storage.copying import NoCopy, Progress
from pbem.storage.upkeep import MOST_NAMED, Database


@click.group()
def db() -> None:
    """Upgrade, check, back up and copy the database.

    All of it works while a server runs on it.
    """


@db.command()
def upgrade() -> None:
    """Bring the schema up to date, as the server does whenever it starts."""
    with using_database(), open_database(_settings()) as database:
        before, now = database.upgrade()
    click.echo(f"schema: {now}" + ("" if before == now else f", was {before or 'empty'}"))


@db.command()
@click.option("--quick", is_flag=True, help="Do not replay the boards.")
def check(quick: bool) -> None:
    """Check that the database is sound, up to date and writable, and that boards match their events.

    All boards are replayed and compared with what is stored beside their events: whose turn it is, how they ended and
    who won. The first 20 that differ are named. The exit code is 0 if all is well, 1 if anything is not.
    """
    is_well, settings = True, _settings()
    with open_database(settings) as database:
        for finding in filter(None, chain(database.check(), (key_finding(settings),))):
            click.echo(f"{finding.what}: {finding.said or finding.level}")
            is_well = is_well and finding.level is Level.OK
        if not quick:
            is_well = _check_boards(database) and is_well
    sys.exit(0 if is_well else FAILED)


def _check_boards(database: Database) -> bool:
    """Replay the boards and print which are wrong; return True if none is."""
    named, count, broken = list[str](), 0, ""
    with progress_of("replaying") as told:
        try:
            for wrong in wrong_boards(database, told):
                count += 1
                named += [wrong] if count <= MOST_NAMED else []
        except SQLAlchemyError as failed:
            broken = f"cannot be read: {complaint(failed)}"
    click.echo(f"boards: {broken or (f'{count} do not match their events' if count else 'ok')}")
    for line in named:
        click.echo(line)
    return not broken and not count


@db.command()
def openings() -> None:
    """Count anew what was played in the openings of all finished games, for `explore`.

    The server keeps these counts up as games end. Do this after an upgrade that says so; the server may run meanwhile,
    and shows fewer games until all are counted.
    """
    with using_database(), open_database(_settings()) as database, progress_of("counting") as told:
        counted = count_openings(database, told)
    click.echo(f"counted: {counted} {'game' if counted == 1 else 'games'}")


@db.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def backup(file: Path) -> None:
    """Copy the database as it is now to FILE, and the secret key to FILE.key.

    The copy is restored for a look, in a folder beside it, before it replaces an older file of this name.
    FILE is always an SQLite database; `pbem db copy` copies it back to PostgreSQL. Anyone who has both files can answer
    for every player, so let nobody else read them. A key that is in the settings is not copied: keep it too, since
    without it reply addresses in mails no longer work.
    """
    settings = _settings()
    try:
        with progress_of("copying") as told:
            made = back_up(settings, file, lambda progress: told(*progress))
    except NoCopy as wrong:
        end(f"no backup was made: {wrong}", MISUSE)
    except (OSError, sqlite3.Error, SQLAlchemyError) as failed:
        end(f"no backup was made: {complaint(failed)}")
    for each in made:
        click.echo(f"written: {each}")
    if settings.secret_key is not None:
        click.echo("not copied: PBEM_SECRET_KEY is in the settings; keep it too")


@db.command()
@click.argument("url")
def copy(url: str) -> None:
    """Copy everything into the empty database URL, to move a server to PostgreSQL or back.

    URL is written like PBEM_DATABASE_URL. Tables are created, and so is an SQLite file. No server may run on either
    database. If anything fails, nothing is copied and you can try again.

    All accounts on the machine can see URL while this runs. Put a PostgreSQL password not into it but into the file
    that PGPASSFILE names, on a line "host:port:database:user:password".
    """
    settings, counted = _settings(), [0]
    try:
        with using_database(), progress_of("copying") as told:

            def tell(progress: Progress) -> None:
                counted[0] = progress.total
                told(*progress)

            key = copy_database(settings, url, tell)
    except (NoCopy, OSError) as wrong:
        end(f"nothing was copied: {complaint(wrong)}")
    click.echo(f"copied: {counted[0]} rows")
    click.echo("Set PBEM_DATABASE_URL to the new database before the server starts.")
    if key is None:
        click.echo("Keep PBEM_SECRET_KEY as it is. If you copied a backup that lacks newer data, set a new one.")
    elif url.startswith("sqlite"):
        click.echo(f"written: {key}")
    else:
        click.echo(
            f"Set PBEM_SECRET_KEY to the contents of {key}; otherwise reply addresses in older mails no longer work."
        )


def _settings() -> Settings:
    settings = read_settings()
    log_beside(settings)
    return settings
