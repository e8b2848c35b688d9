"""The mails themselves: threads, who may answer what, and bytes that survive every mail program."""

from __future__ import annotations

import html
import re
from collections import defaultdict
from email.utils import getaddresses
from urllib.parse import parse_qs, unquote

import pytest

from tests.conversations.playing import MailBoard, begin, seat
from tests.support.mail import Mail, Person
from tests.support.server import GameServer

CLIENTS_PATTERN = re.compile(r"(New\s+)?(\S+)\s+Board\s+(\S+)")
"""The pattern by which programs written for pbmserv find game and board."""

_OUR_ID = re.compile(r"<[gmq][0-9][^>]*@localhost>|<m\.[^>]*@localhost>")
_SIGNED = re.compile(r"pbem\+[a-z2-7]{37}@localhost")


class Correspondence:
    """One of every kind of mail, by kind."""

    def __init__(self, server: GameServer) -> None:
        self.server = server
        self.mails: dict[str, Mail] = {}
        self.alice, self.bob = self._player("alice"), self._player("bob")
        self.table = seat(server, self.alice, self.bob)
        self.mails |= {"new board": self.table.one_mail, "new board, other": self.table.other_mail}
        self.table.play("b3", "c4,k5")
        self.mails |= {"board": self.table.one_mail, "board, other": self.table.other_mail}
        self._ask("refusal at the board", f"move {self.table.number} alice tops3cret zz9")
        self._ask("question", f"resign {self.table.number}")
        self._ask("refusal", "frobnicate")
        self._ask("refused challenge", "superbo challenge zorro")
        for line in ("help", "help superbo", "list", "games", f"show {self.table.number}"):
            self._ask(line, line)
        self._ask("many", "multiple", f"list\nshow {self.table.number}\nzorro")
        self.bob.answers(self.table.other_mail, "resign")
        self.mails["resignation announced"] = self.bob.hears()
        second = seat(server, self.alice, self.bob)
        self._ask("many boards", "show alice")
        second.one.answers(second.one_mail, "resign")
        second.hear()
        self.mails |= {"declined": second.one_mail, "declined, other": second.other_mail}
        self.table.one.answers(self.table.one_mail, "g2,h7\n\nSee you!")
        self.table.hear()
        self.mails |= {"end": self.table.one_mail, "end, other": self.table.other_mail}

    def _player(self, userid: str) -> Person:
        person = self.server.person(userid)
        person.says(f"signup {userid} tops3cret")
        self.mails[f"signup of {userid}"] = person.hears()
        person.answers(self.mails[f"signup of {userid}"], "yes")
        self.mails[f"welcome of {userid}"] = person.hears()
        return person

    def _ask(self, kind: str, line: str, body: str = "") -> None:
        self.alice.says(line, body)
        self.mails[kind] = self.alice.hears()

    def of_board(self) -> dict[str, Mail]:
        """The mails about a board."""
        return {kind: mail for kind, mail in self.mails.items() if mail.parsed["List-Id"]}


@pytest.fixture(scope="module")
def correspondence(shared: GameServer) -> Correspondence:
    return Correspondence(shared)


def test_every_mail_says_that_a_machine_wrote_it(correspondence: Correspondence) -> None:
    for kind, mail in correspondence.mails.items():
        assert mail.parsed["Auto-Submitted"] in ("auto-replied", "auto-generated"), kind
        assert mail.parsed["X-Auto-Response-Suppress"] == "All", kind
    kinds = {kind: str(mail.parsed["Auto-Submitted"]) for kind, mail in correspondence.mails.items()}
    assert kinds["help"] == "auto-replied"
    assert kinds["new board, other"] == "auto-generated"


def test_every_mail_has_each_header_once_and_one_recipient(correspondence: Correspondence) -> None:
    for kind, mail in correspondence.mails.items():
        names = [name.lower() for name in mail.parsed.keys()]  # noqa: SIM118 - a message is no dict: this has doubles
        assert len(names) == len(set(names)), kind
        assert {"from", "to", "subject", "date", "message-id", "mime-version", "content-type"} <= set(names), kind
        assert [address for _, address in getaddresses([str(mail.parsed["To"])])] == [mail.recipient], kind
        assert not {"cc", "bcc"} & set(names), kind
        assert str(mail.parsed["From"]) == "pbem <pbem@localhost>", kind


def test_every_message_id_is_ours_and_differs(correspondence: Correspondence) -> None:
    ids = [str(mail.parsed["Message-ID"]) for mail in correspondence.mails.values()]
    assert len(set(ids)) == len(ids)
    assert all(_OUR_ID.fullmatch(each) for each in ids)


def test_refusals_and_questions_leave_with_the_null_sender(correspondence: Correspondence) -> None:
    nobody = {kind for kind, mail in correspondence.mails.items() if mail.envelope_sender in ("", "<>")}
    assert nobody == {
        "signup of alice",
        "signup of bob",
        "refusal at the board",
        "refusal",
        "refused challenge",
        "question",
    }


def test_no_html_says_again_whose_move_it_is_below_the_heading_that_says_so(correspondence: Correspondence) -> None:
    headed = {
        kind: html.unescape(mail.html) for kind, mail in correspondence.mails.items() if "Summary of " in mail.text
    }
    headed = {kind: shown for kind, shown in headed.items() if re.search("<h1[^>]*>(Your move against|It's )", shown)}
    assert {"board", "refusal at the board", "resignation announced"} <= set(headed)
    for kind, shown in headed.items():
        assert not re.search(r">(Your move, \w+|It's \w+'s move)\.", shown), kind


def test_mails_with_a_board_have_html_and_a_picture_beside_their_text(correspondence: Correspondence) -> None:
    with_board = {kind for kind, mail in correspondence.mails.items() if mail.html}
    assert with_board == {
        *(kind for kind in correspondence.of_board() if not kind.startswith("declined")),
        "many",
        "many boards",
    }
    for kind, mail in correspondence.mails.items():
        types = [part.get_content_type() for part in mail.parsed.walk()]
        if kind not in with_board:
            assert types == ["text/plain"], kind
            continue
        page = ["multipart/related", "text/html"]
        assert types[:4] == ["multipart/alternative", "text/plain", *page], kind
        pictures = types[4:]
        assert pictures == ["image/png"] * len(pictures), kind
        shown = re.findall('<img src="cid:([^"]+)"', mail.html)
        sent = [str(part["Content-ID"]) for part in mail.parsed.walk() if part["Content-ID"]]
        assert pictures, kind
        assert [f"<{cid}>" for cid in dict.fromkeys(shown)] == sent, kind


def test_who_is_to_move_finds_a_link_for_every_space(correspondence: Correspondence) -> None:
    for kind, mail in correspondence.mails.items():
        links = re.findall('href="mailto:([^"]+)"', mail.html)
        links = [link for link in links if not re.search("subject=(?:help|analyse)|body=again$", link)]
        assert bool(links) == ("Your move, " in mail.words and kind not in ("many", "many boards")), kind
        for link in links:
            address, _, fields = html.unescape(link).partition("?")
            assert unquote(address) == mail.reply_to, kind
            for label in re.findall("[A-Z]+", parse_qs(fields)["body"][0]):
                assert re.search(rf"\b{label}  ", mail.text), kind


def test_a_letter_that_a_link_has_begun_is_a_move(shared: GameServer) -> None:
    table: MailBoard = begin(shared, "linus", "lena")
    link = re.findall('href="mailto:([^"]+)"', table.one_mail.html)[0]
    address, _, fields = html.unescape(link).partition("?")
    begun = parse_qs(fields)
    table.one.says(begun["subject"][0], begun["body"][0], to=unquote(address))
    table.hear()
    assert table.other_mail.subject.endswith(" lena")
    assert f"1. {begun['body'][0]}" in table.other_mail.text


def test_every_mail_is_plain_ascii_that_nothing_on_its_way_alters(correspondence: Correspondence) -> None:
    for kind, mail in correspondence.mails.items():
        assert mail.raw.isascii(), kind
        for part in mail.parsed.walk():
            if part.get_content_maintype() == "text":
                assert part["Content-Transfer-Encoding"] == "7bit", kind
                assert "format" not in str(part["Content-Type"]).lower(), kind
        lines = mail.text.split("\n")
        assert not [line for line in lines if line != line.rstrip()], kind
        assert not [line for line in lines if line in ("--", "-- ") or line.startswith("From ")], kind
        assert not [line for line in lines if len(line) > 78], kind
        assert mail.text.endswith("\n"), kind
        assert not mail.text.endswith("\n\n"), kind
        assert "\n\n\n" not in mail.text, kind
        assert not [line for line in mail.raw.split(b"\r\n") if len(line) > 998 or b"\n" in line], kind


def test_references_are_never_folded_into_encoded_words(correspondence: Correspondence) -> None:
    for kind, mail in correspondence.mails.items():
        head = mail.raw.partition(b"\r\n\r\n")[0]
        for line in head.split(b"\r\n"):
            assert not re.match(rb"(References|In-Reply-To|Message-ID|Reply-To):.*=\?", line, re.IGNORECASE), kind


def test_programs_of_old_find_game_and_board_in_every_subject_of_a_board(correspondence: Correspondence) -> None:
    boards = correspondence.of_board()
    assert len(boards) >= 10
    for kind, mail in boards.items():
        found = CLIENTS_PATTERN.search(mail.subject)
        assert found is not None, kind
        assert found[2] == "superbo", kind
        assert f"board {found[3]} <{found[3]}.boards.localhost>" in str(mail.parsed["List-Id"]), kind
        assert (found[1] is not None) == kind.startswith("new board"), kind


def test_subjects_are_those_that_programs_read(correspondence: Correspondence) -> None:
    subjects = {kind: mail.subject for kind, mail in correspondence.mails.items()}
    n = correspondence.table.number
    expected = {
        "new board": f"New superbo Board {n} alice",
        "board": f"superbo Board {n} alice",
        "refusal at the board": f"superbo Board {n} Error",
        "refused challenge": "Invalid challenge",
        "games": "List of games",
        f"show {n}": f"superbo Board {n} alice",
        "resignation announced": f"superbo Board {n} alice",
        "end": f"superbo Board {n} **",
    }
    assert {kind: subjects[kind] for kind in expected if kind in subjects} == {
        kind: subject for kind, subject in expected.items() if kind in subjects
    }
    assert subjects["board"] == subjects["board, other"]


def test_each_reader_has_one_thread_for_each_board(correspondence: Correspondence) -> None:
    threads: dict[tuple[str, str], set[str]] = defaultdict(set)
    for mail in correspondence.of_board().values():
        name = "Message-ID" if mail.subject.startswith("New ") else "References"
        first = str(mail.parsed[name]).split()[0]
        threads[mail.recipient, str(mail.parsed["List-Id"])].add(first)
    assert len(threads) == 4
    assert all(len(roots) == 1 for roots in threads.values())
    assert len({root for roots in threads.values() for root in roots}) == 4


def test_the_thread_opens_with_the_new_board(correspondence: Correspondence) -> None:
    for suffix in ("", ", other"):
        opening, later = correspondence.mails[f"new board{suffix}"], correspondence.mails[f"board{suffix}"]
        root = str(opening.parsed["Message-ID"])
        assert str(later.parsed["References"]).split()[0] == root
        assert root not in str(opening.parsed["References"] or "")


def test_an_answer_refers_to_the_letter_that_it_answers(correspondence: Correspondence) -> None:
    for kind in ("help", "refusal", "question", "board", "end"):
        mail = correspondence.mails[kind]
        sent = correspondence.alice.sent if kind != "board" else correspondence.bob.sent
        answered = str(mail.parsed["In-Reply-To"])
        assert str(mail.parsed["References"]).split()[-1] == answered, kind
        if mail.parsed["Auto-Submitted"] == "auto-replied":
            assert answered in sent, kind


def test_nobody_learns_what_only_another_may_use(correspondence: Correspondence) -> None:
    """Addresses, signed reply addresses and Message-IDs of one player are in no mail to the other."""
    own: dict[str, set[str]] = defaultdict(set)
    for mail in correspondence.mails.values():
        own[mail.recipient] |= set(_SIGNED.findall(mail.raw.decode())) | set(_OUR_ID.findall(mail.raw.decode()))
    alice, bob = own[correspondence.alice.address], own[correspondence.bob.address]
    assert len(alice) > 10
    assert len(bob) > 5
    assert not alice & bob
    sent = {
        correspondence.alice.address: set(correspondence.alice.sent),
        correspondence.bob.address: set(correspondence.bob.sent),
    }
    for kind, mail in correspondence.mails.items():
        for address, letters in sent.items():
            if mail.recipient != address:
                assert address not in mail.raw.decode(), kind
                assert not [letter for letter in letters if letter in mail.raw.decode()], kind


def test_signed_addresses_stand_in_the_reply_to_and_in_the_link_to_unsubscribe_alone(
    correspondence: Correspondence,
) -> None:
    for kind, mail in correspondence.mails.items():
        signed = set(_SIGNED.findall(mail.raw.decode()))
        quietens = set(_SIGNED.findall(str(mail.parsed["List-Unsubscribe"] or "")))
        assert len(quietens) == (mail.parsed["List-Unsubscribe"] is not None), kind
        assert signed - quietens <= {mail.reply_to}, kind
        assert set(re.findall(r"pbem%2B[^@]+@localhost", mail.html)) <= {mail.reply_to.replace("+", "%2B")}, kind
        assert not _SIGNED.search(mail.text), kind
    for kind in ("new board", "board", "refusal at the board", "end", "question", "signup of bob"):
        assert _SIGNED.fullmatch(correspondence.mails[kind].reply_to), kind
        assert len(correspondence.mails[kind].reply_to.partition("@")[0]) <= 64, kind


def test_no_mail_repeats_a_password(correspondence: Correspondence) -> None:
    for kind, mail in correspondence.mails.items():
        assert "tops3cret" not in mail.raw.decode(), kind


def test_times_used_are_told_when_the_game_is_over(correspondence: Correspondence) -> None:
    assert re.search(r"\nTime used:  alice \d+ \w+.*, bob \d+ \w+", correspondence.mails["end"].text)
    assert "Time used" not in correspondence.mails["board"].text


def test_a_letter_without_message_id_is_answered_in_the_boards_thread(shared: GameServer) -> None:
    table: MailBoard = begin(shared, "walt", "wilma")
    root = str(table.one_mail.parsed["Message-ID"])
    table.one.mails(f"From: {table.one.address}\r\nSubject: move {table.number} walt secret b3\r\n\r\n".encode())
    table.hear()
    assert str(table.one_mail.parsed["References"]) == root


@pytest.mark.parametrize(
    "message_id", ["<" + "x" * 900 + "@example.org>", "no brackets", "<a b@example.org>", "<\u00fc@example.org>", "<>"]
)
def test_a_strange_message_id_breaks_no_answer(shared: GameServer, message_id: str) -> None:
    odd = shared.person("odd")
    odd.mails(f"From: {odd.address}\r\nSubject: help\r\nMessage-ID: {message_id}\r\n\r\n{message_id[:5]}".encode())
    answer = odd.hears()
    assert answer.subject == "pbem help"
    assert answer.raw.isascii()
    assert max(map(len, answer.raw.split(b"\r\n"))) < 998
