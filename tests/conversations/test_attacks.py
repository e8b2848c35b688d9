"""Attacks: each gets the refusal that is due, and nothing happens."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from email.header import Header
from itertools import count

import pytest

from pbem.domain.players import ROBOTS, address_key
from pbem.domain.replies import BoardReply, BounceReply, ConfirmReply, QuietReply, Reply, Signer, address_mark
from pbem.ids import BoardNumber, ConfirmationId, PlayerId
from tests.conversations.playing import MailBoard, begin, played, seat
from tests.support.in_process import in_process_server
from tests.support.mail import Mail, Person
from tests.support.server import GameServer

KEY = "a key that only the server has"
SIGNER = Signer([KEY])
TODAY = datetime.now(UTC).date()
LATER = TODAY + timedelta(days=30)
MTA = "mx.example.org"
_MALLORIES = count(1)
ALICE, BOB = (PlayerId(len(ROBOTS) + number) for number in (1, 2))
"""The first players to sign up; the computer opponents are there already."""
FORGED = f"{MTA}; dmarc=pass header.from=example.org"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    with in_process_server(tmp_path_factory.mktemp("server"), secret_key=KEY, authserv_id=MTA) as server:
        yield server


@pytest.fixture(scope="module")
def players(server: GameServer) -> MailBoard:
    return begin(server, "alice", "bob")


@pytest.fixture
def table(server: GameServer, players: MailBoard) -> MailBoard:
    """A board of the test's own; alice is to move."""
    players.one.hears_nothing()  # what the test before has led to has come by now
    for each in (players.one, players.other):
        while server.postbox.unread_for(each.address):
            each.hears()
    return seat(server, players.one, players.other)


@pytest.fixture
def mallory(server: GameServer) -> Person:
    """Somebody new for each test, so that none reads what another was told."""
    return server.person(f"mallory{next(_MALLORIES)}")


def happened(server: GameServer) -> dict[str, list[tuple[object, ...]]]:
    """All that may not change, whoever is asked back."""
    return {name: rows for name, rows in played(server).items() if name != "confirmations"}


def to(reply: Reply, signer: Signer = SIGNER) -> str:
    return f"pbem+{signer.sign(reply)}@localhost"


def board_reply(table: MailBoard, player: PlayerId = ALICE, event: int = 0, expires: date = LATER) -> BoardReply:
    return BoardReply(player, BoardNumber(int(table.number)), event, expires)


def test_the_tokens_made_here_are_those_of_the_server(server: GameServer, table: MailBoard) -> None:
    """Or else the attacks below would fail for the wrong reason."""
    table.one.says("", "b3", to=to(board_reply(table)))
    assert table.one.hears().subject == f"superbo Board {table.number} bob"


def tokens(table: MailBoard) -> dict[str, str]:
    """Addresses that alice cannot move with, although each looks like one of hers."""
    good = to(board_reply(table))
    token = good.partition("+")[2].partition("@")[0]
    raw = bytearray(base64.b32decode(token.upper() + "==="))
    raw[8] ^= 1
    other_board = base64.b32encode(bytes(raw)).decode().rstrip("=").lower()
    return {
        "expired": to(board_reply(table, expires=TODAY - timedelta(days=1))),
        "of another key": to(board_reply(table), Signer(["a key that somebody has made up"])),
        "of another player": to(board_reply(table, player=BOB)),
        "of another board": to(BoardReply(ALICE, BoardNumber(int(table.number) - 1), 0, LATER)),
        "bent to this board": f"pbem+{other_board}@localhost",
        "of a bounce": to(BounceReply(ALICE, address_mark(address_key("alice@example.org")), LATER)),
        "of a question": to(ConfirmReply(ConfirmationId(999), 7, LATER)),
        "truncated": good.replace(token, token[:-1]),
        "extended": good.replace(token, token + "a"),
        "doubled": good.replace(token, token + "+" + token),
        "empty": "pbem+@localhost",
    }


@pytest.mark.parametrize(
    "name",
    [
        "expired",
        "of another key",
        "of another player",
        "of another board",
        "bent to this board",
        "of a bounce",
        "of a question",
        "truncated",
        "extended",
        "doubled",
        "empty",
    ],
)
def test_no_other_token_moves(server: GameServer, table: MailBoard, name: str) -> None:
    before = happened(server)
    table.one.says(f"move {table.number} b3", to=tokens(table)[name])
    if name == "of a question":
        assert "I do not remember asking you that." in table.one.hears().words
    elif name == "of a bounce":
        assert table.one.hears_nothing() or table.one.hears().subject.startswith("Please confirm")
    else:
        assert table.one.hears().subject == f"Please confirm, alice: move on board {table.number}"
    assert table.other.hears_nothing()
    assert happened(server) == before


def test_an_unsubscribe_never_moves_nor_resigns(server: GameServer, table: MailBoard) -> None:
    quiet = to(QuietReply(ALICE, BoardNumber(int(table.number)), LATER))
    before = happened(server)
    for line in ("resign", "b3", f"resign {table.number}", f"move {table.number} alice secret b3", "signoff"):
        table.one.says(line, line, to=quiet)
    assert table.other.hears_nothing()
    after = happened(server)
    assert after["events"] == before["events"]
    assert after["players"] == before["players"]


def test_a_token_of_another_event_is_overtaken(server: GameServer, table: MailBoard) -> None:
    table.play("b3", "c4,k5")
    before = happened(server)
    for event in (0, 1, 3):
        table.one.says("", "g2,h7", to=to(board_reply(table, event=event)))
        assert "Your letter answers an older mail" in table.one.hears().text
    assert happened(server) == before


def test_a_stolen_token_moves_nothing_for_another_player_or_a_stranger(
    server: GameServer, table: MailBoard, mallory: Person
) -> None:
    before = happened(server)
    table.other.answers(table.one_mail, "b3")
    assert f"It's alice's move on board {table.number}, not yours." in table.other.hears().text
    mallory.answers(table.one_mail, "b3")
    assert "I do not know the address that you wrote from" in mallory.hears().words
    assert table.one.hears_nothing()
    assert happened(server) == before


def test_a_forged_from_is_asked_back_at_the_true_address(server: GameServer, table: MailBoard, mallory: Person) -> None:
    before = happened(server)
    raw = f"From: alice@example.org\r\nReply-To: {mallory.address}\r\nSubject: resign {table.number}\r\n\r\n"
    mallory.mails(raw.encode(), sender=mallory.address)
    assert table.one.hears().subject == f"Please confirm, alice: resign on board {table.number}"
    assert not server.postbox.unread_for(mallory.address)
    assert happened(server) == before


FROM_TRICKS = {
    "a name that is an address": 'From: "alice@example.org" <mallory@example.org>',
    "two addresses": "From: alice@example.org, mallory@example.org",
    "two headers": "From: mallory@example.org\r\nFrom: alice@example.org",
    "two headers, the other way": "From: alice@example.org\r\nFrom: mallory@example.org",
    "two subjects": "From: alice@example.org\r\nSubject: help",
    "two dates": "From: alice@example.org\r\nDate: x\r\nDate: y",
    "two message-ids": "From: alice@example.org\r\nMessage-ID: <a@b>\r\nMessage-ID: <c@d>",
    "a comment": "From: mallory@example.org (alice@example.org)",
    "a comment within": "From: mallory(alice@example.org)@example.org",
    "a route": "From: <@example.org,@alice@example.org:mallory@example.org>",
    "a percent": "From: alice%example.org@evil.example",
    "a quoted part": 'From: "alice@example.org"@evil.example',
    "a group": "From: alice@example.org: mallory@example.org;",
    "an encoded word": "From: =?utf-8?q?alice=40example=2Eorg?= <mallory@example.org>",
    "a null": "From: alice@example.org\x00@evil.example",
    "a folded one": "From: alice@example.org\r\n <mallory@example.org>",
}


@pytest.mark.parametrize("trick", FROM_TRICKS)
def test_no_trick_with_from_makes_somebody_else_of_a_sender(
    server: GameServer, table: MailBoard, mallory: Person, trick: str
) -> None:
    before = happened(server)
    raw = f"{FROM_TRICKS[trick]}\r\nAuthentication-Results: {FORGED}\r\nSubject: move {table.number} b3\r\n\r\n"
    if trick in ("two subjects", "two dates", "two message-ids"):
        mallory.mails(raw.encode(), table.one_mail.reply_to, sender=mallory.address)
    else:
        mallory.mails(raw.encode("latin-1"), sender=mallory.address)
    assert table.other.hears_nothing()
    assert happened(server) == before


@pytest.mark.parametrize(
    "headers",
    [
        [f"{MTA}; dmarc=fail header.from=example.org", FORGED],
        [f"{MTA}; spf=pass smtp.mailfrom=mallory@example.org", FORGED],
        [FORGED.replace(MTA, f"{MTA}.evil.example"), f"{MTA}; none"],
        [FORGED.replace(MTA, "mx.example.net")],
        [FORGED.replace("header.from=example.org", "header.from=evil.example (header.from=example.org)")],
        [f"{MTA}; dmarc=fail header.from=example.org; dmarc=pass header.from=example.org"],
        [f"{MTA} 7; dmarc=pass header.from=example.org", FORGED],
    ],
)
def test_forged_authentication_results_prove_nothing(
    server: GameServer, table: MailBoard, mallory: Person, headers: list[str]
) -> None:
    before = happened(server)
    results = "".join(f"Authentication-Results: {each}\r\n" for each in headers)
    raw = f"{results}From: alice@example.org\r\nSubject: move {table.number} b3\r\n\r\n"
    mallory.mails(raw.encode(), sender=mallory.address)
    assert table.one.hears().subject == f"Please confirm, alice: move on board {table.number}"
    assert happened(server) == before


def test_a_replayed_confirmation_does_nothing_twice(server: GameServer, table: MailBoard, mallory: Person) -> None:
    table.one.says(f"move {table.number} b3")
    question = table.one.hears()
    mallory.answers(question, "yes")
    assert "I sent that question to an address other than" in mallory.hears().words
    table.other.answers(question, "yes")
    assert "I sent that question to an address other than" in table.other.hears().words
    table.one.answers(question, "yes")
    assert table.one.hears().subject == f"superbo Board {table.number} bob"
    before = happened(server)
    table.one.answers(question, "yes again")
    assert "You have already answered this question" in table.one.hears().words
    assert happened(server) == before


def test_a_hundred_guesses_open_nothing(server: GameServer, mallory: Person) -> None:
    victim = server.player("victim", "guess60")
    before = happened(server)
    for number in range(20):
        mallory.says(f"set victim guess{number} legend=off")
    for letter in range(4):
        lines = "\n".join(f"set victim guess{20 + 20 * letter + number} legend=off" for number in range(20))
        mallory.says("multiple", lines)
    answers = [mallory.hears().words for _ in range(24)]
    assert all("do not match" in each for each in answers[:5])
    assert all("too many wrong passwords" in each for each in answers[5:])
    assert not any("do not match" in each for each in answers[5:])
    assert happened(server) == before
    assert victim.hears().subject == "Wrong passwords for victim"
    question = victim.hears()
    assert "    set legend=off" in question.text.splitlines(), "the one that was right"
    assert "somebody knows your password" in question.words
    assert victim.hears_nothing()


INJECTED = "\r\nBcc: owned@example.org\r\nSubject: Owned\r\n\r\nOwned"


@pytest.mark.parametrize(
    "subject",
    [
        f"signup x{INJECTED} secret",
        f"superbo challenge {INJECTED}",
        f"superbo challenge -{INJECTED} bob",
        f"show {INJECTED}",
        f"move 101 alice {INJECTED} b3",
        f"add evil{INJECTED}@example.org",
        "help \x00\x0b\x0c\x85\u2028Bcc: owned@example.org",
    ],
)
def test_no_header_is_injected_by_an_encoded_word(server: GameServer, table: MailBoard, subject: str) -> None:
    before = happened(server)
    encoded = base64.b64encode(subject.encode()).decode()
    name = Header(f"Eve{INJECTED}".replace("\r\n", " "), "utf-8").encode()
    raw = f"From: {name} <carol@example.org>\r\nSubject: =?utf-8?b?{encoded}?=\r\n\r\nHello{INJECTED}\r\n"
    carol = server.person("carol")
    carol.mails(raw.encode())
    answer: Mail = carol.hears()
    assert answer.parsed.get_all("Bcc") is None
    assert len(answer.parsed.get_all("Subject", [])) == 1
    assert "Owned" not in answer.subject.split()[:1]
    assert not server.postbox.unread_for("owned@example.org")
    assert happened(server) == before or "signup" in subject


@pytest.mark.parametrize(
    "address",
    [
        '"mallory x"@example.org',
        "mallory(comment)@example.org",
        "<@relay.example:mallory@example.org>",
        "mallory@[127.0.0.1]",
        "mallory@example.org,bob@example.org",
        "=?utf-8?q?mallory?=@example.org",
        "mallory@example..org",
        "-mallory",
        "pbem+abc@localhost",
    ],
)
def test_no_odd_address_is_put_on_record(server: GameServer, table: MailBoard, address: str) -> None:
    before = played(server)
    table.one.says("", f"add {address}")
    answer = table.one.hears()
    if answer.subject.startswith("Please confirm"):
        pytest.fail(answer.text)
    assert played(server) == before
