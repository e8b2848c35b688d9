"""Bad input: what was wrong is named, the right form and the board are shown, and nothing changes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from pbem.commands.verbs import VERBS
from tests.conversations.playing import MailBoard, begin, form, played, seat
from tests.support.in_process import in_process_server
from tests.support.mail import Mail, Person
from tests.support.server import GameServer

BOARD = "superbo Board {on} Error"


@dataclass
class RefusalConversation:
    """A server with a board on which it is bob's turn, and another that is over."""

    server: GameServer
    on: MailBoard
    over: MailBoard
    carol: Person

    def person(self, name: str) -> Person:
        """Alice, bob, or carol, who plays nowhere."""
        return {"alice": self.on.one, "bob": self.on.other, "carol": self.carol}[name]

    def named(self, text: str) -> str:
        """A text with the boards' numbers filled in."""
        return text.format(on=self.on.number, over=self.over.number)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """A server that believes the MTA in front of it: refusals repeat the words of those who are vouched for."""
    with in_process_server(tmp_path_factory.mktemp("server"), authserv_id="mx.example.org") as server:
        yield server


@pytest.fixture(scope="module")
def conversation(shared: GameServer) -> Iterator[RefusalConversation]:
    on = begin(shared, "alice", "bob")
    over = seat(shared, on.one, on.other)
    on.play("b3")
    over.play("b3", "c4,k5", "resign")
    conversation = RefusalConversation(shared, on, over, shared.player("carol"))
    for each in (on.one, on.other, conversation.carol):
        each.vouched = True
    yield conversation
    assert not any(shared.postbox.unread_for(f"{name}@example.org") for name in ("alice", "bob", "carol"))


def shows_board(mail: Mail, number: str) -> bool:
    return (
        f"\nSummary of superbo Board {number}\n" in mail.text
        and "\nMoves:  1. B3" in mail.text
        and ".--oo" in mail.text
    )


MOVES = {
    "garbage": ("hello", ["A tile is a space and a state without a blank between"]),
    "punctuation": (",,;", ["The move is empty, or begins with a comma"]),
    "no state": ("c,k5", ['cannot read "c"']),
    "state 0": ("c0,k5", ["c0: there is no state 0. The states go from 1 to 12"]),
    "state 13": ("c13,k5", ["c13: there is no state 13"]),
    "empty second tile": ("c4,", ["C4 is only part of a turn"]),
    "second tile garbage": ("c4,foo", ['cannot read "foo" as the second tile']),
    "no such space": ("zz9,c4", ["zz9: there is no space ZZ"]),
    "filled space": ("b3,c4", ["b3: space B has already been filled"]),
    "wrong corner": ("c1,k5", ["c1 does not fit", "corner"]),
    "half a turn": ("c4", ["C4 is only part of a turn"]),
    "three tiles": ("c4,k5,g2", ["g2 is one tile too many", "a turn of this game has 2 tiles"]),
    "apart": ("c4,f11", ["f11", "connected"]),
    "Arabic digits": ("c\u0664,k\u0665", ['cannot read "c\u0664"']),
    "a superscript of no state": ("c\u2075,k5", ["c5"]),
    "SQL": ("c4'--", ["C4 is only part of a turn"]),
    "a template": ("{{{{7*7}}}}", ["{{{{7*7}}}}"]),
    "another move's number": ("c4,k5#7", ["this is move 7, but the next move on board {on} is number 2"]),
    "no move's number": ("c4,k5#x", ["is not a move number"]),
    "a negative move's number": ("c4,k5#-2", ["is not a move number"]),
}


@pytest.mark.parametrize(("move", "words"), MOVES.values(), ids=MOVES)
def test_a_bad_move_is_named_and_the_board_shown(
    conversation: RefusalConversation, move: str, words: list[str]
) -> None:
    before = played(conversation.server)
    bob = conversation.person("bob")
    for line, to in (("move {on} bob secret " + move, None), (move, conversation.on.other_mail.reply_to)):
        bob.says("", conversation.named(line), to=to)
        refusal = bob.hears()
        assert refusal.subject == conversation.named(BOARD)
        for each in words:
            assert conversation.named(each) in refusal.words
        assert "secret" not in refusal.text
        assert (form("move") in refusal.text) == ("#7" not in move)
        assert "\n\nNothing has changed.\n\n" in refusal.text
        assert shows_board(refusal, conversation.on.number)
        assert "\nWhere the first tile fits, and in which states:\n" in refusal.text
        assert played(conversation.server) == before


def test_an_answer_without_a_move_is_told_how_one_looks(conversation: RefusalConversation) -> None:
    bob = conversation.person("bob")
    bob.says("", "> A quote alone", to=conversation.on.other_mail.reply_to)
    refusal = bob.hears()
    assert "There is no move in your answer." in refusal.words
    assert form("move") in refusal.text
    turn = "[A-Z]+[0-9]+,[A-Z]+[0-9]+"
    assert re.search(rf"\nAnswer this mail with your move, for example:  {turn}\n", refusal.text)
    assert re.search(
        rf"\nTo move in a new mail:  superbo move {conversation.on.number} bob <password> {turn}\n", refusal.text
    )
    assert shows_board(refusal, conversation.on.number)


def test_an_example_of_a_move_is_shown_for_a_board_alone(conversation: RefusalConversation) -> None:
    for line, form_shown in (("move", True), ("superbo jump", False)):
        conversation.carol.says(line)
        refusal = conversation.carol.hears()
        assert (form("move") in refusal.text) == form_shown
        assert "for example" not in refusal.words.lower()


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("frobnicate 12", ""),
        ("superbo frobnicate", ""),
        ("mooove 101 a1", "Did you mean move"),
        ("Draw?", "Did you mean propose?"),
        ("superbo surrender 101", "Did you mean resign?"),
        ("superbo chalange bob", "Did you mean challenge?"),
        ("superbo resing 101", "Did you mean resign?"),
        ("superb move 101 a1", "Did you mean superbo?"),
        ("tournment show", "Did you mean tournament?"),
        ("set bord=ascii", "Did you mean board?"),
        ("superbo challenge -adjacent_pear bob", "Did you mean -adjacent_pair?"),
        ("list mamboo", "Did you mean"),
    ],
)
def test_a_slip_is_told_what_it_may_have_been_meant_for_and_not_all_that_there_is(
    conversation: RefusalConversation, line: str, meant: str
) -> None:
    conversation.carol.says(line)
    words = conversation.carol.hears().words
    assert meant in words
    assert ("Did you mean" in words) == bool(meant)
    named = re.findall(r"Did you mean ([^?]*)\?", words)
    assert all(len(re.split(", | or ", each)) <= 3 for each in named)
    assert sum(f" {verb}," in words for verb in VERBS) < 4


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("My move: C4", "C4 is only part of a turn"),
        ("c4 is my move", "C4 is only part of a turn"),
        ("I resign", 'If you mean "resign", write that word alone on the first line.'),
        ("I pass", "put a comma between two tiles."),
        ("resing", "Did you mean resign?"),
        ("Unod!", "Did you mean undo?"),
        ("remis?", "Did you mean propose? That is the command for it."),
        ("move {on} bob secret My move: c4", "C4 is only part of a turn"),
        ("move {on} bob secret resign, sorry", 'I cannot read "resign" as the first tile of a move'),
    ],
)
def test_who_writes_a_sentence_in_place_of_a_move_is_told_what_to_write(
    conversation: RefusalConversation, line: str, told: str
) -> None:
    conversation.on.other.answers(conversation.on.other_mail, conversation.named(line))
    refusal = conversation.on.other.hears()
    assert refusal.subject == conversation.named(BOARD)
    assert told in refusal.words
    assert "it may be a password" not in refusal.words
    assert ("If you mean" in refusal.words) == (line == "I resign")


@pytest.mark.parametrize(("line", "game"), [("superbo {on} hello", "superbo "), ("{on} hello", "")])
def test_a_board_without_a_verb_leads_to_a_move(conversation: RefusalConversation, line: str, game: str) -> None:
    conversation.on.one.says(conversation.named(line))
    refusal = conversation.on.one.hears()
    assert conversation.named(f'before the number of the board: "{game}move {{on}} <move>".') in refusal.words
    assert form("move") in refusal.text


# who · what · the Subject of the answer · words in it · the form shown · the board shown
LETTERS: dict[str, tuple[str, str, str, list[str], str | None, str | None]] = {
    "unknown command": ("alice", "frobnicate 12", "pbem error", ['the Subject begins with "frobnicate"'], None, None),
    "unknown verb": ("alice", "superbo frobnicate", "superbo error", ['"frobnicate"', "help commands"], None, None),
    "no verb": ("alice", "superbo", "superbo error", ['"superbo"', "superbo challenge <userid>"], None, None),
    "unknown game": ("alice", "poker challenge bob", "pbem error", ['"poker"', "games here: lambo, mamba"], None, None),
    "challenge without a game": ("alice", "challenge bob", "pbem error", ['"challenge"'], "challenge", None),
    "signup of a game": ("alice", "superbo signup dave x", "superbo error", ['"superbo"'], "signup", None),
    "list of unknown game": ("alice", "list poker", "pbem error", ['"poker"'], "list", None),
    "unknown opponent": ("alice", "superbo challenge zorro", "Invalid challenge", ['"zorro"'], "challenge", None),
    "everything wrong at once": (
        "alice",
        "superbo challenge -big bob zorro 12345",
        "Invalid challenge",
        [
            'Nobody here is called "zorro"',
            '"12345"',
            "no option -big",
            "for 2 players, but this makes 4",
        ],
        "challenge",
        None,
    ),
    "too few players": (
        "alice",
        "superbo challenge alice",
        "Invalid challenge",
        ["You need somebody to play with"],
        "challenge",
        None,
    ),
    "the same player twice beside another": (
        "alice",
        "superbo challenge bob bob",
        "Invalid challenge",
        ["for 2 players, but this makes 3"],
        "challenge",
        None,
    ),
    "nothing sought": ("alice", "superbo challenge -fast", "superbo error", ["no option -fast"], "seek", None),
    "unknown board": ("bob", "move 999 bob secret c4,k5", "pbem error", ["no board 999"], "move", None),
    "a huge board": ("bob", "move 9999999999 c4,k5", "pbem error", ['"9999999999"'], "move", None),
    "board 0": ("bob", "resign 0", "pbem error", ['"0"'], "resign", None),
    "Arabic board": ("bob", "show \u0661\u0660\u0661", "pbem error", ["\u0661\u0660\u0661"], "show", None),
    "words in a wrong order": ("bob", "move bob secret {on} c4,k5", "pbem error", ['"bob"'], "move", None),
    "wrong password": ("bob", "move {on} bob Secret c4,k5", BOARD, ["userid and password"], "move", "on"),
    "unknown userid": ("bob", "move {on} zorro secret c4,k5", BOARD, ["userid and password"], "move", "on"),
    "not your turn": ("alice", "move {on} alice secret c4,k5", BOARD, ["It's bob's move on board"], "move", "on"),
    "not your turn, unproven": ("alice", "move {on} c4,k5", BOARD, ["It's bob's move on board"], "move", "on"),
    "not at the board": ("carol", "move {on} carol secret c4,k5", BOARD, ["You (carol) do not play"], "move", "on"),
    "not at the board to resign": ("carol", "resign {on}", BOARD, ["You (carol) do not play"], "resign", "on"),
    "game over": (
        "alice",
        "move {over} alice secret g2,h7",
        "superbo Board {over} Error",
        ["Board {over} is over"],
        None,
        "over",
    ),
    "resigned twice": (
        "alice",
        "resign {over} alice secret",
        "superbo Board {over} Error",
        ["Board {over} is over"],
        None,
        "over",
    ),
    "no board's number": ("bob", "move", "pbem error", ["the number of the board"], "move", None),
    "no move": ("bob", "move {on}", BOARD, ["the move itself"], "move", "on"),
    "no password": ("bob", "move {on} bob", BOARD, ["no password follows it"], "move", "on"),
    "no move behind the password": ("bob", "move {on} bob secret", BOARD, ["the move itself"], "move", "on"),
    "a word too many": ("bob", "resign {on} bob secret please", BOARD, ["before word 5"], "resign", "on"),
    "move that never was": (
        "bob",
        "show {on}#9",
        BOARD,
        ["{on} has no move 9: the last one is number 1"],
        "show",
        "on",
    ),
    "move that is no number": ("bob", "show {on}#x", BOARD, ['"x" is not a move number'], "show", "on"),
    "show an unknown board": ("bob", "show {on} 999", "pbem error", ["no board 999"], "show", None),
    "show an unknown player": ("bob", "show zorro", "pbem error", ['"zorro"'], "show", None),
    "sentence that asks for a board": (
        *("bob", "I would like to play superbo against Carol.", "pbem error", ['this line: "superbo challenge carol"']),
        *(None, None),
    ),
    "sentence with a verb that gives up": (
        *("bob", "resign w\u00e4re feige, ich mache weiter", "pbem error", ["goes on like a sentence"], None, None),
    ),
    "sentence with a verb": ("bob", "Accept my apology", "pbem error", ["goes on like a sentence"], None, None),
    "tournament of two words": (
        *("bob", "superbo tournament create Spring Cup", "superbo error", ["is one word"], "tournament"),
        None,
    ),
    "table of an unknown player": ("bob", "games zorro", "pbem error", ['"zorro"'], "games", None),
    "sentence": ("bob", "Hello there", "pbem error", ['the Subject begins with "Hello"'], None, None),
    "nothing": ("bob", "", "pbem error", ["Your letter is empty"], None, None),
    "a board and no move": (
        "bob",
        "superbo board {on}",
        BOARD,
        ["Your move command is missing the move itself"],
        "move",
        "on",
    ),
    "many commands, and none": ("bob", "multiple", "pbem error", ["there is no command in its text"], None, None),
}


@pytest.mark.parametrize("letter", LETTERS.values(), ids=LETTERS)
def test_what_cannot_be_done_is_explained_and_nothing_changes(
    conversation: RefusalConversation, letter: tuple[str, str, str, list[str], str | None, str | None]
) -> None:
    who, line, subject, words, right_form, board = letter
    before = played(conversation.server)
    person = conversation.person(who)
    person.says(conversation.named(line))
    refusal = person.hears()
    assert refusal.subject == conversation.named(subject)
    assert refusal.envelope_sender in ("", "<>")
    for each in words:
        assert conversation.named(each) in refusal.words
    assert not {"secret", "Secret", "please"} & set(refusal.words.split())
    assert "Nothing has changed." in refusal.text or "No board was started." in refusal.text
    if right_form:
        assert form(right_form) in refusal.text
    else:
        assert "help" in refusal.words
    if board:
        assert shows_board(refusal, getattr(conversation, board).number)
    assert played(conversation.server) == before


@pytest.mark.parametrize("place", ["Subject", "body"])
@pytest.mark.parametrize("move", ["x" * 10_000, "c4," * 3_333, "c4 " * 3_333, "#" * 10_000, "9" * 10_000])
def test_a_move_of_ten_thousand_characters_is_refused_shortly(
    conversation: RefusalConversation, move: str, place: str
) -> None:
    before = played(conversation.server)
    line = conversation.named("move {on} bob secret ") + move
    bob = conversation.person("bob")
    bob.says(*((line, "") if place == "Subject" else ("", line)))
    refusal = bob.hears()
    assert refusal.subject in (conversation.named(BOARD), "pbem error")
    assert "Nothing has changed." in refusal.text
    assert len(refusal.text) < 5_000
    assert played(conversation.server) == before


def test_words_that_could_be_a_password_are_not_repeated(conversation: RefusalConversation) -> None:
    carol = conversation.carol
    for line in (
        "signup dave s3cret-s3cret dave@example.org s3cret-s3cret",
        "superbo resign {on} bob s3cret-s3cret s3cret-s3cret",
        "move {on} bob s3cret-s3cret",
        "move bob s3cret-s3cret {on} c4,k5",
        "move {on} zorro secret s3cret-s3cret s3cret-s3cret",
        "superbo bob s3cret-s3cret move",
    ):
        carol.says(conversation.named(line))
        assert "s3cret" not in str(carol.hears().raw)


def test_a_line_break_inside_an_encoded_subject_makes_no_second_command(conversation: RefusalConversation) -> None:
    before = played(conversation.server)
    bob = conversation.person("bob")
    for breaks in ("=0A", "=0D=0A", "=E2=80=A8", "=0B", "=00=0A"):
        subject = conversation.named(f"=?utf-8?q?move_{{on}}_bob_secret_zz9{breaks}resign_{{on}}_bob_secret?=")
        bob.mails(f"From: {bob.address}\r\nSubject: {subject}\r\n\r\n".encode())
        refusal = bob.hears()
        assert refusal.subject == conversation.named(BOARD)
        assert "cannot read" in refusal.words
    assert played(conversation.server) == before


def test_a_line_break_inside_an_encoded_subject_reaches_no_header(conversation: RefusalConversation) -> None:
    carol = conversation.carol
    carol.mails(f"From: {carol.address}\r\nSubject: =?utf-8?q?help_x=0D=0ABcc:_victim@example.org?=\r\n\r\n".encode())
    answer = carol.hears()
    assert answer.parsed["Bcc"] is None
    assert answer.subject == "pbem help"


def test_of_two_subjects_none_is_believed(conversation: RefusalConversation) -> None:
    before = played(conversation.server)
    bob = conversation.person("bob")
    for first, second in (("resign {on}", "help"), ("help", "resign {on}")):
        head = conversation.named(f"From: {bob.address}\r\nSubject: {first}\r\nSubject: {second}\r\n\r\n")
        bob.mails(head.encode(), to=conversation.on.other_mail.reply_to)
        assert bob.hears().subject in ("pbem error", conversation.named(BOARD), "pbem help")  # help is for everybody
    assert played(conversation.server) == before


def test_a_letter_in_latin_1_is_read(conversation: RefusalConversation) -> None:
    carol = conversation.carol
    vouched = "Authentication-Results: mx.example.org; dmarc=pass header.from=example.org\r\n"
    head = f"{vouched}From: {carol.address}\r\nContent-Type: text/plain; charset=iso-8859-1\r\n".encode()
    carol.mails(head + b"Content-Transfer-Encoding: 8bit\r\n\r\nTsch\xfc\xdf\r\n")
    assert 'the text begins with "Tsch\u00fc\u00df"' in carol.hears().words


def test_a_letter_in_an_unknown_charset_is_answered(conversation: RefusalConversation) -> None:
    carol = conversation.carol
    head = f"From: {carol.address}\r\nContent-Type: text/plain; charset=klingon\r\n".encode()
    carol.mails(head + b"Content-Transfer-Encoding: 8bit\r\n\r\nhelp list \xfc\r\n")
    assert carol.hears().subject.startswith("pbem help: list")


def test_a_letter_in_html_alone_is_read_without_its_quotes(conversation: RefusalConversation) -> None:
    carol = conversation.carol
    head = f"From: {carol.address}\r\nSubject: Re: hello\r\nContent-Type: text/html; charset=utf-8\r\n\r\n".encode()
    carol.mails(head + b"<html><body><blockquote>list</blockquote><p>help&nbsp;<b>move</b></p></body></html>\r\n")
    assert carol.hears().subject == "pbem help: move"


def test_an_empty_letter_without_any_header_is_answered(conversation: RefusalConversation) -> None:
    conversation.carol.mails(b"")
    assert "Your letter is empty" in conversation.carol.hears().words


def test_more_commands_than_allowed_are_all_refused(conversation: RefusalConversation) -> None:
    before = played(conversation.server)
    conversation.carol.says("multiple", "superbo challenge carol carol\n" * 21)
    refusal = conversation.carol.hears()
    assert refusal.subject == "pbem error"
    assert "at most 20 commands" in refusal.words
    assert played(conversation.server) == before


def test_a_refusal_can_be_answered_with_the_right_move(shared: GameServer) -> None:
    table = begin(shared, "ruth", "rolf")
    table.one.answers(table.one_mail, "zz9")
    refusal = table.one.hears()
    assert refusal.subject == f"superbo Board {table.number} Error"
    table.one.answers(refusal, "b3")
    assert table.other.hears().subject == f"superbo Board {table.number} rolf"


@pytest.mark.parametrize("answer", ["", "   \n\n", "hello " * 300], ids=["empty", "blank", "300 words"])
def test_an_answer_that_is_no_move_is_refused_with_the_board(conversation: RefusalConversation, answer: str) -> None:
    before = played(conversation.server)
    bob, mail = conversation.on.other, conversation.on.other_mail
    bob.answers(mail, answer)
    refusal = bob.hears()
    assert refusal.subject == conversation.named(BOARD)
    assert shows_board(refusal, conversation.on.number)
    assert len(refusal.text) < 8000
    assert played(conversation.server) == before


def test_of_two_letters_with_the_same_move_at_once_one_is_played(shared: GameServer) -> None:
    table = begin(shared, "tina", "theo")
    table.one.answers(table.one_mail, "b3")
    table.one.answers(table.one_mail, "b3")
    answers = sorted(table.one.hears().subject for _ in range(2))
    assert answers == [f"superbo Board {table.number} Error", f"superbo Board {table.number} theo"]
    assert table.other.hears().subject == f"superbo Board {table.number} theo"
    moves = [event for event in played(shared)["events"] if str(event[0]) == table.number]
    assert len(moves) == 1


def test_of_two_passwords_with_the_same_move_at_once_one_is_played(shared: GameServer) -> None:
    table = begin(shared, "tony", "tara")
    for _ in range(2):
        table.one.says(f"move {table.number} tony secret b3")
    answers = {mail.subject: mail for mail in (table.one.hears(), table.one.hears())}
    assert set(answers) == {f"superbo Board {table.number} Error", f"superbo Board {table.number} tara"}
    assert ", not yours." in answers[f"superbo Board {table.number} Error"].text
    assert table.other.hears().subject == f"superbo Board {table.number} tara"


def test_an_answer_to_an_overtaken_position_is_refused_with_the_present_one(shared: GameServer) -> None:
    table = begin(shared, "otto", "olga")
    old = table.one_mail
    table.play("b3", "c4,k5")
    before = played(shared)
    table.one.answers(old, "g2,h7")
    refusal = table.one.hears()
    assert refusal.subject == f"superbo Board {table.number} Error"
    assert "Your letter answers an older mail" in refusal.words
    assert "2. C4,K5" in refusal.text
    assert played(shared) == before


def test_the_same_letter_twice_is_carried_out_once(shared: GameServer) -> None:
    table = begin(shared, "dora", "dirk")
    raw = (
        f"From: {table.one.address}\r\nTo: pbem@localhost\r\nSubject: move {table.number} dora secret b3\r\n"
        "Message-ID: <once@example.org>\r\n\r\n"
    ).encode()
    table.one.mails(raw)
    table.one.mails(b"Received: from elsewhere\r\n" + raw)
    table.hear()
    table.one.says("help")
    assert table.one.hears().subject == "pbem help"


@pytest.mark.parametrize(
    "line",
    [
        "superbo challenge alice L0st-one bob",
        "superbo challenge L0st-one alice bob",
        "superbo challenge alice/L0st-one",
        "superbo challenge -junk ALICE L0st-one bob",
    ],
)
def test_a_password_in_a_challenge_is_not_repeated(conversation: RefusalConversation, line: str) -> None:
    conversation.on.one.says(line, "superbo challenge bob L0st-one")
    refusal = conversation.on.one.hears()
    assert refusal.subject == "Invalid challenge"
    assert "L0st" not in refusal.raw.decode()
    assert re.search(r"Word [345] of your command \(I do not repeat it, since it may be a password\) is", refusal.words)


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("superbo challenge nobody-there", "nobody-there"),
        ("mamba challenge bob nobody-there carol", "nobody-there"),
        ("superbo challenge -adjacent_pair bob nobody-there", "nobody-there"),
        ("message to bob crol", "crol"),
        ("subscribe to bob crol", "crol"),
        ("games bob crol", "crol"),
        ("show bob crol", "crol"),
    ],
)
def test_a_mistyped_userid_is_named_where_no_password_belongs(
    conversation: RefusalConversation, line: str, wrong: str
) -> None:
    conversation.on.one.says(line, "Hello!")
    assert f'Nobody here is called "{wrong}"' in conversation.on.one.hears().words


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("superbo limit alice secret foo", '"foo" is not a number of boards'),
        ("superbo seek alice secret foo", '"foo" does not work as a number'),
        ("vacation alice secret foo", '"foo" is not a date'),
        ("set alice secret foo", 'I cannot read "foo" as a setting'),
        ("showas alice secret foo", '"foo" is not a board number'),
        ("superbo limit alice wr0ng foo", "Word 5 of your command (I do not repeat it, since it may be a password) is"),
        (
            "superbo limit foo alice secret",
            "Word 5 of your command (I do not repeat it, since it may be a password) is",
        ),
        (
            "superbo limit alice foo secret",
            "Word 5 of your command (I do not repeat it, since it may be a password) is",
        ),
    ],
)
def test_a_word_behind_the_right_password_is_named(conversation: RefusalConversation, line: str, reason: str) -> None:
    conversation.on.one.says(line)
    refusal = conversation.on.one.hears()
    assert refusal.words.startswith(reason)
    assert "secret" not in refusal.raw.decode()


@pytest.mark.parametrize("line", ["move {on} bob/L0st-one D5", "move {on} zorro/L0st-one D5", "move {on} bob:L0st-one"])
def test_a_password_behind_a_sign_is_not_repeated(conversation: RefusalConversation, line: str) -> None:
    conversation.on.other.says(conversation.named(line))
    refusal = conversation.on.other.hears()
    assert refusal.words.startswith("I cannot read word 3 of your command (")
    assert "L0st" not in refusal.raw.decode()


@pytest.mark.parametrize(
    ("line", "place", "advice"),
    [
        ("vacation 12.12.2026", 2, "A date is written as year, month and day: 2026-12-31 is"),
        ("superbo seek adjacent_pair", 3, 'Options begin with "-".'),
        ("set adjacent", 2, "Write a name, an equals sign and a value"),
        ("queue {on} foo", 3, ""),
        ("resign {on} L0st-one", 3, ""),
    ],
)
def test_a_word_taken_for_a_userid_is_said_to_be_so(
    conversation: RefusalConversation, line: str, place: int, advice: str
) -> None:
    line = conversation.named(line)
    conversation.on.one.says(line)
    refusal = conversation.on.one.hears()
    assert refusal.words.startswith(f"Word {place} of your command (I do not repeat it")
    assert "is in a place for a userid, so I took it for one" in refusal.words
    assert advice in refusal.words
    assert line.split()[-1] not in refusal.text


@pytest.mark.parametrize("line", ["change passwort hush77x", "change adress a@b"])
def test_a_misspelled_word_is_not_said_to_be_missing(conversation: RefusalConversation, line: str) -> None:
    conversation.on.one.says(line)
    refusal = conversation.on.one.hears()
    assert refusal.words.startswith('After "change", write what to change: password or address.')
    assert "hush77x" not in refusal.raw.decode()


@pytest.mark.parametrize(
    ("line", "right"),
    [("superbo chalange bob", "challenge"), ("superbo seeekk", "seek"), ("superbo tournament joyn cup", "tournament")],
)
def test_the_form_of_a_mistyped_verb_is_shown_with_the_game(
    conversation: RefusalConversation, line: str, right: str
) -> None:
    conversation.on.one.says(line)
    assert form(right) in conversation.on.one.hears().text
    assert "<game>" not in form(right)


def test_board_in_place_of_a_verb_leads_to_move_and_show(conversation: RefusalConversation) -> None:
    conversation.on.one.says("board 101")
    assert "Did you mean move or show?" in conversation.on.one.hears().words


def test_a_refusal_leads_to_one_page_and_gives_one_example(conversation: RefusalConversation) -> None:
    conversation.on.one.says("challenge bob")
    assert conversation.on.one.hears().words.count("help challenge") == 1
    table = begin(conversation.server, "once-a", "once-b")
    table.one.answers(table.one_mail, "zz")
    told = table.one.hears()
    assert told.subject == f"superbo Board {table.number} Error"
    assert "Answer this mail with your move, for example: " in told.words
    assert told.words.lower().count("for example") == 1


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("mambogo challenge bob", 'Did you mean "mambo challenge -mambogo bob"?'),
        ("mamboa challenge bob", 'Did you mean "mambo challenge -mamboa bob"?'),
        ("Mambogo: challenge bob", 'Did you mean "mambo challenge -mambogo bob"?'),
        ("mambogo seek", 'Did you mean "mambo seek -mambogo"?'),
        ("challenge mambogo bob", 'Did you mean "mambo challenge -mambogo bob"?'),
        ("challenge adjacent_pair bob", 'Did you mean "superbo challenge -adjacent_pair bob"?'),
        ("challenge -adjacent_pair bob", 'Did you mean "superbo challenge -adjacent_pair bob"?'),
        ("superbo challenge adjacent_pair bob", 'put a dash in front: "-adjacent_pair".'),
        ("mamba challenge -loops=4 bob", "Browne's Mamba is a variant of Mambo"),
        ("mamba challenge -territory bob", "Browne's Mamba is a variant of Mambo"),
        ("palago challenge -num_tiles=9 bob", "Superbo has an option with this name."),
        ("lambo challenge -kill_eye bob", "Superbo has an option with this name."),
    ],
)
def test_a_hint_leads_to_what_was_meant(conversation: RefusalConversation, line: str, hint: str) -> None:
    conversation.carol.says(line)
    assert hint in conversation.carol.hears().words


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("Ich gebe auf, gut gespielt!", "resign"),
        ("J'abandonne", "resign"),
        ("Wie w\u00e4r's mit Remis?", "propose"),
        ("Can I take that back?", "undo"),
    ],
)
def test_plain_words_at_a_board_are_told_the_one_word_to_send(
    conversation: RefusalConversation, words: str, meant: str
) -> None:
    before = played(conversation.server)
    conversation.on.other.answers(conversation.on.other_mail, words)
    refused = conversation.on.other.hears().words
    assert f'If you mean "{meant}", write that word alone on the first line.' in refused
    assert "come first" not in refused
    assert played(conversation.server) == before


@pytest.mark.parametrize(
    "words",
    [
        "Tolle Partie, den Trick kannte ich nicht!",
        "Bravo!",
        "Pass auf, jetzt wird es spannend!",
        "Resign w\u00e4re feige!",
        "Accept my apologies for the delay",
    ],
)
def test_plain_words_at_a_board_are_told_how_to_reach_the_opponent(
    conversation: RefusalConversation, words: str
) -> None:
    for table in (conversation.on, conversation.over):
        table.other.answers(table.other_mail, words)
        assert 'To write to your opponent, begin the first line with "chat".' in table.other.hears().words
