"""Watching: how much of it there may be, what it costs, and what a watcher is told."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine, event

from pbem.commands.accounts import Block
from pbem.commands.watching import NotifyOfEnd, Subscribe, SubscribeTo, Unsubscribe, UnsubscribeFrom, Watched
from pbem.domain.mails import Notice
from pbem.domain.players import Player
from pbem.ids import BoardNumber
from pbem.usecases import watching
from pbem.usecases.refusals import SeveralReasons
from tests.support.handlers import CAT, DAN, HandlerFixture, told

ALL = Watched(everything=True)


@pytest.fixture
def handlers(handlers: HandlerFixture) -> HandlerFixture:
    """Ann and Ben play at the first board."""
    handlers.challenges("ann", "ben")
    return handlers


def to(notices: list[Notice], player: Player) -> Notice:
    (found,) = (each for each in notices if isinstance(each.to, Player) and each.to.id == player.id)
    return found


def watches(handlers: HandlerFixture, player: Player) -> set[tuple[str, str, int]]:
    with handlers.work() as uow:
        return {(each.kind.value, each.game, each.board) for each in uow.watches.of(player.id)}


def test_a_watcher_is_told_without_a_reply_address_and_with_a_way_out(handlers: HandlerFixture) -> None:
    handlers.asks("cat", Subscribe(handlers.number))
    notices = handlers.moves("ann", "move f3-f5")
    assert told(notices) == {"ann": "board", "ben": "board", "cat": "board"}
    watcher, player = to(notices, CAT), notices[1]
    assert (watcher.reply, watcher.unsubscribes) == (None, True)
    assert player.reply is not None
    assert not player.unsubscribes
    assert watcher.thread == player.thread


def test_what_a_mover_alone_is_told_a_watcher_is_not(handlers: HandlerFixture) -> None:
    handlers.asks("cat", Subscribe(handlers.number))
    own = {"left_over", "fate"}
    notices = handlers.moves("ann", "move f3-f5")
    assert not any(to(notices, CAT).facts.get(each) for each in own)
    assert to(notices, CAT).facts["plays"] is False


def test_a_new_board_is_told_to_who_watches_one_of_its_players_or_its_game(handlers: HandlerFixture) -> None:
    handlers.asks("cat", SubscribeTo(Watched(userids=("ben",))))
    handlers.asks("dan", SubscribeTo(ALL, "mamba"))
    assert told(handlers.challenges("ann", "ben")).keys() == {"ann", "ben", "cat", "dan"}
    assert told(handlers.challenges("ann", "dan")).keys() == {"ann", "dan"}


def test_who_takes_a_seat_of_a_board_that_he_watches_is_told_once(handlers: HandlerFixture) -> None:
    handlers.asks("cat", SubscribeTo(ALL))
    notices = handlers.challenges("cat", "dan")
    assert [each.to for each in notices if each.to == to(notices, CAT).to] == [to(notices, CAT).to]
    assert not to(notices, CAT).unsubscribes


def test_there_is_a_limit_and_boards_that_are_over_make_room(
    handlers: HandlerFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "MOST_WATCHES", 2)
    handlers.challenges("ann", "ben")
    handlers.asks("cat", Subscribe(BoardNumber(101)))
    handlers.asks("cat", NotifyOfEnd((BoardNumber(102),)))
    with pytest.raises(watching.TooManyWatches):
        handlers.asks("cat", SubscribeTo(ALL))
    assert watches(handlers, CAT) == {("mails", "", 101), ("end", "", 102)}
    handlers.resigns("ann")
    handlers.asks("cat", SubscribeTo(ALL))
    assert watches(handlers, CAT) == {("mails", "", 0), ("end", "", 102)}


def test_all_or_nothing_of_what_is_named_is_watched(handlers: HandlerFixture) -> None:
    with pytest.raises(SeveralReasons) as refused:
        handlers.asks("cat", SubscribeTo(Watched((handlers.number, BoardNumber(777)), ("ann", "nobody"))))
    assert [type(each).__name__ for each in refused.value.reasons] == ["NoSuchBoard", "NoSuchPlayer"]
    assert watches(handlers, CAT) == set()


def test_a_game_can_be_left_out_of_all(handlers: HandlerFixture) -> None:
    handlers.asks("cat", SubscribeTo(ALL))
    handlers.asks("cat", UnsubscribeFrom(ALL, "mamba"))
    assert watches(handlers, CAT) == {("mails", "", 0), ("none", "mamba", 0)}
    assert told(handlers.moves("ann", "move f3-f5")).keys() == {"ann", "ben"}
    with pytest.raises(watching.NotSubscribed):
        handlers.asks("cat", UnsubscribeFrom(ALL, "mamba"))
    handlers.asks("cat", SubscribeTo(ALL, "mamba"))
    assert watches(handlers, CAT) == {("mails", "", 0), ("mails", "mamba", 0)}
    handlers.asks("cat", UnsubscribeFrom(ALL, "mamba"))
    assert watches(handlers, CAT) == {("mails", "", 0), ("none", "mamba", 0)}


def test_all_of_a_game_takes_its_single_boards_along(handlers: HandlerFixture) -> None:
    handlers.asks("cat", Subscribe(handlers.number))
    handlers.asks("cat", SubscribeTo(Watched(userids=("dan",)), "mamba"))
    handlers.asks("cat", SubscribeTo(Watched(userids=("ann",))))
    handlers.asks("cat", UnsubscribeFrom(ALL, "mamba"))
    assert watches(handlers, CAT) == {("mails", "", 0)}  # the boards of ann, of whatever game


def test_the_boards_of_a_player_are_left_in_one_game_or_in_all(handlers: HandlerFixture) -> None:
    ann = Watched(userids=("ann",))
    handlers.asks("cat", SubscribeTo(ann))
    with pytest.raises(watching.NotSubscribed):
        handlers.asks("cat", UnsubscribeFrom(ann, "mamba"))
    handlers.asks("cat", SubscribeTo(ann, "mamba"))
    handlers.asks("cat", UnsubscribeFrom(ann))
    assert watches(handlers, CAT) == set()


def test_who_has_left_a_board_out_and_stops_watching_all_has_nothing_left(handlers: HandlerFixture) -> None:
    handlers.asks("cat", SubscribeTo(ALL))
    handlers.asks("cat", Unsubscribe(handlers.number))
    assert watches(handlers, CAT) == {("mails", "", 0), ("none", "", 101)}
    handlers.asks("cat", UnsubscribeFrom(ALL))
    assert watches(handlers, CAT) == set()


def test_who_waits_for_the_end_of_a_board_waits_no_longer_once_it_is_told(handlers: HandlerFixture) -> None:
    handlers.asks("cat", NotifyOfEnd((handlers.number,)))
    handlers.asks("dan", NotifyOfEnd((), "mamba"))
    assert told(handlers.moves("ann", "move f3-f5")).keys() == {"ann", "ben"}
    handlers.moves("ben", "move d9-c8")
    over = handlers.resigns("ann")
    assert told(over) == {"ann": "board", "ben": "board", "cat": "board_ended", "dan": "board_ended"}
    assert to(over, DAN).reply is None
    assert watches(handlers, CAT) == set()
    assert watches(handlers, DAN) == {("end", "mamba", 0)}


def test_who_has_blocked_somebody_can_still_be_watched_by_him(handlers: HandlerFixture) -> None:
    handlers.asks("ann", Block("cat"))
    handlers.asks("cat", Subscribe(handlers.number))
    assert told(handlers.moves("ann", "move f3-f5")).keys() == {"ann", "ben", "cat"}


def test_a_board_mail_costs_one_question_about_who_watches(handlers: HandlerFixture) -> None:
    handlers.asks("cat", Subscribe(handlers.number))
    with CountedStatements(handlers.engine, "FROM watches") as asked:
        handlers.moves("ann", "move f3-f5")
    assert len(asked) == 1


class CountedStatements:
    """The statements with some words in them that are executed within a stretch."""

    def __init__(self, engine: Engine, words: str) -> None:
        self._engine = engine
        self._words = words
        self._found: list[str] = []

    def __enter__(self) -> list[str]:
        event.listen(self._engine, "before_cursor_execute", self._look)
        return self._found

    def __exit__(self, *_: object) -> None:
        event.remove(self._engine, "before_cursor_execute", self._look)

    def _look(self, _connection: object, _cursor: object, statement: str, *_: object) -> None:
        if self._words in statement.replace("\n", ""):
            self._found.append(statement)
