"""The pages of the help, as they are found, mailed and shown on the web."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from jinja2 import DictLoader, Environment, StrictUndefined

from pbem import folder
from pbem.bootstrap import find_games
from pbem.domain.clocks import ClockRules
from pbem.domain.seeks import OF_CHALLENGE, read_terms
from pbem.games.hextile import HexTileGame
from pbem.wording.help import Help
from pbem.wording.layout import WIDTH
from pbem.wording.templates import Wording

GAMES = find_games()
SERVER: dict[str, object] = {"server_address": "pbem@localhost", "trust_from": False, "max_commands": 20}
HELP = Wording(folder("templates"), SERVER, GAMES).help
DAYS = ("nag", "forfeit", "tournament_nag", "tournament_forfeit", "archive", "vacation")
UNUSUAL = Wording(
    folder("templates"),
    {
        "server_address": "the-games-of-our-club@mail.play-by-mail.example.org",
        "trust_from": True,
        "max_commands": 1000,
        **{f"{name}_days": 36500 for name in DAYS},
    },
    GAMES,
).help
HEXTILE = [game for game in GAMES.values() if isinstance(game, HexTileGame)]
CHALLENGE = re.compile(r"^ +(\w+) challenge ((?:-\S+ )+)", re.MULTILINE)

FEW = {
    "help/index.txt": "INDEX\n",
    "help/move.txt": "a move\n",
    "help/mambo.txt": "see help mambo tactics, or help chess\n",
    "help/mambo/tactics.txt": "wedges\n",
    "help/lambo/tactics.txt": "tips\n",
    "macros/help_titles.txt": "{% macro title_of(subject) %}{{ subject }}{% endmacro %}",
}


def few() -> Help:
    """A help of a few pages."""
    return Help({"en": Environment(loader=DictLoader(FEW), undefined=StrictUndefined, autoescape=False)})  # noqa: S701 - mails


def found(*words: str) -> list[tuple[str, bool]]:
    return [(asked.subject, asked.page is not None) for asked in few().find(words)]


def near(*words: str) -> tuple[str, ...]:
    return few().find(words)[-1].near


def test_subjects_may_have_several_words() -> None:
    assert few().subjects == ("index", "lambo tactics", "mambo", "mambo tactics", "move")
    assert found("mambo", "tactics", "move") == [("mambo tactics", True), ("move", True)]
    assert found("mambo", "MOVE") == [("MOVE", True), ("mambo", True)]
    assert found("Lambo", "Tactics") == [("Lambo Tactics", True)]


def test_a_page_is_shown_once_and_none_asked_for_is_the_index() -> None:
    assert found("move", "Move", "mambo", "move") == [("move", True), ("mambo", True)]
    assert found() == [("index", True)]


def test_what_there_is_no_page_about_is_left_as_it_was_typed() -> None:
    assert found("mambo", "Chess", "lambo") == [("mambo", True), ("Chess", False), ("lambo", False)]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("draw", ("propose",)),
        ("rules", ("lambo", "mamba", "mambo", "palago", "superbo")),
        ("password", ("change", "forgot")),
        ("ADDRESS", ("add", "change")),
        ("all", ("commands", "subjects")),
        ("challange", ("challenge", "change")),
        ("extra", ()),
    ],
)
def test_what_no_page_is_called_leads_to_those_that_tell_of_it(word: str, meant: tuple[str, ...]) -> None:
    assert HELP.find([word])[-1].near == meant


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("move", "tactisc"), ("mambo tactics", "lambo tactics")),
        (("tactics",), ("lambo tactics", "mambo tactics")),
        (("moove",), ("move",)),
        (("lambo",), ("lambo tactics",)),
        (("indexx",), ()),
    ],
)
def test_an_unknown_subject_leads_to_those_that_come_close(words: tuple[str, ...], meant: tuple[str, ...]) -> None:
    assert near(*words)[: len(meant)] == meant
    assert bool(near(*words)) == bool(meant)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("lambo", "tactic"), "lambo tactics"),
        (("Mambo", "TACTISC"), "mambo tactics"),
        (("mambo", "opt"), "mambo options"),
        (("mambo", "variant", "move"), "mambo variants"),
    ],
)
def test_a_slip_in_the_second_word_leads_to_the_page_that_was_meant(words: tuple[str, ...], meant: str) -> None:
    asked = HELP.find(words)
    assert [each.page and each.page.subject for each in asked] == [meant, *words[2:]]
    assert [each.is_missing for each in asked] == [True] + [False] * len(words[2:])
    assert asked[0].subject == " ".join(words[:2])


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(
    ("words", "order", "in_front"),
    [
        (("superbo", "move"), ("move", "superbo"), ("superbo",)),
        (("Mamba", "chall"), ("challenge", "mamba"), ("mamba",)),
        (("move", "superbo"), ("move", "superbo"), ()),
        (("superbo", "clocks"), ("superbo", "clocks"), ()),
        (("superbo", "mambo", "move"), ("superbo", "move", "mambo"), ("mambo",)),
        (("superbo", "nonsense", "move"), ("superbo", None, "move"), ()),
    ],
)
def test_a_game_in_front_of_a_verb_comes_last_and_need_not_be_told(
    words: tuple[str, ...], order: tuple[str | None, ...], in_front: tuple[str, ...], language: str
) -> None:
    found = HELP.find(words, language)
    assert tuple(each.page and each.page.subject.removesuffix(" fr") for each in found) == order
    assert tuple(each.subject.lower() for each in found if each.is_in_front) == in_front


@pytest.mark.parametrize("word", ["chess", "strategy", "tiles"])
def test_a_second_word_that_is_like_no_page_of_the_game_is_taken_for_no_slip(word: str) -> None:
    page, *others = HELP.find(("mambo", word, "mambo"))
    assert (page.subject, page.is_missing) == ("mambo", False)
    assert [each.subject for each in others] == [word]


def test_a_second_word_that_may_mean_several_pages_leads_to_all_of_them() -> None:
    pages = dict.fromkeys(("help/go.txt", "help/go/openings.txt", "help/go/options.txt"), "\n")
    page, asked = Help({"en": Environment(loader=DictLoader(pages), autoescape=False)}).find(("go", "opions"))  # noqa: S701 - mails
    assert (page.subject, asked.subject, asked.page) == ("go", "opions", None)
    assert set(asked.near) == {"go openings", "go options"}


def test_of_several_unknown_words_only_a_few_suggestions_are_made_the_closest_first() -> None:
    words = ("chalenge", "supeerbo", "standigs", "tornament", "xyzzy", "rules")
    lost = HELP.find(words)
    assert HELP.suggestions(lost) == ("tournament", "standings", "challenge")
    assert HELP.suggestions(lost[:1]) == lost[0].near
    assert HELP.suggestions(HELP.find(("supeerbo", "superboo"))) == ("superbo",)
    assert HELP.suggestions(HELP.find(("xyzzy", "rules", "move"))) == ()
    assert len(HELP.suggestions(HELP.find(("mambo", "tactcs", "xyzzy")))) == 3


def pages(language: str, *words: str) -> list[tuple[str, str | None, bool]]:
    """The pages that readers of a language find: the words as typed, the page, and True if none has just this name."""
    found = HELP.find(words, language)
    return [(each.subject, each.page.subject if each.page else None, each.is_missing) for each in found]


@pytest.mark.parametrize(
    ("reader", "words", "page"),
    [
        ("en", "mamba", "mamba"),
        ("en", "mamba fr", "mamba fr"),
        ("en", "Mamba Notation FR", "mamba notation fr"),
        ("fr", "mamba", "mamba fr"),
        ("fr", "mamba fr", "mamba fr"),
        ("fr", "mamba en", "mamba"),
        ("fr", "mamba options", "mamba options fr"),
        ("fr", "superbo", "superbo fr"),
        ("fr", "superbo en", "superbo"),
    ],
)
def test_a_page_is_in_the_language_that_is_said_or_in_the_readers_if_there_is_one(
    reader: str, words: str, page: str
) -> None:
    assert pages(reader, *words.split()) == [(words, page, False)]
    found = HELP.page(page)
    assert found is not None
    assert found.language == ("fr" if page.endswith(" fr") else "en")


def test_a_language_in_front_holds_for_all_that_follows() -> None:
    assert pages("en", "fr", "mamba", "clocks", "mamba", "notation") == [
        ("mamba", "mamba fr", False),
        ("clocks", "clocks fr", False),
        ("mamba notation", "mamba notation fr", False),
    ]
    assert pages("fr", "EN", "mamba") == [("mamba", "mamba", False)]


@pytest.mark.parametrize("reader", ["en", "fr"])
def test_a_language_alone_asks_for_its_index(reader: str) -> None:
    assert pages(reader, "fr") == [("index", "index fr", False)]
    assert pages(reader, "en") == [("index", "index", False)]
    assert pages(reader) == pages("en", reader)


def in_part() -> Help:
    """A help of which one page is in French."""
    french = {"fr/help/mambo.txt": "voir help lambo\n", "help/mambo.txt": "voir help lambo\n"}
    return Help(
        {
            "en": Environment(loader=DictLoader(FEW), autoescape=False),  # noqa: S701 - mails
            "fr": Environment(loader=DictLoader({**FEW, **french}), autoescape=False),  # noqa: S701 - mails
        }
    )


@pytest.mark.parametrize("reader", ["en", "fr"])
def test_a_page_that_is_not_in_the_language_asked_for_is_there_in_english_and_says_so(reader: str) -> None:
    found = in_part().find(("Mambo", "tactics", "FR", "mambo"), reader)
    assert [(asked.subject, asked.is_missing, asked.lacks) for asked in found] == [
        ("Mambo tactics", False, "fr"),
        ("mambo", False, ""),
    ]
    mambo = "mambo fr" if reader == "fr" else "mambo"
    assert [asked.page and asked.page.subject for asked in found] == ["mambo tactics", mambo]


def test_a_slip_or_what_there_is_no_page_about_lacks_no_translation() -> None:
    assert pages("en", "mamba", "optoins", "fr") == [("mamba optoins fr", "mamba options fr", True)]
    assert pages("en", "mambo", "tactisc", "fr") == [("mambo tactisc fr", "mambo tactics fr", True)]
    assert pages("fr", "bridge", "fr") == [("bridge fr", None, True)]
    assert not any(asked.lacks for asked in HELP.find(("mambo", "tactisc", "fr", "bridge", "fr")))


@pytest.mark.parametrize("words", ["mamba fr options", "fr mamba options", "mamba options fr", "mamba FR options"])
def test_a_language_may_stand_anywhere(words: str) -> None:
    assert [page for _, page, missing in pages("en", *words.split()) if not missing] == ["mamba options fr"]
    assert pages("en", "superbo", "mamba", "fr", "options", "mamba", "fr", "superbo") == [
        ("superbo", "superbo", False),
        ("mamba options fr", "mamba options fr", False),
        ("mamba fr", "mamba fr", False),
    ]


def test_a_word_behind_a_game_that_is_like_nothing_leads_to_the_pages_of_the_game() -> None:
    page, asked = HELP.find(("mamba", "xx"))
    assert (page.subject, page.is_missing, asked.page) == ("mamba", False, None)
    assert asked.near == ("mamba example", "mamba notation", "mamba options", "mamba tactics")


def test_a_translation_that_lacks_a_page_has_the_english_one_in_its_place() -> None:
    french = {"fr/help/mambo.txt": "voir help mambo fr\n", "help/mambo.txt": "voir help mambo fr\n"}
    environments = {
        "en": Environment(loader=DictLoader(FEW), autoescape=False),  # noqa: S701 - mails
        "fr": Environment(loader=DictLoader({**FEW, **french}), autoescape=False),  # noqa: S701 - mails
    }
    both = Help(environments)
    assert both.subjects == (*few().subjects[:3], "mambo fr", *few().subjects[3:])
    page, english = both.page("mambo", "fr"), both.page("move", "fr")
    assert page is not None
    assert english is not None
    assert page.html == '<p>voir <a href="/help/mambo/fr">mambo fr</a></p>'
    assert (page.language, english.language, english.text) == ("fr", "en", "a move\n")
    assert page is both.page("mambo fr")


@pytest.mark.parametrize(
    ("alias", "meant"),
    [
        ("palago options", "palago"),
        ("mamboa", "mambo variants"),
        ("mambogo", "mambo variants"),
        ("delete", "signoff"),
        ("MVOE", "move"),
        ("chall", "challenge"),
        ("unsub", "unsubscribe"),
        ("zug", "move"),
        ("Bestaetigen", "confirm"),
        ("désabonner", "unsubscribe"),
    ],
)
def test_a_page_is_found_by_other_names_too(alias: str, meant: str) -> None:
    one, other = HELP.page(alias), HELP.page(meant)
    assert one is not None
    assert other is not None
    assert one.text == other.text


def test_another_name_of_a_verb_is_no_missing_page_nor_taken_for_a_word_of_a_game() -> None:
    asked = HELP.find(("delete", "mambo", "tactics"))
    assert [(each.page and each.page.subject, each.is_missing) for each in asked] == [
        ("signoff", False),
        ("mambo tactics", False),
    ]


def test_a_page_is_made_once() -> None:
    pages = few()
    assert pages.page("Mambo") is pages.page("mambo")
    assert pages.page("mambo  tactics") is pages.page("mambo tactics")
    assert pages.page("chess") is None


def test_other_pages_are_linked_on_the_web_and_only_those_that_there_are() -> None:
    page = few().page("mambo")
    assert page is not None
    assert page.text == FEW["help/mambo.txt"]
    assert page.html == '<p>see <a href="/help/mambo/tactics">mambo tactics</a>, or help chess</p>'


class Tags(HTMLParser):
    """Follows the tags of a fragment and keeps its text; a tag that does not match is an error.

    A link to a page of the help, which is called by its title, counts as the subject that mails name.
    """

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words = ""
        self._is_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        _, _, path = (dict(attrs).get("href") or "").partition("/help/")
        if tag == "a" and path:
            self.words += path
            self._is_title = True

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self._is_title = self._is_title and tag != "a"

    def handle_data(self, data: str) -> None:
        self.words += "" if self._is_title else data


def letters(text: str) -> str:
    """All but blanks, case, strokes, the dashes in front of entries, and the word in front of subjects."""
    return re.sub(r"[\s/-]|help", "", text.lower())


@pytest.mark.parametrize("subject", HELP.subjects)
def test_every_page_says_the_same_by_mail_and_on_the_web(subject: str) -> None:
    page = HELP.page(subject)
    assert page is not None
    tags = Tags()
    tags.feed(page.html)
    assert not tags.open
    assert letters(page.text) == letters(tags.words)


def words_of(subject: str, pages: Help) -> str:
    """The text of a page in one line."""
    page = pages.page(subject)
    assert page is not None
    return " ".join(page.text.split())


@pytest.mark.parametrize("subject", ["clocks", "history", "tournament"])
def test_a_page_names_the_days_that_the_operator_has_set(subject: str) -> None:
    for pages, usual in ((HELP, "(1|7|14) days?"), (UNUSUAL, "36500 days")):
        assert re.search(rf"\bafter {usual}\b", words_of(subject, pages))


@pytest.mark.parametrize("subject", HELP.subjects)
def test_no_page_has_the_usual_days_of_clocks_where_others_are_set(subject: str) -> None:
    usual = r"\b(21 days|two weeks|for a week|after one day|more than seven)\b"
    assert not re.search(usual, words_of(subject, UNUSUAL))


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        ("propose", 'If another player has already offered a draw, "propose" accepts it'),
        ("resign", "A tournament board cannot be declined: you forfeit it"),
    ],
)
def test_a_page_does_not_promise_for_all_what_holds_for_some(subject: str, said: str) -> None:
    assert said in words_of(subject, HELP)


@pytest.mark.parametrize("subject", HELP.subjects)
def test_no_page_shows_a_command_with_a_day_that_will_be_past(subject: str) -> None:
    page = HELP.page(subject)
    assert page is not None
    assert not re.search(r"^ {4}[a-z].*\b20[0-9]{2}-[0-9]{2}-[0-9]{2}\b", page.text, re.MULTILINE)


@pytest.mark.parametrize("subject", HELP.subjects)
def test_no_page_is_wider_than_a_mail(subject: str) -> None:
    page = HELP.page(subject)
    assert page is not None
    assert page.text.isascii() == (page.language == "en")
    assert max(map(len, page.text.split("\n"))) <= WIDTH


@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_page_of_a_server_with_long_numbers_and_names_is_wider_than_a_mail(language: str) -> None:
    for subject in UNUSUAL.subjects:
        page = UNUSUAL.page(subject, language)
        assert page is not None
        assert max(map(len, page.text.split("\n"))) <= WIDTH, subject


@pytest.mark.parametrize("subject", HELP.subjects)
def test_what_a_page_refers_to_is_there(subject: str) -> None:
    page = HELP.page(subject)
    assert page is not None
    unlinked = re.sub(r"<a .*?</a>", "", page.html)
    games = "|".join(GAMES)
    assert not re.search(rf"help ({games}|[a-z]+ (tactics|options|example|variants))\b", unlinked)


@pytest.mark.parametrize("game", HEXTILE, ids=lambda game: game.name)
def test_every_option_of_a_game_is_explained(game: HexTileGame) -> None:
    about = [HELP.page(subject) for subject in HELP.subjects if subject.split()[0] == game.name]
    text = "\n".join(page.text for page in about if page is not None)
    for option in game.vocabulary.options:
        values = option.values if isinstance(option.values, tuple) else ()
        assert re.search(rf"^  -{option.name}\b", text, re.MULTILINE), option.name
        if option.name != "auto":
            assert all(f"-{option.name}={value} " in text.replace("\n", " ") for value in values), option.name


@pytest.mark.parametrize("subject", HELP.subjects)
def test_every_challenge_that_a_page_shows_can_be_sent(subject: str) -> None:
    page = HELP.page(subject)
    assert page is not None
    for name, options in CHALLENGE.findall(page.text):
        said = read_terms([word.lstrip("-") for word in options.split()], OF_CHALLENGE, ClockRules())
        assert not said.reasons
        assert GAMES[name].read_options(said.words) or not said.words


def test_every_subject_in_the_list_of_them_is_a_link_to_its_page() -> None:
    page = HELP.page("subjects")
    assert page is not None
    for subject in HELP.english:
        assert f'<li><a href="/help/{subject.replace(" ", "/")}">{HELP.title(subject)}</a></li>' in page.html
