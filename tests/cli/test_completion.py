"""Completion in shells, set up as the page for operators tells."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.tools import require_tool

GUIDE = (Path(__file__).parents[2] / "docs" / "operating.md").read_text(encoding="utf-8")
LINES = {shell: line for line, shell in re.findall(r"(?m)^(_PBEM_COMPLETE=([a-z]+)_source pbem) >\S+$", GUIDE)}

ASK = """
source ./pbem.complete
COMP_WORDS=({line}) COMP_CWORD={place}
_pbem_completion pbem
echo "${{COMPREPLY[@]}}"
"""


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """An environment in which `pbem` is a command."""
    program = tmp_path / "pbem"
    program.write_text(f"#!{sys.executable}\nfrom pbem.cli.main import main\nmain()\n")
    program.chmod(0o755)
    return os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}


def shell(script: str, folder: Path, environ: dict[str, str]) -> str:
    command = [require_tool("bash"), "-uc", script]
    return subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=True).stdout


def test_the_guide_has_a_line_for_each_shell() -> None:
    assert sorted(LINES) == ["bash", "fish", "zsh"]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("pbem adm", "admin"),
        ("pbem admin b", "boards broadcast"),
        ("pbem admin boards list --i", "--idle-since"),
        ("pbem send --w", "--wait"),
        ("pbem admin players list --standing f", "frozen"),
        ("pbem xyz", ""),
    ],
)
def test_bash_completes(tmp_path: Path, environ: dict[str, str], line: str, found: str) -> None:
    shell(f"{LINES['bash']} >pbem.complete", tmp_path, environ)
    asked = ASK.format(line=line, place=len(line.split()) - 1)
    assert shell(asked, tmp_path, environ).strip() == found


@pytest.mark.parametrize("name", ["zsh", "fish"])
def test_other_shells_are_given_what_calls_for_completions(tmp_path: Path, environ: dict[str, str], name: str) -> None:
    assert f"_PBEM_COMPLETE={name}_complete" in shell(LINES[name], tmp_path, environ)
    asked = {"zsh": {"COMP_CWORD": "2"}, "fish": {"COMP_CWORD": "b"}}[name] | {"COMP_WORDS": "pbem admin b"}
    told = shell("pbem", tmp_path, environ | asked | {"_PBEM_COMPLETE": f"{name}_complete"})
    assert {"boards", "broadcast"} <= set(re.findall(r"\w+", told))
    assert "maintenance" not in told
