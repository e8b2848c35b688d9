"""What letters, mails and questions tell about a player: shown to him, and forgotten when he leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, delete, exists, func, or_, select, update

from pbem.domain.mails import State
from pbem.domain.players import Standing, address_key
from pbem.storage.models import (
    AddressRow,
    BounceRow,
    ConfirmationRow,
    CorrespondentRow,
    DeedRow,
    LetterRow,
    MailRow,
    PlayerRow,
    ReportRow,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sqlalchemy import ColumnElement, Connection, Executable

    from pbem.domain.players import Player

_WITHOUT_TEXT: dict[str, Any] = {"recipient": "", "subject": None, "raw": None, "last_error": None}


class TraceRepository:
    """Everything about a player that no other repository would tell him."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._connect = connect
        self._leaving: tuple[Player, ...] = ()

    def remember(self) -> Callable[[], None]:
        """Return what takes back everything that is to be forgotten from now on."""
        leaving = self._leaving

        def restore() -> None:
            self._leaving = leaving

        return restore

    def of(self, player: Player) -> Mapping[str, Sequence[Mapping[str, object]]]:
        """Lists of facts by what they are about, oldest first; passwords and tokens are not among them."""
        keys = [address_key(each.address) for each in player.addresses]
        mine = ConfirmationRow.player_id == player.id
        return {
            "mails": self._rows(_mails(player, keys)),
            "letters": self._rows(
                select(LetterRow.received_at, LetterRow.sender, LetterRow.state, LetterRow.finished_at)
                .where(func.lower(LetterRow.sender).in_(keys))
                .order_by(LetterRow.id)
            ),
            "questions": self._rows(
                select(
                    ConfirmationRow.kind,
                    ConfirmationRow.asked_at,
                    ConfirmationRow.expires_at,
                    ConfirmationRow.address,
                    ConfirmationRow.line,
                    ConfirmationRow.comment,
                )
                .where(mine, ConfirmationRow.answered_at.is_(None))
                .order_by(ConfirmationRow.id)
            ),
            "bounces": self._rows(
                select(
                    BounceRow.at,
                    BounceRow.address_key.label("address"),
                    BounceRow.permanent,
                    BounceRow.status,
                    BounceRow.diagnosis,
                )
                .where(BounceRow.player_id == player.id)
                .order_by(BounceRow.id)
            ),
            "reports": self._rows(
                select(ReportRow.at, PlayerRow.userid.label("about"), ReportRow.board_number, ReportRow.text)
                .join(PlayerRow, PlayerRow.id == ReportRow.about_id)
                .where(ReportRow.player_id == player.id)
                .order_by(ReportRow.id)
            ),
            "deeds_of_the_operator": self._rows(
                select(DeedRow.at, DeedRow.deed, DeedRow.reason)
                .where(DeedRow.subject == player.userid)
                .order_by(DeedRow.id)
            ),
            "answers_counted": self._rows(
                select(
                    CorrespondentRow.address_key.label("address"),
                    CorrespondentRow.day,
                    CorrespondentRow.answers,
                    CorrespondentRow.questions,
                ).where(CorrespondentRow.address_key.in_(keys))
            ),
        }

    def _rows(self, query: Executable) -> list[Mapping[str, object]]:
        return [dict(row) for row in self._connect().execute(query).mappings()]

    def forget(self, player: Player) -> None:
        """Forget a player who leaves, and whose addresses are still those that he has had."""
        self._leaving = (*self._leaving, player)

    def write(self, connection: Connection) -> None:
        """Forget who leaves; his addresses must be off the record by now, so that those of others can be told."""
        for player in self._leaving:
            _forget(connection, player)


def _mails(player: Player, keys: Iterable[str]) -> Executable:
    """The mails to a player, and those to addresses of his from before they were known to be."""
    his = and_(MailRow.player_id.is_(None), func.lower(MailRow.recipient).in_(keys))
    return (
        select(
            MailRow.created_at,
            MailRow.recipient,
            MailRow.board_number,
            MailRow.subject,
            MailRow.state,
            MailRow.finished_at,
            MailRow.last_error,
        )
        .where(or_(MailRow.player_id == player.id, his))
        .order_by(MailRow.id)
    )


def _forget(connection: Connection, player: Player) -> None:
    keys = [address_key(each.address) for each in player.addresses]

    def his(column: Any) -> ColumnElement[bool]:
        """Whether it is an address of his and of nobody else."""
        shared = exists().where(AddressRow.address_key == func.lower(column))
        return and_(func.lower(column).in_(keys), ~shared)

    connection.execute(
        update(ConfirmationRow)
        .where(ConfirmationRow.player_id == player.id)
        .values(
            address=None,
            line=None,
            password_hash=None,
            comment="",
            answered_at=func.coalesce(ConfirmationRow.answered_at, ConfirmationRow.asked_at),
        )
    )
    connection.execute(delete(BounceRow).where(BounceRow.player_id == player.id))
    connection.execute(delete(CorrespondentRow).where(his(CorrespondentRow.address_key)))
    to_him = or_(MailRow.player_id == player.id, and_(MailRow.player_id.is_(None), his(MailRow.recipient)))
    connection.execute(update(MailRow).where(to_him, MailRow.state != State.WAITING).values(_WITHOUT_TEXT))
    _forget_letters(connection, his(LetterRow.sender))


def _forget_letters(connection: Connection, his: ColumnElement[bool]) -> None:
    """Blank the letters of who leaves: those handled, those set aside, and the one that is being handled just now."""
    connection.execute(
        update(LetterRow).where(his, LetterRow.state == "shunted").values(state="dropped", raw=None, last_error=None)
    )
    handled = or_(LetterRow.state != "waiting", LetterRow.lease_owner.is_not(None))
    connection.execute(update(LetterRow).where(his, handled).values(sender="", recipients=[]))


def forget_sent(connection: Connection, mails: Sequence[int]) -> None:
    """Blank the mails that have been settled just now and were for somebody who has left meanwhile."""
    gone = select(PlayerRow.id).where(PlayerRow.standing == Standing.GONE.value)
    to_gone = and_(MailRow.id.in_(mails), MailRow.state != State.WAITING, MailRow.player_id.in_(gone))
    connection.execute(update(MailRow).where(to_gone).values(_WITHOUT_TEXT))
