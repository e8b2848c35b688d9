"""Answers below which a mail program has put our mail without marks: as it was, or as the text of its page."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from pbem import folder
from pbem.domain.mails import Notice
from pbem.domain.preferences import LANGUAGES, Preferences
from pbem.mail_in.pages import text_of_page
from pbem.mail_in.quotes import own_lines
from pbem.wording import messages
from pbem.wording.mails import RenderedMail
from tests.wording.sample_mails import ALICE, REPLY_TO, WORDING, facts, html_of, played

TEMPLATES = folder("templates")
BEGINNINGS = ("mail/new_board.txt", "mail/chat.txt", "mail/message.txt", "parts/drawn_boards.txt")
HEADINGS = "parts/summary.html"
_FACTS = {"game": "superbo", "place": "superbo Board 101", "names": "bob", "others": "bob, dave"}
_BEGINS = re.compile(r"7,? .*:|.+ (7|\(7\))( .*[^.:])?")
"""An opening that names the writer, or a heading with the number of a board."""


def sentences(language: str, *templates: str) -> list[str]:
    """The sentences of templates in a language, with facts."""
    said: list[str] = []
    catalogue = messages.read(TEMPLATES, language if language != "en" else "de")
    for message in catalogue:
        if message.id and {file for file, _ in message.locations} & set(templates):
            ids = (message.id,) if isinstance(message.id, str) else tuple(message.id)
            texts = (message.string,) if isinstance(message.string, str) else tuple(message.string)
            said += ids if language == "en" else texts
    return [re.sub(r"%\((\w+)\)s", lambda found: _FACTS.get(found[1], "7"), each) for each in said]


def mail(kind: str, language: str, turns: int) -> RenderedMail:
    reader = replace(ALICE, preferences=Preferences(language=language))
    told = facts(played("superbo", turns), reader)
    return WORDING.render(Notice(kind, reader, told), REPLY_TO)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_heading_of_a_board_is_known_where_its_name_follows(language: str) -> None:
    headings = [each for each in sentences(language, HEADINGS) if each[0].isupper() or " " in each]
    assert len(headings) >= 11
    for each in headings:
        assert own_lines(("b3", each, "", "superbo Board 101", "Resign?")) == ("b3",), each
        assert own_lines(("b3", each)) == ("b3", each)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("template", BEGINNINGS)
def test_each_first_line_of_other_mails_is_known(language: str, template: str) -> None:
    first = [each for each in sentences(language, template) if _BEGINS.fullmatch(each)]
    assert first
    known = [each for each in first if own_lines(("b3", each, "", "resign")) == ("b3",)]
    assert known == first


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["board", "new_board"])
@pytest.mark.parametrize("turns", [0, 1, 6, 200])
def test_only_the_words_above_an_unmarked_mail_are_the_players(language: str, kind: str, turns: int) -> None:
    sent = mail(kind, language, turns)
    own = ["b3", "", "Viel Gl\u00fcck!"]
    as_text = "\n".join([*own, "", sent.body])
    as_page = f"<p>b3</p><p>Viel Gl\u00fcck!</p>{html_of(sent)}"
    for body in (as_text, text_of_page(as_page)):
        assert "\n".join(own_lines(body.split("\n"))).rstrip("\n").split("\n") == own


def test_the_heading_of_a_new_board_is_in_the_readers_language_and_the_text_as_programs_read_it() -> None:
    told = {
        "de": "Ein neues superbo-Brett (101) hat begonnen</h1>",
        "fr": "Une nouvelle partie de superbo (101) a commenc",
    }
    for language, heading in told.items():
        sent = mail("new_board", language, 0)
        assert sent.body.startswith("A new superbo board (101) has been started\n")
        assert heading in html_of(sent)
        assert "has been started" not in html_of(sent)
