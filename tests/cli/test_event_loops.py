from __future__ import annotations

import asyncio
import sys
from asyncio import AbstractEventLoop
from importlib.util import find_spec

import pytest

from pbem.cli.serve import new_event_loop


def kind_of(loop: AbstractEventLoop) -> str:
    loop.close()
    return type(loop).__module__.partition(".")[0]


@pytest.mark.skipif(find_spec("uvloop") is None, reason="uvloop is not for this Python")
def test_a_server_runs_on_uvloop_where_it_is_installed() -> None:
    assert kind_of(new_event_loop()) == "uvloop"


def test_and_else_on_the_loop_of_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvloop", None)
    loop = new_event_loop()
    assert isinstance(loop, asyncio.BaseEventLoop)
    assert kind_of(loop) == "asyncio"
