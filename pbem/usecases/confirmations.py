"""Asking back before doing what a letter without proof wants, and hearing the answer."""

from __future__ import annotations

import hmac
import re
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.commands.model import BoardCommand
from pbem.domain.confirmations import Confirmation, ConfirmationKind
from pbem.domain.notices import Notice
from pbem.domain.players import address_key
from pbem.domain.replies import ConfirmReply
from pbem.errors import NotAllowed
from pbem.usecases.context import Context, Proof, Speaker
from pbem.usecases.notifications import to_sender
from pbem.usecases.proof import OF_HIS_DATA, check_standing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.commands.model import Command, Confirm
    from pbem.domain.boards import Board
    from pbem.domain.message_ids import QuestionMail
    from pbem.domain.players import Player
    from pbem.ids import ConfirmationId


_WANTS_YES = (ConfirmationKind.COMMAND, ConfirmationKind.ACCOUNT)
_OF_HIS_DATA = {command.form: command for command in OF_HIS_DATA}
_WORDS_READ = 30
_NO_WORDS = (
    "no not n nope never nein nicht non pas cancel stop reject refuse decline "
    "t cant cannot dont didnt doesnt isnt wasnt wont"  # "t" is what the apostrophe leaves of all that end in n't
)
_YES_WORDS = "yes y yeah yep ok okay sure confirm confirmed agree agreed accept ja oui si"
_NO, _YES = frozenset(_NO_WORDS.split()), frozenset(_YES_WORDS.split())


class NotAsked(NotAllowed):
    """The question that the letter answers does not exist, is answered already, or is too old."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason=reason)


class AnsweredFromElsewhere(NotAllowed):
    """The question was mailed to one address and answered from another."""

    def __init__(self, sender: str) -> None:
        super().__init__(sender=sender)


class NeitherYesNorNo(NotAllowed):
    """The answer to a question about a command or a change is neither yes nor no; the question stays open."""


def agreement(body: Sequence[str]) -> bool | None:
    """Whether the words of an answer say yes or no; None: neither, or they ask back.

    Any no among them is a no. An answer without words says yes: who has not read the question
    could not have answered it.
    """
    text = " ".join(line for line in body if line.strip()).lower()
    words = set(re.findall(r"[^\W_]+", text)[:_WORDS_READ])
    if words & _NO:
        return False
    return True if not words or (words & _YES and "?" not in text) else None


def find_question(number: ConfirmationId, nonce: int, context: Context) -> Confirmation | None:
    """The question that bears this nonce; there may have been another with its number, before a backup was put back."""
    found = context.uow.confirmations.find(number)
    is_meant = found is not None and hmac.compare_digest(found.nonce.to_bytes(4), nonce.to_bytes(4))
    return found if is_meant else None


def answer_of(question: ConfirmReply | QuestionMail, body: Sequence[str], context: Context) -> bool | None:
    """What an answer says to a question; a new password is agreement, if it is not one word that says no."""
    asked = find_question(question.confirmation, question.nonce, context)
    if asked is None or asked.kind is not ConfirmationKind.RESET:
        return agreement(body)
    first = next((line.strip() for line in body if line.strip()), "")
    return re.sub(r"[\W_]+", "", first).lower() not in _NO


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
    """Keep a question that is about to be mailed; return what the answer to that mail proves."""
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
    )
    context.uow.confirmations.save(question)
    return ConfirmReply(question.id, question.nonce, question.expires_at.date())


def days_to_answer(context: Context) -> int:
    """How long a question can be answered."""
    return context.policy.confirm_for // timedelta(days=1)


def ask_command(command: Command, line: str, context: Context) -> list[Notice]:
    """Mail the player a question that one reply answers; nothing happens until then."""
    player = context.speaker.known
    number = command.board if isinstance(command, BoardCommand) else None
    board = None if number is None else context.uow.boards.find(number)
    address = context.evidence.from_address or ""
    reply = new_question(
        ConfirmationKind.COMMAND, player, address, context, line=line, comment=context.comment, board=board
    )
    return [
        Notice(
            "confirm_command",
            address,
            {
                "player": player,
                "line": line,
                "form": command.form,
                "board": number,
                "comment": context.comment,
                "days": days_to_answer(context),
            },
            reply=reply,
            answers=True,
            from_nobody=True,
        )
    ]


def take_answer(command: Confirm, context: Context) -> Confirmation:
    """Mark a question answered and return it.

    Raises:
        NotAsked: there is no such question, or not any more.
        AnsweredFromElsewhere: the answer comes from another address than the question went to.
        NeitherYesNorNo: a command is carried out only for a yes.
        AccountFrozen, AccountBanned: the operator has meanwhile seen to it that nothing more is done.
    """
    confirmation = find_question(command.confirmation, command.nonce, context)
    if confirmation is None:
        raise NotAsked("unknown")
    if confirmation.answered_at is not None:
        raise NotAsked("answered")
    if confirmation.expires_at < context.now:
        raise NotAsked("expired")
    player, sender = context.uow.players.get(confirmation.player), context.evidence.from_address or ""
    asked = player.confirmed if confirmation.address is None else (confirmation.address,)
    if address_key(sender) not in map(address_key, asked):
        raise AnsweredFromElsewhere(sender)
    if command.agreed is None and confirmation.kind in _WANTS_YES:
        raise NeitherYesNorNo
    check_standing(player, _OF_HIS_DATA.get(confirmation.line or ""), context)
    answered = replace(confirmation, answered_at=context.now)
    context.uow.confirmations.save(answered)
    return answered


def declined(confirmation: Confirmation, context: Context) -> list[Notice]:
    """Tell that a question was answered with no."""
    return [to_sender("confirmation_declined", context, {"line": confirmation.line})]


def proven(confirmation: Confirmation, context: Context) -> Context:
    """The context in which the confirmed command is carried out: its player has answered for it."""
    player = context.uow.players.get(confirmation.player)
    return replace(context, speaker=Speaker(player, Proof.PROVEN, confirmation.event), comment=confirmation.comment)
