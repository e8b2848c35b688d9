"""The Postfix of the tests leaves nothing behind."""

from __future__ import annotations

import time
from pathlib import Path

from tests.support.mail import PATIENCE, Postbox
from tests.support.postfix import running_postfix


def master(folder: Path) -> Path:
    """The folder in which the system describes the process that all others of a Postfix come from."""
    return Path("/proc") / (folder / "queue/pid/master.pid").read_text().strip()


def test_it_ends_and_its_folder_goes() -> None:
    with Postbox() as postbox, running_postfix(postbox.port) as postfix:
        process = master(postfix.folder)
        assert process.exists()
    assert not process.exists()
    assert not postfix.folder.exists()


def test_what_is_stopped_can_be_started_again() -> None:
    with Postbox() as postbox, running_postfix(postbox.port) as postfix:
        first = master(postfix.folder)
        postfix.stop()
        assert not first.exists()
        postfix.start()
        deadline = time.monotonic() + PATIENCE
        while not master(postfix.folder).exists():  # it opens its ports before it writes down who it is
            assert time.monotonic() < deadline
            time.sleep(0.02)
