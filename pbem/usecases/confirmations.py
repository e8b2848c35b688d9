"""Asking back before doing what a letter without proof wants, and carrying out the answer."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from enum import Enum

from pbem.commands.accounts import ReportPlayer
from pbem.commands.answers import Said, answer_in, is_no, is_signature
from pbem.commands.boards import Chat
from pbem.commands.challenges import Challenge, PlayAgain, Seek
from pbem.commands.command import BoardCommand, Command, Need, SpokenCommand, TurnCommand, short_form
from pbem.commands.doubts import may_be_private
from pbem.commands.playing import MakeMove
from pbem.commands.server import Broadcast, SendMessage
from pbem.commands.studying import KeepNote, StudyGame
from pbem.commands.verbs import COMMANDS
from pbem.domain.boards import Board
from pbem.domain.credentials import Confirmation, ConfirmationKind
from pbem.domain.mails import Notice
from pbem.domain.players import Address, Player, address_key, userid_key
from pbem.domain.replies import ConfirmReply, QuestionMail
from pbem.errors import NotAllowed
from pbem.ids import ConfirmationId, PlayerId
from pbem.usecases.authentication import check_standing
from pbem.usecases.context import Context, Proof, Speaker
from pbem.usecases.notices import to_sender
from pbem.usecases.wrong_passwords import TooManyAttempts

_NEVER = datetime(2020, 1, 1, tzinfo=UTC)
NOBODY = Player(PlayerId(0), "nobody", (Address("nobody@example.invalid", _NEVER),), _NEVER)
"""Stands in for a player who does not exist."""
NO_QUESTION = ConfirmReply(ConfirmationId(0), 0, _NEVER.date())
"""Stands in for the question that such a player would be asked."""

UNHEARD = "confirm_unheard"
"""The notice that asks about a letter whose right password came among too many wrong ones."""
_ENOUGH = {
    ConfirmationKind.ADDRESS: (Said.YES, Said.ASSENT),
    ConfirmationKind.COMMAND: (Said.YES, Said.ASSENT),
    ConfirmationKind.ACCOUNT: (Said.YES,),
}
"""The answers that count as agreement, by kind of question: some autoresponders say nothing, others "ok, thanks"."""
_TAKES_WORDS = (
    *(MakeMove, TurnCommand, Chat, Challenge, PlayAgain, Seek, SendMessage, Broadcast, ReportPlayer),
    *(KeepNote, StudyGame),
)
_ABOUT_OWN_DATA = {command.form: command for command in COMMANDS if command.about_own_data}


class NotAsked(NotAllowed):
    """The question that the letter answers does not exist, is answered already, or is too old."""

    reason: str
    moves_at: int | None = None


class AnsweredFromElsewhere(NotAllowed):
    """The question was mailed to one address and answered from another."""

    sender: str


class NeitherYesNorNo(NotAllowed):
    """The answer to a question is neither yes nor no, or not clearly enough; the question stays open.

    ``moves_at`` is the board that the question is about, if it is about one.
    """

    moves_at: int | None = None


def find_question(number: ConfirmationId, nonce: int, context: Context) -> Confirmation | None:
    """The question with this nonce; before a backup was restored, another may have had its number."""
    found = context.uow.confirmations.find(number)
    is_meant = found is not None and hmac.compare_digest(found.nonce.to_bytes(4), nonce.to_bytes(4))
    return found if is_meant else None


def answered_question(number: ConfirmationId, context: Context) -> Confirmation:
    """The question with this number, where a command is about one that was answered just now."""
    found = context.uow.confirmations.find(number)
    if found is None:
        raise AssertionError("a command is about a question that was never asked")
    return found


def answerer(question: ConfirmReply | QuestionMail, context: Context) -> PlayerId | None:
    """The player who answers a question; None if the answer does not come from where the question went."""
    asked = find_question(question.confirmation, question.nonce, context)
    return None if asked is None or not _is_asked(asked, context) else asked.player


def _is_asked(question: Confirmation, context: Context) -> bool:
    """Return True if the letter comes from an address that the question went to."""
    player, sender = context.uow.players.get(question.player), context.evidence.from_address or ""
    asked = player.confirmed if question.address is None else (question.address,)
    return address_key(sender) in map(address_key, asked)


def answer_of(question: ConfirmReply | QuestionMail, body: Sequence[str], context: Context) -> bool | None:
    """Return True if an answer agrees, None if it is unclear; any new password agrees, but not a word that says no.

    An empty answer is enough to confirm a signup: some people who want to finish it send nothing else.

    Raises:
        NotAsked: the question is too old to be kept, or is not answered by mail.
    """
    asked = find_question(question.confirmation, question.nonce, context)
    if asked is None and question.expires < context.now.date():
        raise NotAsked("expired")
    if asked is None:
        return None
    if asked.kind is ConfirmationKind.SIGN_IN:
        raise NotAsked("web")
    if asked.kind is ConfirmationKind.RESET:
        return not is_no(next((line for line in body if line.strip()), ""))
    known = None
    if asked.kind is ConfirmationKind.COMMAND:  # it cannot be taken back, so nothing may stand beside a yes
        known = {context.uow.players.get(asked.player).userid.lower()}
    said = answer_in(body, known, asked.line or "")
    if said is Said.NOTHING and asked.kind is ConfirmationKind.ADDRESS:
        return True if not context.uow.players.get(asked.player).confirmed else None
    return False if said is Said.NO else True if said in _ENOUGH[asked.kind] else None


def new_question(
    kind: ConfirmationKind,
    player: Player,
    address: str | None,
    context: Context,
    *,
    line: str | None = None,
    password_hash: str | None = None,
    comment: str = "",
    board: Board | None = None,
) -> ConfirmReply:
    """Keep a question that is about to be mailed; return what the answer to that mail proves.

    The player is held meanwhile, so that nobody who leaves has a question left behind.
    """
    context.uow.players.hold(player)
    question = Confirmation(
        id=context.uow.confirmations.next_id(),
        nonce=context.uow.confirmations.new_nonce(),
        kind=kind,
        player=player.id,
        address=address,
        asked_at=context.now,
        expires_at=context.now + context.policy.confirm_for,
        line=line,
        password_hash=password_hash,
        comment=comment,
        board=None if board is None else board.number,
        event=None if board is None else board.event_number,
        session=context.speaker.session,
        guest=context.speaker.guest,
    )
    context.uow.confirmations.save(question)
    return ConfirmReply(question.id, question.nonce, question.expires_at.date())


def days_to_answer(context: Context) -> int:
    """The days within which a question can be answered."""
    return context.policy.confirm_for // timedelta(days=1)


class Doubt(Enum):
    """The words of a letter that make it doubtful that its command is meant."""

    BELOW = "below"
    """Below the command, which is alone on its line."""
    AROUND = "around"


def ask_command(command: Command, line: str, context: Context, doubt: Doubt | None = None) -> list[Notice]:
    """Mail the player a question that one reply answers; nothing happens until then.

    Args:
        command, line: what is to be done then.
        context: of the letter.
        doubt: why the letter only may mean that.
    """
    address = context.evidence.from_address or ""
    facts, reply = _question_about(command, line, context.speaker.known, address, context)
    facts["offered"] = None if doubt is None else getattr(command, "move_text", command.form)
    facts["is_below"] = doubt is Doubt.BELOW
    return [Notice("confirm_command", address, facts, reply=reply, answers=True, from_nobody=True)]


def _question_about(
    command: Command, line: str, player: Player, address: str | None, context: Context
) -> tuple[dict[str, object], ConfirmReply]:
    """The facts for a player who is asked about a command, and what the answer proves: nothing if it asks nobody."""
    number = command.board if isinstance(command, BoardCommand) else None
    board = None if number is None else context.uow.boards.find(number)
    words = _words_below(command, player, context)
    facts = {
        "player": player,
        "line": line,
        "form": command.form,
        "board": number,
        "comment": words,
        "may_be_private": may_be_private(words, has_plan=bool(context.plan)),
        "days": days_to_answer(context),
    }
    if player is NOBODY:
        return facts, NO_QUESTION
    if context.plan and isinstance(command, MakeMove):
        facts["with_plan"] = True
        words = f"{words}{_PLAN}{context.plan}"
    kind = ConfirmationKind.COMMAND
    return facts, new_question(kind, player, address, context, line=line, comment=words, board=board)


_PLAN = "\n\x1e"
"""Stands between the words for others and a plan, which are kept together (a record separator in ASCII)."""


def with_plan(context: Context) -> Context:
    """The context of a move that was agreed to, with its plan apart from the words for others."""
    words, _, plan = context.comment.partition(_PLAN)
    return replace(context, comment=words, plan=plan)


def _words_below(command: Command, player: Player, context: Context) -> str:
    """The words below a command that passes them on or keeps them, if they are more than a closing."""
    takes_words = isinstance(command, _TAKES_WORDS) and not is_signature(context.comment, player.userid)
    return context.comment if takes_words else ""


def ask_unheard(command: Command, unheard: TooManyAttempts, context: Context) -> list[Notice]:
    """Ask a player whose right password came from an unfamiliar source among too many wrong ones; once an hour.

    They are told of the wrong ones once a day. Only their own mail shows that the account exists and that the password
    was right: everybody else is mailed a decoy.
    """
    credentials = command.speaker if isinstance(command, SpokenCommand) else None
    userid = "" if credentials is None else credentials.userid
    player = context.uow.players.by_userid(userid)
    may_be_told = player is not None and player.is_here and bool(player.reachable)
    reader = player if player is not None and may_be_told else NOBODY
    known = context.uow.correspondents.of(f"!{context.fingerprint('userid', userid_key(userid))}", context.now)
    told = []
    if unheard.of_userid and not known.answers:
        known = replace(known, answers=1)
        facts = {"player": reader, "operator": context.policy.operator}
        told.append(Notice("passwords_tried", reader, facts, is_decoy=not may_be_told))
    if not known.lately:
        may_be_asked = may_be_told and command.needs is not Need.CONSENT  # which is asked about anyhow
        is_asked = may_be_asked and unheard.right is not None
        known = replace(known, lately=int(is_asked))
        told.append(_question_of_unheard(command, reader if is_asked else NOBODY, context))
    context.uow.correspondents.save(known)
    return told


def _question_of_unheard(command: Command, player: Player, context: Context) -> Notice:
    facts, reply = _question_about(command, short_form(command), player, None, context)
    return Notice("confirm_unheard", player, facts, reply=reply, from_nobody=True, is_decoy=player is NOBODY)


def take_answer(number: ConfirmationId, nonce: int, context: Context, *, agreed: bool | None = True) -> Confirmation:
    """Mark a question answered and return it.

    Args:
        number: of the question.
        nonce: of the question, too.
        context: of the answer.
        agreed: what it says; None: neither yes nor no.

    Raises:
        NotAsked: there is no such question, or not any more.
        AnsweredFromElsewhere: the answer comes from another address than the question went to.
        NeitherYesNorNo: nothing is done but for a yes.
        AccountFrozen, AccountBanned: the operator has meanwhile seen to it that nothing more is done.
    """
    confirmation = find_question(number, nonce, context)
    if confirmation is None:
        raise NotAsked("unknown")
    if confirmation.answered_at is not None:
        raise NotAsked("answered", None if agreed else confirmation.board)
    if confirmation.expires_at < context.now:
        raise NotAsked("expired")
    if not _is_asked(confirmation, context):
        raise AnsweredFromElsewhere(context.evidence.from_address or "")
    if agreed is None:
        raise NeitherYesNorNo(confirmation.board)
    check_standing(context.uow.players.get(confirmation.player), _ABOUT_OWN_DATA.get(confirmation.line or ""), context)
    answered = replace(confirmation, answered_at=context.now)
    context.uow.confirmations.save(answered)
    return answered


def declined(confirmation: Confirmation, context: Context) -> list[Notice]:
    """Tell that a question was answered with no; an address that was asked does not learn of the other addresses."""
    line = None if confirmation.kind is ConfirmationKind.ADDRESS else confirmation.line
    facts = {"line": line, "moves_at": confirmation.board if line else None}
    return [to_sender("confirmation_declined", context, facts)]


def proven(confirmation: Confirmation, context: Context) -> Context:
    """The context in which the confirmed command is carried out: its player has answered for it."""
    player = context.uow.players.get(confirmation.player)
    speaker = Speaker(player, Proof.PROVEN, confirmation.event, confirmation.session)
    return replace(context, speaker=speaker, comment=confirmation.comment)


class NobodyToAsk(NotAllowed):
    """No mail reaches any address on record, so nobody could agree there, or read the answer.

    ``asks``: it is about a question; ``stopped``: the operator has stopped the mail.
    """

    operator: str | None
    asks: bool
    stopped: bool


class OneChangeALetter(NotAllowed):
    """A letter of many commands asks for more than one change of an account: each is a mail to every address of it."""


def ask_on_record(line: str, context: Context, password_hash: str | None = None) -> list[Notice]:
    """Ask the speaker, at all their addresses that mail reaches, to confirm a change of their account.

    One yes or one no from any of them is enough. Whoever has written from elsewhere is told that somebody was asked,
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
    """Accept a command whose answer, or the question about it, can reach the speaker at their addresses on record.

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
"""Further questions that whoever reads a mailbox can answer; those about an address go to that address alone."""


def end_keys(player: PlayerId, context: Context, but: str | None = None) -> None:
    """Sign a player out everywhere, revoke their tokens, and disable mailed links that sign in or set a password.

    Args:
        player: the player to sign out.
        context: of the moment.
        but: the hash of the session that stays, if one does.
    """
    context.uow.sessions.end_of(player, but)
    context.uow.tokens.revoke_of(player)
    context.uow.confirmations.withdraw(player, (ConfirmationKind.SIGN_IN, ConfirmationKind.RESET), context.now)


def end_keys_of_mailbox(player: PlayerId, context: Context, but: str | None = None) -> None:
    """The same when an address is no longer theirs: whoever reads its mail can answer none of the questions there."""
    end_keys(player, context, but)
    context.uow.confirmations.withdraw(player, _OF_THE_MAILBOX, context.now)
