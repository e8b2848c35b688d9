"""The way into the inbox, beside whatever server is running on the same database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from pbem.bootstrap.database import check_key, engine_of, existing_path, key_file, signer_of
from pbem.config import BadSetting, Settings
from pbem.storage.inbox import Inbox
from pbem.workers.intake import Intake


@contextmanager
def open_intake(settings: Settings) -> Iterator[Intake]:
    """The way into the inbox, beside whatever server is running on the same database.

    Raises:
        BadSetting: the database or its key has not been made yet, or is lost.
    """
    path = existing_path(settings)
    if path is not None and (missing := check_key(settings)):
        raise BadSetting("PBEM_SECRET_KEY", f"there is no key {key_file(path).absolute()}: {missing}")
    engine = engine_of(settings)
    try:
        yield Intake(Inbox(engine, "", timedelta()), signer_of(settings), settings.max_waiting_letters)
    finally:
        engine.dispose()
