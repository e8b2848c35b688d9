from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.cli.commands_page import help_

DOCS = Path(__file__).parents[2] / "docs"


def test_the_tutorial_of_the_documentation_is_the_page_of_the_help() -> None:
    assert CliRunner().invoke(help_, ["tutorial"]).stdout == (DOCS / "tutorial.txt").read_text()


def test_several_subjects_are_told_about_one_after_the_other() -> None:
    text = CliRunner().invoke(help_, ["mambo", "tactics", "move"]).stdout
    assert text.startswith("MAMBO: TACTICS\n")
    assert "\n    move <board> <move> " in text


@pytest.mark.parametrize(
    ("word", "answer"),
    [
        ("tutorail", 'There is no help about "tutorail".\nDid you mean:  help tutorial?'),
        (
            "rules",
            '"rules" has no page of its own.\nSee:  help lambo, help mamba, help mambo, help palago, help superbo',
        ),
        ("Password", '"Password" has no page of its own.\nSee:  help change, help forgot'),
        ("qqqq", 'There is no help about "qqqq".\nAll subjects:  help subjects'),
        ("a'b\"c", 'There is no help about "a\'b"c".\nAll subjects:  help subjects'),
        ("\x1b[31m", 'There is no help about "\\x1b[31m".\nAll subjects:  help subjects'),
        ("\udcff", 'There is no help about "\\udcff".\nAll subjects:  help subjects'),
        ("q" * 9_999, f'There is no help about "{"q" * 40}".\nAll subjects:  help subjects'),
    ],
    ids=["slip", "rules", "case", "nothing near", "quotes", "escape", "no UTF-8", "long"],
)
def test_of_a_subject_without_a_page_it_says_where_to_look(word: str, answer: str) -> None:
    result = CliRunner().invoke(help_, [word])
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", f"pbem: {answer}\n")


def test_a_page_that_is_missing_hides_no_other() -> None:
    result = CliRunner().invoke(help_, ["qqqq", "move"])
    assert result.exit_code == 1
    assert "\n    move <board> <move>#<moveno> " in result.stdout
    near = CliRunner().invoke(help_, ["mambo", "tactcs"])
    assert (near.exit_code, near.stdout.startswith("MAMBO: TACTICS\n")) == (0, True)
    assert "Below is what comes closest:  mambo tactics\n" in near.stderr


def test_of_several_subjects_without_a_page_it_says_so_once() -> None:
    result = CliRunner().invoke(help_, ["tutorail", "qqqq", "chalenge"])
    assert result.stderr == (
        'pbem: There is no help about "tutorail", "qqqq" or "chalenge".\n'
        "Did you mean:  help challenge, help tutorial?\n"
    )
