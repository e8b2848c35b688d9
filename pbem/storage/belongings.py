"""What a player has asked for and won beside his boards: shown to him, and forgotten when he leaves.

Results stay with his userid, like the finished games that they are of.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, Select, delete, or_, select, update
from sqlalchemy.orm import aliased

from pbem.ids import PlayerId
from pbem.storage.models import (
    BlockRow,
    BroadcastRow,
    DigestEntryRow,
    FamiliarSourceRow,
    PlayerRow,
    RatingChangeRow,
    RatingRow,
    ReadinessRow,
    RemarkRow,
    SeekRow,
    SessionRow,
    SolvedPuzzleRow,
    TaskRow,
    TokenRow,
    TournamentByeRow,
    TournamentEntryRow,
    TournamentRow,
    WatchRow,
)
from pbem.storage.tokens import end_tokens

_HIS_ALONE = (
    *(ReadinessRow, SeekRow, DigestEntryRow, BroadcastRow, RemarkRow, SessionRow, SolvedPuzzleRow),
    FamiliarSourceRow,
)
"""What is forgotten of who leaves, by his number alone."""


def belongings(player: PlayerId) -> Mapping[str, Select[*tuple[object, ...]]]:
    """What finds the facts about a player, by what they are about; oldest first."""
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
    """What he watches, what his daily mail will tell, what he has written, and where he is signed in."""
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
        "tokens": select(TokenRow.name, TokenRow.made_at, TokenRow.used_at)
        .where(TokenRow.player_id == player)
        .order_by(TokenRow.made_at),
        "broadcasts": select(BroadcastRow.at, BroadcastRow.text)
        .where(BroadcastRow.player_id == player)
        .order_by(BroadcastRow.id),
        "familiar_sources": select(FamiliarSourceRow.used_at)
        .where(FamiliarSourceRow.player_id == player)
        .order_by(FamiliarSourceRow.used_at),
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
            RatingRow.rating,
            RatingRow.won,
            RatingRow.lost,
            RatingRow.tied,
            RatingRow.last_at,
        )
        .where(RatingRow.player_id == player)
        .order_by(RatingRow.game),
        "rating_changes": select(
            RatingChangeRow.board_number,
            RatingChangeRow.game,
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
    """Forget what a player who leaves has asked for, what others have asked about him, and when he was here.

    What he has written at boards is forgotten, his sessions end, and what he has told everybody is mailed to nobody
    any more.
    """
    end_tokens(connection, TokenRow.player_id == player)
    for row in _HIS_ALONE:
        connection.execute(delete(row).where(row.player_id == player))
    connection.execute(delete(TaskRow).where(TaskRow.asker_id == player))
    for pair in (BlockRow, WatchRow):
        connection.execute(delete(pair).where(or_(pair.player_id == player, pair.other_id == player)))
    nothing = {"vacations": None, "seen_on": None, "pace_seconds": None}
    connection.execute(update(PlayerRow).where(PlayerRow.id == player).values(nothing))
