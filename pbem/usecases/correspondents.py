"""Correspondents: when an address was seen, and how much it is answered."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pbem.commands.internal import HearFromPlayer
from pbem.commands.secrets import withheld
from pbem.domain.correspondents import (
    TIMES_A_CLIENT,
    TIMES_A_DOMAIN,
    TIMES_A_PLAYER_IS_ASKED,
    AnswerVerdict,
    Correspondent,
    Limits,
    hours_to_wait_for,
    mailbox_of,
    site_of,
)
from pbem.domain.mails import Notice
from pbem.domain.players import address_key, networks_of
from pbem.domain.replies import ConfirmReply
from pbem.errors import NotAllowed, Unreadable
from pbem.ids import PlayerId
from pbem.usecases.confirmations import UNHEARD
from pbem.usecases.context import Context, Proof
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.wrong_passwords import answers_mail_to, note_familiar

LARGEST_TO_STRANGERS = 5000
"""Bytes of a file."""
_ADDRESS_QUESTION = "confirm_address"
"""The notice that asks an address whether it is a player's."""
_ANSWERS, _QUESTIONS = "answers", "questions"
"""The two kinds of mails to strangers, each with its share of an hour."""
_NO_LIMIT = 1_000_000
_ASKED_ELSEWHERE = "change_asked"
"""The notice that tells somebody who has written from elsewhere that the addresses on record are asked."""


class TooManyQuestions(NotAllowed):
    """Too many questions have been mailed to somebody today, so whatever needs one more is not done."""


class FileForPlayers(NotAllowed):
    """The file that was asked for is too large to be mailed to somebody who may not have asked for it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a letter, or of a line of it."""

    notices: list[Notice]
    said: str | None = None
    """The command, or all of them a line each; None if there is nothing that begins like one."""
    proven: PlayerId | None = None
    """The player who has written it, where more than a From address proves it."""
    is_to_question: bool = False
    """True if it answers a question of ours: even if it says neither yes nor no, somebody has read that."""


def within_limits(answer: Answer, context: Context) -> list[Notice]:
    """The notices of all that a letter has led to that are sent, after counting them.

    The sender is no longer answered after enough answers, unless a board has changed. A proven player has counts of
    their own, so that others who write in their name do not silence them; and separate ones for the moves that they try
    to make, which nothing else silences. Notices to others are left alone, except questions, which have a limit of
    their own: what the letter asks for is done once they agree. Notices that are not sent are not counted.
    """
    is_proven = answer.proven is not None or context.evidence.authenticated
    kept = asked_few(answer.notices, context, is_proven=is_proven)
    sender = context.evidence.from_address or context.evidence.answer_to
    if not sender:
        return kept
    is_stranger = not is_proven and not context.uow.players.by_confirmed_address(sender)
    if is_stranger:
        kept = [_briefly(each) if each.answers else each for each in kept]
    ours = context.policy.limits
    key, limits = _counted_as(answer, sender, ours.of_strangers(1) if is_stranger else ours)
    known = context.uow.correspondents.of(key, context.now)
    if context.uow.changes_boards:
        _save_if_new(known.played(), known, context)
        return kept
    mails = sum(notice.answers for notice in kept)
    understood = answer.said is not None or answer.is_to_question
    heard = known.heard(_fingerprint(answer.said, context), understood=understood, mails=mails)
    limit = _silenced_by(heard, limits, 1 if is_stranger else mails, context)
    if answer.said is None and answer.proven is None and _is_a_machines(sender, context):
        limit = "unread_in_a_row"
    had_mail = known.answers > 0
    others = _counted_with(sender, context, had_mail=had_mail) if is_stranger and limit is None else []
    if limit is None and any(each.silenced_by(most) for each, most in _with(mails, others)):
        limit = "stranger_mails_per_day"
    if limit is None and is_stranger and mails:
        kept, limit = _in_turn(kept, mails, context)
    if limit is not None:
        context.silenced_by.append(f"max_{limit}")
        return [notice for notice in kept if not notice.answers or _asks(notice)]
    for each, _ in [(heard, limits), *_with(mails, others)]:
        context.uow.correspondents.save(each)
        context.answered.append(each.address)
    if heard.verdict(limits, mails) is AnswerVerdict.LAST:
        facts = {"unread": heard.unread >= limits.unread_in_a_row}
        leaves_at = next((each.leaves_at for each in kept if each.answers), None)
        kept.append(Notice("falling_silent", context.evidence.answer_to, facts, from_nobody=True, leaves_at=leaves_at))
    return kept


def _silenced_by(heard: Correspondent, limits: Limits, mails: int, context: Context) -> str | None:
    """The limit that keeps a sender from being answered, as its setting is named; None if none does."""
    limit = heard.silenced_by(limits, mails)
    are_of_strangers = limits.answers_per_day < context.policy.limits.answers_per_day
    return "stranger_mails_per_day" if limit == "answers_per_day" and are_of_strangers else limit


def _in_turn(notices: list[Notice], mails: int, context: Context) -> tuple[list[Notice], str | None]:
    """The notices, the answers of which leave in their turn among those to strangers; the limit if they never do."""
    leaves_at = _departure(_ANSWERS, mails, context)
    if leaves_at is None:
        return notices, "stranger_mails_per_hour"
    return [replace(each, leaves_at=leaves_at) if each.answers and not _asks(each) else each for each in notices], None


def _counted_as(answer: Answer, sender: str, limits: Limits) -> tuple[str, Limits]:
    """The name under which the answers to a letter are counted, and the limits."""
    if answer.proven is None:
        return mailbox_of(sender), limits
    if _tries_a_move(answer):
        return f"#{answer.proven} moves", limits.of_moves()
    return f"#{answer.proven}", limits


def _tries_a_move(answer: Answer) -> bool:
    """Return True if a letter is a move that we asked about, or refused for another reason than being unreadable."""
    of_moves = [notice.facts for notice in answer.notices if notice.answers and notice.facts.get("form") == "move"]
    return any(
        "line" in facts or (answer.said is not None and not isinstance(facts.get("error"), Unreadable))
        for facts in of_moves
    )


def _briefly(notice: Notice) -> Notice:
    """An answer as a stranger gets it."""
    if sum(len(each.content) for each in notice.attachments) > LARGEST_TO_STRANGERS:
        facts = {"error": FileForPlayers(), "form": None, "game_name": None, "game_meant": None}
        return Notice("error", notice.to, facts, answers=True, from_nobody=True, is_brief=True)
    return replace(notice, is_brief=True)


def count_bytes(octets: int, context: Context) -> None:
    """Count the bytes of the answers to a letter, once they are made, for those who were counted for it."""
    for address in context.answered:
        known = context.uow.correspondents.of(address, context.now)
        context.uow.correspondents.save(known.answered(octets))


def _asks(notice: Notice) -> bool:
    """Return True if a notice is a question."""
    return isinstance(notice.reply, ConfirmReply)


def _departure(kind: str, mails: int, context: Context, latest: datetime | None = None) -> datetime | None:
    """Count mails to a stranger, and return the time at which they may leave; None if too many wait already.

    All strangers share what leaves in an hour, so that a crowd cannot have us mail the whole world; those who come
    behind it are answered later. Questions, such as those to people who sign up, do not wait behind answers.
    """
    most = context.policy.limits.stranger_mails_of_a_kind
    hours = [hour for hour in hours_to_wait_for(context.now) if latest is None or hour <= latest]

    def counted(hour: datetime) -> Correspondent:
        return context.uow.correspondents.of(f"*{kind} {hour:%Y-%m-%dT%H}", context.now)

    def has_room(hour: datetime) -> bool:
        present = counted(hour).answers
        return present == 0 or present + mails <= most

    found = bisect_left(hours, True, key=has_room)
    if found == len(hours):
        return None
    context.uow.correspondents.save(counted(hours[found]).wrote(mails), counts_strictly=True)
    return max(hours[found], context.now)


def _counted_with(address: str, context: Context, *, had_mail: bool) -> list[tuple[Correspondent, Limits]]:
    """The further counts for mails to a stranger, with their limits: of a domain, and of the letter's client.

    A domain's limit is for those who had mail today: others who share it must not keep anyone from the first one.
    Clients are kept as fingerprints: who writes from where is nobody's business.
    """
    named = [(f"*@{site_of(address)}", TIMES_A_DOMAIN if had_mail else _NO_LIMIT)]
    if context.evidence.client is not None:
        for name, share in networks_of(context.evidence.client):
            named.append((f"*{context.fingerprint('client', name)}", share * TIMES_A_CLIENT))
    of, limits = context.uow.correspondents.of, context.policy.limits
    return [(of(name, context.now), limits.of_strangers(times)) for name, times in named]


def _with(mails: int, counted: Sequence[tuple[Correspondent, Limits]]) -> list[tuple[Correspondent, Limits]]:
    """The same counts after so many more mails."""
    return [(each.wrote(mails), most) for each, most in counted]


def _is_a_machines(address: str, context: Context) -> bool:
    """Return True if an address sends letters that only a reader of our mails can write, and that make no sense."""
    players = context.uow.players.by_confirmed_address(address)
    counts = (context.uow.correspondents.of(f"#{each.id}", context.now) for each in players)
    return any(each.unread >= context.policy.limits.unread_in_a_row for each in counts)


def told_of_unhandled(address: str, context: Context) -> AnswerVerdict:
    """Decide if the writer of a letter is told that it could not be handled, and count it."""
    limits = context.policy.limits
    heard = context.uow.correspondents.of(mailbox_of(address), context.now).heard(None, understood=False)
    is_known = bool(context.uow.players.by_confirmed_address(address))
    others = [] if is_known else _with(1, _counted_with(address, context, had_mail=heard.answers > 1))
    counted = [(heard, limits if is_known else limits.of_strangers(1)), *others]
    if any(each.silenced_by(most) for each, most in counted):
        return AnswerVerdict.SILENCE
    if not is_known and _departure(_ANSWERS, 1, context, latest=context.now) is None:
        return AnswerVerdict.SILENCE
    for each, _ in counted:
        context.uow.correspondents.save(each)
    return heard.verdict(limits)


def operator_told(operator: str, context: Context) -> AnswerVerdict:
    """Decide if the operator is told that a letter could not be handled, and count it."""
    heard = context.uow.correspondents.of(f"!{operator}", context.now).heard(None, understood=True)
    context.uow.correspondents.save(heard)
    return heard.verdict(context.policy.limits)


def asked_few(notices: Sequence[Notice], context: Context, *, is_proven: bool) -> list[Notice]:
    """The notices without questions to those who were asked too often; the letter's sender is told so.

    They are told only of questions to them: how often another address was asked, and so whose it may be, is secret.

    Args:
        notices: all that a letter or a request has led to.
        context: of it.
        is_proven: True if more than a From address says who asks.
    """
    asked = [(notice, _asked(notice, context, is_proven=is_proven)) for notice in notices]
    kept = [each for _, each in asked if each is not None]
    dropped = [notice for notice, each in asked if each is None and _is_for_sender(notice, context)]
    if dropped:
        kept = [notice for notice in kept if notice.name != _ASKED_ELSEWHERE]
        facts = {"error": TooManyQuestions(), "of_address": all(notice.name == _ADDRESS_QUESTION for notice in dropped)}
        kept.append(Notice("no_more_questions", context.evidence.answer_to, facts, answers=True, from_nobody=True))
    return kept


def _is_for_sender(question: Notice, context: Context) -> bool:
    """Return True if a question is for the letter's sender: about their account, or whether their address is theirs."""
    is_here = isinstance(question.to, str) and address_key(question.to) == address_key(context.evidence.answer_to)
    return question.answers or is_here


def _asked(notice: Notice, context: Context, *, is_proven: bool) -> Notice | None:
    """Return a notice, or None if it is one question too many; questions are counted, whoever causes them.

    A player is asked more often in a day than an address that nobody knows, which may also be asked later.
    """
    if not _asks(notice) or notice.name == UNHEARD:  # which has a limit of its own
        return notice
    if is_proven and notice.name == "confirm_command" and notice.facts.get("form") == "move":
        return notice  # for which there is a limit of its own, too
    limits, to = context.policy.limits, notice.to
    is_known = not isinstance(to, str) or bool(context.uow.players.by_confirmed_address(to))
    key = mailbox_of(to) if isinstance(to, str) else f"?{to.id}"
    asked = context.uow.correspondents.of(key, context.now).asked()
    if asked.questions > limits.questions_per_day * (TIMES_A_PLAYER_IS_ASKED if is_known else 1):
        return None
    others, leaves_at = list[tuple[Correspondent, Limits]](), None
    if isinstance(to, str) and not is_known and not is_proven:
        others = _with(1, _counted_with(to, context, had_mail=asked.answers > 0 or asked.questions > 1))
        if any(each.silenced_by(most) for each, most in others):
            return None
        leaves_at = _departure(_QUESTIONS, 1, context)
        if leaves_at is None:
            return None
    for each in (asked, *(each for each, _ in others)):
        context.uow.correspondents.save(each)
    return replace(notice, leaves_at=leaves_at)


def _save_if_new(now: Correspondent, before: Correspondent, context: Context) -> None:
    if now != before:
        context.uow.correspondents.save(now)


def _fingerprint(said: str | None, context: Context) -> str | None:
    """The hash that recognises a command sent again; None where a password in it could be guessed from that."""
    if said is None or any(withheld(line, context.games) for line in said.split("\n")):
        return None
    return hashlib.sha256(said.casefold().encode()).hexdigest()[:32]


def heard_from(context: Context) -> tuple[Context, list[Notice]]:
    """Take note of a letter whose sender is proven: they are here, and mails arrive at the address it comes from.

    A letter that only claims to come from there shows nothing: an opponent could have forged it, to have the
    clocks run.
    """
    speaker, sender = context.speaker, context.evidence.from_address
    if speaker.player is None or speaker.proof <= Proof.CLAIMED:
        return context, []
    if speaker.player.seen_on != context.now.date() and answers_mail_to(speaker.player, context.evidence):
        note_familiar(speaker.player, context)
    context.uow.players.seen(speaker.player, context.now.date())
    known = None if sender is None else speaker.player.address(sender)
    if known is None or known.suppressed_at is None:
        return context, []
    notices = dispatch(HearFromPlayer(speaker.player.id, known.address), context)
    return replace(context, speaker=replace(speaker, player=context.uow.players.get(speaker.player.id))), notices
