"""The rules of OpenSpiel, asked of its child process."""

from __future__ import annotations

import atexit
import json
import os
import select
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from itertools import zip_longest
from threading import Lock
from typing import Any, NamedTuple

from pbem.errors import PbemError

ANSWER_SECONDS = 20
"""After which a child that does not answer is ended."""
SEARCH_SECONDS = 3600
"""The same for a search, which others limit."""
_CHILD = ["-m", "pbem.hall.child"]


class EngineFailed(PbemError):
    """OpenSpiel has given up, or refuses what it should know; the child that comes next knows nothing of it."""

    game: str
    why: str


@dataclass(frozen=True, slots=True)
class EngineState:
    """A state as OpenSpiel tells it."""

    drawn: str
    """Empty where it was not asked for."""
    player: int | None
    """The player to act, from 0; None once the game is over."""
    returns: tuple[float, ...]
    """The result of each player; empty while the game is on."""
    only: int | None = None
    """The action that is legal, if there is no other."""


class EngineStep(NamedTuple):
    """A way to go on."""

    actions: tuple[int, ...]
    words: tuple[str, ...]
    """Those of OpenSpiel for the actions."""
    drawn: str
    """The position behind it; empty unless it was asked for."""
    state: EngineState | None = None
    """The one behind it, without its drawing, where that was cheap to tell."""


class EngineLine(NamedTuple):
    """A way to go on that a search has looked at, and what is expected to follow."""

    actions: tuple[int, ...]
    worth: float
    """The share of the points that the player to act can expect, from 0 to 1."""
    visits: int
    proven: bool


class Engine:
    """OpenSpiel in a child process, which starts with the first question and again if it has died.

    Threads may share it.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._owner = 0

    def state(self, game: str, actions: Sequence[int]) -> EngineState:
        """The state after these actions.

        Raises:
            EngineFailed: one of them is not legal, or the child has died of it.
        """
        return _state(self._ask({"game": game, "actions": list(actions)}))

    def states(self, game: str, before: Sequence[int], actions: Sequence[int]) -> Sequence[tuple[int, EngineState]]:
        """The states behind each of some actions, with the action; what is forced may come in between.

        An action that is not legal ends them.

        Raises:
            EngineFailed: as `state`.
        """
        told = self._ask({"game": game, "actions": list(before), "following": list(actions)})
        return tuple((action, _state(each)) for action, each in told["states"])

    def steps(self, game: str, actions: Sequence[int], depth: int, *, ahead: bool = False) -> Sequence[EngineStep]:
        """Every way to act so many times in a row after these actions.

        Args:
            game: as OpenSpiel knows it, with its parameters.
            actions: those played so far.
            depth: how many times.
            ahead: tell the drawings behind them, too.

        Raises:
            EngineFailed: as `state`.
        """
        told = self._ask({"game": game, "actions": list(actions), "depth": depth, "ahead": ahead})
        if "single" in told:
            behind = [_state(told["behind"])] if told["behind"] else []
            named = zip_longest(*told["single"], behind)
            return tuple(EngineStep((action,), (words,), "", state) for action, words, state in named)
        return tuple(EngineStep(tuple(each), tuple(words), drawn) for each, words, drawn in told["steps"])

    def search(self, game: str, actions: Sequence[int], playouts: int, seed: int) -> Sequence[EngineLine]:
        """The best ways to go on after these actions, the best first, each to the end of the turn at least.

        Raises:
            EngineFailed: as `state`.
        """
        asked = {"game": game, "actions": list(actions), "playouts": playouts, "seed": seed}
        told = self._ask(asked, SEARCH_SECONDS)
        return tuple(EngineLine(tuple(line), worth, visits, proven) for line, worth, visits, proven in told["lines"])

    def close(self) -> None:
        """End the child."""
        with self._lock:
            self._end()

    def _ask(self, request: dict[str, Any], seconds: float | None = None) -> dict[str, Any]:
        with self._lock:
            try:
                answer = self._exchanged(json.dumps(request).encode() + b"\n", seconds or ANSWER_SECONDS)
            except OSError as failed:
                self._end()
                raise EngineFailed(request["game"], str(failed)) from None
        if "error" in answer:
            raise EngineFailed(request["game"], answer["error"])
        return answer

    def _exchanged(self, line: bytes, seconds: float) -> dict[str, Any]:
        child = self._started()
        if child.stdin is None or child.stdout is None:
            raise AssertionError("the child has pipes")
        child.stdin.write(line)
        child.stdin.flush()
        if not select.select([child.stdout], [], [], seconds)[0]:
            raise TimeoutError(f"no answer within {seconds} s")
        told = child.stdout.readline()
        if not told.endswith(b"\n"):
            raise BrokenPipeError("OpenSpiel has ended its process")
        answer: dict[str, Any] = json.loads(told)
        return answer

    def _started(self) -> subprocess.Popen[bytes]:
        if self._child is not None and self._owner == os.getpid() and self._child.poll() is None:
            return self._child
        self._end()
        command = [sys.executable, *_CHILD]
        self._child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603 - our own
        self._owner = os.getpid()
        return self._child

    def _end(self) -> None:
        child, self._child = self._child, None
        if child is None or self._owner != os.getpid():
            return
        child.kill()
        child.communicate()


def _state(told: dict[str, Any]) -> EngineState:
    return EngineState(told["drawn"], told["player"], tuple(told["returns"] or ()), told["only"])


ENGINE = Engine()
"""The one of this process."""
atexit.register(ENGINE.close)


@cache
def engine_version() -> str:
    """The version of OpenSpiel, which records name: its actions are numbers that another may use otherwise."""
    return version("open_spiel")
