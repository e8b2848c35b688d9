"""Whatever people read is marked for translation: a language of nonsense shows what is not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from pbem import folder
from pbem.bootstrap.parts import stored_puzzles
from pbem.domain.mails import Notice
from pbem.domain.preferences import Preferences
from pbem.errors import PlayerError
from pbem.web.app import PAGES
from pbem.wording.templates import Wording
from tests.conversations.command_table import every_row
from tests.storage.stock import OPENING, WON
from tests.support.pseudo_language import LANGUAGE, mail_left, page_left, unmarked_in
from tests.support.web_site import WebClient, WebSite
from tests.wording.sample_mails import ALICE, GAMES, REPLY_TO, SERVER, facts, played

TEMPLATES = folder("templates")
PEOPLE = ("alice", "bob", "carol", "dave")
ENGLISH_ALONE = ("locale", "de", "fr", "tools", "classic", "help")
"""Folders of what is translated file by file, or that programs and operators read."""
KEPT = {
    "macros/quoted.txt": ["yes "],
    "mail/reachable_again.txt": ["   games   next"],
    "mail/vacation.txt": ["%-29s  vacation off"],
    "parts/mamba/words.txt": ["yes "],
    "parts/own_moves.txt": ["   plan   cancel", "   queue   cancel"],
    "web/plan.html": ["if C4,K5 then G2,H7 if … then …"],
    "mail/study_shared.txt": ["   study unshare", "   study     <password>  unshare"],
    "parts/said.txt": ["  writes:"],
    "parts/summary.html": ["  Board  "],
    "parts/summary.txt": ["Summary of   Board  "],
    "parts/times.txt": ["Game ended......  ", "Time used, of   each :     , "],
}
"""Commands, answers of macros, and what programs read."""
FILES = [
    path
    for path in sorted(TEMPLATES.rglob("*.*"))
    if path.suffix in (".txt", ".html")
    and set(ENGLISH_ALONE).isdisjoint(path.relative_to(TEMPLATES).parts)
    and path.name != "design.html"
]


def test_every_sentence_of_a_board_mail_is_marked(nonsense: Path) -> None:
    wording, left = Wording(nonsense, SERVER, GAMES), {}
    reader = replace(ALICE, preferences=Preferences(language=LANGUAGE, describe="on"))
    boards = [played(game, turns) for game, turns in product(("superbo", "mambo", "lambo", "palago"), (0, 3, 400))]
    for board in boards:
        mail = wording.render(Notice("board", reader, {**facts(board, reader), "comment": None}), REPLY_TO)
        assert mail.html is not None
        left[board.game, len(board.events)] = mail_left(mail.body, *PEOPLE) + page_left(mail.html, *PEOPLE)
    assert {which: lines for which, lines in left.items() if lines} == {}


def test_every_template_marks_its_sentences() -> None:
    assert {str(path.relative_to(TEMPLATES)): left for path in FILES if (left := unmarked_in(path))} == KEPT


@pytest.fixture
def site(nonsense: Path, sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WebSite]:
    """A server whose players all read nonsense."""
    monkeypatch.setattr("pbem.bootstrap.wording.folder", lambda _: nonsense)
    with WebSite(sqlite_url, tmp_path) as site:
        site.joins(*PEOPLE, preferences=Preferences(language=LANGUAGE, describe="on"))
        yield site


BODY = "1 2 3"
TYPED = (*PEOPLE, *Preferences.names(), "password", "address", "create", "join", "withdraw", "start", "spring")
TYPED += ("autumn", "summer", "winter", "mamboa", "mambogo")
TYPED += ("if", "then", "d8,r10", "a1,f4")  # of a plan that its player shows to all


def test_every_sentence_of_an_answer_and_a_refusal_is_marked(site: WebSite) -> None:
    wording, left, told = site.server.parts.wording, dict[str, list[str]](), set[str]()

    def tell(letter: str, words: str) -> None:
        userid, _, line = letter.rpartition(": ")
        try:
            answers = site.says(userid if userid in PEOPLE else "alice", line, words)
        except PlayerError as wrong:
            left[letter] = mail_left(wording.reason(wrong, LANGUAGE), *TYPED, *line.split())
            return
        for notice in answers:
            told.add(notice.name)
            mail = wording.render(replace(notice, language=LANGUAGE))
            left[f"{letter} {notice.name}"] = mail_left(mail.body, *TYPED, *line.split())

    for _, row in every_row():
        tell(row.challenge, "")
        for letter in (*row.before, row.works, row.refused):
            tell(letter.format(n=max(site.numbers)), BODY)
    assert len(told) > 40
    assert {letter: lines for letter, lines in left.items() if lines} == {}


WORDS = {"number:number": "101", "game": "superbo", "name": "Spring", "userid": "bob"}
NOT_PAGES = ("token", "subject", "/design", "/help")
"""Pages of links that are mailed, help pages, which are files of each language, and the page of our own design."""


@pytest.fixture
def addresses(site: WebSite) -> list[str]:
    """The addresses of all pages, with boards of two families in play and over, and a tournament."""
    site.moves(site.begins("superbo", "alice", "bob"), *OPENING)
    site.moves(site.begins("superbo", "alice", "bob"), *WON)
    for game in ("mambo", "mamba", "palago"):
        site.begins(game, "alice", "bob")
    site.says("alice", "mambo seek -kill -pace=3")
    site.says("alice", "superbo tournament create Spring -swiss")
    for userid in PEOPLE[:3]:
        site.says(userid, "superbo tournament join Spring")
    site.says("alice", "superbo tournament start Spring")
    paths = [
        path for path in PAGES if not path.endswith((".svg", ".png")) and not any(each in path for each in NOT_PAGES)
    ]
    words = WORDS | {"key": site.shares_study("alice", 102)}
    found = [re.sub(r"{([^}]+)}", lambda each: words[each[1]], path) for path in paths]
    puzzle = min(stored_puzzles())
    more = [*(f"/boards/{number}" for number in site.numbers), f"/puzzles/{puzzle}", "/games/mamba", "/boards/999"]
    return [*dict.fromkeys([*found, *more, "/boards?which=finished", "/games/mamba/variant", "/challenge?game=mamba"])]


@pytest.mark.parametrize("userid", [None, "alice"])
def test_every_sentence_of_a_page_is_marked(site: WebSite, addresses: list[str], userid: str | None) -> None:
    browser: WebClient = site.guest() if userid is None else site.browser(userid)
    left = {}
    for address in addresses:
        answer = browser.asks(address, headers={"accept-language": LANGUAGE})
        if answer.headers.get("content-type", "").startswith("text/html"):
            left[address] = page_left(answer.text, *PEOPLE, "Spring")
    assert len(left) > 20
    assert {address: texts for address, texts in left.items() if texts} == {}
