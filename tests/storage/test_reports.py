from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import Engine

from pbem.domain.administration import Report
from pbem.errors import Conflict
from pbem.ids import BoardNumber
from tests.storage.stock import ALICE, AT, BOB, stocked, work

DAY = timedelta(days=1)


def test_reports_are_kept_and_closed_once(engine: Engine) -> None:
    stocked(engine)
    uow = work(engine)
    report = Report(uow.reports.next_id(), AT, ALICE.id, BOB.id, BoardNumber(101), "Rude.\nTwice.")
    uow.reports.save(report)
    assert uow.reports.count_since(ALICE.id, AT) == 1
    uow.commit()
    one, other = work(engine), work(engine)
    assert one.reports.find(1) == report
    assert one.reports.next_id() == 2
    assert one.reports.count_since(ALICE.id, AT + DAY) == 0
    assert one.reports.count_since(BOB.id, AT) == 0
    assert one.reports.newest(closed=False, most=9) == [report]
    for uow in (one, other):
        uow.reports.save(replace(report, closed_at=AT + DAY, note="Warned."))
    one.commit()
    with pytest.raises(Conflict):
        other.commit()
    with work(engine) as uow:
        assert uow.reports.newest(closed=False, most=9) == []
        assert [each.note for each in uow.reports.newest(closed=True, most=9)] == ["Warned."]
