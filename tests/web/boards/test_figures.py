"""A game from elsewhere that describes its board: in mails as a picture, on pages as a board to click."""

from __future__ import annotations

import pytest

from pbem.domain.boards import Board, SeatHolder
from pbem.domain.events import EventKind
from pbem.domain.mails import Notice
from pbem.ids import BoardNumber, PlayerId
from pbem.web.boards.pictures import pixels, replay
from pbem.web.boards.views import PLACE, View, face
from pbem.wording.boards import FigureShown, show
from tests.support.noughts import NOUGHTS, NoughtsPosition
from tests.wording.sample_mails import ALICE, AT, GAMES, REPLY_TO, WORDING, MailHtml, facts, html_of


def after(*places: str) -> NoughtsPosition:
    position = NOUGHTS.begin({}, 2)
    for place in places:
        position = position.play(place)
    return position


def test_free_places_can_be_clicked() -> None:
    seen = face(after("b2"), NOUGHTS)
    assert {choice.place for choice in seen.choices} == {f"{column}{row}" for column in "abc" for row in "123"} - {"b2"}
    assert {choice.kind for choice in seen.choices} == {PLACE}
    assert (seen.spare, seen.closed, seen.definitions) == ((), (), "")
    drawn = seen.draw(View(links={"a1": "/boards/101?turn=a1"}), "the board")
    assert drawn.count("<a ") == 1
    assert 'href="/boards/101?turn=a1"' in drawn
    assert not face(after("b2"), NOUGHTS).forbidden("a1")


def test_it_has_pictures_and_a_replay() -> None:
    positions = [after(), after("b2"), after("b2", "a1")]
    still = replay(positions[-1], positions[-1:])
    moving = replay(positions[-1], positions)
    assert still is not None
    assert moving is not None
    assert "<animate" in moving
    assert "<animate" not in still
    found = pixels(positions[-1], positions, 400, 300)
    assert found is not None
    assert len({image.size for image in found[1]}) == 1


def test_what_it_looks_like_is_told_by_side() -> None:
    shown = show(after("b2", "a1", "c3"))
    assert isinstance(shown, FigureShown)
    assert shown.pieces == {"Crosses": ("b2", "c3"), "Noughts": ("a1",)}
    assert (shown.mark("Crosses"), shown.mark("Noughts"), shown.mark("Draughts")) == ("x", "o", "")
    assert shown.picture(None) == shown.picture(0)


def test_a_mail_has_letters_picture_and_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "noughts", NOUGHTS)
    seats = (SeatHolder(PlayerId(1), "alice"), SeatHolder(PlayerId(2), "bob"))
    board = Board(BoardNumber(101), "noughts", {}, 1, 0, seats, AT)
    for seat, place in enumerate(("b2", "a1")):
        board = board.with_event(EventKind.MOVE, seat, AT, place)
    words = WORDING.render(Notice("board", ALICE, facts(board, ALICE)), REPLY_TO)
    assert "  a b c\n3 . . . 3\n2 . x . 2\n1[o]. . 1\n  a b c" in words.body
    assert "Players:  alice Crosses (x), bob Noughts (o)" in words.body
    (picture,) = MailHtml(html_of(words)).pictures
    assert picture["alt"] == (
        "Noughts board 101 after move 2. Last move: a1. Crosses has 1: b2. Noughts has 1: a1. It's alice's turn."
    )
