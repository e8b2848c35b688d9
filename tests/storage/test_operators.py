from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from sqlalchemy import Engine

from pbem.domain.credentials import OPERATOR_LINK_FOR, OPERATOR_SESSION_FOR
from pbem.storage.engine import writing
from pbem.storage.models import OperatorKeyRow
from pbem.storage.operators import OperatorKeys, add_link
from tests.storage.stock import AT, rows

SECOND = timedelta(seconds=1)


def put_link(engine: Engine, secret_hash: str = "link") -> None:
    with writing(engine) as connection:
        add_link(connection, secret_hash, "root", AT)


def test_a_link_becomes_a_session_of_who_asked_for_it(engine: Engine) -> None:
    keys = OperatorKeys(engine)
    put_link(engine)
    assert keys.is_link("link", AT + OPERATOR_LINK_FOR - SECOND)
    assert not keys.is_link("link", AT + OPERATOR_LINK_FOR)
    assert keys.who("link", AT) is None
    assert keys.begin("link", "session", AT)
    assert not keys.is_link("link", AT)
    assert keys.who("session", AT + OPERATOR_SESSION_FOR - SECOND) == "root"
    assert keys.who("session", AT + OPERATOR_SESSION_FOR) is None
    keys.end("session")
    assert keys.who("session", AT) is None


def test_of_many_who_use_a_link_at_once_one_gets_in(engine: Engine) -> None:
    keys = OperatorKeys(engine)
    put_link(engine)
    with ThreadPoolExecutor(4) as threads:
        begun = list(threads.map(lambda number: keys.begin("link", f"session {number}", AT), range(8)))
    assert sorted(begun) == [False] * 7 + [True]
    assert rows(engine, OperatorKeyRow) == 1


def test_what_is_good_no_more_is_forgotten_with_the_next_link(engine: Engine) -> None:
    put_link(engine, "old")
    with writing(engine) as connection:
        add_link(connection, "new", "root", AT + OPERATOR_LINK_FOR)
    assert rows(engine, OperatorKeyRow) == 1
