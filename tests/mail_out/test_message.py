"""A notice → the final bytes of its mails."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.domain.letters import OutgoingMail
from pbem.domain.mails import Attachment, Notice
from pbem.domain.players import Player
from pbem.domain.preferences import Preferences
from pbem.domain.replies import STOPPABLE, BounceReply, QuietReply, StopReply, address_mark
from pbem.ids import BoardNumber
from tests.mail_out.notices import ALICE, BOARD_REPLY, HEADERS, NOW, SIGNER, board_notice, composer, plain_notice

PARTS = {
    "mail/shown.txt": "Subject: superbo Board 101\n{{ body }}\n{{ part('drawing') }}\n",
    "parts/drawing.txt": "a board",
    "parts/drawing.html": '<img src="cid:{{ script.cid("PNG".encode()) }}"> ({{ reply_to }})',
    "html/page.html": "{% for kind, piece in pieces %}{{ piece|safe if kind == 'part' else piece.text }}{% endfor %}",
}
NAMES = {
    "From",
    "To",
    "Subject",
    "Date",
    "Message-ID",
    "In-Reply-To",
    "References",
    "Reply-To",
    "List-Id",
    "List-Unsubscribe",
    "Auto-Submitted",
    "X-Auto-Response-Suppress",
    "Content-Type",
    "Content-Transfer-Encoding",
    "MIME-Version",
}


def mails(folder: Path, notice: Notice, letter: str | None = None) -> list[OutgoingMail]:
    return composer(folder).compose([notice], "7", NOW, letter)


def parsed(mail: OutgoingMail) -> EmailMessage:
    message = message_from_bytes(mail.raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    assert set(message.keys()) <= NAMES
    assert not message.defects
    return message


def text(mail: OutgoingMail) -> str:
    return str(parsed(mail).get_content()).replace("\r\n", "\n")


def test_every_confirmed_address_gets_a_mail_of_its_own(tmp_path: Path) -> None:
    first, second = mails(tmp_path, board_notice())
    assert [first.recipient, second.recipient] == ["alice@example.org", "alice@example.net"]
    assert [first.key, second.key] == ["7-1", "7-2"]
    assert (first.player, first.board, first.name) == (ALICE.id, 101, "said")
    assert first.subject == "superbo Board 101 alice"
    assert b"example.net" not in first.raw
    assert b"example.org" not in second.raw


def test_a_board_mail_carries_thread_list_reply_address_and_marks(tmp_path: Path) -> None:
    message = parsed(mails(tmp_path, board_notice())[0])
    (root,) = HEADERS.references(board_notice(), "alice@example.org", None)
    assert message["From"] == "pbem <pbem@localhost>"
    assert message["Subject"] == "superbo Board 101 alice"
    assert message["In-Reply-To"] == message["References"] == root
    assert message["Reply-To"] == f"pbem <{HEADERS.reply_to(BOARD_REPLY)}>"
    assert message["List-Id"] == "superbo board 101 <101.boards.localhost>"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "All"
    assert message["Date"] == "Fri, 01 May 2026 12:00:00 +0000"


def test_an_answer_says_that_it_is_one(tmp_path: Path) -> None:
    message = parsed(mails(tmp_path, plain_notice(), "<1@example.org>")[0])
    assert message["Auto-Submitted"] == "auto-replied"
    assert message["In-Reply-To"] == "<1@example.org>"
    assert message["Reply-To"] is None
    assert message["List-Id"] is None


def test_what_comes_back_says_whose_mail_it_was_and_from_which_address(tmp_path: Path) -> None:
    for mail in mails(tmp_path, board_notice()):
        local, _, domain = mail.sender.partition("@")
        assert (domain, len(local) <= 64) == ("localhost", True)
        reply = SIGNER.read(local.removeprefix("pbem+"), NOW)
        assert reply == BounceReply(ALICE.id, address_mark(mail.recipient), date(2026, 7, 30))


@pytest.mark.parametrize(("to", "from_nobody"), [("bob@example.org", True), ("bob@example.org", False), (ALICE, True)])
def test_refusals_and_all_to_strangers_have_the_null_sender(
    tmp_path: Path, to: Player | str, from_nobody: bool
) -> None:
    notice = Notice("said", to, {"subject": "x", "body": "y"}, from_nobody=from_nobody)
    assert {mail.sender for mail in mails(tmp_path, notice)} == {""}


def test_a_suppressed_address_gets_nothing_and_one_that_is_named_all(tmp_path: Path) -> None:
    org, new, net = ALICE.addresses
    partly = replace(ALICE, addresses=(replace(org, suppressed_at=NOW), new, net))
    assert [mail.recipient for mail in mails(tmp_path, replace(board_notice(), to=partly))] == [net.address]
    named = replace(board_notice(), to=partly, at=org.address)
    assert [mail.recipient for mail in mails(tmp_path, named)] == [org.address]


@pytest.mark.parametrize("stopped", [False, True])
def test_a_mail_of_a_board_that_reaches_nobody_is_noted_without_bytes(tmp_path: Path, stopped: bool) -> None:
    gone = tuple(replace(each, suppressed_at=None if stopped else NOW) for each in ALICE.addresses)
    unreachable = replace(ALICE, addresses=gone, mail_stopped=stopped)
    (mail,) = mails(tmp_path, replace(board_notice(), to=unreachable))
    assert (mail.recipient, mail.raw, mail.sender, mail.player, mail.board) == ("", b"", "", ALICE.id, 101)
    assert mail.subject == "superbo Board 101 alice"
    assert mails(tmp_path, plain_notice(to=unreachable)) == []


def test_a_board_mail_of_a_player_leads_to_less_of_them(tmp_path: Path) -> None:
    header = str(parsed(mails(tmp_path, board_notice())[0])["List-Unsubscribe"])
    found = re.fullmatch(r"<mailto:pbem\+([a-z2-7]{37})@localhost\?subject=unsubscribe>", header)
    assert found
    assert SIGNER.read(found[1], NOW) == QuietReply(ALICE.id, BoardNumber(101), date(2026, 7, 30))
    for other in (plain_notice(), replace(board_notice(), reply=None)):
        assert parsed(mails(tmp_path, other)[0])["List-Unsubscribe"] is None


@pytest.mark.parametrize("preference", STOPPABLE)
def test_a_mail_of_a_kind_that_its_reader_can_stop_leads_to_none_of_them(tmp_path: Path, preference: str) -> None:
    notice = replace(plain_notice(to=ALICE), stopped_by=preference)
    for mail in mails(tmp_path, notice):
        header = str(parsed(mail)["List-Unsubscribe"])
        found = re.fullmatch(r"<mailto:pbem\+([a-z2-7]{37})@localhost\?subject=unsubscribe>", header)
        assert found
        assert SIGNER.read(found[1], NOW) == StopReply(ALICE.id, preference, date(2026, 7, 30))
    (to_stranger,) = mails(tmp_path, replace(notice, to="bob@example.org"))
    assert parsed(to_stranger)["List-Unsubscribe"] is None


@pytest.mark.parametrize("opens", [False, True])
def test_a_copy_is_the_same_mail_under_a_message_id_of_its_own_in_the_thread(tmp_path: Path, opens: bool) -> None:
    first = mails(tmp_path, board_notice(0, opens=opens))[0]
    again = replace(board_notice(0, answers=True), name="resend", at=first.recipient, copy_of=first.raw)
    later = NOW + timedelta(hours=1)
    (copy,) = composer(tmp_path).compose([again], "8", later, "<letter@example.org>")
    one, other = parsed(first), parsed(copy)
    assert (copy.recipient, copy.subject, copy.name) == (first.recipient, first.subject, "resend")
    assert copy.raw.partition(b"\r\n\r\n")[2] == first.raw.partition(b"\r\n\r\n")[2]
    assert other["Message-ID"] == copy.message_id != first.message_id
    (root,) = HEADERS.references(board_notice(0), first.recipient, None)
    assert other["References"] == other["In-Reply-To"] == root
    assert other["Date"] == "Fri, 01 May 2026 13:00:00 +0000"
    changed = {"Message-ID", "Date", "References", "In-Reply-To"}
    assert {name: one[name] for name in one if name not in changed} == {
        name: other[name] for name in other if name not in changed
    }


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        ("It is your turn.", "7bit"),
        (f"  {'x' * 996}", "7bit"),
        ("Gr\u00fc\u00dfe", "quoted-printable"),
        (f"  {'x' * 997}", "quoted-printable"),
        ("\U0001f600", "quoted-printable"),
    ],
)
def test_ascii_goes_as_it_is_and_all_else_quoted_printable(tmp_path: Path, body: str, encoding: str) -> None:
    (mail,) = mails(tmp_path, plain_notice(body))
    assert parsed(mail)["Content-Transfer-Encoding"] == encoding
    assert mail.raw.isascii()
    assert text(mail) == f"{body}\n"
    if encoding == "quoted-printable":
        assert max(map(len, mail.raw.partition(b"\r\n\r\n")[2].split(b"\r\n"))) <= 76  # RFC 2045 s 6.7


def test_the_lines_of_a_board_are_not_mangled(tmp_path: Path) -> None:
    body = "first\n\n  \\__/  .\n.\n..x\n=20=\n>From\n " + "-" * 200 + "\n\ttab\n__/  \\"
    (mail,) = mails(tmp_path, plain_notice(body))
    assert text(mail) == body + "\n"
    assert mail.raw.endswith(body.replace("\n", "\r\n").encode() + b"\r\n")


def test_no_line_is_a_signature_mark_ends_in_a_blank_or_begins_with_from(tmp_path: Path) -> None:
    (mail,) = mails(tmp_path, plain_notice("a \n-- \n--\nFrom here\nz\n\n\n\nend"))
    assert text(mail) == "a\n --\n --\n From here\nz\n\nend\n"


def test_long_references_are_neither_folded_nor_encoded(tmp_path: Path) -> None:
    letter = "<" + "a" * 185 + "@example.org>"
    (mail, _) = mails(tmp_path, board_notice(answers=True), letter)
    (root, _) = HEADERS.references(board_notice(answers=True), "alice@example.org", letter)
    assert f"\r\nReferences: {root} {letter}\r\n".encode() in mail.raw
    assert f"\r\nIn-Reply-To: {letter}\r\n".encode() in mail.raw


def board_mail(tmp_path: Path, body: str = "It is alice's turn.", **preferences: str) -> OutgoingMail:
    """A mail with a part that shows a picture, in the folder's own templates."""
    composer(tmp_path)
    for name, words in PARTS.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(words)
    notice = replace(board_notice(), name="shown", to=replace(ALICE, preferences=Preferences(**preferences)))
    return mails(tmp_path, replace(notice, facts={"body": body}))[0]


def kinds(mail: OutgoingMail) -> list[str]:
    return [part.get_content_type() for part in parsed(mail).walk()]


def test_html_stands_beside_the_text_with_its_picture_related(tmp_path: Path) -> None:
    mail = board_mail(tmp_path)
    assert kinds(mail) == ["multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png"]
    text, page, picture = (part for part in parsed(mail).walk() if not part.is_multipart())
    assert text.get_content() == "It is alice's turn.\r\na board\r\n"
    assert f"cid:{str(picture['Content-ID']).strip('<>')}" in page.get_content()
    assert picture.get_content() == b"PNG"
    assert list(parsed(mail).walk())[2].get_param("type") == "text/html"
    assert picture["Content-Disposition"] == "inline"
    assert [part["MIME-Version"] for part in parsed(mail).walk()] == ["1.0", None, None, None, None]


def test_a_mail_has_the_same_bytes_whenever_it_is_made(tmp_path: Path) -> None:
    assert board_mail(tmp_path).raw == board_mail(tmp_path).raw


@pytest.mark.parametrize("body", ["Hello.", "Gr\u00fc\u00dfe \u4e16\u754c", "x" * 1200, "a\rb", ""])
@pytest.mark.parametrize("files", [(), (Attachment("b\u00fc 1.json", "a/b", b"x" * 1000), Attachment("a", "a/b", b""))])
@pytest.mark.parametrize("mail", ["text", "html", "both"])
def test_email_would_write_the_same_mail(tmp_path: Path, body: str, files: tuple[Attachment, ...], mail: str) -> None:
    board_mail(tmp_path)
    to = replace(ALICE, preferences=Preferences(mail=mail))
    notice = replace(board_notice(), name="shown", to=to, facts={"body": body}, attachments=files)
    for raw in (each.raw for each in mails(tmp_path, notice)):
        judge = message_from_bytes(raw, policy=policy.SMTP.clone(max_line_length=998))
        assert judge.as_bytes() == raw
        assert not [part.defects for part in judge.walk() if part.defects]


def test_a_reader_may_want_text_alone_or_html_alone(tmp_path: Path) -> None:
    assert kinds(board_mail(tmp_path, mail="text")) == ["text/plain"]
    assert kinds(board_mail(tmp_path, mail="html")) == ["multipart/related", "text/html", "image/png"]


def test_html_is_ascii_with_no_line_that_mail_programs_would_misread(tmp_path: Path) -> None:
    body = "Gr\u00fc\u00dfe <b> &\n-- \nFrom here"
    _, page, _ = (part for part in parsed(board_mail(tmp_path, body)).walk() if not part.is_multipart())
    assert page["Content-Transfer-Encoding"] == "7bit"
    assert "Gr&#252;&#223;e &lt;b&gt; &amp;" in page.get_content()
    assert not [line for line in page.get_content().splitlines() if line in ("--", "-- ") or line.startswith("From ")]


def test_links_lead_to_the_address_that_proves_its_reader(tmp_path: Path) -> None:
    _, page, _ = (part for part in parsed(board_mail(tmp_path)).walk() if not part.is_multipart())
    assert f"({HEADERS.reply_to(BOARD_REPLY)})" in page.get_content()


def test_a_file_comes_beside_text_and_html(tmp_path: Path) -> None:
    board_mail(tmp_path)
    notice = replace(
        board_notice(), name="shown", facts={"body": "x"}, attachments=(Attachment("a.json", "a/b", b"{}"),)
    )
    assert kinds(mails(tmp_path, notice)[0])[:2] == ["multipart/mixed", "multipart/alternative"]


def test_a_file_comes_byte_for_byte_under_its_name(tmp_path: Path) -> None:
    content = '{"comment": "Gr\u00fc\u00dfe"}\n\n'.encode()
    notice = replace(plain_notice(), attachments=(Attachment("superbo-101.json", "application/json", content),))
    (mail,), again = mails(tmp_path, notice), mails(tmp_path, notice)
    assert [mail] == again
    (file,) = parsed(mail).iter_attachments()
    assert (file.get_filename(), file.get_content_type()) == ("superbo-101.json", "application/json")
    assert file.get_payload(decode=True) == content
    body = parsed(mail).get_body()
    assert body is not None
    assert body.get_content() == "Hello.\r\n"


@pytest.mark.parametrize(
    "words",
    [
        "=?utf-8?q?a=0D=0ABcc=3A_eve=40example.org=0D=0A=0D=0Abody?=",
        "x =?utf-8?b?DQpCY2M6IGV2ZUBleGFtcGxlLm9yZw==?=",
        "a\r\nBcc: eve@example.org",
        "a\rBcc: eve@example.org",
        "a\u2028Bcc: eve@example.org",
        "a\x0bBcc: eve@example.org\x85Bcc: x",
        "=" * 300 + "?utf-8?q?=0A?=",
        "=?" * 500,
        "x" * 5000,
    ],
)
def test_no_words_of_a_player_become_a_header(tmp_path: Path, words: str) -> None:
    for notice, letter in [
        (plain_notice(subject=words), None),
        (plain_notice(words), None),
        (plain_notice(), f"<{words}@example.org>"),
    ]:
        for mail in mails(tmp_path, notice, letter):
            message = parsed(mail)
            assert message["Bcc"] is None
            assert message["To"] == "bob@example.org"


@pytest.mark.parametrize(
    "address", ["", "x", "\u00e4@b", "=?utf-8?q?a=0Ab?=@b", "a@[", "a@b\r\nBcc: c@d", "a@b, c@d", "@"]
)
def test_to_an_address_that_cannot_be_written_goes_no_mail(tmp_path: Path, address: str) -> None:
    assert mails(tmp_path, plain_notice(to=address)) == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.text(max_size=60), st.text(max_size=200))
def test_any_words_make_a_mail_that_can_be_read_again(tmp_path: Path, subject: str, body: str) -> None:
    controls = dict.fromkeys([*range(32), *range(127, 160)], " ")

    def mailable(words: str) -> str:
        return words.encode("utf-8", "ignore").decode().translate(controls)

    (mail,) = mails(tmp_path, plain_notice(mailable(body), mailable(subject)))
    assert mail.raw.isascii()
    assert max(map(len, mail.raw.split(b"\r\n"))) <= 998
    assert b"\n" not in mail.raw.replace(b"\r\n", b"")
    message = message_from_bytes(mail.raw, policy=policy.default)
    assert set(message.keys()) <= NAMES


def test_a_decoy_is_worded_and_mailed_to_nobody(tmp_path: Path) -> None:
    mails = composer(tmp_path).compose([replace(plain_notice(), is_decoy=True), plain_notice()], "7", NOW)
    assert [mail.key for mail in mails] == ["7-1"]
