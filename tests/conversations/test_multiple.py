"""Many commands in one letter: an answer for each line, all in one mail."""

from __future__ import annotations

import re

from tests.conversations.playing import begin, form, played
from tests.support.server import GameServer


def test_every_line_is_answered_and_a_bad_one_stops_no_other(shared: GameServer) -> None:
    table = begin(shared, "ann1", "bob1")
    n = table.number
    lines = ["# a remark", f"superbo move {n} ann1 secret zz9", "", "frobnicate", f"move {n} ann1 secret b3", "list"]
    table.one.says("Re: MULTIPLE", "\n".join([*lines, "end", "help"]))
    answers = table.one.hears()
    assert answers.subject == "Answers to your 4 commands"
    parts = re.split(r"-+ Command [1-4] of 4.* -+\n", answers.text)
    assert len(parts) == 5
    assert re.findall(" Command . of 4(.*) -", answers.text) == [f": superbo move {n}", "", f": move {n}", ": list"]
    assert answers.text.count("help commands") == 1
    assert "there is no space ZZ" in parts[1]
    assert form("move") in parts[1]
    assert '"frobnicate"' in parts[2]
    assert f"Summary of superbo Board {n}" in parts[3]
    assert "It's bob1's move." in parts[3]
    assert "You can play these games here" in parts[4]
    assert "secret" not in answers.text
    assert table.other.hears().subject == f"superbo Board {n} bob1"


def test_a_line_that_could_not_be_read_is_called_by_what_it_begins_with(shared: GameServer) -> None:
    ann = shared.player("ann-unread")
    lines = ("vacation ann-unread secret foo", "superbo move 101x", "secret ann-unread", "mamba", "mvoe x")
    ann.says("multiple", "\n".join(lines))
    answers = ann.hears()
    begun = re.findall(" Command . of 5(.*?) -", answers.text)
    assert begun == [": vacation", ": superbo move", "", "", ": move"]


def test_a_line_sees_what_the_lines_before_it_did(shared: GameServer) -> None:
    table = begin(shared, "ann2", "bob2")
    n = table.number
    table.one.says("multiple", f"move {n} ann2 secret b3\nmove {n} bob2 secret c4,k5\nshow {n}\nresign {n} ann2 secret")
    answers = table.one.hears()
    assert answers.subject == "Answers to your 4 commands"
    assert "2. C4,K5" in answers.text
    assert "bob2 won. You resigned." in answers.text
    kinds = [event[2] for event in played(shared)["events"] if str(event[0]) == n]
    assert kinds == ["move", "move", "resignation"]


def test_what_stands_below_the_signature_is_not_read(shared: GameServer) -> None:
    anna = shared.player("anna")
    for mark in ("-- ", "quit", "END"):
        anna.says("multiple", f"list\nhelp\n{mark}\nsuperbo challenge anna anna")
        assert anna.hears().subject == "Answers to your 2 commands"
    assert not [row for row in played(shared)["seats"] if row[2] == _id(shared, "anna")]


def test_what_needs_a_confirmation_is_asked_in_a_mail_of_its_own(shared: GameServer) -> None:
    table = begin(shared, "ann3", "bob3")
    table.one.says("multiple", f"list\nmove {table.number} b3\nsignup ann4 secret")
    mails = {mail.subject: mail for mail in (table.one.hears(), table.one.hears(), table.one.hears())}
    move = f"Please confirm, ann3: move on board {table.number}"
    signup = "Please confirm your pbem account ann4"
    assert set(mails) == {"Answers to your 3 commands", move, signup}
    assert mails["Answers to your 3 commands"].words.count("Another mail asks you for it") == 2
    table.one.answers(mails[move], "yes")
    assert table.one.hears().subject == f"superbo Board {table.number} bob3"
    table.one.answers(mails[signup], "yes")
    assert table.one.hears().subject == "Welcome to pbem, ann4"


def test_one_letter_starts_several_boards(shared: GameServer) -> None:
    ada, bea = shared.player("ada"), shared.player("bea")
    ada.vouched = True
    ada.says("multiple", "superbo challenge bea\nsuperbo challenge bea ada\nsuperbo challenge nobody9")
    answers = ada.hears()
    first, second = bea.hears().subject, bea.hears().subject
    assert (first.split()[-1], second.split()[-1]) == ("ada", "bea")
    assert int(second.split()[3]) == int(first.split()[3]) + 1
    assert '"nobody9"' in answers.text
    assert "nswer this mail" not in answers.text
    number = first.split()[3]
    assert f"\n    superbo move {number} ada <password> " in answers.text
    assert f"If you would rather not play, send:  resign {int(number) + 1}\n" in answers.text


def _id(server: GameServer, userid: str) -> object:
    return next(row[0] for row in played(server)["players"] if row[1] == userid)


def test_a_letter_signs_up_one_player_only(shared: GameServer) -> None:
    ute = shared.person("ute")
    ute.says("multiple", "signup ute secret\nsignup uta secret\nlist")
    question, answers = sorted((ute.hears(), ute.hears()), key=lambda mail: "Answers" in mail.subject)
    assert question.subject == "Please confirm your pbem account ute"
    assert "A letter can sign up only one player." in answers.words
    assert "You can play these games here" in answers.words


def test_a_file_comes_in_a_mail_of_its_own(shared: GameServer) -> None:
    table = begin(shared, "fay", "finn")
    table.one.says("multiple", f"list\nexport {table.number}")
    answers, record = sorted((table.one.hears(), table.one.hears()), key=lambda mail: "Record" in mail.subject)
    assert "The answer comes in a mail of its own." in answers.words
    assert "confirmation" not in answers.text
    assert [part.get_content_type() for part in record.parsed.iter_attachments()] == ["application/json"]


def test_tables_and_lists_are_such_in_html_too(shared: GameServer) -> None:
    table = begin(shared, "tom", "tess")
    table.one.says("multiple", f"games tom\nlist\nhelp subjects\nshow {table.number}")
    html = table.one.hears().html
    rows = [re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall("<tr>(.*?)</tr>", html)]
    assert ["Board", "Game", "Moves", "To move", "Since (UTC)", "Players"] in rows
    (row,) = (row for row in rows if row[0] == table.number)
    assert [*row[:4], row[-1]] == [table.number, "superbo", "0", "tom", "tom - tess"]
    assert ["The rules of a game:", "help &lt;game&gt;"] in rows
    (link,) = re.findall('<a href="([^"]*)"[^>]*>lambo tactics</a>', html)
    assert link == "mailto:pbem@localhost?subject=help%20lambo%20tactics&amp;body="
    (show,) = re.findall('<a href="([^"]*)"[^>]*>show</a>', html)
    assert show == "mailto:pbem@localhost?subject=help%20show&amp;body="


def test_what_there_is_to_choose_is_said_once(shared: GameServer) -> None:
    ada = shared.player("ada-choice")
    who = "ada-choice secret"
    ada.says("multiple", f"set {who} legend=off\nset {who} legend=on\nmambo limit {who} 3\nmambo limit {who} 4")
    answers = ada.hears()
    assert answers.words.count("Done.") == 2
    assert answers.words.count("The values that you can choose") == 1
    assert answers.words.count("Done: others can now challenge you") == 2
    assert answers.words.count("To change it:") == 1
    ada.says("multiple", f"superbo limit {who} foo\nmambo limit {who} foo")
    assert ada.hears().words.count("The right form:") == 1
