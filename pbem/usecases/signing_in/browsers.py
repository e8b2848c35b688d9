"""Browsers in which a player has signed in before: what others try in his name does not use up what he may do there."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.domain.players import Player
from pbem.ids import PlayerId
from pbem.usecases.context import Context
from pbem.usecases.signing_in.visitors import TooManyAsked

LINKS_PER_DAY = 20
"""Mails with a link that one browser may ask for, as somebody who has signed in there."""


@dataclass(frozen=True, slots=True)
class FamiliarBrowser:
    """A browser that shows that a player has signed in there; that alone lets nobody in."""

    player: PlayerId
    name: str
    """Drawn when he signed in; two browsers have two."""

    def is_of(self, player: Player | None) -> bool:
        """Whether it is this player's."""
        return player is not None and player.id == self.player


def count_asked_by(browser: FamiliarBrowser, context: Context) -> None:
    """Accept that a browser asks for one more link.

    Raises:
        TooManyAsked: not today.
    """
    known = context.uow.correspondents.of(f"@{context.fingerprint('browser', browser.name)}", context.now)
    if known.questions >= LINKS_PER_DAY:
        raise TooManyAsked
    context.uow.correspondents.save(known.asked(), counts_strictly=True)
