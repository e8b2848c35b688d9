"""How much one address is answered: two machines that answer each other are to fall silent by themselves."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from pbem.commands.secrets import possible_passwords
from pbem.domain.correspondents import Verdict
from pbem.domain.notices import Notice
from pbem.domain.replies import ConfirmReply

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.usecases.context import Context


def within_limits(notices: Sequence[Notice], said: str | None, context: Context) -> list[Notice]:
    """What is told of all that a letter has led to.

    Its sender is not answered any more when he has been answered enough, unless a board has changed. What others
    are told is left alone, but for questions to an address that has never answered any.

    Args:
        notices: what the letter has led to.
        said: its command, or all of its commands; None if it holds nothing that begins like one.
        context: of the letter.
    """
    kept = [notice for notice in notices if _may_be_asked(notice, context)]
    sender = context.evidence.from_address or context.evidence.answer_to
    if not sender:
        return kept
    known = context.uow.correspondents.of(sender, context.now)
    is_idle = not context.uow.changes_boards
    heard = known.heard(_fingerprint(said, context), understood=said is not None, is_idle=is_idle)
    context.uow.correspondents.save(heard)
    verdict = Verdict.ANSWER if not is_idle else heard.verdict(context.policy.limits)
    if verdict is Verdict.SILENCE:
        return [notice for notice in kept if not notice.answers]
    if verdict is Verdict.LAST:
        facts = {"unread": heard.unread >= context.policy.limits.unread_in_a_row}
        kept.append(Notice("falling_silent", context.evidence.answer_to, facts, from_nobody=True))
    return kept


def _may_be_asked(notice: Notice, context: Context) -> bool:
    """Whether a notice goes out as far as it is a question; those to strange addresses are counted."""
    if not isinstance(notice.reply, ConfirmReply) or not isinstance(notice.to, str):
        return True
    if context.uow.players.by_confirmed_address(notice.to):
        return True
    asked = context.uow.correspondents.of(notice.to, context.now).asked()
    context.uow.correspondents.save(asked)
    return asked.questions <= context.policy.limits.questions_per_day


def _fingerprint(said: str | None, context: Context) -> str | None:
    """What recognises a command that is sent again; None where a password in it could be guessed from that."""
    if said is None or any(possible_passwords(line, context.games) for line in said.split("\n")):
        return None
    return hashlib.sha256(said.casefold().encode()).hexdigest()[:32]
