"""Tables of boards, seeks, tournaments and robots."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, LargeBinary, String, Text, UniqueConstraint, false, text, true
from sqlalchemy.orm import Mapped, mapped_column

from pbem.storage.models.base import Base, partial_index

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

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    game: Mapped[str] = mapped_column(String(32))
    options: Mapped[dict[str, Any]]
    rules: Mapped[int]
    first: Mapped[int]
    begun_at: Mapped[datetime]
    rated: Mapped[bool] = mapped_column(server_default=true())
    """The result may count; that of an imported game does not."""
    revision: Mapped[int]
    event_number: Mapped[int]
    to_act: Mapped[int | None]
    """The seat that must play or decide; NULL when the board is over."""
    active: Mapped[bool]
    ending: Mapped[str | None] = mapped_column(String(32))
    winners: Mapped[list[int] | None] = mapped_column(JSON)
    finished_at: Mapped[datetime | None]
    clock: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """Seconds by ``nag``, ``forfeit``, ``total``, and whether it is the board's ``own``; NULL: the usual clock."""
    nagged_at: Mapped[datetime | None]
    """When who is to act was last reminded."""
    forfeit_at: Mapped[datetime | None]
    """The moment that was announced then."""
    answer_nagged_at: Mapped[datetime | None]
    """When who is to answer what is offered was last reminded."""
    answer_by: Mapped[datetime | None]
    """The moment that was announced then."""
    fingerprint: Mapped[str | None] = mapped_column(String(32))
    """Of the position; NULL: the board is over, or nobody has moved there since there are fingerprints."""
    clock_at: Mapped[datetime | None]
    """When the clock is to be looked at next; NULL: never."""
    pair: Mapped[int | None]
    """The number of the board that is played with the sides swapped."""
    tournament_id: Mapped[int | None]
    tournament_round: Mapped[int | None]
    tournament_label: Mapped[str | None] = mapped_column(String(16))
    """``A1``: the pool, and a number within it."""
    of_guest: Mapped[bool] = mapped_column(server_default=false())
    """A guest plays there: it is on no list, counts for nobody, and goes with the guest."""


class SeatRow(Base):
    """A player's place at a board."""

    __tablename__ = "seats"
    __table_args__ = (
        Index("ix_seats_player_active", "player_id", "active", "board_number"),
        Index("ix_seats_player_finished_at", "player_id", "finished_at", "board_number"),
    )

    board_number: Mapped[int] = mapped_column(ForeignKey("boards.number"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    resigning: Mapped[bool]
    quiet: Mapped[bool] = mapped_column(server_default=false())
    """The player wants mail of this board only when they have to act, and at the end."""
    queued: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """The move that is made by itself when the turn comes: ``text`` and ``moveno``."""
    plan: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """The moves that are made if others play certain ones: ``branches`` as typed, on one line, and the ``event``
    behind which they begin."""
    submitted: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """The move that waits to be confirmed: ``text``, and the ``event`` that it answers."""
    active: Mapped[bool]
    """The board is on; repeated here so that a player's boards are found by one index."""
    finished_at: Mapped[datetime | None]
    """When the board ended, repeated here for the same reason; of several seats of one player only with the first."""


class PlayedRow(Base):
    """The number of a player's boards of a game; counted as they begin and end, without declined and annulled ones."""

    __tablename__ = "played"

    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), primary_key=True)
    game: Mapped[str] = mapped_column(String(32), primary_key=True)
    active: Mapped[int]
    finished: Mapped[int]
    forfeits: Mapped[int]
    """The finished ones that they have forfeited, without those that the operator has decided."""
    ended_at: Mapped[datetime | None]
    """When the last of the finished ones ended; NULL if there is none."""


class TallyRow(Base):
    """The number of boards and players of a game: the sum of several rows, so that boards seldom wait for others."""

    __tablename__ = "tallies"

    game: Mapped[str] = mapped_column(String(32), primary_key=True)
    part: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """Which of the rows; it follows from the number of a board. One row alone says nothing."""
    active: Mapped[int]
    finished: Mapped[int]
    players: Mapped[int]


class EventRow(Base):
    """One thing that happened at a board. Its key forbids that two things happen at once."""

    __tablename__ = "events"

    board_number: Mapped[int] = mapped_column(ForeignKey("boards.number"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(32))
    seat: Mapped[int]
    at: Mapped[datetime]
    record: Mapped[Any | None] = mapped_column(JSON(none_as_null=True))


class PauseRow(Base):
    """A stretch of time that no clock of a board counts, because mail does not reach one of its players."""

    __tablename__ = "clock_pauses"

    board_number: Mapped[int] = mapped_column(ForeignKey("boards.number"), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), primary_key=True)
    began_at: Mapped[datetime] = mapped_column(primary_key=True)
    ended_at: Mapped[datetime | None]
    """NULL while it lasts."""
    ends_by: Mapped[datetime | None]
    """When the clocks run again although the reason lasts; NULL: not before it ends."""
    why: Mapped[str] = mapped_column(String(32), primary_key=True)


class WatchRow(Base):
    """News that a player who does not play there wants to hear."""

    __tablename__ = "watches"
    __table_args__ = (
        UniqueConstraint("player_id", "what", "game", "board_number", "other_id"),
        Index("ix_watches_board_number", "board_number"),
        Index("ix_watches_other_id", "other_id"),
        Index("ix_watches_game_board_number_other_id", "game", "board_number", "other_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    what: Mapped[str] = mapped_column(String(16))
    """``mails``, ``end``, or ``none``: no mails of this board though others of its kind are watched."""
    game: Mapped[str] = mapped_column(String(32))
    """Empty: of any game."""
    board_number: Mapped[int]
    """0: any board."""
    other_id: Mapped[int]
    """0: of any player."""


class DigestEntryRow(Base):
    """An entry for a player's next daily mail."""

    __tablename__ = "digest_entries"
    __table_args__ = (Index("ix_digest_entries_player_id", "player_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    board_number: Mapped[int] = mapped_column(ForeignKey("boards.number"))
    at: Mapped[datetime]
    due_at: Mapped[datetime] = mapped_column(index=True)
    """When the daily mail goes out."""
    writer: Mapped[str] = mapped_column(String(32))
    comment: Mapped[str] = mapped_column(Text)


class ReadinessRow(Base):
    """To how many boards of a game a player may be challenged; who has said nothing may be to any number."""

    __tablename__ = "readiness"

    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), primary_key=True)
    game: Mapped[str] = mapped_column(String(32), primary_key=True)
    most: Mapped[int | None]
    """NULL: to any number; 0: to none."""


class SeekRow(Base):
    """A player looks for others to play a game with these options."""

    __tablename__ = "seeks"
    __table_args__ = (Index("ix_seeks_game", "game"), Index("ix_seeks_player_id", "player_id"))

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    game: Mapped[str] = mapped_column(String(32))
    options: Mapped[dict[str, Any]]
    clock: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """As that of a board."""
    rated: Mapped[bool]
    players: Mapped[int]
    """The number of players at the board."""
    wanted: Mapped[int]
    """The number of boards still looked for."""
    pace: Mapped[int | None]
    """The others are to need no more seconds for a move."""
    created_at: Mapped[datetime]
    revision: Mapped[int]


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

    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), primary_key=True)
    game: Mapped[str] = mapped_column(String(32), primary_key=True)
    variant: Mapped[str] = mapped_column(String(32), primary_key=True, server_default=text("''"))
    """Empty: the game as it is usually played."""
    rating: Mapped[int]
    games: Mapped[int]
    won: Mapped[int]
    lost: Mapped[int]
    tied: Mapped[int]
    last_at: Mapped[datetime]
    """The moment when a game of theirs was last rated."""
    here: Mapped[bool] = mapped_column(server_default=true())
    """They have not left the server; repeated here so that standings are found by one index."""
    idle_since: Mapped[datetime | None]
    """The end or rating of their last board of the game, whatever its variant; NULL while one is on.

    It follows from `PlayedRow`.
    """
    revision: Mapped[int]


class RatingChangeRow(Base):
    """The effect of a board on the rating of one of its players."""

    __tablename__ = "rating_changes"
    __table_args__ = (Index("ix_rating_changes_player_id_game", "player_id", "game", "variant"),)

    board_number: Mapped[int] = mapped_column(ForeignKey("boards.number"), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), primary_key=True)
    game: Mapped[str] = mapped_column(String(32))
    variant: Mapped[str] = mapped_column(String(32), server_default=text("''"))
    """As that of the rating."""
    at: Mapped[datetime]
    before: Mapped[int]
    after: Mapped[int]
    games_before: Mapped[int]
    outcome: Mapped[int]
    """1 won, 0 tied, -1 lost."""
    undone_at: Mapped[datetime | None]
    """When it was taken back, because the board was annulled."""


class TournamentRow(Base):
    """A tournament of one game."""

    __tablename__ = "tournaments"
    __table_args__ = (UniqueConstraint("game", "name_key"), Index("ix_tournaments_state", "state"))

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    game: Mapped[str] = mapped_column(String(32))
    name: Mapped[str] = mapped_column(String(32))
    name_key: Mapped[str] = mapped_column(String(64))
    """The name with its case folded."""
    kind: Mapped[str] = mapped_column(String(16))
    """``swiss`` or ``roundrobin``."""
    options: Mapped[dict[str, Any]]
    clock: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    rounds: Mapped[int | None]
    """Their number; NULL until it is settled at the start."""
    round: Mapped[int]
    """The one under way; 0 before the start."""
    state: Mapped[str] = mapped_column(String(16))
    """``open``, ``running`` or ``over``."""
    creator_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    created_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]
    revision: Mapped[int]


class TournamentEntryRow(Base):
    """Somebody takes part in a tournament."""

    __tablename__ = "tournament_entries"

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), primary_key=True, index=True)
    joined_at: Mapped[datetime]
    withdrawn_at: Mapped[datetime | None]
    pool: Mapped[str | None] = mapped_column(String(8))
    """``A``; NULL before the start."""
    number: Mapped[int | None]
    """Within the pool, in the order in which the draw has put them."""


class TournamentByeRow(Base):
    """Somebody has nobody to play in a round."""

    __tablename__ = "tournament_byes"

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    round: Mapped[int] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), primary_key=True)
    points: Mapped[int]
    """1, or 0 for who could not be seated."""


class SolvedPuzzleRow(Base):
    """A puzzle that a player has solved."""

    __tablename__ = "solved_puzzles"

    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), primary_key=True, autoincrement=False)
    puzzle: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """Its number; the puzzles themselves come with the program."""
    solved_at: Mapped[datetime]
    """The moment of the first solution."""


class OpeningTurnRow(Base):
    """A turn that was played in a position of finished games, and how these ended."""

    __tablename__ = "opening_turns"

    before: Mapped[bytes] = mapped_column(LargeBinary(16), primary_key=True)
    after: Mapped[bytes] = mapped_column(LargeBinary(16), primary_key=True)
    """Keys of positions."""
    with_robots: Mapped[bool] = mapped_column(primary_key=True)
    """Of games in which computer opponents played."""
    record: Mapped[list[Any]] = mapped_column(JSON)
    """The inputs of the turn, as `OpeningTurn` has them."""
    games: Mapped[int]
    won: Mapped[int]
    """By the player of the turn."""
    tied: Mapped[int]
    rated: Mapped[int]
    ratings: Mapped[int]
    """The sum of those of the rated players of the turn."""


class OpeningGameRow(Base):
    """A finished game that is counted among the openings."""

    __tablename__ = "opening_games"

    board_number: Mapped[int] = mapped_column(ForeignKey("boards.number"), primary_key=True, autoincrement=False)
    with_robots: Mapped[bool]
    winners: Mapped[list[int]] = mapped_column(JSON)
    ratings: Mapped[list[Any]] = mapped_column(JSON)
    """Of the player of each seat at the end."""
