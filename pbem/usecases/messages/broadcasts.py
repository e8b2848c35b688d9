"""Bringing to everybody what a player says to all, some at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.domain.broadcasts import Broadcast
from pbem.domain.notices import Notice
from pbem.domain.players import Standing
from pbem.ids import PlayerId
from pbem.usecases.context import Context

AT_ONCE = 50
"""Players: letters wait meanwhile."""


def tell_next(broadcast: Broadcast, context: Context) -> Mapping[PlayerId, Notice]:
    """The notices of a broadcast to the next players, and a note that it has come so far.

    Who wants no such mails, or nothing from its writer, is left out; if the operator has silenced the writer
    meanwhile, or he has left, nobody else hears of it.
    """
    writer = context.uow.players.get(broadcast.player)
    batch = context.uow.broadcasts.listeners(broadcast.sent_to, AT_ONCE) if writer.standing is Standing.ACTIVE else ()
    if not batch:
        context.uow.broadcasts.save(replace(broadcast, done_at=context.now))
        return {}
    context.uow.broadcasts.save(replace(broadcast, sent_to=batch[-1]))
    left_out = {writer.id, *context.uow.blocks.blockers_of(writer.id)}
    facts = {"comment": {"writer": writer.userid, "text": broadcast.text}, "writer": writer}
    readers = context.uow.players.listed(each for each in batch if each not in left_out)
    return {
        each.id: Notice("broadcast", each, {**facts, "player": each})
        for each in readers
        if each.preferences.broadcast == "on"
    }


def give_up(number: int, error: str, context: Context) -> list[Notice]:
    """Tell a broadcast to nobody any more, since it cannot be written; the operator hears of it.

    Args:
        number: its id.
        error: what stands in the way.
        context: of the moment.
    """
    broadcast = context.uow.broadcasts.find_unsent(number)
    if broadcast is None:
        return []
    context.uow.broadcasts.save(replace(broadcast, done_at=context.now))
    facts = {"broadcast": broadcast, "writer": context.uow.players.get(broadcast.player), "error": error}
    operator = context.policy.operator
    return [Notice("broadcast_given_up", operator, facts, from_nobody=True)] if operator is not None else []
