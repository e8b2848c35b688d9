"""``pbem admin reports``: what players tell of each other."""

from __future__ import annotations

from typing import Any

import click

from pbem.cli.admin.opening import NUMBER, as_json, at_desk, limit
from pbem.cli.output import show, show_one
from pbem.domain.administration import Report, checked_text
from pbem.domain.mails import Notice
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.context import Context
from pbem.usecases.messages.reports import NoSuchReport, close_report

_BEGINNING = 60
"""Characters of a report that a list shows."""

number = click.argument("report", type=NUMBER)


@click.group()
def reports() -> None:
    """Read what players tell of each other with `report`."""


@reports.command(name="list")
@click.option("--all", "closed", is_flag=True, help="Closed ones too.")
@limit
@as_json
def list_(limit: int, *, closed: bool, as_json: bool) -> None:
    """List the reports that are open, newest first."""
    with at_desk() as desk, desk.unit_of_work() as uow:
        rows = [_row(each, uow) for each in uow.reports.newest(closed=closed, most=limit)]
    for row in rows:
        if not as_json:
            row["text"] = " ".join(row["text"].split())[:_BEGINNING]
    columns = ("report", "at", "by", "about", "board", "closed_at", "text")
    show(rows, columns, as_json=as_json, nothing="There is no report." if closed else "No report is open.")


@reports.command(name="show")
@number
@as_json
def show_(report: int, *, as_json: bool) -> None:
    """Show a report whole."""
    with at_desk() as desk, desk.unit_of_work() as uow:
        found = uow.reports.find(report)
        if found is None:
            raise NoSuchReport(report, closed=False)
        facts = _row(found, uow)
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
@click.option("--note", default="", help="What came of it; nobody is told.")
def close(report: int, note: str) -> None:
    """Note that a report is dealt with."""
    with at_desk() as desk:
        said = checked_text(note) if note.strip() else ""

        def act(context: Context) -> list[Notice]:
            close_report(report, said, context)
            return []

        desk.do("report close", report, said, act)
    click.echo(f"report {report} is closed")
