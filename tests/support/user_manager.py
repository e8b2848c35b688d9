"""A systemd that runs the services of a user, in namespaces of its own."""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.support.mail import PATIENCE

_SYSTEMD = Path("/usr/lib/systemd/systemd")
_STARTING = """
mount --make-rprivate /
mount -t proc proc /proc
mount -t tmpfs tmpfs /run
mkdir -p /run/systemd/system /run/user
mount -t cgroup2 cgroup2 /sys/fs/cgroup
{systemd} --user &
wait
"""


@contextmanager
def running_user_manager(environ: Mapping[str, str], log: Path) -> Iterator[list[str]]:
    """A manager of services, which have these variables; the test is skipped where there can be none.

    Args:
        environ: its variables; `XDG_RUNTIME_DIR` must be /run/user.
        log: the file for its messages.

    Yields:
        The beginning of a command that runs in the same namespaces.
    """
    if os.geteuid() != 0 or not _SYSTEMD.exists():
        pytest.skip("needs root and systemd: nobody else can run another one")
    with _control_group() as group, log.open("w") as output:
        script = f"set -eu\necho $$ >{group}/cgroup.procs\nexec unshare --mount --pid --cgroup --fork --kill-child "
        inner = "set -eu\n" + _STARTING.format(systemd=_SYSTEMD)
        process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "bash", "-c", script + shlex.join(["bash", "-c", inner])],
            env={**environ, "SYSTEMD_LOG_TARGET": "console"},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd="/",
        )
        try:
            entering = ["nsenter", "--target", str(_child(process)), "--mount", "--pid", "--cgroup"]
            _wait_until_it_runs(entering, environ, log)
            yield entering
        finally:
            process.kill()
            process.wait(PATIENCE)


def _child(process: subprocess.Popen[bytes]) -> int:
    deadline = time.monotonic() + PATIENCE
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while not (found := children.read_text().split()):
        if process.poll() is not None or time.monotonic() > deadline:
            pytest.skip("no namespaces here")
        time.sleep(0.01)
    return int(found[0])


def _wait_until_it_runs(entering: list[str], environ: Mapping[str, str], log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    asking = [*entering, "systemctl", "--user", "is-system-running"]
    while True:
        done = subprocess.run(asking, env=environ, capture_output=True, text=True, check=False)
        if done.stdout.strip() in ("running", "degraded"):
            return
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.1)


@contextmanager
def _control_group() -> Iterator[Path]:
    """A control group of its own, below that of the tests."""
    mounted = [line.split() for line in Path("/proc/self/mountinfo").read_text().splitlines() if " - cgroup2 " in line]
    (own,) = [line[3:] for line in Path("/proc/self/cgroup").read_text().splitlines() if line.startswith("0::")] or [""]
    if not mounted or not own:
        pytest.skip("no control groups here (cgroup2)")
    group = Path(mounted[0][4] + own) / f"pbem-tests-{os.getpid()}"
    try:
        group.mkdir()
    except OSError as failed:
        pytest.skip(f"no control group here: {failed}")
    try:
        yield group
    finally:
        _remove(group)


def _remove(group: Path) -> None:
    """Remove a control group and those in it, as soon as nothing runs there any more."""
    deadline = time.monotonic() + PATIENCE
    while group.exists():
        for each in sorted((path for path in group.rglob("*") if path.is_dir()), reverse=True):
            with suppress(OSError):
                each.rmdir()
        with suppress(OSError):
            group.rmdir()
        assert time.monotonic() < deadline, f"something still runs in {group}"
        time.sleep(0.02)
