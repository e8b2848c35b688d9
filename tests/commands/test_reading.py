"""Finding the commands in a letter."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import ChainableUndefined, Environment, meta

from pbem.commands.doubts import may_be_plan, may_be_private, takes_back
from pbem.commands.grammar import parse
from pbem.commands.line import BoardAnswered
from pbem.commands.planning import MakePlan
from pbem.commands.reading import (
    MOST_CHARACTERS,
    AnswerLost,
    EmptyLetter,
    LineTooLong,
    NoCommand,
    NothingAsked,
    NothingListed,
    Reading,
    TooManyCommands,
    read_letter,
)
from pbem.commands.refusals import MissingWord, MoveWithoutBoard, UnknownGame
from pbem.commands.verbs import SAID
from pbem.errors import PlayerError
from pbem.games.plans import ELSE, IF, THEN, Branch, read_branches
from pbem.ids import BoardNumber

GAMES = ("superbo", "mambo")
B101 = BoardAnswered(BoardNumber(101))


def read(subject: str, *body: str, answered: BoardAnswered | None = None) -> Reading:
    return read_letter(subject, body, GAMES, most=20, answered=answered)


def test_a_subject_that_names_a_board_and_no_move_lacks_the_move() -> None:
    with pytest.raises(MissingWord) as refused:
        read("superbo board 101", "", "  ")
    assert refused.value.facts == {"form": "move", "what": "move", "board": 101}
    for other in ("Re: superbo board 101", "chess board 101", "New superbo board 101", "superbo board 101 bob"):
        with pytest.raises(EmptyLetter):
            read(other, "")


def test_a_command_may_stand_behind_reply_marks_and_list_tags() -> None:
    assert read("Fwd: Re: AW: [games list] SV: superbo challenge bob").lines == ("superbo challenge bob",)


def test_a_subject_that_is_a_command_leaves_the_whole_body_as_the_comment() -> None:
    assert read("move 101 a1", "", "Well!", "bye ", "") == Reading(("move 101 a1",), "Well!\nbye")


@pytest.mark.parametrize("subject", ["", "hello", "Re: hello"])
def test_without_a_command_in_the_subject_the_first_line_that_says_something_is_it(subject: str) -> None:
    assert read(subject, "", " move 101 a1 ", "", "Good luck!") == Reading(("move 101 a1",), "Good luck!")


@pytest.mark.parametrize("subject", ["superbo jump 101", "move x 101", "games chess"])
def test_a_subject_that_begins_like_a_command_is_read_as_one_even_if_it_is_wrong(subject: str) -> None:
    assert read(subject, "move 101 a1").lines == (subject,)


@pytest.mark.parametrize(
    ("subject", "line"),
    [
        ("Who is here?", "who"),
        ("Please help me", "help tutorial"),
        ("help me", "help tutorial"),
        ("Help needed!", "help tutorial"),
        ("Games for me?", "superbo games"),
        ("show me your boards?", "show 101"),
        ("Standings of the others", "superbo standings"),
        ("List my games please", "list"),
        ("Puzzle for me, please", "puzzle superbo"),
        ("Challenge for you", "superbo challenge bob"),
        ("games of chance", "move 101 a1"),
    ],
)
def test_a_command_in_the_text_goes_before_a_subject_that_is_a_sentence(subject: str, line: str) -> None:
    assert read(subject, line, "", "Bye").lines == (line,)


@pytest.mark.parametrize(
    ("subject", "line"),
    [
        ("who", "help tutorial"),
        ("Help", "who"),
        ("help superbo", "help tutorial"),
        ("Show me the boards please", "who"),
        ("Who is here?", "Hello you"),
        ("Who is here?", "signoff"),
        ("Who is here?", "signup dave secret"),
        ("Who is here?", "set language=fr"),
        ("Who is here?", "resign 101"),
        ("signup me please", "who"),
        ("Change my address please", "who"),
        ("Set me up", "who"),
        ("Help is not needed", "who"),
    ],
)
def test_it_does_not_where_either_touches_accounts_or_the_subject_is_exactly_one(subject: str, line: str) -> None:
    assert read(subject, line).lines == (subject,)


@pytest.mark.parametrize(
    ("line", "verb", "comment"),
    [
        ("Confirm, please.", "confirm", ""),
        ("confirm. Thanks!", "confirm", ""),
        ("Please confirm my move", "confirm", ""),
        ("Confirm - looks good!", "confirm", "looks good"),
        ("Undo please, I pressed send too early.", "undo", "please, I pressed send too early"),
        ("Please undo", "undo", ""),
        ("Bitte undo", "undo", ""),
        ("Undo!! Sorry, my mistake...", "undo", "Sorry, my mistake"),
        ("undo, that was a mistake", "undo", "that was a mistake"),
        ("undo - vertippt, tut mir leid", "undo", "vertippt, tut mir leid"),
        ("Undo svp, je me suis trompé", "undo", "svp, je me suis trompé"),
        ("undo my last move, please", "undo", ""),
    ],
)
def test_a_harmless_word_of_an_answer_may_have_polite_company(line: str, verb: str, comment: str) -> None:
    assert read("", line, answered=B101) == Reading((verb,), comment, B101)


@pytest.mark.parametrize(
    "line",
    [
        *("undo please don't", "undo? please", "Confirm nothing yet", "confirm later", "I do not want to undo"),
        *("accept - kein Problem!", "Accept, please.", "resign, sorry", "reject, sorry", "pass please", "swap please"),
        *("undo the last two moves and play c3", "undo alice secret"),
    ],
)
def test_other_company_leaves_a_line_as_it_is(line: str) -> None:
    assert read("", line, answered=B101).lines == (line,)


@pytest.mark.parametrize(
    "line",
    [
        "    superbo move 101 bob <password> A1",
        "superbo challenge <userid>",
        "  1. B3      2. C4,K5",
        "12. A1,B2",
        "1. B3",
    ],
)
def test_a_line_of_our_mails_below_a_command_is_no_second_one(line: str) -> None:
    assert read("", "c4,k5", "", line, answered=B101).undone == ()


@pytest.mark.parametrize(
    "subject",
    [
        "superbo Board 101 bob",
        "Re: superbo Board 101 bob",
        "Re: New superbo Board 101 bob **",
        "Nag: superbo Board 101 bob",
        "superbo Board 101",
        "superbo Board 101 **",
        "Re: superbo Board 101 Error",
        "superbo board 101 b0b-the.builder",
    ],
)
def test_the_subject_of_a_board_is_no_command_but_names_the_board(subject: str) -> None:
    assert read(subject, "a1,j12", "Ha!") == Reading(("a1,j12",), "Ha!", B101)


@pytest.mark.parametrize(
    "move", ["a1", "a1,j12", "J12", "e5-e7", "b2>b3", "lay b2>b3", "cut e3", "resign", "pass", "swap", "accept", "Undo"]
)
def test_a_move_behind_the_board_makes_it_a_command(move: str) -> None:
    assert read(f"superbo board 101 {move}", "hi") == Reading((f"superbo board 101 {move}",), "hi")


@pytest.mark.parametrize(
    "subject",
    [
        "superbo error",
        "pbem error",
        "Superbo Standings",
        "superbo chat 101 bob",
        "superbo chat 101 bob **",
        "Invalid challenge",
        "List of superbo games",
        "List of games",
        "pbem help: move",
        "Welcome to pbem, bob",
        "Answers to your 2 commands",
        "Boards 101 102",
    ],
)
def test_a_reply_to_another_mail_of_ours_is_read_from_its_body(subject: str) -> None:
    assert read(f"Re: {subject}", "show 101") == Reading(("show 101",))


class Fact(str):
    """Whatever a Subject tells of; its attributes are the like."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Fact:
        return {"name": self, "number": Fact("101"), "round": Fact("2")}.get(name, Fact("bob"))


def our_subjects() -> set[str]:
    """The Subjects of all our mails: with all that they may tell, and with hardly anything."""
    environment = Environment(undefined=ChainableUndefined)  # noqa: S701 - no page
    environment.filters["listed"] = lambda *_: "bob and cat"
    lines = [
        line
        for file in (Path(__file__).parents[2] / "templates" / "mail").glob("*.txt")
        for line in file.read_text().splitlines()
    ]
    subjects = [line.removeprefix("Subject: ") for line in lines if line.startswith("Subject: ")]
    names = {name for each in subjects for name in meta.find_undeclared_variables(environment.parse(each))}
    named = {"game": Fact("superbo"), "game_name": Fact("superbo"), "called_on": lambda *_: Fact("bob")}
    facts = {name: Fact("bob") for name in names} | named
    nobody = {"called_on": lambda *_: ""}
    few = {name: fact for name, fact in facts.items() if name not in ("away", "is_new")} | nobody
    said = {environment.from_string(each).render(known) for each in subjects for known in (facts, few)}
    return {" ".join(each.split()) for each in said} - {"", "bob"}


def test_the_subjects_of_ours_that_are_tried_here_are_those_that_are_mailed() -> None:
    some = {"superbo Limit", "superbo Seeks", "superbo Board 101 Preview", "superbo Tournaments"}
    some |= {
        "superbo Board 101 bob **",
        "superbo Tournament bob round 2",
        "Vacation of bob",
        "bob is on vacation",
        "Signup for pbem account bob",
    }
    assert some <= our_subjects()


@pytest.mark.parametrize("subject", sorted(our_subjects() - {"A new password for bob"}))
def test_an_answer_to_any_mail_of_ours_is_read_from_its_body(subject: str) -> None:
    command = "superbo seek bob secret 0"
    assert read(f"Re: {subject}", command).lines == (command,)


@pytest.mark.parametrize(
    "subject", ["superbo limit", "superbo preview", "superbo preview 101", "superbo tournament show"]
)
def test_what_is_a_command_and_a_subject_of_ours_is_a_command_if_the_body_holds_none(subject: str) -> None:
    assert read(subject).lines == (subject,)
    assert read(subject, "Thank you!").lines == (subject,)


@pytest.mark.parametrize("subject", sorted(our_subjects() - {"A new password for bob"}))
@pytest.mark.parametrize("thanks", ["Thanks", "Thank you!", "ok, thx", "Many thanks, that is all that I wanted."])
def test_thanks_for_any_mail_of_ours_are_no_command(subject: str, thanks: str) -> None:
    with pytest.raises(NothingAsked) as refused:
        read(f"AW: {subject}", "", thanks, "move 101 a1")
    assert refused.value.facts["told_of"] == (101 if re.match(r"(New |Nag: )?\S+ Board 101", subject) else None)


def test_thanks_to_the_address_of_a_board_are_no_move_whatever_the_subject() -> None:
    with pytest.raises(NothingAsked) as refused:
        read("Re: our game", "Thanks!", answered=B101)
    assert refused.value.facts["told_of"] == 101


@pytest.mark.parametrize("words", ["Thanksgiving is near", "tysons", "Nice", "Cheerse"])
def test_other_words_in_an_answer_to_a_mail_of_ours_are_asked_back_without_the_subject(words: str) -> None:
    for subject in ("Vacation of bob", "Signup for pbem account bob", "superbo Seeks", "Finished superbo games of bob"):
        with pytest.raises(NoCommand) as refused:
            read(f"Re: {subject}", words)
        assert refused.value.facts["subject"] == ""


def test_thanks_in_a_letter_that_answers_nothing_are_asked_back() -> None:
    for subject in ("Thanks", "About bob", "Re: your visit"):
        with pytest.raises(NoCommand):
            read(subject, "Thanks!")


def test_a_bare_move_is_meant_for_the_board_that_the_reply_address_proves() -> None:
    assert read("whatever", "a1", answered=B101) == Reading(("a1",), "", B101)
    assert read("Re: superbo Board 102 bob", "a1", answered=B101).answered == B101


def test_a_command_in_the_subject_of_an_answer_goes_before_its_body() -> None:
    assert read("resign", "a1", answered=B101) == Reading(("resign",), "a1", B101)


@pytest.mark.parametrize(
    "subject",
    [
        "cut e3",
        "turn e6",
        "lay b2>b3 move e5-e7",
        "lay b2 b3",
        "b2>b3",
        "B2 > b3",
        "e5-e7",
        "move e5-e7",
        "Pass.",
        "pass",
    ],
)
def test_steps_in_the_subject_of_an_answer_go_before_its_body(subject: str) -> None:
    assert read(f"Re: {subject}", "cut e4", "Hi!", answered=B101) == Reading((subject,), "cut e4\nHi!", B101)
    if not subject.lower().startswith(("move", "pass")):
        assert read(subject, "move 101 e5-e7").lines == ("move 101 e5-e7",)


@pytest.mark.parametrize("subject", ["cut me some slack", "turn the other cheek", "lay off", "cute e3", "So b2"])
def test_a_sentence_in_the_subject_of_an_answer_does_not(subject: str) -> None:
    assert read(subject, "cut e3", answered=B101) == Reading(("cut e3",), "", B101)


@pytest.mark.parametrize(
    ("body", "line", "comment"),
    [
        (("lay b2>b3 lay g7>f6", "move e5-e7", "", "Ha!"), "lay b2>b3 lay g7>f6 move e5-e7", "Ha!"),
        (("lay b2>b3", "", " lay g7>f6. ", "", "Move e5-e7."), "lay b2>b3 lay g7>f6. Move e5-e7.", ""),
        (
            ("lay b2>b3 lay", "g7>f6 move", "e5-e7 cut", "e3 #17", "e3"),
            "lay b2>b3 lay g7>f6 move e5-e7 cut e3 #17",
            "e3",
        ),
        (("lay b2", "b3 pass"), "lay b2 b3 pass", ""),
        (("e5-e7", "cut c8-c7 turn a1"), "e5-e7 cut c8-c7 turn a1", ""),
        (("cut", "e3", "please"), "cut e3", "please"),
        (("lay b2>b3", "pass"), "lay b2>b3 pass", ""),
        (("move e5-e7", "cut e3 would be bad for you"), "move e5-e7", "cut e3 would be bad for you"),
        (("move e5-e7", "Turn about", "cut e3"), "move e5-e7", "Turn about\ncut e3"),
        (("e5-e7#3", "cut e3"), "e5-e7#3", "cut e3"),
        (("a1,j12", "b2"), "a1,j12", "b2"),
        (("a1", "b2"), "a1", "b2"),
        (("resign", "pass"), "resign", "pass"),
        (("help", "move"), "help", "move"),
    ],
)
def test_lines_of_nothing_but_steps_carry_the_first_one_on(body: tuple[str, ...], line: str, comment: str) -> None:
    assert read("Re: mamba Board 101 bob", *body) == Reading((line,), comment, B101)


@pytest.mark.parametrize(
    "line", ['"move e5-e7"', "**move e5-e7**", "- move e5-e7", "* Move: e5-e7", "\u2022 move e5-e7"]
)
def test_what_stands_around_the_steps_of_an_answer_is_taken_off(line: str) -> None:
    (command,) = read("Re: mamba Board 101 bob", line, "- cut e3", "", "* Ha!").lines
    assert command.lower() == "move e5-e7 cut e3"
    assert read("Re: mamba Board 101 bob", line, "* Ha!").comment == "* Ha!"


def test_a_classic_command_in_the_body_is_carried_on_too_and_one_in_the_subject_is_complete() -> None:
    command = "move 101 fsmith secret lay b2>b3"
    assert read("", command, "move e5-e7") == Reading((f"{command} move e5-e7",))
    assert read(command, "move e5-e7") == Reading((command,), "move e5-e7")
    assert read("multiple", command, "move e5-e7").lines == (command, "move e5-e7")


@pytest.mark.parametrize("line", ["lay b2>b3", "b2>b3," * 20, "lay b2", "pass" + " " * 100])
def test_endless_lines_of_steps_are_read_too(line: str) -> None:
    with suppress(LineTooLong):
        assert len(read("", *[line] * 10_000, answered=B101).lines) == 1


def test_a_letter_without_a_command_is_told_how_it_begins() -> None:
    with pytest.raises(NoCommand) as refused:
        read("my turn", "I lay", "x")
    known = {"verbs": SAID, "games": ("mambo", "superbo")}
    assert refused.value.facts == {"subject": "my", "body": "I"} | known


@pytest.mark.parametrize("move", ["a1,j12", "cut e3", "turn e6", "e5-e7", "lay b2>b3 move e5-e7"])
@pytest.mark.parametrize("letter", [("{}",), ("{}", "", "Your turn!"), ("my turn", "{}", "x"), ("", "", " {} ")])
def test_of_a_bare_move_that_answers_no_board_the_board_is_missing(letter: tuple[str, ...], move: str) -> None:
    with pytest.raises(MoveWithoutBoard) as refused:
        read(*(line.format(move) for line in letter))
    assert refused.value.facts == {"form": "move", "move": move}


@pytest.mark.parametrize("word", ["pass", "Swap", "accept", "REJECT", "undo", "propose", "resign"])
def test_a_word_in_place_of_a_move_is_a_command_of_which_the_board_may_be_missing(word: str) -> None:
    for reading in (read(word), read("hello", word), read(f"Re: {word}", "")):
        assert reading.lines == (word,)


@pytest.mark.parametrize(
    "letter",
    [
        ("hunter2 fsmith move 101 a1",),
        ("hello", "hunter2 move 101 fsmith a1"),
        ("hunter2 fsmith 101", "hunter2 fsmith a1"),
    ],
)
def test_a_first_word_that_may_be_a_password_is_not_repeated(letter: tuple[str, ...]) -> None:
    with pytest.raises(PlayerError) as refused:
        read(*letter)
    assert "hunter2" not in str(refused.value)


def test_a_game_that_is_none_of_ours_is_named() -> None:
    with pytest.raises(UnknownGame):
        read("chess move 101 e4")
    with pytest.raises(UnknownGame):
        read("hello", "chess move 101 e4")


def test_a_letter_of_many_commands_needs_one() -> None:
    with pytest.raises(NothingListed):
        read("multiple", "", "  ", "# nothing", "end", "help")


@pytest.mark.parametrize("subject", ["", "Re: ", "superbo Board 101 bob"])
def test_a_letter_without_words_is_empty(subject: str) -> None:
    with pytest.raises(EmptyLetter):
        read(subject, "", "  ")


@pytest.mark.parametrize("subject", ["multiple", "Re: MULTIPLE"])
def test_multiple_takes_a_command_from_each_line_until_the_end(subject: str) -> None:
    body = ("# my moves", "", " move 101 a1 ", "hello", "#x", "help", "END", "show 101")
    assert read(subject, *body) == Reading(("move 101 a1", "hello", "help"), multiple=True)


@pytest.mark.parametrize("end", ["end", "Quit", "--", "-- "])
def test_multiple_ends_at_each_of_these_lines(end: str) -> None:
    assert read("multiple", "help", end, "list").lines == ("help",)


def test_multiple_takes_no_more_commands_than_allowed_and_then_none() -> None:
    assert len(read("multiple", *["help"] * 20).lines) == 20
    with pytest.raises(TooManyCommands) as refused:
        read("multiple", *["help"] * 21)
    assert refused.value.facts == {"most": 20}


@pytest.mark.parametrize(
    "letter",
    [
        ("mambo preview new " + "> " * MOST_CHARACTERS,),
        ("", "move 101 " + "a" * MOST_CHARACTERS),
        ("multiple", "help", "superbo " + "x " * MOST_CHARACTERS),
    ],
)
def test_a_line_that_is_far_too_long_is_not_looked_into(letter: tuple[str, ...]) -> None:
    with pytest.raises(LineTooLong) as refused:
        read(*letter)
    assert refused.value.facts == {"most": MOST_CHARACTERS}


def test_words_for_the_others_may_be_on_one_long_line() -> None:
    words = "hello " * MOST_CHARACTERS
    assert read("move 101 a1", words) == Reading(("move 101 a1",), words.strip())


SUBJECTS = st.sampled_from(["Re: ", "multiple", "superbo", "Board", "101", "move", "a1", "[x]", "error", "#", "**"])


@given(
    st.text(max_size=60) | st.lists(SUBJECTS, max_size=6).map(" ".join),
    st.lists(st.text(max_size=30) | SUBJECTS, max_size=4),
    st.booleans(),
)
def test_any_letter_gives_lines_or_a_refusal(subject: str, body: list[str], in_answer: bool) -> None:
    try:
        reading = read(subject, *body, answered=B101 if in_answer else None)
    except PlayerError:
        return
    assert reading.lines
    assert all(line.strip() for line in reading.lines)


@pytest.mark.parametrize(
    "subject", ["Re:" * 50_000, "[" * 200_000, "[a]" * 60_000, " " * 200_000, "superbo board 1 " + "a" * 200_000]
)
def test_an_endless_subject_is_read_or_refused_too(subject: str) -> None:
    with pytest.raises(PlayerError):
        read(subject)


@pytest.mark.parametrize("subject", ["A new password for alice", "A forgotten password"])
@pytest.mark.parametrize("line", ["better2", "password better2"])
def test_a_new_password_that_has_lost_its_question_is_not_taken_for_a_command(subject: str, line: str) -> None:
    with pytest.raises(AnswerLost) as refused:
        read_letter(f"Re: {subject}", [line, "", "> write the new password"], GAMES, most=20)
    assert refused.value.facts == {}


def test_a_command_can_be_sent_in_answer_to_a_mail_about_resets() -> None:
    assert read_letter("Re: A forgotten password", ["help forgot"], GAMES, most=20) == Reading(("help forgot",))


@pytest.mark.parametrize(
    ("subject", "body", "line"),
    [
        ("superbo", "challenge bob", "superbo challenge bob"),
        ("Superbo:", "superbo challenge bob", "superbo challenge bob"),
        ("mambo", "superbo challenge bob", "superbo challenge bob"),
        ("superbo", "276: b2,c3", "276: b2,c3"),
        ("move", "move 101 b2,c3", "move 101 b2,c3"),
        ("move", "superbo move 101 b2", "superbo move 101 b2"),
        ("move", "101 b2,c3", "101 b2,c3"),
        ("Move:", "101 fsmith secret b2,c3", "Move: 101 fsmith secret b2,c3"),
        ("superbo move", "101 fsmith secret b2", "superbo move 101 fsmith secret b2"),
        ("move 101", "b2,c3", "move 101 b2,c3"),
        ("move 101 fsmith secret", "b2,c3", "move 101 fsmith secret b2,c3"),
        ("challenge", "superbo bob", "challenge superbo bob"),
        ("help", "help move", "help move"),
        ("show", "superbo show 101", "superbo show 101"),
    ],
)
def test_a_subject_that_only_begins_a_command_is_carried_on_by_the_body(subject: str, body: str, line: str) -> None:
    reading = read_letter(subject, ("", body, "Hello!"), GAMES, most=20)
    assert parse(reading.lines[0], GAMES) == parse(line, GAMES)
    assert reading.comment == "Hello!"


@pytest.mark.parametrize(
    ("subject", "body"),
    [
        ("move 101", "Hello Bob"),
        ("superbo", "Does anybody want to play?"),
        ("signup", "hank secret"),
        ("resign", "101"),
        ("superbo challenge", "Anybody who likes to"),
        ("move 101 b2", "c3"),
    ],
)
def test_a_subject_is_not_carried_on_by_words(subject: str, body: str) -> None:
    assert read_letter(subject, (body,), GAMES, most=20).lines == (subject,)


def test_further_commands_are_kept_apart_from_words() -> None:
    below = (
        *("resign 102", "Nice game!", "superbo 103 move b2", "mambo seek 2", "help me", "Show 101 was great"),
        *("chat 101", "set mail=text", "vacation fsmith secret 5", "games", "move along, please", "2 moves left"),
    )
    reading = read_letter("move 101 b2", below, GAMES, most=20)
    assert reading.undone == (
        *("resign 102", "superbo 103 move b2", "mambo seek 2", "chat 101", "set mail=text", "vacation fsmith secret 5"),
    )
    assert reading.comment == "Nice game!\nhelp me\nShow 101 was great\ngames\nmove along, please\n2 moves left"


def test_the_same_command_twice_is_one() -> None:
    reading = read_letter("move 101 b2", ("superbo move 101 b2", "Hi"), GAMES, most=20)
    assert (reading.undone, reading.comment) == ((), "Hi")


@pytest.mark.parametrize(
    ("subject", "body", "line"),
    [
        (
            "Anmeldung",
            ("Hallo,", "", "ich m\u00f6chte mitspielen!", "", "signup karl geheim99"),
            "signup karl geheim99",
        ),
        ("Spiel", ("Hallo,", "", "mambo challenge lucie -loops=2"), "mambo challenge lucie -loops=2"),
        ("vacances", ("Bonjour,", "je suis absente.", "vacation 2026-12-01"), "vacation 2026-12-01"),
        ("Mambo zu zweit", ("Mambo challenge Erin",), "Mambo challenge Erin"),
        ("Challenge", ("Hi,", "", "please challenge karl to superbo!"), "please challenge karl to superbo!"),
        ("", ("Dear server,", "resign 101"), "resign 101"),
        ("hello", ("Good morning!", "Hope you are well.", "show 101"), "show 101"),
        ("", ("My cat is ill.", "superbo challenge bob"), "superbo challenge bob"),
    ],
)
def test_greetings_and_a_sentence_may_stand_above_a_command(subject: str, body: tuple[str, ...], line: str) -> None:
    assert read(subject, *body, "", "Bye").lines == (line,)
    assert read(subject, *body, "", "Bye").comment == "Bye"


@pytest.mark.parametrize(
    "body",
    [
        *(("My cat is ill.", f"{verb} 101") for verb in ("resign", "accept", "pass", "swap", "reject", "propose")),
        *(("My cat is ill.", line) for line in ("signoff bob 1secret", "change password 1secret", "add bob 1x a@b.c")),
        ("Please do not do this:", "superbo challenge bob"),
        ("What happens after this?", "superbo challenge bob"),
        ("Either", "superbo challenge bob", "or", "superbo challenge carol"),
        ("Wenn ich Zeit habe,", "superbo challenge bob"),
        ("One is signed up by", "signup <userid> <password>"),
        ("1", "2", "3", "4", "5", "6", "superbo challenge bob"),
    ],
)
def test_no_command_is_looked_for_below_a_sentence_that_may_not_mean_it(body: tuple[str, ...]) -> None:
    with pytest.raises(NoCommand):
        read("my letter", *body)


@pytest.mark.parametrize(
    ("move", "lines", "plan"),
    [
        ("move f3-f5", ("if move d9-c8 then move d3-c2", "else move d3-b2"), None),
        ("move f3-f5", ("plan else move d3-c2",), "else move d3-c2"),
        ("b3", ("if swap then d3,c2",), None),
        ("e2e4", ("if e7e5 then g1f3", "else d2d4"), None),
        ("b3", ("else swap",), None),
        ("b3", ("plan ann secret if c4,k5 then g2,h7",), "if c4,k5 then g2,h7"),
        ("b1", ("if D2 then E1, else F2",), None),
        ("b1", ("If D2 then E1, if D4 then E3, otherwise F2.",), None),
        ("b1", ("Wenn D2 dann E1, sonst F2",), None),
        ("b1", ("Si D2 alors E1, sinon F2",), None),
        ("b1", ("If D2 than E1",), None),
    ],
)
def test_a_plan_below_a_move_of_any_game_is_no_comment(move: str, lines: tuple[str, ...], plan: str | None) -> None:
    reading = read("", move, "Hello!", *lines, "bye", answered=B101)
    assert reading.plan == (plan or " ".join(lines))
    assert reading.comment == "Hello!\nbye"


@pytest.mark.parametrize(
    "line",
    [
        *("If they play B1 then C2, otherwise D2", "if you play B1, then I'll play C2. Otherwise I play D2"),
        *("Wenn sie B1 spielen, dann C2, sonst D2", "Falls du B1 spielst dann spiele ich C2, sonst D2"),
        *("Si vous jouez B1 alors C2, sinon D2", "S'ils jouent B1 alors je joue C2, sinon je joue D2"),
    ],
)
def test_two_branches_in_one_sentence_are_a_plan(line: str) -> None:
    command = parse(read("", line, answered=B101).lines[0], GAMES, B101)
    assert isinstance(command, MakePlan)
    assert command.branches == (Branch("B1", "C2"), Branch("", "D2"))


@pytest.mark.parametrize(
    "line",
    [
        *("If they play B1 then C2, otherwise D2.", "If they play B1, then I'll play C2. Otherwise I play D2"),
        *("If B1 then I play C2, else D2", "Good luck! If they play B1 then C2, otherwise D2."),
        "if he plays B1 -> C2; else D2",
        *("Wenn sie B1 spielen, dann C2, sonst D2.", "Falls er B1 spielt dann spiele ich C2, sonst D2"),
        *("S'ils jouent B1 alors je joue C2, sinon je joue D2", "Si elle joue B1 alors C2, sinon D2."),
        *("If they play B1 then C2.\nOtherwise I play D2.", "If they play B1 then C2,\notherwise D2."),
    ],
)
def test_two_branches_in_one_sentence_are_a_plan_below_a_move_too(line: str) -> None:
    reading = read("", "b1", "Hi!", *line.split("\n"), "Bye", answered=B101)
    assert read_branches(reading.plan) == (Branch("B1", "C2"), Branch("", "D2"))
    assert reading.comment in ("Hi!\nBye", "Hi!\nGood luck!\nBye")


@pytest.mark.parametrize(
    "line",
    [
        *("If you play B1 then I'll play C2", "Wenn du B1 spielst, dann spiele ich C2"),
        *("Si vous jouez B1 alors je joue C2", "Wenn Sie B1 spielen, dann spiele ich C2"),
        *("If they play B1 then C2 is strong, I think", "Wenn sie B1 spielen, dann ist C2 stark"),
        "If I play B1 then C2",
    ],
)
def test_a_sentence_below_a_move_that_may_be_said_to_the_others_is_asked_about(line: str) -> None:
    reading = read("", "b1", line, answered=B101)
    assert (reading.plan, reading.comment) == ("", line)
    assert may_be_private(reading.comment)


@pytest.mark.parametrize(
    "line", ["If you play B1 then C2 is strong, I think", "If they play well then I am lost", "If I play B1 then C2"]
)
def test_sentences_about_what_may_be_played_are_no_plan(line: str) -> None:
    command = parse(read("", line, answered=B101).lines[0], GAMES, B101)
    assert not isinstance(command, MakePlan)


def test_kind_words_behind_a_plan_below_a_move_are_passed_on() -> None:
    reading = read("", "b1", "If D2 then E1, thanks!", answered=B101)
    assert (reading.plan, reading.comment) == ("If D2 then E1", "thanks!")


@pytest.mark.parametrize(
    "lines",
    [
        *(("PS: if D2 then E1",), ("Hi Bob, if D2 then E1",), ("plan:", "D2 E1", "D4 E3"), ("My plan: D2 E1, D4 E3",)),
        *(("wenn D2 dann E1", "sonst aufgeben"), ("si D2 alors E1", "sinon abandonner"), ("ansonsten F2",)),
        *(
            ("if D2 then E1", "Fun!", "else F2"),
            ("if D2 then E1", "D4 then E3"),
            ("if D2 then E1", "D4: resign"),
            ("if D2 then E1", "and if D4 then E3"),
        ),
        *(("if D2 then E1   my favourite", "if D4 then E3"), ("wenn D2 dann E1", "sonst gebe ich auf")),
    ],
)
def test_whatever_may_be_part_of_a_plan_is_no_comment(lines: tuple[str, ...]) -> None:
    reading = read("", "b1", *lines, answered=B101)
    assert reading.plan
    assert not re.search(r"[0-9]|sonst|sinon|else", reading.comment)


def test_other_words_below_a_plan_are_passed_on() -> None:
    words = (
        *("Good luck!", "If you have 5 minutes, call me.", "Sinon, tout va bien ?", "12.5. then I'm back"),
        *("Room b12: fine", "Our room is b12 then."),
    )
    reading = read("", "b1", words[0], "if D2 then E1", *words[1:], answered=B101)
    assert (reading.plan, reading.comment) == ("if D2 then E1", "\n".join(words))


@pytest.mark.parametrize(
    "line", ["If D2, E1", "Wenn D2, E1.", "S'il joue D2, E1", "D2 -> E1", "E1 if D2", "sonst ja F2"]
)
def test_a_line_that_may_be_a_plan_leaves_a_doubt(line: str) -> None:
    assert read("", "b1", line, answered=B101).plan == ""
    assert takes_back(line)


@pytest.mark.parametrize(
    "line",
    [
        *("plan: d8,r10 then a1,f4", "d8,r10 then a1,f4", "d8,r10: a1,f4", "Plan for next move: a1,f4", "nach d8 a1"),
        *("move d9-c8 -> lay f5>e4", "after d9-c8, lay f5>e4", "queue my next move a1,f4"),
        *("Private note: they overlook d8", "Notiz für mich: Ecke schwach", "Note to self: their corner is weak"),
        *("Premove: k7", "My next move will be k7", "Please queue k7 for my next turn", "any other move: k7"),
        *("Should you play d4, I'll play e2", "resign if d4", "D4/E2, D5/E3", "my plan is k7 next", "if *, then hint"),
        *("bei D4 nehme ich E2", "Bitte K7 vormerken", "Ich merke K7 vor", "auf jeden Fall K7", "Nur für mich: K"),
        *("Sur D4, je réponds E2", "en cas de D4 : E2", "coup en attente : K7", "dans tous les cas K7", "Pour moi : K"),
        *("If he has played D4, I play E2", "When you've played D4, E2", "If you took D4, I'll take E2"),
        *("wenn du D4 gespielt hast, spiele ich E2", "Wenn du D4 spielst, habe ich E2", "After D4 is played, E2"),
        *("si tu as joué D4, je joue E2", "Once D4 is there, E2", "if D4 ... then E2", "dès que D4, E2", "D4 → E2"),
        *("D8,R10 A1,F4", "D4 E2", "Good luck\nD4; E2\nBye"),
        *("If they pass, I'll lay f5>e4", "if swap, then B3", "s'il passe, je joue B3", "Falls sie passen, K7"),
        *("my reply will be K7", "whatever they do, K7", "quoi qu'il arrive, K7", "in response to D4 I play E2"),
        *("- private: K is weak", "[private] K is weak", "geheim: K", "For my eyes only: K is weak"),
        *("note: K is very weak", "Notiz: die Ecke ist schwach", "note : le coin est faible", "My notes: K is weak"),
        *("Good luck!\nNote: K is weak", "note for myself: K", "Note (private): K", "* Notiz \u2013 K ist schwach"),
        *("PS: note: K is weak", "Studie: K ist schwach", "mes notes : K est faible", "note - K is weak"),
        *("(private) K is weak", "Just for me: K is weak", "Anmerkung für mich: K ist schwach", "share my plan"),
        *(
            "Hi! Note: K is weak",
            "Danke. Notiz: K ist schwach",
            "Note: I will attack K",
            "Note to self: you are weak at K",
        ),
    ],
)
def test_plans_and_notes_without_their_form_are_asked_about(line: str) -> None:
    assert may_be_private(line)
    assert takes_back(line)


@pytest.mark.parametrize(
    "line",
    [
        *("Your next move might be D4", "Nice idea on D4!", "My next move may take a while.", "I have no plan at all"),
        *("You played well on D4, and on E2 too.", "In any case, good luck!", "Pour moi, c'est neuf"),
        *("Note that I am away next week", "Please note: I will be slow", "Note 1: K is weak", "Notes are fun"),
        *("On a side note: nice weather", "Take note: I will be slow", "Ich notiere: stark!", "Noted: K"),
        *("Note: I will be away next week", "Note: I'm on holiday", "Notiz: bin im Urlaub", "Note : je serai absent"),
        *("Hello! Note: your last mail was empty", "Notiz: Ich bin bis Montag nicht da", "Note: I\u2019ll be slow"),
        *("Nur für mich ist das neu", "Auf jeden Fall viel Spaß", "the queue in the shop was long"),
        *("If you had played D4, I would have played E2", "When I saw D4, I took E2", "After D4 I saw E2"),
        *("Wenn du D4 gespielt hättest, hätte ich E2 gespielt", "My answer to your D4 was E2", "It passed E2"),
        *("It is no secret: I like it", "Private jokes aside", "See you next move!", "Nice move, in any case."),
        *("Should you have time, come over on Sunday", "en cas de pluie on joue demain", "We are 3/4, till 12/3"),
        *("If you pass the exam, tell me!", "Wenn es dir passt, bis Sonntag", "Whatever you do, have fun"),
    ],
)
def test_words_that_only_sound_like_plans_and_notes_raise_no_doubt(line: str) -> None:
    assert not may_be_private(line)


@pytest.mark.parametrize(
    ("line", "comment"),
    [
        ("if D2 then E1. Good luck!", "Good luck!"),
        ("else F2! Viel Glück", "Viel Glück"),
        ("if D2 then E1 (else F2). Merci !", "Merci !"),
        ("plan: if D2 then E1. Good luck!", "Good luck!"),
        ("1. if D2 then E1. Good luck!", "Good luck!"),
        ("My plan: else F2. Good luck!", "Good luck!"),
    ],
)
def test_kind_words_behind_a_branch_are_passed_on(line: str, comment: str) -> None:
    reading = read("", "b1", line, answered=B101)
    assert (
        reading.plan
        == re.split("[.!] ", re.sub("^(?:1. |(?:my )?plan: )", "", line, flags=re.IGNORECASE), maxsplit=1)[0]
    )
    assert reading.comment == comment


@pytest.mark.parametrize("line", ["", " ", "- ", "a", "if", "else", "if d4"])
def test_many_lines_below_a_plan_are_read_in_linear_time(line: str) -> None:
    began = perf_counter()
    read("", "b1", "if D2 then E1", *[line] * 16_000, answered=B101)
    assert perf_counter() - began < 2


_BEGINNING = st.sampled_from((*IF, *ELSE, "plan", "", "Hi!"))
_FOLLOWING = st.sampled_from((*THEN, *ELSE, *("d2", "e1,f2", "*", "pass", ":", ";", "(", ")", "k", "Thanks!", "#3")))
_LINE = st.tuples(_BEGINNING, st.lists(_FOLLOWING, max_size=5)).map(lambda each: " ".join((each[0], *each[1])))


@given(lines=st.lists(_LINE, max_size=4), below=st.booleans())
@settings(max_examples=300)
def test_whatever_is_like_a_plan_is_read_or_refused_before_long(lines: list[str], *, below: bool) -> None:
    with suppress(PlayerError):
        read("", *(["b1", "if d2 then e1"] if below else ["plan if d2 then e1"]), *lines, answered=B101)


@pytest.mark.parametrize("rest", ["sinon : D1,E2", "sonst : D1,E2", "Else : pass", "if D2 alors : E1", "else :D1,E2"])
def test_a_blank_may_stand_before_a_colon(rest: str) -> None:
    for above in ([], ["b1"]):
        reading = read("", *above, *(["plan"] if not above else []), "if D1,* then G2,H7", rest, answered=B101)
        plan = reading.plan if above else " ".join(reading.lines).removeprefix("plan ")
        assert len(read_branches(plan)) == 2
        assert reading.comment == ""


def test_other_words_behind_a_branch_stay_with_it() -> None:
    assert read("", "b1", "if D2 then E1. That kills them!", answered=B101).comment.startswith("if D2")


def test_below_a_plan_whatever_names_a_move_may_be_more_of_it() -> None:
    assert may_be_plan("in any other case k7,m2", has_plan=True)
    assert may_be_plan("that should do as a start, since k7,m2 follows", has_plan=True)
    assert not may_be_plan("Your k7,m2 was strong.", has_plan=True)
    assert not may_be_plan("In any other case, good luck!", has_plan=True)


@pytest.mark.parametrize(
    "line", ["sonst egal", "- sonst überlege ich noch", "and otherwise I look again", "ansonsten warten", "sinon rien"]
)
def test_a_line_about_all_other_cases_may_be_the_end_of_the_plan_above(line: str) -> None:
    assert may_be_private(line, has_plan=True)
    assert may_be_private(f"Hello!\n{line}", has_plan=True)
    assert not may_be_private("How are you otherwise?", has_plan=True)
    assert not may_be_private("Else nothing new.", has_plan=True)


@pytest.mark.parametrize(
    "line",
    [
        *("I meant C4", "C4 instead, sorry", "hmm no, C4", "Pardon, C4", "je voulais dire C4", "Nicht K5 sondern K6"),
        *(
            "Actually no",
            "Strike that.",
            "Cancel",
            "Oh, cancel!",
            "Hm, well, not now though.",
            "Do not send",
            "Not yet though",
            "Please disregard",
        ),
        *("Das war für die andere Partie, sorry", "C'était pour une autre partie", "This was meant for board 103."),
        *("Please take my other mail, not this one.", "Ne pas tenir compte"),
    ],
)
def test_words_that_put_another_move_in_place_of_one_take_it_back(line: str) -> None:
    assert takes_back(line)


@pytest.mark.parametrize(
    "line",
    [
        *("You have no good reply to C4", "Your C4 was strong", "I did not see C4 coming", "Nice game, no?"),
        *(
            "Thanks for another game!",
            "Up for another game?",
            "Merci pour une autre partie",
            "For board games I love tea",
        ),
        *("Danke, gern noch ein anderes Spiel", "I chose it instead of C4.", "Much nicer than C4"),
        *("Sorry for the delay, I was at board 3.", "Not yet over!", "No idea what you will do", "See you at board 7"),
    ],
)
def test_words_about_moves_take_none_back(line: str) -> None:
    assert not takes_back(line)


@pytest.mark.parametrize("line", ["chat 102 ann secret", "message bob ann secret"])
def test_talk_about_plans_and_notes_is_passed_on_whole(line: str) -> None:
    said = ("if d8,r10 then a1,f4 was my idea.", "note", "it was weak")
    assert read("", line, *said).comment == "\n".join(said)


def test_a_plan_below_a_move_on_another_board_than_the_one_answered_is_for_that_board() -> None:
    lines = ("plan 102 if c4,k5 then g2,h7", "plan 103 if c4,k5 then g2,h7")
    answered = BoardAnswered(BoardNumber(102))
    wrong, right = (read("", "move 103 ann secret b3", line, answered=answered) for line in lines)
    assert (wrong.plan, right.plan) == ("", "if c4,k5 then g2,h7")
    assert "c4" not in wrong.comment
