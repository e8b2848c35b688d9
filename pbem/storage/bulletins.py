"""What the operator tells everybody, in the database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from sqlalchemy import BindParameter, ColumnElement, Connection, Engine, bindparam, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from pbem.domain.bulletins import Bulletin
from pbem.storage.engine import reading
from pbem.storage.models import BulletinRow
from pbem.storage.repository import readable_rows

_MOMENT: BindParameter[datetime] = bindparam("now", type_=BulletinRow.posted_at.type)


def is_up(now: datetime | BindParameter[datetime]) -> ColumnElement[bool]:
    """Whether a bulletin has not been taken down."""
    return BulletinRow.ends_at.is_(None) | (BulletinRow.ends_at > now)


_BULLETINS_UP = select(*BulletinRow.__table__.c).where(is_up(_MOMENT)).order_by(BulletinRow.id)


def post_bulletin(connection: Connection, text: str, now: datetime, ends_at: datetime | None) -> None:
    """Put a bulletin up."""
    connection.execute(insert(BulletinRow).values(text=text, posted_at=now, ends_at=ends_at))


def end_bulletins(connection: Connection, ids: Sequence[int], now: datetime) -> int:
    """Take some bulletins down; return how many of them were up."""
    down = update(BulletinRow).where(BulletinRow.id.in_(ids), is_up(now)).values(ends_at=now)
    return connection.execute(down).rowcount


def bulletins_up(connection: Connection, now: datetime) -> list[Bulletin]:
    """The bulletins that are up, oldest first."""
    find = partial(connection.execute, _BULLETINS_UP, {"now": now})
    return readable_rows(find, lambda row: Bulletin(row.id, row.text, row.posted_at, row.ends_at), "bulletin")


class BulletinBoard:
    """The bulletins as every mail shows them.

    They are an ornament of other mails: while the database is in trouble there are none.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def texts(self, now: datetime) -> list[str]:
        """The texts that are up."""
        try:
            with reading(self._engine) as connection:
                return [each.text for each in bulletins_up(connection, now)]
        except SQLAlchemyError:
            return []
