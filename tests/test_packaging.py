"""Installed from a wheel into an environment of its own, and spoken to by a mail client of somebody else's."""

from __future__ import annotations

import re
import shutil
import site
import sys
import sysconfig
import tomllib
import venv
from datetime import date
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.cli.running import serving
from tests.support.checkouts import CHECKOUT, copy_checkout, run
from tests.support.maildir import nth_mail
from tests.support.tools import require_tool

PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]
CHANGELOG = (CHECKOUT / "CHANGELOG.md").read_text()
RELEASE = re.compile(r"(?m)^## (\d+)\.(\d+)\.(\d+) \N{EM DASH} (\d{4}-\d\d-\d\d)$")


def test_the_version_is_that_of_the_newest_release_in_the_changelog() -> None:
    found = RELEASE.search(CHANGELOG)
    assert found is not None
    assert PROJECT["version"] == ".".join(found.groups()[:3])


def test_releases_stand_in_the_changelog_from_the_newest_to_the_oldest_behind_what_is_unreleased() -> None:
    headings = re.findall("(?m)^## .*$", CHANGELOG)
    releases = [RELEASE.fullmatch(each) for each in headings if each != "## Unreleased"]
    assert all(releases)
    assert "## Unreleased" not in headings[1:]
    order = [(*map(int, each.groups()[:3]), date.fromisoformat(each[4])) for each in releases if each]
    assert order == sorted(order, reverse=True)


def test_the_minor_versions_of_python_are_named_that_make_looks_for() -> None:
    named = [each.rpartition(" ")[2] for each in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", each)]
    (made,) = re.findall(r"(?m)^PYTHON \?= (.*)$", (CHECKOUT / "Makefile").read_text())
    assert sorted(re.findall(r"python(3\.\d+)", made)) == named
    assert PROJECT["requires-python"] == f">={named[0]}"
    assert sum(each.startswith("Development Status :: ") for each in PROJECT["classifiers"]) == 1


def test_project_urls_name_pages_of_the_checkout() -> None:
    urls = {name: urlsplit(url) for name, url in PROJECT["urls"].items()}
    assert {"Homepage", "Documentation", "Changelog", "Issues"} <= urls.keys()
    assert len({each.netloc for each in urls.values()}) == 1
    for path in (urls["Documentation"].path, urls["Changelog"].path):
        assert any((CHECKOUT / path.split("/", n)[-1]).is_file() for n in range(1, path.count("/") + 1))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment in which nothing but pbem is installed; its dependencies are those of the tests."""
    source, environment = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("environment")
    copy_checkout(source)
    venv.create(environment, with_pip=False, symlinks=True)
    (packages,) = environment.glob("lib/python*/site-packages")
    ours = dict.fromkeys([sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), *site.getsitepackages()])
    (packages / "dependencies-of-the-tests.pth").write_text("\n".join(ours) + "\n")
    pip: list[str | Path] = [sys.executable, "-m", "pip", "--python", environment / "bin" / "python", "install"]
    offline = ["--no-index", "--no-deps", "--no-build-isolation", "--ignore-installed", "--disable-pip-version-check"]
    run(*pip, *offline, ".", folder=source)
    shutil.rmtree(source)
    return environment


def files_below(folder: Path) -> set[str]:
    return {
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.mark.parametrize("name", ["templates", "migrations"])
def test_the_wheel_carries_what_is_not_python(installed: Path, name: str) -> None:
    (carried,) = installed.glob(f"lib/python*/site-packages/pbem/{name}")
    assert files_below(carried) == files_below(CHECKOUT / name)


def test_the_wheel_carries_no_tests_and_the_mark_of_types(installed: Path) -> None:
    (packages,) = installed.glob("lib/python*/site-packages")
    assert (packages / "pbem" / "py.typed").is_file()
    assert not (packages / "tests").exists()


def test_what_is_imported_lies_in_the_environment(installed: Path, tmp_path: Path) -> None:
    where = run(installed / "bin" / "python", "-c", "import pbem; print(pbem.__file__)", folder=tmp_path)
    assert Path(where.strip()).is_relative_to(installed)
    games = "from pbem.bootstrap import find_games; print(*find_games())"
    assert "superbo" in run(installed / "bin" / "python", "-c", games, folder=tmp_path).split()


def test_its_command_knows_its_version(installed: Path, tmp_path: Path) -> None:
    assert PROJECT["version"] in run(installed / "bin" / "pbem", "--version", folder=tmp_path)


def test_it_serves_in_an_empty_folder_and_answers_into_its_maildir(installed: Path, tmp_path: Path) -> None:
    python = installed / "bin" / "python"
    with serving(tmp_path, python=str(python)) as server:
        letter = "import smtplib,sys; smtplib.SMTP(*sys.argv[1].split(':')).sendmail(*sys.argv[2:])"
        words = ["alice@example.org", "pbem@localhost", "From: alice@example.org\r\nSubject: help\r\n\r\n"]
        run(python, "-c", letter, server.address_of("smtp"), *words, folder=tmp_path)
        answer = nth_mail(tmp_path / "mail", 1)
        assert (answer["To"], answer["Subject"]) == ("alice@example.org", "pbem help")
    assert {path.name for path in tmp_path.iterdir()} >= {"pbem.db", "pbem.db.key", "mail"}


def test_swaks_signs_somebody_up(tmp_path: Path) -> None:
    swaks = require_tool("swaks")
    with serving(tmp_path) as server:

        def mail(recipient: str, subject: str, body: str) -> None:
            letter = [
                "--from",
                "alice@example.org",
                "--to",
                recipient,
                "--h-Subject",
                subject,
                "--body",
                body,
                "--helo",
                "test",
            ]
            run(swaks, "--server", server.address_of("smtp"), *letter, folder=tmp_path)

        mail("pbem@localhost", "signup alice secret", "Hello!")
        question = nth_mail(tmp_path / "mail", 1)
        assert question["Subject"] == "Please confirm your pbem account alice"
        mail(question["Reply-To"].addresses[0].addr_spec, f"Re: {question['Subject']}", "yes")
        assert nth_mail(tmp_path / "mail", 2)["Subject"] == "Welcome to pbem, alice"
