"""Backups that a running server makes: seen from outside, and good enough to go on with."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import httpx

from tests.cli.running import pbem
from tests.support.databases import KEY
from tests.support.mail import PATIENCE
from tests.support.server import RunningServer, running_server

_PATIENCE_WITH_BACKUPS = 5 * PATIENCE
"""A backup is tried out by a child process that gives way to all others."""


def wait_for(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _PATIENCE_WITH_BACKUPS
    while not holds():
        assert time.monotonic() < deadline, "it never was so"
        time.sleep(0.05)


def metrics(server: RunningServer) -> dict[str, float]:
    """The values about backups."""
    (monitor,) = [line.split()[-1] for line in server.lines if line.startswith("pbem: monitor ")]
    lines = httpx.get(f"{monitor}/metrics", timeout=PATIENCE).text.splitlines()
    values = (line.rsplit(maxsplit=1) for line in lines if line.startswith("pbem_backup"))
    return {name: float(value) for name, value in values}


def made(folder: Path) -> list[Path]:
    return sorted(folder.glob("pbem-*Z.db"))


def test_a_server_backs_itself_up_and_another_goes_on_with_the_backup(tmp_path: Path, database_url: str) -> None:
    (backups := tmp_path / "backups").mkdir()
    (new := tmp_path / "new").mkdir()
    given = {"database_url": database_url, "secret_key": KEY, "backup_folder": str(backups)}
    with running_server(tmp_path, **given, backup_hours="0") as server:
        server.player("zoe")
    with running_server(tmp_path, **given, monitor_listen="127.0.0.1:0", clock_seconds="1") as server:
        wait_for(lambda: any("backup made" in line for line in server.lines))
        (backup,) = made(backups)
        wait_for(lambda: "pbem_backup_age_seconds" in metrics(server))
        seen = metrics(server)
        assert (seen["pbem_backup_expected"], seen["pbem_backup_lasts_seconds"]) == (1, 50 * 3600)
        assert 0 <= seen["pbem_backup_age_seconds"] < _PATIENCE_WITH_BACKUPS
        overview = pbem(tmp_path, "admin", **given)
        assert overview.stdout.splitlines()[-1].startswith("last good backup")
        assert backup.name in overview.stdout
        told = json.loads(pbem(tmp_path, "admin", "--json", **given).stdout)
        assert (told["attention"], told["backup"]["file"]) == ([], backup.name)
        assert made(backups) == [backup]
    shutil.copyfile(backup, new / "pbem.db")
    restored = {"database_url": f"sqlite:///{new / 'pbem.db'}", "secret_key": "another key of sixteen"}
    with running_server(new, **restored) as server:
        server.person("yve").says("help")
        assert server.postbox.next_for("yve@example.org")
    assert "zoe@example.org" in pbem(new, "admin", "players", "show", "zoe", **restored).stdout


def test_of_two_processes_one_makes_each_backup_whichever_is_left(tmp_path: Path, postgresql_url: str) -> None:
    (backups := tmp_path / "backups").mkdir()
    folders = tmp_path / "one", tmp_path / "other"
    for folder in folders:
        folder.mkdir()
    given = {"database_url": postgresql_url, "secret_key": KEY, "backup_folder": str(backups), "clock_seconds": "1"}
    with ExitStack() as stack:
        both = [stack.enter_context(running_server(folder, timedelta(0), **given)) for folder in folders]

        def makers() -> list[RunningServer]:
            return [server for server in both for line in server.lines if "backup made" in line]

        wait_for(lambda: bool(makers()))
        (maker,) = makers()
        (left,) = (server for server in both if server is not maker)
        maker.kill()
        left.passes(timedelta(hours=25))
        wait_for(lambda: len(makers()) == 2)
        assert makers() == sorted([maker, left], key=both.index)
        assert len(made(backups)) == 2
        maker.start()
