"""The version that was released last, from the history of this checkout, as a server that can be upgraded."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
from functools import partial
from pathlib import Path

import pytest

from tests.support.forked import Forked
from tests.support.server import RunningServer
from tests.support.tools import require_tool

_CHECKOUT = Path(__file__).parents[2]


def previous_sources(folder: Path) -> Path:
    """Unpack the sources of the commit that last changed the version into a folder; without history the test skips."""
    git = require_tool("git")
    if not (_CHECKOUT / ".git").exists():
        pytest.skip("this is no checkout of git, so the previous version is not here")
    run = partial(subprocess.run, cwd=_CHECKOUT, capture_output=True, text=True, check=True)
    if run([git, "rev-parse", "--is-shallow-repository"]).stdout.strip() == "true":
        pytest.skip("the history is shallow, so the previous version may not be in it")
    commit = run([git, "log", "-1", "--format=%H", "-G^version = ", "--", "pyproject.toml"]).stdout.strip()
    archive = folder / "sources.tar"
    run(
        [
            git,
            "archive",
            "--output",
            str(archive),
            commit,
            "pbem",
            "templates",
            "migrations",
            "deploy",
            "pyproject.toml",
        ]
    )
    with tarfile.open(archive) as packed:
        packed.extractall(folder / "sources", filter="data")
    _tell_its_games(folder / "sources")
    return folder / "sources"


def _tell_its_games(sources: Path) -> None:
    """Put the entry points of a version beside it, as if it were installed: the present ones may be others."""
    project = tomllib.loads((sources / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    told = sources / f"pbem-{project['version']}.dist-info"
    told.mkdir()
    (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: pbem\nVersion: {project['version']}\n")
    games = project["entry-points"]["pbem.games"].items()
    lines = ["[pbem.games]", *(f"{name} = {where}" for name, where in games)]
    (told / "entry_points.txt").write_text("\n".join(lines) + "\n")


class UpgradableServer(RunningServer):
    """A server of the previous version until it is upgraded.

    Args:
        sources: of the previous version.
    """

    def __init__(self, sources: Path, /, *given: object, **settings: str) -> None:
        super().__init__(*given, **settings)  # type: ignore[arg-type]
        self._sources: Path | None = sources

    def upgrade(self) -> None:
        """Stop it if it still runs, and start this version in its place."""
        if self.is_running:
            assert self.stop() == 0
        self._sources = None
        self.start()

    def _launch(self, environ: dict[str, str]) -> Forked | subprocess.Popen[str]:
        if self._sources is None:
            return super()._launch(environ)
        explained = (self._sources / "deploy" / "pbem.example.toml").read_text(encoding="utf-8")
        known = {f"PBEM_{name.upper()}" for name in re.findall(r"(?m)^#(\w+) = ", explained)}
        given = {name: value for name, value in environ.items() if not name.startswith("PBEM_") or name in known}
        paths = (str(self._sources), environ.get("PYTHONPATH"))
        return subprocess.Popen(
            [sys.executable, "-u", "-m", "pbem", *self._words],
            cwd=self.folder,
            env=given | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
