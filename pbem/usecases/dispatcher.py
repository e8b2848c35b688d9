"""One way in for everything that is asked of the server: each command has one handler."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from pbem.commands.internal import (
    AdvanceTournament,
    AllowMail,
    AnnulBoard,
    BanPlayer,
    BeginTournament,
    CallOffTournament,
    ChangeAccount,
    ConfirmAddress,
    EndBoard,
    FreezePlayer,
    GiveMailUp,
    HandOverSeat,
    HearFromPlayer,
    LetSeeksMeet,
    LiftSuppression,
    RemovePlayer,
    ResetPassword,
    SetAddresses,
    StopMail,
    StrikeClock,
    SuppressAddress,
    TakeBackMail,
    UnbanPlayer,
    UnfreezePlayer,
    UnsubscribeByLink,
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
    ShowSeeks,
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
from pbem.domain.mails import Notice
from pbem.usecases import watching
from pbem.usecases.accounts import addresses, passwords, preferences, signoff, signup
from pbem.usecases.accounts import preferences as changes
from pbem.usecases.accounts import preferences as vacations
from pbem.usecases.accounts import signoff as dossiers
from pbem.usecases.admin import accounts
from pbem.usecases.admin import boards as board_deeds
from pbem.usecases.admin import boards as tournament_deeds
from pbem.usecases.boards import clocks, moves, offers
from pbem.usecases.boards import moves as queues
from pbem.usecases.boards import moves as submissions
from pbem.usecases.challenges import blocks, challenging, seeks
from pbem.usecases.challenges import blocks as readiness
from pbem.usecases.context import Context
from pbem.usecases.mail import bounces, mailed
from pbem.usecases.mail import bounces as reachability
from pbem.usecases.messages import reports, words
from pbem.usecases.robots import analyses, opponents, puzzles
from pbem.usecases.tournaments import entries, rounds
from pbem.usecases.tournaments import rounds as tables
from pbem.usecases.views import boards, drafts, rankings, records
from pbem.usecases.views import boards as server

Handler: TypeAlias = Callable[[Any, Context], list[Notice]]


HANDLERS: dict[type[Command], Handler] = {
    # What players ask for
    Help: server.help_,
    ListGames: server.list_games,
    ShowBoards: boards.show_boards,
    ShowPlayersBoards: boards.show_players_boards,
    TableOfBoards: boards.table_of_boards,
    ShowAs: boards.show_as,
    PreviewBoard: drafts.preview_board,
    PreviewNew: drafts.preview_new,
    ShowStandings: rankings.show_standings,
    ShowHistory: rankings.show_history,
    ShowWho: rankings.show_who,
    ExportBoard: records.export_board,
    SignUp: signup.sign_up,
    AddAddresses: addresses.add_addresses,
    ChangeAddresses: addresses.change_addresses,
    ChangePassword: passwords.change_password,
    Forgot: passwords.forgot,
    ShowData: dossiers.show_data,
    ShowPreferences: preferences.show_preferences,
    SetPreferences: preferences.set_preferences,
    ShowVacation: vacations.show_vacation,
    TakeVacation: vacations.take_vacation,
    EndVacation: vacations.end_vacation,
    SignOff: signoff.sign_off,
    Challenge: challenging.challenge,
    Seek: seeks.seek,
    ShowSeeks: seeks.show_seeks,
    AcceptChallenges: readiness.accept_challenges,
    RejectChallenges: readiness.reject_challenges,
    LimitBoards: readiness.limit_boards,
    ShowLimit: readiness.show_limit,
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
    Subscribe: watching.subscribe,
    Unsubscribe: watching.unsubscribe,
    SubscribeTo: watching.subscribe_to,
    UnsubscribeFrom: watching.unsubscribe_from,
    NotifyOfEnd: watching.notify_of_end,
    Chat: words.chat,
    SendMessage: words.send_message,
    Broadcast: words.broadcast,
    ReportPlayer: reports.report_player,
    Mailed: mailed.show_mailed,
    Resend: mailed.resend,
    ShowRobots: opponents.show_robots,
    NextPuzzle: puzzles.next_puzzle,
    ShowPuzzle: puzzles.show_puzzle,
    AnswerPuzzle: puzzles.answer_puzzle,
    AnalyseBoard: analyses.analyse_board,
    CreateTournament: entries.create_tournament,
    JoinTournament: entries.join_tournament,
    WithdrawFromTournament: rounds.withdraw_from_tournament,
    StartTournament: rounds.start_tournament,
    ShowTournament: tables.show_tournament,
    # What operators do
    FreezePlayer: accounts.freeze_player,
    UnfreezePlayer: accounts.unfreeze_player,
    BanPlayer: accounts.ban_player,
    UnbanPlayer: accounts.unban_player,
    RemovePlayer: accounts.remove_player,
    StopMail: accounts.stop_mail,
    AllowMail: accounts.allow_mail,
    SetAddresses: accounts.set_addresses,
    SuppressAddress: accounts.suppress_address,
    LiftSuppression: accounts.lift_suppression,
    AnnulBoard: board_deeds.annul_board,
    EndBoard: board_deeds.end_board,
    HandOverSeat: board_deeds.hand_over_seat,
    BeginTournament: tournament_deeds.begin_tournament,
    CallOffTournament: tournament_deeds.call_off_tournament,
    # What is due by now
    StrikeClock: clocks.strike_clock,
    LetSeeksMeet: seeks.let_seeks_meet,
    AdvanceTournament: rounds.advance_tournament,
    # What mails and answers to questions show
    HearFromPlayer: reachability.hear_from_player,
    UnsubscribeByLink: watching.unsubscribe_by_link,
    TakeBackMail: bounces.take_back_mail,
    GiveMailUp: bounces.give_mail_up,
    ConfirmAddress: addresses.confirm_address,
    ChangeAccount: changes.change_account,
    ResetPassword: passwords.reset_password,
}
"""The table of contents of the server: whose it is, then by folder."""


def dispatch(command: Command, context: Context) -> list[Notice]:
    """Carry out one command, whoever made it.

    Raises:
        PlayerError: it cannot be done; nothing has changed.
    """
    with context.uow.attempt():
        return HANDLERS[type(command)](command, context)
