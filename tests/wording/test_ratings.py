"""Mails about ratings, and the tables of players and of their games."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from pbem.domain.game_state import BoardEnding, Result
from pbem.domain.mails import Notice
from pbem.domain.players import Standing, Vacation
from pbem.domain.preferences import Preferences
from pbem.domain.ratings import FinishedBoard, Ranked, Ranks, Rating, RatingChange, Reliability, Score, Seen, Standings
from pbem.ids import BoardNumber, PlayerId
from pbem.usecases.ratings import Rated
from pbem.wording.layout import WIDTH
from tests.wording.sample_mails import ALICE, AT, WORDING, facts, played

DAY = timedelta(days=1)
LONG = "w" * 32
NONE = Ranks((), more=False)


def change(userid: str, before: int, after: int, games: int = 30, score: Score = Score.TIE) -> RatingChange:
    return RatingChange(PlayerId(1), userid, before, after, games, score, AT)


UP, DOWN, SAME = change("alice", 1650, 1662), change("bob", 1700, 1688), change("carol", 1500, 1500)
NEW, LAST = change("alice", 1600, 1590, games=18), change("bob", 1600, 1590, games=19)


def said(rated: Rated | None, ending: BoardEnding = BoardEnding.RESIGNED, **preferences: str) -> str:
    """The words about ratings in the last mail of a board, behind how the game has ended."""
    reader, board = replace(ALICE, preferences=Preferences(**preferences)), played("superbo", 3)
    told = facts(board, reader)
    course = replace(told["course"], result=Result((1,) if ending is BoardEnding.RESIGNED else (), ending, 0))
    told = {**told, "course": course, "to_act": None, "readers_turn": False, "ratings": rated}
    notice = Notice("boards", reader, {"boards": [{**told, "past": False}], "more": False})
    status = WORDING.render(notice).body.partition("Summary of")[2].partition("\n\n")[2].partition("\n\n")[0]
    assert max(map(len, status.splitlines())) <= WIDTH
    return re.split(r"(?:resigned|to play|annulled this board)\.", " ".join(status.split()), maxsplit=1)[1].strip()


ALONE = "Board 102, the other board of this pair, is rated alone."
RATED = [
    (Rated(), "This game was not rated."),
    (
        Rated((UP, DOWN, SAME)),
        (
            "Your rating went up from 1650 to 1662. bob's rating went down from 1700 to 1688."
            " carol's rating stays at 1500."
        ),
    ),
    (
        Rated((DOWN, UP)),
        "Your rating went up from 1650 to 1662. bob's rating went down from 1700 to 1688.",
    ),
    (Rated((NEW, LAST)), "Your rating is 1590 (provisional). bob's rating went down from 1600 to 1590."),
    (
        Rated((UP,), BoardNumber(102)),
        (
            "This game was rated together with board 102, the other board of this pair. "
            "Your rating went up from 1650 to 1662."
        ),
    ),
    (
        Rated((), BoardNumber(102), waits=True),
        "This game will be rated together with board 102, the other board of this pair, when that is over.",
    ),
    (
        Rated((UP,), BoardNumber(102), pair_alone=True),
        f"This game was not rated. {ALONE} Your rating went up from 1650 to 1662.",
    ),
    (Rated((), BoardNumber(102), pair_alone=True), f"This game was not rated. {ALONE}"),
]
FOR_PROGRAMS = [
    (Rated(), "This game was not rated."),
    (
        Rated((UP, DOWN, SAME)),
        (
            "alice's rating went up from 1650 to 1662. bob's rating went down from 1700 to 1688."
            " carol's rating stays at 1500."
        ),
    ),
    (Rated((NEW, LAST)), "alice's rating is 1590 (provisional). bob's rating went down from 1600 to 1590."),
    (
        Rated((UP,), BoardNumber(102)),
        ("It is rated together with board 102, the other one of the pair: alice's rating went up from 1650 to 1662."),
    ),
    (
        Rated((), BoardNumber(102), waits=True),
        "It is rated together with board 102, the other one of the pair, when that is over.",
    ),
    (
        Rated((UP,), BoardNumber(102), pair_alone=True),
        (
            "This game was not rated, and this leaves the other board of the pair, 102, to be rated alone:"
            " alice's rating went up from 1650 to 1662."
        ),
    ),
    (
        Rated((), BoardNumber(102), pair_alone=True),
        "This game was not rated. Board 102, the other one of the pair, is rated alone if it is played.",
    ),
]


@pytest.mark.parametrize(("rated", "sentences"), RATED)
def test_a_game_that_is_over_says_what_it_has_done_to_the_ratings(rated: Rated, sentences: str) -> None:
    assert said(rated) == sentences


@pytest.mark.parametrize(("rated", "sentences"), FOR_PROGRAMS)
def test_programs_read_of_ratings_in_the_words_that_they_know(rated: Rated, sentences: str) -> None:
    assert said(rated, layout="classic") == sentences


@pytest.mark.parametrize("ending", [BoardEnding.DECLINED, BoardEnding.ANNULLED])
def test_a_game_that_was_none_is_not_even_called_unrated(ending: BoardEnding) -> None:
    assert said(Rated(), ending) == said(None, ending) == ""


def written(name: str, **told: object) -> str:
    """A notice in words; no line of it is too long."""
    body = WORDING.render(Notice(name, ALICE, told)).body
    assert all(len(line) <= WIDTH for line in body.splitlines())
    return body


def ranked(userid: str, value: int, limit: int | None = None, seeking: int = 0) -> Ranked:
    return Ranked(userid, "superbo", Rating(value, won=1234, lost=1234, tied=1234), 123, limit, seeking)


def standings(*, shares: bool = False, robots: Sequence[str] = (), **tables: Standings) -> str:
    told = {"established": 20, "active_days": 90, "shares": shares, "robots": robots}
    return written("standings", game_name=None, variant="", variants=(), tables=tables, **told)


def test_standings_of_players_with_long_names_keep_the_width() -> None:
    rows = (ranked(LONG, 1800, 1000, 100), replace(ranked("bob", 0), rating=Rating(), boards=0, seeking=2))
    body = standings(superbo=Standings(Ranks(rows, more=True), NONE, Ranks(rows[1:], more=False)))
    assert f"      1 {LONG}   1800 1234 1234 1234  123/1000   100\n" in body
    assert f"      2 {'bob':<32}    new    0    0    0       0/-     2\n" in body
    assert body.count("... and more than fit here.") == 1
    assert "Provisional" not in body
    assert "Inactive (no board in the last 90 days):" in body


def test_standings_lead_from_a_game_to_its_variants_and_back() -> None:
    told = {
        "established": 20,
        "active_days": 90,
        "shares": False,
        "robots": ["robot2"],
        "variants": ("mamba", "mamboa"),
    }
    rows = Ranks((replace(ranked("bob", 1700), game="mambo", variant="mamba"),), more=False)
    table = Standings(NONE, rows, NONE, "mambo", "mamba")
    body = written("standings", game_name="mambo", variant="mamba", tables={"mambo mamba": table}, **told)
    assert "Standings of mambo mamba" in body
    assert "The usual game:  mambo standings\n" in body
    nobody = Standings(NONE, NONE, NONE, "mambo", "mamba")
    body = written("standings", game_name="mambo", variant="mamba", tables={"mambo mamba": nobody}, **told)
    assert "To be the first:  mambo challenge -mamba <userid>\n" in body
    body = written("standings", game_name="mambo", variant="", tables={"mambo": replace(table, variant="")}, **told)
    assert "    mambo standings mamba\n    mambo standings mamboa\n" in body


def test_standings_without_anybody_say_how_to_begin() -> None:
    assert "No rated game has been finished here yet." in standings()
    nobody = standings(superbo=Standings(NONE, NONE, NONE))
    assert "Nobody has a rating in superbo yet.\nTo be the first:  superbo challenge <userid>\n" in nobody
    assert "computer" not in nobody
    computer = "Or against a computer opponent:  superbo challenge robot2\n"
    assert computer in standings(robots=["robot2", "robot3"])
    assert computer in standings(robots=["robot2", "robot3"], superbo=Standings(NONE, NONE, NONE))
    assert "Seeks:" not in nobody
    assert "who <userid>" not in nobody


@pytest.mark.parametrize(("shares", "more"), [(True, True), (True, False), (False, True)])
def test_standings_that_are_cut_for_other_commands_say_so(shares: bool, more: bool) -> None:  # parametrized
    table = Standings(NONE, Ranks((ranked("bob", 1700),), more=more), NONE)
    assert ("Send this one alone to see more." in standings(shares=shares, superbo=table)) is (shares and more)


def history(
    *players: str,
    winners: tuple[int, ...] = (),
    ending: str = "rules",
    changes: Mapping[str, RatingChange] | None = None,
    userid: str | None = "alice",
    **told: Any,
) -> str:
    """The line of one board."""
    board = FinishedBoard(BoardNumber(101), "mamba", AT, players, winners, ending, changes or {}, **told)
    body = written("history", rows=[board], more=False, userid=userid, game_name=None, shares=False)
    lines = body.partition("Result\n")[2].partition("\n\n")[0].splitlines()
    return " ".join(line.strip() for line in lines).removeprefix("101  mamba     2026-05-01  ")


def test_a_finished_board_says_how_it_went_for_a_player() -> None:
    four = ("alice", "bob", "carol", "dave")
    assert history("alice", "bob", winners=(0,)) == "won against bob; not rated"
    assert history(*four, winners=(0, 2)) == "won with carol against bob and dave; not rated"
    assert history(*four, winners=(1,), ending="forfeited") == "lost to bob (by forfeit); not rated"
    assert history(*four, ending="drawn") == "tied with bob, carol and dave (by agreement); not rated"
    assert history("alice", "alice", winners=(1,), ending="resigned") == "against oneself; not rated"
    assert history("alice", "bob", rated_with=BoardNumber(102)) == "tied with bob; rated with board 102"
    waits = history("alice", "bob", rated_with=BoardNumber(102), waits=True)
    assert waits == "tied with bob; to be rated with board 102"
    changes = {each.userid: each for each in (UP, DOWN)}
    assert history("bob", "alice", winners=(1,), changes=changes) == "won against bob; rating 1650 to 1662"
    new = {"alice": change("alice", 1600, 1800, games=0)}
    assert history("alice", "bob", winners=(0,), changes=new) == "won against bob; rating 1800"


def test_a_finished_board_says_how_it_went_for_all() -> None:
    changes = {each.userid: each for each in (UP, DOWN)}
    assert history("alice", "bob", changes=changes, userid=None) == "alice - bob: tie; alice +12, bob -12"
    won = history("alice", "bob", winners=(1,), ending="resigned", userid=None)
    assert won == "alice - bob: won by bob (by resignation); not rated"


def test_what_the_operator_has_ended_nobody_has_forfeited() -> None:
    ended = history("alice", "bob", winners=(1,), ending="forfeited", by_operator=True)
    assert ended == "lost to bob (decided by the operator); not rated"
    drawn = history("alice", "bob", ending="drawn", by_operator=True, userid=None)
    assert drawn == "alice - bob: tie (decided by the operator); not rated"


def test_boards_of_players_with_long_names_keep_the_width() -> None:
    names = [f"{number}{LONG[1:]}" for number in range(4)]
    changes = {name: change(name, 1600, 1500) for name in names}
    said = history(*names, winners=(0, 2), changes=changes, userid=None)
    assert said.endswith(f"{names[3]} -100")


def test_a_history_that_is_cut_says_how_to_see_the_rest() -> None:
    board = FinishedBoard(BoardNumber(101), "mamba", AT, ("alice", "bob"), (), "rules", {})
    for userid, game, shares, hint in (
        (None, None, False, "history <userid>"),
        (None, "mamba", False, "mamba history <userid>"),
        ("alice", None, False, "<game> history alice"),
        ("alice", None, True, "Send this one alone to see more."),
    ):
        body = written("history", rows=[board], more=True, userid=userid, game_name=game, shares=shares)
        assert "... and more than fit here.\n" in body
        assert hint in body
    assert "There are no finished boards of mamba with alice." in written(
        "history", rows=[], more=False, userid="alice", game_name="mamba", shares=False
    )


def who(
    standing: Standing = Standing.ACTIVE, pace: timedelta | None = None, finished: int = 0, **changes: object
) -> str:
    player = replace(ALICE, standing=standing, **changes)  # type: ignore[arg-type]
    games = [ranked("alice", 1700, 5, 2), replace(ranked("alice", 1600), rating=Rating(1590, won=1))]
    reliability = Reliability(finished, max(0, finished - 1))
    return written("who", player=player, now=AT, games=games, reliability=reliability, pace=pace)


def test_a_player_is_told_of_without_his_addresses() -> None:
    told = who(pace=timedelta(hours=30), finished=3, seen_on=date(2026, 5, 3))
    assert "\nHere since 2026-05-01, last seen on 2026-05-03.\n" in told
    assert "    superbo   1700                   1234 1234 1234     123/5     2\n" in told
    assert "    superbo   1590 (provisional)        1    0    0     123/-\n" in told
    assert "\nTime per move:   1 day 6 hours (the median)\n" in told
    mambo = replace(ranked("alice", 1700), game="mambo", variant="mambogo")
    reliability = Reliability(0, 0)
    told_of = written("who", player=ALICE, now=AT, games=[mambo], reliability=reliability, pace=None)
    assert "    mambo mambogo 1700                   1234 1234 1234\n" in told_of
    assert "\nFinished games:  3, 2 of them forfeited\n" in told
    assert "@" not in told
    assert "vacation" not in told
    assert "Finished games:  1, none of them forfeited\n" in who(finished=1)
    assert "Finished games:  none\n" in who()


def test_who_cannot_be_played_with_is_said_to_be_so() -> None:
    away = (Vacation(AT - 2 * DAY, AT - DAY), Vacation(AT, AT + DAY))
    assert "On vacation until Sat 2 May 2026" in who(vacations=away)
    assert "vacation" not in who(vacations=away[:1])
    assert "This player cannot play at present." in who(Standing.FROZEN)
    assert who(Standing.GONE) == who(Standing.BANNED)
    assert "This player has left the server." in who(Standing.GONE)
    assert "has not confirmed an address yet" in " ".join(
        who(addresses=(replace(ALICE.addresses[0], confirmed_at=None),)).split()
    )
    assert "Nobody here uses it" in " ".join(who(addresses=()).split())


def test_those_who_were_here_lately() -> None:
    rows = [
        Seen(LONG, date(2026, 5, 1), 1000, 100_000, 12_345, timedelta(days=17)),
        *(Seen("bob", date(2026, 4, 30), 0, 1, 0, pace) for pace in (None, timedelta(hours=30), timedelta(seconds=5))),
    ]
    body = written("who_is_here", rows=rows, more=True, days=30)
    assert f"    {LONG} 2026-05-01   1000   100000   17d    12345\n" in body
    told = [line.split()[-2:] for line in body.splitlines() if line.startswith("    bob")]
    assert told == [["-", "0"], ["30h", "0"], ["1m", "0"]]
    assert "... and more than fit here." in body
    assert "Nobody was seen" in written("who_is_here", rows=[], more=False, days=30)
