"""Private notes by mail: their owner's alone."""

from __future__ import annotations

import json

import pytest

from tests.conversations.playing import ask, begin
from tests.support.mail import Mail
from tests.support.server import GameServer, RunningServer


def decoded(mail: Mail) -> list[str]:
    """The parts of a mail, with their encoding taken off."""
    contents = (part.get_payload(decode=True) for part in mail.parsed.walk())
    return [content.decode("utf-8", "replace") for content in contents if isinstance(content, bytes)]


def test_a_note_is_written_added_to_read_and_deleted(shared: GameServer) -> None:
    table = begin(shared, "ann1", "bob1")
    table.one.answers(table.one_mail, "note\nthe corner is weak\nmove 101 b3 would be early\n\n  A1 later")
    kept = table.one.hears()
    assert kept.subject == f"superbo Board {table.number} Note"
    note = "    the corner is weak\n    move 101 b3 would be early\n\n      A1 later\n"
    assert f"Your note on this board:\n\n{note}" in kept.text
    table.one.answers(kept, "note\nand so is the edge")
    assert f"with what you have just added:\n\n{note}    and so is the edge\n" in table.one.hears().text
    assert "and so is the edge\n\nOnly you can read it." in ask(table.one, f"note {table.number} ann1 secret").text
    assert "Your note has been deleted." in ask(table.one, f"note {table.number} ann1 secret delete").words
    assert "You have no note on board" in ask(table.one, f"note {table.number} ann1 secret").words
    table.other.hears_nothing()


@pytest.mark.parametrize("asked", ["note {number} ann8{end} secret", "note {number}"])
def test_a_note_of_two_words_may_begin_with_one_s_own_name_and_never_has_the_password(
    shared: GameServer, asked: str
) -> None:
    end = "a" if "secret" in asked else "b"
    table = begin(shared, f"ann8{end}", f"bob8{end}")
    for text in (f"Ann8{end} watches.", f"ann8{end} hesitates"):
        table.one.answers(table.one_mail, f"{asked.format(number=table.number, end=end)}\n{text}")
        assert f"    {text}\n" in table.one.hears().text
    table.one.answers(table.one_mail, f"note {table.number}\nann8{end} secret")
    assert "secret" not in table.one.hears().text.partition("Only you can read it")[0]


def test_a_name_below_a_note_is_no_part_of_it(shared: GameServer) -> None:
    table = begin(shared, "ann9", "bob9")
    table.one.answers(table.one_mail, "note\nthe corner is weak\n\n  so is A1\n\nann9")
    assert "the corner is weak\n\n      so is A1\n\nOnly you can read it." in table.one.hears().text


def test_a_note_is_written_in_the_words_of_another_language_too(shared: GameServer) -> None:
    table = begin(shared, "ann6", "bob6")
    line = f"move {table.number} b3"
    assert f"    {line}\n" in ask(table.one, f"notiz {table.number} ann6 secret", line).text
    table.other.hears_nothing()


def test_a_note_may_be_about_a_board_of_others_and_about_one_that_is_over(shared: GameServer) -> None:
    table, carol = begin(shared, "ann2", "bob2"), shared.player("carol2")
    table.play("b3", "c4,k5", "resign")
    carol.says(f"note {table.number} carol2 secret", "She should not have resigned.\n\n-- \nCarol")
    assert "    She should not have resigned.\n\nOnly you" in carol.hears().text
    table.one.hears_nothing()
    table.other.hears_nothing()


@pytest.mark.parametrize(
    ("userid", "note"),
    [
        ("ida1", "note\nthe corner is weak"),
        ("ida2", "Hi!\n\nNote:\nthe corner is weak"),
        ("ida3", "\nnote {board}\nthe corner is weak"),
        ("ida4", "note {board} ida4 secret\nthe corner is weak"),
        ("ida5", "notiz\nthe corner is weak"),
        ("ida7", "My note, please:\nthe corner is weak"),
        ("ida6", "study {board}\n#1 {{the corner is weak}}"),
    ],
)
def test_a_note_below_a_move_is_not_passed_on_and_it_is_said_that_it_is_not_kept(
    shared: GameServer, userid: str, note: str
) -> None:
    table = begin(shared, userid, f"{userid}x")
    table.one.answers(table.one_mail, f"b3\n{note.format(board=table.number)}")
    table.hear()
    assert "corner" not in table.other_mail.text.partition("Answer this mail")[0]
    assert "Hi!" in table.other_mail.text or "Hi!" not in note
    verb = "study" if note.startswith("study") else "note"
    told = "I read only one command of a letter, so nothing has been done about:"
    assert f"{told} {verb} {table.number}." in table.one_mail.words
    assert "in a letter of its own, with the lines that belong to it." in table.one_mail.words
    assert "secret" not in table.one_mail.text


def test_a_remark_that_begins_with_the_word_note_is_passed_on(shared: GameServer) -> None:
    table = begin(shared, "ann7", "bob7")
    table.one.answers(table.one_mail, "b3\nNote that the corner is weak\nPlease note: I will be slow")
    table.hear()
    assert "Note that the corner is weak" in table.other_mail.text
    assert "Please note: I will be slow" in table.other_mail.text


@pytest.mark.parametrize(
    ("userid", "note"),
    [("eli1", "Note: the corner is weak"), ("eli2", "Notiz: die Ecke ist schwach"), ("eli3", "Hi!\nnote : it is weak")],
)
def test_a_line_that_may_be_a_private_note_is_passed_on_only_if_its_writer_agrees(
    shared: GameServer, userid: str, note: str
) -> None:
    table = begin(shared, userid, f"{userid}x")
    table.one.answers(table.one_mail, f"b3\n{note}")
    asked = table.one.hears()
    table.other.hears_nothing()
    assert "It may hold a plan or a private note." in asked.words
    table.one.answers(asked, "no")
    table.one.hears()
    table.other.hears_nothing()


def test_a_sender_who_is_not_proven_is_asked_and_the_words_are_kept(shared: GameServer) -> None:
    table = begin(shared, "ann3", "bob3")
    asked = ask(table.one, f"note {table.number}", "the corner is weak\nAnd the edge.")
    assert asked.subject.startswith("Please confirm")
    table.one.answers(asked, "yes")
    assert "    the corner is weak\n    And the edge.\n" in table.one.hears().text


def test_a_note_on_the_line_of_the_command_is_not_led_into_the_chat(shared: GameServer) -> None:
    table = begin(shared, "ann10", "bob10")
    for line in ("note The corner is weak", "study The corner is weak"):
        table.one.answers(table.one_mail, line)
        refused = table.one.hears()
        assert f'Write your text on the lines below "{line.split()[0]}", in a mail of its own.' in refused.words
        assert '"chat"' not in refused.words
    table.other.hears_nothing()


def test_words_behind_the_number_are_no_note_since_they_may_hold_a_password(shared: GameServer) -> None:
    table = begin(shared, "ann4", "bob4")
    for words in ("ann4 h1dden the corner is weak", "the corner is h1dden"):
        refused = ask(table.one, f"note {table.number} {words}")
        assert "Please leave out everything from there on." in refused.words
        assert 'Write your text on the lines below "note", in a mail of its own.' in refused.words
        assert "    note <board>                   Show your note, or add lines below.\n" in refused.text
        assert "h1dden" not in refused.raw.decode()
    assert "You have no note" in ask(table.one, f"note {table.number} ann4 secret").words


@pytest.mark.parametrize(("words", "told"), [("x" * 3999, "this one would have 4,003"), ("", "You have no note")])
def test_what_cannot_be_kept_is_refused(shared: GameServer, words: str, told: str) -> None:
    name = f"ann5{len(words)}"
    table = begin(shared, name, f"bob5{len(words)}")
    assert told in ask(table.one, f"note {table.number} {name} secret", f"abc\n{words}" if words else "").words


def test_a_note_is_in_no_export_no_log_and_no_mail_of_others(running: RunningServer) -> None:
    table = begin(running, "alice", "bob")
    secret = "Zwetschgenkuchen"
    table.one.answers(table.one_mail, f"note\n{secret} beats everything else")
    assert secret in table.one.hears().text
    table.play("b3", "c4,k5")
    table.one.says(f"note {table.number} alice secret", f"And again: {secret}")
    assert table.one.hears().text.count(secret) == 2
    table.play("resign")
    others = [table.one_mail, table.other_mail, ask(table.other, f"export {table.number}")]
    others += [ask(table.other, line) for line in (f"show {table.number}", f"mailed {table.number} bob secret")]
    others += [ask(table.other, "data bob secret")]
    assert not any(secret in part for mail in others for part in decoded(mail))
    assert not any(secret in line for line in running.lines)
    told = ask(table.one, "data alice secret")
    (content,) = [part for part in decoded(told) if part.startswith("{")]
    assert json.loads(content)["notes"][0]["text"].count(secret) == 2
    table.one.answers(ask(table.one, "signoff alice secret"), "yes")
    table.one.hears()
    assert running.database.rows("SELECT * FROM notes") == []


def test_a_note_among_several_commands_is_told_to_need_a_letter_of_its_own(shared: GameServer) -> None:
    table = begin(shared, "ann12", "bob12")
    told = ask(table.one, "multiple", f"note {table.number} ann12 secret\nlist").words
    assert f"You have no note on board {table.number} yet. There is no place for text among several commands" in told
    assert "on the lines below" not in told


@pytest.mark.parametrize(
    ("userid", "note"), [("sue1", "note: bob plays too fast"), ("sue2", "My note: bob plays too fast and well")]
)
@pytest.mark.parametrize("is_over", [False, True])
def test_a_note_in_the_place_of_a_move_is_not_led_into_the_chat(
    shared: GameServer, userid: str, note: str, *, is_over: bool
) -> None:
    one = f"{userid}{is_over:d}"
    table = begin(shared, one, f"{one}x")
    if is_over:
        table.play("b3", "resign")
    table.one.answers(table.one_mail, note)
    refused = table.one.hears()
    assert 'Write your text on the lines below "note", in a mail of its own.' in refused.words
    assert '"chat"' not in refused.words
    table.other.hears_nothing()


@pytest.mark.parametrize(
    ("userid", "note"),
    [
        ("tia1", "note 4711\nthe corner is weak\n\nAnd the edge."),
        ("tia2", "study 4711\n#2 {the corner is weak}"),
        ("tia3", "study 4711 title My corner\n#0 {the corner is weak}"),
        ("tia4", "notiz 4711 tia4 secret\nthe corner is weak"),
    ],
)
@pytest.mark.parametrize("is_classic", [False, True])
def test_a_note_about_another_board_is_not_passed_on_below_a_move_either(
    shared: GameServer, userid: str, note: str, *, is_classic: bool
) -> None:
    one = f"{userid}{is_classic:d}"
    table, note = begin(shared, one, f"{one}x"), note.replace(userid, one)
    if is_classic:
        table.one.says(f"move {table.number} {one} secret b3", note)
    else:
        table.one.answers(table.one_mail, f"b3\n{note}")
    table.hear()
    assert "corner" not in table.other_mail.text.partition("Answer this mail")[0]
    assert "nothing has been done about" in table.one_mail.words
    assert "4711" in table.one_mail.words
    assert "secret" not in table.one_mail.text


def test_words_to_oneself_below_a_move_with_a_password_are_asked_about(shared: GameServer) -> None:
    table = begin(shared, "uma1", "uma2")
    table.one.says(f"move {table.number} uma1 secret b3", "note: she is weak")
    asked = table.one.hears()
    table.other.hears_nothing()
    assert "If you agree, the others get this text:\n\n    note: she is weak\n" in asked.text
    assert "secret" not in asked.text
    table.one.answers(asked, "yes")
    table.hear()
    assert "note: she is weak" in table.other_mail.text


@pytest.mark.parametrize("word", ["delete", "Delete!"])
def test_delete_in_an_answer_to_a_note_is_no_wish_to_leave_the_server(shared: GameServer, word: str) -> None:
    table = begin(shared, f"vea{len(word)}", f"veb{len(word)}")
    table.one.answers(table.one_mail, "note\nthe corner is weak")
    table.one.answers(table.one.hears(), word)
    assert "signoff" not in table.one.hears().text
    table.one.answers(table.one_mail, "delete my note")
    assert "Your note has been deleted." in table.one.hears().words
