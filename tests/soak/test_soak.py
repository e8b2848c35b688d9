"""A run of a few seconds with one trouble of each kind."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.soak.faults import MOODS
from tests.soak.programme import Plan, SoakResult, open_folder, run
from tests.support.databases import POSTGRESQL, SQLITE

OF_ALL = {*MOODS, "relay down", "kill", "stop", "clock set", "disk full"}
OF_POSTGRESQL = {"kill of several", "postgresql killed", "postgresql restarted", "backend killed"}


def check(outcome: SoakResult, kinds: set[str]) -> None:
    assert not outcome.findings.wrong, "\n".join([*outcome.findings.wrong[:20], *outcome.printed[-200:]])
    assert {fault.kind for fault in outcome.logs.faults} == kinds
    assert outcome.boards
    assert outcome.events


@pytest.mark.sqlite
def test_after_one_trouble_of_each_kind_every_letter_is_answered_once(tmp_path: Path) -> None:
    may_mount = os.geteuid() == 0
    plan = Plan(SQLITE, seconds=0, seed=1, tables=3, breath=0.05, mebibytes=48 * may_mount, in_memory=True)
    check(run(plan, tmp_path), OF_ALL if may_mount else OF_ALL - {"disk full"})


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_same_with_several_processes_on_postgresql() -> None:
    plan = Plan(POSTGRESQL, seconds=30, seed=2, tables=4, breath=0.3, mebibytes=256)
    with open_folder() as folder:
        check(run(plan, folder), OF_ALL | OF_POSTGRESQL)
