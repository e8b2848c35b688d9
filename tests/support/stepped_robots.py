"""A player, the robots, and the thinkers of the server, stepped by hand."""

from __future__ import annotations

from concurrent.futures import wait
from datetime import timedelta

from sqlalchemy import func, select

from pbem.storage.engine import reading
from pbem.storage.models import TaskRow
from pbem.workers.robots import SearchTimes, Thinkers, Thoughts
from pbem.workers.search_processes import SearchProcess, Slot
from tests.support.stepped_server import SteppedServer


class SteppedRobots:
    """Alice, the robots, and the thinkers of the server."""

    def __init__(self, stepped: SteppedServer, mind: SearchProcess) -> None:
        self.stepped = stepped
        self.slot = Slot(mind)
        self.thinkers = self.another([self.slot])
        self._read = 0
        self.says("signup alice secret", "set alice secret mail=text")

    def another(self, slots: list[Slot], longest: float = 60, check: float = 60) -> Thinkers:
        """The thinkers of another process, or of this one."""
        server = self.stepped.server
        return Thinkers(
            tasks=server.tasks,
            executor=server.executor,
            thoughts=Thoughts(server.tasks, server.executor, "operator@example.org", timedelta()),
            slots=slots,
            times=SearchTimes(longest, retry_after=timedelta(), drain_seconds=0, check_seconds=check),
            wake=lambda: None,
        )

    def says(self, *lines: str) -> list[str]:
        """Letters of Alice come and are answered; the Subjects of all mails since the last look."""
        for line in lines:
            self.stepped.gets(line)
        self.stepped.works()
        return self.hears()

    def hears(self) -> list[str]:
        mails = self.stepped.mails(self._read)
        self._read += len(mails)
        return [mail.subject for mail in mails]

    def last(self) -> str:
        return self.stepped.mails()[-1].raw.decode()

    def thinks(self, steps: int = 100) -> list[str]:
        """Let robots act until none is to; the Subjects of the mails that tell of it."""
        while steps and self.tasks():
            self.thinkers.step()
            if self.slot.thought is not None:
                wait([self.slot.thought], 60)
            steps -= 1
        assert not self.tasks()
        return self.hears()

    def tasks(self, state: str = "waiting") -> int:
        with reading(self.stepped.server.engine) as connection:
            return connection.scalar(select(func.count()).where(TaskRow.state == state)) or 0
