"""Wanting nothing from somebody, who is not told."""

from __future__ import annotations

from itertools import count

import pytest

from tests.conversations import mamba
from tests.conversations.playing import form, seat, userid
from tests.support.mail import Person, attached
from tests.support.server import GameServer

_numbers = count(1)


def people(server: GameServer, *names: str) -> list[Person]:
    """New players, with userids that no other test has."""
    number = next(_numbers)
    return [server.player(f"{name}{number}z") for name in names]


def blocks(one: Person, other: Person, verb: str = "block") -> str:
    """Block or unblock a player and return the words of the answer."""
    one.says(f"{verb} {userid(one)} secret {userid(other)}")
    return one.hears().words


def test_who_is_blocked_cannot_challenge_and_is_not_told(shared: GameServer) -> None:
    one, bully, shy = people(shared, "ann", "bully", "shy")
    assert f"Done: {userid(bully)} can no longer challenge you" in blocks(one, bully)
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


def test_nor_can_others_bring_them_together(shared: GameServer) -> None:
    one, bully, host = people(shared, "ann", "bully", "host")
    blocks(one, bully)
    host.says(f"mamba challenge {userid(one)} {userid(bully)}")
    told = host.hears()
    assert told.subject == "Invalid challenge"
    assert f"{userid(one)} takes no mamba challenges at present." in told.words
    for other in (one, bully):
        host.says(f"mamba challenge {userid(other)}")
        assert host.hears().subject == other.hears().subject


def test_who_has_blocked_somebody_does_not_challenge_him_either(shared: GameServer) -> None:
    one, bully = people(shared, "ann", "bully")
    blocks(one, bully)
    one.says(f"superbo challenge {userid(bully)}")
    assert f'first send "unblock to {userid(bully)}".' in one.hears().words
    assert bully.hears_nothing()


def test_seeks_of_theirs_do_not_meet_until_that_is_lifted(shared: GameServer) -> None:
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


def test_a_board_where_both_play_goes_on(shared: GameServer) -> None:
    one, bully = people(shared, "ann", "bully")
    one.says(f"superbo challenge {userid(bully)}")
    mail, _ = one.hears(), bully.hears()
    assert "Games you already play together go on" in blocks(one, bully)
    one.answers(mail, "b3")
    assert one.hears().subject == bully.hears().subject


def test_on_it_nothing_that_the_blocked_one_writes_is_heard_and_he_is_not_told(shared: GameServer) -> None:
    bully, one, fan, foe = people(shared, "bully", "ann", "fan", "foe")
    table = seat(shared, bully, one)
    for watcher in (fan, foe):
        watcher.says(f"subscribe {userid(watcher)} secret {table.number}")
        watcher.hears()
    for each in (one, foe):
        blocks(each, bully)
    bully.answers(table.one_mail, "b3\n\nTake that, you!")
    mails = {person.address: person.hears() for person in (bully, one, fan, foe)}
    subject = f"superbo Board {table.number} {userid(one)}"
    for person, heard in ((bully, True), (fan, True), (one, False), (foe, False)):
        mail = mails[person.address]
        assert mail.subject == subject + (" **" if heard else "")
        assert ("Take that" in mail.raw.decode()) is heard
    bully.answers(mails[bully.address], "mailed")
    told = bully.hears().text
    assert told.count(f"    {subject}\n") == len(mails)
    assert "**" not in told
    for line in ("resend {}", "show {}", "mailed {}", "showas {}", "export {}"):
        one.answers(mails[one.address], line.format(table.number))
        again = one.hears()
        assert "Take that" not in again.raw.decode()
        assert "**" not in again.text
    blocks(one, bully, "unblock")
    one.answers(mails[one.address], "c4,k5")
    bully.answers(bully.hears(), "g2,h7\n\nFriends?")
    assert one.hears().subject == f"superbo Board {table.number} {userid(bully)}"
    assert "Friends?" in one.hears().text


def test_at_a_board_of_three_the_third_one_hears_him(shared: GameServer) -> None:
    number = next(_numbers)
    table = mamba.begin(shared, *(f"{name}{number}z" for name in ("ann", "ben", "cat")))
    writer, deaf, other = (table.people[(table.to_act + step) % 3] for step in range(3))
    blocks(deaf, writer)
    writer.answers(table.mails[table.to_act], "pass\n\nNice move.")
    assert writer.hears().subject.endswith(" **")
    assert "Nice move." in other.hears().text
    mail = deaf.hears()
    assert not mail.subject.endswith("*")
    assert "Nice move." not in mail.raw.decode()


def test_repeating_it_does_no_harm(shared: GameServer) -> None:
    one, bully, other = people(shared, "ann", "bully", "other")
    blocks(one, other)
    assert f"You have also blocked: {userid(other)}." in blocks(one, bully)
    assert f"You have already blocked {userid(bully)}; nothing has changed." in blocks(one, bully)
    assert f"Done: {userid(bully)} can challenge you again" in blocks(one, bully, "unblock")
    again = blocks(one, bully, "unblock")
    assert f"You have not blocked {userid(bully)}, so there is nothing to undo." in again
    assert f"You have also blocked: {userid(other)}." in again
    bully.says(f"superbo challenge {userid(one)}")
    assert bully.hears().subject == one.hears().subject


def test_only_the_one_who_blocks_finds_it_among_his_data(shared: GameServer) -> None:
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
        ("{verb} to zoe", "is not the userid of any player"),
        ("{verb} {0} secret", "userid"),
        ("{verb}", "userid"),
        ("{verb} to {0} zoe", "Please leave out everything from there on"),
        ("{verb} {0} wrong zoe", "do not match"),
        ("superbo {verb} to zoe", "superbo"),
    ],
)
def test_what_cannot_be_is_refused(shared: GameServer, verb: str, line: str, reason: str) -> None:
    (one,) = people(shared, "ann")
    one.says(line.format(userid(one), verb=verb))
    told = one.hears()
    assert told.subject.endswith(" error")
    assert reason in told.words
    assert form(verb) in told.text
    assert not any(secret in told.text for secret in ("secret", "wrong"))


def test_nobody_blocks_himself(shared: GameServer) -> None:
    (one,) = people(shared, "ann")
    assert "You cannot block yourself." in blocks(one, one)
    assert "there is nothing to undo" in blocks(one, one, "unblock")
