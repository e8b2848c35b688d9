import doctest
from pathlib import Path

from pbem.cli.commands_page import commands_page
from pbem.commands.grammar import VERBS

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "rules-as-a-library.md"


def test_the_library_does_what_its_page_shows() -> None:
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert tried > 20
    assert not failed


def test_the_page_of_the_commands_is_what_make_docs_makes_of_the_templates() -> None:
    page = (DOCS / "commands.md").read_text()
    assert page == commands_page()
    for verb in VERBS:
        assert f"\n| **{verb}** | `" in page
