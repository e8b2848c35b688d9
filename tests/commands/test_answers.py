"""Reading the answer to a question."""

from __future__ import annotations

import pytest

from pbem.commands.answers import Said, answer_in, is_no, is_signature


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("yes", Said.YES),
        ("YES!!!", Said.YES),
        ("y", Said.YES),
        ("Ja", Said.YES),
        ("*oui*", Said.YES),
        ("S\u00ed.", Said.YES),
        ("ok", Said.YES),
        ("  confirm", Said.YES),
        ("\nyes\n\nBest wishes\nann", Said.YES),
        ("Yes, I confirm.", Said.ASSENT),
        ("oui, merci", Said.ASSENT),
        ("Yes please", Said.ASSENT),
        ("", Said.NOTHING),
        (" \n\n", Said.NOTHING),
        ("no", Said.NO),
        ("No!", Said.NO),
        ("NEIN", Said.NO),
        ("non", Said.NO),
        ("n", Said.NO),
        ("Certainly not", Said.NO),
        ("I did not ask for this; yes, I am sure", Said.NO),
        ("yes\n\nno, wait", Said.UNCLEAR),
        ("Ja\n\nAch nein, doch lieber J2.", Said.UNCLEAR),
        ("Yes, I was thinking about it.\nBut I have not decided.", Said.UNCLEAR),
        ("Oui\nNon, attends", Said.UNCLEAR),
        ("ok\nno wait", Said.UNCLEAR),
        ("Ja, nein, wei\u00df nicht", Said.UNCLEAR),
        ("No. Yes", Said.NO),
        ("ok, no", Said.NO),
        ("That wasn't me", Said.NO),
        ("Don\u2019t!", Said.NO),
        ("This isn't ok", Said.NO),
        ("I can't confirm this", Said.NO),
        ("I cant confirm this", Said.NO),
        ("I won't agree", Said.NO),
        ("ok, thanks for your mail! We have received it.", Said.UNCLEAR),
        ("Sure, I will answer then.", Said.UNCLEAR),
        ("Confirm receipt", Said.UNCLEAR),
        ("I agree", Said.UNCLEAR),
        ("Hello pbem,\n\nyes", Said.UNCLEAR),
        ("what is this", Said.UNCLEAR),
        ("What do I have to do?", Said.UNCLEAR),
        ("yes?", Said.UNCLEAR),
        ("yes\n\nIs that right?", Said.UNCLEAR),
        ("Are you sure?", Said.UNCLEAR),
        ("...", Said.UNCLEAR),
        ("eyes", Said.UNCLEAR),
        ("noon", Said.UNCLEAR),
        ("b3", Said.UNCLEAR),
        ("42", Said.UNCLEAR),
        ("word " * 40 + "yes", Said.UNCLEAR),
        ("Jawohl!", Said.YES),
        ("d\u2019accord", Said.YES),
        ("Sure, go ahead :)", Said.ASSENT),
        ("Oui, pas de souci !", Said.ASSENT),
        ("yes, please sign me up, I would like to play you", Said.ASSENT),
        ("yes, but later", Said.UNCLEAR),
        ("ja, aber erst morgen", Said.UNCLEAR),
        ("ok, thanks", Said.UNCLEAR),
        ("no problem", Said.UNCLEAR),
    ],
)
def test_what_an_answer_says(answer: str, said: Said) -> None:
    assert answer_in(answer.split("\n")) is said


def test_what_says_nothing_or_nothing_clear_is_no_answer() -> None:
    assert [each for each in Said if not each.is_clear] == [Said.NOTHING, Said.UNCLEAR]


@pytest.mark.parametrize(("line", "alone"), [("no", True), ("No.", True), ("no2", False), ("no thanks", False)])
def test_one_word_that_says_no_stands_alone(line: str, alone: bool) -> None:
    assert is_no(line) is alone


@pytest.mark.parametrize(
    "answer",
    [
        "yes",
        "Yes.\n\nThanks!\nKarl Meier",
        "Yes, thank you, Karl",
        "yes please :-)",
        "ja gerne",
        "Ja, genau so war's gemeint.",
        "jawohl\n\nViele Gr\u00fc\u00dfe\nkarl",
        "Oui oui, merci",
        "Oui, d'accord, pas de souci :)",
        "S\u00ed, adelante",
        "Sure, go ahead :)",
        "Yes, d3-d4",
        "Yes\n\nRobert Example\nSenior Accountant\nACME Corp.",
        "yes\n\nBest regards\nann of the accounts department",
    ],
)
def test_small_talk_and_a_name_leave_a_yes_clear(answer: str) -> None:
    assert answer_in(answer.split("\n"), {"karl", "move", "105", "d3-d4"}) in (Said.YES, Said.ASSENT)


@pytest.mark.parametrize(
    "answer",
    [
        "Yes, but I'd rather play f3-f4 after all.",
        "ja, aber erst morgen",
        "Yes that was the idea, though on second thought I would like to think a little longer.",
        "Ja Moment, ich schau erst nochmal",
        "Oui oui, elle l'a dit, mais je veux jouer K1",
        "Ja, gef\u00e4llt mir, aber J1 ist noch besser, also J1.",
        "Oui, mais plus tard !",
        "yes\nbut tomorrow",
        "yes\n\nLater",
        "yes\nd3-d5",
        "Yes: K1",
        "Yes, K1 instead",
        "Ja\nMoment",
        "Ja\n\nDanke\naber erst morgen",
        "sure, when my coffee is ready",
        "ok, let me see",
        "Yes indeed, a lovely idea of my brother",
        "yes if she is back",
        "Oui, peut-\u00eatre",
        "S\u00ed, pero ma\u00f1ana",
        "Yes, wait",
    ],
)
def test_a_yes_with_anything_else_beside_it_is_unclear_where_words_are_known(answer: str) -> None:
    assert answer_in(answer.split("\n"), {"karl", "move", "105", "d3-d4"}) is Said.UNCLEAR


@pytest.mark.parametrize(
    "answer",
    ["Yes, E3 it is.", "Ja, E3.", "oui, E3", "Yes, I play E3.", "Ja, dann E3", "Oui, je joue E3 !", "ok, E3 it is"],
)
def test_a_yes_may_name_the_move_that_is_asked_about(answer: str) -> None:
    assert answer_in([answer], {"karl"}, "move 102 E3") is Said.ASSENT


@pytest.mark.parametrize(
    "answer",
    [
        "Yes, E4 it is",
        "Yes, E3 or E4",
        "Ja, E3, E4",
        "Yes, E3?",
        "Ja, E3, aber morgen",
        "Oui, pas E3",
        "Yes, it is late",
    ],
)
def test_a_yes_that_names_another_move_or_doubts_it_is_unclear(answer: str) -> None:
    assert answer_in([answer], {"karl"}, "move 102 E3") is Said.UNCLEAR


@pytest.mark.parametrize(("answer", "said"), [("Yes, B2,B3", Said.ASSENT), ("Yes, B3", Said.UNCLEAR)])
def test_a_yes_names_the_whole_move_or_nothing_of_it(answer: str, said: Said) -> None:
    assert answer_in([answer], {"karl"}, "move 102 B2,B3") is said


@pytest.mark.parametrize(
    "text",
    ["Viele Gr\u00fc\u00dfe\nBernd", "LG Bernd", "Regards", "Bis bald!\nKarl Meier", "bernd", "Cordialement,\nB."],
)
def test_a_closing_and_a_name_are_a_signature(text: str) -> None:
    assert is_signature(text, "bernd")


@pytest.mark.parametrize(
    "text",
    ["Good luck!\nBernd", "Hello\nI am away", "Regards\nAlice is stupid", "Dave", "Thanks!", "Regards\nA\nB\nC", ""],
)
def test_words_for_others_are_no_signature(text: str) -> None:
    assert not is_signature(text, "bernd")
