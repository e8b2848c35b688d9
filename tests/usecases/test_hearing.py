"""The evidence in a letter of the addresses at which mails arrive."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.domain.letters import Evidence
from pbem.usecases.context import Proof, Speaker
from pbem.usecases.correspondents import heard_from
from tests.storage.stock import AT
from tests.support.handlers import ANN, HandlerFixture

HOME, CAFE = ANN.addresses[0].address, "cafe@example.org"


@pytest.mark.parametrize(
    ("proof", "sender", "heard"),
    [
        (Proof.PROVEN, HOME, True),
        (Proof.PROVEN, HOME.upper(), True),
        (Proof.PROVEN, CAFE, False),
        (Proof.CLAIMED, HOME, False),
    ],
)
def test_only_who_is_proven_and_writes_from_there_is_reachable_again(
    handlers: HandlerFixture, proof: Proof, sender: str, heard: bool
) -> None:
    with handlers.work() as uow:
        known = uow.players.get(ANN.id)
        suppressed = replace(known, addresses=tuple(replace(each, suppressed_at=AT) for each in known.addresses))
        uow.players.save(suppressed)
        context = replace(handlers.context(uow, Speaker(suppressed, proof)), evidence=Evidence(sender, sender))
        after, notices = heard_from(context)
    assert after.speaker.known.is_unreachable is not heard
    assert [notice.name for notice in notices] == (["reachable_again"] if heard else [])
