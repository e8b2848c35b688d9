"""Looking for somebody to play with: seeks that meet, and those that do not."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from threading import Barrier, Thread

import pytest

from pbem.storage.models import BoardRow
from tests.conversations.playing import form, userid
from tests.support.mail import Mail, Person
from tests.support.server import GameServer, RunningServer

_numbers = count(1)
_options = count(4)


def fresh(*names: str) -> list[str]:
    """Userids that no other test has."""
    number = next(_numbers)
    return [f"{name}_{number}" for name in names]


def pair(server: GameServer) -> tuple[Person, Person]:
    one, other = (server.player(userid) for userid in fresh("ann", "ben"))
    return one, other


def own_option() -> str:
    """An option with a value that no other test seeks."""
    return f"-size={next(_options)}"


def begun(*people: Person) -> list[Mail]:
    """The mail of a new board, to each of these."""
    mails = [person.hears() for person in people]
    assert len({mail.subject for mail in mails}) == 1
    assert mails[0].subject.startswith("New ")
    return mails


def test_two_who_seek_the_same_start_a_board(shared: GameServer) -> None:
    one, other = pair(shared)
    one.says("palago seek -size=40 -swap")
    told = one.hears()
    assert told.subject == "palago Seeks"
    assert "1 board: palago -size=40 -swap" in told.words
    assert "Nobody else is looking for an opponent" in told.words
    other.says(f"palago seek {userid(other)} secret -swap -siz=40")
    mails = begun(one, other)
    assert {mails[0].subject.split()[-1]} < {userid(one), userid(other)}
    for mail in mails:
        assert (
            "You were both looking for this game with seek. The order of the players was drawn at random." in mail.words
        )
        assert "Options: -swap, -size=40" in mail.words
        assert "still look" not in mail.words
    assert one.hears_nothing()
    assert other.hears_nothing()


def test_the_board_of_a_seek_is_played_like_any_other(shared: GameServer) -> None:
    one, other = pair(shared)
    option = own_option()
    for person in (one, other):
        person.says(f"palago seek {option}")
    one.hears()
    mails = begun(one, other)
    first = next(person for person in (one, other) if userid(person) == mails[0].subject.split()[-1])
    first.answers(mails[(one, other).index(first)], "a1")
    assert (
        one.hears().subject
        == other.hears().subject
        == " ".join(mails[0].subject.split()[1:4])
        + " "
        + next(userid(person) for person in (one, other) if person is not first)
    )


def test_who_begins_is_drawn(shared: GameServer) -> None:
    one, other = pair(shared)
    first = []
    for _ in range(12):
        option = own_option()
        one.says(f"palago seek {option}")
        one.hears()
        other.says(f"palago seek {option}")
        first.append(begun(one, other)[0].subject.split()[-1])
    assert set(first) == {userid(one), userid(other)}


def test_what_is_sought_otherwise_does_not_meet_and_is_named(shared: GameServer) -> None:
    one, other = pair(shared)
    option = own_option()
    one.says(f"palago seek 2 {option} -unrated -nag=2 -forfeittime=5")
    one.hears()
    for line in (
        f"palago seek {option}",
        f"palago seek {option} -unrated",
        f"palago seek {option} -unrated -nagtime=2 -forfeittime=6",
        f"palago seek {option} -nagtime=2 -forfeittime=5",
        f"palago seek -unrated -nagtime=2 -forfeittime=5 {option}1",
        f"mambo seek {option} -unrated -nagtime=2 -forfeittime=5",
    ):
        other.says(line)
        assert other.hears().subject == f"{line.split()[0]} Seeks"
    other.says(f"palago seek 0 {option}")
    told = other.hears()
    theirs = f"{option} -unrated -nagtime=2 -forfeittime=5"
    assert f"{userid(one)}, 2 boards: palago {theirs}" in told.words
    assert f"Done: you have ended this search. palago {option} You are still looking for others" in told.words
    other.says(f"palago seek {theirs}")
    (mail, _) = begun(one, other)
    assert "This game is not rated." in mail.words
    assert "a reminder after 2 days, and a loss after 5 days without a move" in mail.words
    assert "You are still looking for one more." in mail.words


def test_one_seek_meets_as_many_others_as_it_wants(shared: GameServer) -> None:
    others = [shared.player(userid) for userid in fresh("ben", "cat", "dan")]
    option = own_option()
    for other in others:
        other.says(f"palago seek 2 {option}")
        assert other.hears().subject.startswith(("palago Seeks", "New palago"))
    assert others[0].hears().subject.startswith("New palago")
    # Ben has met Cat; each of them looks for one more, and so Dan has met Ben, and Cat
    assert [others[1].hears().subject[:10], others[0].hears().subject[:10]] == ["palago See", "New palago"]


def test_three_at_the_same_time_make_one_board_and_one_who_waits(running: RunningServer) -> None:
    people = [running.player(userid) for userid in fresh("ann", "ben", "cat")]
    option = own_option()
    together = Barrier(len(people))

    def say(person: Person) -> None:
        together.wait()
        person.says(f"palago seek {option}")

    threads = [Thread(target=say, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    people[0].hears_nothing()  # everything has been answered by now
    boards = [
        [mail.subject for mail in running.postbox.unread_for(person.address) if mail.subject.startswith("New ")]
        for person in people
    ]
    assert sorted(map(len, boards)) == [0, 1, 1]
    assert len({subject for subjects in boards for subject in subjects}) == 1
    people[0].says("list palago")
    while "List of" not in (mail := people[0].hears()).subject:
        pass
    assert "sought" in mail.text
    (left,) = (person for person, subjects in zip(people, boards, strict=True) if not subjects)
    left.says(f"palago seek 0 {option}")


def test_three_meet_at_a_board_of_mamba(shared: GameServer) -> None:
    people = [shared.player(userid) for userid in fresh("ann", "ben", "cat")]
    for person in people[:2]:
        person.says("mamba seek -players=3 -size=11")
        told = person.hears()
        assert told.subject == "mamba Seeks"
        assert "1 board: mamba -size=11 -players=3" in told.words
    people[2].says("mamba seek -pla=3 -size=11")
    for mail in begun(*people):
        assert "All of you were looking for this game with seek." in mail.words
        assert all(userid(person) in mail.text for person in people)


def test_the_same_again_takes_the_place_of_the_first(shared: GameServer) -> None:
    one, other = pair(shared)
    option = own_option()
    for number in ("", "5", "2"):
        one.says(f"palago seek {number} {option}")
        told = one.hears()
    assert f"Done: this replaces your earlier search for 5 boards, palago {option}." in told.words
    assert told.words.count(f": palago {option}") == 1
    assert f"2 boards: palago {option}" in told.words
    one.says("palago seek 0")
    assert "Done: you no longer look for anybody to play Palago." in one.hears().words
    one.says("palago seek 0")
    assert "You are not looking for anybody to play Palago." in one.hears().words
    other.says(f"palago seek {option}")
    assert other.hears().subject == "palago Seeks"


def test_a_challenge_of_nobody_is_a_seek(shared: GameServer) -> None:
    one, other = pair(shared)
    option = own_option()
    one.says(f"palago challenge {option} --unrated")
    assert f"1 board: palago {option} -unrated" in one.hears().words
    other.says(f"palago chall -unrated -{option}")
    begun(one, other)


def test_who_is_full_is_not_set_down_until_a_board_is_over_or_the_limit_higher(shared: GameServer) -> None:
    one, other = pair(shared)
    option = own_option()
    one.says(f"palago limit {userid(one)} secret 1")
    assert "while you have no active board." in one.hears().words
    one.says(f"palago challenge {userid(other)}")
    one.hears()
    other.hears()
    one.says(f"palago seek {option}")
    assert "You have as many palago boards as your limit allows" in one.hears().words
    other.says(f"palago seek {option}")
    assert userid(one) not in other.hears().text
    one.says(f"palago limit {userid(one)} secret 2")
    begun(one, other)
    assert "You have 2 active palago boards. Nobody can challenge you" in one.hears().words


def test_who_takes_no_challenges_may_seek_all_the_same(shared: GameServer) -> None:
    one, other = pair(shared)
    option = own_option()
    one.says(f"palago reject {userid(one)} secret")
    one.hears()
    one.says(f"palago seek {option}")
    assert "your game begins" in one.hears().words
    other.says(f"palago seek {option}")
    begun(one, other)


def test_who_is_on_vacation_is_not_set_down(shared: GameServer) -> None:
    one, other = pair(shared)
    option = own_option()
    until = (datetime.now(UTC) + timedelta(days=3)).date()
    one.says(f"vacation {userid(one)} secret {until}")
    one.hears()
    one.says(f"palago seek {option}")
    assert "You are on vacation, so no new board begins for you until you are back." in one.hears().words
    other.says(f"palago seek {option}")
    assert userid(one) not in other.hears().text
    one.says(f"vacation {userid(one)} secret off")
    one.hears()
    one.says(f"palago seek {option}")
    begun(one, other)


def test_who_is_slow_does_not_meet_who_wants_haste(shared: GameServer) -> None:
    one, slow = pair(shared)
    newcomer = shared.player(fresh("new")[0])
    slow.says(f"palago challenge {userid(slow)} {userid(one)}")
    one.hears()
    slow.answers(slow.hears(), "a1")
    slow.hears()
    one.hears()
    ((newest,),) = shared.database.rows("SELECT max(number) FROM boards")
    shared.database.set_back(BoardRow.begun_at, timedelta(days=8), BoardRow.number == newest)
    option = own_option()
    one.says(f"palago seek {option} -pace=2")
    told = one.hears().words
    assert f"1 board: palago {option} -pace=2" in told
    assert "I pass over players who are known to take longer for a move than your -pace allows." in told
    slow.says(f"palago seek {option}")
    assert slow.hears().subject == "palago Seeks"
    newcomer.says(f"palago seek {option}")
    begun(one, newcomer)
    one.says(f"palago seek {option} -pace=9")
    begun(one, slow)


def test_who_leaves_looks_for_nobody_any_more(shared: GameServer) -> None:
    one, other = pair(shared)
    option = own_option()
    one.says(f"palago seek {option}")
    one.hears()
    one.says(f"signoff {userid(one)} secret")
    one.answers(one.hears(), "yes")
    one.hears()
    other.says(f"palago seek {option}")
    told = other.hears()
    assert told.subject == "palago Seeks"
    assert userid(one) not in told.text


def test_the_standings_and_the_list_tell_how_much_is_sought(shared: GameServer) -> None:
    (name,) = fresh("ann")
    one = shared.player(name)
    one.says("lambo seek 7")
    one.hears()
    one.says("lambo standings")
    assert f" {name} new 0 0 0 0/- 7 " in one.hears().words
    one.says("list lambo")
    told = one.hears()
    assert told.subject == "List of lambo games"
    assert "0 players, 7 boards sought" in told.words
    one.says("lambo seek 0")
    one.hears()
    one.says("list lambo")
    assert "sought" not in one.hears().words


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("palago seek -pair", "-pair does not work here: it is for challenging a player by name."),
        ("palago seek -players=3", "-players does not work here: it is for a seek for more than two players."),
        ("mamba seek -players=5", '-players does not take the value 5. After "=", give 2, 3 or 4.'),
        ("mamba seek -teams", "-teams"),
        ("palago seek -pace", "-pace needs a time: days as in -pace=3"),
        ("palago seek -pace=soon", 'I cannot read "soon" as a time.'),
        ("palago seek -nagtime=0", "You cannot set a clock to 0"),
        ("palago seek -nagtime=30 -fast", "A reminder after 30 days would come too late"),
        ("palago seek -nagtime=30 -fast", "There is no option -fast. The options here: -size, -swap, -random, -rate"),
        ("palago seek 100", '"100"'),
        ("palago seek 2 3", "Please leave out everything from there on"),
        ("palago seek {} secret 2 3", "Please leave out everything from there on"),
        ("palago seek {}", "password"),
        ("palago seek {} wrong", "do not match"),
        ("seek 2", 'the name of a game before "seek"'),
    ],
)
def test_what_cannot_be_sought_is_refused_with_every_reason(shared: GameServer, line: str, reason: str) -> None:
    one = replace(_seeker(shared), vouched=True)
    one.says(line.format(userid(one)))
    told = one.hears()
    assert told.subject.endswith(" error")
    assert reason in told.words
    assert "wrong" not in told.words
    if "do not match" not in reason:
        game = line.split()[0]
        assert form("seek", "" if game == "seek" else game) in told.text


_seekers: dict[str, Person] = {}


def _seeker(server: GameServer) -> Person:
    """Somebody who seeks what cannot be sought."""
    key = str(server.folder)
    if key not in _seekers:
        _seekers[key] = server.player(fresh("sam")[0])
    return _seekers[key]


def test_there_is_an_end_to_seeking(shared: GameServer) -> None:
    one = _seeker(shared)
    for number in range(10):
        one.says(f"mambo seek -size={60 + number}")
        one.hears()
    one.says("mambo seek -size=70")
    assert "You already have 10 seeks for mambo" in one.hears().words
    one.says("mambo seek 3 -size=69")
    assert "3 boards: mambo -size=69" in one.hears().words


def test_strangers_seek_nothing(shared: GameServer) -> None:
    stranger = shared.person(fresh("eve")[0])
    stranger.says("palago seek")
    assert stranger.hears().subject == "palago error"


def test_a_seek_in_place_of_one_for_the_same_is_said_so_and_each_can_be_ended(shared: GameServer) -> None:
    one, _ = pair(shared)
    option = own_option()
    one.says(f"palago seek 2 {option}")
    assert "replaces" not in one.hears().words
    one.says(f"palago seek {option} -pace=2")
    told = one.hears()
    assert f"Done: this replaces your earlier search for 2 boards, palago {option}." in told.words
    assert "To stop looking: palago seek 0 " in told.words
    another = own_option()
    one.says(f"palago seek {another}")
    words = one.hears().words
    assert "replaces" not in words
    assert f"palago seek 0 {option} -pace=2 " in words
    assert f"palago seek 0 {another} palago seek 0 (all of them)" in words


def test_what_is_drawn_by_lot_anyway_is_said_once(shared: GameServer) -> None:
    one, other = pair(shared)
    sought = "mamba seek -unrated -nagtime=4 -forfeittime=9"
    one.says(sought)
    assert one.hears().subject == "mamba Seeks"
    other.says(sought)
    for mail in begun(one, other):
        assert mail.words.count("drawn at random") == 1


def test_whoever_asks_where_nobody_seeks_is_not_told_to_meet_one_of_them(server: GameServer) -> None:
    one = server.player("ann")
    one.says("seek")
    told = one.hears().words
    assert "Nobody is looking for an opponent at present. To look for one yourself: <game> seek -<option> ..." in told
    one.says("superbo seek ann secret")
    one.hears()
    server.person("ben").says("seek")
    assert "meet one of these by seeking the same" in server.person("ben").hears().words
