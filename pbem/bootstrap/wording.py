"""The templates, and what each of them may say of the server."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from pbem import folder
from pbem.bootstrap import absent_games, find_games
from pbem.config import Settings
from pbem.games.game import Game
from pbem.wording.templates import Wording


def make_wording(settings: Settings, games: Mapping[str, Game[Any, Any]] | None = None) -> Wording:
    """The templates; ``games`` are those that are here, if somebody has found them already."""
    here = find_games() if games is None else games
    return Wording(folder("templates"), _facts(settings), here, absent_games())


def _facts(settings: Settings) -> dict[str, object]:
    """The facts about the server for every template."""
    return {
        "server_address": settings.address,
        "has_sub_addresses": settings.sub_addresses,
        "site_url": settings.site_url if settings.has_pages else None,
        "server_version": version("pbem"),
        "trust_from": settings.trust_from,
        "max_commands": settings.max_commands,
        "nag_days": settings.nag_days,
        "forfeit_days": settings.forfeit_days,
        "unreachable_days": settings.unreachable_days,
        "tournament_nag_days": settings.tournament_nag_days,
        "tournament_forfeit_days": settings.tournament_forfeit_days,
        "vacation_days": settings.vacation_days,
        "archive_days": settings.archive_days,
    }
