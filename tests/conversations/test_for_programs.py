"""What programs written for the old server read of our mails: Subjects and first lines, kept as golden files."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conversations.playing import begin
from tests.support.server import running_server

if TYPE_CHECKING:
    from tests.support.mail import Mail

GOLDEN = Path(__file__).parent / "for_programs"
OF_OLD_CLIENTS = re.compile(r"(New\s+)?(\S+)\s+Board\s+(\S+)")
"""The pattern by which existing clients find game and board."""
_MOMENT = re.compile(r"\w{3} \d+ \w{3} \d{4}, \d\d:\d\d UTC")
_NOT_OF_BOARDS = ("chat", "game_error", "invalid_challenge", "standings", "list", "list_of_games")


@pytest.fixture(scope="module")
def mails(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Mail]:
    """One of each kind, by the name of its golden file."""
    with running_server(tmp_path_factory.mktemp("server"), timedelta(0), clock_seconds="1") as server:
        table = begin(server, "ann", "ben")
        one, other = table.one, table.other
        said = {"new_board_to_move": table.one_mail, "new_board_to_wait": table.other_mail}
        table.play("b3")
        said["board"] = table.other_mail
        other.answers(table.other_mail, "c4,k5\n\nGood luck!")
        table.hear()
        said["board_with_comment"] = table.one_mail
        one.says(f"superbo move {table.number} ann secret a1,q1")
        said["board_error"] = one.hears()
        one.says(f"superbo chat {table.number} ann secret", "Hello!")
        one.hears()
        said["chat"] = other.hears()
        server.passes(timedelta(days=7, hours=1))
        said["nag"] = one.hears()
        one.says(f"superbo propose {table.number} ann secret")
        table.hear()
        said["draw_offered"] = table.other_mail
        other.answers(table.other_mail, "reject")
        table.hear()
        said["draw_refused"] = table.one_mail
        one.says(f"superbo resign {table.number} ann secret")
        table.hear()
        said["won"] = table.other_mail
        one.says("superbo challenge --unrated ann ben")
        table.hear()
        table.number = table.one_mail.subject.split()[3]
        table.play("b3", "c4,k5")
        one.answers(table.one_mail, "propose")
        table.hear()
        other.answers(table.other_mail, "accept")
        table.hear()
        said["tie_unrated"] = table.one_mail
        one.says("superbo challenge ann ben")
        table.hear()
        other.answers(table.other_mail, "resign")
        table.hear()
        said["declined"] = table.one_mail
        for name, line in (
            ("game_error", "superbo jump 101"),
            ("invalid_challenge", "superbo challenge nobody nobody2"),
            ("standings", "superbo standings"),
            ("list", "superbo list"),
            ("list_of_games", "superbo games"),
        ):
            one.says(line)
            said[name] = one.hears()
        return said


def head_of(mail: Mail) -> str:
    """The Subject, and the lines before the first drawing or table of players."""
    lines = mail.text.splitlines()
    until = next((number for number, line in enumerate(lines) if number and line.startswith("  ")), len(lines))
    head = "\n".join(lines[:until]).rstrip()
    if _MOMENT.search(" ".join(lines)):
        head = _MOMENT.sub("<moment>", " ".join(head.split()))  # where the lines break depends on the day
    return f"Subject: {mail.subject}\n{head}\n"


def test_there_is_a_golden_file_for_each(mails: dict[str, Mail]) -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(mails)


@pytest.mark.parametrize("name", sorted(path.stem for path in GOLDEN.glob("*.txt")))
def test_subject_and_first_lines_stay_as_they_are(name: str, mails: dict[str, Mail]) -> None:
    assert head_of(mails[name]) == (GOLDEN / f"{name}.txt").read_text()


def test_old_clients_find_game_and_board_in_every_mail_of_a_board(mails: dict[str, Mail]) -> None:
    for name, mail in mails.items():
        found = OF_OLD_CLIENTS.search(mail.subject)
        if name in _NOT_OF_BOARDS:
            assert found is None, mail.subject
        else:
            assert found is not None, mail.subject
            assert found[2] == "superbo"
            assert found[3] in mail.text
            assert (found[1] is not None) == name.startswith("new_board")
