"""What lets somebody in as a player beside his password: sessions, tokens of programs, and questions that are open."""

from __future__ import annotations

from pbem.domain.confirmations import ConfirmationKind
from pbem.ids import PlayerId
from pbem.usecases.context import Context

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
