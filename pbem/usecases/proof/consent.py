"""What proof a command needs."""

from __future__ import annotations

from pbem.domain.credentials import ConfirmationKind
from pbem.domain.mails import Notice
from pbem.domain.players import address_key
from pbem.errors import NotAllowed
from pbem.ids import PlayerId
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


_OF_THE_MAILBOX = (
    ConfirmationKind.ACCOUNT,
    ConfirmationKind.COMMAND,
)
"""More questions that whoever reads a mailbox can answer; those about an address are asked of that address alone."""


def end_keys(player: PlayerId, context: Context, but: str | None = None) -> None:
    """Sign a player out everywhere, end his tokens, and let no link that was mailed sign in or set a password.

    Args:
        player: who.
        context: of the moment.
        but: the hash of the session that stays, if one does.
    """
    context.uow.sessions.end_of(player, but)
    context.uow.tokens.revoke_of(player)
    context.uow.confirmations.withdraw(player, (ConfirmationKind.SIGN_IN, ConfirmationKind.RESET), context.now)


def end_keys_of_mailbox(player: PlayerId, context: Context, but: str | None = None) -> None:
    """The same when an address is his no longer: whoever reads its mail can answer none of the questions there."""
    end_keys(player, context, but)
    context.uow.confirmations.withdraw(player, _OF_THE_MAILBOX, context.now)
