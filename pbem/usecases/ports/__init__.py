"""What the handlers need of the outside, as protocols; `pbem.storage` and `bootstrap` provide it."""

from __future__ import annotations

from pbem.usecases.ports.boards import (
    Boards,
    Clocks,
    Seeks,
    Tournaments,
)
from pbem.usecases.ports.mail import (
    Bounces,
    Broadcasts,
    Confirmations,
    Correspondents,
    Digests,
    Mails,
    Reports,
    Watches,
)
from pbem.usecases.ports.players import (
    Blocks,
    MostWrong,
    Passwords,
    Players,
    Rankings,
    Ratings,
    Readiness,
    Traces,
    WrongAttempt,
    WrongPasswords,
)
from pbem.usecases.ports.unit_of_work import (
    Conflict,
    UnitOfWork,
)

__all__ = [
    "Blocks",
    "Boards",
    "Bounces",
    "Broadcasts",
    "Clocks",
    "Confirmations",
    "Conflict",
    "Correspondents",
    "Digests",
    "Mails",
    "MostWrong",
    "Passwords",
    "Players",
    "Rankings",
    "Ratings",
    "Readiness",
    "Reports",
    "Seeks",
    "Tournaments",
    "Traces",
    "UnitOfWork",
    "Watches",
    "WrongAttempt",
    "WrongPasswords",
]
