"""``pbem admin reports``: the reports of players about each other."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import click

from pbem.bootstrap.parts import make_retention
from pbem.bootstrap.status import condition
from pbem.bootstrap.wording import make_wording
from pbem.cli.admin.opening import NUMBER, as_json, at_desk, limit
from pbem.cli.output import read_settings
from pbem.cli.tables import show, show_one
from pbem.domain.administration import Report, checked_text
from pbem.domain.backups import BackupState
from pbem.domain.mails import Notice
from pbem.storage.operators import last_deeds
from pbem.storage.overview import overview
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.attention import judge
from pbem.usecases.context import Context
from pbem.usecases.messages import NoSuchReport, close_report

_BEGINNING = 60
"""Characters of a report in a list."""

number = click.argument("report", type=NUMBER)


@click.group()
def reports() -> None:
    """Read what players report about each other."""


@reports.command(name="list")
@click.option("--all", "closed", is_flag=True, help="Include closed reports.")
@limit
@as_json
def list_(limit: int, *, closed: bool, as_json: bool) -> None:
    """List open reports, newest first."""
    with at_desk() as desk, desk.looking() as context:
        rows = [_row(each, context.uow) for each in context.uow.reports.newest(closed=closed, most=limit)]
    for row in rows:
        if not as_json:
            row["text"] = " ".join(row["text"].split())[:_BEGINNING]
    columns = ("report", "at", "by", "about", "board", "closed_at", "text")
    show(rows, columns, as_json=as_json, nothing="There are no reports." if closed else "No report is open.")


@reports.command(name="show")
@number
@as_json
def show_(report: int, *, as_json: bool) -> None:
    """Show a whole report."""
    with at_desk() as desk, desk.looking() as context:
        found = context.uow.reports.find(report)
        if found is None:
            raise NoSuchReport(report, closed=False)
        facts = _row(found, context.uow)
    show_one(facts, as_json=as_json)


def _row(report: Report, uow: UnitOfWork) -> dict[str, Any]:
    return {
        "report": report.id,
        "at": report.at,
        "by": uow.players.userid_of(report.player),
        "about": uow.players.userid_of(report.about),
        "board": report.board,
        "closed_at": report.closed_at,
        "note": report.note,
        "text": report.text,
    }


@reports.command()
@number
@click.option("--note", default="", help="The outcome, recorded but mailed to nobody.")
def close(report: int, note: str) -> None:
    """Mark a report as closed."""
    with at_desk() as desk:
        said = checked_text(note) if note.strip() else ""

        def act(context: Context) -> list[Notice]:
            close_report(report, said, context)
            return []

        desk.do("report close", report, said, act)
    click.echo(f"report {report} is closed")


def show_overview(*, as_json: bool) -> None:
    """Print the state of the server."""
    settings, now = read_settings(), datetime.now(UTC)
    with at_desk(settings) as desk:
        seen = condition(desk.engine, settings, now)
        with desk.reading() as connection:
            counts = overview(connection, now)
    found = judge(seen)
    if as_json:
        backup = None if seen.backups is None else asdict(seen.backups)
        told = {**counts, "backup": backup, "attention": [asdict(each) for each in found]}
        click.echo(json.dumps(told, default=datetime.isoformat))
        return
    click.echo(make_wording(settings).tool("attention", {"found": found}))
    width = max(map(len, counts))
    for name, count in counts.items():
        click.echo(f"{name.replace('_', ' '):{width}}  {count:>7}")
    if seen.backups is not None:
        click.echo(f"{'last good backup':{width}}  {_backup(seen.backups)}")


def _backup(backups: BackupState) -> str:
    if backups.made_at is None:
        return "none"
    return f"{backups.made_at:%Y-%m-%d %H:%M} UTC, {backups.file}, {backups.octets / 1_000_000:.1f} MB"


@click.command()
@limit
@as_json
def deeds(limit: int, *, as_json: bool) -> None:
    """List actions of operators, newest first."""
    with at_desk() as desk, desk.reading() as connection:
        rows = [asdict(deed) for deed in last_deeds(connection, limit)]
    show(rows, ("at", "operator", "deed", "subject", "reason"), as_json=as_json, nothing="There are none yet.")


@click.command()
@as_json
def tidy(*, as_json: bool) -> None:
    """Delete data that has been kept long enough.

    The settings PBEM_KEEP_MAIL_DAYS and PBEM_KEEP_TRACES_DAYS say how long that is. A running server does the same
    every hour. If letters that were set aside are deleted, the operator is told.
    """
    settings = read_settings()
    with at_desk(settings) as desk:
        counts = make_retention(settings, desk.engine, desk.executor.composer, desk.executor.outbox).tidy()
        gone = {name: count for name, count in counts.items() if count}
        desk.do("tidy", "", ", ".join(f"{name} {count}" for name, count in gone.items()))
    if as_json:
        click.echo(json.dumps(counts))
        return
    for name, count in gone.items():
        click.echo(f"{name.replace('_', ' ')}: {count}")
    if not gone:
        click.echo("There is nothing to delete yet.")
