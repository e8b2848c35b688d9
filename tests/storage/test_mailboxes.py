from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Engine

from pbem.storage.leases import free_named
from pbem.storage.mailboxes import MailboxMark, MailboxMarks
from tests.storage.stock import AT, MINUTE

MARK = MailboxMark(4_294_967_295, 4_294_967_290, AT, AT + MINUTE)


def marks(engine: Engine, owner: str, name: str = "club@example.org/INBOX") -> MailboxMarks:
    return MailboxMarks(engine, name, owner, MINUTE)


def test_a_mailbox_has_one_holder_until_its_lease_ends(engine: Engine) -> None:
    one, other = marks(engine, "one"), marks(engine, "other")
    assert one.hold(AT)
    assert not other.hold(AT)
    assert one.hold(AT + MINUTE / 2)
    assert not other.hold(AT + MINUTE)
    assert other.hold(AT + 2 * MINUTE)
    assert not one.hold(AT + 2 * MINUTE)
    assert marks(engine, "one", "another mailbox").hold(AT)


def test_a_holder_may_ask_for_more_and_let_go(engine: Engine) -> None:
    one, other = marks(engine, "one"), marks(engine, "other")
    assert one.hold(AT, timedelta(hours=1))
    assert not other.hold(AT + 30 * MINUTE)
    other.let_go()
    assert not other.hold(AT + 30 * MINUTE)
    one.let_go()
    assert other.hold(AT)


def test_what_the_dead_held_is_free(engine: Engine) -> None:
    one, other = marks(engine, "one"), marks(engine, "other")
    one.hold(AT)
    assert free_named(engine, ["somebody else"]) == 0
    assert not other.hold(AT)
    assert free_named(engine, ["one"]) == 1
    assert other.hold(AT)
    assert free_named(engine, None) == 1


def test_a_mark_is_kept_whoever_fetches(engine: Engine) -> None:
    one = marks(engine, "one")
    assert one.mark() is None
    one.hold(AT)
    assert one.mark() is None
    one.keep(MARK)
    assert marks(engine, "other").mark() == MARK
    one.keep(MailboxMark(1, 2, None, None))
    assert marks(engine, "other").mark() == MailboxMark(1, 2, None, None)
