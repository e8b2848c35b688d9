"""Who may be challenged, seeks, ratings and tournaments."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, UniqueConstraint, true
from sqlalchemy.orm import Mapped, mapped_column

from pbem.storage.models.base import Base, partial_index


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
    """How many are to sit at the board."""
    wanted: Mapped[int]
    """How many boards are still looked for."""
    pace: Mapped[int | None]
    """The others are to need no more seconds for a move."""
    created_at: Mapped[datetime]
    revision: Mapped[int]


_STANDING = ("game", "rating", "games", "idle_since", "player_id")


class RatingRow(Base):
    """How a player stands in a game."""

    __tablename__ = "ratings"
    __table_args__ = (
        # Standings are read from the top; who stands there is known without a look at the rows.
        partial_index("ix_ratings_established", *_STANDING, only="games >= 20 AND here"),
        partial_index("ix_ratings_idle", "game", "idle_since", only="games > 0 AND here"),
        partial_index("ix_ratings_provisional", *_STANDING, only="games > 0 AND games < 20 AND here"),
    )

    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), primary_key=True)
    game: Mapped[str] = mapped_column(String(32), primary_key=True)
    rating: Mapped[int]
    games: Mapped[int]
    won: Mapped[int]
    lost: Mapped[int]
    tied: Mapped[int]
    last_at: Mapped[datetime]
    """When a game of his was last rated."""
    here: Mapped[bool] = mapped_column(server_default=true())
    """Whether he has not left the server, repeated here so that standings are found by one index."""
    idle_since: Mapped[datetime | None]
    """When his last board of the game ended, or was rated; NULL while one is on. It follows from `PlayedRow`."""
    revision: Mapped[int]


class RatingChangeRow(Base):
    """What a board has done to the rating of one of its players."""

    __tablename__ = "rating_changes"
    __table_args__ = (Index("ix_rating_changes_player_id_game", "player_id", "game"),)

    board_number: Mapped[int] = mapped_column(ForeignKey("boards.number"), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), primary_key=True)
    game: Mapped[str] = mapped_column(String(32))
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
    """How many; NULL until it is clear at the start."""
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
