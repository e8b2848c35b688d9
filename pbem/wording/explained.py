"""What pages of the help explain word by word: the options of a game, what can be set."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.wording.blocks import Heading, Meanings, read_blocks
from pbem.wording.help import HelpPage


@dataclass(frozen=True, slots=True)
class Explained:
    """A word that a player types, and what it says."""

    word: str
    """As the page has it: ``-size=n``, ``mail=text``; or what stands for leaving words out."""
    meaning: str
    about: str
    """The heading that it stands under, in small letters; empty if that is the title of the page."""

    @property
    def name(self) -> str:
        """The word without dash and value: ``size``."""
        return self.word.lstrip("-").partition("=")[0]


def explained(page: HelpPage | None) -> tuple[Explained, ...]:
    """The options and the settings that a page explains, in its order; none if there is no page."""
    if page is None:
        return ()
    found: list[Explained] = []
    about = ""
    for block in read_blocks(page.text):
        if isinstance(block, Heading):
            about = "" if block.level == 1 else block.text.lower()
        if isinstance(block, Meanings) and any(term.startswith("-") or "=" in term for term, _ in block.entries):
            found.extend(Explained(term, meaning, about) for term, meaning in block.entries)
    return tuple(found)
