"""Changes of an account: however well the sender is proven, an address on record is asked before anything happens."""

from __future__ import annotations

from pbem.domain.confirmations import ConfirmationKind
from pbem.domain.notices import Notice
from pbem.domain.players import address_key
from pbem.errors import NotAllowed
from pbem.usecases.context import Context
from pbem.usecases.proof.confirmations import days_to_answer, new_question


class NobodyToAsk(NotAllowed):
    """No mail reaches any address on record, so nobody could agree there, or read the answer.

    ``asks``: whether it is about a question; ``stopped``: whether the operator has stopped the mail.
    """

    operator: str | None
    asks: bool
    stopped: bool


class OneChangeALetter(NotAllowed):
    """A letter of many commands asks for more than one change of an account: each is a mail to every address of it."""


def ask_on_record(line: str, context: Context, password_hash: str | None = None) -> list[Notice]:
    """Ask the speaker, at all his addresses that mail reaches, whether his account is to be changed.

    One yes from any of them is enough, and one no. Who has written from elsewhere is told that somebody was asked,
    not where.

    Args:
        line: the change, without a password.
        context: of the command.
        password_hash: of the new password, if it is about that.

    Raises:
        NobodyToAsk: no mail reaches any of them.
    """
    player = context.speaker.known
    check_reachable(context, asks=True)
    on_web = context.speaker.session is not None
    facts = {"player": player, "line": line, "days": days_to_answer(context), "on_web": on_web}
    reply = new_question(ConfirmationKind.ACCOUNT, player, None, context, line=line, password_hash=password_hash)
    question = Notice("confirm_change", player, facts, reply=reply, answers=True, from_nobody=True)
    if address_key(context.evidence.answer_to) in map(address_key, player.reachable):
        return [question]
    return [Notice("change_asked", context.evidence.answer_to, facts, answers=True), question]


def check_reachable(context: Context, *, asks: bool = False) -> None:
    """Accept a command whose answer is for the speaker's addresses on record and no other, or that asks him there.

    Raises:
        NobodyToAsk: no mail reaches any of them.
    """
    player = context.speaker.known
    if not player.reachable:
        raise NobodyToAsk(context.policy.operator, asks=asks, stopped=player.mail_stopped)
