"""The processor time and memory of processes, their children included."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK")
_MB = 1024 / 10**6  # /proc counts kB of 1024 bytes


@dataclass(frozen=True)
class Processes:
    """Some running processes."""

    pids: list[int]

    def computed(self) -> float:
        """Seconds of processor time so far, with those of their children."""
        return sum(_computed(pid) for pid in self._family())

    def memory(self) -> float:
        """MB of the largest of them, without its children."""
        return max(_memory(pid) for pid in self.pids)

    def memory_together(self) -> float:
        """MB of all of them and their children, what several share counted once."""
        return sum(_share(pid) for pid in self._family())

    def _family(self) -> list[int]:
        found = list(self.pids)
        for pid in found:  # it grows as it is walked
            for task in Path(f"/proc/{pid}/task").glob("*/children"):
                found += [int(child) for child in task.read_text().split()]
        return found


def _computed(pid: int) -> float:
    # The name of the program comes second, in brackets, and may hold anything.
    parts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(int(ticks) for ticks in parts[11:15]) / _TICK


def _memory(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * _MB
    raise ProcessLookupError(pid)


def _share(pid: int) -> float:
    """MB of a process, each page divided by the number of those that share it."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * _MB
    raise ProcessLookupError(pid)


def nanoseconds(pids: list[int]) -> dict[int, int]:
    """The time that the processor has worked for each of some processes so far, without their children.

    One that has ended is left out.
    """
    found = {}
    for pid in pids:
        with suppress(FileNotFoundError, ProcessLookupError):
            found[pid] = int(Path(f"/proc/{pid}/schedstat").read_text().split()[0])
    return found
