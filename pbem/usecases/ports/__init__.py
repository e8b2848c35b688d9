"""What the handlers need of the outside, as protocols; `pbem.storage` and `bootstrap` provide it.

Those that are asked for by name are here; the others are parts of `UnitOfWork`.
"""

from __future__ import annotations

from pbem.usecases.ports.players import MostWrong, Passwords, TriedLately, WrongAttempt
from pbem.usecases.ports.unit_of_work import Conflict, UnitOfWork

__all__ = ["Conflict", "MostWrong", "Passwords", "TriedLately", "UnitOfWork", "WrongAttempt"]
