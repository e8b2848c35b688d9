"""Subjects: marks of answers, and which have the form of ours; `test_reading` tries what comes of that."""

from __future__ import annotations

import pytest

from pbem.commands.line import BoardAnswered
from pbem.commands.subjects import Subject
from pbem.ids import BoardNumber


@pytest.mark.parametrize(
    "prefix",
    [
        "Re: ",
        "RE:",
        "re : ",
        "Re[2]: ",
        "Re(3): ",
        "Re^2: ",
        "Fwd: ",
        "FW: ",
        "AW: ",
        "WG: ",
        "SV: ",
        "VS: ",
        "Antw: ",
        "Odp: ",
        "Ref: Re: ",
        "\u56de\u590d\uff1a",
        "[pbem] ",
        "Re: [pbem] Re: ",
        "Fwd: Re: AW: [games list] SV: ",
        "Re:" * 50,
        "  ",
    ],
)
def test_reply_marks_and_list_tags_are_taken_off_in_any_number(prefix: str) -> None:
    assert Subject.of(f"{prefix}superbo challenge bob ") == Subject(
        "superbo challenge bob", is_reply=bool(prefix.strip())
    )


@pytest.mark.parametrize("subject", ["Restart: a", "a Re: b", "Re a", "[unclosed"])
def test_what_only_looks_like_a_reply_mark_stays(subject: str) -> None:
    assert Subject.of(subject) == Subject(subject, is_reply=False)


@pytest.mark.parametrize("subject", ["Superbo board 101", "New superbo board 101 bob", "Nag: mamba board 101 **"])
def test_the_subject_of_a_mail_about_a_board_names_it(subject: str) -> None:
    found = Subject.of(f"Re: {subject}")
    assert found.board == BoardAnswered(BoardNumber(101))
    assert found.is_ours
    assert found.has_our_form
    assert not found.may_be_typed


@pytest.mark.parametrize("subject", ["superbo board 101 a1", "superbo board 101 resign"])
def test_a_move_behind_the_board_makes_it_a_command_in_our_form(subject: str) -> None:
    found = Subject.of(subject)
    assert found.board is None
    assert not found.is_ours
    assert found.has_our_form
    assert found.may_be_typed


def test_a_subject_of_ours_may_have_been_typed_unless_it_would_be_the_command_of_somebody_else() -> None:
    assert Subject.of("superbo standings").is_ours
    assert Subject.of("superbo standings").may_be_typed
    assert Subject.of("signup for pbem account bob").is_ours
    assert not Subject.of("signup for pbem account bob").may_be_typed


def test_news_have_our_form_and_are_like_no_command() -> None:
    assert Subject.of("Re: Players seen lately").has_our_form
    assert not Subject.of("Re: Players seen lately").is_ours
