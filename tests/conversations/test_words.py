"""Chat and messages between players: at a board, to some, to all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conversations.playing import ask, begin, form
from tests.support.in_process import in_process_server
from tests.support.mail import Mail, Person
from tests.support.server import GameServer, running_server


def test_chat_goes_to_all_at_a_board_in_its_thread(shared: GameServer) -> None:
    table, eve = begin(shared, "ann-chat", "bob-chat"), shared.player("eve-chat")
    ask(eve, f"subscribe {table.number} eve-chat secret")
    own = ask(table.one, f"superbo chat {table.number} ann-chat secret", "A fine opening.\n\nDon't you think?")
    assert "Sent to everyone who plays on superbo Board" in own.text
    for person in (table.other, eve):
        heard = person.hears()
        assert heard.subject == f"superbo chat {table.number} ann-chat"
        assert "\nA fine opening.\n\nDon't you think?\n" in heard.text
        assert heard.text.startswith(f"ann-chat writes to everyone on superbo Board {table.number}:\n")
        assert "It's ann-chat's move." in heard.text
        assert "secret" not in heard.text
        assert heard.parsed["List-Id"] == table.one_mail.parsed["List-Id"]
        if person is table.other:
            assert str(table.other_mail.parsed["Message-ID"]) in str(heard.parsed["References"])
            person.answers(heard, "chat\nI do.")
            assert person.hears().subject == f"superbo chat {table.number} bob-chat"
    for person in (table.one, eve):
        assert "\nI do.\n" in person.hears().text
    ask(eve, f"chat {table.number} eve-chat secret", "Me too.")
    assert "eve-chat, who watches the game, writes to everyone on" in table.one.hears().text
    assert table.other.hears().reply_to.startswith("pbem+")


def test_an_answer_to_chat_can_be_a_move(shared: GameServer) -> None:
    table = begin(shared, "ann-reply", "bob-reply")
    ask(table.other, f"chat {table.number} bob-reply secret", "Begin!")
    table.one.answers(table.one.hears(), "b3")
    assert table.one.hears().subject == f"superbo Board {table.number} bob-reply"


def test_chat_goes_on_when_the_game_is_over(shared: GameServer) -> None:
    table = begin(shared, "ann-later", "bob-later")
    table.play("b3", "c4,k5")
    table.one.answers(table.one_mail, "resign")
    table.hear()
    table.one.answers(table.one_mail, "chat\nWell played")
    assert table.one.hears().subject == f"superbo chat {table.number} ann-later"
    assert "Well played" in table.other.hears().text


def test_who_has_declined_a_challenge_is_not_written_to_there(shared: GameServer) -> None:
    table = begin(shared, "ann-gone", "bob-gone")
    table.other.answers(table.other_mail, "resign")
    table.hear()
    refused = ask(table.one, f"chat {table.number} ann-gone secret", "Coward!")
    assert f"Board {table.number} was removed before a game was played" in refused.words
    assert table.other.hears_nothing()


def test_who_has_blocked_somebody_hears_nothing_of_him_and_he_does_not_know(shared: GameServer) -> None:
    table, eve = begin(shared, "ann-deaf", "bob-deaf"), shared.player("eve-deaf")
    ask(table.other, "block bob-deaf secret ann-deaf")
    own = ask(table.one, f"chat {table.number} ann-deaf secret", "Hello?")
    assert "Sent to everyone who plays on superbo Board" in own.text
    sent = ask(table.one, "message ann-deaf secret bob-deaf eve-deaf", "Hello?")
    assert "Your message to bob-deaf and eve-deaf has been sent:" in sent.text
    assert "also to bob-deaf" in eve.hears().text
    assert table.other.hears_nothing()
    assert "chat" not in ask(table.one, f"mailed {table.number} ann-deaf secret").text.replace("chat 1", "")


def test_a_message_goes_to_players_and_shows_no_address(shared: GameServer) -> None:
    ann, bob, cat = (shared.player(f"{name}-msg") for name in ("ann", "bob", "cat"))
    sent = ask(ann, "message ann-msg secret BOB-msg cat-msg bob-msg", "From here to there.\n--\nAnn")
    assert sent.subject == "Your message to bob-msg and cat-msg"
    for person, other in ((bob, "cat-msg"), (cat, "bob-msg")):
        heard = person.hears()
        assert heard.subject == "ann-msg has written to you"
        assert f"and also to {other}:" in heard.text
        assert "From here to there." in heard.text
        assert "    message to ann-msg\n" in heard.text
        assert "ann-msg@" not in heard.raw.decode()
        assert heard.reply_to.startswith("pbem+")
        person.answers(heard, "Fine, thanks! And you?")
        assert person.hears().subject == "Your message to ann-msg"
        assert "Fine, thanks! And you?" in ann.hears().text
        assert person.hears_nothing()
    question = ask(bob, "message to ann-msg", "And back.")
    assert question.subject == "Please confirm, bob-msg: message"
    assert ann.hears_nothing()
    bob.answers(question, "yes")
    assert bob.hears().subject == "Your message to ann-msg"
    assert "And back." in ann.hears().text


REFUSED = [
    ("message", "", "message"),
    ("message ann-no secret", "", "message"),
    (
        "message ann-no secret nobody1 bob-no nobody2",
        'called "nobody1". (Upper and lower case make no difference in userids.)',
        "message",
    ),
    ("message ann-no secret bob-no", "There is no text to pass on", "message"),
    ("message ann-no secret ann-no", "You have named only yourself", "message"),
    ("message ann-no secret new-no", "new-no has not confirmed an address yet", "message"),
    ("message ann-no secret gone-no", "gone-no no longer plays here", "message"),
    ("message ann-no wrong bob-no", "do not match", "message"),
    ("chat {board} ann-no secret", "There is no text to pass on", "chat"),
    ("chat {board} eve-no secret", "You neither play on board {board} nor get its mails", "chat"),
    ("chat 9999 ann-no secret", "There is no board 9999.", "chat"),
    ("mambo chat {board} ann-no secret", "is superbo, not mambo", "chat"),
    ("chat {board} ann-no secret more words", "", "chat"),
    ("chat", "", "chat"),
    ("broadcast ann-no secret", "There is no text to pass on", "broadcast"),
    ("broadcast ann-no secret more", "", "broadcast"),
    ("broadcast ann-no wrong", "do not match", "broadcast"),
]


@pytest.fixture(scope="module")
def spoken(shared: GameServer) -> tuple[str, dict[str, Person]]:
    """A board, and who is there."""
    table, eve = begin(shared, "ann-no", "bob-no"), shared.player("eve-no")
    new, gone = shared.person("new-no"), shared.player("gone-no")
    new.says("signup new-no secret")
    new.hears()
    gone.says("signoff gone-no secret")
    gone.answers(gone.hears(), "yes")
    gone.hears()
    return table.number, {"ann-no": table.one, "bob-no": table.other, "eve-no": eve}


@pytest.mark.parametrize(("line", "reason", "verb"), REFUSED)
def test_what_cannot_be_said_is_explained(
    shared: GameServer, spoken: tuple[str, dict[str, Person]], line: str, reason: str, verb: str
) -> None:
    board, people = spoken
    speaker = people["eve-no" if "eve-no secret" in line else "ann-no"]
    without_words = line.endswith(("{board} ann-no secret", "secret bob-no", "broadcast ann-no secret"))
    answer = ask(speaker, line.format(board=board), "" if without_words else "Hello")
    assert answer.subject.lower().endswith("error")
    assert reason.format(board=board) in answer.words
    assert "Nothing has changed." in answer.text
    assert form(verb) in answer.text
    assert "wrong" not in answer.text.replace("wrong password", "")
    assert people["bob-no"].hears_nothing()


def test_words_are_not_lost_among_several_commands(shared: GameServer) -> None:
    ann = shared.player("ann-several")
    shared.player("bob-several")
    answer = ask(ann, "multiple", "message ann-several secret bob-several\nlist")
    assert "There is no place for text among several commands: send this one in a letter of its own." in answer.words
    assert "several" not in ask(ann, "message ann-several secret to bob-several").words.partition("The right form:")[0]


def test_no_mailbox_is_flooded(tmp_path: Path) -> None:
    with in_process_server(tmp_path, max_messages_per_day="3") as server:
        table, eve = begin(server, "ann", "bob"), server.player("eve")
        for line in ("message ann secret bob eve", f"chat {table.number} ann secret"):
            ask(table.one, line, "Hello")
        table.other.hears(), table.other.hears(), eve.hears()
        refused = ask(table.one, "message ann secret eve", "Hello")
        assert "With this text you would have sent others more than 3 mails within a day" in refused.words
        assert eve.hears_nothing()
        ask(table.other, "message bob secret eve", "Hello")  # others may
        assert eve.hears().subject == "bob has written to you"


def test_a_broadcast_reaches_all_who_want_it_once_a_day(tmp_path: Path) -> None:
    with in_process_server(tmp_path) as server:
        ann, bob, cat, deaf = (server.player(name) for name in ("ann", "bob", "cat", "deaf"))
        ask(cat, "set cat secret broadcast=off")
        ask(deaf, "block deaf secret ann")
        assert ask(ann, "broadcast ann secret", "Who plays on Friday?").subject == "Your words to all players"
        heard = bob.hears()
        assert heard.subject == "ann has written to all players"
        assert "Who plays on Friday?" in heard.text
        assert "    set broadcast=off\n" in heard.text
        assert "ann@" not in heard.raw.decode()
        refused = ask(ann, "broadcast ann secret", "And who on Saturday?")
        assert "You have already written to all players once within a day" in refused.words
        ask(bob, "broadcast bob secret", "I do.")
        assert [person.hears().subject for person in (ann, deaf)] == ["bob has written to all players"] * 2
        assert cat.hears_nothing()
        assert deaf.hears_nothing()


def test_a_server_may_have_no_broadcasts(tmp_path: Path) -> None:
    with in_process_server(tmp_path, max_broadcasts_per_day="0") as server:
        refused = ask(server.player("ann"), "broadcast ann secret", "Hello")
        assert "On this server nobody can write to all players at once." in refused.words


@pytest.mark.system
def test_killed_in_the_middle_a_broadcast_misses_nobody(tmp_path: Path) -> None:
    with running_server(tmp_path, confirm_signup="false") as server:
        names = [f"pal-{number}" for number in range(70)]
        for name in names:
            server.person(name).says(f"signup {name} secret")
        people = [server.person(name) for name in names]
        for person in people:
            person.hears()
        people[7].says("broadcast pal-7 secret", "To all of you")
        server.kill()
        server.start()
        server.postbox.wait_until(lambda mails: sum(_is_broadcast(each) for each in mails) >= 20)
        server.kill()
        server.start()
        for person in people[:7] + people[8:]:
            assert person.hears().subject == "pal-7 has written to all players"
        mails = [each for each in server.postbox.mails if _is_broadcast(each)]
        assert len({str(each.parsed["Message-ID"]) for each in mails}) == len(names) - 1


def _is_broadcast(mail: Mail) -> bool:
    return mail.subject == "pal-7 has written to all players"
