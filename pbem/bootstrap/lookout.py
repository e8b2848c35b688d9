"""How a server is doing and what this process of it is, for the operator's page and for Prometheus."""

from __future__ import annotations

import platform
import resource
from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from importlib.metadata import version

from sqlalchemy import Engine

from pbem.bootstrap.condition import condition, gauges
from pbem.config import Settings
from pbem.meters import DepthsCollector, Meters, summary
from pbem.storage.depths import MOST_COUNTED, letters_since
from pbem.storage.engine import reading
from pbem.storage.leases import holders
from pbem.web.admin import Outlook
from pbem.workers.watch import DatabaseWatch


class Lookout:
    """Looks how the server is doing, for the operator's page.

    Args:
        engine: of its database.
        settings: of the server.
        name: of this process.
        meters: what it counts.
        health: whether the database could be written lately.
    """

    def __init__(self, engine: Engine, settings: Settings, name: str, meters: Meters, health: DatabaseWatch) -> None:
        self._engine = engine
        self._settings = settings
        self._name = name
        self._meters = meters
        self._health = health
        self._began_at = datetime.now(UTC)
        self._roles: Sequence[str] = ()

    def introduce(self, roles: Collection[str]) -> None:
        """Say in the metrics what this process is, and from now on what lies in its database."""
        self._roles = tuple(roles)
        self._meters.introduce(version("pbem"), roles)
        self._meters.registry.register(DepthsCollector(partial(gauges, self._engine, self._settings)))

    def look(self, now: datetime) -> Outlook:
        """How it is doing at a moment.

        Raises:
            SQLAlchemyError: the database does not answer.
        """
        with reading(self._engine) as connection:
            spans = {"hour": timedelta(hours=1), "day": timedelta(days=1)}
            lately = {name: letters_since(connection, now - span) for name, span in spans.items()}
            at_work = sorted({each.rpartition(":")[0] for each in holders(connection)})
        return Outlook(
            condition=condition(self._engine, self._settings, now, is_writable=self._health.is_well),
            letters_lately=lately,
            most_counted=MOST_COUNTED,
            counted=summary(self._meters),
            process={
                "name": self._name,
                "roles": self._roles,
                "started_at": self._began_at,
                "version": version("pbem"),
                "python": platform.python_version(),
                "database": self._engine.dialect.name,
                "most_memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
            },
            holders=at_work,
        )
