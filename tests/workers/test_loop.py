from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Event, current_thread, main_thread
from time import monotonic

import pytest
from structlog.testing import capture_logs

from pbem.workers.runner import Hooks, Loop

PATIENCE = 20
NEVER = 10_000.0


class Work:
    """Things to do, done one a step."""

    def __init__(self) -> None:
        self.left: list[str] = []
        self.done: list[str] = []
        self.came = Event()
        self.idle = Event()
        """Set when a step has found nothing to do."""

    def step(self) -> bool:
        if not self.left:
            self.idle.set()
            return False
        self.done.append(self.left.pop(0))
        if self.done[-1] == "stumble":
            raise ValueError("hunter2")
        self.came.set()
        return True


@pytest.fixture
def make_loop() -> Iterator[Callable[..., Loop]]:
    loops: list[Loop] = []

    def make(step: Callable[[], bool], idle_seconds: float = NEVER, at_end: Callable[[], None] | None = None) -> Loop:
        loops.append(Loop("test", step, idle_seconds, hooks=Hooks(end=at_end)))
        return loops[-1]

    yield make
    for loop in loops:
        loop.stop()


def test_a_loop_steps_until_there_is_nothing_to_do(make_loop: Callable[..., Loop]) -> None:
    work = Work()
    work.left = list("abc")
    make_loop(work.step).start()
    assert work.idle.wait(PATIENCE)
    assert work.done == ["a", "b", "c"]


def test_a_sleeping_loop_is_woken(make_loop: Callable[..., Loop]) -> None:
    work = Work()
    loop = make_loop(work.step)
    loop.start()
    assert work.idle.wait(PATIENCE)
    work.left = ["a"]
    loop.wake()
    assert work.came.wait(PATIENCE)


def test_a_loop_woken_while_it_finds_nothing_looks_again(make_loop: Callable[..., Loop]) -> None:
    """The bell must not be lost between the look and the sleep."""
    looked, looked_again = Event(), Event()

    def step() -> bool:
        if looked.is_set():
            looked_again.set()
        looked.set()
        loop.wake()
        return False

    loop = make_loop(step)
    loop.start()
    assert looked_again.wait(PATIENCE)


def test_a_loop_that_nobody_wakes_looks_again_by_itself(make_loop: Callable[..., Loop]) -> None:
    work = Work()
    make_loop(work.step, idle_seconds=0.001).start()
    assert work.idle.wait(PATIENCE)
    work.left = ["a"]
    assert work.came.wait(PATIENCE)


def test_a_loop_outlives_a_step_that_fails_and_logs_no_words_of_it(make_loop: Callable[..., Loop]) -> None:
    work = Work()
    work.left = ["stumble", "a"]
    with capture_logs() as logged:
        loop = make_loop(work.step, idle_seconds=0.001)
        loop.start()
        assert work.came.wait(PATIENCE)
        loop.stop()
    assert work.done == ["stumble", "a"]
    assert [(entry["event"], entry["loop"], entry["error"]) for entry in logged] == [
        ("step failed", "test", "ValueError")
    ]
    assert "hunter2" not in str(logged)


def test_stopping_waits_for_the_step_under_way_and_begins_no_other(make_loop: Callable[..., Loop]) -> None:
    under_way, may_finish = Event(), Event()
    finished: list[str] = []

    def step() -> bool:
        under_way.set()
        assert may_finish.wait(PATIENCE)
        finished.append(current_thread().name)
        return True

    loop = make_loop(step)
    loop.start()
    assert under_way.wait(PATIENCE)
    loop._ending.set()  # as `stop` does first; from here on no step may begin
    may_finish.set()
    loop.stop()
    assert finished == ["test"]


def test_at_its_end_a_loop_lets_go_in_its_own_thread(make_loop: Callable[..., Loop]) -> None:
    ended: list[object] = []
    loop = make_loop(Work().step, at_end=lambda: ended.append(current_thread()))
    loop.start()
    loop.stop()
    assert len(ended) == 1
    assert ended[0] is not main_thread()


def test_an_end_that_fails_is_logged_without_a_word_of_it(make_loop: Callable[..., Loop]) -> None:
    def stumbles() -> None:
        raise ValueError("hunter2")

    with capture_logs() as logged:
        loop = make_loop(Work().step, at_end=stumbles)
        loop.start()
        loop.stop()
    assert [(entry["event"], entry["loop"], entry["error"]) for entry in logged] == [
        ("loop not ended orderly", "test", "ValueError")
    ]
    assert "hunter2" not in str(logged)


def test_a_loop_that_was_never_started_can_be_stopped(make_loop: Callable[..., Loop]) -> None:
    make_loop(Work().step).stop()


def test_a_long_step_hears_that_its_loop_is_stopped(make_loop: Callable[..., Loop]) -> None:
    heard, begun = Event(), Event()

    def step() -> bool:
        begun.set()
        return not heard.wait(PATIENCE)

    loop = Loop("test", step, hooks=Hooks(stop=heard.set))
    loop.start()
    assert begun.wait(PATIENCE)
    loop.stop()
    assert heard.is_set()


def test_a_step_that_was_cut_short_is_the_last_one() -> None:
    begun, cut, ended = Event(), Event(), Event()
    steps = []

    def step() -> bool:
        steps.append(1)
        begun.set()
        assert cut.wait(PATIENCE)
        return True

    def cut_short() -> None:
        cut.set()
        assert ended.wait(PATIENCE)

    loop = Loop("test", step, hooks=Hooks(stop=cut_short, end=ended.set))
    loop.start()
    assert begun.wait(PATIENCE)
    loop.stop()
    assert len(steps) == 1


def test_a_loop_is_stuck_while_a_step_takes_too_long_and_not_while_it_sleeps() -> None:
    begun, release = Event(), Event()

    def step() -> bool:
        begun.set()
        assert release.wait(PATIENCE)
        ended.set()
        return False

    ended = Event()
    loop = Loop("test", step, NEVER, longest_seconds=0)
    assert not loop.is_stuck
    loop.start()
    assert begun.wait(PATIENCE)
    assert loop.is_stuck
    release.set()
    loop.stop()
    assert ended.is_set()
    assert not loop.is_stuck


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_loop_whose_thread_has_died_is_stuck() -> None:
    def die() -> None:
        raise SystemExit

    loop = Loop("test", lambda: False, NEVER, hooks=Hooks(start=die))
    loop.start()
    loop._thread.join(PATIENCE)
    assert loop.is_stuck
    loop.stop()


def test_a_loop_whose_step_hangs_is_left_at_the_deadline_if_it_may_be() -> None:
    began, goes_on, left = Event(), Event(), Event()

    def step() -> bool:
        began.set()
        goes_on.wait(PATIENCE)
        return False

    loop = Loop("test", step, NEVER, hooks=Hooks(deadline=left.set))
    loop.start()
    assert began.wait(PATIENCE)
    loop.stop(monotonic())
    assert left.is_set()
    assert not loop.is_stuck
    goes_on.set()
    left.clear()
    loop.stop()
    assert not left.is_set()


def test_a_loop_that_ends_in_time_is_not_left(make_loop: Callable[..., Loop]) -> None:
    left = Event()
    loop = Loop("test", lambda: False, NEVER, hooks=Hooks(deadline=left.set))
    loop.start()
    loop.stop(monotonic() + PATIENCE)
    loop.stop(monotonic())
    assert not left.is_set()
    assert not make_loop(lambda: False).ends_slowly
    assert Loop("test", lambda: False, NEVER, hooks=Hooks(end=left.set)).ends_slowly
