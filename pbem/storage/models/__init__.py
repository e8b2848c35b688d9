"""The tables. Times are aware and in UTC; ``migrations/`` makes what stands here."""

from __future__ import annotations

from pbem.storage.models.base import Base, UtcDateTime
from pbem.storage.models.boards import (
    BoardRow,
    DigestEntryRow,
    EventRow,
    PauseRow,
    PlayedRow,
    SeatRow,
    TallyRow,
    WatchRow,
)
from pbem.storage.models.challenges import (
    RatingChangeRow,
    RatingRow,
    ReadinessRow,
    SeekRow,
    TournamentByeRow,
    TournamentEntryRow,
    TournamentRow,
)
from pbem.storage.models.house import AlarmToldRow, BroadcastRow, BulletinRow, DeedRow
from pbem.storage.models.mail import BounceRow, CorrespondentRow, LetterKeyRow, LetterRow, MailRow
from pbem.storage.models.players import (
    AddressRow,
    BlockRow,
    ConfirmationRow,
    FamiliarSourceRow,
    PlayerRow,
    ReportRow,
    WrongPasswordRow,
)
from pbem.storage.models.puzzles import SolvedPuzzleRow
from pbem.storage.models.robots import TaskRow
from pbem.storage.models.tokens import TokenPostRow, TokenRow
from pbem.storage.models.web import OperatorKeyRow, RemarkRow, SessionRow

__all__ = [
    "AddressRow",
    "AlarmToldRow",
    "Base",
    "BlockRow",
    "BoardRow",
    "BounceRow",
    "BroadcastRow",
    "BulletinRow",
    "ConfirmationRow",
    "CorrespondentRow",
    "DeedRow",
    "DigestEntryRow",
    "EventRow",
    "FamiliarSourceRow",
    "LetterKeyRow",
    "LetterRow",
    "MailRow",
    "OperatorKeyRow",
    "PauseRow",
    "PlayedRow",
    "PlayerRow",
    "RatingChangeRow",
    "RatingRow",
    "ReadinessRow",
    "RemarkRow",
    "ReportRow",
    "SeatRow",
    "SeekRow",
    "SessionRow",
    "SolvedPuzzleRow",
    "TallyRow",
    "TaskRow",
    "TokenPostRow",
    "TokenRow",
    "TournamentByeRow",
    "TournamentEntryRow",
    "TournamentRow",
    "UtcDateTime",
    "WatchRow",
    "WrongPasswordRow",
]
