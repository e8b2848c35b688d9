"""Commands → the lines that say them in the short form: what is kept of one until its sender has confirmed it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from functools import singledispatch

from pbem.commands.model import (
    AnalyseBoard,
    AnswerPuzzle,
    Block,
    BoardCommand,
    CancelQueued,
    Challenge,
    Command,
    CreateTournament,
    EndVacation,
    JoinTournament,
    LimitBoards,
    NotifyOfEnd,
    PassTurn,
    PlayedMove,
    ReportPlayer,
    Seek,
    SendMessage,
    SetPreferences,
    ShowPuzzle,
    StartTournament,
    SubscribeTo,
    SwapSides,
    TakeVacation,
    TurnCommand,
    Unblock,
    UnsubscribeFrom,
    WithdrawFromTournament,
)
from pbem.commands.of_challenges import IN_TOURNAMENTS

_DONE_IN_TOURNAMENTS = {command: word for word, command in IN_TOURNAMENTS.items()}


def short_form(command: Command) -> str:
    """The line that says the same without userid and password; `pbem.commands.grammar.parse` reads it back.

    Nor does it name the game of one board: the board tells it.
    """
    game = None if isinstance(command, BoardCommand) else getattr(command, "game", None)
    words = (command.form, *_arguments(command))
    return " ".join(map(str, words if game is None else (game, *words)))


@singledispatch
def _arguments(command: Command) -> Iterable[object]:
    """What stands behind the verb; of a command that is not named below nothing does."""
    return ()


@_arguments.register(BoardCommand)
def _(command: BoardCommand) -> Iterable[object]:
    return (command.board,)


@_arguments.register(PassTurn)
@_arguments.register(SwapSides)
@_arguments.register(TurnCommand)
def _(command: PassTurn | SwapSides | TurnCommand) -> Iterable[object]:
    return (command.board, *_moveno(command.moveno))


@_arguments.register(PlayedMove)
def _(command: PlayedMove) -> Iterable[object]:
    return (command.board, "".join((command.move_text, *_moveno(command.moveno))))


@_arguments.register(ShowPuzzle)
def _(command: ShowPuzzle) -> Iterable[object]:
    return ("show", command.number)


@_arguments.register(AnswerPuzzle)
def _(command: AnswerPuzzle) -> Iterable[object]:
    return ("answer", command.number, command.move)


@_arguments.register(AnalyseBoard)
def _(command: AnalyseBoard) -> Iterable[object]:
    return ("".join((str(command.board), *_moveno(command.moveno))),)


@_arguments.register(CancelQueued)
def _(command: CancelQueued) -> Iterable[object]:
    return (command.board, "cancel")


@_arguments.register(Challenge)
def _(command: Challenge) -> Iterable[object]:
    return (*_options(command.options), *command.userids)


@_arguments.register(Seek)
def _(command: Seek) -> Iterable[object]:
    return (command.wanted, *_options(command.options))


@_arguments.register(LimitBoards)
def _(command: LimitBoards) -> Iterable[object]:
    return (command.most,)


@_arguments.register(CreateTournament)
def _(command: CreateTournament) -> Iterable[object]:
    return ("create", command.name, *_options(command.options))


@_arguments.register(JoinTournament)
@_arguments.register(WithdrawFromTournament)
@_arguments.register(StartTournament)
def _(command: JoinTournament | WithdrawFromTournament | StartTournament) -> Iterable[object]:
    return (_DONE_IN_TOURNAMENTS[type(command)], command.name)


@_arguments.register(SetPreferences)
def _(command: SetPreferences) -> Iterable[object]:
    return (f"{key}={value}" for key, value in command.settings)


@_arguments.register(TakeVacation)
def _(command: TakeVacation) -> Iterable[object]:
    until = command.until
    return (until.days if isinstance(until, timedelta) else until.isoformat(),)


@_arguments.register(EndVacation)
def _(command: EndVacation) -> Iterable[object]:
    return ("off",)


@_arguments.register(Block)
@_arguments.register(Unblock)
def _(command: Block | Unblock) -> Iterable[object]:
    return ("to", command.other)


@_arguments.register(SendMessage)
def _(command: SendMessage) -> Iterable[object]:
    return ("to", *command.to)


@_arguments.register(ReportPlayer)
def _(command: ReportPlayer) -> Iterable[object]:
    return ("to", command.about, *(() if command.board is None else (command.board,)))


@_arguments.register(SubscribeTo)
@_arguments.register(UnsubscribeFrom)
def _(command: SubscribeTo | UnsubscribeFrom) -> Iterable[object]:
    watched = command.watched
    to = ("to",) if watched.userids else ()
    return (*to, *watched.boards, *watched.userids, *(("all",) if watched.everything else ()))


@_arguments.register(NotifyOfEnd)
def _(command: NotifyOfEnd) -> Iterable[object]:
    return command.boards


def _moveno(moveno: int | None) -> Iterable[str]:
    return () if moveno is None else (f"#{moveno}",)


def _options(options: Iterable[str]) -> Iterable[str]:
    return (f"-{option}" for option in options)
