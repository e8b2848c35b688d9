"""Lines as people write them → lines as the grammar has them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.commands.blanking import blanked
from pbem.commands.command import passwords_in
from pbem.commands.grammar import begins_command, parse
from pbem.commands.line import BoardAnswered
from pbem.commands.normal import normalised
from pbem.commands.secrets import withheld
from pbem.errors import PlayerError, Unreadable
from pbem.ids import BoardNumber
from tests.commands.examples import READ

GAMES = ("superbo", "mambo", "mamba")

SAID = {
    "move 284 B2 C3": [
        *("Move: 284 B2 C3", "Move 284: B2 C3", "move board 284 B2 C3", "move #284 B2 C3", "Move #284: B2 C3"),
        *(
            "move no. 284 B2 C3",
            "move game 284: B2 C3",
            "move on board 284 B2 C3",
            "Move (284) B2 C3",
            "MOVE, 284 B2 C3",
        ),
        *("284 B2 C3", "#284 B2 C3", "284: B2 C3", "board 284: B2 C3", "284 move B2 C3", "move284 B2 C3"),
        *("\u201cmove 284 B2 C3\u201d", "*move 284 B2 C3*", "- move 284 B2 C3", "(move 284 B2 C3)", "moev 284 B2 C3"),
        *("moves 284 B2 C3", "Move:284 B2 C3", "move in 284 B2 C3", "mvoe 284 B2 C3"),
    ],
    "superbo move 276 b2,c3": [
        *("superbo move #276 b2,c3", "superbo 276 move b2,c3", "superbo: move 276 b2,c3", "move superbo 276 b2,c3"),
        *("superbo 276 b2,c3", "superbo 276: b2,c3", "Superbo move board 276 b2,c3", "superbo board 276 b2,c3"),
        *("superbo, move 276: b2,c3", "276 superbo move b2,c3", "superbo:move 276 b2,c3", "superbo mov 276 b2,c3"),
    ],
    "superbo challenge bob": [
        *("Superbo: challenge bob", "challenge superbo bob", "superbo chalenge bob", "superbo challenge: bob"),
        *(
            "\u201csuperbo challenge bob\u201d",
            '"superbo challenge bob"',
            "'superbo challenge bob.'",
            "SUPERBO challenge bob",
        ),
        *("superbo challenge @bob", "superbo challenge bob,", "superbo challange bob", "challenge: superbo bob"),
        *(
            "superbo chalelnge bob",
            "superbo:challenge bob",
            "superbo challenge to bob",
            "superbo challenge against bob",
        ),
        *(
            "superbo challenge bob!",
            "superbo challenge bob !",
            "please challenge bob to superbo!",
            "challenge bob superbo",
        ),
        *("superbo challenge bob please", "superbo challenge bob, s'il vous pla\u00eet", "Bitte superbo challenge bob"),
        *("challenge bob to a game of superbo, thanks", "challenge bob, superbo", "superbo challenge bob, danke!"),
        *("chalenge superbo bob", "\u2022 superbo challenge bob", "superbo challenges bob", "/superbo challenge bob"),
    ],
    "mamba challenge erin": ["challenge erin mamba", "challenge erin to Mamba!", "please challenge erin mamba, svp"],
    "superbo challenge erin Karl": ["Superbo challenge erin Karl!", "challenge erin Karl superbo"],
    "mambo challenge karl": ["Mambo challenge karl !", "challenge karl mambo .", "mambo challenge karl , bitte"],
    "mambo puzzle": ["mambo puzzle please", "please mambo puzzle", "puzzle mambo, thanks!"],
    "show": ["show me my boards please", "show my games", "show me all my boards, please!"],
    "queue 101 K2": ["queue 101 K2, merci", "queue 101 K2 please", "queue 101 K2, vielen Dank!"],
    "undo 101": ["undo 101 please", "Undo 101, bitte!", "undo 101, thank you"],
    "superbo challenge bob carol": [
        *("superbo challenge bob, carol", "superbo challenge bob,carol", "superbo challenge @bob @carol"),
        *("superbo challenge bob & carol", "superbo challenge bob and carol", "superbo challenge bob vs. carol"),
        *("superbo challenge bob; carol", "superbo challenge bob + carol", "superbo challenge bob , carol"),
    ],
    "superbo challenge -num_tiles=16 -swap bob": [
        *("superbo challenge -num_tiles 16 -swap bob", "superbo challenge -num_tiles = 16 -swap bob"),
        *("superbo challenge -num_tiles= 16 -swap bob", "superbo challenge -num_tiles =16 -swap bob"),
        *("superbo challenge num_tiles=16 -swap bob", "superbo challenge bob -num_tiles 16 -swap"),
        *("superbo challenge --num_tiles 16 bob -swap", "superbo challenge \u2013num_tiles 16 \u2013swap @bob"),
    ],
    "superbo seek 2 -num_tiles=16": ["superbo seek 2 -num_tiles 16", "seek superbo 2 -num_tiles 16"],
    "superbo tournament create cup -rounds=3": ["superbo tournament create cup -rounds 3"],
    "note 102 delete": [
        "delete my note on 102",
        "please remove the note on board 102",
        "l\u00f6sche meine Notiz zu Brett 102",
    ],
    "note 102": ["show me my notes on board 102", "Zeig mir bitte meine Notiz zu Brett 102", "montre-moi ma note 102"],
    "study 101 share": ["share my study of game 101", "teile meine Studie zu 101", "partage mon étude 101"],
    "studies": ["show my studies", "zeig mir meine Studien", "montre mes études"],
    "hint 104": ["give me a hint on board 104", "gib mir bitte einen Tipp zu Brett 104", "donne-moi un indice 104"],
    "plan 101 cancel": ["cancel my plan for board 101", "den Plan 101 löschen"],
    "help": ["HELP!", "Help.", "help:", "'help'", "*HELP*", "/help"],
    "list": ["List!", "list."],
    "superbo standings": ["superbo standings!", "standings superbo", "superbo: standings"],
    "signup hank secret": ["sign up hank secret", "Sign-up hank secret", "Signup: hank secret", "Sign up: hank secret"],
    "signup hank secret h@example.org": ["sign up hank secret h@example.org"],
    "vacation 2030-12-31": ["vacation to 2030-12-31", "vacation until 2030-12-31", "vacation: 2030-12-31"],
    "vacation 14": ["vacation 14 days", "vacation 2 weeks", "Vacation: 14 days."],
    "resign 101": [
        "resign #101",
        "Resign 101!",
        "resign: 101",
        "resign board 101",
        "101 resign",
        "resign game no. 101",
    ],
    "superbo resign 101": ["superbo 101 resign", "resign superbo 101", "superbo resign #101"],
    "show 101": ["Show: 101", "board 101 show", "show board 101", "show #101", "show101", "show the board 101"],
    "show 101 102": ["show 101, 102", "show 101,102", "show 101; 102"],
    "superbo limit 3": ["limit superbo 3"],
    "superbo history bob": ["history superbo bob", "Superbo: history bob"],
    "chat 101": ["chat board 101", "Chat: 101", "chat #101", "101 chat", "chat on 101"],
    "superbo show": ["show superbo"],
    "move 101 fsmith secret a1": [
        *("Move: 101 fsmith secret a1", "move #101 fsmith secret a1", "move board 101 fsmith secret a1"),
        *("101 move fsmith secret a1", "move 101: fsmith secret a1", "moev 101 fsmith secret a1"),
    ],
    "move 101 fsmith #se:c,ret@ a1": ["Move 101: fsmith #se:c,ret@ a1", "Board 101 fsmith #se:c,ret@ a1"],
    "chat 101 fsmith 102": ["chat #101 fsmith 102", "Chat: 101 fsmith 102"],
}


@pytest.mark.parametrize(("line", "plain"), [(each, plain) for plain, lines in SAID.items() for each in lines])
def test_it_is_read_like_its_plain_form(line: str, plain: str) -> None:
    assert parse(line, GAMES) == parse(plain, GAMES)
    assert begins_command(line, GAMES)


@pytest.mark.parametrize("line", READ)
def test_a_line_that_is_in_order_keeps_every_word(line: str) -> None:
    assert normalised(line, GAMES).split() == line.split() or line in SAID or " superbo" in line


@pytest.mark.parametrize(
    "line",
    [
        *(
            "accpet 101",
            "superbo resing 101",
            "resing 101",
            "signof fsmith secret",
            "superbo acept",
            "singup hank secret",
        ),
        *(
            "undoo 101",
            "superbo proposse 101",
            "swpa 101",
            "pas 101",
            "confrim 101",
            "chnage password x",
            "superbo limti 3",
        ),
        *("forgott fsmith", "blok bob", "superbo rejcet", "delte fsmith secret", "ad fsmith secret a@example.org"),
    ],
)
def test_a_slip_is_never_read_as_a_verb_that_gives_up_accepts_or_touches_an_account(line: str) -> None:
    with pytest.raises(Unreadable):
        parse(line, GAMES)


@pytest.mark.parametrize(
    "line",
    [
        *("chat Hello there", "Accept my apologies for the delay", "resign is not an option", "data is missing"),
        *("signoff for today", "broadcast hello everyone", "report on the game", "move on to the next level please"),
        *("pass the salt", "undo this please", "confirm your account", "swap it for another", "limit of my patience"),
        *(
            "Chat with me",
            "reject his offer, they said: no such luck",
            "block the road",
        ),
        *("notify us when they are done", "propose this to her", "delete it"),
    ],
)
def test_a_sentence_that_begins_with_a_verb_is_no_command_and_holds_no_credentials(line: str) -> None:
    assert not begins_command(line, GAMES)
    with pytest.raises(Unreadable) as refused:
        parse(line, GAMES)
    assert type(refused.value).__name__ == "ReadsAsSentence"


@pytest.mark.parametrize(
    "line",
    [
        *(
            "Sign up for the newsletter today",
            "Shop now",
            "2 moves to go",
            "The board 101 is great",
            "Hello superbo fans",
        ),
        *("lost 101 times", "Heard of superbo?", "please confirm your address", "12 angry men"),
    ],
)
def test_other_sentences_are_no_commands(line: str) -> None:
    assert not begins_command(line, GAMES)


@pytest.mark.parametrize(
    "line",
    [
        *("move 101 fsmith please", "queue 101 fsmith merci", "undo 101 fsmith please", "signoff fsmith please"),
        *("resign 101 please", "please resign 101", "accept 101 thanks", "change password please", "please signoff"),
    ],
)
def test_polite_words_stay_where_they_may_be_a_password_or_something_is_given_up(line: str) -> None:
    assert normalised(line, GAMES) == line


def test_a_number_with_its_sign_is_that_of_a_move_in_an_answer() -> None:
    answered = BoardAnswered(BoardNumber(101))
    for line in ("confirm #7", "resign #7", "preview #7", "move b2 #7", "undo #7"):
        assert normalised(line, GAMES, answered) == line
    assert normalised("move #101 b2", GAMES, answered) == "move 101 b2"


MARKS = st.sampled_from(["", '"', "*", "(", "\u201c", "- ", ": ", ", "])
WORDS = st.sampled_from(["superbo", "move", "chat", "101", "#101", "board", "on", "resign", "limit", "signup", "Move:"])


@given(
    st.lists(WORDS, max_size=4),
    MARKS,
    st.sampled_from(["s3cr#t", "hunter2:", "board", "#101", "superbo", "no."]),
    MARKS,
)
def test_what_stands_behind_a_userid_stays_as_it_is(head: list[str], mark: str, password: str, end: str) -> None:
    line = f"{mark}{' '.join(head)} fsmith {password} a1{end}"
    assert f"fsmith {password} a1" in normalised(line, GAMES)


@given(st.lists(WORDS, min_size=1, max_size=4), st.sampled_from(["hunter2", "s3cret!", "x", "Passwort"]), MARKS)
def test_a_password_behind_a_head_out_of_order_is_repeated_nowhere(head: list[str], password: str, mark: str) -> None:
    line = f"{mark}{' '.join(head)} fsmith {password}"
    try:
        spoken = passwords_in(parse(line, GAMES))
    except PlayerError:
        return
    if password in spoken:
        assert password in withheld(line, GAMES)
        assert password not in blanked(line, GAMES).split()
