"""Conditions of a fixed shape."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine, select

from pbem.storage.engine import reading
from pbem.storage.models import PlayerRow
from pbem.storage.repository import numbered, one_of
from tests.storage.stock import ALICE, BOB, CAROL, stocked


@pytest.mark.parametrize("wanted", [(), (BOB.id,), (ALICE.id, CAROL.id)], ids=len)
def test_as_many_values_as_there_are_places_are_looked_for(engine: Engine, wanted: tuple[int, ...]) -> None:
    stocked(engine)
    with reading(engine) as connection:
        query = select(PlayerRow.id).where(one_of(PlayerRow.id, "player", len(wanted)))
        assert set(connection.scalars(query, numbered("player", wanted))) == set(wanted)


def test_what_is_known_is_looked_for_beside_them(engine: Engine) -> None:
    stocked(engine)
    with reading(engine) as connection:
        query = select(PlayerRow.id).where(one_of(PlayerRow.id, "player", 1, ALICE.id))
        assert set(connection.scalars(query, numbered("player", [CAROL.id]))) == {ALICE.id, CAROL.id}
