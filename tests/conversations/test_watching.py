"""Watching boards: watchers come and go, and see no more than they may."""

from __future__ import annotations

import re

import pytest

from tests.conversations.playing import MailBoard, ask, begin, form, seat
from tests.support.mail import Mail, Person
from tests.support.server import GameServer


def proven(person: Person, line: str, rest: str = "") -> Mail:
    """The answer to a command with the player's password."""
    userid = person.address.partition("@")[0]
    return ask(person, " ".join(filter(None, (line, userid, "secret", rest))))


def watched(server: GameServer, name: str) -> tuple[MailBoard, Person]:
    """Two who play, and one who gets the mails of their board."""
    table, eve = begin(server, f"ann-{name}", f"bob-{name}"), server.player(f"eve-{name}")
    told = proven(eve, f"subscribe {table.number}")
    assert "You now get all mails about this board" in told.words
    assert told.words.count(f"unsubscribe {table.number}") == 1
    return table, eve


def test_watchers_come_and_go(shared: GameServer) -> None:
    table, eve = watched(shared, "go")
    fay = shared.player("fay-go")
    table.play("b3")
    seen = eve.hears()
    assert seen.subject == f"superbo Board {table.number} bob-go"
    assert "It's bob-go's move. ann-go played B3." in seen.text
    assert fay.hears_nothing()
    proven(fay, f"superbo subscribe {table.number}")
    table.play("c4,k5")
    assert "\nSubscribers:  eve-go, fay-go\n" in table.one_mail.text
    assert eve.hears().subject == fay.hears().subject == f"superbo Board {table.number} ann-go"
    assert "You get no more mails about this board." in proven(eve, f"unsubscribe {table.number}").words
    table.play("g2,h7")
    assert fay.hears().text.count("Subscribers:  fay-go\n") == 1
    assert eve.hears_nothing()
    table.one.says(f"resign {table.number} ann-go secret")  # announced: nobody else is told
    table.one.hears()
    table.other.answers(table.other_mail, "d8,r10")
    table.hear()
    over = fay.hears()
    assert "bob-go won. ann-go resigned." in over.text
    assert over.subject == f"superbo Board {table.number}"
    assert fay.hears_nothing()
    assert eve.hears_nothing()


def test_who_watches_gets_the_thread_and_no_way_to_act(shared: GameServer) -> None:
    table, eve = watched(shared, "thread")
    table.play("b3")
    first = eve.hears()
    table.play("c4,k5")
    second = eve.hears()
    assert first.parsed["References"] == second.parsed["References"]
    assert first.parsed["List-Id"] == table.one_mail.parsed["List-Id"]
    assert first.reply_to == "pbem@localhost"
    assert "mailto:pbem+" not in first.html
    for words in ("Answer this mail", "Your move", "your move", "Or in a new mail", "would rather not play"):
        assert words not in first.words + second.words
    own = {str(mail.parsed["Message-ID"]) for mail in (table.one_mail, table.other_mail)}
    assert not any(each in second.raw.decode() for each in own)
    for body in ("a1,b1", "resign", "accept"):
        eve.answers(second, body)
        assert "You (eve-thread) do not play on board" in eve.hears().words


def test_an_announced_resignation_and_what_was_left_over_stay_with_their_player(shared: GameServer) -> None:
    table, eve = watched(shared, "secret")
    table.other.says(f"resign {table.number} bob-secret secret")
    assert "declined" in table.other.hears().words  # before the first move nothing is announced
    table.one.hears(), eve.hears()
    table = seat(shared, table.one, table.other)
    table.play("b3", "c4,k5")
    proven(eve, f"subscribe {table.number}")
    table.other.says(f"resign {table.number} bob-secret secret")
    assert "You will resign" in table.other.hears().words
    assert eve.hears_nothing()
    table.play("g2,h7")
    assert "bob-secret resigned." in eve.hears().words


@pytest.mark.parametrize("what", ["all", "game", "userid", "of game"])
def test_whole_kinds_of_boards_are_watched_and_those_to_come(shared: GameServer, what: str) -> None:
    tag = what.replace(" ", "-")
    ann, bob, eve = (shared.player(f"{name}-{tag}") for name in ("ann", "bob", "eve"))
    line, told = {
        "all": ("subscribe all", "all games"),
        "game": ("superbo subscribe all", "superbo"),
        "userid": (f"subscribe to ann-{tag}", f"ann-{tag}"),
        "of game": (f"superbo subscribe to ann-{tag}", f"ann-{tag} (superbo)"),
    }[what]
    eve.says(line)
    eve.answers(eve.hears(), "yes")
    listed = eve.hears()
    assert listed.subject == f"What eve-{tag} watches"
    assert told in listed.text
    table = seat(shared, ann, bob)
    new = eve.hears()
    assert new.subject == f"New superbo Board {table.number} ann-{tag}"
    assert "If you would rather not play" not in new.text
    table.play("b3")
    assert eve.hears().subject == f"superbo Board {table.number} bob-{tag}"
    proven(eve, f"unsubscribe {table.number}")  # this one board is left out
    table.play("c4,k5")
    other = seat(shared, ann, bob)
    assert eve.hears().subject == f"New superbo Board {other.number} ann-{tag}"
    assert "You now get all mails about this board" in proven(eve, f"subscribe {table.number}").words
    table.play("g2,h7")
    assert eve.hears().subject == f"superbo Board {table.number} bob-{tag}"
    ann.says(f"mambo challenge ann-{tag} bob-{tag}")
    ann.hears(), bob.hears()
    if what in ("all", "userid"):
        assert eve.hears().subject.startswith("New mambo Board ")
    assert "You no longer watch anything." in ask(eve, f"unsubscribe eve-{tag} secret all").text
    ask(eve, f"palago notify eve-{tag} secret")
    refused = ask(eve, f"unsubscribe eve-{tag} secret all").words
    assert (
        "You get no mails of boards where you do not play. If you no longer want to be told when boards end" in refused
    )
    ask(eve, f"palago notify eve-{tag} secret")
    table.play("d8,r10")
    assert eve.hears_nothing()


def test_the_link_ends_it(shared: GameServer) -> None:
    table, eve = watched(shared, "link")
    table.play("b3")
    found = re.fullmatch(r"<mailto:(.*)\?subject=unsubscribe>", str(eve.hears().parsed["List-Unsubscribe"]))
    assert found
    table.other.says("unsubscribe", to=found[1])
    assert "This link came in a mail to another address" in table.other.hears().words
    eve.says("resign", "whatever it says", to=found[1])
    assert "You get no more mails about this board." in eve.hears().words
    table.play("c4,k5")
    assert eve.hears_nothing()
    eve.says("unsubscribe", to=found[1])
    assert f"You do not get the mails of board {table.number}." in eve.hears().words


def test_to_subscribe_twice_changes_nothing(shared: GameServer) -> None:
    table, eve = watched(shared, "twice")
    again = proven(eve, f"subscribe {table.number}")
    assert "You already get all mails about this board; nothing has changed." in again.words
    table.play("b3")
    assert eve.hears().subject == f"superbo Board {table.number} bob-twice"
    assert eve.hears_nothing()


def test_several_boards_at_once_and_an_own_one_among_them(shared: GameServer) -> None:
    table, eve = watched(shared, "many")
    fay = shared.player("fay-many")
    own = seat(shared, eve, fay)
    proven(eve, f"unsubscribe {own.number}")
    own.play("b3")
    answer = proven(eve, "subscribe", f"{table.number} {own.number}")
    assert f"Done. You get all mails about your board {own.number}. This is what you watch now:" in answer.words
    listed = answer.text
    assert f"  boards           {table.number}\n" in listed  # the own one has all its mails again
    own.play("c4,k5", "g2,h7")
    answer = proven(eve, "unsubscribe", f"{table.number} {own.number}")
    assert f"Done. You now get fewer mails about your board {own.number}:" in answer.words
    assert "You no longer watch anything." in answer.text
    other = seat(shared, eve, fay)
    answer = proven(eve, "subscribe", f"{own.number} {other.number}")
    assert (
        f"Done. You get all mails about your boards {own.number} and {other.number}. You watch nothing besides"
        in answer.words
    )
    assert "You no longer watch anything." not in answer.text
    assert f"unsubscribe {own.number}" not in proven(eve, f"unsubscribe {own.number}").text


@pytest.mark.parametrize("which", ["board", "game"])
def test_who_asks_for_it_is_told_of_the_end_and_of_nothing_else(shared: GameServer, which: str) -> None:
    table, eve = begin(shared, f"ann-end-{which}", f"bob-end-{which}"), shared.player(f"eve-end-{which}")
    line = f"notify {table.number}" if which == "board" else "superbo notify"
    what = f"the game on board {table.number} is over" if which == "board" else "a game of superbo is over"
    begun = proven(eve, line)
    assert f"I'll tell you when {what}." in begun.words
    assert "only the end of" in begun.text
    over = proven(eve, line)  # again: no longer
    assert f"Done. I no longer tell you when {what}." in over.words
    assert "You no longer watch anything." in over.text
    proven(eve, line)
    if which == "board":
        proven(eve, f"subscribe {table.number}")
        assert "only the end of" not in proven(eve, f"subscribe to bob-end-{which}").text
        proven(eve, f"unsubscribe to bob-end-{which}")
        proven(eve, f"unsubscribe {table.number}")
    table.play("b3", "c4,k5", "g2,h7", "d8,r10", "a7,v6")
    told = eve.hears()
    assert told.subject == f"superbo Board {table.number}"
    assert f"\n\nann-end-{which} won." in told.text
    assert "You asked me to tell you how this game ends." in told.text
    assert told.parsed["List-Unsubscribe"] is None
    assert eve.hears_nothing()
    if which == "game":
        proven(eve, line)


def test_of_several_boards_it_is_said_which_way_each_went(shared: GameServer) -> None:
    one, other = begin(shared, "ann-way1", "bob-way1"), begin(shared, "ann-way2", "bob-way2")
    eve = shared.player("eve-way")
    proven(eve, f"notify {one.number}")
    both = proven(eve, f"notify {one.number} {other.number}").words
    assert f"I'll tell you when the game on board {other.number} is over." in both
    assert f"I no longer tell you when the game on board {one.number} is over." in both


def test_a_question_says_to_before_userids_alone(shared: GameServer) -> None:
    eve = shared.player("eve-asked")
    for line in ("superbo subscribe all", "superbo unsubscribe all"):
        eve.says(line)
        asked = eve.hears()
        assert line in asked.words
        eve.answers(asked, "yes")
        eve.hears()


def test_who_gets_its_mails_is_not_told_of_the_end_twice(shared: GameServer) -> None:
    table, eve = watched(shared, "both")
    proven(eve, f"notify {table.number}")
    table.play("b3", "c4,k5")
    table.one.answers(table.one_mail, "resign")
    table.hear()
    assert [eve.hears().subject.split()[-1] for _ in range(3)] == ["bob-both", "ann-both", table.number]
    assert eve.hears_nothing()


def test_a_declined_challenge_is_told_who_watches_it(shared: GameServer) -> None:
    table, eve = watched(shared, "off")
    table.one.answers(table.one_mail, "resign")
    told = eve.hears()
    assert "ann-off has declined to play." in told.words
    assert "begins" not in told.words


@pytest.mark.parametrize(
    ("line", "reason", "verb"),
    [
        ("subscribe 9999 eve-no secret", "There is no board 9999.", "subscribe"),
        ("mambo subscribe {board} eve-no secret", "is superbo, not mambo", "subscribe"),
        ("subscribe {over} eve-no secret", "Board {over} is over, so no more mails about it will come.", "subscribe"),
        ("subscribe eve-no secret nobody-here", 'Nobody here is called "nobody-here"', "subscribe"),
        ("subscribe eve-no secret 9998 9999", "There is no board 9998. There is no board 9999.", "subscribe"),
        ("subscribe eve-no secret eve-no", "You get the mails of your own boards anyway.", "subscribe"),
        ("subscribe", "subscribe to what", "subscribe"),
        ("unsubscribe {board} eve-no secret", "You do not get the mails of board {board}.", "unsubscribe"),
        ("unsubscribe eve-no secret ann-no", "You have not subscribed to the boards of ann-no.", "unsubscribe"),
        ("superbo unsubscribe eve-no secret all", "You do not watch any boards of superbo.", "unsubscribe"),
        ("unsubscribe eve-no secret all", "You get no mails of boards where you do not play.", "unsubscribe"),
        ("unsubscribe {board} eve-no secret too many words", "", "unsubscribe"),
        ("notify 9999 eve-no secret", "There is no board 9999.", "notify"),
        ("notify {over} eve-no secret", "Board {over} is over, so no more mails about it will come.", "notify"),
        ("notify {own} eve-no secret", "You play on board {own}, so you will be told when it ends anyway.", "notify"),
        ("notify eve-no secret", "", "notify"),
        ("notify {board} eve-no wrong", "do not match", "notify"),
    ],
)
def test_what_cannot_be_watched_is_explained(
    refused: dict[str, str], eve: Person, line: str, reason: str, verb: str
) -> None:
    answer = ask(eve, line.format(**refused))
    assert answer.subject.lower().endswith("error")
    assert "Nothing has changed." in answer.text
    game = line.split()[0]
    form_helps = "is over" not in reason
    assert (form(verb, "" if game == verb else game) in answer.text) is form_helps
    if reason and reason != "subscribe to what":
        assert reason.format(**refused) in answer.words


@pytest.fixture(scope="module")
def eve(shared: GameServer) -> Person:
    return shared.player("eve-no")


@pytest.fixture(scope="module")
def refused(shared: GameServer, eve: Person) -> dict[str, str]:
    """Boards of others: one that is on, and one that is over; and an own one."""
    table = begin(shared, "ann-no", "bob-no")
    over = seat(shared, table.one, table.other)
    over.one.answers(over.one_mail, "resign")
    over.hear()
    own = seat(shared, eve, table.one)
    return {"board": table.number, "over": over.number, "own": own.number}


def test_without_proof_it_is_asked_back(shared: GameServer) -> None:
    table, fay = begin(shared, "ann-ask", "bob-ask"), shared.player("fay-ask")
    question = ask(fay, f"subscribe {table.number}")
    assert question.subject == f"Please confirm, fay-ask: subscribe on board {table.number}"
    table.play("b3")
    assert fay.hears_nothing()
    fay.answers(question, "yes")
    assert "You now get all mails about this board" in fay.hears().words


def test_who_leaves_is_told_no_more_and_named_no_more(shared: GameServer) -> None:
    table, eve = watched(shared, "leaves")
    eve.says("signoff")
    eve.answers(eve.hears(), "yes")
    assert "signoff" not in eve.hears().subject
    table.play("b3")
    assert "Subscribers" not in table.one_mail.text
    assert eve.hears_nothing()
