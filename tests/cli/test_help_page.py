from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from pbem.cli.help_page import help_

DOCS = Path(__file__).parents[2] / "docs"


def test_the_tutorial_of_the_documentation_is_the_page_of_the_help() -> None:
    assert CliRunner().invoke(help_, ["tutorial"]).stdout == (DOCS / "tutorial.txt").read_text()


def test_several_subjects_are_told_about_one_after_the_other() -> None:
    text = CliRunner().invoke(help_, ["mambo", "tactics", "move"]).stdout
    assert text.startswith("MAMBO: TACTICS\n")
    assert "\n    move <board> <move> " in text


def test_a_subject_that_there_is_not_is_said_with_those_that_come_close() -> None:
    result = CliRunner().invoke(help_, ["tutorail"])
    assert result.exit_code == 1
    assert result.stderr == "pbem: There is no help about 'tutorail'. There is about: tutorial.\n"
