"""Claims of the pages about Mamba are true, in English and in French."""

from __future__ import annotations

import json
import re

import pytest

from pbem import folder
from pbem.bootstrap import find_games
from pbem.games.mamba import notation, ruleset
from pbem.games.mamba.game import MAMBA, MOST_ROUNDS, VOCABULARY
from pbem.games.mamba.ruleset import Ruleset
from pbem.games.mamba.squares import grid
from pbem.games.mamba.steps import Lay, Move, Turn
from pbem.wording.blocks import Heading, Meanings, Verbatim, read_blocks
from pbem.wording.help import HelpPage
from pbem.wording.scenes import scene
from pbem.wording.templates import Wording
from tests.games.mamba.playing import playthroughs
from tests.wording.mamba import ALICE, WON, cells, mail, seated, sentences

HELP = Wording(folder("templates"), {"server_address": "pbem@localhost", "max_commands": 20}, find_games()).help
SUBJECTS = ("mamba", "mamba notation", "mamba options", "mamba example", "mamba tactics")
LANGUAGES = ("en", "fr")
THINGS = {
    "en": ("LAYING", "ASPHYXIA", "ALIGNMENTS AND OVERPOPULATION", "TRANSFORMATION", "BLOCK"),
    "fr": ("LA PONTE", "L'ASPHYXIE", "LES ALIGNEMENTS ET LA SURPOPULATION", "LA TRANSFORMATION", "LE BLOCAGE"),
}
SEATS = {
    "en": {"below": "bottom", "on the left": "left", "above": "top", "on the right": "right"},
    "fr": {"en bas": "bottom", "à gauche": "left", "en haut": "top", "à droite": "right"},
}


def page(subject: str, language: str) -> HelpPage:
    """The page in just this language."""
    found = HELP.page(subject, language)
    assert found is not None
    assert found.language == language
    return found


def words(subject: str, language: str) -> str:
    """A page without its line breaks."""
    return " ".join(page(subject, language).text.split())


def sections(language: str) -> dict[str, list[str]]:
    """The preformatted lines below each heading of the rules."""
    found: dict[str, list[str]] = {}
    for block in read_blocks(page("mamba", language).text):
        if isinstance(block, Heading):
            found[block.text] = []
        elif isinstance(block, Verbatim):
            found[list(found)[-1]].append(block.text)
    return found


def tables(language: str) -> list[Meanings]:
    """The lists of players' numbers: where they sit, and how few pieces are too few."""
    blocks = read_blocks(page("mamba", language).text)
    return [block for block in blocks if isinstance(block, Meanings) and len(block.entries) == 3]


@pytest.mark.parametrize("subject", SUBJECTS)
def test_both_languages_have_the_same_sections_and_the_same_boards(subject: str) -> None:
    english, french = (read_blocks(page(subject, language).text) for language in LANGUAGES)
    assert [type(block) for block in english] == [type(block) for block in french]
    boards = [
        [block.text for block in blocks if isinstance(block, Verbatim) and "a  b  c" in block.text]
        for blocks in (english, french)
    ]
    assert boards[0] == boards[1]
    assert boards[0] or subject == "mamba options"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_author_the_artist_and_the_publisher_are_named(language: str) -> None:
    text = words("mamba", language)
    for name in ("Christophe Berg", "Elisabeth Masmonteil", "toodoo", "(2002)", "help mambo variants"):
        assert name in text


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "A has 7: d1 d2 d3 e2 f1 f2 f3"), ("fr", "A en a 7 : d1 d2 d3 e2 f1 f2 f3")],
)
def test_the_page_says_how_mails_tell_the_board_in_words(language: str, said: str) -> None:
    assert said in words("mamba", language)
    assert said in sentences(mail(seated(2), ALICE, language=language))
    assert "set describe=on" in words("mamba", language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_laying_asphyxia_overpopulation_transformation_and_block_are_drawn(language: str) -> None:
    drawn = sections(language)
    for heading in THINGS[language]:
        figure = drawn[heading][0]
        assert cells(figure.partition("\n\n")[0], 0)
        assert "[" in figure


@pytest.mark.parametrize("language", LANGUAGES)
def test_players_sit_where_the_page_says(language: str) -> None:
    seats = tables(language)[0]
    for players, (_, told) in zip((2, 3, 4), seats.entries, strict=True):
        edges = [SEATS[language][place.partition(" ")[2]] for place in told.split(", ")]
        assert tuple(edges) == Ruleset(players).edges
        assert [place[0] for place in told.split(", ")] == list("ABCD"[:players])


@pytest.mark.parametrize("language", LANGUAGES)
def test_too_few_is_what_the_page_says(language: str) -> None:
    numbers = [[int(each) for each in re.findall(r"\d+", told)] for _, told in tables(language)[1].entries]
    assert numbers == [[Ruleset(2).too_few, Ruleset(2, 11).too_few], [Ruleset(3).too_few], [Ruleset(4).too_few]]
    assert [Ruleset(players, 11).too_few for players in (3, 4)] == [numbers[1][0], numbers[2][0]]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", (f"There are {ruleset.PIECES} pieces", f"after {ruleset.QUIET_ROUNDS} rounds", "for the third time")),
        (
            "fr",
            (
                f"Il y a {ruleset.PIECES} pièces",
                f"après {ruleset.QUIET_ROUNDS} tours de table",
                "pour la troisième fois",
            ),
        ),
    ],
)
def test_numbers_are_those_of_the_rules(language: str, said: tuple[str, ...]) -> None:
    for each in said:
        assert each in words("mamba", language)
    assert ruleset.REPETITIONS == 3
    assert str(MOST_ROUNDS) in words("mamba options", language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_pieces_of_the_drawn_laying_are_isolated_then(language: str) -> None:
    figure = sections(language)[THINGS[language][0]][0].partition("\n\n")[0]
    taken = {cell for cell, mark in cells(figure, 1).items() if mark.strip("[]") == "A"}
    around = {name: [grid(9).names[each] for each in grid(9).around[grid(9).by_name[name]]] for name in ("b3", "c5")}
    assert {"b3", "c5"} <= taken
    assert all(taken.isdisjoint(cells_around) for cells_around in around.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_is_explained(language: str) -> None:
    text = page("mamba options", language).text
    for option in VOCABULARY.options:
        assert re.search(rf"^  -{option.name}\b", text, re.MULTILINE), option.name
    for name in ("strict_isolation", "must_move", "rounds"):
        assert f"-{name}" in page("mamba", language).text.partition("OUR READING" if language == "en" else "NOTRE")[2]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_challenge_on_the_pages_can_begin(language: str) -> None:
    challenges = re.findall(r"^    mamba challenge (.*)$", page("mamba options", language).text, re.MULTILINE)
    assert len(challenges) == 3
    for line in challenges:
        options = [word.removeprefix("-") for word in line.split() if word.startswith("-")]
        names = [word for word in line.split() if not word.startswith("-")]
        players = len(names) + ("alice" not in names)
        assert MAMBA.begin(MAMBA.read_options(options), players).rules.players == players


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_of_the_page_about_notation_can_be_read(language: str) -> None:
    text = page("mamba notation", language).text
    lines = re.findall(r"^    ((?:lay|move) .*)$", text, re.MULTILINE)
    terms = re.findall(r"^  ((?:lay|move|turn|cut|pass)(?: [a-k]\S+)?)  ", text, re.MULTILINE)
    assert len(lines) == 3
    assert [term.split()[0] for term in terms] == ["lay", "move", "pass", "turn", "cut", "cut"]
    for line in (*lines, *terms):
        (*_, last) = notation.read_line(grid(9), line)
        assert line.lower().endswith(last.text)
    assert "move e9-e11" in text
    assert notation.read_line(grid(11), "move e9-e11")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_about_notation_tells_of_lines_and_of_the_cut_of_one_of_two_alignments(language: str) -> None:
    text = words("mamba notation", language)
    told = {
        "en": ("stand on several lines", "cut c8-c7 says which one is meant", "move e5 to e7 is as good"),
        "fr": ("occuper plusieurs lignes", "cut c8-c7 dit lequel on entend", "move e5 to e7 se comprend aussi"),
    }
    for each in told[language]:
        assert each in text
    assert notation.read_line(grid(9), "move e5 to e7") == notation.read_line(grid(9), "move e5\u2192e7")


def test_the_page_about_export_shows_an_input_as_records_have_it() -> None:
    text = page("export", "en").text
    (example,) = re.findall(r"^    (\{.*\})$", text, re.MULTILINE)
    shown = json.loads(example)
    recorded = playthroughs()[0]["record"]["turns"][0]
    assert shown.keys() == recorded.keys()
    steps = MAMBA.input_steps(MAMBA.begin({}, 2), {"input": shown["input"]})
    assert [type(step) for step in steps] == [Move, Turn]
    figure = page("mamba notation", "en").text
    assert f"{shown['input']} at once" in " ".join(figure.split())
    assert "counted from 0" in text
    assert text.index("GAMES OF TILES") < text.index("q and r") < text.index("MAMBA\n") < text.index(example)


def test_the_pages_about_challenges_and_resignations_agree_on_who_is_needed() -> None:
    for subject in ("challenge", "resign"):
        need = r"start again.*, unless the options need (all of them|you): teams are for four"
        assert re.search(need, words(subject, "en"))


@pytest.mark.parametrize(("row", "holds"), [("cd", ""), ("cde", "ce"), ("cdef", "cdef")])
def test_a_row_holds_what_the_page_about_tactics_says(row: str, holds: str) -> None:
    own = " ".join(f"{column}3" for column in row)
    for attacked in row:
        happens = f"B moves {attacked}6-{attacked}5; A {attacked}3 turns to B, 2 to 1 on {attacked}"
        if attacked in holds:
            behind = max(map(len, row.split(attacked)))
            happens += f"; B {attacked}3 turns to A, {behind} to 1 on 3; A {attacked}3 is blocked"
        pieces = f"B: {attacked}4 {attacked}6 h8 h9 i8; A: {own} a1 b1 h1 h2 i2"
        assert scene(pieces, f"move {attacked}6-{attacked}5", happens)


def test_a_laying_and_a_move_need_no_verb() -> None:
    assert [type(notation.read_line(grid(9), line)[0].step) for line in ("b3>c4", "e5-e7")] == [Lay, Move]
    for language in LANGUAGES:
        assert "b3>c4 " in page("mamba notation", language).text


def test_the_third_turn_of_the_example_lays_before_it_moves() -> None:
    position = MAMBA.begin({}, 2)
    for text in WON.split(" / ")[:3]:
        position = MAMBA.read_input(position, text).position
    assert position.latest is not None
    assert [type(each).__name__ for each in position.latest.happened] == ["Laid", "Turned", "Moved"]


def test_the_answer_to_the_last_turn_of_the_example_is_asked_of_the_player_not_on_turn() -> None:
    position = MAMBA.begin({}, 2)
    for text in WON.split(" / ")[:6]:
        position = MAMBA.read_input(position, text).position
    assert (position.on_turn, position.to_act) == (1, 0)
    assert position.decision is not None
    for language in LANGUAGES:
        text = page("mamba example", language).text
        joint = " or " if language == "en" else " ou "
        assert f"\n    {joint.join(position.decision.options)}\n" in text


def test_what_stands_behind_anothers_decision_is_left_over() -> None:
    position = MAMBA.begin({}, 2)
    for text in WON.split(" / ")[:5]:
        position = MAMBA.read_input(position, text).position
    assert MAMBA.read_input(position, "move c8-d8 cut d5").left_over == "cut d5"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_lead_to_each_other_in_their_own_language(language: str) -> None:
    for subject in SUBJECTS[1:]:
        end = " fr" if language == "fr" else ""
        assert f"help {subject}{end} " in words("mamba", language)
        address = f"/help/{subject}{end}".replace(" ", "/")
        assert f'<a href="{address}">{HELP.title(f"{subject}{end}", language)}</a>' in page("mamba", language).html
    other = "mamba en" if language == "fr" else "mamba fr"
    assert f"help {other}" in words("mamba", language)
