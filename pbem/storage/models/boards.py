"""Tables of boards, seeks, tournaments and robots."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
    false,
    text,
    true,
)

from pbem.storage.models.base import Base, Stored, column, partial_index

FINISHED = "NOT active AND ending NOT IN ('declined', 'annulled') AND NOT of_guest"
"""Of boards: those that were played and are over, and are on lists."""
ACTIVE = "active AND NOT of_guest"
"""Those that are on, and are on lists."""
_ENDED = ("finished_at", "number", "ending", "active")
"""The columns that lists of boards need, so that an index on them answers without a look at the rows."""


class BoardRow(Base):
    """One game between players. What follows from the events is kept beside them only to be searched."""

    __tablename__ = "boards"
    __table_args__ = (
        # Long lists of boards are read from where a reader has come to.
        partial_index("ix_boards_active_number", "number", only=ACTIVE),
        partial_index("ix_boards_active_game_number", "game", "number", only=ACTIVE),
        partial_index("ix_boards_active_in_tournaments", "number", only="active AND tournament_id IS NOT NULL"),
        partial_index("ix_boards_finished_at", *_ENDED, only=FINISHED),
        partial_index(
            "ix_boards_finished_game_at", *("game", "finished_at", "number", "ending", "active"), only=FINISHED
        ),
        partial_index("ix_boards_clock_at", "clock_at", "number", only="active"),
        partial_index("ix_boards_fingerprint", "game", "fingerprint", only="active"),
        partial_index("ix_boards_tournament_label", "tournament_label", only="tournament_label IS NOT NULL"),
        # A round that two processes begin at once begins once.
        Index("uq_boards_tournament_place", "tournament_id", "tournament_label", unique=True),
    )

    number: Stored[int] = column(primary_key=True, autoincrement=False)
    game: Stored[str] = column(String(32))
    options: Stored[dict[str, Any]]
    rules: Stored[int]
    first: Stored[int]
    begun_at: Stored[datetime]
    rated: Stored[bool] = column(server_default=true())
    """The result may count; that of an imported game does not."""
    revision: Stored[int]
    event_number: Stored[int]
    to_act: Stored[int | None]
    """The seat that must play or decide; NULL when the board is over."""
    active: Stored[bool]
    ending: Stored[str | None] = column(String(32))
    winners: Stored[list[int] | None] = column(JSON)
    finished_at: Stored[datetime | None]
    clock: Stored[dict[str, Any] | None] = column(JSON(none_as_null=True))
    """Seconds by ``nag``, ``forfeit``, ``total``, and whether it is the board's ``own``; NULL: the usual clock."""
    nagged_at: Stored[datetime | None]
    """When who is to act was last reminded."""
    forfeit_at: Stored[datetime | None]
    """The moment that was announced then."""
    answer_nagged_at: Stored[datetime | None]
    """When who is to answer what is offered was last reminded."""
    answer_by: Stored[datetime | None]
    """The moment that was announced then."""
    fingerprint: Stored[str | None] = column(String(32))
    """Of the position; NULL: the board is over, or nobody has moved there since fingerprints are made as they are."""
    clock_at: Stored[datetime | None]
    """When the clock is to be looked at next; NULL: never."""
    pair: Stored[int | None]
    """The number of the board that is played with the sides swapped."""
    tournament_id: Stored[int | None]
    tournament_round: Stored[int | None]
    tournament_label: Stored[str | None] = column(String(16))
    """``A1``: the pool, and a number within it."""
    of_guest: Stored[bool] = column(server_default=false())
    """A guest plays there: it is on no list, counts for nobody, and goes with the guest."""


class SeatRow(Base):
    """A player's place at a board."""

    __tablename__ = "seats"
    __table_args__ = (
        Index("ix_seats_player_active", "player_id", "active", "board_number"),
        Index("ix_seats_player_finished_at", "player_id", "finished_at", "board_number"),
    )

    board_number: Stored[int] = column(ForeignKey("boards.number"), primary_key=True)
    seat: Stored[int] = column(primary_key=True)
    player_id: Stored[int] = column(ForeignKey("players.id"))
    resigning: Stored[bool]
    quiet: Stored[bool] = column(server_default=false())
    """The player wants mail of this board only when they have to act, and at the end."""
    queued: Stored[dict[str, Any] | None] = column(JSON(none_as_null=True))
    """The move that is made by itself when the turn comes: ``text`` and ``moveno``."""
    plan: Stored[dict[str, Any] | None] = column(JSON(none_as_null=True))
    """The moves that are made if others play certain ones: ``branches`` as typed, on one line, the ``moveno`` of the
    reply, if it was said, and the ``event`` behind which they begin."""
    submitted: Stored[dict[str, Any] | None] = column(JSON(none_as_null=True))
    """The move that waits to be confirmed: ``text``, and the ``event`` that it answers."""
    active: Stored[bool]
    """The board is on; repeated here so that a player's boards are found by one index."""
    finished_at: Stored[datetime | None]
    """When the board ended, repeated here for the same reason; of several seats of one player only with the first."""


class PlayedRow(Base):
    """The number of a player's boards of a game; counted as they begin and end, without declined and annulled ones."""

    __tablename__ = "played"

    player_id: Stored[int] = column(ForeignKey("players.id"), primary_key=True)
    game: Stored[str] = column(String(32), primary_key=True)
    active: Stored[int]
    finished: Stored[int]
    forfeits: Stored[int]
    """The finished ones that they have forfeited, without those that the operator has decided."""
    ended_at: Stored[datetime | None]
    """When the last of the finished ones ended; NULL if there is none."""


class TallyRow(Base):
    """The number of boards and players of a game: the sum of several rows, so that boards seldom wait for others."""

    __tablename__ = "tallies"

    game: Stored[str] = column(String(32), primary_key=True)
    part: Stored[int] = column(primary_key=True, autoincrement=False)
    """Which of the rows; it follows from the number of a board. One row alone says nothing."""
    active: Stored[int]
    finished: Stored[int]
    players: Stored[int]


class EventRow(Base):
    """One thing that happened at a board. Its key forbids that two things happen at once."""

    __tablename__ = "events"

    board_number: Stored[int] = column(ForeignKey("boards.number"), primary_key=True)
    number: Stored[int] = column(primary_key=True)
    kind: Stored[str] = column(String(32))
    seat: Stored[int]
    at: Stored[datetime]
    record: Stored[Any | None] = column(JSON(none_as_null=True))


class PauseRow(Base):
    """A stretch of time that no clock of a board counts, because mail does not reach one of its players."""

    __tablename__ = "clock_pauses"

    board_number: Stored[int] = column(ForeignKey("boards.number"), primary_key=True)
    player_id: Stored[int] = column(ForeignKey("players.id"), primary_key=True)
    began_at: Stored[datetime] = column(primary_key=True)
    ended_at: Stored[datetime | None]
    """NULL while it lasts."""
    ends_by: Stored[datetime | None]
    """When the clocks run again although the reason lasts; NULL: not before it ends."""
    why: Stored[str] = column(String(32), primary_key=True)


class WatchRow(Base):
    """News that a player who does not play there wants to hear."""

    __tablename__ = "watches"
    __table_args__ = (
        UniqueConstraint("player_id", "what", "game", "board_number", "other_id"),
        Index("ix_watches_board_number", "board_number"),
        Index("ix_watches_other_id", "other_id"),
        Index("ix_watches_game_board_number_other_id", "game", "board_number", "other_id"),
    )

    id: Stored[int] = column(primary_key=True)
    player_id: Stored[int] = column(ForeignKey("players.id"))
    what: Stored[str] = column(String(16))
    """``mails``, ``end``, or ``none``: no mails of this board though others of its kind are watched."""
    game: Stored[str] = column(String(32))
    """Empty: of any game."""
    board_number: Stored[int]
    """0: any board."""
    other_id: Stored[int]
    """0: of any player."""


class DigestEntryRow(Base):
    """An entry for a player's next daily mail."""

    __tablename__ = "digest_entries"
    __table_args__ = (Index("ix_digest_entries_player_id", "player_id"),)

    id: Stored[int] = column(primary_key=True)
    player_id: Stored[int] = column(ForeignKey("players.id"))
    board_number: Stored[int] = column(ForeignKey("boards.number"))
    at: Stored[datetime]
    due_at: Stored[datetime] = column(index=True)
    """When the daily mail goes out."""
    writer: Stored[str] = column(String(32))
    comment: Stored[str] = column(Text)


class ReadinessRow(Base):
    """To how many boards of a game a player may be challenged; who has said nothing may be to any number."""

    __tablename__ = "readiness"

    player_id: Stored[int] = column(ForeignKey("players.id"), primary_key=True)
    game: Stored[str] = column(String(32), primary_key=True)
    most: Stored[int | None]
    """NULL: to any number; 0: to none."""


class SeekRow(Base):
    """A player looks for others to play a game with these options."""

    __tablename__ = "seeks"
    __table_args__ = (Index("ix_seeks_game", "game"), Index("ix_seeks_player_id", "player_id"))

    id: Stored[int] = column(primary_key=True, autoincrement=False)
    player_id: Stored[int] = column(ForeignKey("players.id"))
    game: Stored[str] = column(String(32))
    options: Stored[dict[str, Any]]
    clock: Stored[dict[str, Any] | None] = column(JSON(none_as_null=True))
    """As that of a board."""
    rated: Stored[bool]
    players: Stored[int]
    """The number of players at the board."""
    wanted: Stored[int]
    """The number of boards still looked for."""
    pace: Stored[int | None]
    """The others are to need no more seconds for a move."""
    created_at: Stored[datetime]
    revision: Stored[int]


_STANDING = ("game", "variant", "rating", "games", "player_id", "idle_since")


class RatingRow(Base):
    """The rating of a player in a game, or in a named variant of it: each has ratings of its own."""

    __tablename__ = "ratings"
    __table_args__ = (
        # Standings are read from the top; who stands there is known without a look at the rows.
        partial_index("ix_ratings_established", *_STANDING, only="games >= 20 AND here"),
        partial_index("ix_ratings_idle", "game", "variant", "idle_since", only="games > 0 AND here"),
        partial_index("ix_ratings_provisional", *_STANDING, only="games > 0 AND games < 20 AND here"),
    )

    player_id: Stored[int] = column(ForeignKey("players.id"), primary_key=True)
    game: Stored[str] = column(String(32), primary_key=True)
    variant: Stored[str] = column(String(32), primary_key=True, server_default=text("''"))
    """Empty: the game as it is usually played."""
    rating: Stored[int]
    games: Stored[int]
    won: Stored[int]
    lost: Stored[int]
    tied: Stored[int]
    last_at: Stored[datetime]
    """The moment when a game of theirs was last rated."""
    here: Stored[bool] = column(server_default=true())
    """They have not left the server; repeated here so that standings are found by one index."""
    idle_since: Stored[datetime | None]
    """The end or rating of their last board of the game, whatever its variant; NULL while one is on.

    It follows from `PlayedRow`.
    """
    revision: Stored[int]


class RatingChangeRow(Base):
    """The effect of a board on the rating of one of its players."""

    __tablename__ = "rating_changes"
    __table_args__ = (Index("ix_rating_changes_player_id_game", "player_id", "game", "variant"),)

    board_number: Stored[int] = column(ForeignKey("boards.number"), primary_key=True)
    player_id: Stored[int] = column(ForeignKey("players.id"), primary_key=True)
    game: Stored[str] = column(String(32))
    variant: Stored[str] = column(String(32), server_default=text("''"))
    """As that of the rating."""
    at: Stored[datetime]
    before: Stored[int]
    after: Stored[int]
    games_before: Stored[int]
    outcome: Stored[int]
    """1 won, 0 tied, -1 lost."""
    undone_at: Stored[datetime | None]
    """When it was taken back, because the board was annulled."""


class TournamentRow(Base):
    """A tournament of one game."""

    __tablename__ = "tournaments"
    __table_args__ = (UniqueConstraint("game", "name_key"), Index("ix_tournaments_state", "state"))

    id: Stored[int] = column(primary_key=True, autoincrement=False)
    game: Stored[str] = column(String(32))
    name: Stored[str] = column(String(32))
    name_key: Stored[str] = column(String(64))
    """The name with its case folded."""
    kind: Stored[str] = column(String(16))
    """``swiss`` or ``roundrobin``."""
    options: Stored[dict[str, Any]]
    clock: Stored[dict[str, Any] | None] = column(JSON(none_as_null=True))
    rounds: Stored[int | None]
    """Their number; NULL until it is settled at the start."""
    round: Stored[int]
    """The one under way; 0 before the start."""
    state: Stored[str] = column(String(16))
    """``open``, ``running`` or ``over``."""
    creator_id: Stored[int] = column(ForeignKey("players.id"))
    created_at: Stored[datetime]
    finished_at: Stored[datetime | None]
    revision: Stored[int]


class TournamentEntryRow(Base):
    """Somebody takes part in a tournament."""

    __tablename__ = "tournament_entries"

    tournament_id: Stored[int] = column(ForeignKey("tournaments.id"), primary_key=True)
    player_id: Stored[int] = column(ForeignKey("players.id"), primary_key=True, index=True)
    joined_at: Stored[datetime]
    withdrawn_at: Stored[datetime | None]
    pool: Stored[str | None] = column(String(8))
    """``A``; NULL before the start."""
    number: Stored[int | None]
    """Within the pool, in the order in which the draw has put them."""


class TournamentByeRow(Base):
    """Somebody has nobody to play in a round."""

    __tablename__ = "tournament_byes"

    tournament_id: Stored[int] = column(ForeignKey("tournaments.id"), primary_key=True)
    round: Stored[int] = column(primary_key=True)
    player_id: Stored[int] = column(ForeignKey("players.id"), primary_key=True)
    points: Stored[int]
    """1, or 0 for who could not be seated."""


class SolvedPuzzleRow(Base):
    """A puzzle that a player has solved."""

    __tablename__ = "solved_puzzles"

    player_id: Stored[int] = column(ForeignKey("players.id"), primary_key=True, autoincrement=False)
    puzzle: Stored[int] = column(primary_key=True, autoincrement=False)
    """Its number; the puzzles themselves come with the program."""
    solved_at: Stored[datetime]
    """The moment of the first solution."""


class OpeningTurnRow(Base):
    """A turn that was played in a position of finished games, and how these ended."""

    __tablename__ = "opening_turns"

    before: Stored[bytes] = column(LargeBinary(16), primary_key=True)
    after: Stored[bytes] = column(LargeBinary(16), primary_key=True)
    """Keys of positions."""
    with_robots: Stored[bool] = column(primary_key=True)
    """Of games in which computer opponents played."""
    record: Stored[list[Any]] = column(JSON)
    """The inputs of the turn, as `OpeningTurn` has them."""
    games: Stored[int]
    won: Stored[int]
    """By the player of the turn."""
    tied: Stored[int]
    rated: Stored[int]
    ratings: Stored[int]
    """The sum of those of the rated players of the turn."""


class OpeningGameRow(Base):
    """A finished game that is counted among the openings."""

    __tablename__ = "opening_games"

    board_number: Stored[int] = column(ForeignKey("boards.number"), primary_key=True, autoincrement=False)
    with_robots: Stored[bool]
    winners: Stored[list[int]] = column(JSON)
    ratings: Stored[list[Any]] = column(JSON)
    """Of the player of each seat at the end."""
