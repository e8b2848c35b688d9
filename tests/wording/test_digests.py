"""The daily mail: boards drawn and in lines, with what was written there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pbem.domain.notices import Notice
from pbem.ids import BoardNumber
from pbem.wording.layout import WIDTH
from pbem.wording.mails import MOST_PICTURES
from tests.wording.test_mails import ALICE, REPLY_TO, WORDING, facts, played

if TYPE_CHECKING:
    from pbem.wording.mails import Words


def news(seed: int, *comments: str, turns: int = 4, number: int = 101, **more: Any) -> dict[str, Any]:
    said = [{"writer": "bob", "text": text} for text in comments]
    board = replace(played("superbo", turns, seed), number=BoardNumber(number))
    return facts(board, ALICE) | {"comments": said, "is_new": False, "moves": 2} | more


def digest(
    boards: list[dict[str, Any]], rows: list[dict[str, Any]], reply_to: str | None = None, waiting: int | None = None
) -> Words:
    counted = len(boards) if waiting is None else waiting
    told = {"player": ALICE, "boards": boards, "rows": rows, "waiting": counted}
    return WORDING.render(Notice("digest", ALICE, told), reply_to)


@pytest.mark.parametrize(("waiting", "subject"), [(0, "none waits"), (1, "1 waits"), (2, "2 wait")])
def test_the_subject_counts_the_boards_that_wait(waiting: int, subject: str) -> None:
    words = digest([news(seed, number=101 + seed) for seed in range(waiting)], [news(7)])
    assert words.subject == f"Your boards: {subject} for you"


def test_each_board_is_followed_by_what_was_written_there_and_by_nothing_else() -> None:
    words = digest([news(1, "first", "second"), news(2, number=102)], [news(3, "third"), news(4)])
    drawn, other, lines = (part.strip() for part in words.body.split(f"\n{'=' * WIDTH}\n")[1:])
    assert drawn.index("bob writes:\n\nfirst\n") < drawn.index("bob writes:\n\nsecond")
    assert "bob writes:" not in other
    assert lines.count("bob writes:") == 1
    assert lines.count("; 2 moves, it is") == 2
    assert words.html is not None
    assert words.html.count("<strong>bob writes:</strong>") == 3


def test_only_where_one_board_waits_an_answer_says_which_is_meant() -> None:
    assert "Answer this mail with your move alone" in digest([news(1)], [], REPLY_TO).body
    several = digest([news(1), news(1, number=102)], []).body
    assert "Answer this mail" not in several
    assert "superbo move 101 " in several
    assert "superbo move 102 " in several


def test_many_boards_have_few_pictures_and_are_all_drawn() -> None:
    words = digest([news(seed, number=101 + seed) for seed in range(MOST_PICTURES + 2)], [])
    assert len(words.pictures) <= MOST_PICTURES
    assert words.body.count("Summary of superbo Board ") == MOST_PICTURES + 2


def test_a_new_challenge_can_be_declined() -> None:
    assert "resign <board>" in digest([], [news(1, is_new=True, moves=0)]).body
    assert "resign <board>" not in digest([], [news(1)]).body
    assert "resign <board>" not in digest([], [news(1, is_new=True, plays=False)]).body
