"""Carrying out the changes of an account that its player has agreed to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from pbem.commands.grammar import parse
from pbem.commands.model import AddAddresses, ChangeAddresses, Command, SignOff
from pbem.commands.unwritten import ChangeAccount
from pbem.domain.notices import Notice
from pbem.usecases.accounts.addresses import carry_out_add, carry_out_change
from pbem.usecases.accounts.passwords import set_password
from pbem.usecases.accounts.signoff import carry_out_signoff
from pbem.usecases.context import Context
from pbem.usecases.proof.confirmations import answered_question

Handler: TypeAlias = Callable[[Any, Context], list[Notice]]


AGREED: dict[type[Command], Handler] = {
    AddAddresses: carry_out_add,
    ChangeAddresses: carry_out_change,
    SignOff: carry_out_signoff,
}


def change_account(command: ChangeAccount, context: Context) -> list[Notice]:
    """Carry out what the question was about.

    Raises:
        PlayerError: it cannot be done any more; nothing has changed.
    """
    confirmation = answered_question(command.confirmation, context)
    if confirmation.password_hash is not None:
        return set_password(confirmation, confirmation.password_hash, context)
    agreed = parse(confirmation.line or "", context.games)
    return AGREED[type(agreed)](agreed, context)
