"""Wanting nothing from somebody, who is not told."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest

from tests.conversations.playing import form
from tests.conversations.test_export import attached

if TYPE_CHECKING:
    from tests.support.mail import Person
    from tests.support.server import RunningServer

_numbers = count(1)


def userid(person: Person) -> str:
    return person.address.partition("@")[0]


def people(server: RunningServer, *names: str) -> list[Person]:
    """New players, with userids that no other test has."""
    number = next(_numbers)
    return [server.player(f"{name}{number}z") for name in names]


def blocks(one: Person, other: Person, verb: str = "block") -> str:
    """What somebody hears who blocks another, or lifts that."""
    one.says(f"{verb} {userid(one)} secret {userid(other)}")
    return one.hears().words


def test_who_is_blocked_cannot_challenge_and_is_not_told(shared: RunningServer) -> None:
    one, bully, shy = people(shared, "ann", "bully", "shy")
    assert f"Done: {userid(bully)} cannot challenge you any more" in blocks(one, bully)
    assert bully.hears_nothing()
    shy.says(f"superbo reject {userid(shy)} secret")
    shy.hears()
    told = []
    for other in (one, shy):
        bully.says(f"superbo challenge {userid(other)}")
        mail = bully.hears()
        assert mail.subject == "Invalid challenge"
        told.append(mail.text.replace(userid(other), "..."))
    assert told[0] == told[1]
    assert one.hears_nothing()


def test_nor_can_others_bring_them_together(shared: RunningServer) -> None:
    one, bully, host = people(shared, "ann", "bully", "host")
    blocks(one, bully)
    host.says(f"mamba challenge {userid(one)} {userid(bully)}")
    told = host.hears()
    assert told.subject == "Invalid challenge"
    assert f"{userid(one)} takes no mamba challenges at present." in told.words
    for other in (one, bully):
        host.says(f"mamba challenge {userid(other)}")
        assert host.hears().subject == other.hears().subject


def test_who_has_blocked_somebody_does_not_challenge_him_either(shared: RunningServer) -> None:
    one, bully = people(shared, "ann", "bully")
    blocks(one, bully)
    one.says(f"superbo challenge {userid(bully)}")
    assert f'first lift that with "unblock to {userid(bully)}".' in one.hears().words
    assert bully.hears_nothing()


def test_seeks_of_theirs_do_not_meet_until_that_is_lifted(shared: RunningServer) -> None:
    one, bully = people(shared, "ann", "bully")
    blocks(one, bully)
    bully.says("palago seek -size=77")
    bully.hears()
    one.says("palago seek -size=77")
    assert userid(bully) not in one.hears().text
    bully.says("palago seek -size=77")
    told = bully.hears()
    assert told.subject == "palago Seeks"
    assert userid(one) not in told.text
    assert blocks(one, bully, "unblock").startswith("A new palago board")
    assert f"Done: {userid(bully)} can challenge you again" in one.hears().words
    assert bully.hears().subject.startswith("New palago Board")


def test_a_board_where_both_play_goes_on(shared: RunningServer) -> None:
    one, bully = people(shared, "ann", "bully")
    one.says(f"superbo challenge {userid(bully)}")
    mail, _ = one.hears(), bully.hears()
    assert "A board where you both play goes on" in blocks(one, bully)
    one.answers(mail, "b3")
    assert one.hears().subject == bully.hears().subject


def test_repeating_it_does_no_harm(shared: RunningServer) -> None:
    one, bully, other = people(shared, "ann", "bully", "other")
    blocks(one, other)
    assert f"You have also blocked: {userid(other)}." in blocks(one, bully)
    assert f"You have blocked {userid(bully)} before, and that still holds." in blocks(one, bully)
    assert f"Done: {userid(bully)} can challenge you again" in blocks(one, bully, "unblock")
    again = blocks(one, bully, "unblock")
    assert f"You have not blocked {userid(bully)}, so there is nothing to lift." in again
    assert f"You have also blocked: {userid(other)}." in again
    bully.says(f"superbo challenge {userid(one)}")
    assert bully.hears().subject == one.hears().subject


def test_only_the_one_who_blocks_finds_it_among_his_data(shared: RunningServer) -> None:
    one, bully = people(shared, "ann", "bully")
    blocks(one, bully)
    for person, other, known in ((one, bully, True), (bully, one, False)):
        person.says(f"data {userid(person)} secret")
        _, _, data = attached(person.hears())
        assert (userid(other) in str(data)) is known


@pytest.mark.parametrize("verb", ["block", "unblock"])
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{verb} {0} secret zoe", 'Nobody here is called "zoe".'),
        ("{verb} to zoe", 'Nobody here is called "zoe".'),
        ("{verb} {0} secret", "userid"),
        ("{verb}", "userid"),
        ("{verb} to {0} zoe", "Please leave out what comes from there on"),
        ("{verb} {0} wrong zoe", "do not belong together"),
        ("superbo {verb} to zoe", "superbo"),
    ],
)
def test_what_cannot_be_is_refused(shared: RunningServer, verb: str, line: str, reason: str) -> None:
    (one,) = people(shared, "ann")
    one.says(line.format(userid(one), verb=verb))
    told = one.hears()
    assert told.subject.endswith(" error")
    assert reason in told.words
    assert form(verb) in told.text
    assert not any(secret in told.text for secret in ("secret", "wrong"))


def test_nobody_blocks_himself(shared: RunningServer) -> None:
    (one,) = people(shared, "ann")
    assert "You cannot block yourself." in blocks(one, one)
    assert "there is nothing to lift" in blocks(one, one, "unblock")
