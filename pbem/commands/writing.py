"""Verbs, and commands written out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from functools import singledispatch

from pbem.commands.line import Line
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
from pbem.commands.of_accounts import (
    read_add,
    read_block,
    read_change,
    read_data,
    read_forgot,
    read_set,
    read_signoff,
    read_signup,
    read_unblock,
    read_vacation,
)
from pbem.commands.of_boards import (
    read_chat,
    read_confirm,
    read_export,
    read_mailed,
    read_move,
    read_pass,
    read_propose,
    read_queue,
    read_resend,
    read_resign,
    read_submit,
    read_swap,
    read_undo,
)
from pbem.commands.of_challenges import (
    IN_TOURNAMENTS,
    read_accept,
    read_challenge,
    read_limit,
    read_reject,
    read_seek,
    read_tournament,
)
from pbem.commands.of_puzzles import read_puzzle
from pbem.commands.of_server import (
    read_broadcast,
    read_help,
    read_list,
    read_message,
    read_report,
    read_robot,
    read_who,
)
from pbem.commands.of_views import (
    read_analyse,
    read_games,
    read_history,
    read_preview,
    read_show,
    read_showas,
    read_standings,
)
from pbem.commands.of_watching import read_notify, read_subscribe, read_unsubscribe
from pbem.commands.userids import ABBREVIATED

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


VERBS: dict[str, Callable[[Line], Command]] = {
    "signup": read_signup,
    "help": read_help,
    "list": read_list,
    "who": read_who,
    "robot": read_robot,
    "puzzle": read_puzzle,
    "set": read_set,
    "add": read_add,
    "change": read_change,
    "forgot": read_forgot,
    "vacation": read_vacation,
    "block": read_block,
    "unblock": read_unblock,
    "data": read_data,
    "signoff": read_signoff,
    "challenge": read_challenge,
    "seek": read_seek,
    "accept": read_accept,
    "reject": read_reject,
    "limit": read_limit,
    "move": read_move,
    "pass": read_pass,
    "swap": read_swap,
    "resign": read_resign,
    "propose": read_propose,
    "undo": read_undo,
    "queue": read_queue,
    "submit": read_submit,
    "confirm": read_confirm,
    "preview": read_preview,
    "chat": read_chat,
    "show": read_show,
    "showas": read_showas,
    "games": read_games,
    "history": read_history,
    "standings": read_standings,
    "export": read_export,
    "analyse": read_analyse,
    "subscribe": read_subscribe,
    "unsubscribe": read_unsubscribe,
    "notify": read_notify,
    "mailed": read_mailed,
    "resend": read_resend,
    "tournament": read_tournament,
    "message": read_message,
    "broadcast": read_broadcast,
    "report": read_report,
}
"""Every verb and who reads the words behind it."""

_ACCOUNTS = ("signup", "set", "add", "change", "forgot", "vacation", "block", "unblock", "data", "signoff")
OF_THE_SERVER = (*_ACCOUNTS, "who", "message", "broadcast", "report")
"""Verbs that no game may stand in front of."""

OF_ALL_GAMES = ("show", "showas", "games", "history", "standings", "robot", "subscribe", "unsubscribe")
"""Verbs that ``all`` may stand in front of, which says no more than no game at all."""

OTHER_NAMES = {
    "mvoe": "move",
    "board": "move",
    "delete": "signoff",
    "qmove": "queue",
    "moveq": "queue",
    "ratings": "standings",
    "analyze": "analyse",
}
"""What else verbs are called: by old hands, and by slips that are known."""

SAID = (*VERBS, *(name for name in OTHER_NAMES if name not in ("mvoe", "board")))
"""What a mistyped word may have been meant for."""

GROUPS: Mapping[str, Sequence[str]] = {
    "accounts": (
        "signup",
        "add",
        "change",
        "forgot",
        "set",
        "vacation",
        "block",
        "unblock",
        "report",
        "data",
        "signoff",
    ),
    "server": ("help", "list", "who", "puzzle", "message", "broadcast"),
    "boards": (
        *("move", "queue", "submit", "confirm", "preview", "pass", "swap", "propose", "undo", "accept", "reject"),
        *("resign", "show", "showas", "games", "chat", "export", "analyse", "mailed", "resend"),
    ),
    "challenges": ("challenge", "seek", "robot", "limit", "standings", "history"),
    "watching": ("subscribe", "unsubscribe", "notify"),
    "tournaments": ("tournament",),
}
"""The verbs by what they are about, in the order in which lists of the commands name them; each stands in one group."""


def verb_of(word: str) -> str | None:
    """The verb that a word means: itself, a beginning that old hands use (``chall``), a synonym, or a known slip."""
    folded = word.lower()
    if folded in VERBS:
        return folded
    if folded in OTHER_NAMES:
        return OTHER_NAMES[folded]
    for beginning, verb in ABBREVIATED.items():
        if folded.startswith(beginning) and verb.startswith(folded):
            return verb
    return None
