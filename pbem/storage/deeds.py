"""What operators have done, in the database."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, insert, select

from pbem.domain.deeds import Deed
from pbem.storage.models import DeedRow


def note_deed(connection: Connection, deed: Deed) -> None:
    """Note a deed, within the transaction that carries it out."""
    connection.execute(
        insert(DeedRow).values(
            at=deed.at, operator=deed.operator, deed=deed.deed, subject=deed.subject, reason=deed.reason
        )
    )


def last_deeds(connection: Connection, most: int) -> Sequence[Deed]:
    """What was done last, newest first."""
    rows = connection.execute(select(*DeedRow.__table__.c).order_by(DeedRow.id.desc()).limit(most))
    return [Deed(row.at, row.operator, row.deed, row.subject, row.reason) for row in rows]
