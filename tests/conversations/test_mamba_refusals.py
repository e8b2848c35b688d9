"""Bad input at a board of Mamba: the step is named with its place and the reason, and nothing changes."""

from __future__ import annotations

import pytest

from pbem.commands.reading import MOST_CHARACTERS
from tests.conversations.mamba import OPENINGS, Round, begin, start
from tests.conversations.playing import imported, played, seat
from tests.diagrams.mamba.boards import read
from tests.games.mamba.playing import playthroughs
from tests.support.server import GameServer

STARTED: tuple[str, ...] = ()
AHEAD = ("move f3-f5", "move d9-c8")
"""A's f5 stands alone."""

# options · turns before · the line · words of the refusal
REFUSED: dict[str, tuple[str, tuple[str, ...], str, str]] = {
    "no step": ("", STARTED, "hello", "I found no move in your letter."),
    "no step behind another": ("", AHEAD, "lay f5>e4 jump d3-c2", 'Step 2: I cannot read "jump" as a step'),
    "nothing": ("", STARTED, ",;", "Your move has no step."),
    "a cell alone": ("", STARTED, "e5", 'I cannot read "e5" as a step of a turn. Before a cell, say what to do'),
    "tiles": ("", STARTED, "a1,j12", 'I cannot read "a1" as a step of a turn.'),
    "letters of another script": ("", STARTED, "\u04352-\u04354", 'I cannot read "\u04352" as a step'),
    "digits of another script": ("", STARTED, "move e\u0662-e\u0664", 'I cannot read "e\u0662" as a step'),
    "no cells": ("", STARTED, "lay", '"lay" needs two cells, as in lay b2>b3.'),
    "one cell": ("", AHEAD, "lay f5>e4 move d3", 'Step 2: "move" needs two cells, as in move e5-e7.'),
    "no cell": ("", STARTED, "lay e2>x", '"lay" needs two cells, as in lay b2>b3. I cannot read "x" as a cell.'),
    "a cell off the board": (
        "",
        STARTED,
        "move e2-j2",
        "move e2-j2: there is no cell j2. The cells of this board go from",
    ),
    "a cell of the larger board": (
        "-size=11",
        STARTED,
        "move f2-l2",
        "there is no cell l2. The cells of this board go from a1 to k11",
    ),
    "a cell, and no other": (
        "",
        STARTED,
        "move d1 x d2",
        '"move" needs two cells, as in move e5-e7. I cannot read "x"',
    ),
    "a cell, and a word in bold": (
        "",
        STARTED,
        "**move from d1 x d2**",
        '"move" needs two cells, as in move e5-e7. I',
    ),
    "several steps": (
        "",
        STARTED,
        "lay a4>a3 move a4-a2 lay b4>b3",
        (
            "Step 1, lay a4>a3: there is no piece on a4. Step 2, move a4-a2: there is no piece on a4. "
            "Step 3, lay b4>b3: there is no piece on b4. Nothing has changed."
        ),
    ),
    "steps that cannot be read": (
        "",
        STARTED,
        "lay z1>z2 move e5-e6 turn q9",
        (
            "Step 1, lay z1>z2: there is no cell z1. The cells of this board go from a1 to i9. "
            "Step 2, move e5-e6: there is no piece on e5. "
            "Step 3, turn q9: there is no cell q9. The cells of this board go from a1 to i9. Nothing has changed."
        ),
    ),
    "no piece": ("", STARTED, "move e5-e6", "move e5-e6: there is no piece on e5."),
    "the other's piece": ("", STARTED, "move e8-e7", "move e8-e7: the piece on e8 belongs to B, but it is A's turn."),
    "not isolated": (
        "",
        STARTED,
        "lay d1>c1",
        "lay d1>c1: the piece on d1 cannot lay: all cells around it must be empty",
    ),
    "at the edge": ("-strict_isolation", ("move f1-h1", "pass"), "lay h1>h2", "the piece on h1 is at the edge"),
    "laid already": (
        "",
        AHEAD,
        "lay f5>e4 lay f5>f6",
        "Step 2, lay f5>f6: the piece on f5 has already laid in this turn",
    ),
    "laid afar": ("", AHEAD, "lay f5>f7 pass", "Step 1, lay f5>f7: f7 is not next to f5."),
    "too far": ("", STARTED, "move d3-d6", "move d3-d6: a piece goes one or two steps, each up, down, left or right"),
    "nowhere": ("", STARTED, "move d3-d3", "move d3-d3: a move must end on another cell than it began on."),
    "taken": (
        "",
        STARTED,
        "move d1-d2",
        "move d1-d2: a move must end on an empty cell, but A has a piece on d2.",
    ),
    "blocked": ("", STARTED, "move d2-d4", "move d2-d4: a piece cannot go over others, and the way from d2 to d4"),
    "must move": ("-must_move", STARTED, "pass", "in this game (-must_move) you can pass only if you have no move"),
    "after the turn": ("", AHEAD, "lay f5>e4 pass pass", "Step 3, pass: the turn is complete before it"),
    "turn of nothing": ("", STARTED, "turn d1", "turn d1: there is no question that this could answer."),
    "cut of nothing": ("", AHEAD, "lay f5>e4 cut e4", "Step 2, cut e4: there is no question that this could answer."),
    "two hundred steps": ("", STARTED, "lay f5>e4 " * 200, "no command has more than 200 words"),
    "two hundred without blanks": ("", STARTED, "b2>b3," * 200, "Your move has more than 100 steps"),
    "two hundred on lines": ("", STARTED, "lay f5>e4\n" * 200, "no command has more than 200 words"),
    "ten thousand steps": ("", STARTED, "lay f5>e4 " * 10_000, "at most 4000 characters"),
    "ten thousand without blanks": ("", STARTED, "b2>b3," * 10_000, "at most 4000 characters"),
    "another number": ("", AHEAD, "pass #2", "You wrote that this is move 2, but the next move"),
}


class Room:
    """Two players, and a board of theirs for each beginning."""

    def __init__(self, server: GameServer) -> None:
        self.server = server
        self.people = [server.player(name) for name in ("anna", "bert")]
        self._boards: dict[tuple[str, tuple[str, ...]], Round] = {}

    def board(self, options: str, turns: tuple[str, ...]) -> Round:
        if (options, turns) not in self._boards:
            table = start(self.people, "-inorder", *filter(None, [options]))
            table.play(*turns)
            self._boards[options, turns] = table
        return self._boards[options, turns]


def test_a_sentence_is_refused_once_and_its_pass_is_found(room: Room) -> None:
    table = room.board("", STARTED)
    table.answer(table.to_act, "I pass this time, let me see what you do first :-)")
    told = room.people[table.to_act].hears().words
    assert told.count("Steps are lay b2>b3") == 1
    assert 'If you mean "pass", write that word alone on the first line.' in told


@pytest.fixture(scope="module")
def room(shared: GameServer) -> Room:
    return Room(shared)


@pytest.mark.parametrize(("options", "turns", "line", "words"), REFUSED.values(), ids=REFUSED)
def test_a_bad_line_is_refused_as_a_whole(
    room: Room, options: str, turns: tuple[str, ...], line: str, words: str
) -> None:
    table = room.board(options, turns)
    before = played(room.server)
    table.answer(0, line)
    refusal = table.people[0].hears()
    assert refusal.subject == f"mamba Board {table.number} Error"
    assert refusal.envelope_sender in ("", "<>")
    assert words in refusal.words
    assert "\nNothing has changed.\n" in refusal.text
    verb = "pass <board>" if line.startswith("pass") else "move <board> <move>"
    is_right = line == "pass #2" or len(line) > MOST_CHARACTERS  # which is not looked into
    assert (f"\n    {verb}  " in refusal.text) is not is_right
    assert f"\nTo move in a new mail:  mamba move {table.number} anna <password> " in refusal.text
    assert read(refusal.text).squares == read(table.mails[0].text).squares
    assert len(refusal.text) < 5_000
    assert not room.server.postbox.unread_for(table.people[1].address)
    assert played(room.server) == before


def test_what_comes_behind_the_end_of_the_game_is_refused(room: Room) -> None:
    record = playthroughs()[0]["record"]
    done = imported(room.server, {**record, "players": ["anna", "bert"], "turns": record["turns"][:-1]})
    number = done.split()[-1]
    before = played(room.server)
    bert = room.people[record["turns"][-1]["seat"]]
    last = record["turns"][-1]["input"]
    userid = bert.address.partition("@")[0]
    bert.says(f"move {number} {userid} secret {last} pass")
    assert "Step 2, pass: the steps before it end the game." in bert.hears().words
    assert played(room.server) == before
    bert.says(f"move {number} {userid} secret {last}")
    assert [person.hears().subject for person in room.people] == [f"mamba Board {number}"] * 2


def test_what_stands_around_steps_is_no_obstacle(room: Room) -> None:
    table = start(room.people, "-inorder")
    table.play('"move f3-f5"', "**move d9 to c8**", "- Move: d3\u2192c2", "move from d7 to b7", "\u2022 _lay_ f5 => f6")
    table.play("* cut f5.")
    room.people[0].says(f"show {table.number}")
    shown = room.people[0].hears().words
    for steps in (*OPENINGS[2], "cut f5"):
        assert steps in shown


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("My turn: d3-d2-c2", "I cannot read that as a turn. Write the turn alone on the first line,"),
        ("I pass", 'If you mean "pass", write that word alone on the first line.'),
        ("Ich passe.", 'If you mean "pass", write that word alone on the first line.'),
        ("je passe mon tour\n\nbon courage !", 'If you mean "pass", write that word alone on the first line.'),
        ("resing", "Did you mean resign? Steps are"),
    ],
)
def test_who_writes_a_sentence_in_place_of_a_turn_is_told_what_to_write(room: Room, line: str, told: str) -> None:
    table = start(room.people, "-inorder")
    table.answer(0, line)
    refusal = table.people[0].hears()
    assert told in refusal.words
    assert "it may be a password" not in refusal.words


def test_steps_are_no_answer_at_a_board_of_tiles(room: Room) -> None:
    table = seat(room.server, *room.people)
    before = played(room.server)
    for line, word in (("cut e3", "cut"), ("lay b2>b3", "lay"), ("e5>e7", "e5>e7")):
        table.one.answers(table.one_mail, line)
        refusal = table.one.hears()
        assert refusal.subject == f"superbo Board {table.number} Error"
        assert f'I cannot read "{word}" as the first tile of a move' in refusal.words
    assert played(room.server) == before


def test_a_password_behind_a_wrong_word_is_not_repeated(room: Room) -> None:
    number = room.board("", STARTED).number
    anna = room.people[0]
    for line in (
        f"move {number} lay anna S3cret",
        f"move {number} e2-e4 anna S3cret",
        f"mamba move {number} turn a123 S3cret",
        f"move {number} cut a123 S3cret#7",
    ):
        anna.says(line)
        assert "s3cret" not in str(anna.hears().raw).lower()


CHALLENGES = {
    "-size=10 bert": '-size does not take the value 10. After "=", give 9 or 11.',
    "-size bert": "-size needs a value: 9 or 11, as in -size=9.",
    "-rounds=0 bert": '-rounds does not take the value 0. After "=", give a whole number from 1 to 1000.',
    "-teams=2 bert": '-teams takes no value; please write it without "=2".',
    "-teams bert": "-teams needs four players, two against two, but there are 2.",
    "-teams anna bert bert": "-teams needs four players, two against two, but there are 3.",
    "-swap bert": "There is no option -swap. Lambo, Mambo, Palago and Superbo have an option with this name. "
    "The options here: -size, -teams, -must_move",
    "anna": "You need somebody to play with: name another player.",
    "bert bert bert bert": "The game is for 2 to 4 players, but this makes 5: anna, bert, bert, bert and bert.",
}


def test_challenges_that_cannot_be_are_refused_with_the_right_form(room: Room) -> None:
    before = played(room.server)
    for words, reason in CHALLENGES.items():
        room.people[0].says(f"mamba challenge {words}")
        refusal = room.people[0].hears()
        assert refusal.subject == "Invalid challenge"
        assert reason in refusal.words
        assert "\n    mamba challenge <userid1> <userid2> <userid3> <userid4>\n" in refusal.text
        assert "\nThe first player to move is drawn at random.\n" in refusal.text
    assert played(room.server) == before


def test_who_is_out_plays_no_more(server: GameServer) -> None:
    table = begin(server, "ann", "ben", "cleo")
    table.play("pass", "pass", "pass", "resign")
    before = played(server)
    for line in ("pass", "resign"):
        table.answer(0, line)
        assert f"You are out of the game on board {table.number}" in table.people[0].hears().words
    assert played(server) == before
