"""The fate of tasks that could not be done."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from sqlalchemy import Connection

from pbem.errors import Conflict
from pbem.storage.robot_tasks import Task
from tests.support.stepped_robots import SteppedRobots


def test_a_task_is_set_aside_though_somebody_else_was_quicker(
    robots: SteppedRobots, monkeypatch: pytest.MonkeyPatch
) -> None:
    robots.says("palago challenge robot1 alice")
    tasks = robots.stepped.server.tasks
    task, shunt, conflicts = tasks.lease(datetime.now(UTC)), tasks.shunt, [Conflict(board=101)]

    def overtaken_once(connection: Connection, task: Task, error: str) -> None:
        if conflicts:
            raise conflicts.pop()
        shunt(connection, task, error)

    monkeypatch.setattr(tasks, "shunt", overtaken_once)
    assert task is not None
    robots.thinkers._thoughts.shunt(task, "its server died")
    assert (robots.tasks(), robots.tasks("shunted")) == (0, 1)
    assert robots.hears() == ["palago Board 101 robot1", "pbem set aside a task of robot1"]
