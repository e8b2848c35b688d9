"""Answers to our questions: what was asked is done, or it is not."""

from __future__ import annotations

from pbem.commands.grammar import parse
from pbem.commands.internal import ChangeAccount, ConfirmAddress, ResetPassword
from pbem.commands.playing import MakeMove
from pbem.domain.credentials import Confirmation, ConfirmationKind
from pbem.domain.letters import Letter
from pbem.domain.mails import Notice
from pbem.domain.replies import ConfirmReply, QuestionMail
from pbem.errors import PlayerError
from pbem.usecases import confirmations
from pbem.usecases.context import Context
from pbem.usecases.correspondents import heard_from
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.passwords import password_in
from pbem.usecases.refusals import refusal
from pbem.usecases.wrong_passwords import note_familiar


def answer_question(question: ConfirmReply | QuestionMail, letter: Letter, context: Context) -> list[Notice]:
    """Do what was asked, if the letter agrees to it; a refusal is among the notices."""
    try:
        with context.uow.attempt():
            agreed = confirmations.answer_of(question, letter.body, context)
            confirmation = confirmations.take_answer(question.confirmation, question.nonce, context, agreed=agreed)
            told = _done_at_once(confirmation, letter, context) if agreed else []
    except PlayerError as wrong:
        return [refusal(wrong, None, "", context)]
    if not agreed:
        told = confirmations.declined(confirmation, context)
    if not agreed and confirmation.kind is ConfirmationKind.ADDRESS:
        return told  # of somebody who wants to have nothing to do with the account
    note_familiar(context.uow.players.get(confirmation.player), context)
    context, heard = heard_from(confirmations.proven(confirmation, context))
    return [*heard, *(told or _agreed(confirmation, context))]


def _done_at_once(confirmation: Confirmation, letter: Letter, context: Context) -> list[Notice]:
    """Do what leaves the question open if it fails; nothing, if a question was of another kind."""
    if confirmation.kind is ConfirmationKind.ADDRESS:
        return dispatch(ConfirmAddress(confirmation.id), context)
    if confirmation.kind is ConfirmationKind.RESET:
        return dispatch(ResetPassword(confirmation.id, password_in(letter.body)), context)
    return []


def _agreed(confirmation: Confirmation, context: Context) -> list[Notice]:
    """Carry out what the player has said yes to."""
    if confirmation.kind is ConfirmationKind.COMMAND:
        return _carry_out(confirmation.line or "", context)
    try:
        return dispatch(ChangeAccount(confirmation.id), context)
    except PlayerError as wrong:
        return [refusal(wrong, None, "", context)]


def _carry_out(line: str, context: Context) -> list[Notice]:
    """Carry out a line whose speaker is proven already."""
    command = parse(line, context.games)
    if isinstance(command, MakeMove):
        context = confirmations.with_plan(context)
    try:
        return dispatch(command, context)
    except PlayerError as wrong:
        return [refusal(wrong, command, line, context)]
