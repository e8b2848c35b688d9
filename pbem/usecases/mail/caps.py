"""How much one address is answered: two machines that answer each other are to fall silent by themselves."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.commands.secrets import may_hold_password
from pbem.domain.correspondents import TIMES_A_PLAYER_IS_ASKED, AnswerVerdict
from pbem.domain.notices import Notice
from pbem.domain.players import address_key
from pbem.domain.replies import ConfirmReply
from pbem.errors import NotAllowed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.ids import PlayerId
    from pbem.usecases.context import Context


_ADDRESS_QUESTION = "confirm_address"
"""The notice that asks an address whether it is a player's."""
_ASKED_ELSEWHERE = "change_asked"
"""The notice that tells who has written from elsewhere that the addresses on record are asked."""


class TooManyQuestions(NotAllowed):
    """So many questions have been mailed to somebody today that no more are, and nothing comes of what needs one."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a letter, or a line of it, has led to."""

    notices: list[Notice]
    said: str | None = None
    """The command, or all of them a line each; None if there is nothing that begins like one."""
    proven: PlayerId | None = None
    """Who has written it, where more than a From address says so."""


def within_limits(answer: Answer, context: Context) -> list[Notice]:
    """What is told of all that a letter has led to.

    Its sender is not answered any more when he has been answered enough, unless a board has changed. Who is proven
    has counts of his own: what others write in his name does not silence him. What others are told is left alone,
    but for questions.
    """
    kept = asked_few(answer.notices, context)
    sender = context.evidence.from_address or context.evidence.answer_to
    if not sender:
        return kept
    known = context.uow.correspondents.of(sender if answer.proven is None else f"#{answer.proven}", context.now)
    is_idle = not context.uow.changes_boards
    said = _fingerprint(answer.said, context)
    mails = sum(notice.answers for notice in kept)
    heard = known.heard(said, understood=answer.said is not None, is_idle=is_idle, mails=mails)
    context.uow.correspondents.save(heard)
    verdict = AnswerVerdict.ANSWER if not is_idle else heard.verdict(context.policy.limits, mails)
    limit = heard.silenced_by(context.policy.limits, mails)
    if answer.said is None and answer.proven is None and _is_a_machines(sender, context):
        verdict, limit = AnswerVerdict.SILENCE, "unread_in_a_row"
    if verdict is AnswerVerdict.SILENCE:
        context.silenced_by.append(f"max_{limit}")
        return [notice for notice in kept if not notice.answers]
    if verdict is AnswerVerdict.LAST:
        facts = {"unread": heard.unread >= context.policy.limits.unread_in_a_row}
        kept.append(Notice("falling_silent", context.evidence.answer_to, facts, from_nobody=True))
    return kept


def _is_a_machines(address: str, context: Context) -> bool:
    """Whether letters that only the reader of our mails can write come from an address, and cannot be understood."""
    players = context.uow.players.by_confirmed_address(address)
    counts = (context.uow.correspondents.of(f"#{each.id}", context.now) for each in players)
    return any(each.unread >= context.policy.limits.unread_in_a_row for each in counts)


def told_of_unhandled(address: str, context: Context, *, is_writer: bool) -> AnswerVerdict:
    """Whether an address is told of one more letter that could not be handled, by its writer or another; counts it."""
    known = context.uow.correspondents.of(address, context.now)
    heard = known.heard(None, understood=not is_writer, is_idle=True)
    context.uow.correspondents.save(heard)
    return heard.verdict(context.policy.limits)


def asked_few(notices: Sequence[Notice], context: Context) -> list[Notice]:
    """The notices without questions to whom too many have been asked; the letter's sender is told so.

    He is told only of those that are for him: how often another address was asked, and so whose it may be, is secret.
    """
    kept = [notice for notice in notices if _may_be_asked(notice, context)]
    his = [notice for notice in notices if notice not in kept and _is_for_sender(notice, context)]
    if his:
        kept = [notice for notice in kept if notice.name != _ASKED_ELSEWHERE]
        facts = {"error": TooManyQuestions(), "of_address": all(notice.name == _ADDRESS_QUESTION for notice in his)}
        kept.append(Notice("no_more_questions", context.evidence.answer_to, facts, answers=True, from_nobody=True))
    return kept


def _is_for_sender(question: Notice, context: Context) -> bool:
    """Whether a question is for the letter's sender: about an account of his, or whether his address is his."""
    is_here = isinstance(question.to, str) and address_key(question.to) == address_key(context.evidence.answer_to)
    return question.answers or is_here


def _may_be_asked(notice: Notice, context: Context) -> bool:
    """Whether a notice goes out as far as it is a question: they are counted, whoever causes them.

    A player is asked more often in a day than an address that nobody knows.
    """
    if not isinstance(notice.reply, ConfirmReply):
        return True
    limits, to = context.policy.limits, notice.to
    is_known = not isinstance(to, str) or bool(context.uow.players.by_confirmed_address(to))
    asked = context.uow.correspondents.of(to if isinstance(to, str) else f"?{to.id}", context.now).asked()
    context.uow.correspondents.save(asked)
    return asked.questions <= limits.questions_per_day * (TIMES_A_PLAYER_IS_ASKED if is_known else 1)


def _fingerprint(said: str | None, context: Context) -> str | None:
    """What recognises a command that is sent again; None where a password in it could be guessed from that."""
    if said is None or any(may_hold_password(line, context.games) for line in said.split("\n")):
        return None
    return hashlib.sha256(said.casefold().encode()).hexdigest()[:32]
