"""When the operator was last told of some trouble, in the database."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Engine, insert, select, update

from pbem.storage.engine import reading, writing
from pbem.storage.models import AlarmToldRow


class AlarmTimes:
    """The moments at which mails about alarms were taken by the relay, by the name of what they say.

    Args:
        engine: of the database, which may be what the trouble is about.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def told_at(self, name: str) -> datetime | None:
        """When a mail was last taken; None if never."""
        with reading(self._engine) as connection:
            return connection.scalar(select(AlarmToldRow.told_at).where(AlarmToldRow.name == name))

    def note(self, name: str, now: datetime) -> None:
        """Note that a mail was taken."""
        with writing(self._engine) as connection:
            known = update(AlarmToldRow).where(AlarmToldRow.name == name).values(told_at=now)
            if not connection.execute(known).rowcount:
                connection.execute(insert(AlarmToldRow).values(name=name, told_at=now))
