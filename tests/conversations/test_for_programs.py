"""The parts of our mails that programs for the old server read: Subjects and first lines, kept as golden files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conversations.one_of_each import one_of_each
from tests.support.mail import Mail

pytestmark = pytest.mark.timeout(300)  # the first of them waits for all conversations

GOLDEN = Path(__file__).parent / "for_programs"
TEMPLATES = Path(__file__).parents[2] / "templates" / "mail"
OF_OLD_CLIENTS = re.compile(r"(New\s+)?(\S+)\s+Board\s+(\S+)")
"""The pattern by which existing clients find game and board."""
_TIMES = (
    (re.compile(r"\w{3} \d+ \w{3} \d{4}, \d\d:\d\d UTC"), "<moment>"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d"), "<moment>"),
    (re.compile(r"\d{4}-\d\d-\d\d"), "<day>"),
)
_DRAWN = re.compile(r"It's (\S+)'s move\. (?:\S+) begins: that was drawn at random\.|Your move, (\S+)\. You begin: .*")
_NOT_OF_ONE_BOARD = {
    *("chat", "game_error", "invalid_challenge", "standings", "list", "list_of_games", "history", "limit", "seeks"),
    *(
        "preview_of_none",
        "show_several",
        "notify",
        "clocks_stand",
        "clocks_run",
        "tournament_round",
        "vacation",
        "vacation_ended",
    ),
}
_OWN_SUBJECT = {"chat", "confirm_command", "confirm_unheard"}
"""Templates about one board whose Subject is another: of chat the old server's; a question is about the letter."""


@pytest.fixture(scope="module")
def mails(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Mail]:
    """One of each kind, by the name of its golden file."""
    return one_of_each(tmp_path_factory.mktemp("servers"))


def head_of(mail: Mail) -> str:
    """The Subject, and the lines before the first that is indented: what is to be typed, a drawing or a table."""
    lines, subject = mail.text.splitlines(), mail.subject
    until = next((number for number, line in enumerate(lines) if number and line.startswith("  ")), len(lines))
    head = "\n".join(lines[:until]).rstrip()
    for sentence in _DRAWN.finditer(head):
        head = head.replace(sentence[0], "<who begins, drawn at random>")
        subject = subject.replace(sentence[1] or sentence[2], "<drawn>")
    told = head
    for moment, name in _TIMES:
        told = moment.sub(name, " ".join(told.split()))  # where the lines break depends on the day
    return f"Subject: {subject}\n{head if told == ' '.join(head.split()) else told}\n"


def test_there_is_a_golden_file_for_each(mails: dict[str, Mail]) -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(mails)


@pytest.mark.parametrize("name", sorted(path.stem for path in GOLDEN.glob("*.txt")))
def test_subject_and_first_lines_stay_as_they_are(name: str, mails: dict[str, Mail]) -> None:
    assert head_of(mails[name]) == (GOLDEN / f"{name}.txt").read_text()


def test_old_clients_find_game_and_board_in_every_mail_of_a_board(mails: dict[str, Mail]) -> None:
    for name, mail in mails.items():
        found = OF_OLD_CLIENTS.search(mail.subject)
        if name in _NOT_OF_ONE_BOARD:
            assert found is None, mail.subject
        else:
            assert found is not None, mail.subject
            assert found[2] in ("superbo", "mamba")
            assert found[3] in mail.text
            assert (found[1] is not None) == name.startswith("new_board")


def test_the_name_behind_the_board_is_who_must_act_or_decide(mails: dict[str, Mail]) -> None:
    for name, mail in mails.items():
        found = re.search(r"^(?:Your move, (\S+)\.|It's (\S+)'s move\.|(\S+) has to decide\.)", mail.text, re.MULTILINE)
        named = re.fullmatch(r"(?:New |Nag: )?\S+ Board \d+(?: (\S+))?(?: \*\*)?", mail.subject)
        if named is not None and named[1] not in ("Error", "Preview"):
            asked = mail.recipient.partition("@")[0] if "Please answer." in mail.words else None
            decides = mail.recipient.partition("@")[0] if "You have to decide." in mail.text else None
            assert named[1] == (asked or decides or (found and (found[1] or found[2] or found[3]))), name


def test_every_template_about_one_board_has_a_subject_that_old_clients_read() -> None:
    subjects = {path.stem: path.read_text() for path in TEMPLATES.glob("*.txt")}
    of_boards = {
        name: line
        for name, text in subjects.items()
        for line in text.splitlines()
        if line.startswith("Subject: ") and re.search(r"\bboard\b", line) and "boards|" not in line
    }
    assert set(of_boards) > _OWN_SUBJECT
    for name in set(of_boards) - _OWN_SUBJECT:
        assert re.search(r"(?:game\.name|board\.game) [^{]*\}\}.*Board ", of_boards[name]), name
