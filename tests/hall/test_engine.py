"""OpenSpiel in its own process: it may die, and only whoever asked is told."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from pbem.hall import engine
from pbem.hall.engine import Engine, EngineFailed


@pytest.fixture
def openspiel() -> Iterator[Engine]:
    made = Engine()
    yield made
    made.close()


def test_what_is_not_legal_does_not_reach_it(openspiel: Engine) -> None:
    with pytest.raises(EngineFailed, match="not legal"):
        openspiel.state("hex", [0, 0])
    with pytest.raises(EngineFailed):
        openspiel.state("no_such_game", [])
    assert openspiel.state("hex", [0]).player == 1


def test_after_its_death_another_goes_on(openspiel: Engine) -> None:
    openspiel.state("hex", [])
    child = openspiel._child
    assert child is not None
    os.kill(child.pid, signal.SIGABRT)
    child.wait()
    assert openspiel.state("hex", [5, 7]).player == 0


def test_whoever_asks_while_it_aborts_is_told(openspiel: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_CHILD", ["-c", "import os, sys; sys.stdin.readline(); os.abort()"])
    with pytest.raises(EngineFailed, match="ended its process"):
        openspiel.state("hex", [])
    monkeypatch.undo()
    assert openspiel.state("hex", []).player == 0


def test_one_that_does_not_answer_is_ended(openspiel: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_CHILD", ["-c", "import time; time.sleep(100)"])
    monkeypatch.setattr(engine, "ANSWER_SECONDS", 0.2)
    with pytest.raises(EngineFailed, match="no answer"):
        openspiel.state("hex", [])
    assert openspiel._child is None


def test_threads_share_it(openspiel: Engine) -> None:
    with ThreadPoolExecutor(4) as threads:
        found = threads.map(lambda place: openspiel.state("hex", [place]).drawn, range(40))
        assert len(set(found)) == 40
