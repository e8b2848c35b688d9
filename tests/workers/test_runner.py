"""Work that is looked for now and then: each for itself, and again where somebody else was quicker."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from structlog.testing import capture_logs

from pbem.domain.mails import Notice
from pbem.errors import Conflict
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.context import Context
from pbem.workers.runner import Runner
from tests.support.stepped_server import SteppedServer

NEWS = Notice("letters_forgotten", "operator@example.org", {"letters": [1], "days": 9}, from_nobody=True)


class BellRunner(Runner[str]):
    """Rings three bells once, and does to the second what a test wants of it."""

    what, gone_on, failed = "bell", "bell has rung", "bell not rung"

    def __init__(self, stepped: SteppedServer, second: Callable[[], None]) -> None:
        super().__init__(stepped.server.executor)
        self._second = second
        self.rung: list[str] = []

    def due(self, uow: UnitOfWork) -> Sequence[str]:
        return [each for each in ("first", "second", "third") if each not in self.rung]

    def decide(self, each: str, context: Context) -> Mapping[str, Sequence[Notice]] | None:
        if each == "second":
            self._second()
        self.rung.append(each)
        return {f"bell-{each}": [NEWS]} if each != "third" else None


def breaks() -> None:
    raise KeyError("our bug")


def test_one_that_fails_does_not_stop_the_others_and_each_is_logged_by_its_own_name(stepped: SteppedServer) -> None:
    runner = BellRunner(stepped, breaks)
    with capture_logs() as logged:
        assert runner.step()
        assert not runner.step()
    assert runner.rung == ["first", "third"]
    said = [(entry["event"], entry["bell"], entry["log_level"]) for entry in logged if entry["event"] != "mails stored"]
    assert said == [("bell has rung", "first", "info"), *[("bell not rung", "second", "error")] * 2]


def test_what_somebody_else_was_quicker_with_is_looked_at_again(stepped: SteppedServer) -> None:
    tries: list[int] = []

    def overtaken() -> None:
        tries.append(1)
        if len(tries) <= 2:
            raise Conflict

    runner = BellRunner(stepped, overtaken)
    assert [runner.step() for _ in range(4)] == [True, False, True, False]
    assert runner.rung == ["first", "third", "second"]
    assert len(stepped.mails()) == 2
