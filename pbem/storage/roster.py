"""Players by the hundred, and what was lately exchanged with one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, func, select

from pbem.domain.players import address_key
from pbem.ids import PlayerId
from pbem.storage.models import AddressRow, LetterRow, MailRow, PlayerRow, SeatRow
from pbem.storage.players import IS_HERE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ScalarSelect

    from pbem.domain.players import Player, Standing


def player_rows(connection: Connection, text: str, standing: Standing | None, most: int) -> list[dict[str, Any]]:
    """Players whose userid or address holds a text, by userid: how they stand, and how many boards they have."""
    query = (
        select(
            PlayerRow.userid,
            PlayerRow.standing,
            PlayerRow.mail_stopped,
            PlayerRow.created_at,
            _confirmed_addresses().label("confirmed"),
            _active_boards().label("boards"),
        )
        .order_by(PlayerRow.userid_key)
        .limit(most)
    )
    if standing is not None:
        query = query.where(PlayerRow.standing == standing.value)
    if text:
        theirs = select(AddressRow.player_id).where(AddressRow.address_key.contains(address_key(text), autoescape=True))
        query = query.where(PlayerRow.userid_key.contains(text.casefold(), autoescape=True) | PlayerRow.id.in_(theirs))
    return [dict(row._mapping) for row in connection.execute(query)]  # noqa: SLF001 - SQLAlchemy's public name for it


def _confirmed_addresses() -> ScalarSelect[int]:
    mine = (AddressRow.player_id == PlayerRow.id) & AddressRow.confirmed_at.is_not(None)
    return select(func.count()).select_from(AddressRow).where(mine).correlate(PlayerRow).scalar_subquery()


def _active_boards() -> ScalarSelect[int]:
    mine = (SeatRow.player_id == PlayerRow.id) & SeatRow.active
    return select(func.count(SeatRow.board_number.distinct())).where(mine).correlate(PlayerRow).scalar_subquery()


def mailable_players(connection: Connection, after: PlayerId, most: int, *, playing: bool) -> list[PlayerId]:
    """The next players with a confirmed address, in the order of their ids: for mails to everybody, in batches.

    Args:
        connection: to read with.
        after: the last one of the batch before, or 0.
        most: how many.
        playing: only those with an active board.
    """
    confirmed = select(AddressRow.player_id).where(AddressRow.confirmed_at.is_not(None))
    query = select(PlayerRow.id).where(PlayerRow.id > after, PlayerRow.id.in_(confirmed), IS_HERE)
    if playing:
        query = query.where(PlayerRow.id.in_(select(SeatRow.player_id).where(SeatRow.active)))
    return [PlayerId(each) for each in connection.scalars(query.order_by(PlayerRow.id).limit(most))]


def mailed_keys(connection: Connection, keys: Sequence[str]) -> set[str]:
    """Which of these keys mails in the outbox have."""
    return set(connection.scalars(select(MailRow.key).where(MailRow.key.in_(keys))))


def last_letters(connection: Connection, player: Player, most: int) -> list[dict[str, Any]]:
    """The last letters from a player's addresses, newest first."""
    mine = func.lower(LetterRow.sender).in_([address_key(each.address) for each in player.addresses])
    query = (
        select(LetterRow.id, LetterRow.received_at, LetterRow.sender, LetterRow.state, LetterRow.last_error)
        .where(mine)
        .order_by(LetterRow.id.desc())
        .limit(most)
    )
    return [dict(row._mapping) for row in connection.execute(query)]  # noqa: SLF001


def last_mails(connection: Connection, player: PlayerId, most: int) -> list[dict[str, Any]]:
    """The last mails to a player, newest first."""
    query = (
        select(MailRow.id, MailRow.created_at, MailRow.recipient, MailRow.subject, MailRow.state, MailRow.last_error)
        .where(MailRow.player_id == player)
        .order_by(MailRow.id.desc())
        .limit(most)
    )
    return [dict(row._mapping) for row in connection.execute(query)]  # noqa: SLF001
