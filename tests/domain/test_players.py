"""Players and their addresses."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from pbem.domain.players import Address, Player, address_key, is_mailable, userid_key
from pbem.ids import PlayerId

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
FSMITH = Player(PlayerId(1), "FSmith", (Address("F.Smith@Example.org"), Address("fs@example.net", NOW)), NOW, "hash!")


def test_spelling_makes_no_other_address_and_no_other_userid() -> None:
    assert address_key(" F.Smith@Example.ORG ") == address_key("f.smith@example.org")
    assert userid_key("FSmith") == userid_key("fsmITH")


def test_only_confirmed_addresses_are_written_to() -> None:
    assert FSMITH.confirmed == ("fs@example.net",)
    assert FSMITH.has_address("f.smith@example.org")
    assert not FSMITH.has_address("other@example.org")


def test_confirming_changes_this_address_alone_and_keeps_its_spelling() -> None:
    later = NOW + timedelta(days=1)
    confirmed = FSMITH.confirm("f.smith@example.org", later)
    assert confirmed.addresses == (Address("F.Smith@Example.org", later), Address("fs@example.net", NOW))
    assert FSMITH.addresses[0].confirmed_at is None


def test_confirming_twice_or_an_unknown_address_changes_nothing() -> None:
    later = NOW + timedelta(days=1)
    assert FSMITH.confirm("fs@example.net", later) == FSMITH
    assert FSMITH.confirm("other@example.org", later) == FSMITH


def test_the_password_hash_stands_in_no_representation() -> None:
    assert "hash!" not in repr(FSMITH)


@pytest.mark.parametrize(
    "address", ["a@b", "f.smith+pbem@mail.example.org", "o'brien@example.org", "a=b@c", "x@1.2.3.4"]
)
def test_an_ordinary_address_can_be_written_to(address: str) -> None:
    assert is_mailable(address)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "@",
        "a",
        "a@",
        "@b",
        "a@b@c",
        "a b@c",
        "<a@b>",
        "a@b,c@d",
        "a@b\r\nBcc: c@d",
        "a@b\n",
        "\u00e4@b",
        "a@\u00e4.org",
        "a@b..c",
        "a@.b",
        "a@b.",
        '"a b"@c',
        "=?utf-8?q?a=0D=0ABcc=3A_c?=@d",
        "a@" + "b." * 20 + "c",
        "a" * 65 + "@b",
    ],
)
def test_what_a_header_or_an_envelope_could_not_carry_is_not_mailable(address: str) -> None:
    assert not is_mailable(address)


SUPPRESSED = FSMITH.suppress("FS@example.net", NOW, "550 no such user")


def test_a_suppressed_address_stays_confirmed_and_is_not_written_to() -> None:
    assert (SUPPRESSED.confirmed, SUPPRESSED.reachable) == (("fs@example.net",), ())
    assert (FSMITH.is_unreachable, SUPPRESSED.is_unreachable) == (False, True)
    assert SUPPRESSED.address("fs@example.net") == Address("fs@example.net", NOW, NOW, "550 no such user")


def test_of_a_long_reason_its_beginning_is_kept() -> None:
    kept = FSMITH.suppress("fs@example.net", NOW, "550 " + "no " * 999).addresses[1].suppressed_why
    assert kept is not None
    assert (kept[:10], len(kept)) == ("550 no no ", 255)
    assert FSMITH.suppress("fs@example.net", NOW, "").addresses[1].suppressed_why is None


def test_lifting_or_an_answer_from_there_makes_it_as_it_was() -> None:
    assert SUPPRESSED.lift("fs@EXAMPLE.net") == FSMITH
    assert SUPPRESSED.confirm("fs@example.net", NOW + timedelta(days=1)) == FSMITH


def test_an_address_without_an_answer_makes_nobody_reachable() -> None:
    assert SUPPRESSED.addresses[0].confirmed_at is None
    assert SUPPRESSED.confirm("f.smith@example.org", NOW).reachable == ("F.Smith@Example.org",)
    assert not Player(PlayerId(1), "x", (Address("x@example.org"),), NOW).is_unreachable


def test_who_gets_no_mail_at_all_is_unreachable() -> None:
    stopped = replace(FSMITH, mail_stopped=True)
    assert (stopped.reachable, stopped.is_unreachable) == ((), True)
