"""A copy of the server gets the command of docs/adding-a-command.md, step by step."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "adding-a-command.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"# (?P<add>add to )?(?P<path>\S+/\S+\.\w+)\n(?P<text>.*)", re.DOTALL)
COPIED = ("pbem", "templates", "migrations", "tests", "docs", "deploy", "pyproject.toml", "README.md", "Makefile")
CHECKS = (
    *("tests/conversations/test_last.py", "tests/commands/test_declarations.py", "tests/commands/test_grammar.py"),
    *("tests/conversations/test_every_command.py", "tests/wording/test_forms.py", "tests/wording/test_templates.py"),
    *("tests/cli/test_commands_page.py", "tests/bench/test_bench.py", "tests/wording/test_help.py"),
)


def blocks(language: str) -> list[str]:
    return [text for each, text in BLOCK.findall(PAGE.read_text()) if each == language]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout with the blocks of the page in their files, and what is made of them."""
    copy = tmp_path_factory.mktemp("checkout")
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy / name)
    for block in (*blocks("python"), *blocks("jinja")):
        named = NAMED.fullmatch(block)
        assert named is not None, block
        path = copy / named["path"]
        assert path.exists() == bool(named["add"]), path
        with path.open("a") as file:
            file.write(named["text"])
    (copy / "docs" / "commands.md").write_text(run(copy, "-m", "pbem", "commands"))
    run(copy, "-m", "tests.commands.declared")
    return copy


def run(copy: Path, *words: str) -> str:
    """Run a program of the copy and return what it prints."""
    environ = {**os.environ, "PYTHONPATH": str(copy), "PYTEST_ADDOPTS": "", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, *words], cwd=copy, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_page_shows_what_is_declared(copy: Path) -> None:
    declared = (copy / "tests" / "commands" / "declarations.txt").read_text().split("\n")
    (shown,) = blocks("text")
    assert [line for line in shown.split("\n") if line and line not in declared] == []


def test_the_command_passes_the_tests_of_all_commands(copy: Path) -> None:
    options = ("-q", "-p", "no:cacheprovider", "-n", "0", "-k", "last or every or declared")
    said = run(copy, "-m", "pytest", *options, *CHECKS)
    assert " passed" in said
