"""Signing up: one question by mail, one reply, and the account plays."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from tests.conversations.playing import ask, form, played
from tests.support.in_process import in_process_server
from tests.support.server import GameServer


def test_an_account_opens_when_its_question_is_answered(shared: GameServer) -> None:
    anna = shared.person("anna")
    anna.says("signup Anna secret")
    question = anna.hears()
    assert question.subject == "Please confirm your pbem account Anna"
    assert question.envelope_sender in ("", "<>")
    assert "secret" not in question.text
    anna.says("superbo challenge Anna Anna")
    assert "I do not know the address that you wrote from" in anna.hears().words
    anna.answers(question, "Yes, that is me.")
    welcome = anna.hears()
    assert welcome.subject == "Welcome to pbem, Anna"
    assert "    move 101 Anna <password> a1\n" in welcome.text
    anna.says("superbo challenge anna ANNA")
    assert anna.hears().subject.endswith(" Anna")


def test_an_account_needs_no_password(shared: GameServer) -> None:
    nora = shared.person("nora")
    nora.says("", "signup nora")
    nora.answers(nora.hears(), "")
    assert "You have no password." in nora.hears().text
    nora.says("move 101 nora secret a1")
    assert "do not match" in nora.hears().words


def test_every_address_named_is_asked_and_plays_once_it_has_answered(shared: GameServer) -> None:
    ed, home, work = shared.person("ed"), shared.person("ed.home"), shared.person("ed.work")
    ed.says(f"signup ed secret {home.address} {work.address} {home.address.upper()}")
    first, second = home.hears(), work.hears()
    assert ed.hears().subject == "Signup for pbem account ed"
    home.answers(first, "ok")
    assert home.hears().subject == "Welcome to pbem, ed"
    assert not shared.postbox.unread_for(work.address)
    work.answers(second, "ok")
    assert work.hears().subject == "Address confirmed for ed"
    work.says("superbo challenge ed ed")
    assert work.hears().subject == home.hears().subject
    assert not shared.postbox.unread_for(home.address)
    assert not shared.postbox.unread_for(ed.address)


def test_without_an_answer_there_is_no_account(shared: GameServer) -> None:
    ida, ben = shared.person("ida"), shared.player("ben")
    ida.says("signup ida secret")
    ida.hears()
    ida.says("move 101 ida secret a1")
    assert "ida has no confirmed address yet" in ida.hears().words
    ben.says("superbo challenge ida")
    refusal = ben.hears()
    assert refusal.subject == "Invalid challenge"
    assert "ida has signed up but not confirmed an address yet" in refusal.words


@pytest.mark.parametrize("answer", ["no", "NO!", "No, that was not me.", "  \n no thanks", "Nein, danke"])
def test_the_answer_no_opens_no_account(shared: GameServer, answer: str) -> None:
    kim = shared.person("kim")
    kim.says("signup kim secret")
    question = kim.hears()
    kim.answers(question, answer)
    assert kim.hears().subject == "As you wish: nothing has happened"
    kim.answers(question, "yes")
    assert "You have already answered this question" in kim.hears().words
    kim.says("move 101 kim secret a1")
    assert "kim has no confirmed address yet" in kim.hears().words


def test_the_question_is_answered_from_where_it_went(shared: GameServer) -> None:
    leo, eve = shared.person("leo"), shared.person("eve")
    leo.says("signup leo secret")
    question = leo.hears()
    eve.answers(question, "yes")
    refusal = eve.hears()
    assert "from the address that received it" in refusal.words
    assert "Please answer from the address that received it." in refusal.words
    assert leo.address not in refusal.text
    leo.answers(question, "yes")
    assert leo.hears().subject == "Welcome to pbem, leo"


def test_a_question_is_answered_once(shared: GameServer) -> None:
    max_ = shared.person("max")
    max_.says("signup max secret")
    question = max_.hears()
    max_.answers(question, "yes")
    assert max_.hears().subject == "Welcome to pbem, max"
    max_.answers(question, "yes")
    assert "your first answer counts" in max_.hears().words


def test_who_has_lost_the_question_signs_up_again(shared: GameServer) -> None:
    pia = shared.person("pia")
    pia.says("signup pia secret")
    pia.hears()
    pia.says("signup PIA secret")
    second = pia.hears()
    assert second.subject == "Please confirm your pbem account pia"
    pia.answers(second, "yes")
    assert pia.hears().subject == "Welcome to pbem, pia"
    assert [row[1] for row in played(shared)["players"]].count("pia") == 1


def test_until_somebody_confirms_it_a_userid_belongs_to_nobody(shared: GameServer) -> None:
    jan, wrong = shared.person("jan"), shared.person("jan.mistyped")
    jan.says("signup jan secrte")
    mistyped = jan.hears()
    assert "There was a signup" not in mistyped.words
    jan.says("signup jan secret")
    question = jan.hears()
    assert "There was a signup for this userid before" in question.words
    jan.answers(question, "yes")
    assert jan.hears().subject == "Welcome to pbem, jan"
    jan.answers(mistyped, "yes")
    assert "has since been replaced" in jan.hears().words
    jan.says("set jan secret")
    assert jan.hears().subject == "Preferences of jan"
    wrong.says("signup jan secret")
    assert 'The userid "jan" is taken' in wrong.hears().words


def test_the_signup_whose_question_is_answered_opens_the_account_as_it_was_asked_for(shared: GameServer) -> None:
    paul, evil = shared.person("paul"), shared.person("evil")
    paul.says("signup Paul secret1")
    question = paul.hears()
    evil.says(f"signup PAUL evil2 {paul.address} {evil.address}")
    other, own = paul.hears(), evil.hears()
    paul.answers(question, "yes")
    assert paul.hears().subject == "Welcome to pbem, Paul"
    for person, late in ((evil, own), (paul, other)):
        person.answers(late, "yes")
        assert "has since been replaced" in person.hears().words
    evil.says("set paul evil2")
    assert "do not match" in evil.hears().words
    paul.says("set paul secret1")
    assert paul.hears().subject == "Preferences of Paul"


def test_who_is_quicker_with_a_userid_gets_nobody_else_into_his_account(shared: GameServer) -> None:
    rosa, evil = shared.person("rosa"), shared.person("evil.of.rosa")
    rosa.says("signup rosa secret1")
    question = rosa.hears()
    evil.says(f"signup rosa evil2 {rosa.address} {evil.address}")
    evil.answers(evil.hears(), "yes")
    assert evil.hears().subject == "Welcome to pbem, rosa"
    rosa.hears()
    rosa.answers(question, "yes")
    assert "has since been replaced" in rosa.hears().words
    rosa.says("superbo challenge rosa rosa")
    assert "I do not know the address" in rosa.hears().words


def test_a_no_to_a_question_about_an_address_tells_of_no_other(shared: GameServer) -> None:
    una, home = shared.person("una"), shared.person("una.home")
    una.says(f"signup una secret {una.address} {home.address}")
    home.answers(home.hears(), "no")
    declined = home.hears()
    assert declined.subject == "As you wish: nothing has happened"
    assert una.address not in declined.text


def test_who_names_another_address_is_told_where_the_question_went(shared: GameServer) -> None:
    uma, home = shared.person("uma"), shared.person("uma.home")
    uma.says(f"signup uma secret {home.address}")
    assert "I have sent a question to the address that you gave" in uma.hears().words
    home.answers(home.hears(), "yes")
    assert home.hears().subject == "Welcome to pbem, uma"


def test_a_taken_userid_is_refused_in_any_case(shared: GameServer) -> None:
    shared.player("vera")
    eve = shared.person("eve")
    for userid in ("vera", "VERA", "Vera"):
        eve.says(f"signup {userid} s3cret")
        refusal = eve.hears()
        assert 'The userid "vera" is taken' in refusal.words
        assert form("signup") in refusal.text
        assert "s3cret" not in refusal.text


def test_a_userid_that_looks_like_a_taken_one_is_refused(shared: GameServer) -> None:
    shared.player("wilhelma")
    eve = shared.person("eve-at-wilhelma")
    for userid in ("Wi1helrna", "wllhelma", "WILHELMA_", ".wilhelma", "vvilhelma"):
        eve.says(f"signup {userid} other")
        assert "too similar to wilhelma, who already plays here" in eve.hears().words


def test_of_userids_that_look_alike_and_nobody_has_confirmed_the_first_to_be_confirmed_stays_alone(
    shared: GameServer,
) -> None:
    eve, lilo = shared.person("eve-at-lilo"), shared.person("lilo")
    eve.says("signup l1l0 other")
    lilo.says("signup lilo secret")
    question = eve.hears()
    lilo.answers(lilo.hears(), "yes")
    assert lilo.hears().subject == "Welcome to pbem, lilo"
    eve.answers(question, "yes")
    assert "too similar to lilo, who already plays here" in eve.hears().words


def test_who_signs_up_again_is_told_that_he_has_the_account(shared: GameServer) -> None:
    willa, eve = shared.player("willa"), shared.person("eve-at-willa")
    willa.says("signup Willa again5")
    told = willa.hears()
    assert "You already have the account willa" in told.words
    assert "again5" not in told.text
    eve.says(f"signup willa again5 {willa.address}")  # naming an address is no proof of reading its mails
    assert 'The userid "willa" is taken' in eve.hears().words


@pytest.mark.parametrize(
    ("userid", "reason"),
    [
        ("101", "digits alone"),
        ("-dash", "like an option"),
        ("a1", "a move or a date"),
        ("ne9", "a move or a date"),
        ("2026-11-20", "a move or a date"),
        ("resign", "a word that commands use"),
        ("Superbo", "the name of a game"),
        ("admin", "misunderstand who is meant"),
        ("PBEM", "misunderstand who is meant"),
        ("x" * 33, "too long"),
        ("a,b", "other meanings"),
        ("a@b", "other meanings"),
        ('o"neil', "other meanings"),
        ("<b>", "other meanings"),
        ("zo\u00eb", "only plain letters"),
        ("\u0430lice", "only plain letters"),
    ],
)
def test_a_userid_that_would_mislead_is_refused(shared: GameServer, userid: str, reason: str) -> None:
    eve = shared.person("eve")
    before = played(shared)
    eve.says("", f"signup {userid} pass-word")
    refusal = eve.hears()
    assert refusal.subject == "pbem error"
    assert reason in refusal.words
    assert f'"{userid}"' in refusal.words or " of your " in refusal.words, "a word that is known, or its place"
    assert "pass-word" not in refusal.text
    assert form("signup") in refusal.text
    assert played(shared) == before


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("signup", "a userid"),
        ("signup finn pass:word", "choose another password"),
        ("signup finn " + "p" * 129, "choose another password"),
        ("signup finn secret not-an-address", "not an address that I can write to"),
        ("signup finn secret finn@example.org,eve@example.org", "not an address that I can write to"),
        ("signup finn secret pbem@localhost", "an address of this server"),
        ("signup finn secret PBEM+x@localhost", "an address of this server"),
        ("signup finn secret " + " ".join(f"finn{i}@example.org" for i in range(6)), "at most 5 addresses"),
    ],
)
def test_a_malformed_signup_is_refused(shared: GameServer, line: str, reason: str) -> None:
    eve = shared.person("eve")
    before = played(shared)
    eve.says(line)
    refusal = eve.hears()
    assert refusal.subject == "pbem error"
    assert reason in refusal.words
    assert "pass:word" not in refusal.text
    assert form("signup") in refusal.text
    assert played(shared) == before


def test_the_longest_userid_fits_into_every_mail(shared: GameServer) -> None:
    userid = "w" * 32
    long = shared.person(userid)
    long.says(f"signup {userid} secret")
    question = long.hears()
    long.answers(question, "yes")
    welcome = long.hears()
    long.says(f"superbo challenge {userid} {userid}")
    board = long.hears()
    long.says(f"games {userid}")
    table = long.hears()
    for mail in (question, welcome, board, table):
        assert max(map(len, mail.text.splitlines())) <= 78, mail.subject


def test_an_operator_may_do_without_questions(tmp_path: Path) -> None:
    with in_process_server(tmp_path, confirm_signup="false") as server:
        alice = server.person("alice")
        alice.says("signup alice secret")
        assert alice.hears().subject == "Welcome to pbem, alice"
        alice.says("superbo challenge alice alice")
        assert alice.hears().subject == "New superbo Board 101 alice"


def test_a_question_that_is_answered_too_late_says_so(tmp_path: Path) -> None:
    with in_process_server(tmp_path, timedelta(0)) as server:
        amy, zed = server.player("amy"), server.person("zed")
        zed.says("signup zed secret")
        questions = [(zed, zed.hears())]
        for line, mails in {"forgot amy": 2, "signoff": 1}.items():
            amy.says(line)
            questions += [(amy, amy.hears()) for _ in range(mails)]
        server.passes(timedelta(days=9))
        late = [(person, mail) for person, mail in questions if mail.reply_to.startswith("pbem+")]
        assert len(late) == 3
        for person, question in late:
            person.answers(question, "yes")
            assert "This question is too old to be answered." in person.hears().text


def test_who_has_confirmed_his_account_has_been_heard_of(tmp_path: Path) -> None:
    with in_process_server(tmp_path) as server:
        server.player("amy")
        nobody = server.person("nobody")
        nobody.says("who")
        assert "amy" in nobody.hears().text


@pytest.mark.parametrize(("line", "body"), [("inscription nina", "bonjour"), ("", "inscription nina")])
def test_a_signup_in_french_without_a_password_is_told_the_english_word(
    shared: GameServer, line: str, body: str
) -> None:
    told = ask(shared.person(f"nina{len(line)}"), line, body).words
    assert "signup" in told
