import argparse
import ast
import doctest
import re
import runpy
import shlex
import statistics
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

import pytest

from pbem.bootstrap import loops
from pbem.cli.commands_page import commands_page
from pbem.commands.verbs import VERBS
from pbem.workers.runner import Runner
from tests.support.commands_shown import command_exists, commands_in

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "rules-as-a-library.md"
PERFORMANCE, SCALING = ((DOCS / f"{page}.md").read_text() for page in ("performance", "scaling"))
PAGES = [*sorted(DOCS.glob("*.md")), *(DOCS.parent / name for name in ("README.md", "CONTRIBUTING.md"))]
MODULES = [each.as_posix() for top in ("pbem", "tests") for each in (DOCS.parent / top).rglob("*.py")]
OF_THE_READER = {"pbem_matches.py", "try_it.py", "tests/conversations/test_last.py"}
"""Modules that whoever follows a page writes."""
MAKEFILE = (DOCS.parent / "Makefile").read_text()


def test_the_library_does_what_its_page_shows() -> None:
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert tried > 20
    assert not failed


def test_the_page_of_the_commands_is_what_make_docs_makes_of_the_templates() -> None:
    page = (DOCS / "commands.md").read_text()
    assert page == commands_page()
    for verb in VERBS:
        assert f"\n| **{verb}** | `" in page


def modules_in(page: Path) -> set[str]:
    """The modules of ours that a page names."""
    return set(re.findall(r"(?<![\w/.-])[a-z_/]+\.py\b", page.read_text())) - OF_THE_READER


def test_pages_name_modules() -> None:
    assert all(len(modules_in(DOCS / f"{page}.md")) > 10 for page in ("architecture", "decisions", "reliability"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_module_that_is_named_is_there(page: Path) -> None:
    assert not [each for each in modules_in(page) if not any(known.endswith(f"/{each}") for known in MODULES)]


def test_the_drawing_of_the_architecture_knows_every_package() -> None:
    table = (DOCS / "architecture.md").read_text().partition("| package |")[2].partition("\n\n")[0]
    pbem = DOCS.parent / "pbem"
    packages = {each.parent.name for each in pbem.glob("*/__init__.py")} | {each.stem for each in pbem.glob("[!_]*.py")}
    named = {
        name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1] if "|" in row else "")
    }
    assert named == packages


def events_in(module: Path) -> set[str]:
    """The words that a module logs: the first argument of the logger's methods, and what is said of faults."""
    found: set[str] = set()
    for call in (each for each in ast.walk(ast.parse(module.read_text())) if isinstance(each, ast.Call)):
        called = ast.unparse(call.func)
        at = {"pass_over": 2, "structlog.get_logger().log": 1}.get(called, 0 if called.startswith("log.") else None)
        words = None if at is None else call.args[at]
        if isinstance(words, ast.Constant):
            found.add(str(words.value))
    return found


def test_the_page_for_operators_says_what_every_event_of_the_log_means() -> None:
    written = set[str]().union(*(events_in(each) for each in (DOCS.parent / "pbem").rglob("*.py")))
    for runner in (each for each in vars(loops).values() if isinstance(each, type) and issubclass(each, Runner)):
        written |= {runner.gone_on, runner.failed}
    table = (DOCS / "operating.md").read_text().partition("| event | |")[2].partition("\n\n")[0]
    told = [event for row in table.splitlines()[2:] for event in re.findall("`([^`]+)`", row.split("|")[1])]
    assert sorted(told) == sorted(written)


def tabled(text: str, columns: int) -> list[list[float]]:
    """The rows of tables that end in so many numbers, those numbers alone."""
    number = r" ([\d,.]+)(?: [kG]B)? \|"
    found = re.findall(r"(?m)\|" + number * columns + "$", text)
    return [[float(each.replace(",", "")) for each in row] for row in found]


def measured() -> dict[tuple[str, str], list[str]]:
    """The results of the bench, by figure and mails; a row that names no figure belongs to the one above."""
    table = PERFORMANCE.partition("| figure | mails | ours |")[2].partition("\n\n")[0]
    found, figure = dict[tuple[str, str], list[str]](), ""
    for row in table.splitlines()[2:]:
        named, mails, *told = (each.strip() for each in row.strip("|").split("|"))
        figure = named or figure
        found[figure, mails] = told
    return found


def median(told: str) -> float:
    """The median of figures as the table writes those of its runs: `142, 179, 159/s`."""
    return statistics.median(float(each) for each in re.findall(r"\d+\.?\d*", told.replace("/s", "")))


def test_rates_are_those_that_were_measured() -> None:
    figures = (
        ("round trip, SQLite", "text+HTML+picture"),
        ("round trip, SQLite", "text+HTML"),
        ("moves made, answers stored, SQLite", "text+HTML+picture"),
        ("PostgreSQL ÷ SQLite, one process", "text+HTML"),
        ("four workers ÷ one, PostgreSQL", "text+HTML"),
    )
    rates = tabled(SCALING.partition("| what runs |")[2].partition("**Boards")[0], 2)
    assert [rate for rate, _ in rates] == [median(measured()[each][0]) for each in figures]
    rate, letters = rates[0]
    assert f"on SQLite and two processors makes {rate:.0f} |" in SCALING
    assert f"By its rate ({letters:,.0f} letters)" in SCALING


def test_what_a_letter_computes_is_what_was_measured() -> None:
    *_, html, picture = tabled(PERFORMANCE.partition("| what a letter computes, ms |")[2].partition("\n\n")[0], 5)[-1]
    assert f"computes {html:.0f} ms with text and HTML, {picture:.0f} ms with pictures" in " ".join(SCALING.split())


def test_moves_and_round_trips_are_as_far_from_their_targets_as_is_said() -> None:
    rows = [told for (figure, _), told in measured().items() if figure.startswith(("moves made", "round trip"))]
    far = [float(target.removeprefix("≥ ")) / median(ratio) for _, _, ratio, target, _ in rows]
    assert f"are {min(far):.0f} to {max(far):.0f} times away from their targets" in PERFORMANCE


def test_letters_a_day_are_what_the_rates_come_to() -> None:
    (factor,) = {float(each.replace(",", "")) for each in re.findall(r"\*r\* . ([\d,]+)\.\n", SCALING)}
    assert factor == 86_400 / (3 * 2)
    rates = tabled(SCALING.partition("| what runs |")[2].partition("**Boards")[0], 2)
    assert len(rates) > 3
    for rate, letters in rates:
        assert letters == pytest.approx(rate * factor, abs=500)


def test_mails_take_as_much_of_a_disk_as_the_table_says() -> None:
    *_, (_, kept, recorded, after) = tabled(SCALING.partition("| letters a day | mails a day |")[0], 4)
    rows = tabled(SCALING, 6)
    assert len(rows) == 3
    for letters, mails, month, week, records, year in rows:
        assert mails == 2 * letters
        sizes = (kept, 30), (kept, 7), (recorded, 180 - 30), (after, 365)
        taken = [letters * size * days / 1e6 for size, days in sizes]
        assert [month, week, records, year] == pytest.approx(taken, rel=0.02)


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
    words = page.read_text()
    words = re.sub("(?m)^pbem is ", "It is ", words)
    assert not [named for named in commands_in(words) if not command_exists(named)]
    called = re.findall(r"(?m)(?:^|`|^ {4})make ((?:[a-z-]+)(?: [A-Z_]+=\S*)*)", words)
    targets, variables = (set(re.findall(each, MAKEFILE)) for each in (r"(?m)^([a-z-]+):", r"(?m)^([A-Z_]+) \?="))
    for target, *given in (each.split() for each in called):
        assert target in targets
        assert {each.partition("=")[0] for each in given} <= variables


class Understood(Exception):
    """A program of the tests has read its arguments, and would begin."""


def programs_in(text: str) -> list[str]:
    """The programs of the tests that a page shows, with their arguments."""
    shown = re.findall(r"python -m (tests\.[^`\n]*)", text)
    return [*shown, *(f"tests.bench {given}" for given in re.findall(r'make bench BENCH_ARGS="([^"]*)"', text))]


def made() -> str:
    """The Makefile with its variables filled in, those that have no value usually, too."""
    given = dict(re.findall(r"(?m)^([A-Z_]+) \?= *(.*)$", MAKEFILE)) | {"SOAK_SEED": "7", "COMPARE_SEED": "7"}
    text = re.sub(r"\$\(([A-Z_]+)\)", lambda found: given.get(found[1], found[0]), MAKEFILE)
    return re.sub(r"\$\(if \w+,(.*?)\)", r"\1", text)


def understands(program: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Return True if a program is there and reads its arguments; it is not let begin."""
    name, *arguments = shlex.split(program)
    spec = find_spec(name)
    if spec is not None and spec.submodule_search_locations:
        spec = find_spec(f"{name}.__main__")
    if spec is None or spec.origin is None:
        return False
    source = Path(spec.origin).read_text()
    if "argparse" not in source:  # it takes a number or a name as it comes
        return '__name__ == "__main__"' in source and not any(each.startswith("-") for each in arguments)
    read = argparse.ArgumentParser.parse_args

    def only_read(self: argparse.ArgumentParser, *given: list[str]) -> NoReturn:
        read(self, *given)
        raise Understood

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", only_read)
    monkeypatch.setattr(sys, "argv", [name, *arguments])
    try:
        runpy.run_path(spec.origin, run_name="__main__")
    except (Understood, SystemExit) as ended:
        return isinstance(ended, Understood)
    return False


PROGRAMS = sorted({each for text in (made(), *(page.read_text() for page in PAGES)) for each in programs_in(text)})


def test_some_programs_of_the_tests_are_shown() -> None:
    assert {each.split()[0] for each in PROGRAMS} > {"tests.bench", "tests.soak", "tests.matches.openings"}


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_that_is_shown_understands_its_arguments(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert understands(program, monkeypatch)


def test_what_a_program_does_not_know_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in ("tests.bench.nothing", "tests.bench --slowly", "tests.bench nothing", "tests.bench.playouts --quick"):
        with monkeypatch.context() as patched:
            assert not understands(wrong, patched)
