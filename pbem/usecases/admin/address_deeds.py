"""What an operator does to an address, whoever plays from there."""

from __future__ import annotations

from pbem.commands.unwritten import LiftSuppression, SuppressAddress
from pbem.domain.notices import Notice
from pbem.usecases.context import Context
from pbem.usecases.mail.reachability import lift, suppress


def suppress_address(command: SuppressAddress, context: Context) -> list[Notice]:
    """Mail nothing to an address any more, whoever plays from there."""
    meant = context.uow.players.by_confirmed_address(command.address)
    return [notice for each in meant for notice in suppress(each, command.address, command.reason, context)]


def lift_suppression(command: LiftSuppression, context: Context) -> list[Notice]:
    """Mail to an address again, whoever plays from there."""
    meant = context.uow.players.by_confirmed_address(command.address)
    return [notice for each in meant for notice in lift(each, command.address, context)]
