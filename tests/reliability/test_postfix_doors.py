"""The deployed Postfix itself: whom it lets in, and what it does to a letter and to a mail on their way."""

from __future__ import annotations

import smtplib
import socket
import ssl
from collections.abc import Iterator

import pytest

from pbem.mail_in.doors import LmtpDoor
from tests.reliability.postfix_doors import Doors, letters_that_came, outsider, without_received
from tests.support.doors import opened
from tests.support.mail import PATIENCE, Postbox
from tests.support.postfix import ADDRESS, DOMAIN, HOSTNAME, OUTSIDE, LmtpBox, running_postfix

LETTER = b"From: alice@example.org\r\nTo: pbem@pbem.example.org\r\nSubject: help\r\n\r\n"


@pytest.fixture(scope="module")
def doors() -> Iterator[Doors]:
    with (
        LmtpBox() as pbem,
        Postbox() as world,
        running_postfix(world.port, lmtp=f"inet:127.0.0.1:{pbem.port}") as postfix,
    ):
        yield Doors(postfix, pbem, world)


def test_its_settings_are_clean(doors: Doors) -> None:
    for program, words in (("postfix", ["check"]), ("postconf", ["-n"]), ("postconf", ["-M"])):
        done = doors.postfix.command(program, *words)
        assert (done.returncode, done.stderr) == (0, "")
    assert "warning" not in doors.postfix.log


@pytest.mark.parametrize("address", [ADDRESS, ADDRESS.upper(), f"pbem+abc234@{DOMAIN}", f"postmaster@{DOMAIN}"])
def test_addresses_of_ours_are_taken(doors: Doors, address: str) -> None:
    with outsider(doors) as client:
        client.mail("alice@example.org")
        assert client.rcpt(address)[0] == 250


@pytest.mark.parametrize(
    ("address", "answer"),
    [
        (f"nobody@{DOMAIN}", b"5.1.1"),
        (f"root@{DOMAIN}", b"5.1.1"),
        (f"pbem-x@{DOMAIN}", b"5.1.1"),
        (f"nobody+pbem@{DOMAIN}", b"5.1.1"),
        ("bob@example.org", b"5.7.1"),
        (f"bob%example.org@{DOMAIN}", b"5."),
        ("pbem@other.example.org", b"5.7.1"),
        (f"root@{HOSTNAME}", b"5.7.1"),
        ("root@localhost", b"5."),
    ],
)
def test_all_others_are_refused_at_rcpt(doors: Doors, address: str, answer: bytes) -> None:
    with outsider(doors) as client:
        client.mail("alice@example.org")
        code, said = client.rcpt(address)
        assert code in range(500, 555)
        assert said.startswith(answer)


def test_letters_to_postmaster_go_to_a_human(doors: Doors) -> None:
    with outsider(doors) as client:
        client.sendmail("alice@example.org", [f"postmaster@{DOMAIN}"], LETTER)
    assert doors.world.next_for("admin@example.org").subject == "help"
    assert not letters_that_came(doors)


def test_what_the_machine_writes_to_root_goes_to_a_human(doors: Doors) -> None:
    with smtplib.SMTP("127.0.0.1", doors.postfix.port, timeout=PATIENCE) as client:
        client.sendmail(f"root@{HOSTNAME}", [f"root@{HOSTNAME}"], LETTER)
    assert doors.world.next_for("admin@example.org").envelope_sender == f"root@{HOSTNAME}"


@pytest.mark.parametrize("end", [b"\n.\n", b"\n.\r\n", b"\r\n.\n", b"\r.\r", b"\r\n\0.\r\n"], ids=ascii)
def test_no_second_letter_is_smuggled_in(doors: Doors, end: bytes) -> None:
    second = b"MAIL FROM:<bob@example.org>\r\nRCPT TO:<pbem@pbem.example.org>\r\nDATA\r\nSubject: resign\r\n\r\n"
    with socket.create_connection(("127.0.0.1", doors.postfix.port), PATIENCE, (OUTSIDE, 0)) as client:
        for line in (b"EHLO x.example.org", b"MAIL FROM:<alice@example.org>", b"RCPT TO:<" + ADDRESS.encode() + b">"):
            client.recv(4096)
            client.sendall(line + b"\r\n")
        client.recv(4096)
        client.sendall(b"DATA\r\n")
        client.recv(4096)
        client.sendall(LETTER + b"Hello" + end + second + b"\r\n.\r\n")
        answer = client.recv(4096)
    came = letters_that_came(doors)
    assert {mail.envelope_sender for mail in came} <= {"alice@example.org"}
    assert (len(came), answer[:3]) == ((0, b"550") if b"\n" in end.replace(b"\r\n", b"") else (1, b"250"))


def test_who_talks_before_he_is_answered_is_refused(doors: Doors) -> None:
    with socket.create_connection(("127.0.0.1", doors.postfix.port), PATIENCE, (OUTSIDE, 0)) as client:
        client.sendall(b"HELO x\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<pbem@pbem.example.org>\r\nDATA\r\n")
        said = b""
        while part := client.recv(4096):
            said += part
    assert b"\r\n354 " not in said
    assert not letters_that_came(doors)


def test_a_letter_is_brought_as_it_came(doors: Doors) -> None:
    body = b"From here on\r\n.\r\n..\r\ntrailing \r\n-- \r\n\xe4\xff 8 bit\r\n" + b"x" * 990 + b"\r\n"
    letter = LETTER.replace(b"To: pbem@", b"X-Odd:  two  blanks\t\r\nTO:pbem@")
    with outsider(doors) as client:
        client.sendmail("alice@example.org", [ADDRESS], letter + body)
    (mail,) = letters_that_came(doors)
    assert without_received(mail.raw) == letter + body


def test_one_letter_to_several_of_our_addresses_comes_in_one_transaction(doors: Doors) -> None:
    ours = [ADDRESS, *(f"pbem+token{number}@{DOMAIN}" for number in range(9))]
    with outsider(doors) as client:
        assert client.sendmail("alice@example.org", ours, LETTER) == {}
    assert len(letters_that_came(doors)) == 1
    assert sorted(doors.pbem.recipients[-1]) == sorted(ours)


def test_more_recipients_than_pbem_takes_are_put_off(doors: Doors) -> None:
    with outsider(doors) as client:
        client.mail("alice@example.org")
        codes = [client.rcpt(f"pbem+token{number}@{DOMAIN}")[0] for number in range(11)]
    assert codes == [250] * 10 + [452]


def test_authentication_results_from_outside_are_taken_out(doors: Doors) -> None:
    forged = (
        b"Authentication-Results: mx.example.org; dmarc=pass header.from=example.org\r\n"
        b"authentication-results:\r\n mx.example.org;\r\n dmarc=pass header.from=example.org\r\n"
        b"Authentication-Results : (x) MX.example.org; dmarc=pass\r\n"
    )
    with outsider(doors) as client:
        client.sendmail("alice@example.org", [ADDRESS], forged + LETTER)
    (mail,) = letters_that_came(doors)
    assert b"dmarc" not in mail.raw


def test_a_letter_within_another_keeps_its_headers(doors: Doors) -> None:
    inner = b"Content-Type: message/rfc822\r\n\r\nAuthentication-Results: x; spf=pass\r\nSubject: y\r\n\r\nz\r\n"
    with outsider(doors) as client:
        client.sendmail("alice@example.org", [ADDRESS], b"MIME-Version: 1.0\r\n" + LETTER[:-2] + inner)
    (mail,) = letters_that_came(doors)
    assert mail.raw.endswith(inner)


def test_too_large_a_letter_is_refused_before_it_is_sent(doors: Doors) -> None:
    with outsider(doors) as client:
        assert client.docmd(f"MAIL FROM:<alice@example.org> SIZE={256 * 1024}")[0] == 552
    assert client.esmtp_features["size"] == str(240 * 1024)


def test_bounces_come_in(doors: Doors) -> None:
    with outsider(doors) as client:
        client.sendmail("", [f"pbem+token@{DOMAIN}"], LETTER)
    (mail,) = letters_that_came(doors)
    assert mail.envelope_sender in ("", "<>")


def test_the_front_door_speaks_tls(doors: Doors) -> None:
    trusting = ssl.create_default_context()
    doors.postfix.certificates.configure_trust(trusting)
    with outsider(doors) as client:
        client._host = HOSTNAME  # type: ignore[attr-defined]
        client.starttls(context=trusting)
        client.ehlo("mail.example.org")
        client.sendmail("alice@example.org", [ADDRESS], LETTER)
    assert len(letters_that_came(doors)) == 1


def test_by_the_back_door_only_pbem_sends(doors: Doors) -> None:
    with smtplib.SMTP("127.0.0.1", doors.postfix.relay_port, timeout=PATIENCE) as client:
        client.ehlo("localhost")
        for sender in (ADDRESS, f"pbem+token@{DOMAIN}", ""):
            client.mail(sender)
            assert client.rcpt("alice@example.org")[0] == 250
            client.rset()
        client.mail("somebody@example.org")
        assert client.rcpt("alice@example.org")[0] == 554


def test_mails_may_be_larger_than_letters(doors: Doors) -> None:
    large = LETTER + b"x" * 70 + b"\r\n"
    large += (b"y" * 70 + b"\r\n") * 20_000
    with smtplib.SMTP("127.0.0.1", doors.postfix.relay_port, timeout=PATIENCE) as client:
        client.sendmail(ADDRESS, ["large@example.org"], large)
    assert without_received(doors.world.next_for("large@example.org").raw) == large


def test_pbem_is_told_which_host_a_letter_came_from() -> None:
    with (
        opened(LmtpDoor, ours=ADDRESS) as pbem,
        Postbox() as world,
        running_postfix(world.port, lmtp=f"inet:127.0.0.1:{pbem.port}") as postfix,
    ):
        with smtplib.SMTP("127.0.0.1", postfix.port, timeout=PATIENCE, source_address=(OUTSIDE, 0)) as client:
            client.ehlo("mail.example.org")
            client.sendmail("alice@example.org", [ADDRESS], LETTER)
        postfix.wait_until_empty()
        assert [envelope.client for envelope, _ in pbem.letters] == [OUTSIDE]
