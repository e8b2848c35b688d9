"""One commit for the letters that stand at the door together."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event, Thread, get_ident

import pytest

from pbem.storage.committing import Committer, CommitterClosed

PATIENCE = 20


class Store:
    """Keeps what it is given, batch by batch; waits at a gate, and fails when told to."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.began, self.gate = Event(), Event()

    def __call__(self, things: Sequence[str]) -> list[str]:
        self.began.set()
        assert self.gate.wait(PATIENCE)
        self.batches.append(list(things))
        if "poison" in things:
            raise RuntimeError("disk full")
        return [thing.upper() for thing in things]


def test_each_caller_gets_the_answer_to_his_own() -> None:
    store = Store()
    store.gate.set()
    committer = Committer(store)
    futures = [committer.submit(str(number)) for number in range(50)] + [committer.submit("a")]
    assert [future.result(PATIENCE) for future in futures] == [*map(str, range(50)), "A"]
    committer.close()
    assert [thing for batch in store.batches for thing in batch] == [*map(str, range(50)), "a"]


def test_letters_that_come_during_a_commit_share_the_next() -> None:
    store = Store()
    committer = Committer(store)
    first = committer.submit("first")
    assert store.began.wait(PATIENCE)
    others = [committer.submit(thing) for thing in "abc"]
    assert not first.done()
    store.gate.set()
    assert [future.result(PATIENCE) for future in (first, *others)] == ["FIRST", "A", "B", "C"]
    committer.close()
    assert store.batches == [["first"], ["a", "b", "c"]]


def test_what_cannot_be_stored_fails_alone_and_not_those_that_shared_its_commit() -> None:
    store = Store()
    committer = Committer(store)
    before = committer.submit("before")
    assert store.began.wait(PATIENCE)
    together = [committer.submit(thing) for thing in ("a", "poison", "b")]
    store.gate.set()
    assert before.result(PATIENCE) == "BEFORE"
    assert together[0].result(PATIENCE) == "A"
    with pytest.raises(RuntimeError):
        together[1].result(PATIENCE)
    assert together[2].result(PATIENCE) == "B"
    assert committer.submit("after").result(PATIENCE) == "AFTER"
    committer.close()


def test_after_a_hopeless_failure_nobody_is_tried_alone() -> None:
    store = Store()
    committer = Committer(store, lambda failed: isinstance(failed, RuntimeError))
    before = committer.submit("before")
    assert store.began.wait(PATIENCE)
    others = [committer.submit(thing) for thing in ("a", "poison", "b")]
    store.gate.set()
    assert before.result(PATIENCE) == "BEFORE"
    for future in others:
        with pytest.raises(RuntimeError):
            future.result(PATIENCE)
    assert committer.submit("after").result(PATIENCE) == "AFTER"
    committer.close()
    assert store.batches == [["before"], ["a", "poison", "b"], ["after"]]


def test_closing_stores_first_what_was_submitted() -> None:
    store = Store()
    committer = Committer(store)
    futures = [committer.submit(thing) for thing in "abc"]
    closing = Thread(target=committer.close)
    closing.start()
    store.gate.set()
    closing.join(PATIENCE)
    assert not closing.is_alive()
    assert [future.result(0) for future in futures] == ["A", "B", "C"]


def test_what_comes_after_the_end_fails_at_once_instead_of_waiting_for_nobody() -> None:
    store = Store()
    store.gate.set()
    used, unused = Committer(store), Committer(store)
    assert used.submit("in time").result(PATIENCE) == "IN TIME"
    for committer in (used, unused):
        committer.close()
        with pytest.raises(CommitterClosed):
            committer.submit("late").result(PATIENCE)
    assert store.batches == [["in time"]]


def test_those_who_come_first_at_the_same_time_share_one_thread() -> None:
    threads, together = set(), Barrier(8)

    def store(things: Sequence[str]) -> list[str]:
        threads.add(get_ident())
        return list(things)

    committer = Committer(store)

    def come(name: str) -> str:
        together.wait(PATIENCE)
        return committer.submit(name).result(PATIENCE)

    with ThreadPoolExecutor(8) as comers:
        assert [*comers.map(come, "abcdefgh")] == [*"abcdefgh"]
    committer.close()
    assert len(threads) == 1


def test_closing_an_idle_one_ends_at_once() -> None:
    committer = Committer(Store())
    committer.close()
    committer.close()


def test_whatever_ends_a_store_is_told_and_the_next_are_stored_all_the_same() -> None:
    ends = [KeyboardInterrupt(), SystemExit(), None]

    def store(things: Sequence[str]) -> list[str]:
        end = ends.pop(0)
        if end is not None:
            raise end
        return list(things)

    committer = Committer(store)
    for kind in (KeyboardInterrupt, SystemExit):
        assert isinstance(committer.submit("a").exception(PATIENCE), kind)
    assert committer.submit("b").result(PATIENCE) == "b"
    committer.close()
