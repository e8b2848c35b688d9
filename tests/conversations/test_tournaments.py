"""Tournaments from the first entry to the last table, by mail alone."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import pytest

from tests.cli.admin import done
from tests.conversations.playing import form
from tests.support.mail import Mail, Person
from tests.support.server import GameServer, RunningServer

_BOARD = re.compile(r"You play (\w+) on board (\d+), game (\w\d+) of the tournament\. (\w+) (?:move|moves) first")


@dataclass(frozen=True)
class Seated:
    """A board of the round under way, by what its players were told."""

    number: str
    label: str
    players: tuple[str, str]
    """The first to move comes first."""


@dataclass
class Field:
    """The players of a tournament, and what they hear."""

    server: GameServer
    name: str
    players: dict[str, Person]
    game: str = "superbo"
    told: dict[str, Mail] = field(default_factory=dict)
    """The last mail about the tournament, by userid."""
    boards: dict[str, Mail] = field(default_factory=dict)
    """The mails with the boards of this round."""

    def says(self, userid: str, words: str) -> Mail:
        """Say something about tournaments, and hear the answer."""
        self.players[userid].says(f"{self.game} tournament {words}")
        return self.players[userid].hears()

    def join(self) -> None:
        """Let all join."""
        for userid in self.players:
            assert "You take part" in self.says(userid, f"join {userid} secret {self.name}").words

    def hear_round(self, number: int) -> list[Seated]:
        """Let all hear of a round and its boards, and return these; of an odd number one has a bye."""
        self.told, self.boards = {}, {}
        for userid, person in self.players.items():
            while userid not in self.told or (userid not in self.boards and userid not in self.byes()):
                mail = person.hears()
                (self.boards if mail.subject.startswith("New ") else self.told)[userid] = mail
            assert self.told[userid].subject == f"{self.game} Tournament {self.name} round {number}"
        assert len(self.byes()) == len(self.players) % 2
        seated = {userid: self._seated(userid) for userid in self.boards}
        for each in set(seated.values()):
            assert [userid for userid, at in seated.items() if at == each] == sorted(each.players)
        return sorted(set(seated.values()), key=lambda each: each.label)

    def byes(self) -> list[str]:
        """The players with a bye in this round, by their mails."""
        return [userid for userid, mail in self.told.items() if "You have a bye" in mail.words]

    def _seated(self, userid: str) -> Seated:
        match = _BOARD.search(self.told[userid].words)
        assert match is not None, self.told[userid].text
        other, number, label, first = match.groups()
        first, second = (userid, other) if first == "You" else (other, userid)
        return Seated(number, label, (first, second))

    def resigns(self, seated: Seated, loser: str) -> None:
        """Let a board end before it has begun; both hear of it."""
        self.players[loser].answers(self.boards[loser], "resign")
        for userid in seated.players:
            who = "You" if userid == loser else loser
            assert f"{who} forfeited the game." in self.players[userid].hears().words

    def hear_end(self) -> dict[str, Mail]:
        """Let all hear that it is over."""
        self.told = {userid: person.hears() for userid, person in self.players.items()}
        assert {mail.subject for mail in self.told.values()} == {f"{self.game} Tournament {self.name} is over"}
        return self.told

    def hears_nothing_more(self) -> None:
        """Nobody has a mail that was not expected."""
        assert not any(self.server.postbox.unread_for(person.address) for person in self.players.values())


def gathered(server: GameServer, name: str, *userids: str) -> Field:
    """Some players who have signed up."""
    return Field(server, name, {userid: server.player(userid) for userid in userids})


def rows(mail: Mail) -> list[list[str]]:
    """The lines of the tables in a mail, in words."""
    return [line.split() for line in mail.text.splitlines() if re.match(r" +(\d+|-)  \w", line)]


def _shown_by_label(person: Person, line: str) -> str:
    person.says(line)
    return person.hears().words


def test_five_play_a_swiss_and_one_withdraws(shared: GameServer) -> None:
    spring = gathered(shared, "spring", "ann", "bob", "cat", "dan", "eve")
    created = spring.says("ann", "create ann secret spring -swiss")
    assert created.subject == "superbo Tournament spring"
    assert "superbo tournament join spring" in created.text
    spring.join()
    spring.players["ann"].says("superbo tournament start ann secret spring")
    first = spring.hear_round(1)
    assert [(each.label, each.players) for each in first] == [("A1", ("ann", "cat")), ("A2", ("dan", "bob"))]
    assert spring.byes() == ["eve"]
    assert f"Board {first[0].number} is game A1 of the tournament spring, round 1." in spring.boards["ann"].words
    assert spring.boards["ann"].subject == f"New superbo Board {first[0].number} ann"
    shown = _shown_by_label(spring.players["eve"], "superbo show A2 a1")
    assert shown.index(f"Board {first[1].number}") < shown.index(f"Board {first[0].number}")
    assert f"Board {first[0].number}" in _shown_by_label(spring.players["eve"], "show a1")
    assert '"B1" is not a board number.' in _shown_by_label(spring.players["eve"], "show B1")

    spring.resigns(first[0], "cat")
    spring.hears_nothing_more()
    spring.resigns(first[1], "bob")
    second = spring.hear_round(2)
    assert spring.byes() != ["eve"]
    assert not {frozenset(each.players) for each in first} & {frozenset(each.players) for each in second}
    assert rows(spring.told["ann"])[0][1] in ("ann", "dan")

    table = spring.says("eve", "show spring")
    assert "Round 2 of 3 is being played." in table.text
    left = spring.says("eve", "withdraw eve secret spring")
    assert left.subject == "superbo Tournament spring"
    _play_on(spring, second, left)


def _play_on(spring: Field, second: list[Seated], left: Mail) -> None:
    """After the withdrawal of Eve, in the second of three rounds."""
    hers, other = sorted(second, key=lambda each: "eve" not in each.players)
    assert f"You have forfeited your game there, on board {hers.number}." in left.words
    for userid in hers.players:
        who = "You" if userid == "eve" else "eve"
        assert f"{who} forfeited the game." in spring.players[userid].hears().words
    eve = spring.players.pop("eve")
    spring.resigns(other, other.players[1])
    third = spring.hear_round(3)
    assert "eve" not in {userid for each in third for userid in each.players}
    assert [each.label for each in third] == ["A5", "A6"]
    for each in third:
        spring.resigns(each, each.players[0])
    spring.players["eve"] = eve
    last = spring.hear_end()
    table = rows(last["bob"])
    assert [row[1] for row in table][-1] == "eve"
    assert table[-1][0] == "-"
    assert sum(float(row[2]) for row in table) == 3 + 3 + 2
    winner = table[0][1]
    assert "You have won the tournament. Congratulations!" in last[winner].words
    spring.hears_nothing_more()
    assert "It is over." in spring.says("ann", "show spring").text
    assert f"won by {winner}" in spring.says("ann", "show").words


def test_a_round_robin_lets_all_meet(shared: GameServer) -> None:
    fall = gathered(shared, "Fall", "ann2", "bob2", "cat2")
    created = fall.says("ann2", "create ann2 secret Fall -roundrobin --nagtime=12h --forfeittime=3")
    assert "reminded after 12 hours and forfeit after 3 days" in created.words
    fall.join()
    fall.players["ann2"].says("superbo tournament start ann2 secret fall")
    met = set()
    byes = []
    for number in (1, 2, 3):
        (seated,) = fall.hear_round(number)
        met.add(frozenset(seated.players))
        byes += fall.byes()
        fall.resigns(seated, max(seated.players))
    assert len(met) == len(set(byes)) == 3
    table = rows(fall.hear_end()["cat2"])
    assert [row[:3] for row in table] == [["1", "ann2", "3"], ["2", "bob2", "2"], ["3", "cat2", "1"]]


def test_boards_of_a_tournament_are_told_from_others(shared: GameServer) -> None:
    cup = gathered(shared, "cup", "ann3", "bob3")
    cup.says("ann3", "create ann3 secret cup")
    cup.join()
    cup.players["ann3"].says("superbo tournament start ann3 secret cup")
    (seated,) = cup.hear_round(1)
    cup.players["ann3"].says("superbo challenge bob3")
    other = cup.players["ann3"].hears().subject.split()[3]
    cup.players["bob3"].hears()
    cup.players["bob3"].says("games ann3 tournament")
    listed = cup.players["bob3"].hears().text
    assert seated.number in listed
    assert other not in listed
    cup.players["bob3"].says("games ann3 standard")
    listed = cup.players["bob3"].hears().text
    assert other in listed
    assert seated.number not in listed


def test_who_has_created_one_and_does_not_join_is_told_of_the_start(shared: GameServer) -> None:
    host = shared.player("host4")
    hosted = gathered(shared, "hosted", "ann4", "bob4")
    host.says("superbo tournament create host4 secret hosted")
    host.hears()
    hosted.join()
    host.says("superbo tournament start host4 secret hosted")
    told = host.hears()
    assert told.subject == "superbo Tournament hosted round 1"
    assert "The round has begun, and the players have been told." in told.words
    assert "To leave the tournament" not in told.text
    hosted.hear_round(1)


def test_who_leaves_the_server_withdraws(shared: GameServer) -> None:
    cup = gathered(shared, "leaving", "ann5", "bob5", "cat5")
    cup.says("ann5", "create ann5 secret leaving")
    cup.join()
    cup.players["cat5"].says("signoff cat5 secret")
    cup.players["cat5"].answers(cup.players["cat5"].hears(), "yes")
    assert "farewell" in cup.players.pop("cat5").hears().text
    shown = cup.says("ann5", "show leaving")
    assert "bob5" in shown.text
    assert "cat5" not in shown.text


def test_in_a_mamba_tournament_no_lots_are_drawn(shared: GameServer) -> None:
    cup = gathered(shared, "snakes", "ann6", "bob6")
    cup.game = "mamba"
    cup.says("ann6", "create ann6 secret snakes")
    cup.join()
    cup.players["ann6"].says("mamba tournament start ann6 secret snakes")
    (seated,) = cup.hear_round(1)
    assert seated.players == ("ann6", "bob6")
    assert "It's ann6's move." in cup.boards["bob6"].text
    assert "at random" not in cup.boards["bob6"].text
    assert "A tournament board cannot be declined" in cup.boards["bob6"].words


def test_a_tournament_that_nobody_has_joined_is_called_off(shared: GameServer) -> None:
    ann = shared.player("ann7")
    ann.says("superbo tournament create ann7 secret lonely")
    ann.hears()
    ann.says("superbo tournament withdraw ann7 secret lonely")
    assert "lonely is called off" in ann.hears().words
    ann.says("superbo tournament show lonely")
    assert "It was called off before it began." in ann.hears().words
    ann.says("superbo tournament show")
    assert "Called off." in ann.hears().words


def test_one_may_leave_and_come_back_before_the_start(shared: GameServer) -> None:
    cup = gathered(shared, "undecided", "ann8", "bob8")
    cup.says("ann8", "create ann8 secret undecided")
    cup.join()
    assert "until it begins you can join it again" in cup.says("bob8", "withdraw bob8 secret undecided").words
    assert "bob8" not in cup.says("ann8", "show undecided").text
    assert "You take part" in cup.says("bob8", "join bob8 secret UNDECIDED").words


def test_who_takes_no_challenges_may_join(shared: GameServer) -> None:
    cup = gathered(shared, "shy", "ann12", "bob12")
    cup.players["bob12"].says("superbo reject bob12 secret")
    cup.players["bob12"].hears()
    cup.says("ann12", "create ann12 secret shy")
    cup.join()
    cup.players["ann12"].says("superbo tournament start ann12 secret shy")
    assert len(cup.hear_round(1)) == 1


def test_anybody_may_look(shared: GameServer) -> None:
    ann, stranger = shared.player("ann13"), shared.person("stranger13")
    ann.says("superbo tournament create ann13 secret public")
    ann.hears()
    stranger.says("superbo tournament show PUBLIC")
    shown = stranger.hears()
    assert shown.subject == "superbo Tournament public"
    assert "nobody has joined it" in shown.words
    assert "This is a Swiss tournament, created by ann13." in shown.words
    stranger.says("superbo tournament")
    assert "public: Swiss, created by ann13. 0 entrants. Open" in stranger.hears().words
    ann.says("superbo tournament show public")
    assert "This is a Swiss tournament, created by you." in ann.hears().words
    ann.says("superbo tournament")
    assert "public: Swiss, created by you. 0 entrants. Open" in ann.hears().words


@pytest.mark.postgresql
def test_a_round_begins_once_after_the_server_was_killed(running: RunningServer) -> None:
    """The operator ends the last board while the server is down."""
    cup = gathered(running, "crash", "ann", "bob", "cat", "dan")
    cup.says("ann", "create ann secret crash")
    cup.join()
    cup.players["ann"].says("superbo tournament start ann secret crash")
    first, other = cup.hear_round(1)
    cup.resigns(first, first.players[1])
    running.kill()
    done(running.folder, "boards", "end", other.number, "--winner", other.players[0])
    running.start()
    for userid in other.players:
        assert "The operator of this server ended the game." in cup.players[userid].hears().words
    assert len(cup.hear_round(2)) == 2
    running.kill()
    running.start()
    for userid in cup.players:
        assert "Round 2 of 2 is being played." in cup.says(userid, "show crash").text
    cup.hears_nothing_more()


REFUSALS = [
    ("create ann9 secret two words", "The name of a tournament is one word"),
    ("create ann9 secret späte", "cannot be the name of a tournament"),
    ("create ann9 secret OPEN9", "tournament called open9"),
    ("create ann9 secret new9 -swiss -roundrobin", "either -swiss or -roundrobin"),
    ("create ann9 secret new9 -roundrobin -rounds=3", "leave out -rounds"),
    ("create ann9 secret new9 -rounds=0", "from 1 to 20"),
    ("create ann9 secret new9 -rounds", "from 1 to 20"),
    ("create ann9 secret new9 -colour=red", "no option -colour"),
    ("create ann9 secret new9 -nagtime=9 -forfeittime=2", "nag"),
    ("create ann9 secret new9 -unrated", "it is for a challenge or a seek"),
    ("create ann9 secret new9 -pair", "it is for challenging a player by name"),
    ("create ann9 secret new9 -roundrobin=off", '-roundrobin takes no value; please write it without "=off"'),
    ("create", "name"),
    ("join ann9 secret open9", "have already joined the tournament open9"),
    ("join ann9 secret opne9", "Did you mean open9"),
    ("join ann9 secret zzz", "is not a tournament of superbo"),
    ("join ann9 secret running9", "has already begun"),
    ("join ann9 secret over9", "is over"),
    ("start ann9 secret open9", "Only one player has joined"),
    ("start bob9 secret open9", "Only ann9, who created"),
    ("start ann9 secret running9", "has already begun"),
    ("start ann9 secret over9", "is over"),
    ("withdraw bob9 secret open9", "do not take part"),
    ("withdraw ann9 secret over9", "is over"),
    ("show nowhere", "is not a tournament of superbo"),
    ("show open9 over9", "complete before"),
    ("jump open9", "create"),
]


@pytest.fixture(scope="module")
def refusing(shared: GameServer) -> Field:
    """Ann and Bob, and a tournament of each state."""
    cups = gathered(shared, "open9", "ann9", "bob9")
    for name in ("over9", "running9"):
        cups.name = name
        cups.says("ann9", f"create ann9 secret {name}")
        cups.join()
        cups.players["ann9"].says(f"superbo tournament start ann9 secret {name}")
        (seated,) = cups.hear_round(1)
        if name == "over9":
            cups.resigns(seated, "bob9")
            cups.hear_end()
    cups.says("ann9", "create ann9 secret open9")
    cups.says("ann9", "join ann9 secret open9")
    return cups


@pytest.mark.parametrize(("words", "why"), REFUSALS, ids=[words for words, _ in REFUSALS])
def test_what_cannot_be_is_refused_with_its_reason(refusing: Field, words: str, why: str) -> None:
    userid = "bob9" if "bob9" in words else "ann9"
    refusal = refusing.says(userid, words)
    assert refusal.subject == "superbo error"
    assert why in refusal.words
    assert "secret" not in refusal.text
    assert form("tournament") in refusal.text


def test_only_a_few_may_be_announced_at_once(shared: GameServer) -> None:
    ann = shared.player("ann10")
    for name in ("one", "two", "three", "four"):
        ann.says(f"superbo tournament create ann10 secret {name}-10")
        answer = ann.hears()
    assert "3 tournaments that have not begun" in answer.words


def test_without_proof_nothing_happens_before_the_answer(shared: GameServer) -> None:
    ann = shared.player("ann11")
    ann.says("superbo tournament create asked")
    question = ann.hears()
    ann.says("superbo tournament show asked")
    assert "is not a tournament of superbo" in ann.hears().words
    ann.answers(question, "yes")
    assert "You have created the superbo tournament asked." in ann.hears().words
