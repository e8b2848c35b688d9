"""Tournaments with their entrants, in the database."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, exists, insert, select, update

from pbem.domain.tournaments import Bye, Entry, Kind, Tournament, TournamentState, name_key
from pbem.errors import Conflict
from pbem.ids import PlayerId, TournamentId
from pbem.storage.clocks import clock_of, clock_values
from pbem.storage.models import BoardRow, PlayerRow, TournamentByeRow, TournamentEntryRow, TournamentRow
from pbem.storage.repository import Repository, each_readable


class TournamentRepository(Repository[TournamentId, Tournament]):
    """Tournaments with their entrants."""

    def next_id(self) -> TournamentId:
        """An id for a new tournament; taken by somebody else meanwhile, the commit is a `Conflict`."""
        return TournamentId(self._next(TournamentRow.id, 1, self.saved))

    def get(self, tournament: TournamentId) -> Tournament:
        """The tournament with this id; there is one."""
        return (
            self.saved.get(tournament) or self._read(select(TournamentRow.id).where(TournamentRow.id == tournament))[0]
        )

    def find(self, game: str, name: str) -> Tournament | None:
        """The tournament of a game with this name, however it is spelled."""
        key = name_key(name)
        mine = (each for each in self.saved.values() if (each.game, name_key(each.name)) == (game, key))
        query = select(TournamentRow.id).where(TournamentRow.game == game, TournamentRow.name_key == key)
        return next(mine, None) or next(iter(self._read(query)), None)

    def of_game(self, game: str, most: int, skipped: int = 0) -> Sequence[Tournament]:
        """The tournaments of a game: those that are not over, and as many others as ``most`` allows; newest first."""
        is_over = TournamentRow.state == TournamentState.OVER.value
        query = select(TournamentRow.id).where(TournamentRow.game == game)
        newest = query.order_by(is_over, TournamentRow.id.desc()).limit(most).offset(skipped)
        mine = [each for each in self.saved.values() if each.game == game]
        return sorted(self._merged(newest, mine), key=lambda each: -each.id)

    def open_by(self, player: PlayerId) -> int:
        """The number of a player's own tournaments that wait for their start."""
        query = select(TournamentRow.id).where(
            TournamentRow.creator_id == player, TournamentRow.state == TournamentState.OPEN.value
        )
        mine = [each for each in self.saved.values() if each.creator == player and each.state is TournamentState.OPEN]
        return len(self._merged(query, mine))

    def of_player(self, player: PlayerId) -> Sequence[Tournament]:
        """The tournaments that a player takes part in and that are not over."""
        entered = select(TournamentEntryRow.tournament_id).where(
            TournamentEntryRow.player_id == player, TournamentEntryRow.withdrawn_at.is_(None)
        )
        query = select(TournamentRow.id).where(
            TournamentRow.id.in_(entered), TournamentRow.state != TournamentState.OVER.value
        )
        mine = [
            each
            for each in self.saved.values()
            if each.state is not TournamentState.OVER and any(entry.player == player for entry in each.staying)
        ]
        return sorted(self._merged(query, mine), key=lambda each: each.id)

    def due(self) -> Sequence[TournamentId]:
        """The stored tournaments that run and have no board that is on."""
        is_on = exists().where(BoardRow.tournament_id == TournamentRow.id, BoardRow.active)
        query = select(TournamentRow.id).where(TournamentRow.state == TournamentState.RUNNING.value, ~is_on)
        return [TournamentId(each) for each in self._connect().scalars(query.order_by(TournamentRow.id))]

    def save(self, tournament: Tournament) -> None:
        """Add the tournament, or replace what is known of it; the commit is a `Conflict` if somebody was quicker."""
        self.saved[tournament.id] = tournament

    def _merged(self, query: Select[int], mine: Iterable[Tournament]) -> list[Tournament]:
        """The stored ones that a query finds, as far as this unit of work has no newer ones, and those."""
        stored = each_readable(self._read_all, self._connect().scalars(query).all(), "tournament")
        return [*(each for each in stored if each.id not in self.saved), *mine]

    def _read(self, query: Select[int]) -> list[Tournament]:
        return self._read_all(self._connect().scalars(query).all())

    def _read_all(self, ids: Sequence[int]) -> list[Tournament]:
        connection = self._connect()
        rows = connection.execute(
            select(*TournamentRow.__table__.c).where(TournamentRow.id.in_(ids)).order_by(TournamentRow.id)
        ).all()
        entries = (
            select(*TournamentEntryRow.__table__.c, PlayerRow.userid)
            .join(PlayerRow, PlayerRow.id == TournamentEntryRow.player_id)
            .where(TournamentEntryRow.tournament_id.in_(ids))
            .order_by(TournamentEntryRow.joined_at, TournamentEntryRow.player_id)
        )
        byes = (
            select(*TournamentByeRow.__table__.c)
            .where(TournamentByeRow.tournament_id.in_(ids))
            .order_by(TournamentByeRow.round, TournamentByeRow.points.desc(), TournamentByeRow.player_id)
        )
        entered = connection.execute(entries).all() if rows else []
        sat_out = connection.execute(byes).all() if rows else []
        return [_tournament(row, _of(row.id, entered), _of(row.id, sat_out)) for row in rows]

    def write(self, connection: Connection) -> None:
        """Write what was saved.

        Raises:
            Conflict: a tournament was changed since it was read.
        """
        for each in self.saved.values():
            values = _values(each)
            if each.revision == 0:
                connection.execute(insert(TournamentRow).values(id=each.id, **_begun(each), **values))
            else:
                mine = (TournamentRow.id == each.id) & (TournamentRow.revision == each.revision)
                if connection.execute(update(TournamentRow).where(mine).values(values)).rowcount != 1:
                    raise Conflict(tournament=each.id)
            _write_entries(connection, each)
            _write_byes(connection, each)


def _of(tournament: int, rows: Iterable[Any]) -> list[Any]:
    return [each for each in rows if each.tournament_id == tournament]


def _write_entries(connection: Connection, tournament: Tournament) -> None:
    """Write the entries anew; there are not many, and who withdraws before the start leaves none."""
    mine = TournamentEntryRow.tournament_id == tournament.id
    connection.execute(delete(TournamentEntryRow).where(mine))
    rows = [
        {
            "tournament_id": tournament.id,
            "player_id": each.player,
            "joined_at": each.joined_at,
            "withdrawn_at": each.withdrawn_at,
            "pool": each.pool or None,
            "number": tournament.of_pool(each.pool).index(each.player) + 1 if each.pool else None,
        }
        for each in tournament.entries
    ]
    if rows:
        connection.execute(insert(TournamentEntryRow), rows)


def _write_byes(connection: Connection, tournament: Tournament) -> None:
    """Write the byes anew."""
    connection.execute(delete(TournamentByeRow).where(TournamentByeRow.tournament_id == tournament.id))
    rows = [
        {
            "tournament_id": tournament.id,
            "round": each.round,
            "player_id": each.player,
            "points": 1 if each.is_point else 0,
        }
        for each in tournament.byes
    ]
    if rows:
        connection.execute(insert(TournamentByeRow), rows)


def _begun(tournament: Tournament) -> dict[str, Any]:
    return {
        "game": tournament.game,
        "name": tournament.name,
        "name_key": name_key(tournament.name),
        "kind": tournament.kind.value,
        "options": dict(tournament.options),
        "clock": None if tournament.clock is None else clock_values(tournament.clock),
        "creator_id": tournament.creator,
        "created_at": tournament.created_at,
    }


def _values(tournament: Tournament) -> dict[str, Any]:
    return {
        "rounds": tournament.rounds,
        "round": tournament.round,
        "state": tournament.state.value,
        "finished_at": tournament.finished_at,
        "revision": tournament.revision + 1,
    }


def _tournament(row: Row[Any], entries: Iterable[Any], byes: Iterable[Any]) -> Tournament:
    return Tournament(
        id=TournamentId(row.id),
        name=row.name,
        game=row.game,
        kind=Kind(row.kind),
        creator=PlayerId(row.creator_id),
        created_at=row.created_at,
        rounds=row.rounds,
        options=row.options,
        clock=None if row.clock is None else clock_of(row.clock),
        state=TournamentState(row.state),
        entries=tuple(
            Entry(PlayerId(each.player_id), each.userid, each.joined_at, each.withdrawn_at, each.pool or "")
            for each in entries
        ),
        round=row.round,
        byes=tuple(Bye(each.round, PlayerId(each.player_id), each.points > 0) for each in byes),
        finished_at=row.finished_at,
        revision=row.revision,
    )
