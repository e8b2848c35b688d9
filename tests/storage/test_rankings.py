from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from sqlalchemy import Engine

from pbem.domain.events import BY_CLOCK, BY_OPERATOR, EventKind
from pbem.domain.game_state import BoardEnding
from pbem.domain.players import Player
from pbem.domain.ratings import Ranked, Rating, Reliability, Seen
from pbem.ids import BoardNumber
from pbem.storage.models import ReadinessRow, SeekRow
from tests.storage.rated import DAY, GAINED, LATELY, LONG_AGO, LOST, OVER, keep
from tests.storage.stock import ALICE, AT, BOB, CAROL, OPENING, WON, board, played, put, stocked
from tests.storage.stock import work as unit_of_work


def ranked(engine: Engine, most: int = 100) -> list[list[str]]:
    """The userids in the standings, by kind."""
    with unit_of_work(engine) as uow:
        table = uow.rankings.standings("superbo", LATELY, most)
    return [[each.userid for each in ranks.rows] for ranks in (table.established, table.provisional, table.inactive)]


def seeks(engine: Engine, who: Player, wanted: int, number: int = 1, game: str = "superbo") -> None:
    values = {"id": number, "player_id": who.id, "game": game, "options": {}, "rated": True, "players": 2}
    put(engine, SeekRow, {**values, "wanted": wanted, "created_at": AT, "revision": 1})


def test_players_stand_by_kind_and_the_best_first(engine: Engine) -> None:
    stocked(engine)
    assert ranked(engine) == [[], [], []]
    keep(engine, ALICE, Rating(1500, won=20, last_at=AT))
    keep(engine, BOB, Rating(1700, won=21, last_at=AT))
    keep(engine, CAROL, Rating(1900, won=19, last_at=AT))
    assert ranked(engine) == [["bob", "Alice"], ["carol"], []]
    assert ranked(engine, most=1) == [["bob"], ["carol"], []]
    with unit_of_work(engine) as uow:
        assert uow.rankings.standings("superbo", LATELY, 1).established.more
        assert not uow.rankings.standings("superbo", LATELY, 2).established.more
        assert uow.rankings.standings("mamba", LATELY, 2).is_empty


def test_who_has_had_no_board_for_long_is_inactive(engine: Engine) -> None:
    stocked(engine, played(board(101, ALICE, ALICE), *OPENING[:1]))
    for who in (ALICE, BOB):
        keep(engine, who, Rating(1500, won=20, last_at=LONG_AGO))
    keep(engine, CAROL, Rating(1500, won=2, last_at=LONG_AGO))
    assert ranked(engine) == [["Alice"], [], ["bob", "carol"]]


def test_a_declined_board_makes_nobody_active(engine: Engine) -> None:
    stocked(engine, board(101, BOB, CAROL).with_decline(BOB.id, AT, restarts=False))
    keep(engine, BOB, Rating(1500, won=20, last_at=LONG_AGO))
    assert ranked(engine) == [[], [], ["bob"]]


def test_who_has_left_stands_nowhere(engine: Engine) -> None:
    stocked(engine)
    keep(engine, ALICE, Rating(1500, won=20, last_at=AT))
    with unit_of_work(engine) as uow:
        alice = uow.players.get(ALICE.id)
        uow.players.save(replace(alice, standing=type(alice.standing).GONE))
        uow.commit()
    assert ranked(engine) == [[], [], []]
    with unit_of_work(engine) as uow:
        assert uow.ratings.established("superbo", LATELY) == (0, 0)


def test_who_seeks_is_there_without_a_rating(engine: Engine) -> None:
    stocked(engine)
    keep(engine, BOB, Rating(1500, won=2, last_at=AT))
    seeks(engine, ALICE, 2)
    seeks(engine, ALICE, 1, number=2)
    seeks(engine, CAROL, 1, number=3, game="mamba")
    assert ranked(engine) == [[], ["bob", "Alice"], []]
    assert ranked(engine, most=1) == [[], ["bob"], []]
    with unit_of_work(engine) as uow:
        rows = uow.rankings.standings("superbo", LATELY, 10).provisional.rows
    assert [each.seeking for each in rows] == [0, 3]
    assert rows[1].rating == Rating()


def test_a_player_stands_in_the_games_that_he_has_to_do_with(engine: Engine) -> None:
    stocked(
        engine,
        played(board(101, ALICE, BOB), *OPENING),
        board(102, ALICE, ALICE),
        replace(OVER, number=BoardNumber(103)),
    )
    games = ["lambo", "mamba", "mambo", "palago", "superbo"]
    keep(engine, ALICE, Rating(1800, won=1, last_at=AT))
    put(engine, ReadinessRow, {"player_id": ALICE.id, "game": "mambo", "most": 0})
    put(engine, ReadinessRow, {"player_id": ALICE.id, "game": "palago", "most": None})
    seeks(engine, ALICE, 4, game="mamba")
    with unit_of_work(engine) as uow:
        assert uow.rankings.of_player(ALICE.id, games) == [
            Ranked("Alice", "mamba", Rating(), 0, None, 4),
            Ranked("Alice", "mambo", Rating(), 0, 0, 0),
            Ranked("Alice", "superbo", Rating(1800, won=1, last_at=AT, revision=1), 2, None, 0),
        ]
        assert uow.rankings.of_player(BOB.id, ["superbo"]) == [Ranked("bob", "superbo", Rating(), 1, None, 0)]
        assert uow.rankings.of_player(CAROL.id, games) == []


def test_finished_boards_come_newest_first_with_their_changes(engine: Engine) -> None:
    later = played(replace(board(102, BOB, ALICE), begun_at=AT + DAY), *WON)
    declined = board(104, ALICE, BOB).with_decline(BOB.id, AT, restarts=False)
    stocked(engine, OVER, later, board(103, ALICE, BOB), declined, played(board(105, CAROL, CAROL), *WON))
    with unit_of_work(engine) as uow:
        uow.ratings.note(OVER.number, "superbo", [GAINED, LOST])
        uow.ratings.note(later.number, "superbo", [replace(GAINED, undone_at=AT)])
        uow.commit()
    with unit_of_work(engine) as uow:
        newest, oldest = uow.rankings.history(ALICE.id, None, 5)
        assert (newest.number, newest.players, newest.winners) == (102, ("bob", "Alice"), (0,))
        assert (newest.finished_at, newest.ending, newest.changes) == (later.last_at, BoardEnding.RULES.value, {})
        assert (oldest.number, oldest.changes) == (101, {"Alice": GAINED, "bob": LOST})
        assert [each.number for each in uow.rankings.history(None, None, 5)] == [102, 105, 101]
        assert [each.number for each in uow.rankings.history(None, "superbo", 1)] == [102, 105]
        assert uow.rankings.history(None, "mamba", 5) == []


def test_the_last_changes_that_still_hold_come_oldest_first(engine: Engine) -> None:
    boards = [board(number, ALICE, BOB) for number in range(101, 106)]
    stocked(engine, *boards)
    first, second, third = (replace(GAINED, at=AT + days * DAY, games=days) for days in range(3))
    with unit_of_work(engine) as uow:
        uow.ratings.note(boards[0].number, "superbo", [first, LOST])
        uow.ratings.note(boards[1].number, "superbo", [replace(second, undone_at=AT)])
        uow.ratings.note(boards[2].number, "superbo", [third])
        uow.ratings.note(boards[3].number, "superbo", [second])
        uow.ratings.note(boards[4].number, "mamba", [first])
        uow.commit()
    with unit_of_work(engine) as uow:
        assert uow.rankings.rating_changes(ALICE.id, "superbo", 5) == [first, second, third]
        assert uow.rankings.rating_changes(ALICE.id, "superbo", 2) == [second, third]
        assert uow.rankings.rating_changes(CAROL.id, "superbo", 2) == []


def test_a_finished_board_at_which_somebody_sat_twice_is_in_the_history_of_each_player_once(engine: Engine) -> None:
    begun = replace(board(101, ALICE, ALICE, BOB), game="mamba", options={"inorder": True})
    left = [begun.with_event(EventKind.RESIGNATION, 0, AT).with_event(EventKind.RESIGNATION, 2, AT)]
    stocked(engine, *left)
    with unit_of_work(engine) as uow:
        for player in (ALICE, BOB):
            assert [each.number for each in uow.rankings.history(player.id, None, 5)] == [101]
            assert [each.number for each in uow.boards.of_players([player.id], "inactive", None, 5)] == [101]


def test_a_finished_board_names_the_other_one_of_its_pair(engine: Engine) -> None:
    other = replace(played(board(102, BOB, ALICE), *WON), pair=OVER.number)
    stocked(engine, replace(OVER, pair=other.number), other, played(board(103, ALICE, BOB), *WON))
    with unit_of_work(engine) as uow:
        found = {each.number: each.pair for each in uow.rankings.history(BOB.id, "superbo", 3)}
    assert found == {101: 102, 102: 101, 103: None}


def test_of_finished_boards_it_is_known_which_the_operator_has_ended(engine: Engine) -> None:
    begun = [played(board(number, ALICE, BOB), *OPENING) for number in range(101, 105)]
    stocked(
        engine,
        begun[0].with_event(EventKind.FORFEIT, 1, AT + DAY),
        begun[1].with_event(EventKind.FORFEIT, 1, AT + DAY, BY_OPERATOR),
        begun[2].with_event(EventKind.DRAW, 1, AT + DAY, BY_OPERATOR),
        begun[3].with_event(EventKind.DRAW, 1, AT + DAY, BY_CLOCK),
    )
    with unit_of_work(engine) as uow:
        found = [each.number for each in uow.rankings.history(BOB.id, "superbo", 5) if each.by_operator]
    assert sorted(found) == [102, 103]


def test_forfeits_are_counted_among_the_finished_games(engine: Engine) -> None:
    begun = [played(board(number, ALICE, BOB), *OPENING) for number in range(101, 105)]
    stocked(
        engine,
        begun[0].with_event(EventKind.FORFEIT, 1, AT + DAY),
        begun[1].with_event(EventKind.FORFEIT, 1, AT + DAY, BY_OPERATOR),
        begun[2].with_event(EventKind.FORFEIT, 0, AT + DAY),
        begun[3],
    )
    with unit_of_work(engine) as uow:
        assert uow.rankings.reliability(BOB.id) == Reliability(finished=3, forfeits=1)
        assert uow.rankings.reliability(CAROL.id) == Reliability(finished=0, forfeits=0)
        for each in (ALICE, BOB, CAROL):
            uow.players.seen(each, AT.date())
        uow.players.moves_at(BOB.id, timedelta(seconds=90.4))
        uow.commit()
    with unit_of_work(engine) as uow:
        assert uow.rankings.seen(AT.date(), 3) == [
            Seen("Alice", AT.date(), 1, 3, 1),
            Seen("bob", AT.date(), 1, 3, 1, timedelta(seconds=90)),
            Seen("carol", AT.date(), 0, 0),
        ]


def test_the_newest_boards_of_a_player(engine: Engine) -> None:
    declined = board(104, ALICE, BOB).with_decline(BOB.id, AT, restarts=False)
    stocked(engine, OVER, board(102, CAROL, CAROL), board(103, ALICE, BOB), declined)
    with unit_of_work(engine) as uow:
        assert uow.rankings.newest_boards(BOB.id, 5) == [103, 101]
        assert uow.rankings.newest_boards(BOB.id, 1) == [103]
