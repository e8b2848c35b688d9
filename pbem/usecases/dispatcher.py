"""One way in for everything that is asked of the server: each command has one handler."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from pbem.commands.deeds import (
    AdvanceTournament,
    AllowMail,
    AnnulBoard,
    BanPlayer,
    BeginTournament,
    CallOffTournament,
    EndBoard,
    FreezePlayer,
    HandOverSeat,
    LetSeeksMeet,
    RemovePlayer,
    SetAddresses,
    StopMail,
    StrikeClock,
    UnbanPlayer,
    UnfreezePlayer,
)
from pbem.commands.model import (
    AcceptChallenges,
    AcceptOffer,
    AddAddresses,
    AnalyseBoard,
    AnswerPuzzle,
    AskUndo,
    Block,
    Broadcast,
    CancelQueued,
    Challenge,
    ChangeAddresses,
    ChangePassword,
    Chat,
    Command,
    ConfirmMove,
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
    NextPuzzle,
    NotifyOfEnd,
    PassTurn,
    PreviewBoard,
    PreviewNew,
    ProposeDraw,
    QueueMove,
    RejectChallenges,
    RejectOffer,
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
    ShowPuzzle,
    ShowRobots,
    ShowStandings,
    ShowTournament,
    ShowVacation,
    ShowWho,
    SignOff,
    SignUp,
    StartTournament,
    SubmitMove,
    Subscribe,
    SubscribeTo,
    SwapSides,
    TableOfBoards,
    TakeVacation,
    Unblock,
    Unsubscribe,
    UnsubscribeFrom,
    WithdrawFromTournament,
)
from pbem.usecases.accounts import addresses, dossiers, passwords, preferences, signoff, signup, vacations
from pbem.usecases.admin import account_deeds, board_deeds, tournament_deeds
from pbem.usecases.boards import clocks, moves, offers, queues, submissions
from pbem.usecases.challenges import blocks, challenging, readiness, seeks
from pbem.usecases.mail import mailed
from pbem.usecases.messages import reports, words
from pbem.usecases.robots import analyses, opponents, puzzles
from pbem.usecases.tournaments import entries, rounds, tables
from pbem.usecases.views import boards, previews, rankings, records, server
from pbem.usecases.watching import subscriptions, watch_lists

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.domain.notices import Notice
    from pbem.usecases.context import Context

    Handler: TypeAlias = Callable[[Any, Context], list[Notice]]

HANDLERS: dict[type[Command], Handler] = {
    SignUp: signup.sign_up,
    Help: server.help_,
    ListGames: server.list_games,
    AddAddresses: addresses.add_addresses,
    ChangeAddresses: addresses.change_addresses,
    ChangePassword: passwords.change_password,
    Forgot: passwords.forgot,
    ShowData: dossiers.show_data,
    SignOff: signoff.sign_off,
    Challenge: challenging.challenge,
    AcceptChallenges: readiness.accept_challenges,
    RejectChallenges: readiness.reject_challenges,
    LimitBoards: readiness.limit_boards,
    ShowLimit: readiness.show_limit,
    Seek: seeks.seek,
    Block: blocks.block,
    Unblock: blocks.unblock,
    MakeMove: moves.make_move,
    PassTurn: moves.make_move,
    SwapSides: moves.make_move,
    Resign: moves.resign,
    QueueMove: queues.queue_move,
    CancelQueued: queues.cancel_queued,
    SubmitMove: submissions.submit_move,
    ConfirmMove: submissions.confirm_move,
    ProposeDraw: offers.propose_draw,
    AskUndo: offers.ask_undo,
    AcceptOffer: offers.accept_offer,
    RejectOffer: offers.reject_offer,
    PreviewBoard: previews.preview_board,
    PreviewNew: previews.preview_new,
    ShowBoards: boards.show_boards,
    ShowPlayersBoards: boards.show_players_boards,
    TableOfBoards: boards.table_of_boards,
    ShowAs: boards.show_as,
    Chat: words.chat,
    SendMessage: words.send_message,
    Broadcast: words.broadcast,
    ShowStandings: rankings.show_standings,
    ShowRobots: opponents.show_robots,
    NextPuzzle: puzzles.next_puzzle,
    ShowPuzzle: puzzles.show_puzzle,
    AnswerPuzzle: puzzles.answer_puzzle,
    ShowHistory: rankings.show_history,
    ShowWho: rankings.show_who,
    AnalyseBoard: analyses.analyse_board,
    ExportBoard: records.export_board,
    ShowPreferences: preferences.show_preferences,
    SetPreferences: preferences.set_preferences,
    ReportPlayer: reports.report_player,
    Mailed: mailed.show_mailed,
    Resend: mailed.resend,
    Subscribe: subscriptions.subscribe,
    Unsubscribe: subscriptions.unsubscribe,
    SubscribeTo: watch_lists.subscribe_to,
    UnsubscribeFrom: watch_lists.unsubscribe_from,
    NotifyOfEnd: watch_lists.notify_of_end,
    CreateTournament: entries.create_tournament,
    JoinTournament: entries.join_tournament,
    WithdrawFromTournament: rounds.withdraw_from_tournament,
    StartTournament: rounds.start_tournament,
    ShowTournament: tables.show_tournament,
    AnnulBoard: board_deeds.annul_board,
    EndBoard: board_deeds.end_board,
    HandOverSeat: board_deeds.hand_over_seat,
    BeginTournament: tournament_deeds.begin_tournament,
    CallOffTournament: tournament_deeds.call_off_tournament,
    FreezePlayer: account_deeds.freeze_player,
    UnfreezePlayer: account_deeds.unfreeze_player,
    BanPlayer: account_deeds.ban_player,
    UnbanPlayer: account_deeds.unban_player,
    RemovePlayer: account_deeds.remove_player,
    StopMail: account_deeds.stop_mail,
    AllowMail: account_deeds.allow_mail,
    SetAddresses: account_deeds.set_addresses,
    StrikeClock: clocks.strike_clock,
    ShowVacation: vacations.show_vacation,
    TakeVacation: vacations.take_vacation,
    EndVacation: vacations.end_vacation,
    LetSeeksMeet: seeks.let_seeks_meet,
    AdvanceTournament: rounds.advance_tournament,
}
"""The table of contents of the server."""


def dispatch(command: Command, context: Context) -> list[Notice]:
    """Carry out one command, whoever made it.

    Raises:
        PlayerError: it cannot be done; nothing has changed.
    """
    with context.uow.attempt():
        return HANDLERS[type(command)](command, context)
