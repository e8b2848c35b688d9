"""Letters that answer a mail of ours: those of the folder `letters`, through the real readers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from time import time
from typing import Any, NamedTuple

import pytest

from pbem.domain.letters import Envelope
from pbem.domain.mails import Notice
from pbem.domain.players import Player
from pbem.domain.replies import Purpose, TopicReply
from pbem.mail_in.authentication import evidence_of
from pbem.mail_in.mime import read_letter_bytes
from pbem.usecases.answering import answer_letter
from tests.support.mail_programs import answer
from tests.support.parsing import parsed
from tests.support.stepped_server import SteppedServer

_FOLDER = Path(__file__).parent / "letters"
_BLOCK = re.compile(
    r"^\[(?P<program>\w+)\] (?P<position>\w+)\n(?P<words>.*?)\n?^=> (?P<becomes>[^\n]*)$", re.MULTILINE | re.DOTALL
)
_BOB = "bob@example.org"


class AnsweredLetter(NamedTuple):
    """One letter of a file."""

    program: str
    position: str
    words: str
    becomes: str


def _cases(name: str) -> list[AnsweredLetter]:
    text = re.sub(r"^# .*\n", "", (_FOLDER / name).read_text(), flags=re.MULTILINE)
    found = [AnsweredLetter(**match.groupdict()) for match in _BLOCK.finditer(text)]
    assert len(found) == len(re.findall(r"^=>", text, flags=re.MULTILINE)), "a block is malformed"
    return found


SUBJECTS = {
    "tiles": "Board 101 bob",
    "stranger": "Board 101 bob",
    "first": "Board 102",
    "steps": "Board 103",
    "choice": "Board 104",
    "chat": "superbo chat 101 alice",
    "message": "alice has written to you",
    "puzzle": "pbem puzzle",
    "digest": "Board 102",
}
FILES = ("english.txt", "german.txt", "french.txt", "other_mails.txt", "not_to_be_played.txt")
CASES = [pytest.param(case, id=f"{name}-{number}") for name in FILES for number, case in enumerate(_cases(name), 1)]


class AnsweringServer:
    """A server at which alice and bob play, and nothing of what bob answers is kept."""

    def __init__(self, folder: Path) -> None:
        self.stepped = SteppedServer(f"sqlite:///{folder / 'pbem.sqlite'}", folder)
        for userid in ("alice", "bob"):
            self._says(userid, f"signup {userid} secret")
        self._says("alice", "superbo challenge alice bob", "move 101 alice secret b3")
        self._says("bob", "superbo challenge bob alice", "mamba challenge -inorder bob alice")
        self._says("alice", "mamba challenge -inorder alice bob")
        for number, line in enumerate(("move f3-f5", "move d9-c8", "move d3-c2", "move d7-b7", "lay f5>f6")):
            userid = ("alice", "bob")[number % 2]
            self._says(userid, f"move 104 {userid} secret {line}")
        self.stepped.gets("chat 101 alice secret", "How are you?", sender="alice@example.org")
        self.stepped.gets("message alice secret bob", "How are you?", sender="alice@example.org")
        self._says("bob", "puzzle superbo")

    def _says(self, userid: str, *lines: str) -> None:
        for line in lines:
            self.stepped.gets(line, sender=f"{userid}@example.org")
            self.stepped.works()

    def _daily_mail(self) -> str:
        """The address for answers to bob's daily mail."""
        server, minutes = self.stepped.server, int(time()) // 60 + 1
        with server.unit_of_work() as uow:
            bob = uow.players.by_userid("bob")
        assert bob is not None
        reply = TopicReply(Purpose.DIGEST, bob.id, minutes, date.today() + timedelta(days=9))  # noqa: DTZ011
        return f"pbem+{server.parts.signer.sign(reply)}@localhost"

    def becomes(self, case: AnsweredLetter) -> str:
        said = SUBJECTS[case.position]
        mail = next(each for each in reversed(self.stepped.mails()) if each.recipient == _BOB and said in each.subject)
        message = parsed(mail.raw)
        text = message.get_body(("plain",))
        assert text is not None
        head = f"From: Bob <{_BOB}>\r\nTo: {message['Reply-To']}\r\n".encode()
        raw = head + answer(case.program, case.words, mail.subject, text.get_content().replace("\r\n", "\n"))
        to = "pbem@localhost" if case.position == "stranger" else str(message["Reply-To"]).split("<")[1].rstrip(">")
        to = self._daily_mail() if case.position == "digest" else to
        parts, now = self.stepped.server.parts, datetime.now(UTC) + timedelta(minutes=1)
        read = read_letter_bytes(raw, parts.ours)
        evidence = evidence_of(read, Envelope(_BOB, (to,)), parts.ours, parts.signer, now)
        with self.stepped.server.unit_of_work() as uow:
            notices = answer_letter(read.letter, parts.make_context(uow, now, evidence))
        return _told(notices)


def _told(notices: list[Notice]) -> str:
    """The fate of a letter, in the words of the files."""
    if notices and notices[0].name == "answers":
        parts: Any = notices[0].facts["parts"]
        return "; ".join(map(_told, parts))
    by_name: dict[str, Mapping[str, Any]] = {notice.name: notice.facts for notice in notices}
    if "confirm_command" in by_name:
        facts = by_name["confirm_command"]
        return f"offered {facts['offered']}" if facts["offered"] else f"asked {str(facts['line']).split(maxsplit=2)[2]}"
    error = next((facts["error"] for facts in by_name.values() if "error" in facts), None)
    if error is not None:
        return f"refused {type(error).__name__}"
    for words in ("chat", "message"):
        if words in by_name:
            return f"{words} {' / '.join(filter(None, by_name[words]['comment']['text'].split(chr(10))))}"
    if "puzzle_answered" in by_name:
        return "solved" if by_name["puzzle_answered"]["verdict"].is_right else "wrong"
    if "board" not in by_name:
        return f"did {', '.join(by_name)}"
    told: dict[str, Mapping[str, Any]] = {each.to.userid: each.facts for each in notices if isinstance(each.to, Player)}
    own, others = told["bob"], told.get("alice", {"comment": None})
    comment, move = others["comment"], own.get("read_as")
    if move is None:
        move = own["course"].inputs[-1].text.move
    said = " / ".join(filter(None, comment["text"].split("\n"))) if comment else ""
    return f"played {move}" + (f" | {said}" if said else "")


@pytest.fixture(scope="module")
def answering(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AnsweringServer]:
    answering = AnsweringServer(tmp_path_factory.mktemp("answering"))
    yield answering
    answering.stepped.server.close()


@pytest.mark.parametrize("case", CASES)
def test_what_became_of_a_letter(answering: AnsweringServer, case: AnsweredLetter) -> None:
    assert answering.becomes(case) == case.becomes


def test_the_files_have_letters_enough() -> None:
    natural, others = sum(len(_cases(name)) for name in FILES[:-1]), len(_cases(FILES[-1]))
    assert (natural >= 200, others >= 60) == (True, True), f"{natural} and {others}"
