"""Ratings by mail: what a game has done to them, how players stand, what they have played, and who they are."""

from __future__ import annotations

import re

import pytest

from pbem.storage.engine import make_engine
from pbem.storage.models import RatingRow
from tests.conversations import mamba
from tests.conversations.playing import MailBoard, begin, form, seat
from tests.storage.stock import AT, put
from tests.support.mail import Mail, Person
from tests.support.server import GameServer

WON = ("b3", "c4,k5", "g2,h7", "d8,r10", "a7,v6")
"""A whole game of Superbo, won by the first seat."""

UNRATED = "\nThis game was not rated.\n"
RATED = re.compile(r"(?:Your|\S+'s) rating (?:is|stays|went) [^.]*\.")


def ask(reader: Person, line: str) -> Mail:
    reader.says(line)
    return reader.hears()


def rated(server: GameServer, userid: str, rating: int, games: int) -> None:
    """Give a player a rating from long ago, with games that were all won."""
    engine = make_engine(server.database.url)
    ((player,),) = server.database.rows("SELECT id FROM players WHERE userid = :userid", userid=userid)
    values = {"player_id": player, "game": "superbo", "rating": rating, "games": games, "won": games}
    put(engine, RatingRow, {**values, "lost": 0, "tied": 0, "last_at": AT, "idle_since": AT, "revision": 1})
    engine.dispose()


def ratings_in(mail: Mail) -> list[str]:
    return RATED.findall(mail.words)


def test_the_last_mail_of_a_game_says_what_it_has_done_to_the_ratings(server: GameServer) -> None:
    table = begin(server, "ann", "bob")
    table.play(*WON)
    won, lost = "rating is 1800 (provisional).", "rating is 1400 (provisional)."
    assert ratings_in(table.one_mail) == [f"Your {won}", f"bob's {lost}"]
    assert ratings_in(table.other_mail) == [f"Your {lost}", f"ann's {won}"]
    for mail, told in ((table.one_mail, "You won!"), (table.other_mail, "ann won.")):
        assert UNRATED not in mail.text
        assert "rating" not in mail.text.partition(told)[0]
    shown = ask(table.one, f"show {table.number}")
    assert ratings_in(shown) == ratings_in(table.one_mail)
    assert ratings_in(ask(table.one, f"show {table.number}#3")) == []


@pytest.mark.postgresql
def test_established_ratings_go_up_down_or_stay(server: GameServer) -> None:
    ann, bob, cat = (server.player(userid) for userid in ("ann", "bob", "cat"))
    for userid, rating in (("ann", 1700), ("bob", 1600)):
        rated(server, userid, rating, games=30)
    table = seat(server, ann, bob)
    table.play(*WON)
    # 32*(1 - 0.640065) = 11.52 -> 11
    assert ratings_in(table.one_mail) == [
        "Your rating went up from 1700 to 1711.",
        "bob's rating went down from 1600 to 1589.",
    ]
    assert ratings_in(table.other_mail) == [
        "Your rating went down from 1600 to 1589.",
        "ann's rating went up from 1700 to 1711.",
    ]
    table = seat(server, bob, cat)
    table.play(*WON[:4])
    table.one.answers(table.one_mail, "resign")
    table.hear()
    # against who is new K is 0; cat: 1589 + 400, and (1720 - (1711 + 1589)/2)/5 = 14
    assert ratings_in(table.one_mail) == ["Your rating stays at 1589.", "cat's rating is 2003 (provisional)."]


def test_three_players_are_rated_together(shared: GameServer) -> None:
    table = mamba.begin(shared, "ann1", "bob1", "cat1")
    table.play("move c4-e4", "move d8-c9", "move i6-i5", "resign")
    assert all(ratings_in(mail) == [] for mail in table.mails)
    table.play("resign")
    told = {"ann1": 1400, "bob1": 1400, "cat1": 1800}
    for reader, mail in zip(table.userids, table.mails, strict=True):
        assert ratings_in(mail) == [
            f"Your rating is {told[reader]} (provisional).",
            *(f"{name}'s rating is {value} (provisional)." for name, value in told.items() if name != reader),
        ]


def test_a_declined_challenge_is_not_rated(shared: GameServer) -> None:
    table = begin(shared, "ann2", "bob2")
    table.other.answers(table.other_mail, "resign")
    table.hear()
    for mail in (table.one_mail, table.other_mail):
        assert "no ratings change" in mail.words
        assert ratings_in(mail) == []
    assert "There are no finished boards with ann2." in ask(table.one, "history ann2").text


def test_a_game_against_oneself_is_not_rated(shared: GameServer) -> None:
    ann = shared.player("ann3")
    ann.says("superbo challenge ann3 ann3")
    for turn in WON:
        ann.answers(ann.hears(), turn)
    last = ann.hears()
    assert UNRATED in last.text
    assert ratings_in(last) == []
    assert "against oneself; not rated\n" in ask(ann, "history ann3").text
    assert "ann3" not in ask(ann, "superbo standings").text


def test_a_board_begun_unrated_is_not_rated(shared: GameServer) -> None:
    ann, bob = shared.player("ann6"), shared.player("bob6")
    ann.says("superbo challenge --unrated ann6 bob6")
    mails = ann.hears(), bob.hears()
    table = MailBoard(mails[0].subject.split()[3], ann, bob, *mails)
    table.play(*WON)
    assert UNRATED in table.other_mail.text
    assert ratings_in(table.other_mail) == []
    assert "ann6" not in ask(ann, "superbo standings").text


def test_a_variant_has_ratings_and_standings_of_its_own(shared: GameServer) -> None:
    ann, bob = shared.player("ann8"), shared.player("bob8")
    ann.says("mambo challenge -mambogo -size=40 ann8 bob8")
    mails = ann.hears(), bob.hears()
    table = MailBoard(mails[0].subject.split()[3], ann, bob, *mails)
    table.play("a1", "b1")
    table.one.answers(table.one_mail, "resign")
    table.hear()
    assert ratings_in(table.one_mail)[0] == "Your rating is 1400 (provisional)."
    assert "Mambogo has ratings of its own." in table.one_mail.words
    standings = ask(ann, "mambo standings mambogo")
    assert standings.subject == "mambo mambogo Standings"
    assert re.search(r"\bbob8 +1800 +1 +0 +0 ", standings.text)
    usual = ask(ann, "standings mambo").text
    assert "bob8" not in usual
    assert "    mambo standings mambogo\n" in usual
    assert "mambo mambogo 1400 (provisional)" in ask(ann, "who ann8").text
    assert "Word 3 of your command is not a variant of Mambo." in ask(ann, "mambo standings mambogu").text
    assert "All its boards are rated together." in ask(ann, "superbo standings mambogo").text


def test_a_pair_is_rated_when_its_second_board_is_over(shared: GameServer) -> None:
    ann, bob = shared.player("ann7"), shared.player("bob7")
    ann.says("superbo challenge --pair ann7 bob7")
    boards = {}
    for mail in (ann.hears(), ann.hears()):
        boards[mail.subject.split()[4]] = MailBoard(mail.subject.split()[3], ann, bob, mail, mail)
    for _ in boards:
        mail = bob.hears()
        boards[mail.subject.split()[4]].other_mail = mail
    first, second = boards["ann7"], boards["bob7"]
    first.play(*WON)
    assert (
        f"This game will be rated together with board {second.number}, the other board of this pair, when"
        in first.one_mail.words
    )
    assert ratings_in(first.one_mail) == []
    second = MailBoard(second.number, bob, ann, second.other_mail, second.one_mail)
    second.play(*WON[:4])
    second.one.answers(second.one_mail, "resign")
    second.hear()
    won, lost = "rating is 1800 (provisional).", "rating is 1400 (provisional)."
    assert ratings_in(second.one_mail) == [f"Your {lost}", f"ann7's {won}"]
    for mail in (second.other_mail, ask(ann, f"show {first.number}")):
        assert ratings_in(mail) == [f"Your {won}", f"bob7's {lost}"]
    history = ask(ann, "history ann7").text
    assert f"won against bob7; rated with board {second.number}\n" in history
    assert "won against bob7 (by resignation); rating 1800 " in " ".join(history.split())


def test_who_leaves_the_server_in_the_middle_of_a_game_loses_it(shared: GameServer) -> None:
    table = begin(shared, "ann4", "bob4")
    table.play(*WON[:2])
    table.one.says("signoff")
    table.one.answers(table.one.hears(), "yes")
    table.one.hears()
    assert ratings_in(table.other.hears()) == [
        "Your rating is 1800 (provisional).",
        "ann4's rating is 1400 (provisional).",
    ]
    answer = ask(table.other, "superbo standings").text
    assert "bob4" in answer
    assert "ann4" not in answer
    assert "This player has left the server." in ask(table.other, "who ann4").text
    assert "Finished games:  1, 1 of them forfeited" in ask(table.other, "who ann4").text


def three_games(server: GameServer) -> MailBoard:
    """Ann has won against Bob and against Cat, and Bob against Cat."""
    first = begin(server, "ann", "bob")
    first.play(*WON)
    cat = server.player("cat")
    for one in (first.one, first.other):
        seat(server, one, cat).play(*WON)
    return seat(server, first.one, cat)


def test_players_see_how_they_stand_what_they_have_played_and_who_they_are(server: GameServer) -> None:
    table = three_games(server)
    server.player("dan")
    rated(server, "dan", 1700, 20)
    reader = server.person("reader")
    for line in ("superbo standings", "SUPERBO RATINGS"):
        answer = ask(reader, line)
        assert answer.subject == "superbo Standings"
        rows = [row.split() for row in answer.text.splitlines() if re.match(r" +[0-9]+ \w", row)]
        assert [row[1] for row in rows] == ["ann", "bob", "cat", "dan"]
        assert rows[0] == ["1", "ann", "1850", "2", "0", "0", "1/-"]
        assert rows[3] == ["1", "dan", "1700", "20", "0", "0", "0/-"]
    short = ask(reader, "standings")
    assert short.subject == "pbem Standings"
    assert "Standings of superbo\n" in short.text
    assert "Standings of mamba" not in short.text
    assert "Nobody has a rating in palago yet." in ask(reader, "palago standings").text
    history = ask(reader, "superbo history bob")
    assert history.subject == "Finished superbo games of bob"
    assert [line.split()[0] for line in history.text.splitlines() if "  superbo  " in line] == ["103", "101"]
    # 1400 against 1500 of Cat: (1400*1 + 1450 + 200)/2 = 1525
    assert "won against cat; rating 1400 to 1525\n" in history.text
    assert "lost to ann; rating 1400\n" in history.text
    everything = ask(reader, "history").text
    assert "ann - bob: won by ann; ann +200, bob -200\n" in everything
    who = ask(table.one, "who ANN")
    assert who.subject == "About ann"
    assert re.search(r"Here since \d{4}-\d\d-\d\d, last seen on \d{4}-\d\d-\d\d\.\n", who.text)
    assert re.search(r"\n    superbo +1850 \(provisional\) +2 +0 +0 +1/-\n", who.text)
    assert "Finished games:  2, none of them forfeited\n" in who.text
    assert re.search(r"Time per move:   \d+ second", who.text)
    here = ask(reader, "who").text
    assert re.search(r"\n    ann +\d{4}-\d\d-\d\d +1 +2 +1m +0\n", here)
    for answer in (history, who, short):
        assert "@example.org" not in answer.text
        assert all(len(line) <= 78 for line in answer.text.splitlines())


REFUSED = {
    "standings of no game": ("poker standings", "in the place for the name of a game", None),
    "standings of whom": ("superbo standings bob", "", "standings"),
    "history of nobody": ("history nobody7", "is not the userid of any player", None),
    "history of too many": ("superbo history bob carol", "", "history"),
    "history of no game": ("poker history", "in the place for the name of a game", None),
    "who is nobody": ("who nobody7", "is not the userid of any player", None),
    "who are too many": ("who bob carol", "", "who"),
    "who of a game": ("superbo who bob", "", "who"),
}


@pytest.mark.parametrize(("line", "word", "shown"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_told_is_refused(shared: GameServer, line: str, word: str, shown: str | None) -> None:
    stranger = shared.person("stranger")
    stranger.says("", line)
    refusal = stranger.hears()
    assert refusal.subject.endswith("error")
    assert "Nothing has changed." in refusal.text
    assert word in refusal.text
    if shown:
        assert form(shown) in refusal.text


def test_who_has_only_signed_up_has_an_empty_record(shared: GameServer) -> None:
    shared.player("dan5")
    text = ask(shared.person("stranger"), "who dan5").text
    assert "Finished games:  none\n" in text
    assert "Time per move" not in text
    assert "Rating" not in text
