"""Catalogues: complete, with whole placeholders."""

from __future__ import annotations

import re
from typing import Any

import pytest
from babel.messages.catalog import Catalog

from pbem import folder
from pbem.domain.preferences import LANGUAGES
from pbem.wording import messages
from pbem.wording.catalogues import Catalogue, catalogue_path

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
def test_every_number_of_things_is_told_in_the_language_whatever_a_library_knows_of_its_plurals(language: str) -> None:
    """Libraries differ: to some, French has a form of its own for millions."""
    assert "Plural-Forms: nplurals=" in catalogue_path(TEMPLATES, language).read_text(encoding="utf-8")
    singular, plural = "%(num)s move", "%(num)s moves"
    said = Catalogue(TEMPLATES, language)
    forms = {said.ngettext(singular, plural, count) for count in (0, 1, 2, 7, 100, 1_000_000)}
    assert len(forms) == 2
    assert not forms & {singular, plural}


@pytest.mark.parametrize("language", TRANSLATED)
def test_plurals_are_those_of_the_language(language: str) -> None:
    catalogue = messages.read(TEMPLATES, language)
    for message in catalogue:
        if isinstance(message.id, tuple):
            assert len(forms(message.string)) == catalogue.num_plurals, message.id
