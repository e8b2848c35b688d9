"""One way in for everything that is asked of the server: each command has one handler."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from pbem.commands.deeds import AdvanceTournament, AnnulBoard, EndBoard, HandOverSeat, StrikeClock
from pbem.commands.model import (
    AcceptChallenges,
    AddAddresses,
    Block,
    Broadcast,
    Challenge,
    ChangeAddresses,
    ChangePassword,
    Chat,
    Command,
    CreateTournament,
    EndVacation,
    ExportBoard,
    Forgot,
    Help,
    JoinTournament,
    LimitBoards,
    ListGames,
    Mailed,
    MakeMove,
    NotifyOfEnd,
    RejectChallenges,
    ReportPlayer,
    Resend,
    Resign,
    Seek,
    SendMessage,
    SetPreferences,
    ShowAs,
    ShowBoards,
    ShowData,
    ShowHistory,
    ShowLimit,
    ShowPlayersBoards,
    ShowPreferences,
    ShowStandings,
    ShowTournament,
    ShowVacation,
    ShowWho,
    SignOff,
    SignUp,
    StartTournament,
    Subscribe,
    SubscribeTo,
    TableOfBoards,
    TakeVacation,
    Unblock,
    Unsubscribe,
    UnsubscribeFrom,
    WithdrawFromTournament,
)
from pbem.usecases import (
    accounts,
    addresses,
    blocks,
    challenges,
    clocks,
    dossiers,
    interventions,
    mailed,
    moves,
    passwords,
    preferences,
    rankings,
    readiness,
    records,
    reports,
    seeks,
    signoff,
    tournament_rounds,
    tournament_tables,
    tournaments,
    vacations,
    views,
    watch_lists,
    watching,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.domain.notices import Notice
    from pbem.usecases.context import Context

    Handler: TypeAlias = Callable[[Any, Context], list[Notice]]

HANDLERS: dict[type[Command], Handler] = {
    SignUp: accounts.sign_up,
    Help: views.help_,
    ListGames: views.list_games,
    AddAddresses: addresses.add_addresses,
    ChangeAddresses: addresses.change_addresses,
    ChangePassword: passwords.change_password,
    Forgot: passwords.forgot,
    ShowData: dossiers.show_data,
    SignOff: signoff.sign_off,
    Challenge: challenges.challenge,
    AcceptChallenges: readiness.accept_challenges,
    RejectChallenges: readiness.reject_challenges,
    LimitBoards: readiness.limit_boards,
    ShowLimit: readiness.show_limit,
    Seek: seeks.seek,
    Block: blocks.block,
    Unblock: blocks.unblock,
    MakeMove: moves.make_move,
    Resign: moves.resign,
    ShowBoards: views.show_boards,
    ShowPlayersBoards: views.show_players_boards,
    TableOfBoards: views.table_of_boards,
    ShowAs: views.show_as,
    Chat: words.chat,
    SendMessage: words.send_message,
    Broadcast: words.broadcast,
    ShowStandings: rankings.show_standings,
    ShowHistory: rankings.show_history,
    ShowWho: rankings.show_who,
    ExportBoard: records.export_board,
    ShowPreferences: preferences.show_preferences,
    SetPreferences: preferences.set_preferences,
    ReportPlayer: reports.report_player,
    Mailed: mailed.show_mailed,
    Resend: mailed.resend,
    Subscribe: watching.subscribe,
    Unsubscribe: watching.unsubscribe,
    SubscribeTo: watch_lists.subscribe_to,
    UnsubscribeFrom: watch_lists.unsubscribe_from,
    NotifyOfEnd: watch_lists.notify_of_end,
    CreateTournament: tournaments.create_tournament,
    JoinTournament: tournaments.join_tournament,
    WithdrawFromTournament: tournament_rounds.withdraw_from_tournament,
    StartTournament: tournament_rounds.start_tournament,
    ShowTournament: tournament_tables.show_tournament,
    AnnulBoard: interventions.annul_board,
    EndBoard: interventions.end_board,
    HandOverSeat: interventions.hand_over_seat,
    StrikeClock: clocks.strike_clock,
    ShowVacation: vacations.show_vacation,
    TakeVacation: vacations.take_vacation,
    EndVacation: vacations.end_vacation,
    AdvanceTournament: tournament_rounds.advance_tournament,
}
"""The table of contents of the server."""


def dispatch(command: Command, context: Context) -> list[Notice]:
    """Carry out one command, whoever made it.

    Raises:
        PlayerError: it cannot be done; nothing has changed.
    """
    with context.uow.attempt():
        return HANDLERS[type(command)](command, context)
