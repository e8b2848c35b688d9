"""The daily mail: boards drawn and in lines, with what was written there."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from pbem.domain.boards import Board
from pbem.domain.events import BY_CLOCK, BY_OPERATOR, EventKind
from pbem.domain.mails import Notice
from pbem.domain.offers import settlements
from pbem.ids import BoardNumber
from pbem.wording.layout import WIDTH
from pbem.wording.mails import MOST_PICTURES, RenderedMail
from tests.wording.sample_mails import ALICE, AT, REPLY_TO, WORDING, facts, played


def news(seed: int, *comments: str, turns: int = 4, number: int = 101, **more: Any) -> dict[str, Any]:
    said = [{"writer": "bob", "text": text} for text in comments]
    board = replace(played("superbo", turns, seed), number=BoardNumber(number))
    return facts(board, ALICE) | {"comments": said, "is_new": False, "moves": 2, "settlements": []} | more


def digest(
    boards: list[dict[str, Any]],
    rows: list[dict[str, Any]],
    reply_to: str | None = None,
    still: list[dict[str, Any]] | None = None,
) -> RenderedMail:
    told = {"player": ALICE, "boards": boards, "rows": rows, "waiting": len(boards), "still": still or []}
    return WORDING.render(Notice("digest", ALICE, told), reply_to)


@pytest.mark.parametrize(("waiting", "subject"), [(0, "none waits"), (1, "1 waits"), (2, "2 wait")])
def test_the_subject_counts_the_boards_that_wait(waiting: int, subject: str) -> None:
    words = digest([news(seed, number=101 + seed) for seed in range(waiting)], [news(7)])
    assert words.subject == f"Your boards: {subject} for you"


@pytest.mark.parametrize(
    ("drawn", "still", "subject", "told"),
    [
        (0, 1, "1 waits", "my last mail. One more board is waiting for you, but has no news; you'll find it at"),
        (1, 2, "3 wait", "one other board. 2 more boards are waiting for you, but have no news; you'll find them"),
    ],
)
def test_boards_that_wait_and_have_no_news_have_a_line_each(drawn: int, still: int, subject: str, told: str) -> None:
    old = [facts(replace(offered(1), number=BoardNumber(201)), ALICE) | {"since": AT}, news(4, number=202, since=AT)]
    words = digest([news(1)] * drawn, [news(7, number=103)], still=old[:still])
    assert words.subject == f"Your boards: {subject} for you"
    assert told in " ".join(words.body.split())
    assert "None of your boards" not in words.body
    lines = " ".join(words.body.partition("Still waiting for you:")[2].split())
    assert "- superbo Board 201: alice - bob; for your answer since Fri 1 May 2026, 12:00 UTC" in lines
    assert ("- superbo Board 202: alice - bob; your turn since Fri 1 May 2026" in lines) == (still == 2)


def test_each_board_is_followed_by_what_was_written_there_and_by_nothing_else() -> None:
    words = digest([news(1, "first", "second"), news(2, number=102)], [news(3, "third"), news(4)])
    drawn, other, lines = (part.strip() for part in words.body.split(f"\n{'=' * WIDTH}\n")[1:])
    assert drawn.index("bob writes:\n\n  first\n") < drawn.index("bob writes:\n\n  second")
    assert "bob writes:" not in other
    assert lines.count("bob writes:") == 1
    assert lines.count(". 2 new moves. It") == 2
    assert words.html is not None
    assert words.html.count(">bob writes:</p>") == 3


def test_only_where_one_board_waits_an_answer_says_which_is_meant() -> None:
    answer = "Answer this mail with your move, for example:  "
    assert re.search(rf"^{answer}[A-Z]+\d", digest([news(1)], [], REPLY_TO).body, re.MULTILINE)
    several = digest([news(1), news(1, number=102)], []).body
    assert re.findall(rf"^{answer}(\d+) [A-Z]+\d", several, re.MULTILINE) == ["101", "102"]
    assert "Anything you write below it" not in several


def test_an_answer_takes_a_line_for_each_board() -> None:
    several = digest([news(1), news(1, number=102)], []).body
    assert re.search(r"^To move, reply with one line per board, for example:  101 [A-Z]+\d", several, re.MULTILINE)
    assert "one line per board" not in digest([news(1)], []).body


def test_many_boards_have_few_pictures_and_are_all_drawn() -> None:
    words = digest([news(seed, number=101 + seed) for seed in range(MOST_PICTURES + 2)], [])
    assert len(words.pictures) <= MOST_PICTURES
    assert words.body.count("Summary of superbo Board ") == MOST_PICTURES + 2


def offered(by: int, kind: str = "draw") -> Board:
    """101 after four moves, where something is offered and it is Alice's turn."""
    return played("superbo", 4).with_event(EventKind.OFFER, by, AT, {"of": kind, "back_to": 3})


@pytest.mark.parametrize(
    ("board", "now"),
    [
        (offered(1), "bob offers a draw and is waiting for your answer."),
        (offered(1, "undo"), "bob asks to take a move back and is waiting for your answer."),
        (offered(0), "Your offer of a draw is waiting for an answer."),
        (offered(0, "undo"), "Your request to take a move back is waiting for an answer."),
        (offered(0).with_event(EventKind.DRAW, 1, AT), "A tie: the players have agreed on a draw."),
        (offered(0).with_event(EventKind.DRAW, 1, AT, BY_CLOCK), "A tie: nobody refused the draw in time."),
        (
            played("superbo", 4).with_event(EventKind.DRAW, 1, AT, BY_OPERATOR),
            "A tie: the operator has ended the game.",
        ),
    ],
)
def test_a_line_says_what_is_open_and_why_it_is_a_tie(board: Board, now: str) -> None:
    row = facts(board, ALICE) | {"comments": [], "is_new": False, "moves": 0, "settlements": settlements(board.played)}
    assert f"superbo Board 101: alice - bob. {now}" in " ".join(digest([], [row]).body.split())


@pytest.mark.parametrize(
    ("board", "told"),
    [
        (offered(0).with_event(EventKind.REFUSAL, 1, AT), "bob refused your offer of a draw."),
        (offered(0, "undo").with_event(EventKind.REFUSAL, 1, AT), "bob refused your request to take a move back."),
        (offered(1).with_event(EventKind.REFUSAL, 0, AT), "You refused the draw that bob offered."),
        (
            offered(1, "undo").with_event(EventKind.REFUSAL, 0, AT),
            "You refused the request of bob to take a move back.",
        ),
        (
            offered(0).with_event(EventKind.REFUSAL, 1, AT, BY_CLOCK),
            "Nobody answered your offer of a draw in time, so it counts as refused.",
        ),
        (
            offered(0, "undo").with_event(EventKind.REFUSAL, 1, AT, BY_CLOCK),
            "Nobody answered your request to take a move back in time, so it counts as refused.",
        ),
        (offered(0).with_event(EventKind.REFUSAL, 0, AT), "You have withdrawn your offer of a draw."),
        (
            offered(0, "undo").with_event(EventKind.REFUSAL, 0, AT),
            "You have withdrawn your request to take a move back.",
        ),
        (offered(1).with_event(EventKind.REFUSAL, 1, AT), "bob has withdrawn the offer of a draw."),
        (
            offered(1, "undo").with_event(EventKind.UNDO, 0, AT, {"back_to": 3}),
            "You agreed that bob takes a move back.",
        ),
        (
            offered(0, "undo").with_event(EventKind.UNDO, 1, AT, {"back_to": 3}),
            "bob agreed that you take a move back.",
        ),
        (played("superbo", 4).with_event(EventKind.UNDO, 0, AT, {"back_to": 3}), "You took a move back."),
    ],
)
def test_what_has_become_of_an_offer_is_told_in_lines_and_at_drawn_boards(board: Board, told: str) -> None:
    seen = facts(board, ALICE) | {"comments": [], "is_new": False, "moves": 0, "settlements": settlements(board.played)}
    assert told in " ".join(digest([], [seen]).body.split())
    assert told in " ".join(digest([seen], []).body.split())


def test_a_line_of_a_game_that_is_over_says_what_it_does_to_the_ratings() -> None:
    board = played("superbo", 4).with_event(EventKind.RESIGNATION, 0, AT)
    seen = facts(board, ALICE) | {"comments": [], "is_new": False, "moves": 0, "settlements": []}
    assert "Won by bob, by resignation. This game was not rated." in " ".join(digest([], [seen]).body.split())


def test_a_new_challenge_can_be_declined() -> None:
    assert "resign <board>" in digest([], [news(1, is_new=True, moves=0)]).body
    assert "resign <board>" not in digest([], [news(1)]).body
    assert "resign <board>" not in digest([], [news(1, is_new=True, plays=False)]).body


@pytest.mark.parametrize(
    ("plays", "where"),
    [
        ((True, True), "on your boards since"),
        ((False,), "on boards that you watch since"),
        ((True, False), "on your boards and on those that you watch since"),
    ],
)
def test_whose_boards_they_are_is_told_as_it_is(plays: tuple[bool, ...], where: str) -> None:
    assert f"This has happened {where}" in digest([], [news(1, plays=each) for each in plays]).body.replace("\n", " ")
