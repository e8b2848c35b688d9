"""``pbem admin robots``: the tasks of computer opponents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
from sqlalchemy import Connection

from pbem.cli.admin.opening import NUMBER, as_json, at_desk, change_rows, end_if_missing, limit
from pbem.cli.tables import show
from pbem.domain.mails import Notice
from pbem.domain.robots import Analysis
from pbem.storage.robot_tasks import Task, drop_analyses, queued_tasks, retry_tasks, shunted_tasks
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.analyses import tell_no_analysis
from pbem.usecases.context import Context

_COLUMNS = (
    *("task", "board", "move", "game", "robot", "kind", "asker", "playouts"),
    *("since", "due", "thinks", "attempts", "error"),
)
_MOST = 100_000


@click.group()
def robots() -> None:
    """Show and change the tasks of computer opponents, pending and failed."""


@robots.command(name="list")
@click.option("--shunted", is_flag=True, help="Only tasks that were set aside.")
@limit
@as_json
def list_(limit: int, *, shunted: bool, as_json: bool) -> None:
    """List tasks, next one first, and the process that works on each."""
    with at_desk() as desk, desk.reading() as connection, desk.looking() as context:
        found = shunted_tasks(connection, limit) if shunted else queued_tasks(connection, limit)
        rows = [_row(task, game, context.uow) for task, game in found]
    show(rows, _COLUMNS, as_json=as_json, nothing="No task is set aside." if shunted else "No robot has a task.")


def _row(task: Task, game: str, uow: UnitOfWork) -> dict[str, Any]:
    analysis = task.work if isinstance(task.work, Analysis) else None
    return {
        "task": task.id,
        "board": task.board,
        "move": None if analysis is None else analysis.moveno,
        "game": game,
        "robot": task.userid,
        "kind": task.kind.value,
        "asker": None if analysis is None else uow.players.userid_of(analysis.asker),
        "playouts": task.budget,
        "since": task.asked_at,
        "due": task.due_at,
        "thinks": task.owner,
        "attempts": task.attempts,
        "error": task.error,
    }


@robots.command()
@click.argument("boards", metavar="BOARD...", nargs=-1, type=NUMBER)
@click.option("--all", "everything", is_flag=True, help="Retry all of them.")
def retry(boards: tuple[int, ...], *, everything: bool) -> None:
    """Retry tasks that were set aside, by the numbers of their boards."""
    if bool(boards) == everything:
        raise click.UsageError("Give the numbers of boards, or --all.")
    meant, changed = change_rows("robots retry", boards, _stuck_boards, retry_tasks, everything=everything)
    for board in changed:
        click.echo(f"board {board}: its robot is asked again")
    end_if_missing(meant, changed, "not set aside")
    if not meant:
        click.echo("No task is set aside.")


def _stuck_boards(connection: Connection) -> Sequence[int]:
    return sorted({int(task.board) for task, _ in shunted_tasks(connection, _MOST)})


@robots.command()
@click.argument("tasks", metavar="TASK...", nargs=-1, required=True, type=NUMBER)
def drop(tasks: tuple[int, ...]) -> None:
    """Drop analyses by the numbers of their tasks, and tell the people waiting for them.

    A robot's own move or answer at a board cannot be dropped: end the board, or hand over the robot's seat.
    """
    with at_desk() as desk:
        with desk.reading() as connection:
            queued = (task for task, _ in queued_tasks(connection, _MOST) if task.id in tasks)
            found = {task: task.work for task in queued if isinstance(task.work, Analysis)}

        def act(context: Context) -> list[Notice]:
            told = (tell_no_analysis(analysis, "dropped", context) for analysis in found.values())
            return [notice for each in told for notice in each]

        if found:
            subject = " ".join(str(task.id) for task in found)
            desk.do("robots drop", subject, act=act, write=lambda connection, _: drop_analyses(connection, found))
    for task in found:
        click.echo(f"task {task.id}: board {task.board} will not be analysed")
    end_if_missing(tasks, {task.id for task in found}, "no analysis is waiting as task")
