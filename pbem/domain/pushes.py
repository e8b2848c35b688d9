"""Notifications that browsers show (RFC 8030): who is told of what, and by which push services."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import urlsplit

from pbem.domain.boards import Board
from pbem.domain.events import EventKind
from pbem.domain.game_state import GameState
from pbem.ids import PlayerId

LONGEST_ENDPOINT = 2000
"""Characters of the address at which a push service takes notifications for one browser."""

_POINT, _SECRET = 65, 16
"""Bytes of a browser's public key, an uncompressed point of P-256, and of its secret (RFC 8291 s 3.1, 3.2)."""


@dataclass(frozen=True, slots=True)
class PushAccess:
    """The facts that a browser needs to subscribe."""

    public_key: str
    """The server's, by which push services know it (RFC 8292 s 3.2); in base64url, as browsers want it."""
    services: tuple[str, ...]
    """The hosts that may take notifications; ``*.`` stands for any name below a domain."""


@dataclass(frozen=True, slots=True)
class PushSubscription:
    """A browser that shows notifications, as long as its player is signed in there."""

    session: str
    """The hash of the session's secret."""
    player: PlayerId
    endpoint: str = field(repr=False)
    public_key: str = field(repr=False)
    auth: str = field(repr=False)
    made_at: datetime


def is_of_service(endpoint: str, services: Sequence[str]) -> bool:
    """Return True if an address is that of one of these push services, by HTTPS: it comes from a browser."""
    if len(endpoint) > LONGEST_ENDPOINT or not re.fullmatch(r"https://[!-~]+", endpoint):
        return False
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        return False
    if "@" in parts.netloc or "\\" in endpoint or parts.fragment or not parts.hostname:
        return False
    host = parts.hostname if port in (None, 443) else f"{parts.hostname}:{port}"
    return any(host.endswith(each[1:]) if each.startswith("*.") else host == each for each in services)


def are_keys(public_key: str, auth: str) -> bool:
    """Return True if these can be the keys of a browser."""
    try:
        point, secret = (urlsafe_b64decode(each + "=" * (-len(each) % 4)) for each in (public_key, auth))
    except ValueError:
        return False
    return len(point) == _POINT and point[0] == 4 and len(secret) == _SECRET and len(public_key + auth) <= 120


def turn_begun(board: Board, before: Board | None, course: Callable[[Board], GameState]) -> PlayerId | None:
    """The player whose turn has begun at a board.

    Args:
        board: as it is now.
        before: as it was; None: it is new.
        course: computes the game state of a board.
    """
    to_act = course(board).to_act
    if to_act is None:
        return None
    player = board.seats[to_act].player
    if before is None:
        return player
    was = course(before).to_act
    moved = (each.seat for each in board.events[before.event_number :] if each.kind is EventKind.MOVE)
    is_new = was is None or before.seats[was].player != player
    return player if is_new or any(board.seats[seat].player != player for seat in moved) else None
