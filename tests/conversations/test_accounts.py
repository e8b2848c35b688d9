"""Changing an account: nothing happens before an address on record has agreed."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from tests.conversations.playing import begin, played, seat
from tests.support.in_process import in_process_server
from tests.support.mail import Mail, Person
from tests.support.server import GameServer


def agrees(person: Person, question: Mail) -> None:
    person.answers(question, "yes")


def test_another_address_is_added_once_the_old_one_has_agreed_and_the_new_one_has_answered(
    shared: GameServer,
) -> None:
    amy, work = shared.player("amy"), shared.person("amy.work")
    work.says(f"add amy secret {work.address}")
    answer, question = work.hears(), amy.hears()
    assert "I have sent a question to the addresses on record for amy" in answer.words
    assert amy.address not in answer.text
    assert question.subject == "Please confirm, amy: add"
    assert f"    add {work.address}\n" in question.text
    assert question.envelope_sender in ("", "<>")
    work.says("superbo challenge amy amy")
    assert "I do not know the address" in work.hears().words
    agrees(amy, question)
    asked, candidate = amy.hears(), work.hears()
    assert f"I have sent a question to {work.address}." in asked.words
    assert candidate.subject == "Please confirm an address of amy"
    agrees(work, candidate)
    assert work.hears().subject == "Address confirmed for amy"
    work.says("superbo challenge amy amy")
    assert work.hears().subject == amy.hears().subject


def test_other_addresses_replace_the_old_one_when_the_first_of_them_has_answered(shared: GameServer) -> None:
    bea, home, work = shared.player("bea"), shared.person("bea.home"), shared.person("bea.work")
    bea.says(f"change address bea secret {home.address} {work.address}")
    question = bea.hears()
    assert f"I would then send a question to {home.address} and {work.address}." in question.words
    assert "As soon as one of them answers, your present addresses are dropped" in question.words
    agrees(bea, question)
    assert "With the first answer the present addresses are dropped. Until then they stay." in bea.hears().words
    at_home, at_work = home.hears(), work.hears()
    bea.says("set bea secret legend=off")
    assert bea.hears().subject == "Preferences of bea"
    agrees(home, at_home)
    assert "the earlier addresses have been dropped" in home.hears().words
    assert bea.hears().subject == "This address is no longer one of bea's"
    bea.says("set legend=on")
    assert "I do not know the address" in bea.hears().words
    agrees(work, at_work)
    assert work.hears().subject == "Address confirmed for bea"
    home.says("set bea secret legend=on")
    assert {home.hears().subject, work.hears().subject} == {"Preferences of bea"}


def test_who_is_to_keep_only_one_of_his_addresses_hears_that_it_happens_at_once(shared: GameServer) -> None:
    pia, other = shared.player("pia"), shared.person("pia2")
    pia.says(f"add pia secret {other.address}")
    agrees(pia, pia.hears())
    pia.hears()
    agrees(other, other.hears())
    assert other.hears().subject == "Address confirmed for pia"
    other.says(f"change address pia secret {other.address}")
    question = other.hears()
    assert "You have already confirmed this address" in question.words
    assert "Your other addresses are dropped as soon as you agree." in question.words
    assert pia.hears().words == question.words
    agrees(other, question)
    assert other.hears().subject == "Addresses of pia"
    assert pia.hears().subject == "This address is no longer one of pia's"


def test_one_no_from_any_address_calls_a_change_off(shared: GameServer) -> None:
    cyd, other, thief = shared.player("cyd"), shared.person("cyd2"), shared.person("cyds.thief")
    cyd.says(f"add {other.address}")
    agrees(cyd, cyd.hears())
    cyd.hears()
    agrees(other, other.hears())
    other.hears()
    thief.says("change address cyd secret")
    assert "Nothing has happened yet" in thief.hears().words
    here, there = cyd.hears(), other.hears()
    other.answers(there, "no")
    assert other.hears().subject == "As you wish: nothing has happened"
    agrees(cyd, here)
    assert "You have already answered this question" in cyd.hears().words
    thief.answers(there, "yes")
    assert "You have already answered this question" in thief.hears().words


def test_a_change_is_not_agreed_to_from_elsewhere_nor_by_unclear_words(shared: GameServer) -> None:
    dot, thief = shared.player("dot"), shared.person("dots.thief")
    dot.says("signoff dot secret")
    question = dot.hears()
    thief.answers(question, "yes")
    refusal = thief.hears()
    assert "I sent that question to an address other than" in refusal.words
    assert dot.address not in refusal.text
    robots = ("", "> yes\n", "Sure, I will answer then.", "ok, thanks for your mail! We have received it.")
    for unclear in ("What does that mean?", *robots):
        dot.answers(question, unclear)
        assert "I cannot tell whether your answer means yes or no" in dot.hears().words
    dot.says("set dot secret")
    assert dot.hears().subject == "Preferences of dot"


def test_a_password_is_changed_and_never_repeated(shared: GameServer) -> None:
    eva = shared.player("eva")
    eva.says("change password better2")
    question = eva.hears()
    assert question.subject == "Please confirm, eva: change password"
    assert "better2" not in question.text
    eva.says("set eva secret")
    assert eva.hears().subject == "Preferences of eva"
    agrees(eva, question)
    told = eva.hears()
    assert told.subject == "The password of eva has been changed"
    assert "better2" not in told.text
    eva.says("set eva secret")
    assert "do not match" in eva.hears().words
    eva.says("change password eva better2 best3")
    agrees(eva, eva.hears())
    eva.hears()
    eva.says("set eva best3")
    assert eva.hears().subject == "Preferences of eva"


def test_who_has_no_password_gets_one(shared: GameServer) -> None:
    fay = shared.player("fay", None)
    fay.says("", "change password secret7\n")
    agrees(fay, fay.hears())
    told = fay.hears()
    assert told.subject == "The password of fay has been changed"
    assert "You now have a password." in told.words
    fay.says("change password fay secret7 secret8")
    agrees(fay, fay.hears())
    assert "Your password has been changed; the old one no longer works." in fay.hears().words
    fay.says("change password fay secret8 secret7")
    agrees(fay, fay.hears())
    fay.hears()
    fay.says("set fay secret7")
    assert fay.hears().subject == "Preferences of fay"


def test_a_forgotten_password_is_set_anew_by_who_reads_the_mail_of_the_player(shared: GameServer) -> None:
    gil, cafe = shared.player("gil"), shared.person("cafe")
    for userid in ("gil", "nobody-at-all"):
        cafe.says(f"forgot {userid}")
    answers = [cafe.hears(), cafe.hears()]
    assert answers[0].subject == answers[1].subject == "A forgotten password"
    assert answers[0].text == answers[1].text
    assert "I send at most 3 mails like this to a player in a day" in answers[0].words
    reset = gil.hears()
    for wrong in ("two words", "recalled5", "password", "password one two", "Hello,\n\npassword recalled5"):
        gil.answers(reset, wrong)
        refusal = gil.hears()
        assert "I found no new password in your answer" in refusal.words
        assert "password <new password>" in refusal.words
        assert refusal.words.count("Nothing has changed.") == 1
        assert "old password" not in refusal.words
        assert not any(word in refusal.text for word in ("two", "recalled5", "Hello"))
    cafe.answers(reset, "password stolen5")
    assert "I sent that question to an address other than" in cafe.hears().words
    gil.answers(reset, "Password: recalled5")
    told = gil.hears()
    assert told.subject == "The password of gil has been changed"
    assert "recalled5" not in told.text
    gil.answers(reset, "password again6")
    assert "You have already answered this question" in gil.hears().words
    gil.says("set gil recalled5")
    assert gil.hears().subject == "Preferences of gil"


@pytest.mark.parametrize(
    "greeting", ["Hello,", "Bonjour,", "Danke,", "Hello,\n\nI am away.", "password reset requested"]
)
def test_a_robot_that_answers_a_reset_sets_no_password(shared: GameServer, greeting: str) -> None:
    userid = f"fay{sum(map(ord, greeting))}"
    fay = shared.player(userid)
    fay.says(f"forgot {userid}")
    reset = next(mail for mail in (fay.hears(), fay.hears()) if mail.subject.startswith("A new password"))
    fay.answers(reset, greeting)
    assert "I found no new password" in fay.hears().words
    fay.says(f"Automatic reply: {reset.subject}", "change password recalled5", to=reset.reply_to)
    assert fay.hears_nothing()
    fay.answers(reset, "change password recalled5")
    assert fay.hears().subject == f"The password of {userid} has been changed"


def test_nobody_is_flooded_with_resets_and_a_no_ends_one(shared: GameServer) -> None:
    hal, cafe = shared.player("hal"), shared.person("flooder")
    for _ in range(6):
        cafe.says("forgot hal")
        assert cafe.hears().subject == "A forgotten password"
    resets = shared.postbox.unread_for(hal.address)
    assert len(resets) == 3
    hal.answers(resets[0], "No.")
    subjects = [hal.hears().subject for _ in range(4)]
    assert subjects[-1] == "As you wish: nothing has happened"


REFUSED = [
    ("add x@", '"x@" is not an address that I can write to.'),
    (
        "add one@example.org pw4annX",
        "Word 3 of your command (I do not repeat it, since it may be a password) is no",
    ),
    (
        "change address one@example.org pw4annX",
        "Word 4 of your command (I do not repeat it, since it may be a password) is no",
    ),
    ("add pbem@localhost", "is an address of this server"),
    ("add ivo@example.org", "Your account already has these addresses."),
    ("change address ivo@example.org", "Your account already has these addresses."),
    ("add a@x.org b@x.org c@x.org d@x.org e@x.org", "An account can have at most 5 addresses."),
    ('change password "quoted"', "Please choose another password."),
    ("change password one two", "the new password"),
    ("change ivo secret other", "what to change: password or address"),
]


def test_what_cannot_be_changed_is_refused_at_once(shared: GameServer) -> None:
    ivo = shared.player("ivo")
    before = played(shared)
    for line, reason in REFUSED:
        ivo.says(line)
        refusal = ivo.hears()
        assert refusal.subject == "pbem error"
        assert reason in refusal.words
        assert "two" not in refusal.words
        assert "pw4annX" not in refusal.text
        assert "other" not in refusal.words.split()
    assert played(shared) == before


def test_a_letter_asks_for_one_change_only(shared: GameServer) -> None:
    jan = shared.player("jan")
    jan.says("multiple", "change password jan secret one1\nsignoff jan secret\nforgot jan\nset jan secret\n")
    mails = [jan.hears(), jan.hears()]
    answers = next(mail for mail in mails if mail.subject.startswith("Answers"))
    assert answers.words.count("A letter can ask for only one change to an account") == 2
    assert "Preferences of jan" not in answers.subject
    assert jan.hears_nothing()


@pytest.mark.postgresql
def test_who_signs_off_loses_his_games_and_is_forgotten(server: GameServer) -> None:
    table = begin(server, "kim", "leo")
    kim, leo = table.one, table.other
    table.play("b3", "c4,k5")
    second = seat(server, leo, kim)
    kim.says("delete kim secret")
    question = kim.hears()
    assert "You lose your games" in question.words
    agrees(kim, question)
    assert leo.hears().text.startswith(f"Summary of superbo Board {table.number}\n\nYou won!")
    assert "kim has declined to play." in leo.hears().text
    subjects = [kim.hears().subject for _ in range(3)]
    assert subjects[-1] == "Goodbye, kim"
    assert kim.hears_nothing()
    assert sorted(tables_with(server, "kim@example.org")) == []
    assert second.number != table.number
    cafe = server.person("newcomer")
    cafe.says("signup kim secret2")
    assert 'The userid "kim" is taken' in cafe.hears().words
    leo.says("superbo challenge kim")
    assert "kim no longer plays here." in leo.hears().words
    leo.says(f"show {table.number}")
    assert "kim" in leo.hears().text
    agrees(kim, question)
    assert "You have already answered this question" in kim.hears().words


def tables_with(server: GameServer, text: str) -> list[str]:
    """The tables that hold a text in some column."""
    content = server.database.content()
    return [table for table, columns in content.items() if any(text in each for each in chain(*columns.values()))]


@pytest.mark.postgresql
def test_what_is_held_about_a_player_is_shown_to_him_alone(server: GameServer) -> None:
    table = begin(server, "mia", "ned")
    mia, ned = table.one, table.other
    table.play("b3")
    mia.says("data")
    question = mia.hears()
    assert question.subject == "Please confirm, mia: data"
    agrees(mia, question)
    held = dossier(mia.hears())
    assert held["account"]["userid"] == "mia"
    assert [each["address"] for each in held["addresses"]] == [mia.address]
    assert [each["board"] for each in held["boards"]] == [int(table.number)]
    assert [each["kind"] for each in held["boards"][0]["events"]] == ["move"]
    assert "Welcome to pbem, mia" in [each["subject"] for each in held["mails"]]
    assert {each["state"] for each in held["letters"]} == {"done", "waiting"}
    assert ned.address not in json.dumps(held)
    assert "pbem+" not in json.dumps(held)
    cafe = server.person("cafe")
    cafe.says("data mia secret")
    assert dossier(mia.hears())["account"]["has_password"] is True
    assert not server.postbox.unread_for(cafe.address)


def dossier(mail: Mail) -> dict[str, Any]:
    """The file with what is held."""
    (file,) = mail.parsed.iter_attachments()
    content: dict[str, Any] = json.loads(file.get_content())
    return content


def test_our_own_mta_spares_the_question_for_all_but_changes_of_the_account(tmp_path: Path) -> None:
    passed = {"Authentication-Results": "mx.example.org; dmarc=pass header.from=example.org"}
    with in_process_server(tmp_path, authserv_id="mx.example.org") as server:
        table = begin(server, "olga", "pia")
        table.one.says("move 101 b3", headers=passed)
        assert table.one.hears().subject == "superbo Board 101 pia"
        table.one.says("signoff", headers=passed)
        assert table.one.hears().subject == "Please confirm, olga: signoff"
        forged = {"Authentication-Results": "mx.example.net; dmarc=pass header.from=example.org"}
        table.other.hears()
        table.other.says("move 101 c4,k5", headers=forged)
        assert table.other.hears().subject == "Please confirm, pia: move on board 101"
