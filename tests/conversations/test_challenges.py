"""Starting boards: the order of the players, pairs, clocks, limits, and every reason why there is none."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path

import pytest

from tests.conversations.playing import form, played, userid
from tests.support.in_process import in_process_server
from tests.support.mail import Mail, Person
from tests.support.server import GameServer

_numbers = count(1)


def people(server: GameServer, *names: str) -> list[Person]:
    """New players, with userids that no other test has."""
    number = next(_numbers)
    return [server.player(f"{name}{number}x") for name in names]


def begun(*readers: Person) -> list[Mail]:
    """The mail of a new board, to each of these."""
    mails = [person.hears() for person in readers]
    assert len({mail.subject for mail in mails}) == 1
    assert re.fullmatch(r"New \w+ Board \d+ \w+", mails[0].subject), mails[0].subject
    return mails


def first_of(mail: Mail) -> str:
    return mail.subject.split()[-1]


def refusal(person: Person, line: str) -> str:
    """The words of an Invalid challenge, which starts no board."""
    person.says(line)
    told = person.hears()
    assert told.subject == "Invalid challenge"
    assert "No board was started. The right form:" in told.words
    return told.words


@pytest.mark.parametrize("line", ["superbo challenge {1}", "superbo challenge {0} {1}", "SUPERBO Chall {1} {0}"])
def test_the_first_named_moves_first_and_the_sender_is_put_in_front(shared: GameServer, line: str) -> None:
    one, other = people(shared, "ann", "ben")
    one.says(line.format(userid(one), userid(other)))
    (mail, _) = begun(one, other)
    assert first_of(mail) == userid(other if line.endswith("{1} {0}") else one)
    assert "at random" not in mail.words


def test_the_order_may_be_drawn(shared: GameServer) -> None:
    one, other = people(shared, "ann", "ben")
    first = set()
    for _ in range(12):
        one.says(f"superbo challenge --random {userid(other)}")
        mails = begun(one, other)
        assert all("The order of the players was drawn at random." in mail.words for mail in mails)
        first.add(first_of(mails[0]))
    assert first == {userid(one), userid(other)}


def test_the_order_of_three_may_be_drawn_though_the_first_begins(shared: GameServer) -> None:
    three = people(shared, "ann", "ben", "cat")
    first = set()
    for _ in range(9):
        three[0].says(f"mamba challenge -inorder -rand {userid(three[1])} {userid(three[2])}")
        first.add(first_of(begun(*three)[0]))
    assert len(first) > 1


@pytest.mark.parametrize("option", ["-unrated", "--unrated", "\u2014unrated", "-UNR"])
def test_a_board_may_count_for_nothing(shared: GameServer, option: str) -> None:
    one, other = people(shared, "ann", "ben")
    one.says(f"superbo challenge {option} {userid(other)}")
    mails = begun(one, other)
    assert all("This game is not rated." in mail.words for mail in mails)
    for person, mail in ((one, "b3"), (other, "c4,k5")):
        person.says(f"move {mails[0].subject.split()[3]} {userid(person)} secret {mail}")
        one.hears()
        other.hears()
    one.says(f"resign {mails[0].subject.split()[3]} {userid(one)} secret")
    assert "This game was not rated." in one.hears().words
    assert "rating" not in other.hears().text


def test_a_pair_is_two_boards_with_the_sides_swapped(shared: GameServer) -> None:
    one, other = people(shared, "ann", "ben")
    one.says(f"superbo challenge --pair -single {userid(other)}")
    for person in (one, other):
        first, second = person.hears(), person.hears()
        numbers = [int(mail.subject.split()[3]) for mail in (first, second)]
        assert numbers[1] == numbers[0] + 1
        assert [mail.subject.split()[4] for mail in (first, second)] == [userid(one), userid(other)]
        for mail, number in ((first, numbers[1]), (second, numbers[0])):
            assert f"Board {number} is the other board of this pair, with the sides swapped; the two are" in mail.words
            assert "Options: -single" in mail.words


def test_of_a_pair_where_lots_are_drawn_each_begins_once(shared: GameServer) -> None:
    one, other = people(shared, "ann", "ben")
    for _ in range(4):
        one.says(f"mamba challenge -pair {userid(other)}")
        mails = one.hears(), one.hears()
        assert {first_of(mail) for mail in mails} == {userid(one), userid(other)}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("-nagtime=2 -forfeittime=5", "a reminder after 2 days, and a loss after 5 days without a move."),
        ("--forfeittime=10m", "a reminder after 5 minutes, and a loss after 10 minutes without a move."),
        ("-nag=36h", "a reminder after 1 day 12 hours, and a loss after 21 days without a move."),
        (
            "-totaltime=30",
            "a reminder after 7 days, and a loss after 21 days without a move or 30 days in all.",
        ),
    ],
)
def test_a_board_may_have_a_clock_of_its_own(shared: GameServer, options: str, told: str) -> None:
    one, other = people(shared, "ann", "ben")
    one.says(f"superbo challenge {options} {userid(other)}")
    assert all(f"This board has its own clock: {told}" in mail.words for mail in begun(one, other))


def test_a_challenge_without_terms_says_nothing_of_them(shared: GameServer) -> None:
    one, other = people(shared, "ann", "ben")
    one.says(f"superbo challenge {userid(other)}")
    for mail in begun(one, other):
        assert not any(word in mail.text for word in ("clock", "rated", "pair", "at random"))


def test_a_game_against_oneself_goes_whatever_one_has_said_of_challenges(shared: GameServer) -> None:
    (one,) = people(shared, "ann")
    one.says(f"superbo reject {userid(one)} secret")
    assert "you no longer take superbo challenges" in one.hears().words
    one.says(f"superbo challenge {userid(one)} {userid(one)}")
    begun(one)


def test_a_limit_counts_the_active_boards_of_the_game(shared: GameServer) -> None:
    one, other = people(shared, "ann", "ben")
    other.says(f"superbo limit {userid(other)} secret 2")
    told = other.hears()
    assert told.subject == "superbo Limit"
    assert "while you have fewer than 2 active boards. You have no active superbo boards." in told.words
    one.says(f"superbo challenge -pair {userid(other)}")
    for person in (one, other):
        for _ in range(2):
            person.hears()
    words = refusal(one, f"superbo challenge {userid(other)}")
    assert f"{userid(other)} plays at most 2 superbo boards at a time, and this would be more." in words
    one.says(f"mambo challenge {userid(other)}")
    begun(one, other)
    other.says(f"superbo challenge {userid(one)}")
    begun(one, other)
    other.says("superbo limit")
    assert "You have 3 active superbo boards. Nobody can challenge you until 2 of them are over." in other.hears().words


def test_a_pair_needs_room_for_two(shared: GameServer) -> None:
    one, other = people(shared, "ann", "ben")
    other.says(f"superbo limit {userid(other)} secret 1")
    other.hears()
    assert "plays at most one superbo board at a time, and this would" in refusal(
        one, f"superbo challenge -pair {userid(other)}"
    )
    one.says(f"superbo challenge {userid(other)}")
    begun(one, other)


@pytest.mark.parametrize("back", ["superbo accept {} secret", "superbo limit {} secret accept"])
def test_who_takes_no_challenges_may_take_them_again(shared: GameServer, back: str) -> None:
    one, other = people(shared, "ann", "ben")
    other.says(f"superbo limit {userid(other)} secret reject")
    assert "Done: you no longer take superbo challenges." in other.hears().words
    assert f"{userid(other)} takes no superbo challenges at present." in refusal(
        one, f"superbo challenge {userid(other)}"
    )
    one.says(f"mambo challenge {userid(other)}")
    begun(one, other)
    other.says(back.format(userid(other)))
    assert "Done: others can now challenge you to any number of superbo boards." in other.hears().words
    one.says(f"superbo challenge {userid(other)}")
    begun(one, other)


@pytest.mark.parametrize(
    "line", ["superbo reject", "superbo limit 1", "superbo accept", "block to {}", "unblock to {}"]
)
def test_a_from_address_alone_is_asked_back(shared: GameServer, line: str) -> None:
    one, other = people(shared, "ann", "ben")
    before = played(shared)["boards"]
    one.says(line.format(userid(other)))
    question = one.hears()
    assert question.subject.startswith(f"Please confirm, {userid(one)}: ")
    assert f"    {line.format(userid(other))}" in question.text
    one.answers(question, "yes")
    assert one.hears().subject.startswith(("superbo Limit", "You have"))
    assert played(shared)["boards"] == before


def test_every_reason_is_given_at_once(shared: GameServer) -> None:
    one, full, shy, other = people(shared, "ann", "full", "shy", "ben")
    unconfirmed = shared.person("una")
    unconfirmed.says("signup una secret")
    unconfirmed.hears()
    full.says(f"superbo challenge {userid(full)} {userid(full)}")
    begun(full)
    full.says(f"superbo limit {userid(full)} secret 1")
    full.hears()
    shy.says(f"superbo reject {userid(shy)} secret")
    shy.hears()
    names = " ".join(userid(each) for each in (full, shy, other))
    before = played(shared)["boards"]
    one.vouched = True
    words = refusal(
        one, f"superbo challenge -fast -pair -pace=2 -nagtime=9 -forfeittime=3 --total a/b zoe zoe una {names}"
    )
    for reason in (
        'Nobody here is called "zoe".',
        "una has signed up but not confirmed an address yet",
        '"a/b"',
        f"{userid(full)} plays at most one superbo board at a time",
        f"{userid(shy)} takes no superbo challenges at present.",
        "The game is for 2 players, but this makes 8",
        "A pair is two boards for two players",
        "-pace does not work here: it is for a seek.",
        "-totaltime needs a time",
        "A reminder after 9 days would come too late: by then the game would be lost, after 3 days.",
        "There is no option -fast. The options here: ",
        "-random, -rated, -unrated, -pair, -nagtime, -forfeittime, -totaltime.",
    ):
        assert words.count(reason) == 1, reason
    assert userid(other) not in words.replace(f"{userid(other)} and", "").replace(f"and {userid(other)}", "")
    assert played(shared)["boards"] == before


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("superbo challenge -random=yes {}", "-random takes no value; please write it without"),
        ("superbo challenge -pair {0} {0}", "The game is for 2 players, but this makes 3"),
        ("mamba challenge -pair {0} {0}", "A pair is two boards for two players"),
        ("mamba challenge -players=3 {}", "-players does not work here: it is for a seek for more than two players."),
        ("superbo challenge -nagtime=1h -nagtime=2h {}", "-nagtime=1h and -nagtime=2h do not go together"),
        ("superbo challenge -totaltime=500 {}", "You cannot set a clock to 500"),
        ("superbo challenge -forfeittime=30s {}", 'I cannot read "30s" as a time.'),
    ],
)
def test_terms_that_cannot_be_are_refused(shared: GameServer, line: str, reason: str) -> None:
    one, other = people(shared, "ann", "ben")
    one.vouched = True
    assert reason in refusal(one, line.format(userid(other)))
    assert other.hears_nothing()


@pytest.mark.parametrize(
    ("line", "reason", "right"),
    [
        ("superbo limit many", "password", "limit"),
        ("superbo limit {} secret many", "is not a number of boards", "limit"),
        ("superbo limit 3 4", "was complete before word", "limit"),
        ("superbo limit {}", "password", "limit"),
        ("superbo limit {} wrong 3", "do not match", "limit"),
        ("superbo limit {} secret 1000", "The highest limit is 999.", "limit"),
        ("superbo reject {} secret all", "was complete before word", "reject"),
        ("superbo accept {} secret all", "was complete before word", "accept"),
        ("limit 3", 'the name of a game before "limit"', "limit"),
        ("poker limit 3", "is in the place for the name of a game", None),
    ],
)
def test_limits_that_cannot_be_are_refused(shared: GameServer, line: str, reason: str, right: str | None) -> None:
    (one,) = people(shared, "ann")
    one.says(line.format(userid(one)))
    told = one.hears()
    assert told.subject.endswith(" error")
    assert reason in told.words
    assert right is None or form(right, "superbo" if line.startswith("superbo") else "") in told.text
    assert "secret" not in told.text
    one.says("superbo limit")
    assert "Others can challenge you to any number of superbo boards." in one.hears().words


def test_nobody_is_challenged_without_end(tmp_path: Path) -> None:
    with in_process_server(tmp_path, max_challenges_per_day="3") as server:
        one, other = server.player("ann"), server.player("bob")
        for line in ("superbo challenge -pair bob", "superbo challenge bob"):
            one.says(line)
            one.hears(), other.hears()
            if "pair" in line:
                one.hears(), other.hears()
        one.says("superbo challenge bob")
        assert "start at most 3 boards within a day" in one.hears().words
        assert other.hears_nothing()
        other.says("superbo challenge ann")  # with a day of their own
        assert other.hears().subject.startswith("New superbo Board")


def test_seeks_start_no_more_boards_in_a_day_than_a_from_address_may(tmp_path: Path) -> None:
    with in_process_server(tmp_path, max_unproven_challenges_per_day="1") as server:
        one, other = server.player("eager"), server.player("calm")
        one.says("superbo seek")
        one.hears()
        other.says("superbo seek")
        begun(one, other)
        other.says("superbo seek")
        assert other.hears().subject == "Please confirm, calm: seek"
        other.says("superbo seek calm secret")
        assert other.hears().subject == "superbo Seeks"


def test_a_challenge_is_no_signup(shared: GameServer) -> None:
    (one,) = people(shared, "ann")
    one.vouched = True
    for word in ("nobody", "everybody", "pbem"):
        told = refusal(one, f"superbo challenge {word}")
        assert f'Nobody here is called "{word}".' in told
        assert "cannot be a userid" not in told


def test_who_is_put_in_front_is_told_so(shared: GameServer) -> None:
    one, two, three = people(shared, "ann", "ben", "cat")
    others = f"{userid(two)} {userid(three)}"
    in_front = "You did not name yourself, so I put you first."
    assert in_front in refusal(one, f"superbo challenge {others}")
    assert in_front not in refusal(one, f"superbo challenge {others} {userid(one)}")


def test_nothing_is_said_of_words_that_only_a_computer_would_have_got(shared: GameServer) -> None:
    person = shared.player("rob41")
    shared.player("rob42")
    for opponent, is_told in (("robot1", False), ("rob42", True)):
        person.says(f"superbo challenge {opponent}", "Hello there!")
        assert ("was not passed on" in person.hears().words) == is_told
