"""The base of all tables."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Date, DateTime, Dialect, Index, Integer, MetaData, TypeDecorator, text
from sqlalchemy.orm import DeclarativeBase


class UtcDateTime(TypeDecorator[datetime]):
    """An aware moment, stored in UTC; SQLite, which knows no zones, gets it without one."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuse naive moments; turn others to UTC."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment without a timezone")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give the moment its zone back."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


_Id = BigInteger().with_variant(Integer, "sqlite")


class Base(DeclarativeBase):
    """Root of the tables; constraints are named alike on both databases, so that migrations find them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {datetime: UtcDateTime, date: Date, dict[str, Any]: JSON, int: _Id}  # noqa: RUF012 - SQLAlchemy's own form


WAITING = "state = 'waiting'"
"""Of inbox, outbox and tasks: the rows that are looked for again and again, among many that are done with."""
SHUNTED = "state = 'shunted'"
FAILED = "state = 'failed'"
"""Like `SHUNTED` what the operator is to look after: counted every few seconds."""


_TRUTHS = re.compile(r"(NOT )?\b(active|here|of_guest)\b")
"""Columns that are true or false, as conditions name them."""


def partial_index(name: str, *columns: str, only: str, unique: bool = False) -> Index:
    """An index of the rows of which a condition holds.

    SQLite looks into it only if a query says the same in the same words, so truth is written as queries write it
    there, and what a condition is compared with must stand in the query, too, rather than be given to it.
    """
    on_sqlite = _TRUTHS.sub(lambda found: f"{found[2]} = {0 if found[1] else 1}", only)
    return Index(name, *columns, unique=unique, sqlite_where=text(on_sqlite), postgresql_where=text(only))
