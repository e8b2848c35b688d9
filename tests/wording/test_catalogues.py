"""Catalogues: complete, with whole placeholders; and a language of nonsense that shows what is not marked."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from babel.messages.catalog import Catalog

from pbem import folder
from pbem.domain.mails import Notice
from pbem.domain.preferences import LANGUAGES, Preferences
from pbem.wording import messages
from pbem.wording.catalogues import catalogue_path
from pbem.wording.templates import Wording
from tests.wording.sample_mails import ALICE, GAMES, REPLY_TO, SERVER, facts, played

TEMPLATES = folder("templates")
TRANSLATED = LANGUAGES[1:]
_PLACEHOLDER = re.compile(r"%\(\w+\)s")
_BARE_PER_CENT = re.compile(r"%(?![(%])")


@pytest.fixture(scope="module")
def sentences() -> Catalog:
    return messages.extract(TEMPLATES)


def forms(of: Any) -> tuple[str, ...]:
    return of if isinstance(of, tuple) else tuple(of) if isinstance(of, list) else (of,)


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_sentence_is_translated(language: str, sentences: Catalog) -> None:
    catalogue = messages.read(TEMPLATES, language)
    catalogue.update(sentences, no_fuzzy_matching=True)
    assert [message.id for message in messages.missing(catalogue)] == []
    assert not catalogue.obsolete, "make messages drops what no template says any more"


@pytest.mark.parametrize("language", TRANSLATED)
def test_placeholders_are_those_of_the_sentence(language: str) -> None:
    for message in messages.read(TEMPLATES, language):
        ours = [set(_PLACEHOLDER.findall(each)) for each in forms(message.id)]
        for translation in forms(message.string):
            theirs = set(_PLACEHOLDER.findall(translation))
            assert theirs <= set().union(*ours, {"%(num)s"} if len(ours) > 1 else set()), translation
            assert len(ours) > 1 or not translation or theirs == ours[0], translation
            assert not _BARE_PER_CENT.search(translation.replace("%%", "")), translation


@pytest.mark.parametrize("language", TRANSLATED)
def test_plurals_are_those_of_the_language(language: str) -> None:
    catalogue = messages.read(TEMPLATES, language)
    for message in catalogue:
        if isinstance(message.id, tuple):
            assert len(forms(message.string)) == catalogue.num_plurals, message.id


@pytest.fixture(scope="module")
def nonsense(sentences: Catalog, tmp_path_factory: pytest.TempPathFactory) -> Wording:
    """The templates with a German in which every sentence is in brackets."""
    place = tmp_path_factory.mktemp("templates")
    for each in TEMPLATES.iterdir():
        if each.name != "locale":
            (place / each.name).symlink_to(each)
    catalogue = Catalog("de", project="pbem", charset="utf-8")
    for message in sentences:
        if message.id:
            ids = forms(message.id)
            catalogue.add(
                message.id,
                tuple(f"[{each}]" for each in ids) if len(ids) > 1 else f"[{ids[0]}]",
                context=message.context,
            )
    messages.write(place, "de", catalogue)
    assert catalogue_path(place, "de").is_file()
    return Wording(place, SERVER, GAMES)


_IN_BRACKETS = re.compile(r"\[[^\[\]]*\]")
_TYPED = re.compile(r"Summary of \w+ Board \d+|\b(?:help|show|set|again|analyse)\s+\S+|\b\w+ move \d+ .*")
"""Words that are English in every language: the heading that programs read, and commands."""
_OTHERS = re.compile(r"alice|bob|Light|Dark|Sekunden|\b[ox]+\b")
"""Names, what Babel says, and parts of drawings."""


@pytest.mark.parametrize("game", ["superbo", "mambo", "lambo", "palago"])
@pytest.mark.parametrize("turns", [0, 3, 400])
def test_every_sentence_of_a_board_mail_is_marked(nonsense: Wording, game: str, turns: int) -> None:
    board = played(game, turns)
    reader = replace(ALICE, preferences=Preferences(language="de", describe="on"))
    body = nonsense.render(Notice("board", reader, {**facts(board, reader), "comment": None}), REPLY_TO).body
    assert unmarked(body) == []


def unmarked(body: str) -> list[str]:
    """The lines at the margin with words of English that no catalogue has."""
    lines = "\n".join(line for line in body.split("\n") if line[:1] not in ("", " ", "-") and "--" not in line)
    while _IN_BRACKETS.search(lines):
        lines = _IN_BRACKETS.sub("", lines)
    left = _OTHERS.sub("", _TYPED.sub("", lines))
    return [line for line in left.split("\n") if re.search(r"[a-z]{4,}", line)]
