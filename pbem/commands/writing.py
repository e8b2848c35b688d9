"""Commands → the lines that say them in the short form: what is kept of one until its sender has confirmed it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.commands.model import (
    AcceptChallenges,
    Block,
    BoardCommand,
    CancelQueued,
    Challenge,
    CreateTournament,
    EndVacation,
    JoinTournament,
    LimitBoards,
    NotifyOfEnd,
    PassTurn,
    PlayedMove,
    RejectChallenges,
    ReportPlayer,
    Seek,
    SendMessage,
    SetPreferences,
    StartTournament,
    SubscribeTo,
    SwapSides,
    TakeVacation,
    TurnCommand,
    Unblock,
    UnsubscribeFrom,
    WithdrawFromTournament,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.commands.model import Command

_IN_TOURNAMENTS: dict[type[Command], str] = {
    JoinTournament: "join",
    WithdrawFromTournament: "withdraw",
    StartTournament: "start",
}


def short_form(command: Command) -> str:
    """The line that says the same without userid and password; `pbem.commands.grammar.parse` reads it back."""
    return " ".join(map(str, _words(command)))


def _words(command: Command) -> Iterable[object]:  # noqa: C901 - a table of the commands, one case each
    form = command.form
    match command:
        case BoardCommand():
            return _of_board(command)
        case SetPreferences():
            return (form, *(f"{key}={value}" for key, value in command.settings))
        case Challenge():
            return (command.game, form, *_options(command.options), *command.userids)
        case Seek():
            return (command.game, form, command.wanted, *_options(command.options))
        case AcceptChallenges() | RejectChallenges():
            return (command.game, form)
        case LimitBoards():
            return (command.game, form, command.most)
        case CreateTournament():
            return (command.game, form, "create", command.name, *_options(command.options))
        case JoinTournament() | WithdrawFromTournament() | StartTournament():
            return (command.game, form, _IN_TOURNAMENTS[type(command)], command.name)
        case TakeVacation():
            return (form, command.until.isoformat())
        case EndVacation():
            return (form, "off")
        case Block() | Unblock():
            return (form, "to", command.other)
        case SendMessage():
            return (form, "to", *command.to)
        case ReportPlayer():
            return (form, "to", command.about, *(() if command.board is None else (command.board,)))
        case SubscribeTo() | UnsubscribeFrom():
            everything = ("all",) if command.watched.everything else ()
            return (*_game(command.game), form, "to", *command.watched.boards, *command.watched.userids, *everything)
        case NotifyOfEnd():
            return (*_game(command.game), form, *command.boards)
    return (form,)


def _of_board(command: BoardCommand) -> Iterable[object]:
    match command:
        case PassTurn() | SwapSides():
            return (command.form, command.board, *(() if command.moveno is None else (f"#{command.moveno}",)))
        case PlayedMove():
            moveno = "" if command.moveno is None else f"#{command.moveno}"
            return (command.form, command.board, f"{command.move_text}{moveno}")
        case CancelQueued():
            return (command.form, command.board, "cancel")
        case TurnCommand():
            return (command.form, command.board, *(() if command.moveno is None else (f"#{command.moveno}",)))
    return (command.form, command.board)


def _options(options: Iterable[str]) -> Iterable[str]:
    return (f"-{option}" for option in options)


def _game(game: str | None) -> Iterable[str]:
    return () if game is None else (game,)
