"""The mails of boards: what stands where in text and HTML, for readers with all kinds of mail programs."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from html import unescape
from io import BytesIO
from itertools import accumulate, chain, islice, pairwise
from pathlib import Path
from statistics import median
from typing import Any, cast
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from PIL import Image

from pbem import folder
from pbem.bootstrap.parts import stored_puzzles
from pbem.diagrams.hextile.letters import draw_states
from pbem.domain.boards import Board, SeatHolder
from pbem.domain.events import EventKind
from pbem.domain.game_state import follow
from pbem.domain.letters import CUT
from pbem.domain.mails import Notice
from pbem.domain.preferences import Preferences
from pbem.domain.ratings import RatingChange, Score
from pbem.ids import BoardNumber, PlayerId
from pbem.usecases.ratings import Rated
from pbem.wording.boards import show
from pbem.wording.layout import WIDTH
from pbem.wording.mails import MOST_PICTURES, RenderedMail
from pbem.wording.templates import Wording
from tests.wording.mamba import USERIDS
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


TOLD_ABOVE = re.compile(r"(Your move, alice\.|It's bob's move\.|You won!|bob won\.) ?")
"""The beginning of the text, which in HTML is the heading."""


@pytest.mark.parametrize("game", HEXTILE)
@pytest.mark.parametrize("turns", [0, 1, 6, 7, 40])
def test_html_has_title_news_words_picture_answer_and_the_last_three_moves_in_this_order(game: str, turns: int) -> None:
    board = played(game, turns)
    words, course = mail(board), follow(board, GAMES[game])
    own, news = course.to_act == 0, words.body.partition("\n\n")[2].partition("\n\n")[0]
    shown = [" ".join(text_of(each).split()) for each in html_of(words).partition("<body")[2].split("<img ")]
    assert len(shown) == 2, "one picture"
    title = "Your move against bob" if own else "It's bob's move"
    title = "" if course.result else f"{title} {game} Board 101 "
    news = TOLD_ABOVE.sub("", " ".join(news.split()))
    if course.result:
        news, rated, _ = news.partition(" This game was not rated.")
        assert rated
        assert rated in shown[1]
        assert rated not in shown[0]
    assert f"{title}{f'{news} ' if news else ''}bob writes: Try <b>this</b> & that THIS IS LOUD word " in shown[0]
    answer = "Answer this mail with your move, for example: "
    assert (answer in shown[1]) is own
    listed = [int(number) for number in re.findall(r" (\d+)\. ", shown[1].partition("Moves:")[2])]
    assert listed == [played.moveno for played in course.inputs[-3:]]
    assert "`--" not in html_of(words)
    for only_in_text in ("in which states", "The states of a tile:", "Tiles left:"):
        assert only_in_text not in html_of(words)


def text_of(html: str) -> str:
    return unescape(re.sub("<[^>]*>", " ", html.partition(">")[2]).replace("&nbsp;", " "))


@pytest.mark.parametrize("game", HEXTILE)
def test_text_begins_with_the_news_and_ends_with_what_few_look_up(game: str) -> None:
    body = mail(played(game, 6), legend="on").body
    said = [
        f"Summary of {game} Board 101",
        "Your move, alice. bob played ",
        "bob writes:",
        "`--",
        "Answer this mail with your move, for example:  ",
        "Anything you write below it goes to bob.",
        "-" * WIDTH,
        "fits, and in which states:",
        "Players:  alice ",
        "Tiles left:  ",
        "The states of a tile:",
        "Moves:  1. ",
        f"To move in a new mail:  {game} move 101 alice <password> ",
        f"Rules:  help {game}     Fewer mails:  help set",
    ]
    assert [each for each in said if each not in body] == []
    assert sorted(said, key=body.index) == said


MOST_WORDS = 6
"""Lines from the top to the answer line that are not the drawing."""


@pytest.mark.parametrize("game", HEXTILE)
def test_few_lines_stand_around_the_drawing_above_the_answer_line(game: str) -> None:
    lengths = []
    for seed in range(12):
        board = compact(game, 6, seed)
        told = facts(board, ALICE) | {"comment": None}
        body = WORDING.render(Notice("board", ALICE, told), REPLY_TO).body
        above, _, _ = body.partition("Answer this mail with your move")
        drawn = show(told["course"].position).board
        assert drawn in above
        lengths.append(above.count("\n") + 1)
        assert lengths[-1] - len(drawn.split("\n")) <= MOST_WORDS
    assert median(lengths) <= (25 if game == "mambo" else 27), "other games lay twice as many tiles"


FIRST_LINES = 25
"""Of a mail, in which a reader finds what matters: what happened, whose move it is, the board, and what to type."""
MAMBA_GAMES = Path(__file__).parents[1] / "games" / "mamba" / "playthroughs" / "mamba.jsonl"
EACH = 19
"""Of how many positions one is looked at."""


def test_what_matters_stands_in_the_first_lines_of_the_median_board_mail() -> None:
    """Over games that computers have played, each family counted alike, and the mails of all players at a board."""
    ends: dict[str, list[int]] = {}
    for board in islice(chain.from_iterable(map(positions_of, computers_games())), 0, None, EACH):
        for seat in board.seats:
            reader = replace(ALICE, id=seat.player, userid=seat.userid)
            told = facts(board, reader) | {"comment": None}
            lines = WORDING.render(Notice("board", reader, told), REPLY_TO).body.splitlines()
            rule = lines.index("-" * WIDTH)
            asked = [place for place, line in enumerate(lines[:rule], 1) if line.startswith("Answer this mail")]
            assert bool(asked) is told["readers_turn"]
            end = asked[0] if asked else len("\n".join(lines[:rule]).rstrip().split("\n"))
            ends.setdefault(board.game, []).append(end)
    assert set(ends) == {*HEXTILE, "mamba"}
    weighted = sorted((end, 1 / len(each)) for each in ends.values() for end in each)
    below = list(accumulate(weight for _, weight in weighted))
    middle = next(place for place, sum_ in enumerate(below) if sum_ >= len(ends) / 2)
    assert weighted[middle][0] <= FIRST_LINES, {game: median(each) for game, each in ends.items()}


def computers_games() -> Iterator[tuple[str, dict[str, Any], int, list[str]]]:
    """Names of games, options, numbers of players and inputs."""
    for puzzle in stored_puzzles().values():
        yield puzzle.game, dict(puzzle.options), 2, list(puzzle.turns)
    for line in MAMBA_GAMES.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)["record"]
        yield "mamba", record["options"], len(record["players"]), [turn["input"] for turn in record["turns"]]


def positions_of(game: tuple[str, dict[str, Any], int, list[str]]) -> Iterator[Board]:
    """The positions of a game while it goes on."""
    name, options, players, inputs = game
    rules = GAMES[name]
    seats = tuple(SeatHolder(PlayerId(number), userid) for number, userid in enumerate(USERIDS[:players], 1))
    board, position = Board(BoardNumber(101), name, options, 1, 0, seats, AT), rules.begin(options, players)
    for text in inputs:
        steps = rules.read_input(position, text).steps
        record = rules.input_record(position, steps)
        board = board.with_event(EventKind.MOVE, position.to_act or 0, AT, record)
        position = rules.play_input(position, steps)
        if position.to_act is not None:
            yield board


def compact(game: str, turns: int, seed: int) -> Board:
    """A board whose tiles are laid as near to the first as they can be, but otherwise by lot."""
    lot, rules = random.Random(seed), GAMES[game]
    board, position = played(game, 0), rules.begin({}, 2)
    while position.ply < turns:
        steps, before = [], position
        while position.ply == before.ply:
            legal = [each for each in position.legal() if position.play(each).outcome is None]
            near = min(map(_distance, legal))
            steps.append(lot.choice([each for each in legal if _distance(each) == near]))
            position = position.play(steps[-1])
        board = board.with_event(EventKind.MOVE, before.to_act or 0, AT, rules.input_record(before, steps))
    return board


def _distance(step: Any) -> int:
    q, r = int(step.cell.q), int(step.cell.r)
    return max(abs(q), abs(r), abs(q + r))


MOST_BYTES = 12_288
LARGE = [(game, turns) for game in HEXTILE for turns in (1, 8, 14, 20, 26)]


@pytest.mark.parametrize(("game", "turns"), LARGE)
def test_html_is_short_even_where_many_spaces_can_be_clicked(game: str, turns: int) -> None:
    wording = Wording(folder("templates"), {**SERVER, "site_url": "https://pbem.example.org"}, GAMES)
    for seed in range(6):
        board = played(game, turns, seed)
        course = follow(board, GAMES[game])
        shown: Any = show(course.position)
        html = html_of(wording.render(Notice("board", ALICE, facts(board, ALICE)), REPLY_TO))
        may_click = course.to_act == 0 and 0 < len(shown.spots[1]) <= 36
        assert bool(MailHtml(html).areas) is may_click
        assert len(html) <= MOST_BYTES


def test_all_are_told_who_has_which_side() -> None:
    for game, sides, inks in (
        ("mambo", ("O", "X"), ("orange", "blue")),
        ("lambo", ("Light", "Dark"), ("white", "blue")),
    ):
        words = mail(played(game, 2))
        one, other = sides if follow(played(game, 2), GAMES[game]).position.first == 0 else sides[::-1]
        ink = dict(zip(sides, inks, strict=True))
        assert f"Players:  alice {one}, bob {other}\n" in words.body
        assert f">alice: {one} ({ink[one]}) &nbsp; bob: {other} ({ink[other]})</p>" in html_of(words)


def test_who_reads_html_alone_finds_the_states_there_one_by_one() -> None:
    board = played("superbo", 2)
    position: Any = follow(board, GAMES["superbo"]).position
    for state in position.rules.states:
        drawn = f"\n{draw_states([state])}</pre>"
        assert drawn in html_of(mail(board, mail="html", legend="on"))
        assert drawn not in html_of(mail(board, mail="html", legend="off")) + html_of(mail(board, legend="on"))
    assert any("help%20tiles" in each for each in MailHtml(html_of(mail(board))).links)


def test_who_has_played_to_the_end_is_told_what_there_is_to_do_next() -> None:
    assert "analyse" not in mail(played("superbo", 3)).body
    board = replace(played("superbo", 400), options={"num_tiles": 32})
    body = mail(board).body
    assert re.search("^For a rematch, answer this mail with: +again$", body, re.MULTILINE)
    assert re.search("^To see where the game turned: +analyse 101$", body, re.MULTILINE)


def test_where_the_group_lies_that_has_decided_the_game() -> None:
    ended = next(board for seed in range(50) if (board := played("lambo", 400, seed)) and _is_closed(board))
    assert re.search(r"^The deciding group \((Light|Dark)\): [A-Z]", mail(ended).body, re.MULTILINE)
    assert "The deciding group" not in mail(played("lambo", 3)).body


def _is_closed(board: Board) -> bool:
    position: Any = follow(board, GAMES[board.game]).position
    return bool(position.outcome.ending == "closed")


@pytest.mark.parametrize("game", HEXTILE)
@pytest.mark.parametrize("turns", [0, 7, 40])
def test_html_is_whole_and_bears_its_own_styles(game: str, turns: int) -> None:
    words = mail(played(game, turns))
    page = MailHtml(html_of(words))
    assert page.unstyled == []
    assert html_of(words).isascii()
    assert max(map(len, html_of(words).split("\n"))) <= 998
    (picture,) = page.pictures
    assert picture["src"] == f"cid:{words.pictures[0].cid}"
    assert words.pictures[0].content.startswith(b"\x89PNG")


@pytest.mark.parametrize("game", HEXTILE)
def test_each_space_has_an_area_that_begins_a_legal_turn(game: str) -> None:
    board = played(game, 6)
    position: Any = follow(board, GAMES[game]).position
    starts = {(position.layout.spaces[step.cell].label, step.state) for step in position.legal()}
    begun = []
    for area in MailHtml(html_of(mail(board))).areas:
        link = area["href"] or ""
        parts = urlsplit(link)
        assert (parts.scheme, unquote(parts.path)) == ("mailto", REPLY_TO)
        assert parse_qs(parts.query)["subject"] == [f"Re: {game} Board 101"]
        match = re.fullmatch(r"([A-Z]+)([0-9]+),?", body_of(link))
        assert match is not None
        assert area["alt"] == match[1] + match[2]
        begun.append((match[1], int(match[2])))
    assert begun
    assert set(begun) <= starts
    assert {label for label, _ in begun} == {label for label, _ in starts}
    assert all(state == min(s for each, s in starts if each == label) for label, state in begun)


@pytest.mark.parametrize("game", HEXTILE)
@pytest.mark.parametrize("turns", [2, 6, 10])
def test_each_area_lies_in_the_picture_and_in_its_own_hexagon(game: str, turns: int) -> None:
    board = played(game, turns)
    words, position = mail(board), cast("Any", follow(board, GAMES[game]).position)
    page = MailHtml(html_of(words))
    (shown,), picture = page.pictures, Image.open(BytesIO(words.pictures[0].content))
    assert shown["usemap"] in {f"#{name}" for name in page.maps}
    width, height = picture.size
    assert (shown["width"], shown["height"]) == (str(width), str(height))
    cells = {space.label: cell for cell, space in position.layout.spaces.items()}
    at = {}
    for area in page.areas:
        x, y, radius = map(int, (area["coords"] or "").split(","))
        assert area["shape"] == "circle"
        assert radius <= x < width - radius
        assert radius <= y < height - radius
        at[cells[re.sub("[0-9]", "", area["alt"] or "")]] = x, y, radius
    assert at
    (first, (left, top, radius)) = next(iter(at.items()))
    rows = {(cell.r * 2 + cell.q) - (first.r * 2 + first.q): y - top for cell, (_, y, _) in at.items()}
    columns = {cell.q - first.q: x - left for cell, (x, _, _) in at.items()}
    half = {y / row for row, y in rows.items() if row}
    assert len(half) == 1, "all rows are of one height"
    assert len({x / column for column, x in columns.items() if column}) == 1
    assert radius < half.pop(), "the circle is smaller than the one inside the hexagon"
    shades = picture.convert("RGB")
    for x, y, _ in at.values():
        beside = {shades.getpixel((x, y + dy)) for dy in (-radius * 3 // 4, radius * 3 // 4)}
        assert len(beside) == 1, "nothing but its label is drawn on an empty space"


CHANGE = "Click a space in the picture to answer with a tile there; change its state if you like."
SECOND = f"{CHANGE} Write the second tile after the comma."


@pytest.mark.parametrize(
    ("game", "options", "turns", "without_comma", "said"),
    [
        ("mambo", "", "A3 E2", ..., CHANGE),
        ("lambo", "", "A1 H3,P2", (), SECOND),
        ("lambo", "size=5", "A1", (), SECOND),
        ("lambo", "size=5", "A1 B1,C1", ..., CHANGE),
        (
            "lambo",
            "",
            "A1 H3,P2 C3,T3 Q1,M1",
            ("B3",),
            f"{SECOND} Where there is no comma, that tile in that state ends the game.",
        ),
    ],
)
def test_an_area_ends_in_a_comma_where_a_second_tile_is_wanted(
    game: str, options: str, turns: str, without_comma: Any, said: str
) -> None:
    board = after(game, turns, options)
    html, position = html_of(mail(board)), follow(board, GAMES[game]).position
    bodies = [body_of(area["href"] or "") for area in MailHtml(html).areas]
    assert bodies
    for body in bodies:
        turn = body + second_tile(position, body) if body.endswith(",") else body
        _, then, _ = GAMES[game].read_input(position, turn)
        assert then.ply == position.ply + 1
    ending = tuple(body for body in bodies if not body.endswith(","))
    assert ending == (tuple(bodies) if without_comma is ... else without_comma)
    (hint,) = re.findall(r'(?s)<p class="quiet hint"[^>]*>(.*?)</p>', html)
    sentence = " ".join(hint.split())
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
    assert "Answer with:  swap" not in mail(begun).body
    words = mail(replace(begun, seats=begun.seats[::-1]))
    assert ("Instead of a move you may take the other side. Answer with:  swap\n" in words.body) is told
    assert (">swap</a>" in html_of(words)) is told


def test_only_who_is_to_move_and_can_answer_finds_areas() -> None:
    for words in (mail(played("superbo", 7)), mail(played("superbo", 6), reply_to=None)):
        page = MailHtml(html_of(words))
        assert page.areas == []
        assert [each for each in page.links if "help%20" not in each] == []
        assert "usemap" not in page.pictures[0]


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
                " X has no group with a bridge. X has 1 lone tip. The game is over: won by alice."
            ),
        ),
        (
            "mambo",
            "A6 G5 C5 M6",
            (
                "Mambo board 101 after move 4. Last move: M6; B4 followed automatically. O has no group with a bridge."
                " O has 3 lone tips. X has one group with 5 bridges. It's alice's turn."
            ),
        ),
        (
            "lambo",
            "A1",
            (
                "Lambo board 101 after move 1. Last move: A1. Light has one group with 2 bridges."
                " Dark has one group with 2 bridges. It's alice's turn."
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
        assert re.search(
            r"(?m)^( {4}|To move in a new mail:  )mambo move 101 alice <password> [A-Z]+[1-6]$", words.body
        )
        assert "Your move, alice." in words.body


def test_the_example_of_a_turn_does_not_end_the_game_if_there_is_another() -> None:
    board = after("lambo", "A1 H3,P2 C3,T3 Q1,M1")
    position: Any = follow(board, GAMES["lambo"]).position
    assert position.play(position.legal()[0]).outcome is not None
    (example,) = re.findall(r"for example:  (.*)\n", mail(board).body)
    assert GAMES["lambo"].read_input(position, example)[1].outcome is None


@pytest.mark.parametrize(
    ("board", "in_html", "pictures", "drawn"),
    [
        ("both", "both", 1, False),
        ("picture", "both", 1, False),
        ("ascii", "both", 0, True),
        ("both", "html", 1, True),
        ("picture", "html", 1, False),
        ("ascii", "html", 0, True),
    ],
)
def test_the_board_is_shown_as_its_reader_wants_it(board: str, in_html: str, pictures: int, drawn: bool) -> None:
    words = mail(played("superbo", 6), board=board, mail=in_html, legend="off")
    assert len(words.pictures) == pictures
    assert ("`--" in html_of(words)) is drawn
    assert "`--" in words.body
    assert words.html_alone is (in_html == "html")


def test_who_wants_text_gets_no_html() -> None:
    assert mail(played("superbo", 6), mail="text").html is None


@pytest.mark.parametrize("game", ["superbo", "mamba"])
def test_a_mail_names_the_page_of_its_board_once_where_there_are_pages(game: str) -> None:
    wording = Wording(folder("templates"), {**SERVER, "site_url": "https://pbem.example.org"}, GAMES)
    board = played(game, 1) if game != "mamba" else replace(played("superbo", 0), game="mamba")
    notice = Notice("board", ALICE, facts(board, ALICE))
    words, page = wording.render(notice, REPLY_TO), f"https://pbem.example.org/boards/{board.number}"
    assert words.body.count(page) == 1
    assert f"On the web:  {page}" in words.body.split("\n")
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


@pytest.mark.parametrize(
    ("legend", "is_beginner", "drawn"),
    [("first", True, True), ("first", False, False), ("on", False, True), ("off", True, False)],
)
def test_the_states_are_drawn_for_beginners_and_who_wants_them(legend: str, is_beginner: bool, drawn: bool) -> None:
    reader, board = replace(ALICE, preferences=Preferences(legend=legend)), played("superbo", 2)
    told = facts(board, reader) | {"is_beginner": is_beginner}
    body = WORDING.render(Notice("board", reader, told), REPLY_TO).body
    assert ("The states of a tile:\n\n     .--oo" in body) is drawn
    assert ("States of a tile:  help tiles" in body) is not drawn


def test_a_player_may_do_without_the_states_and_hear_the_groups() -> None:
    board = played("superbo", 6)
    plain, other = mail(board), mail(board, legend="off", describe="on")
    assert "The groups" not in plain.body + html_of(plain)
    for words in (plain, other):
        assert "The states of a tile:" not in words.body + html_of(words)
        assert "States of a tile:  help tiles\n" in words.body
    assert re.search(r"\n  - [OX], \d+ bridges?(, .*)?, ways? out [A-Z ]+\n", other.body)
    assert re.search(r"<li[^>]*>[OX], \d+ bridges?", html_of(other))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", HEXTILE)
def test_descriptions_keep_the_width_and_name_every_group(game: str, seed: int) -> None:
    words = mail(played(game, 60, seed), describe="on")
    described = words.body.partition("The groups, the largest first:")[2].partition("\n\n\n")[0]
    assert described
    outside = "".join(words.body.split(show(follow(played(game, 60, seed), GAMES[game]).position).board))
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
    below = words.body.partition("bob writes:")[2].partition(show(follow(board, GAMES["mambo"]).position).board)[0]
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
        assert words.body.partition("bob writes:\n\n")[2].startswith("  a\n  b\n")


def test_a_board_is_drawn_once_in_a_mail_and_again_when_it_has_changed() -> None:
    reader = replace(ALICE, preferences=Preferences(legend="on"))
    before, after = facts(played("superbo", 2), reader), facts(played("superbo", 3), reader)
    answers = [[Notice("board", reader, each)] for each in (before, before, after, after)]
    given = {"parts": answers, "files": [False] * 4, "labels": ["move 101", "", "", ""]}
    text = WORDING.render(Notice("answers", reader, given)).body
    assert text.count("The board is shown above.") == 2
    assert text.count("\nTiles left:") == 2
    assert text.count("\nThe states of a tile:") == 1
    assert text.count("Send me your move, for example:") == 1
    assert " Command 1 of 4: move 101 -" in text.split("\n")[0]


def test_a_mail_of_many_boards_has_only_so_many_pictures() -> None:
    boards = [{**facts(played("superbo", 4, seed), ALICE), "past": False} for seed in range(MOST_PICTURES + 2)]
    words = WORDING.render(Notice("boards", ALICE, {"boards": boards, "more": False}))
    assert len(words.pictures) == MOST_PICTURES
    page = MailHtml(html_of(words))
    assert len(page.pictures) == MOST_PICTURES
    assert page.areas == []
    assert all("subject=help%20" in each for each in page.links)
    assert html_of(words).count("<h1") == len(boards)


def test_equal_positions_of_several_boards_share_a_picture() -> None:
    boards = [
        {**facts(replace(played("superbo", 4), number=BoardNumber(number)), ALICE), "past": False}
        for number in (101, 102, 103)
    ]
    words = WORDING.render(Notice("boards", ALICE, {"boards": boards, "more": False}))
    assert len(words.pictures) == 1
    assert html_of(words).count(f"cid:{words.pictures[0].cid}") == 3


CHANGED = tuple(
    RatingChange(PlayerId(number), userid, 1650, after, 30, Score.TIE, AT)
    for number, (userid, after) in enumerate((("alice", 1662), ("bob", 1638)), start=1)
)


@pytest.mark.parametrize(
    ("turns", "more", "order"),
    [
        (
            "B3 H8,P4 R10,T4",
            {"used_so_far": (timedelta(hours=3), timedelta(minutes=5))},
            [
                "Summary of superbo Board 101\n\nIt is bob's turn.\n\n",
                "     O                                      X\n     alice                                  bob\n",
                "1 B3                                   2 H8,P4\n",
                "3 R10,T4\n     J1 (Auto)\n",
                "`--",
                "Subscribers:  carol",
                f"\n{'*' * WIDTH}\nbob writes:\n\nTry <b>this</b> & that\n",
                "Time used:  alice 3 hours,  bob 5 minutes\n",
            ],
        ),
        (
            "B3 H8,P4 resign",
            {"ratings": Rated(CHANGED)},
            [
                "Summary of superbo Board 101\n\nGame won by bob.\nalice has resigned.\n",
                "alice's rating went up from 1650 to 1662.\nbob's rating went down from 1650 to 1638.\n",
                "     O                                      X\n     alice                                  bob\n",
                "1 B3                                   2 H8,P4\n",
                "`--",
                "Subscribers:  carol",
                f"\n{'*' * WIDTH}\nbob writes:\n\nTry <b>this</b> & that\n",
                "Game ended...... May 01 12:00\n",
                "Time used:  alice ",
            ],
        ),
    ],
    ids=["under way", "over"],
)
def test_programs_find_everything_in_the_order_that_they_know(
    turns: str, more: dict[str, Any], order: list[str]
) -> None:
    """COMMANDS, "What comes back": status, ratings, players and moves, board, subscribers, comment, times."""
    board = on_from_start(turns)
    reader = replace(ALICE, preferences=Preferences(layout="classic"))
    told = facts(board, reader) | {"subscribers": ("carol",)} | more
    words = WORDING.render(Notice("board", reader, told), REPLY_TO)
    assert [each for each in order if words.body.count(each) == 0] == []
    at = [words.body.index(each) for each in order]
    assert all(one < other for one, other in pairwise(at))
    assert order[0] == words.body[: len(order[0])]
    assert "played" not in words.body
    assert "-" * WIDTH not in words.body


def on_from_start(turns: str) -> Board:
    """A board of superbo that alice has begun, after these turns; she may have resigned at last."""
    rules, board = GAMES["superbo"], played("superbo", 0)
    position = rules.begin({}, 2)
    for turn in turns.split():
        if turn == "resign":
            return board.with_event(EventKind.RESIGNATION, 0, AT)
        read = rules.read_input(position, turn)
        record = rules.input_record(position, read.steps)
        board, position = board.with_event(EventKind.MOVE, position.to_act or 0, AT, record), read.position
    return board
