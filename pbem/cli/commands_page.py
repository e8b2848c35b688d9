"""The page of the documentation about the commands, made from what mails and the help show of them."""

from __future__ import annotations

from pbem.bootstrap import find_games, make_wording
from pbem.commands.grammar import OTHER_NAMES
from pbem.commands.userids import ABBREVIATED
from pbem.config import Settings


def commands_page() -> str:
    """A table of every form of every command, as Markdown; it is the same whatever the settings are."""
    others = {**OTHER_NAMES, **{f"{beginning}...": verb for beginning, verb in ABBREVIATED.items()}}
    return make_wording(Settings()).tool("commands", {"games": sorted(find_games()), "other_names": others})
