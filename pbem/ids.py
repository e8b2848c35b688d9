"""Types for the numbers that things are known by, so that one is not taken for another."""

from __future__ import annotations

from typing import NewType

HIGHEST_NUMBER = 999_999_999
"""By which anything may be known: every database holds it, and it is read in no time."""

BoardNumber = NewType("BoardNumber", int)
"""The number by which players know a board; from 101, unique across the server."""

PlayerId = NewType("PlayerId", int)
"""The database's number for a player; players themselves go by userid."""

ConfirmationId = NewType("ConfirmationId", int)
"""The database's number for a question that one reply answers."""

LetterId = NewType("LetterId", int)
"""The inbox's number for a letter."""

TournamentId = NewType("TournamentId", int)
"""The database's number for a tournament; players call it by its name."""

SeekId = NewType("SeekId", int)
"""The database's number for a seek."""
