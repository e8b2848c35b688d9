import doctest
import re
from pathlib import Path

import pytest

from pbem.cli.commands_page import commands_page
from pbem.commands.verbs import VERBS
from tests.test_deploy import command_exists, commands_in

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "rules-as-a-library.md"
SCALING = (DOCS / "scaling.md").read_text()
PAGES = [*sorted(DOCS.glob("*.md")), *(DOCS.parent / name for name in ("README.md", "CONTRIBUTING.md"))]


def test_the_library_does_what_its_page_shows() -> None:
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert tried > 20
    assert not failed


def test_the_page_of_the_commands_is_what_make_docs_makes_of_the_templates() -> None:
    page = (DOCS / "commands.md").read_text()
    assert page == commands_page()
    for verb in VERBS:
        assert f"\n| **{verb}** | `" in page


@pytest.mark.parametrize("page", ["architecture", "decisions"])
def test_every_module_that_is_named_is_there(page: str) -> None:
    root, words = DOCS.parent, (DOCS / f"{page}.md").read_text()
    named = set(re.findall(r"[a-z_]+/[a-z_/]+\.py", words))
    assert len(named) > 10
    assert not [each for each in named if not any((root / place / each).exists() for place in ("pbem", "."))]


def test_the_drawing_of_the_architecture_knows_every_package() -> None:
    table = (DOCS / "architecture.md").read_text().partition("| package |")[2].partition("\n\n")[0]
    packages = {each.parent.name for each in (DOCS.parent / "pbem").glob("*/__init__.py")}
    named = {
        name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1] if "|" in row else "")
    }
    assert named == packages


def tabled(text: str, columns: int) -> list[list[float]]:
    """The rows of tables that end in so many numbers, those numbers alone."""
    number = r" ([\d,.]+)(?: [kG]B)? \|"
    found = re.findall(r"(?m)\|" + number * columns + "$", text)
    return [[float(each.replace(",", "")) for each in row] for row in found]


def test_letters_a_day_are_what_the_rates_come_to() -> None:
    (factor,) = {float(each.replace(",", "")) for each in re.findall(r"\*r\* . ([\d,]+)\.\n", SCALING)}
    assert factor == 86_400 / (3 * 2)
    rates = tabled(SCALING.partition("| what runs |")[2].partition("**Boards")[0], 2)
    assert len(rates) > 3
    for rate, letters in rates:
        assert letters == pytest.approx(rate * factor, abs=500)


def test_mails_take_as_much_of_a_disk_as_the_table_says() -> None:
    *_, (kept, after) = tabled(SCALING.partition("| letters a day | mails a day |")[0], 2)
    rows = tabled(SCALING, 6)
    assert len(rows) == 3
    for letters, mails, month, week, day, year in rows:
        assert mails == 2 * letters
        taken = [letters * kept * days / 1e6 for days in (30, 7, 1)] + [letters * after * 365 / 1e6]
        assert [month, week, day, year] == pytest.approx(taken, rel=0.02)


def linked(page: Path) -> set[Path]:
    """The files of this project that a page in Markdown points to."""
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())
    return {(page.parent / target).resolve() for target in targets}


@pytest.mark.parametrize("page", [*DOCS.parent.glob("*.md"), *DOCS.glob("*.md")], ids=lambda page: page.name)
def test_what_a_page_points_to_is_there(page: Path) -> None:
    assert [each for each in linked(page) if not each.exists()] == []


def test_the_index_points_to_every_page() -> None:
    pages = {each.resolve() for each in DOCS.iterdir() if each.is_file()}
    assert pages == {each for each in linked(DOCS / "README.md") | {DOCS / "README.md"} if each.parent == DOCS}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_that_a_page_names_exist(page: Path) -> None:
    words, makefile = page.read_text(), (DOCS.parent / "Makefile").read_text()
    words = re.sub("(?m)^pbem is ", "It is ", words)
    assert not [named for named in commands_in(words) if not command_exists(named)]
    called = re.findall(r"(?m)(?:^|`|^ {4})make ((?:[a-z-]+)(?: [A-Z_]+=\S*)*)", words)
    targets, variables = (set(re.findall(each, makefile)) for each in (r"(?m)^([a-z-]+):", r"(?m)^([A-Z_]+) \?="))
    for target, *given in (each.split() for each in called):
        assert target in targets
        assert {each.partition("=")[0] for each in given} <= variables
