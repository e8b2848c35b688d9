"""English that a machine can hold: short sentences, no words that sound translated, pages that are easy to read."""

from __future__ import annotations

import re

import pytest

from pbem import folder
from pbem.domain.preferences import ENGLISH
from pbem.wording.blocks import Items, Paragraph, read_blocks
from pbem.wording.messages import extract
from tests.wording.sample_mails import WORDING

TEMPLATES = folder("templates")
MOST_WORDS = 30
"""Of a sentence."""
_END = re.compile(r"(?<=[.!?:;])\s+")
_FOREIGN = re.compile(
    r"\b(?:by lot|it is for you to|off the table|done with|in hand|of nobody|is there to|whosoever)\b"
    r"|^Who (?:has|is|gets|wants|plays|lets|had) [^?]*$",
    re.IGNORECASE,
)
"""Turns of phrase that a reader stumbles over (STYLE: whoever, anyone, never "who" alone)."""
_PERSON = re.compile(r"\b(?:he|him|his|himself|she|her|hers|herself)\b", re.IGNORECASE)
LEAST_EASE = 50.0
"""Of a page, by Flesch: 60 and more is plain English, and names of games and commands cost some."""
_VOWELS = re.compile(r"[aeiouy]+")


_HELP = WORDING.help
PAGES = [
    (each, page.text)
    for each in _HELP.subjects
    if _HELP.language_of(each) == ENGLISH and (page := _HELP.page(each)) is not None
]


def sentences(text: str) -> list[str]:
    """The sentences of a text; parts that a colon or a semicolon divides count as sentences."""
    return [each for each in _END.split(" ".join(text.split())) if each]


MARKED = [
    (message.id if isinstance(message.id, str) else message.id[-1], sorted({file for file, _ in message.locations}))
    for message in extract(TEMPLATES)
    if message.id
]


def test_no_marked_sentence_is_longer_than_people_like_to_read() -> None:
    long = [each for text, _ in MARKED for each in sentences(text) if len(each.split()) > MOST_WORDS]
    assert long == []


def test_no_marked_sentence_sounds_translated() -> None:
    assert [(text, files) for text, files in MARKED if _FOREIGN.search(text)] == []


def test_no_player_is_a_man_or_a_woman() -> None:
    assert [(text, files) for text, files in MARKED if _PERSON.search(text)] == []


def prose(text: str) -> str:
    """The paragraphs and lists of a page, without commands and boards."""
    blocks = read_blocks(text)
    return " ".join(
        f"{block.text}." if isinstance(block, Paragraph) else ". ".join(block.texts)
        for block in blocks
        if isinstance(block, Paragraph | Items)
    )


def syllables(word: str) -> int:
    """About the number of syllables of an English word."""
    folded = word.lower()
    silent = folded.endswith("e") and not folded.endswith(("le", "ee"))
    return max(1, len(_VOWELS.findall(folded)) - silent)


def ease(text: str) -> float:
    """The reading ease of a text (Flesch 1948), 100 for the easiest."""
    words = re.findall(r"[A-Za-z']+", text)
    ends = max(1, len(re.findall(r"[.!?:](?:\s|$)", text)))
    return 206.835 - 1.015 * len(words) / ends - 84.6 * sum(map(syllables, words)) / max(1, len(words))


@pytest.mark.parametrize(("subject", "text"), PAGES, ids=[subject for subject, _ in PAGES])
def test_a_page_of_the_help_is_easy_to_read(subject: str, text: str) -> None:
    said = prose(text)
    if len(said.split()) < 40:
        return
    assert [each for each in sentences(said) if len(each.split()) > MOST_WORDS] == [], subject
    assert [each for each in sentences(said) if _FOREIGN.search(each)] == [], subject
    assert ease(said) >= LEAST_EASE, subject
