"""Tournaments at a real database, where something happens to their players or their boards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from datetime import timedelta
from typing import Any, cast

import pytest

from pbem.commands.internal import (
    AdvanceTournament,
    AnnulBoard,
    BanPlayer,
    EndBoard,
    FreezePlayer,
    HandOverSeat,
    UnfreezePlayer,
)
from pbem.commands.playing import Resign
from pbem.commands.tournaments import (
    CreateTournament,
    JoinTournament,
    ShowTournament,
    StartTournament,
    WithdrawFromTournament,
)
from pbem.domain.boards import Board
from pbem.domain.game_state import BoardEnding
from pbem.domain.mails import Notice
from pbem.domain.tournaments import Tournament, TournamentState
from pbem.ids import TournamentId
from pbem.usecases import tournament_entries, tournament_rounds
from pbem.usecases.context import Context, Speaker
from pbem.usecases.signoff import take_off
from tests.support.handlers import HandlerFixture, told

CUP = TournamentId(1)


class Cup:
    """A Swiss of Ann, Ben, Cat and Dan, which Ann has created."""

    def __init__(self, handlers: HandlerFixture) -> None:
        self.handlers = handlers
        handlers.asks("ann", CreateTournament("mamba", "cup"))
        for userid in ("ann", "ben", "cat", "dan"):
            handlers.asks(userid, JoinTournament("mamba", "Cup"))

    def start(self, userid: str = "ann") -> list[Notice]:
        return self.handlers.asks(userid, StartTournament("mamba", "cup"))

    def advance(self) -> list[Notice]:
        return self.handlers.asks("", AdvanceTournament(CUP))

    @property
    def now(self) -> Tournament:
        with self.handlers.work() as uow:
            return uow.tournaments.get(CUP)

    @property
    def boards(self) -> Sequence[Board]:
        with self.handlers.work() as uow:
            return uow.boards.of_tournament(CUP)

    def board_of(self, userid: str) -> Board:
        """The last board of a player."""
        return [each for each in self.boards if userid in [holder.userid for holder in each.seats]][-1]

    def is_over(self, board: Board) -> bool:
        return self.handlers.courses.of(board).result is not None

    def ends(self, board: Board) -> None:
        """Let the first player win."""
        self.handlers.asks("", EndBoard(board.number, board.seats[0].userid))

    def points(self) -> dict[str, int]:
        """Half points by userid."""
        (shown,) = self.handlers.asks("", ShowTournament("mamba", "cup"))
        facts = cast("dict[str, Any]", shown.facts)
        (pool,) = facts["pools"]
        return {facts["names"][row.player]: row.halves for row in pool["rows"]}

    def does(self, act: Callable[[Context], object]) -> None:
        """Let the operator do something."""
        handlers = self.handlers
        with handlers.work() as uow:
            act(handlers.context(uow, Speaker(None)))
            uow.commit()


@pytest.fixture
def cup(handlers: HandlerFixture) -> Cup:
    return Cup(handlers)


def test_each_entrant_is_told_of_the_round_and_of_his_board(cup: Cup) -> None:
    notices = cup.start()
    rounds = [notice for notice in notices if notice.name == "tournament_round"]
    assert set(told(rounds)) == {"ann", "ben", "cat", "dan"}
    assert [notice.answers for notice in rounds] == [True, False, False, False]
    assert [notice.name for notice in notices if notice not in rounds] == ["new_board"] * 4
    assert [(each.seats[0].userid, each.seats[1].userid) for each in cup.boards] == [("ann", "cat"), ("dan", "ben")]
    assert all(each.first == 0 and each.rated for each in cup.boards)
    assert {each.clock.forfeit.days for each in cup.boards} == {7}


def test_what_the_creator_writes_below_the_start_is_not_said_at_every_board(cup: Cup) -> None:
    assert all(not notice.facts.get("comment") for notice in cup.start())


def test_a_board_cannot_be_declined(cup: Cup) -> None:
    cup.start()
    board = cup.board_of("cat")
    cup.handlers.asks("cat", Resign(board.number))
    result = cup.handlers.courses.of(cup.board_of("cat")).result
    assert result is not None
    assert (result.ending, result.winners) == (BoardEnding.FORFEITED, (0,))
    assert cup.points() == {"ann": 2, "ben": 0, "cat": 0, "dan": 0}


def test_a_round_that_is_not_over_is_not_followed(cup: Cup) -> None:
    cup.start()
    cup.ends(cup.boards[0])
    assert cup.advance() == []
    assert cup.now.round == 1


def test_an_annulled_board_counts_as_a_draw(cup: Cup) -> None:
    cup.start()
    cup.handlers.asks("", AnnulBoard(cup.boards[0].number))
    cup.ends(cup.boards[1])
    assert cup.points() == {"ann": 1, "ben": 0, "cat": 1, "dan": 2}
    assert cup.advance()
    assert cup.now.round == 2


def test_a_seat_that_is_handed_over_plays_for_its_entrant(cup: Cup) -> None:
    cup.start()
    board = cup.board_of("ann")
    cup.handlers.asks("", HandOverSeat(board.number, "ann", "dan"))
    cup.ends(cup.board_of("cat"))
    assert cup.points()["ann"] == 2
    assert cup.points()["dan"] == 0


def test_who_is_banned_withdraws_and_forfeits(cup: Cup) -> None:
    cup.start()
    cup.handlers.asks("", BanPlayer("cat"))
    assert [each.userid for each in cup.now.staying] == ["ann", "ben", "dan"]
    assert cup.is_over(cup.board_of("cat"))
    assert cup.points() == {"ann": 2, "ben": 0, "dan": 0, "cat": 0}


def test_who_is_removed_leaves_no_entry_before_the_start(cup: Cup) -> None:
    cup.does(lambda context: take_off(context.uow.players.get(cup.now.entries[3].player), context))
    assert [each.userid for each in cup.now.entries] == ["ann", "ben", "cat"]


def test_when_the_creator_has_left_an_entrant_can_start_it(cup: Cup) -> None:
    with pytest.raises(tournament_rounds.NotYoursToStart):
        cup.start("ben")
    cup.does(lambda context: take_off(context.uow.players.get(cup.now.creator), context))
    cup.start("ben")
    assert cup.now.state is TournamentState.RUNNING
    assert [each.userid for each in cup.now.entries] == ["ben", "cat", "dan"]


def test_who_does_not_take_part_cannot_start_it_in_his_place(cup: Cup) -> None:
    cup.handlers.asks("dan", WithdrawFromTournament("mamba", "cup"))
    cup.does(lambda context: take_off(context.uow.players.get(cup.now.creator), context))
    with pytest.raises(tournament_rounds.NotYoursToStart):
        cup.start("dan")


def test_when_the_creator_cannot_start_it_an_entrant_can(cup: Cup) -> None:
    with pytest.raises(tournament_rounds.NotYoursToStart):
        cup.start("ben")
    cup.handlers.asks("", BanPlayer("ann"))
    cup.start("ben")
    assert cup.now.state is TournamentState.RUNNING


@pytest.mark.parametrize(("days", "seen", "can"), [(13, False, False), (15, False, True), (15, True, False)])
def test_when_the_creator_stays_away_an_entrant_can_start_it(
    cup: Cup, days: int, seen: bool, can: bool
) -> None:  # parametrized
    cup.handlers.waits(timedelta(days=days))
    if seen:
        cup.does(lambda context: context.uow.players.seen(context.uow.players.get(cup.now.creator), context.now.date()))
    with nullcontext() if can else pytest.raises(tournament_rounds.NotYoursToStart):
        cup.start("ben")
    assert (cup.now.state is TournamentState.RUNNING) is can


def test_the_creator_can_call_it_off_and_everybody_in_it_is_told(cup: Cup) -> None:
    for _ in range(2):
        assert cup.now.state is TournamentState.OPEN
        notices = cup.handlers.asks("ann", WithdrawFromTournament("mamba", "cup"))
    assert told(notices) == {"ann": "tournament_withdrawn"} | dict.fromkeys(
        ("ben", "cat", "dan"), "tournament_called_off"
    )
    assert (cup.now.state, cup.now.entries) == (TournamentState.OVER, ())
    with cup.handlers.work() as uow:
        assert uow.tournaments.open_by(cup.now.creator) == 0


def test_once_it_has_begun_the_creator_cannot_call_it_off(cup: Cup) -> None:
    cup.handlers.asks("ann", WithdrawFromTournament("mamba", "cup"))
    cup.start()
    with pytest.raises(tournament_entries.NotInTournament):
        cup.handlers.asks("ann", WithdrawFromTournament("mamba", "cup"))


def test_who_is_frozen_has_no_board_until_he_is_free(cup: Cup) -> None:
    cup.handlers.asks("", FreezePlayer("dan"))
    notices = cup.start()
    assert "dan" in told(notices)
    assert [(each.player, each.is_point) for each in cup.now.byes] == [(3, True), (4, False)]
    cup.handlers.asks("", UnfreezePlayer("dan"))
    cup.ends(cup.boards[0])
    cup.advance()
    assert cup.board_of("dan").tournament is not None
    assert cup.points()["dan"] == 0


def test_it_cannot_start_while_only_one_can_play(cup: Cup) -> None:
    for userid in ("ben", "cat", "dan"):
        cup.handlers.asks("", FreezePlayer(userid))
    with pytest.raises(tournament_rounds.TooFewEntrants):
        cup.start()
    assert cup.now.state is TournamentState.OPEN


def test_it_is_over_when_all_but_one_have_withdrawn(cup: Cup) -> None:
    cup.start()
    for userid in ("ben", "cat", "dan"):
        cup.handlers.asks(userid, WithdrawFromTournament("mamba", "cup"))
    assert [notice.name for notice in cup.advance()] == ["tournament_over"] * 4
    assert cup.now.state is TournamentState.OVER
    assert cup.advance() == []


def test_there_is_a_most_to_the_entrants(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament_entries, "MOST_ENTRANTS", 3)
    cup.handlers.asks("dan", WithdrawFromTournament("mamba", "cup"))
    with pytest.raises(tournament_entries.TournamentFull):
        cup.handlers.asks("dan", JoinTournament("mamba", "cup"))
