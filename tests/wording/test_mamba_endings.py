"""Mails about the end of a game of Mamba, and about players who leave or decline."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from pbem.domain.administration import obstacle
from pbem.domain.boards import TournamentPlace
from pbem.domain.events import BY_OPERATOR, EventKind
from pbem.domain.players import Player
from pbem.games.game import Ending, Outcome
from pbem.games.mamba.game import MAMBA
from pbem.ids import TournamentId
from pbem.wording.layout import WIDTH
from tests.games.mamba.playing import after, placed
from tests.wording.mamba import (
    ALICE,
    BOB,
    CAROL,
    DAVE,
    course_of,
    facts,
    mail,
    mail_about,
    played,
    position_of,
    seated,
    sentences,
)
from tests.wording.sample_mails import AT, MailHtml, html_of

MOST = "had the most pieces"


@pytest.mark.parametrize(
    ("ending", "winners", "said"),
    [
        (Ending.LAST_IN_PLAY, (1,), "bob won. All other players are out."),
        (
            Ending.LAST_IN_PLAY,
            (0, 2),
            "You won, together with carol! The other team has nobody left in play.",
        ),
        (
            Ending.ALL_OUT,
            (1,),
            "bob won. All remaining players went out together. Before that bob had the most pieces.",
        ),
        (
            Ending.ALL_OUT,
            (),
            (
                "The game is a tie. All remaining players went out together, and none of them had more pieces than"
                " the others."
            ),
        ),
        (
            Ending.REPETITION,
            (),
            "The game is a tie. The same position came up for the third time with the same player to move.",
        ),
        (
            Ending.QUIET,
            (),
            "The game is a tie. For 30 rounds no piece was laid, taken off or turned.",
        ),
        (
            Ending.ALL_OUT,
            (0,),
            "You won! All remaining players went out together. Before that you had the most pieces.",
        ),
        (Ending.ROUNDS, (0,), f"You won! All 20 agreed rounds are over. You {MOST}."),
        (Ending.ROUNDS, (2,), f"carol won. All 20 agreed rounds are over. carol {MOST}."),
        (
            Ending.ROUNDS,
            (1, 3),
            (f"bob and dave won. All 20 agreed rounds are over. bob and dave {MOST}, by their better member."),
        ),
        (
            Ending.ROUNDS,
            (),
            "The game is a tie. All 20 agreed rounds are over, and nobody had more pieces than the others.",
        ),
        (Ending.LEFT, (0,), "You won! All others have left the game."),
    ],
)
def test_every_end_is_told(ending: Ending, winners: tuple[int, ...], said: str) -> None:
    start = MAMBA.begin({"rounds": 20}, 4)
    over = replace(start, ply=9, outcome=Outcome(winners, ending))
    words = mail_about(over)
    assert words.subject == "mamba Board 101"
    assert f" {said} This game was not rated." in sentences(words)
    assert "turn" not in sentences(words).partition("The players:")[0].replace("turned", "")
    assert "can move to" not in words.body
    assert max(map(len, words.body.split("\n"))) <= WIDTH


def test_a_game_that_ends_by_play_says_so() -> None:
    over = after(placed("A: a1 a3 a5 a7 c9 B: e5 e7 g1 g3 g5", on_turn="A"), "move c9-c8").leave(1)
    assert over.outcome is not None
    last = after(placed("A: a1 a3 a5 a7 c9 B: e5 e7 g1 g3", on_turn="A"), "move c9-c8")
    words = mail_about(last)
    assert "You won! bob is out." in sentences(words)
    assert "alice won. You are out." in sentences(mail_about(last, BOB))
    assert "alice won. bob is out." in sentences(mail_about(last, CAROL))
    assert "- B (bob) is out with 4 pieces; off the board: e5 e7 g1 g3." in sentences(words)
    (picture,) = MailHtml(html_of(words)).pictures
    assert (picture["alt"] or "").endswith(" The game is over: won by alice.")


def test_the_others_hear_who_has_declined_and_that_they_begin_anew() -> None:
    before = played(seated(4, first=1), 2)
    board = before.with_decline(ALICE.id, AT, restarts=True)
    told = {"decliners": [ALICE], "before": before, "why_over": None}
    words = mail(board, CAROL, "declined", more=told)
    starts = board.seats[board.first].userid
    assert words.subject == f"mamba Board 101 {starts}"
    assert (
        "alice has declined to play. The game begins anew with 3 players, at new edges. The moves made so far"
        f" are gone. {starts} begins; that is not drawn again. It's {starts}'s move."
    ) in sentences(words)
    assert "- A bob, on the left - B carol (you), at the top - C dave, on the right" in sentences(words)
    assert "A has 7: a4 a5 a6 b5" not in words.body
    assert "A has 7: a4 a6 b4 b5 b6 c4 c6 (bob)" in words.body
    assert "drawn at random" not in words.body
    first = {"bob": BOB, "carol": CAROL, "dave": DAVE}[starts]
    theirs = mail(board, first, "declined", more=told).body
    assert f"Your move, {starts}." in theirs
    assert "If you would rather not play" not in theirs
    for waiting in {BOB, CAROL, DAVE} - {first}:
        assert (
            "If you would rather not play, answer this mail with: resign (Before your first move, this only declines"
            " the challenge; the others then begin anew without you.)"
        ) in sentences(mail(board, waiting, "declined", more=told))


def test_where_nobody_has_moved_no_moves_are_gone_and_two_do_not_begin_anew_without_one() -> None:
    before = seated(3)
    board = before.with_decline(ALICE.id, AT, restarts=True)
    words = mail(board, CAROL, "declined", more={"decliners": [ALICE], "before": before, "why_over": None})
    assert "at new edges. bob begins" in sentences(words)
    assert "(Before your first move, this only declines the challenge.)" in sentences(words)
    assert "the others then" not in sentences(words)


@pytest.mark.parametrize(
    ("reader", "said"),
    [
        (ALICE, "You have declined to play. bob had announced a resignation and has declined, too. You are off"),
        (
            BOB,
            (
                "alice has declined to play. You had announced that you would resign, so you have declined, too."
                " You are off the board, and nothing is rated for you."
            ),
        ),
        (
            CAROL,
            (
                "alice has declined to play. bob had announced a resignation and has declined, too."
                " The game begins anew with 2 players"
            ),
        ),
    ],
    ids=["who declines", "who had announced it", "who stays"],
)
def test_all_hear_of_who_had_announced_to_resign_before_another_declined(reader: Player, said: str) -> None:
    before = seated(4)
    board = before.with_decline(ALICE.id, AT, restarts=True).with_decline(BOB.id, AT, restarts=True)
    more = {"decliners": [ALICE, BOB], "before": before, "why_over": None}
    assert said in sentences(mail(board, reader, "declined", more=more))


def test_whom_the_operator_takes_off_a_board_has_not_declined() -> None:
    before = seated(4)
    more = {"decliners": [ALICE, BOB], "before": before, "why_over": None}
    board = before.with_decline(ALICE.id, AT, restarts=True, by=BY_OPERATOR)
    board = board.with_decline(BOB.id, AT, restarts=True)
    mine = sentences(mail(board, ALICE, "declined", None, more=more))
    assert "The operator of this server has taken you off this board. bob had announced a resignation" in mine
    assert "declined, too. Nothing is rated for you." in mine
    other = sentences(mail(board, CAROL, "declined", more=more))
    assert "The operator of this server has taken alice off this board. bob had announced" in other
    over = before.with_decline(ALICE.id, AT, restarts=False, by=BY_OPERATOR)
    for reader, who in ((ALICE, "you"), (BOB, "alice")):
        said = sentences(mail(over, reader, "declined", more={**more, "decliners": [ALICE]}))
        taken = f"The operator of this server has taken {who} off this board."
        assert f"{taken} The board has been taken off the lists" in said
    shown = sentences(mail(over, BOB, "board"))
    assert "The operator of this server has taken alice off this board." in shown
    assert "declined" not in shown


def test_a_board_of_teams_is_over_when_one_declines_and_says_why() -> None:
    before = seated(4, "teams")
    why_over = obstacle(before, MAMBA, ALICE.id)
    board = before.with_decline(ALICE.id, AT, restarts=False)
    for reader in (ALICE, BOB):
        words = mail(board, reader, "declined", more={"decliners": [ALICE], "before": before, "why_over": why_over})
        assert (
            "declined to play. -teams needs four players, two against two, but there are 3."
            " The board has been taken off the lists, and no ratings change."
        ) in sentences(words)
    new = sentences(mail(before, BOB, "new_board"))
    assert "this only declines the challenge; the board is then over for all of you." in new
    assert "anew" not in new


def test_who_has_declined_hears_that_he_is_off() -> None:
    before = seated(3)
    board = before.with_decline(BOB.id, AT, restarts=True)
    words = mail(board, BOB, "declined", None, more={"decliners": [BOB], "before": before, "why_over": None})
    assert sentences(words) == (
        "Summary of mamba Board 101 You have declined to play. You are off the board, and nothing is rated for"
        " you. The others have been told and begin anew without you."
    )
    assert words.html is None


@pytest.mark.parametrize(("players", "told"), [(2, "The other player has been told."), (4, "The other players have")])
def test_a_challenge_that_nobody_is_left_for_is_off_the_lists(players: int, told: str) -> None:
    before = seated(players)
    board = before.with_decline(ALICE.id, AT, restarts=False)
    more = {"decliners": [ALICE], "before": before, "why_over": None}
    assert f"The board has been taken off the lists, and no ratings change. {told}" in (
        sentences(mail(board, ALICE, "declined", more=more))
    )
    other = sentences(mail(board, BOB, "declined", more=more))
    assert "alice has declined to play. The board has been taken off the lists, and no ratings change." in other
    assert told not in other


def test_a_resignation_that_ends_the_game_is_told() -> None:
    board = played(seated(2), 4)
    leaving = position_of(board).on_turn
    words = mail(board.with_event(EventKind.RESIGNATION, leaving, AT), ALICE)
    said = sentences(words)
    assert ("bob won. You resigned.", "You won! bob resigned.")[leaving] in said
    name = ("alice (you)", "bob")[leaving]
    assert re.search(rf"{re.escape(name)}, (?:at|on) the \w+, out: resigned", said)


def test_a_table_names_all_who_have_won_or_must_act() -> None:
    board = seated(4, "teams")
    won = replace(MAMBA.begin({"teams": True}, 4), outcome=Outcome((1, 3), Ending.LAST_IN_PLAY))
    on = facts(seated(4), course_of(MAMBA.begin({}, 4)), None)
    rows = [each | {"since": AT} for each in (facts(board, course_of(won), None), on)]
    more = {"rows": rows, "now": AT, "more": False, "shares": False, "which": "all", "userids": (), "game_name": None}
    body = mail(board, ALICE, "table_of_boards", more=more).body
    assert "alice - bob - carol - dave: won by bob and dave -teams\n" in body
    assert re.search(r"      0  alice       .*  alice - bob - carol - dave\n", body)


def test_a_table_tells_the_place_of_a_board_in_its_tournament() -> None:
    board = replace(seated(2), tournament=TournamentPlace(TournamentId(1), "spring", 1, "A1"))
    row = facts(board, course_of(MAMBA.begin({}, 2)), None) | {"since": AT}
    more = {
        "rows": [row],
        "now": AT,
        "more": False,
        "shares": False,
        "which": "tournament",
        "userids": (),
        "game_name": None,
    }
    assert "  alice - bob (A1 of spring)\n" in mail(board, ALICE, "table_of_boards", more=more).body
