"""Which watches cover a board, and which of them holds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.domain.watches import Watch, WatchKind, subscribers, waiting_for_end
from pbem.ids import BoardNumber, PlayerId
from tests.storage.stock import ALICE, BOB, board

EVE, FAY = PlayerId(7), PlayerId(8)
B101, B102 = BoardNumber(101), BoardNumber(102)
BOARD = board(101, ALICE, BOB)
MAILS, END, NONE = WatchKind


def watch(kind: WatchKind = MAILS, game: str = "", number: int = 0, other: int = 0) -> Watch:
    return Watch(EVE, kind, game, BoardNumber(number), PlayerId(other))


ALL, GAME, OTHER_GAME = watch(), watch(game="superbo"), watch(game="mambo")
ALICES, ALICES_HERE, ALICES_ELSEWHERE = (watch(other=1), watch(game="superbo", other=1), watch(game="mambo", other=1))
HERE, THERE = watch(number=101), watch(number=102)
NOT_HERE, NOT_THE_GAME = watch(NONE, number=101), watch(NONE, "superbo")


@pytest.mark.parametrize(
    ("watches", "gets"),
    [
        ([], False),
        ([ALL], True),
        ([GAME], True),
        ([OTHER_GAME], False),
        ([ALICES], True),
        ([ALICES_HERE], True),
        ([ALICES_ELSEWHERE], False),
        ([watch(other=3)], False),
        ([HERE], True),
        ([THERE], False),
        ([ALL, NOT_HERE], False),
        ([NOT_HERE, ALICES, GAME], False),
        ([ALL, NOT_THE_GAME], False),
        ([NOT_THE_GAME, HERE], True),
        ([NOT_THE_GAME, ALICES], True),
        ([HERE, NOT_HERE], False),
        ([NOT_HERE, HERE], False),
        ([watch(END, number=101)], False),
    ],
)
def test_the_narrowest_watch_of_a_board_holds(watches: list[Watch], gets: bool) -> None:
    assert [each.player for each in subscribers(BOARD, watches)] == [EVE] * gets


def test_who_plays_there_does_not_watch() -> None:
    own = replace(ALL, player=ALICE.id)
    assert subscribers(BOARD, [own, HERE]) == (HERE,)


def test_each_is_there_once_and_first_who_came_first() -> None:
    others = replace(HERE, player=FAY)
    assert [each.player for each in subscribers(BOARD, [others, ALL, HERE])] == [FAY, EVE]


@pytest.mark.parametrize(
    ("watches", "if_played", "if_not"),
    [
        ([watch(END, number=101)], True, True),
        ([watch(END, "superbo")], True, False),
        ([watch(END, "mambo")], False, False),
        ([watch(END, number=102)], False, False),
        ([watch(END, number=101), watch(END, "superbo")], True, True),
        ([watch(END, number=101), HERE], False, False),  # who gets its mails is told by these
        ([watch(END, number=101), ALL, NOT_HERE], True, True),
    ],
)
def test_the_end_is_told_once_to_who_waits_for_it(watches: list[Watch], if_played: bool, if_not: bool) -> None:
    for was_played, told in ((True, if_played), (False, if_not)):
        assert waiting_for_end(BOARD, watches, was_played=was_played) == (EVE,) * told


def test_a_player_of_the_board_is_not_told_of_its_end() -> None:
    assert waiting_for_end(BOARD, [replace(watch(END, "superbo"), player=BOB.id)], was_played=True) == ()
