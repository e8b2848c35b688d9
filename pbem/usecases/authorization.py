"""What each command needs: how well its speaker must be proven."""

from __future__ import annotations

from enum import IntEnum

from pbem.commands.model import (
    AcceptChallenges,
    AcceptOffer,
    AddAddresses,
    AnalyseBoard,
    AskUndo,
    Block,
    Broadcast,
    CancelQueued,
    Challenge,
    ChangeAddresses,
    ChangePassword,
    Chat,
    Command,
    ConfirmMove,
    CreateTournament,
    EndVacation,
    JoinTournament,
    LimitBoards,
    Mailed,
    MakeMove,
    NotifyOfEnd,
    PassTurn,
    ProposeDraw,
    QueueMove,
    RejectChallenges,
    RejectOffer,
    ReportPlayer,
    Resend,
    Resign,
    Seek,
    SendMessage,
    SetPreferences,
    ShowAs,
    ShowData,
    ShowLimit,
    ShowPreferences,
    ShowVacation,
    SignOff,
    StartTournament,
    SubmitMove,
    Subscribe,
    SubscribeTo,
    SwapSides,
    TakeVacation,
    Unblock,
    Unsubscribe,
    UnsubscribeFrom,
    WithdrawFromTournament,
)


class Need(IntEnum):
    """How well a speaker must be proven."""

    NOTHING = 0
    KNOWN = 1
    """A From address on record is enough: what follows is easily declined, or done again, and no words go with it."""
    PROOF = 2
    CONSENT = 3
    """However well he is proven, the player is asked at an address on record."""


NEEDS: dict[type[Command], Need] = {
    **dict.fromkeys(
        (
            MakeMove,
            PassTurn,
            SwapSides,
            QueueMove,
            CancelQueued,
            SubmitMove,
            ConfirmMove,
            ProposeDraw,
            AskUndo,
            AcceptOffer,
            RejectOffer,
            Resign,
            Chat,
            Subscribe,
            Unsubscribe,
            SubscribeTo,
            UnsubscribeFrom,
            NotifyOfEnd,
            AcceptChallenges,
            RejectChallenges,
            LimitBoards,
            CreateTournament,
            JoinTournament,
            WithdrawFromTournament,
            StartTournament,
            SetPreferences,
            TakeVacation,
            EndVacation,
            Block,
            Unblock,
            SendMessage,
            Broadcast,
            ReportPlayer,
            AnalyseBoard,
            ShowData,
        ),
        Need.PROOF,
    ),
    **dict.fromkeys((AddAddresses, ChangeAddresses, ChangePassword, SignOff), Need.CONSENT),
    **dict.fromkeys(
        (Challenge, Seek, ShowPreferences, ShowVacation, ShowLimit, ShowAs, Mailed, Resend),
        Need.KNOWN,
    ),
}
"""What each command needs: how well its speaker must be proven."""

READING: frozenset[type[Command]] = frozenset(
    (ShowPreferences, ShowVacation, ShowLimit, ShowAs, ShowData, Mailed, Resend)
)
"""Commands that need to know who asks, and change nothing."""

OF_HIS_DATA: frozenset[type[Command]] = frozenset((ShowData, SignOff))
"""Commands that a banned player may give, too: what is known of him is his."""
