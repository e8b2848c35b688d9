"""The verbs: who reads the words behind each, what else they are called, and what they are about."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbem.commands.line import Line
from pbem.commands.model import Command
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
