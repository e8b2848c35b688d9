"""Boards, and how they begin and are waited for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from pbem.commands.model import Which
from pbem.domain.boards import Board
from pbem.domain.fingerprints import Lookalikes
from pbem.domain.list_parts import ListPart
from pbem.domain.robots import Analysis
from pbem.domain.seeks import Seek
from pbem.domain.tournaments import Tournament
from pbem.ids import BoardNumber, PlayerId, SeekId, TournamentId


class Boards(Protocol):
    """Every board."""

    def next_number(self) -> BoardNumber:
        """A number for a new board; taken by somebody else meanwhile, the commit is a `Conflict`."""

    def find(self, number: BoardNumber) -> Board | None:
        """The board with this number."""

    def find_listed(self, number: BoardNumber) -> Board | None:
        """The same for a list: None, too, if what is stored of it cannot be read or followed, which is logged."""

    def last_events(self, numbers: Collection[BoardNumber]) -> Mapping[BoardNumber, int]:
        """The number of the last event of each of these boards that is stored."""

    def of_players(
        self,
        players: Iterable[PlayerId] | None,
        which: Which,
        game: str | None,
        most: int,
        *,
        ended_since: datetime | None = None,
        part: ListPart = ...,
    ) -> Sequence[Board]:
        """The boards of these players (None: of everybody), ``most`` and one more at the most.

        The lowest number comes first, among ``inactive`` ones the board that ended last. If ``ended_since`` is a
        moment, those that ended before it are left out.
        """

    def of_tournament(self, tournament: TournamentId) -> Sequence[Board]:
        """The boards of a tournament, lowest number first, declined and annulled ones too."""

    def listed_of_tournament(self, tournament: TournamentId) -> tuple[Sequence[Board], Sequence[BoardNumber]]:
        """The same to be shown, and the numbers of those that cannot be read or followed, which are left out."""

    def labelled(self, label: str, game: str | None, most: int) -> Sequence[Board]:
        """At most so many boards that have this label in tournaments: those that are on first, the newest first."""

    def each(self, game: str | None = None, *, followed: bool = False) -> Iterator[Board]:
        """Every stored board, or every one of a game, declined ones too, lowest number first; read as it is asked.

        What cannot be read, or ``followed``, is logged and left out.
        """

    def alike(self, lookalikes: Lookalikes) -> Iterator[Board]:
        """The active boards that may stand as a game stood once, lowest number first; read as they are asked."""

    def have_begun(self, one: PlayerId, other: PlayerId, game: str, since: datetime) -> bool:
        """Whether two players have begun a board of a game since a moment, a declined one too."""

    def active_of(self, player: PlayerId, game: str) -> int:
        """How many active boards of a game a player has."""

    def active_between(self, one: PlayerId, other: PlayerId) -> Sequence[BoardNumber]:
        """The active boards at which two players sit, lowest number first; of a pair the first that is on."""

    def begun_since(self, player: PlayerId, moment: datetime) -> int:
        """How many boards with this player have begun since a moment."""

    def count(self, game: str) -> tuple[int, int, int]:
        """How many active boards, finished boards and players a game has."""

    def save(self, board: Board) -> None:
        """Add the board, or append what is new of it."""


class Clocks(Protocol):
    """When the clocks of boards are to be looked at."""

    def due(self, now: datetime, most: int, without: Collection[BoardNumber] = ()) -> Sequence[BoardNumber]:
        """The active boards whose clocks are to be looked at by now, those that wait longest first."""

    def postpone(self, board: Board, until: datetime | None) -> None:
        """Look at the clock of a board later (None: when something has happened), if it has not changed meanwhile."""


class Errands(Protocol):
    """What boards ask of robots; it follows from those that are saved."""

    def before(self, board: BoardNumber) -> int | None:
        """How many stored tasks are to be taken up before that of a board; None: it has none that waits for that."""


class Analyses(Protocol):
    """Who wants which board analysed; each waits for one at most."""

    def open(self, asker: PlayerId) -> BoardNumber | None:
        """The board that a player waits to have analysed, if there is one."""

    def count(self) -> int:
        """How many are stored, begun or not."""

    def before(self, due_at: datetime) -> int:
        """How many analyses, stored and not begun yet, are to be taken up before one that is due then."""

    def ask(self, analysis: Analysis) -> None:
        """Want an analysis; if the asker comes to wait for another meanwhile the commit is a `Conflict`."""


class Seeks(Protocol):
    """Who looks for somebody to play with."""

    def next_id(self) -> SeekId:
        """An id for a new seek; taken by somebody else meanwhile, the commit is a `Conflict`."""

    def games(self) -> Sequence[str]:
        """The games that several seeks are stored for."""

    def of_game(self, game: str) -> Sequence[Seek]:
        """The seeks for a game of those who are here, the oldest first."""

    def count(self, game: str) -> int:
        """How many boards of a game are looked for, as it is stored."""

    def save(self, seek: Seek) -> None:
        """Add the seek, or replace it; one that wants nobody any more is forgotten.

        If somebody else has changed it meanwhile the commit is a `Conflict`.
        """


class Tournaments(Protocol):
    """Tournaments with their entrants."""

    def next_id(self) -> TournamentId:
        """An id for a new tournament; taken by somebody else meanwhile, the commit is a `Conflict`."""

    def get(self, tournament: TournamentId) -> Tournament:
        """The tournament with this id; there is one."""

    def find(self, game: str, name: str) -> Tournament | None:
        """The tournament of a game with this name, however it is spelled."""

    def of_game(self, game: str, most: int, skipped: int = ...) -> Sequence[Tournament]:
        """The tournaments of a game: those that are not over, and as many others as ``most`` allows; newest first.

        The first ``skipped`` are left out.
        """

    def open_by(self, player: PlayerId) -> int:
        """How many tournaments that a player has created wait for their start."""

    def of_player(self, player: PlayerId) -> Sequence[Tournament]:
        """The tournaments that a player takes part in and that are not over."""

    def due(self) -> Sequence[TournamentId]:
        """The stored tournaments that run and have no board that is on."""

    def save(self, tournament: Tournament) -> None:
        """Add the tournament, or replace what is known of it; the commit is a `Conflict` if somebody was quicker."""
