"""Letters that others have gathered; fetched into ``.cache/corpora``, never kept here.

``python -m tests.support.corpora`` fetches them: the letters that CPython tests its email
package with, from the tests of this Python if they are installed with it, else from
Debian's package of them; and the bounces of flufl.bounce, from its source distribution.
"""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path, PurePosixPath

from tests.support.tools import lacking

CORPORA = Path(__file__).parents[2] / ".cache/corpora"
_ENOUGH_SECONDS = 300


def letters_of(corpus: str) -> list[Path]:
    """The letters of a corpus; none if it was not fetched."""
    return sorted(CORPORA.glob(f"{corpus}/*.txt"))


def require_corpus(corpus: str) -> list[Path]:
    """The same, or the present test skips."""
    return letters_of(corpus) or lacking("the corpora", "make test-tools")


def expected_failures() -> list[tuple[str, set[str], bool]]:
    """The failures that flufl.bounce finds in its bounces: file, addresses, and True if the failure is temporary."""
    require_corpus("flufl.bounce")
    tree = ast.parse((CORPORA / "flufl.bounce/test_detectors.py").read_text())
    tables = (each.value for each in tree.body if isinstance(each, ast.Assign) and isinstance(each.value, ast.List))
    rows = (row for table in tables for row in ast.literal_eval(table))
    return [(name, {each.decode() for each in found}, temporary) for _, name, found, temporary in rows]


def _fetch_cpython(into: Path) -> None:
    own = Path(sysconfig.get_path("stdlib"), "test/test_email/data")
    if own.is_dir():
        _copy(own, into)
        return
    with tempfile.TemporaryDirectory() as folder:
        package = f"libpython3.{_minor_version_of_debian()}-testsuite"
        _run("apt-get", "download", "-qq", package, folder=folder)
        (archive,) = Path(folder).glob("*.deb")
        _run("dpkg", "-x", archive.name, "unpacked", folder=folder)
        (data,) = Path(folder).glob("unpacked/usr/lib/python3*/test/test_email/data")
        _copy(data, into)


def _minor_version_of_debian() -> str:
    said = _run("apt-cache", "depends", "python3-minimal", folder="/")
    return said.partition("python3.")[2].partition("-")[0]


def _fetch_bounces(into: Path) -> None:
    name = "flufl.bounce"
    with tempfile.TemporaryDirectory() as folder:
        pip = (sys.executable, "-m", "pip", "download", "-qq", "--no-binary", ":all:", "--no-deps")
        _run(*pip, f"{name}=={version(name)}", folder=folder)
        (archive,) = Path(folder).glob("*.tar.gz")
        with tarfile.open(archive) as source:
            for member in source.getmembers():
                path = PurePosixPath(member.name)
                content = source.extractfile(member) if member.isfile() else None
                if content is not None and path.match("*/tests/data/*.txt") | path.match("*/tests/test_detectors.py"):
                    (into / path.name).write_bytes(content.read())


def _copy(data: Path, into: Path) -> None:
    for letter in data.glob("*.txt"):
        shutil.copy(letter, into)


def _run(*command: str, folder: str) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=_ENOUGH_SECONDS,
    )
    return done.stdout


def _fetch(corpus: str, fetch: Callable[[Path], None]) -> None:
    """Fetch a corpus that is not there yet; it is there whole or not at all."""
    if letters_of(corpus):
        return
    CORPORA.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CORPORA) as folder:
        aside = Path(folder, corpus)
        aside.mkdir()
        fetch(aside)
        aside.rename(CORPORA / corpus)


def main() -> None:
    """Fetch what is not there yet, or say in a sentence what could not be had."""
    for corpus, fetch in {"cpython": _fetch_cpython, "flufl.bounce": _fetch_bounces}.items():
        try:
            _fetch(corpus, fetch)
        except (OSError, ValueError, subprocess.SubprocessError) as failed:
            sys.exit(f"The letters of {corpus} that some tests read could not be fetched ({type(failed).__name__}).")


if __name__ == "__main__":
    main()
