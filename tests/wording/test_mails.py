"""The mails of boards: text and HTML say the same, for readers with all kinds of mail programs."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from inscriptis import get_text

from pbem import folder
from pbem.diagrams.hextile.letters import draw_states
from pbem.domain.boards import Board, SeatHolder
from pbem.domain.events import EventKind
from pbem.domain.game_state import follow
from pbem.domain.letters import CUT
from pbem.domain.mails import Notice
from pbem.domain.preferences import Preferences
from pbem.ids import BoardNumber, PlayerId
from pbem.wording.layout import WIDTH
from pbem.wording.mails import MOST_PICTURES, RenderedMail
from pbem.wording.templates import Wording
from tests.wording.sample_mails import (
    ALICE,
    AT,
    GAMES,
    REPLY_TO,
    SERVER,
    WORDING,
    MailHtml,
    body_of,
    facts,
    html_of,
    played,
)

HEXTILE = ("lambo", "mambo", "palago", "superbo")


def mail(board: Board, /, reply_to: str | None = REPLY_TO, **preferences: str) -> RenderedMail:
    """The mail about a board to alice."""
    reader = replace(ALICE, preferences=Preferences(**preferences))
    return WORDING.render(Notice("board", reader, facts(board, reader)), reply_to)


@pytest.mark.parametrize("game", HEXTILE)
@pytest.mark.parametrize("turns", [0, 1, 6, 40])
def test_html_says_every_word_of_the_text_in_its_order(game: str, turns: int) -> None:
    words = mail(played(game, turns), describe="on")
    shown = get_text(re.sub("<title>.*?</title>", "", html_of(words)))
    only_drawn = re.compile(r"\*{20,}|[^\w]+")
    body, shown = (_STATES.sub("The states", each) for each in (words.body, shown))
    said = [word for word in re.split(r"\s+", body) if not only_drawn.fullmatch(word)]
    rest = iter(re.split(r"\s+", shown))
    missing = [word for word in said if not _comes(word, rest)]
    assert missing == []


@pytest.mark.parametrize("game", HEXTILE)
def test_html_shows_the_states_one_by_one_so_that_a_narrow_window_cuts_none_off(game: str) -> None:
    board = played(game, 1)
    shown = html_of(mail(board))
    position: Any = follow(board, GAMES[game]).position
    for state in position.rules.states:
        assert f">{draw_states([state])}</pre>" in shown


def test_who_has_played_to_the_end_is_told_what_there_is_to_do_next() -> None:
    assert "analyse" not in mail(played("superbo", 3)).body
    board = replace(played("superbo", 400), options={"num_tiles": 32})
    body = mail(board).body
    assert re.search("^To play the same game again: +again 101$", body, re.MULTILINE)
    assert re.search("^To see where the game turned: +analyse 101$", body, re.MULTILINE)


def test_where_the_group_lies_that_has_decided_the_game() -> None:
    ended = next(board for seed in range(50) if (board := played("lambo", 400, seed)) and _is_closed(board))
    assert re.search(r"^The group that has decided it \((Light|Dark)\): +[A-Z]", mail(ended).body, re.MULTILINE)
    assert "that has decided it" not in mail(played("lambo", 3)).body


def _is_closed(board: Board) -> bool:
    position: Any = follow(board, GAMES[board.game]).position
    return bool(position.outcome.ending == "closed")


def test_html_says_which_colour_of_the_picture_is_whose() -> None:
    assert "In this picture O is red, and X is blue." in html_of(mail(played("superbo", 1)))
    assert "In this picture Dark is blue, and Light is white." in html_of(mail(played("lambo", 1)))
    assert "In this picture" not in html_of(mail(played("lambo", 1), board="ascii"))


_STATES = re.compile(r"The states of a tile:.*(?=Spaces, and)", re.DOTALL)
"""Text has several in a row, so that their lines follow each other otherwise than in HTML."""


def _comes(word: str, words: Any) -> bool:
    """Return True if a word is among the following ones; the label of a space may be a link with a state."""
    return any(word == each or re.fullmatch(rf"{re.escape(word)}[0-9]*:", each) for each in words)


@pytest.mark.parametrize("game", HEXTILE)
@pytest.mark.parametrize("turns", [0, 7, 40])
def test_html_is_whole_and_bears_its_own_styles(game: str, turns: int) -> None:
    words = mail(played(game, turns))
    page = MailHtml(html_of(words))
    assert page.unstyled == []
    assert html_of(words).isascii()
    assert max(map(len, html_of(words).split("\n"))) <= 998
    assert len(html_of(words)) < 100_000, "Gmail cuts longer ones"
    (picture,) = page.pictures
    assert picture["src"] == f"cid:{words.pictures[0].cid}"
    assert words.pictures[0].content.startswith(b"\x89PNG")


@pytest.mark.parametrize("game", HEXTILE)
def test_each_space_has_a_link_that_begins_a_legal_turn(game: str) -> None:
    board = played(game, 6)
    position: Any = follow(board, GAMES[game]).position
    starts = {(position.layout.spaces[step.cell].label, step.state) for step in position.legal()}
    begun = []
    for link in MailHtml(html_of(mail(board))).links:
        parts = urlsplit(link)
        assert (parts.scheme, unquote(parts.path)) == ("mailto", REPLY_TO)
        assert parse_qs(parts.query)["subject"] == [f"Re: {game} Board 101 alice **"]
        match = re.fullmatch(r"([A-Z]+)([0-9]+),?", body_of(link))
        assert match is not None
        begun.append((match[1], int(match[2])))
    assert begun
    assert set(begun) <= starts
    assert {label for label, _ in begun} == {label for label, _ in starts}
    assert all(state == min(s for each, s in starts if each == label) for label, state in begun)


CHANGE = "change the state if you like"
SECOND = f"{CHANGE}, and write the second tile behind the comma."


@pytest.mark.parametrize(
    ("game", "options", "turns", "without_comma", "said"),
    [
        ("mambo", "", "A3 E2", ..., f"{CHANGE}."),
        ("lambo", "", "A1 H3,P2", (), SECOND),
        ("lambo", "size=5", "A1", (), SECOND),
        ("lambo", "size=5", "A1 B1,C1", ..., f"{CHANGE}."),
        (
            "lambo",
            "",
            "A1 H3,P2 C3,T3 Q1,M1",
            ("B3",),
            f"{SECOND} Where there is none, that tile in that state ends the game.",
        ),
    ],
)
def test_a_link_ends_in_a_comma_where_a_second_tile_is_wanted(
    game: str, options: str, turns: str, without_comma: Any, said: str
) -> None:
    board = after(game, turns, options)
    html, position = html_of(mail(board)), follow(board, GAMES[game]).position
    bodies = [body_of(link) for link in MailHtml(html).links]
    assert bodies
    for body in bodies:
        turn = body + second_tile(position, body) if body.endswith(",") else body
        _, then, _ = GAMES[game].read_input(position, turn)
        assert then.ply == position.ply + 1
    ending = tuple(body for body in bodies if not body.endswith(","))
    assert ending == (tuple(bodies) if without_comma is ... else without_comma)
    sentence = " ".join(
        html.partition("A link opens an answer with that tile filled in; ")[2].partition("</p>")[0].split()
    )
    assert sentence == said


def second_tile(position: Any, begun: str) -> str:
    """A way to go on with a turn that is begun with one tile and a comma."""
    first = next(
        step for step in position.legal() if f"{position.layout.spaces[step.cell].label}{step.state}," == begun
    )
    then = position.play(first)
    assert then.mid_turn
    step = then.legal()[0]
    return f"{then.layout.spaces[step.cell].label}{step.state}"


def after(game: str, turns: str, options: str = "") -> Board:
    """The board after these turns, alice to move unless the game is over."""
    rules, chosen = GAMES[game], dict(GAMES[game].read_options(options.split()))
    holders = (SeatHolder(PlayerId(1), "alice"), SeatHolder(PlayerId(2), "bob"))
    board, position = Board(BoardNumber(101), game, chosen, 1, 0, holders, AT), rules.begin(chosen, 2)
    for turn in turns.split():
        seat = position.to_act
        played = rules.read_input(position, turn)
        record = rules.input_record(position, played.steps)
        board, position = board.with_event(EventKind.MOVE, seat or 0, AT, record), played.position
    return replace(board, seats=holders[::-1]) if position.to_act == 1 else board


@pytest.mark.parametrize(("options", "told"), [({"swap": True}, True), ({}, False)], ids=str)
def test_the_second_player_is_told_of_a_swap_that_was_agreed_on(options: dict[str, Any], told: bool) -> None:
    rules = GAMES["mambo"]
    start = rules.begin(options, 2)
    turn = rules.input_record(start, start.legal()[:1])
    begun = replace(played("mambo", 0), options=options).with_event(EventKind.MOVE, 0, AT, turn)
    assert "\n    swap\n" not in mail(begun).body
    words = mail(replace(begun, seats=begun.seats[::-1]))
    assert ("\n    swap\n" in words.body) is told
    assert ("\nswap</pre>" in html_of(words)) is told


def test_only_who_is_to_move_and_can_answer_finds_links() -> None:
    assert MailHtml(html_of(mail(played("superbo", 7)))).links == []
    assert MailHtml(html_of(mail(played("superbo", 6), reply_to=None))).links == []


@pytest.mark.parametrize(
    ("game", "turns", "said"),
    [
        (
            "mambo",
            "",
            "Mambo board 101 before the first move. O has no group with a bridge. X has no group with a bridge.",
        ),
        (
            "mambo",
            "A3 E2 D1",
            (
                "Mambo board 101 after move 3. Last move: D1. O has 3 groups with bridges, the largest of 1."
                " X has no group with a bridge, but 1 lone tip. The game is over: won by alice."
            ),
        ),
        (
            "mambo",
            "A6 G5 C5 M6",
            (
                "Mambo board 101 after move 4. Last move: M6, and by itself B4. O has no group with a bridge, but 3"
                " lone tips. X has one group with 5 bridges. It is alice's turn."
            ),
        ),
        (
            "lambo",
            "A1",
            (
                "Lambo board 101 after move 1. Last move: A1. Light has one group with 2 bridges."
                " Dark has one group with 2 bridges. It is alice's turn."
            ),
        ),
    ],
)
def test_the_picture_is_told_in_words_for_who_does_not_see_it(game: str, turns: str, said: str) -> None:
    (picture,) = MailHtml(html_of(mail(after(game, turns)))).pictures
    assert (picture["alt"] or "").startswith(said)


def test_the_words_for_the_picture_know_a_tie() -> None:
    board = after("palago", "A1 B1,C1", "size=4")
    (picture,) = MailHtml(html_of(mail(board))).pictures
    assert (picture["alt"] or "").endswith(" The game is over: a tie.")


@pytest.mark.parametrize(
    ("game", "turns", "options", "lines"),
    [
        ("mambo", "A3 E2 D1", "", ["- X, 1 lone tip; killed, at tiles A D E"]),
        (
            "mambo",
            "A3 E2 J5 C3 H2",
            "",
            [
                "- X, 3 lone tips; killed, at tiles A E, next to null point D; 1 way out: U, V",
                "Null points, where nothing fits: D",
            ],
        ),
        ("superbo", "F4", "kill_size=0", ["- O, 1 lone tip; 2 ways out: H J"]),
    ],
)
def test_lone_tips_are_told_where_they_can_decide_the_game(
    game: str, turns: str, options: str, lines: list[str]
) -> None:
    words = mail(after(game, turns, options), describe="on")
    said = " ".join(words.body.partition("Lone tips, which are groups as well:")[2].split())
    assert [line for line in lines if line not in said] == []


@pytest.mark.parametrize(("game", "options"), [("lambo", ""), ("palago", ""), ("superbo", ""), ("mambo", "mambogo")])
def test_lone_tips_are_not_told_where_they_decide_nothing(game: str, options: str) -> None:
    board = after(game, "A1", options)
    assert "lone tip" not in mail(board, describe="on").body.lower()
    assert "lone tip" not in html_of(mail(board))


def test_a_closed_group_is_found_by_its_tiles() -> None:
    told = mail(after("lambo", "A1 H3,P2 C3,T3 Q1,M1 B3"), describe="on").body
    assert "\n  - Light, 1 bridge, closed, at tiles P B T C and the start tile\n" in told


def test_an_answer_gathered_with_others_is_not_to_be_answered_with_a_move() -> None:
    board = after("mambo", "A3")
    alone = mail(board)
    gathered = WORDING.render(
        Notice(
            "answers",
            ALICE,
            {"parts": [[Notice("board", ALICE, facts(board, ALICE))]], "files": [False], "labels": [""]},
        )
    )
    for words, told in ((alone, True), (gathered, False)):
        assert ("nswer this mail" in words.body) is told
        assert ("nswer this mail" in html_of(words)) is told
        assert re.search(r"\n    mambo move 101 alice <password> [A-Z]+[1-6]\n", words.body)
        assert "It is your turn." in words.body


def test_the_example_of_a_turn_does_not_end_the_game_if_there_is_another() -> None:
    board = after("lambo", "A1 H3,P2 C3,T3 Q1,M1")
    position: Any = follow(board, GAMES["lambo"]).position
    assert position.play(position.legal()[0]).outcome is not None
    (example,) = re.findall(r"for example\n\n    (.*)\n", mail(board).body)
    assert GAMES["lambo"].read_input(position, example)[1].outcome is None


def test_the_board_is_shown_as_its_reader_wants_it() -> None:
    board = played("superbo", 6)
    for shown, pictures, drawn in (("both", 1, True), ("picture", 1, False), ("ascii", 0, True)):
        words = mail(board, board=shown, legend="off")
        assert len(words.pictures) == pictures
        assert ("`--" in html_of(words)) is drawn
        assert "`--" in words.body
    assert mail(board, mail="text").html is None
    assert mail(board, mail="html").html_alone


@pytest.mark.parametrize("game", ["superbo", "mamba"])
def test_a_mail_names_the_page_of_its_board_once_where_there_are_pages(game: str) -> None:
    wording = Wording(folder("templates"), {**SERVER, "site_url": "https://pbem.example.org"}, GAMES)
    board = played(game, 1) if game != "mamba" else replace(played("superbo", 0), game="mamba")
    notice = Notice("board", ALICE, facts(board, ALICE))
    words, page = wording.render(notice, REPLY_TO), f"https://pbem.example.org/boards/{board.number}"
    assert words.body.count(page) == 1
    assert f"On the web: {page}" in words.body.split("\n")
    assert MailHtml(html_of(words)).links.count(page) == 1
    assert "On the web" not in mail(board).body + html_of(mail(board))
    unborn = replace(board, number=BoardNumber(0))
    assert "On the web" not in wording.render(Notice("board", ALICE, facts(unborn, ALICE)), REPLY_TO).body


def test_what_a_page_answers_has_no_styles_of_its_own_and_no_pictures() -> None:
    board = played("superbo", 6)
    subject, pieces = WORDING.page_answer(Notice("board", ALICE, facts(board, ALICE)))
    shown = [str(piece) for kind, piece in pieces if kind == "part"]
    assert subject.startswith("superbo Board")
    assert any("`--" in each for each in shown)
    assert any("<h3>" in each for each in shown)
    for each in shown:
        assert "style=" not in each
        assert "<img" not in each
        assert "mailto:" not in each
        assert not re.search("<h[12]", each)
    assert "Try &lt;b&gt;this&lt;/b&gt; &amp; that" in "".join(shown)


def test_a_player_may_do_without_the_states_and_hear_the_groups() -> None:
    board = played("superbo", 6)
    plain, other = mail(board), mail(board, legend="off", describe="on")
    assert "The states of a tile:" in plain.body
    assert "The groups" not in plain.body
    assert "The states of a tile:" not in other.body
    assert "The states of a tile:" not in html_of(other)
    assert re.search(r"\n  - [OX], \d+ bridges?(, .*)?, ways? out [A-Z ]+\n", other.body)
    assert re.search(r"<li[^>]*>[OX], \d+ bridges?", html_of(other))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", HEXTILE)
def test_descriptions_keep_the_width_and_name_every_group(game: str, seed: int) -> None:
    words = mail(played(game, 60, seed), describe="on")
    described = words.body.partition("The groups, the largest first:")[2].partition("\n\n\n")[0]
    assert described
    outside = re.sub(r"(?s)\A.*?\nTiles left:", "", words.body)
    assert max(map(len, outside.split("\n"))) <= 78
    sizes = [int(size) for size in re.findall(r"\n  - \w+, (\d+) bridge", words.body)]
    assert sizes == sorted(sizes, reverse=True)


def test_what_players_write_is_no_html() -> None:
    html = html_of(mail(played("superbo", 2)))
    assert "Try &lt;b&gt;this&lt;/b&gt; &amp; that<br>" in html
    assert "  THIS IS LOUD<br>" in html


def test_long_words_of_a_player_are_broken_in_the_text_and_may_be_in_html() -> None:
    board, long = played("mambo", 2), "x" * 3000
    reader = {"comment": {"writer": "bob", "text": f"Look: {long}"}}
    words = WORDING.render(Notice("board", ALICE, facts(board, ALICE) | reader))
    below = words.body.partition("bob writes:")[2]
    assert max(map(len, below.split("\n"))) <= WIDTH
    assert below.count("x") == 3000
    assert long in html_of(words)
    assert "overflow-wrap:anywhere" in html_of(words).partition("bob writes:")[2]


def test_a_comment_that_was_cut_says_so_once() -> None:
    board, told = played("mambo", 2), "(The letter was too long; the rest of it is left out.)"
    for text, count in ((f"a\nb\n{CUT}", 1), ("a\nb", 0)):
        comment = {"comment": {"writer": "bob", "text": text}}
        words = WORDING.render(Notice("board", ALICE, facts(board, ALICE) | comment))
        assert (words.body.count(told), html_of(words).count(told)) == (count, count)
        assert "\x04" not in words.body + html_of(words)
        assert words.body.partition("bob writes:\n\n")[2].startswith("a\nb\n")


def test_a_board_is_drawn_once_in_a_mail_and_again_when_it_has_changed() -> None:
    before, after = facts(played("superbo", 2), ALICE), facts(played("superbo", 3), ALICE)
    answers = [[Notice("board", ALICE, each)] for each in (before, before, after, after)]
    given = {"parts": answers, "files": [False] * 4, "labels": ["move 101", "", "", ""]}
    text = WORDING.render(Notice("answers", ALICE, given)).body
    assert text.count("The board stands above.") == 2
    assert text.count("\nTiles left:") == 2
    assert text.count("\nThe states of a tile:") == 1
    assert text.count("It is your turn. Send your move") == 1
    assert " Command 1 of 4: move 101 -" in text.split("\n")[0]


def test_a_mail_of_many_boards_has_only_so_many_pictures() -> None:
    boards = [{**facts(played("superbo", 4, seed), ALICE), "past": False} for seed in range(MOST_PICTURES + 2)]
    words = WORDING.render(Notice("boards", ALICE, {"boards": boards, "more": False}))
    assert len(words.pictures) == MOST_PICTURES
    page = MailHtml(html_of(words))
    assert len(page.pictures) == MOST_PICTURES
    assert page.links == []
    assert html_of(words).count("<h1") == len(boards)


def test_equal_positions_of_several_boards_share_a_picture() -> None:
    boards = [
        {**facts(replace(played("superbo", 4), number=BoardNumber(number)), ALICE), "past": False}
        for number in (101, 102, 103)
    ]
    words = WORDING.render(Notice("boards", ALICE, {"boards": boards, "more": False}))
    assert len(words.pictures) == 1
    assert html_of(words).count(f"cid:{words.pictures[0].cid}") == 3
