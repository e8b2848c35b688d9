"""Everything stored about a player: to be shown on request, and forgotten."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Executable,
    Select,
    Update,
    and_,
    delete,
    exists,
    func,
    literal,
    or_,
    select,
    update,
)

from pbem.domain.correspondents import mailbox_of
from pbem.domain.credentials import ConfirmationKind
from pbem.domain.mails import MailState
from pbem.domain.players import Player, address_key
from pbem.ids import PlayerId
from pbem.storage.credentials import end_tokens
from pbem.storage.models import (
    AddressRow,
    BlockRow,
    BounceRow,
    BroadcastRow,
    ConfirmationRow,
    CorrespondentRow,
    DeedRow,
    DigestEntryRow,
    FamiliarSourceRow,
    LetterRow,
    MailRow,
    NoteRow,
    PlayerRow,
    PushSubscriptionRow,
    RatingChangeRow,
    RatingRow,
    ReadinessRow,
    RemarkRow,
    ReportRow,
    SeatRow,
    SeekRow,
    SessionRow,
    SolvedPuzzleRow,
    StudyRow,
    TaskRow,
    TokenRow,
    TournamentByeRow,
    TournamentEntryRow,
    TournamentRow,
    WatchRow,
    aliased,
)
from pbem.storage.repository import Noting, numbered, one_of

_HIS_ALONE = (
    *(ReadinessRow, SeekRow, DigestEntryRow, BroadcastRow, RemarkRow, SessionRow, SolvedPuzzleRow),
    *(FamiliarSourceRow, NoteRow, StudyRow),
)
"""The rows of a leaving player that are deleted by the player's number alone."""


def belongings(player: PlayerId) -> Mapping[str, Select[*tuple[object, ...]]]:
    """The queries for the facts about a player, by their subject; oldest first."""
    return {**_games_wanted(player), **_mails_wanted(player), **_results(player), **_tournaments(player)}


def _games_wanted(player: PlayerId) -> Mapping[str, Select[*tuple[object, ...]]]:
    other = aliased(PlayerRow)
    return {
        "readiness": select(ReadinessRow.game, ReadinessRow.most)
        .where(ReadinessRow.player_id == player)
        .order_by(ReadinessRow.game),
        "analyses": select(TaskRow.asked_at, TaskRow.board_number, TaskRow.moveno).where(TaskRow.asker_id == player),
        "seeks": select(
            SeekRow.created_at,
            SeekRow.game,
            SeekRow.options,
            SeekRow.clock,
            SeekRow.rated,
            SeekRow.players,
            SeekRow.wanted,
            SeekRow.pace,
        )
        .where(SeekRow.player_id == player)
        .order_by(SeekRow.id),
        "blocked": select(other.userid)
        .join(BlockRow, BlockRow.other_id == other.id)
        .where(BlockRow.player_id == player)
        .order_by(other.userid_key),
    }


def _mails_wanted(player: PlayerId) -> Mapping[str, Select[*tuple[object, ...]]]:
    """The player's watches, daily mail, remarks, notes, studies and sessions."""
    other = aliased(PlayerRow)
    return {
        "watches": select(WatchRow.what, WatchRow.game, WatchRow.board_number, other.userid.label("player"))
        .outerjoin(other, other.id == WatchRow.other_id)
        .where(WatchRow.player_id == player)
        .order_by(WatchRow.id),
        "kept_for_the_daily_mail": select(
            DigestEntryRow.at,
            DigestEntryRow.due_at,
            DigestEntryRow.board_number,
            DigestEntryRow.writer,
            DigestEntryRow.comment,
        )
        .where(DigestEntryRow.player_id == player)
        .order_by(DigestEntryRow.id),
        "remarks": select(RemarkRow.at, RemarkRow.board_number, RemarkRow.event, RemarkRow.kind, RemarkRow.text)
        .where(RemarkRow.player_id == player)
        .order_by(RemarkRow.id),
        "notes": select(NoteRow.changed_at, NoteRow.board_number, NoteRow.text)
        .where(NoteRow.player_id == player)
        .order_by(NoteRow.board_number),
        "studies": select(
            StudyRow.changed_at,
            StudyRow.board_number,
            StudyRow.title,
            StudyRow.content,
            StudyRow.key.is_not(None).label("shared"),
        )
        .where(StudyRow.player_id == player)
        .order_by(StudyRow.board_number),
        "tokens": select(TokenRow.name, TokenRow.made_at, TokenRow.used_at)
        .where(TokenRow.player_id == player)
        .order_by(TokenRow.made_at),
        "broadcasts": select(BroadcastRow.at, BroadcastRow.text)
        .where(BroadcastRow.player_id == player)
        .order_by(BroadcastRow.id),
        "familiar_sources": select(FamiliarSourceRow.used_at)
        .where(FamiliarSourceRow.player_id == player)
        .order_by(FamiliarSourceRow.used_at),
        "notified_browsers": select(PushSubscriptionRow.made_at, PushSubscriptionRow.endpoint)
        .where(PushSubscriptionRow.player_id == player)
        .order_by(PushSubscriptionRow.made_at),
        "sessions": select(SessionRow.began_at, SessionRow.expires_at)
        .where(SessionRow.player_id == player)
        .order_by(SessionRow.began_at),
    }


def _results(player: PlayerId) -> Mapping[str, Select[*tuple[object, ...]]]:
    return {
        "solved_puzzles": select(SolvedPuzzleRow.puzzle, SolvedPuzzleRow.solved_at)
        .where(SolvedPuzzleRow.player_id == player)
        .order_by(SolvedPuzzleRow.puzzle),
        "ratings": select(
            RatingRow.game,
            RatingRow.variant,
            RatingRow.rating,
            RatingRow.won,
            RatingRow.lost,
            RatingRow.tied,
            RatingRow.last_at,
        )
        .where(RatingRow.player_id == player)
        .order_by(RatingRow.game, RatingRow.variant),
        "rating_changes": select(
            RatingChangeRow.board_number,
            RatingChangeRow.game,
            RatingChangeRow.variant,
            RatingChangeRow.at,
            RatingChangeRow.before,
            RatingChangeRow.after,
            RatingChangeRow.outcome,
            RatingChangeRow.undone_at,
        )
        .where(RatingChangeRow.player_id == player)
        .order_by(RatingChangeRow.at, RatingChangeRow.board_number),
    }


def _tournaments(player: PlayerId) -> Mapping[str, Select[*tuple[object, ...]]]:
    return {
        "tournaments": select(
            TournamentRow.game,
            TournamentRow.name,
            TournamentEntryRow.joined_at,
            TournamentEntryRow.withdrawn_at,
            TournamentEntryRow.pool,
        )
        .join(TournamentRow, TournamentRow.id == TournamentEntryRow.tournament_id)
        .where(TournamentEntryRow.player_id == player)
        .order_by(TournamentEntryRow.joined_at),
        "tournaments_created": select(TournamentRow.created_at, TournamentRow.game, TournamentRow.name)
        .where(TournamentRow.creator_id == player)
        .order_by(TournamentRow.created_at),
        "byes": select(TournamentRow.name, TournamentByeRow.round, TournamentByeRow.points)
        .join(TournamentRow, TournamentRow.id == TournamentByeRow.tournament_id)
        .where(TournamentByeRow.player_id == player)
        .order_by(TournamentRow.id, TournamentByeRow.round),
    }


def forget_belongings(connection: Connection, player: PlayerId) -> None:
    """Delete the requests of a leaving player, questions about them, and the days when they were here.

    Their remarks are deleted, their sessions end, and their broadcasts are no longer mailed.
    """
    end_tokens(connection, TokenRow.player_id == player)
    connection.execute(delete(PushSubscriptionRow).where(PushSubscriptionRow.player_id == player))
    for row in _HIS_ALONE:
        connection.execute(delete(row).where(row.player_id == player))
    connection.execute(delete(TaskRow).where(TaskRow.asker_id == player))
    for pair in (BlockRow, WatchRow):
        connection.execute(delete(pair).where(or_(pair.player_id == player, pair.other_id == player)))
    connection.execute(update(SeatRow).where(SeatRow.player_id == player, SeatRow.plan.is_not(None)).values(plan=None))
    nothing = {"vacations": None, "seen_on": None, "pace_seconds": None}
    connection.execute(update(PlayerRow).where(PlayerRow.id == player).values(nothing))


_WITHOUT_TEXT: dict[str, Any] = {"recipient": "", "subject": None, "raw": None, "packed": None, "last_error": None}


class TraceRepository(Noting):
    """Facts about a player that no other repository tells them."""

    _notes = ("_leaving",)

    def __init__(self, connect: Callable[[], Connection]) -> None:
        super().__init__(connect)
        self._leaving: tuple[Player, ...] = ()

    def of(self, player: Player) -> Mapping[str, Sequence[Mapping[str, object]]]:
        """Lists of facts by what they are about, oldest first; passwords and tokens are not among them."""
        keys = sorted(_proven(self._connect(), player))
        found = {
            "mails": _mails(player, keys),
            "letters": _letters(keys),
            "questions": _questions(player),
            "bounces": _bounces(player),
            "reports": _reports(player),
            "deeds_of_the_operator": _deeds(player),
            **belongings(player.id),
            "answers_counted": _answers({*keys, *map(mailbox_of, keys)}),
        }
        return {name: self._rows(query) for name, query in found.items()}

    def _rows(self, query: Executable) -> list[Mapping[str, object]]:
        return [dict(row) for row in self._connect().execute(query).mappings()]

    def forget(self, player: Player) -> None:
        """Forget a player who leaves, and whose current addresses are still on record.

        Unsent mails go out first.
        """
        self._leaving = (*self._leaving, player)

    def write(self, connection: Connection) -> None:
        """Forget the players who leave; their addresses must be off the record by now, so that others' can be told."""
        for player in self._leaving:
            _forget(connection, player)


def _mails(player: Player, keys: Iterable[str]) -> Executable:
    """The mails to a player, and those to their addresses from before these were known to be theirs."""
    to_player = and_(MailRow.player_id.is_(None), func.lower(MailRow.recipient).in_(keys))
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
        .where(or_(MailRow.player_id == player.id, to_player))
        .order_by(MailRow.id)
    )


def _letters(keys: Iterable[str]) -> Executable:
    return (
        select(LetterRow.received_at, LetterRow.sender, LetterRow.state, LetterRow.finished_at)
        .where(func.lower(LetterRow.sender).in_(keys))
        .order_by(LetterRow.id)
    )


def _questions(player: Player) -> Executable:
    """The questions that the player has not answered yet."""
    return (
        select(
            ConfirmationRow.kind,
            ConfirmationRow.asked_at,
            ConfirmationRow.expires_at,
            ConfirmationRow.address,
            ConfirmationRow.line,
            ConfirmationRow.comment,
        )
        .where(ConfirmationRow.player_id == player.id, ConfirmationRow.answered_at.is_(None))
        .order_by(ConfirmationRow.id)
    )


def _bounces(player: Player) -> Executable:
    return (
        select(
            BounceRow.at,
            BounceRow.address_key.label("address"),
            BounceRow.permanent,
            BounceRow.status,
            BounceRow.diagnosis,
        )
        .where(BounceRow.player_id == player.id)
        .order_by(BounceRow.id)
    )


def _reports(player: Player) -> Executable:
    return (
        select(ReportRow.at, PlayerRow.userid.label("about"), ReportRow.board_number, ReportRow.text)
        .join(PlayerRow, PlayerRow.id == ReportRow.about_id)
        .where(ReportRow.player_id == player.id)
        .order_by(ReportRow.id)
    )


def _deeds(player: Player) -> Executable:
    return select(DeedRow.at, DeedRow.deed, DeedRow.reason).where(_is_about(player)).order_by(DeedRow.id)


def _answers(keys: Iterable[str]) -> Executable:
    return select(
        CorrespondentRow.address_key.label("address"),
        CorrespondentRow.day,
        CorrespondentRow.answers,
        CorrespondentRow.questions,
    ).where(CorrespondentRow.address_key.in_(keys))


def _is_about(player: Player) -> ColumnElement[bool]:
    """Return True if an entry is about a player, alone or among others; boards and letters have numbers."""
    among = literal(", ") + func.lower(DeedRow.subject) + ","
    return among.contains(f", {player.userid.lower()},", autoescape=True)


def _proven(connection: Connection, player: Player) -> set[str]:
    """The keys of the addresses that are or were a player's, as far as they are on record.

    Mails and questions go only to addresses that have answered. Those that the player has named and that have never
    answered may be someone else's.
    """
    mails = select(func.lower(MailRow.recipient)).where(MailRow.player_id == player.id)
    asked = ConfirmationRow.player_id == player.id, ConfirmationRow.kind == ConfirmationKind.COMMAND.value
    questions = select(func.lower(ConfirmationRow.address)).where(*asked)
    found = {*map(address_key, player.confirmed), *connection.scalars(mails.union(questions))}
    return {each for each in found if each}


def _named(connection: Connection, player: Player) -> set[str]:
    """The keys of the addresses that a player has named as theirs."""
    asked = select(func.lower(ConfirmationRow.address)).where(ConfirmationRow.player_id == player.id)
    found = {address_key(each.address) for each in player.addresses} | set(connection.scalars(asked))
    return {each for each in found if each}


def _only_of(keys: Iterable[str], key: Any) -> ColumnElement[bool]:
    """The condition that a key is that of one of these addresses, and no remaining player has it."""
    shared = exists().where(AddressRow.address_key == key, AddressRow.confirmed_at.is_not(None))
    return and_(key.in_(sorted(keys)), ~shared)


def _forget(connection: Connection, player: Player) -> None:
    proven = _proven(connection, player)
    named = proven | _named(connection, player)
    connection.execute(
        update(ConfirmationRow)
        .where(ConfirmationRow.player_id == player.id)
        .values(
            address=None,
            line=None,
            password_hash=None,
            session=None,
            comment="",
            answered_at=func.coalesce(ConfirmationRow.answered_at, ConfirmationRow.asked_at),
        )
    )
    forget_belongings(connection, player.id)
    connection.execute(delete(BounceRow).where(BounceRow.player_id == player.id))
    counted = proven | set(map(mailbox_of, proven))
    connection.execute(delete(CorrespondentRow).where(_only_of(counted, CorrespondentRow.address_key)))
    _forget_letters(connection, _only_of(proven, func.lower(LetterRow.sender)))
    # Those of them that still wait are forgotten when they have been sent, like all mails to the player.
    to_him = and_(MailRow.player_id.is_(None), _only_of(named, func.lower(MailRow.recipient)))
    connection.execute(update(MailRow).where(to_him).values(player_id=player.id))
    settled = and_(MailRow.player_id == player.id, MailRow.state != MailState.WAITING)
    connection.execute(update(MailRow).where(settled).values(_WITHOUT_TEXT))


def _forget_letters(connection: Connection, theirs: ColumnElement[bool]) -> None:
    """Blank the letters of who leaves: those handled, those set aside, and the one that is being handled just now."""
    connection.execute(
        update(LetterRow)
        .where(theirs, LetterRow.state == "shunted")
        .values(state="dropped", raw=None, client=None, last_error=None)
    )
    handled = or_(LetterRow.state != "waiting", LetterRow.lease_owner.is_not(None))
    connection.execute(update(LetterRow).where(theirs, handled).values(sender="", recipients=[]))


def forget_sent(connection: Connection, mails: Sequence[int]) -> None:
    """Blank the mails that have been settled just now and were for somebody who has left meanwhile."""
    connection.execute(_forget_sent(len(mails)), numbered("mail", mails))


@cache
def _forget_sent(mails: int) -> Update:
    has_left = ~exists().where(AddressRow.player_id == MailRow.player_id)
    is_settled = and_(one_of(MailRow.id, "mail", mails), MailRow.state != MailState.WAITING)
    return update(MailRow).where(is_settled, MailRow.player_id.is_not(None), has_left).values(_WITHOUT_TEXT)
