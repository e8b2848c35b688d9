"""Tournaments with their entrants, on both databases."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import Engine, text

from pbem.domain.boards import Board, TournamentPlace
from pbem.domain.clocks import ClockRules
from pbem.domain.events import EventKind
from pbem.domain.tournaments import Bye, Kind, NextRound, Seating, Tournament, TournamentState
from pbem.errors import Conflict
from pbem.ids import BoardNumber, PlayerId, TournamentId
from pbem.storage.engine import writing
from tests.storage.stock import AT, MINUTE, WON, board, played, player, work

ANN, BOB, CAT = (player(number, name) for number, name in enumerate(("ann", "bob", "cat"), start=1))
ONE = TournamentId(1)


def spring(number: int = 1, name: str = "Spring", creator: PlayerId = ANN.id) -> Tournament:
    clock = ClockRules(timedelta(hours=12), timedelta(days=3), is_own=True)
    return Tournament(TournamentId(number), name, "superbo", Kind.SWISS, creator, AT, 3, {"adjacent_pair": True}, clock)


def joined(tournament: Tournament) -> Tournament:
    for minutes, each in enumerate((CAT, ANN, BOB)):
        tournament = tournament.joined(each.id, each.userid, AT + minutes * MINUTE)
    return tournament


def of_spring(number: int, label: str = "A1") -> Board:
    return replace(board(number, ANN, BOB), tournament=TournamentPlace(ONE, "Spring", 1, label))


@pytest.fixture
def stored(engine: Engine) -> Engine:
    """Three players, and a tournament that they have joined."""
    with work(engine) as uow:
        for each in (ANN, BOB, CAT):
            uow.players.save(each)
        uow.commit()
    with work(engine) as uow:
        uow.tournaments.save(joined(spring()))
        uow.commit()
    return engine


def test_what_is_stored_comes_back(stored: Engine) -> None:
    with work(stored) as uow:
        assert uow.tournaments.get(ONE) == replace(joined(spring()), revision=1)


def test_a_tournament_that_runs_comes_back_with_its_pools_and_byes(stored: Engine) -> None:
    drawn = NextRound(1, (Seating("A1", (ANN.id, BOB.id)),), (Bye(1, CAT.id),))
    with work(stored) as uow:
        after = uow.tournaments.get(ONE).started().with_round(drawn).withdrawn(BOB.id, AT + MINUTE)
        uow.tournaments.save(after)
        uow.commit()
    with work(stored) as uow:
        assert uow.tournaments.get(ONE) == replace(after, revision=2)


def test_who_withdraws_before_the_start_is_forgotten(stored: Engine) -> None:
    with work(stored) as uow:
        uow.tournaments.save(uow.tournaments.get(ONE).withdrawn(ANN.id, AT))
        assert not uow.tournaments.of_player(ANN.id)
        uow.commit()
    with work(stored) as uow:
        assert [each.userid for each in uow.tournaments.get(ONE).entries] == ["cat", "bob"]
        assert not uow.tournaments.of_player(ANN.id)


def test_a_name_is_found_in_any_case_and_by_game(stored: Engine) -> None:
    with work(stored) as uow:
        found = uow.tournaments.find("superbo", "sPRING")
        assert found is not None
        assert found.id == ONE
        assert uow.tournaments.find("mamba", "spring") is None
        assert uow.tournaments.find("superbo", "fall") is None
        uow.tournaments.save(spring(2, "Fall"))
        assert uow.tournaments.find("superbo", "fall") == spring(2, "Fall")


def test_two_of_one_name_cannot_be_created_at_once(stored: Engine) -> None:
    with work(stored) as one, work(stored) as other:
        one.tournaments.save(spring(2, "Fall"))
        other.tournaments.save(spring(3, "FALL"))
        one.commit()
        with pytest.raises(Conflict):
            other.commit()


def test_one_who_was_quicker_makes_it_be_decided_anew(stored: Engine) -> None:
    with work(stored) as one, work(stored) as other:
        one.tournaments.save(one.tournaments.get(ONE).withdrawn(ANN.id, AT))
        other.tournaments.save(other.tournaments.get(ONE).started())
        one.commit()
        with pytest.raises(Conflict):
            other.commit()


def test_boards_are_found_by_their_label_those_that_are_on_first(stored: Engine) -> None:
    fall = replace(of_spring(103), tournament=TournamentPlace(TournamentId(2), "Fall", 1, "A1"))
    over = replace(played(of_spring(101), *WON), number=BoardNumber(101))
    with work(stored) as uow:
        uow.tournaments.save(spring(2, "Fall"))
        for each in (over, of_spring(102, "A2"), fall):
            uow.boards.save(each)
        assert [each.number for each in uow.boards.labelled("A1", None, 9)] == [103, 101]
        uow.commit()
    with work(stored) as uow:
        assert [each.number for each in uow.boards.labelled("A1", None, 9)] == [103, 101]
        assert [each.number for each in uow.boards.labelled("A1", "superbo", 1)] == [103]
        assert not uow.boards.labelled("A1", "mamba", 9)
        assert not uow.boards.labelled("B1", None, 9)
        uow.boards.save(replace(fall, number=BoardNumber(104), tournament=TournamentPlace(ONE, "Spring", 2, "A3")))
        uow.boards.save(played(of_spring(102, "A2"), *WON))
        assert [each.number for each in uow.boards.labelled("A2", None, 9)] == [102]
        assert [each.number for each in uow.boards.labelled("A3", "superbo", 9)] == [104]


def test_a_place_in_a_tournament_is_taken_once(stored: Engine) -> None:
    with work(stored) as one, work(stored) as other:
        one.boards.save(of_spring(101))
        other.boards.save(of_spring(102))
        one.commit()
        with pytest.raises(Conflict):
            other.commit()


def test_the_open_ones_of_a_creator_are_counted(stored: Engine) -> None:
    with work(stored) as uow:
        assert (uow.tournaments.open_by(ANN.id), uow.tournaments.open_by(BOB.id)) == (1, 0)
        uow.tournaments.save(spring(2, "Fall"))
        assert uow.tournaments.open_by(ANN.id) == 2
        uow.tournaments.save(uow.tournaments.get(ONE).started())
        assert uow.tournaments.open_by(ANN.id) == 1


def test_those_of_a_game_are_listed_newest_first(stored: Engine) -> None:
    with work(stored) as uow:
        uow.tournaments.save(spring(2, "Fall").ended(AT))
        uow.tournaments.save(spring(3, "Winter"))
        uow.commit()
    with work(stored) as uow:
        assert [each.name for each in uow.tournaments.of_game("superbo", 10)] == ["Winter", "Fall", "Spring"]
        assert [each.name for each in uow.tournaments.of_game("superbo", 2)] == ["Winter", "Spring"]
        assert not uow.tournaments.of_game("mamba", 10)


def test_one_that_cannot_be_read_hides_no_other_of_a_list(stored: Engine) -> None:
    with work(stored) as uow:
        uow.tournaments.save(spring(2, "Summer"))
        uow.tournaments.save(spring(3, "Autumn"))
        uow.commit()
    with writing(stored) as connection:
        connection.execute(text("UPDATE tournaments SET kind = 'nonsense' WHERE id = 2"))
    with work(stored) as uow:
        listed = [each.id for each in uow.tournaments.of_game("superbo", 10)]
    assert 3 in listed
    assert 2 not in listed


def test_one_is_due_once_no_board_of_it_is_on(stored: Engine) -> None:
    with work(stored) as uow:
        assert not uow.tournaments.due()
        uow.tournaments.save(uow.tournaments.get(ONE).started())
        uow.boards.save(of_spring(101))
        uow.boards.save(board(102, ANN, BOB))
        uow.commit()
    with work(stored) as uow:
        assert not uow.tournaments.due()
        uow.boards.save(resigned(uow.boards.of_tournament(ONE)[0]))
        uow.commit()
    with work(stored) as uow:
        assert uow.tournaments.due() == [ONE]
        uow.tournaments.save(uow.tournaments.get(ONE).ended(AT))
        uow.commit()
    with work(stored) as uow:
        assert not uow.tournaments.due()


def resigned(before: Board) -> Board:
    return before.with_event(EventKind.RESIGNATION, 0, AT + MINUTE)


def test_the_boards_of_a_tournament_are_told_from_others(stored: Engine) -> None:
    with work(stored) as uow:
        uow.boards.save(of_spring(101))
        uow.boards.save(board(102, ANN, BOB))
        uow.commit()
    with work(stored) as uow:
        place = uow.boards.of_tournament(ONE)[0].tournament
        assert place == TournamentPlace(ONE, "Spring", 1, "A1")
        for players in (None, [ANN.id]):
            assert [each.number for each in uow.boards.of_players(players, "tournament", None, 9)] == [101]
            assert [each.number for each in uow.boards.of_players(players, "standard", None, 9)] == [102]
        uow.boards.save(of_spring(103, "A2"))
        assert [each.number for each in uow.boards.of_tournament(ONE)] == [101, 103]
        assert [each.number for each in uow.boards.of_players([ANN.id], "tournament", None, 9)] == [101, 103]
        assert [each.number for each in uow.boards.of_players([ANN.id], "standard", None, 9)] == [102]


def test_ids_follow_each_other(stored: Engine) -> None:
    with work(stored) as uow:
        assert uow.tournaments.next_id() == 2
        uow.tournaments.save(spring(2, "Fall"))
        assert uow.tournaments.next_id() == 3


def test_the_state_is_that_of_the_last_write(stored: Engine) -> None:
    with work(stored) as uow:
        uow.tournaments.save(uow.tournaments.get(ONE).started().ended(AT + MINUTE))
        uow.commit()
    with work(stored) as uow:
        after = uow.tournaments.get(ONE)
        assert (after.state, after.finished_at, after.rounds) == (TournamentState.OVER, AT + MINUTE, 3)
