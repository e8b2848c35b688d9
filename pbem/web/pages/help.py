"""The help as pages of the web; the addresses are the words that a mail would ask with: ``/help/mambo/tactics``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from starlette.responses import Response

from pbem.commands.model import Help
from pbem.web.visits import Visit
from pbem.wording.help import ENGLISH, INDEX

_MOST_WORDS = 10
_LONGEST = 40


def show_index(visit: Visit) -> Response:
    """Where the help begins, with all its subjects."""
    pages = visit.site.wording.help
    (found,) = pages.find((), _language(visit))
    games = visit.look(lambda context: tuple(context.games))
    subjects = [subject for subject in pages.subjects if subject != INDEX]
    english = [subject for subject in subjects if pages.language_of(subject) == ENGLISH]
    of_games = [subject for subject in english if subject.split()[0] in games]
    facts = {
        "page": found.page,
        "of_games": of_games,
        "others": [subject for subject in english if subject not in of_games],
        "translated": [subject for subject in subjects if subject not in english],
    }
    return visit.page("help_index", facts)


def show_subject(visit: Visit) -> Response:
    """The page about a subject; if there is none of just this name, those that may have been meant."""
    words = visit.word("subject").replace("/", " ").split()
    told = visit.ask(Help(tuple(words[:_MOST_WORDS])))
    found = visit.site.wording.help.find(cast("Sequence[str]", told.facts["subjects"]), _language(visit))
    page = found[0].page if found else None
    if len(found) == 1 and page is not None and not found[0].is_missing:
        return visit.page("help", {"page": page, "lacks": found[0].lacks})
    near = dict.fromkeys(name for asked in found for name in ((asked.page.subject,) if asked.page else asked.near))
    asked = " ".join(word[:_LONGEST] for word in words[:_MOST_WORDS])
    return visit.page(
        "help_missing",
        {"asked": asked, "near": list(near), "is_told_there": all(each.is_told_there for each in found)},
        404,
    )


def _language(visit: Visit) -> str:
    """What the visitor reads, as far as the help is translated."""
    return ENGLISH if visit.player is None else visit.player.preferences.language
