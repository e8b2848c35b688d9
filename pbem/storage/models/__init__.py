"""The tables. Times are aware and in UTC; ``migrations/`` makes what stands here.

A module of them is loaded with the first of its tables that is imported: `pbem deliver`, which may be started for each
letter, needs few of them. `Base` comes with all tables.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pbem.storage.models.base import UtcDateTime, aliased

if TYPE_CHECKING:  # loaded by `__getattr__`
    from pbem.storage.models.base import Base
    from pbem.storage.models.boards import (
        BoardRow,
        DigestEntryRow,
        EventRow,
        OpeningGameRow,
        OpeningTurnRow,
        PauseRow,
        PlayedRow,
        RatingChangeRow,
        RatingRow,
        ReadinessRow,
        SeatRow,
        SeekRow,
        SolvedPuzzleRow,
        TallyRow,
        TournamentByeRow,
        TournamentEntryRow,
        TournamentRow,
        WatchRow,
    )
    from pbem.storage.models.mail import (
        AlarmToldRow,
        BackupRow,
        BounceRow,
        BroadcastRow,
        BulletinRow,
        CorrespondentRow,
        DeedRow,
        LetterKeyRow,
        LetterRow,
        MailboxRow,
        MailRow,
        PushNoticeRow,
        PushSubscriptionRow,
        RelayMinuteRow,
        TroubleRow,
    )
    from pbem.storage.models.players import (
        AddressRow,
        BlockRow,
        ConfirmationRow,
        FamiliarSourceRow,
        NoteRow,
        OperatorKeyRow,
        PlayerRow,
        RemarkRow,
        ReportRow,
        SessionRow,
        StudyRow,
        TokenPostRow,
        TokenRow,
        WrongPasswordRow,
    )
    from pbem.storage.models.robots import BoardAnalysisRow, TaskRow

__all__ = [
    "AddressRow",
    "AlarmToldRow",
    "BackupRow",
    "Base",
    "BlockRow",
    "BoardAnalysisRow",
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
    "MailboxRow",
    "NoteRow",
    "OpeningGameRow",
    "OpeningTurnRow",
    "OperatorKeyRow",
    "PauseRow",
    "PlayedRow",
    "PlayerRow",
    "PushNoticeRow",
    "PushSubscriptionRow",
    "RatingChangeRow",
    "RatingRow",
    "ReadinessRow",
    "RelayMinuteRow",
    "RemarkRow",
    "ReportRow",
    "SeatRow",
    "SeekRow",
    "SessionRow",
    "SolvedPuzzleRow",
    "StudyRow",
    "TallyRow",
    "TaskRow",
    "TokenPostRow",
    "TokenRow",
    "TournamentByeRow",
    "TournamentEntryRow",
    "TournamentRow",
    "TroubleRow",
    "UtcDateTime",
    "WatchRow",
    "WrongPasswordRow",
    "aliased",
]

_MODULES = ("mail", "robots", "players", "boards", "base")


def __getattr__(name: str) -> Any:
    """Load the first module that has what is imported; for `Base`, which stands for all tables, load all."""
    if name not in __all__:
        raise AttributeError(name)
    for module in _MODULES:
        loaded = import_module(f"{__name__}.{module}")
        if hasattr(loaded, name) and (name != "Base" or module == _MODULES[-1]):
            return getattr(loaded, name)
    raise AttributeError(name)
