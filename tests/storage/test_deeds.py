from __future__ import annotations

from sqlalchemy import Engine

from pbem.domain.administration import AuditEntry
from pbem.storage.engine import reading, writing
from pbem.storage.operators import last_deeds, note_deed
from tests.storage.stock import AT


def test_deeds_are_listed_newest_first(engine: Engine) -> None:
    deeds = [AuditEntry(AT, "root", f"player {name}", "bob", "") for name in ("freeze", "unfreeze", "ban")]
    with writing(engine) as connection:
        for each in deeds:
            note_deed(connection, each)
    with reading(engine) as connection:
        assert last_deeds(connection, 2) == [deeds[2], deeds[1]]
